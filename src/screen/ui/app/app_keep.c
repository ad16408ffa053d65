/* See app_internal.h: the names of the prompt live on when attn ends, as the lines that made them.
 */
#include "ui/app/app_internal.h"

#include <string.h>

#include "lang/syntax/lexer.h"

enum { KEPT_BYTES = 1 << 16 }; /* more lines than that are not kept */

static const char setting[] = "prompt-lines";

void app_keep_lines(struct app *app)
{
    struct error error; /* there is nobody left to tell */
    const struct text *script = &app->tutor.session.script, *restored = &app->restored;
    bool fits = !script->failed && script->size <= KEPT_BYTES;
    const char *lines = fits ? text_string(script) : "", *added = lines;
    /* reset may have removed restored lines: then all lines are new. */
    if (restored->size > 0 && strncmp(lines, restored->bytes, restored->size) == 0)
        added += restored->size;
    (void)progress_merge_setting(app->progress, setting, text_string(&app->kept_lines), lines,
                                 added, &error);
    text_release(&app->kept_lines);
    text_release(&app->restored);
}

/* Runs the lines; those that do not work are left out. Returns how many, and the error of the last
 * one. */
static unsigned run_lines(struct app *app, const struct text *lines, struct error *reterr)
{
    struct session *session = &app->tutor.session;
    struct doc shown; /* at the time it was shown already */
    unsigned n_failed = 0;
    bool open;
    doc_init(&shown);
    session->settings.no_saves = true;
    terminal_watch_interrupt(app->terminal, true);
    for (size_t at = 0, size; at < lines->size; at += size) {
        size = lexer_line(lines->bytes + at, lines->size - at, &open);
        n_failed += !session_run(session, lines->bytes + at, size, &shown, reterr);
        doc_clear(&shown);
    }
    terminal_watch_interrupt(app->terminal, false);
    session->settings.no_saves = false;
    session->wants_quit = false;
    doc_release(&shown);
    return n_failed;
}

void app_restore_lines(struct app *app)
{
    struct doc told;
    struct error error;
    if (!progress_setting(app->progress, setting, &app->kept_lines) || app->kept_lines.size == 0)
        return;
    unsigned n_failed = run_lines(app, &app->kept_lines, &error);
    text_put(&app->restored, text_string(&app->tutor.session.script));
    size_t n = app->tutor.session.names.n_variables;
    doc_init(&told);
    if (n > 0)
        doc_line(&told, STYLE_QUIET, "%zu name%s from last time: vars lists %s, reset forgets %s.",
                 n, n == 1 ? "" : "s", n == 1 ? "it" : "them", n == 1 ? "it" : "them");
    if (n_failed > 0)
        doc_line(&told, STYLE_NOTE, "%u of the lines of last time %s not work any more: %s",
                 n_failed, n_failed == 1 ? "does" : "do", error.text);
    prompt_add(&app->prompt, &told);
    doc_release(&told);
}
