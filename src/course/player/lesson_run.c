/* See lesson_run.h. */
#include "course/player/lesson_run.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "course/lesson/page.h"
#include "lang/commands/command.h"
#include "lang/syntax/lexer.h"

static const char page_mark[] = "# page "; /* a line of the log: this page was reached */

enum { MAX_NOTED_LINES = 64 }; /* of an offer: struct lesson_run has a bit for each */

void lesson_run_init(struct lesson_run *run, const struct lesson *lesson,
                     const struct settings *settings, const char *data_dir,
                     const volatile sig_atomic_t *stop)
{
    *run = (struct lesson_run){.lesson = lesson};
    session_init(&run->session, command_find, settings, data_dir, stop);
}

void lesson_run_release(struct lesson_run *run)
{
    session_release(&run->session);
}

void lesson_run_restart(struct lesson_run *run)
{
    struct settings settings = run->session.settings;
    const char *data_dir = run->session.data_dir;
    const volatile sig_atomic_t *stop = run->session.graph.stop;
    session_release(&run->session);
    session_init(&run->session, command_find, &settings, data_dir, stop);
    run->reached = run->n_lines = run->picture_page = 0;
    run->n_drawings = 0;
}

void lesson_run_log_line(struct lesson_run *run, const char *line, size_t size)
{
    if (run->log == NULL)
        return;
    text_add(run->log, line, size);
    if (size == 0 || line[size - 1] != '\n')
        text_char(run->log, '\n');
}

/* After code of a page, or what it offers, has run. */
static void note_picture(struct lesson_run *run, size_t page)
{
    if (run->session.n_drawings != run->n_drawings)
        run->picture_page = page + 1;
    run->n_drawings = run->session.n_drawings;
}

static void reach(struct lesson_run *run, size_t page)
{
    note_picture(run, page);
    run->reached = page + 1;
    run->n_lines = 0;
    run->typed = 0;
    run->offer_is_closed = false;
}

/* ---- lines of the lesson ---- */

/* Code of the lesson on its way into the session. */
struct code_walk {
    struct lesson_run *run;
    const struct lesson_text *code;
    bool shows;  /* lines are added to out, with what they give */
    bool told;   /* a line that failed was told; the next ones are not */
    bool worked; /* the last line that ran */
    struct doc *out;
    struct error *reterr;
};

/* Runs a line, which may not touch the learner's files. False when the walk has to stop. */
static bool run_line(struct code_walk *walk, const char *line, size_t size)
{
    struct lesson_run *run = walk->run;
    struct settings *settings = &run->session.settings;
    struct doc shown;
    struct error error;
    char text[sizeof error.text + 200];
    bool no_files = settings->no_files;
    doc_init(&shown);
    settings->no_files = true;
    walk->worked = session_run(&run->session, line, size, &shown, &error);
    settings->no_files = no_files;
    if (walk->worked && !code_line_is_blank(line, size))
        lesson_run_log_line(run, line, size);
    if (walk->worked && walk->shows) {
        code_show(line, size, settings->width_cols, walk->out);
        doc_append(walk->out, &shown, 0);
    }
    doc_release(&shown);
    if (walk->worked)
        return true;
    if (error_is_stop(&error))
        return error_set(walk->reterr, error.kind, "%s", error.text);
    if (!run->is_tolerant) {
        error_set(walk->reterr, error.kind, "%s", error.text);
        return lesson_place_error(run->lesson, code_line_number(walk->code, line), walk->reterr);
    }
    snprintf(text, sizeof text,
             "With your variables, what the lesson runs here does not work: %s. The page shows it "
             "with its own; lesson %s again starts it with a clean table.",
             error.text, run->lesson->id);
    if (!walk->told)
        doc_wrap(walk->out, STYLE_NOTE, text, settings->width_cols, 0);
    walk->told = true;
    return true;
}

/* ---- a page's code ---- */

/* What was not finished is of use only where it goes on later, in the learner's session. */
static bool stop_run(struct lesson_run *run)
{
    if (!run->is_tolerant)
        lesson_run_restart(run);
    return false;
}

bool lesson_run_page(struct lesson_run *run, size_t page, struct doc *out, struct error *reterr)
{
    const struct page *now = &run->lesson->pages[page];
    struct code_walk walk = {.run = run, .out = out, .reterr = reterr};
    const char *line;
    size_t size, n = 0; /* lines so far */
    if (page < run->reached)
        return true;
    for (size_t i = 0; i < now->n_parts; i++) {
        walk.code = &now->parts[i].source;
        if (now->parts[i].kind == PART_PROSE)
            continue;
        struct code_lines lines = code_lines_of(walk.code);
        for (; code_lines_next(&lines, &line, &size); n++) {
            if (n < run->n_lines)
                continue; /* it ran before the page was interrupted */
            if (!run_line(&walk, line, size))
                return stop_run(run);
            run->n_lines++;
        }
    }
    if (run->log != NULL)
        text_format(run->log, "%s%s\n", page_mark, now->name);
    reach(run, page);
    return true;
}

bool lesson_run_show_page(struct lesson_run *run, size_t page, unsigned look, struct doc *out,
                          struct page_lines *ret_picture, struct error *reterr)
{
    unsigned line = 0;
    const struct page *now = &run->lesson->pages[page];
    if (!page_run(&run->session, now, look, out, ret_picture, &line, reterr)) {
        lesson_place_error(run->lesson, line, reterr);
        return stop_run(run);
    }
    reach(run, page);
    return true;
}

/* ---- what a page offers to type ---- */

/* The code that the last reached page offers, or NULL when nothing of it is asked for. */
static const struct lesson_text *open_offer(const struct lesson_run *run)
{
    if (run->reached == 0 || run->offer_is_closed)
        return NULL;
    const struct lesson_text *offer = &run->lesson->pages[run->reached - 1].offer;
    return offer->text != NULL ? offer : NULL;
}

/* The bit of a line in run->typed; 0 for a line that can't be noted as typed. */
static uint64_t line_bit(size_t line)
{
    return line < MAX_NOTED_LINES ? (uint64_t)1 << line : 0;
}

static bool close_offer(struct lesson_run *run, bool shows, struct doc *out, struct error *reterr)
{
    struct code_walk walk = {
        .run = run, .code = open_offer(run), .shows = shows, .out = out, .reterr = reterr};
    const char *line;
    size_t size;
    struct code_lines lines = code_lines_of(walk.code);
    for (size_t i = 0; code_lines_next(&lines, &line, &size); i++) {
        if ((run->typed & line_bit(i)) != 0 || code_line_is_blank(line, size))
            continue;
        walk.told = false; /* each that fails is told */
        if (!run_line(&walk, line, size))
            return stop_run(run);
        if (walk.worked)
            run->typed |= line_bit(i); /* when a later line is interrupted, this one has run */
    }
    note_picture(run, run->reached - 1);
    run->offer_is_closed = true;
    return true;
}

bool lesson_run_show_offer(struct lesson_run *run, struct doc *out, struct error *reterr)
{
    return close_offer(run, true, out, reterr);
}

bool lesson_run_until(struct lesson_run *run, size_t page, struct doc *out, struct error *reterr)
{
    while (run->reached < page)
        if (!close_offer(run, false, out, reterr) ||
            !lesson_run_page(run, run->reached, out, reterr))
            return false;
    return run->reached > page || close_offer(run, false, out, reterr);
}

/* The first line of the offer that was not typed yet, among its first `most` lines; or NULL. */
static const char *first_untyped(const struct lesson_run *run, size_t most, size_t *ret_size)
{
    const char *line;
    struct code_lines lines = code_lines_of(open_offer(run));
    for (size_t i = 0; i < most && code_lines_next(&lines, &line, ret_size); i++)
        if (!code_line_is_blank(line, *ret_size) && (run->typed & line_bit(i)) == 0)
            return line;
    return NULL;
}

bool lesson_run_is_offering(const struct lesson_run *run)
{
    size_t size;
    return first_untyped(run, SIZE_MAX, &size) != NULL;
}

const char *lesson_run_offered(const struct lesson_run *run, size_t *ret_size)
{
    return first_untyped(run, MAX_NOTED_LINES, ret_size);
}

/* ---- lines that were typed ---- */

static bool is_space(char c)
{
    return isspace((unsigned char)c) != 0;
}

/* The same but for blanks. */
static bool same_line(const char *a, size_t a_size, const char *b, size_t b_size)
{
    size_t i = 0, j = 0;
    for (;;) {
        while (i < a_size && is_space(a[i]))
            i++;
        while (j < b_size && is_space(b[j]))
            j++;
        if (i == a_size || j == b_size)
            return i == a_size && j == b_size;
        if (a[i++] != b[j++])
            return false;
    }
}

void lesson_run_note_typed(struct lesson_run *run, const char *line, size_t size)
{
    const char *offered;
    size_t n;
    struct code_lines lines = code_lines_of(open_offer(run));
    for (size_t i = 0; code_lines_next(&lines, &offered, &n); i++)
        if ((run->typed & line_bit(i)) == 0 && same_line(offered, n, line, size)) {
            run->typed |= line_bit(i);
            return; /* a line that is offered twice is to be typed twice */
        }
}

/* ---- logs ---- */

/* A line of a log may be a page's mark: that page was reached. */
static void replay_mark(struct lesson_run *run, const char *line, size_t size)
{
    char name[LESSON_PAGE_NAME_BYTES];
    size_t mark = sizeof page_mark - 1;
    while (size > 0 && is_space(line[size - 1]))
        size--;
    if (size <= mark || size - mark >= sizeof name || memcmp(line, page_mark, mark) != 0)
        return;
    memcpy(name, line + mark, size - mark);
    name[size - mark] = '\0';
    size_t page = lesson_page(run->lesson, name);
    if (page < run->lesson->n_pages && page >= run->reached)
        reach(run, page);
}

bool lesson_run_replay(struct lesson_run *run, const struct text *lines, struct doc *out,
                       struct error *reterr)
{
    struct session *session = &run->session;
    struct doc shown;
    struct error error = {0};
    bool ok = true, open;
    unsigned n_failed = 0;
    doc_init(&shown);
    session->settings.no_saves = true;
    for (size_t at = 0, length; ok && at < lines->size; at += length) {
        length = lexer_line(lines->bytes + at, lines->size - at, &open);
        replay_mark(run, lines->bytes + at, length);
        if (session_run(session, lines->bytes + at, length, &shown, &error)) {
            lesson_run_note_typed(run, lines->bytes + at, length);
        } else {
            ok = !error_is_stop(&error);
            n_failed++;
        }
        doc_clear(&shown);
    }
    session->settings.no_saves = false;
    doc_release(&shown);
    if (!ok)
        return error_set(reterr, error.kind, "%s", error.text);
    if (n_failed > 0)
        words_show(out, STYLE_NOTE, session->settings.width_cols,
                   "%u of the lines you typed before %s not work any more: %s", n_failed,
                   n_failed == 1 ? "does" : "do", error.text);
    return true;
}
