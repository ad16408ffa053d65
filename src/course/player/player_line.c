/* Lines at the prompt: a bare answer, or a line of the language. */
#include "course/player/player_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "course/lesson/page.h"
#include "lang/syntax/sentence.h"

/* Only digits and the signs that separate them. */
static bool is_list_of_options(const char *line, size_t size)
{
    bool has_digit = false;
    for (size_t i = 0; i < size; i++) {
        if (isdigit((unsigned char)line[i]))
            has_digit = true;
        else if (strchr(",;) \t\r\n", line[i]) == NULL)
            return false;
    }
    return has_digit;
}

static bool is_number(const char *line, size_t size)
{
    char copy[64], *end;
    if (size >= sizeof copy || size == 0)
        return false;
    memcpy(copy, line, size);
    copy[size] = '\0';
    if (strpbrk(copy, "xXpP") != NULL)
        return false; /* hexadecimal, which the language does not have */
    (void)strtod(copy, &end);
    return end > copy && end[strspn(end, " \t\r\n")] == '\0';
}

static bool is_bare_answer(const struct player *player, const char *line, size_t size)
{
    if (player->finished || !player_is_asking(player) || memchr(line, '\0', size) != NULL)
        return false;
    const struct question *question = player_question(player);
    switch (question->kind) {
    case QUESTION_NUMBER:
    case QUESTION_MATRIX:
        return is_number(line, size);
    case QUESTION_CHOICE:
    case QUESTION_ORDER:
    case QUESTION_CELL:
    case QUESTION_MASK:
        return is_list_of_options(line, size);
    case QUESTION_REFLECTION:
        return sentence_is(player->learner.session.find_command, line, size);
    case QUESTION_PREDICT:
        return question->n_options > 0 ? is_list_of_options(line, size) : is_number(line, size);
    default:
        return false;
    }
}

/* Logs the changes that a line made; a reset alone is logged itself. */
static void log_typed(struct player *player, const char *line, size_t size, size_t script_before)
{
    const struct text *script = &player->learner.session.script;
    size_t begin = player->learner.session.transaction.forgets_script ? 0 : script_before;
    if (script->size > begin)
        lesson_run_log_line(&player->learner, script->bytes + begin, script->size - begin);
    else if (player->learner.session.transaction.forgets_script)
        lesson_run_log_line(&player->learner, line, size);
}

/* Whether the line is one expression, which could have been meant as an answer. */
static bool is_expression(struct player *player, const char *line, size_t size)
{
    struct arena arena = {0};
    struct session_line read;
    struct error ignored;
    bool is_one =
        session_read_line(&player->learner.session, &arena, line, size, &read, &ignored) &&
        read.first != NULL && read.first->next == NULL && read.first->kind == STATEMENT_EXPRESSION;
    arena_release(&arena);
    return is_one;
}

/* Whether the page's question takes it as right. Nothing is counted, and no mistake looked for. */
static bool find_right(struct player *player, const char *line, size_t size)
{
    size_t begin;
    struct judged judged;
    struct error ignored;
    struct question_sessions sessions = player_sessions(player);
    char *typed = text_copy_trimmed(line, size, &begin);
    sessions.edits = NULL;
    bool is_right = typed != NULL && player_ready_reference(player, &ignored) &&
                    question_judge(player_question(player), &sessions, typed, &judged, &ignored) &&
                    judged.right && !judged.is_unfinished;
    if (is_right)
        text_put(&player->found, typed);
    free(typed);
    return is_right;
}

/* Says of an expression that it is the answer, and how it is handed in; or that it was only tried:
 * that once for each page. */
static void show_untried(struct player *player, const char *line, size_t size, struct doc *out)
{
    const struct question *question = player->finished ? NULL : player_question(player);
    size_t width = player->learner.session.settings.width_cols;
    if (question == NULL || !player_is_asking(player) || !question_is_judged(question->kind) ||
        out->n_lines == 0 || !is_expression(player, line, size))
        return;
    if (find_right(player, line, size)) {
        words_show(
            out, STYLE_QUIET, width,
            player->in_pane
                ? "(That is the answer to the question: Enter on the empty line hands it in.)"
                : "(That is the answer to the question: answer alone hands it in.)");
        return;
    }
    if (player->tried_page == player->page + 1)
        return;
    player->tried_page = player->page + 1;
    words_show(out, STYLE_QUIET, width,
               player->in_pane
                   ? "(tried, not judged: an answer is typed into the lesson; Esc goes there)"
                   : "(tried, not judged: answer in front of it makes it your answer)");
}

static bool run_line(struct player *player, const char *line, size_t size, struct doc *out,
                     struct error *reterr)
{
    size_t script = player->learner.session.script.size;
    struct session *session = &player->learner.session;
    unsigned n_drawings = session->n_drawings;
    size_t first = out->n_lines;
    if (!session_run(session, line, size, out, reterr))
        return false;
    if (session->n_drawings != n_drawings)
        player->typed_picture = code_picture_lines(session, line, size, first, out);
    log_typed(player, line, size, script);
    bool was_offering = player_is_offering(player);
    lesson_run_note_typed(&player->learner, line, size);
    if (was_offering && !player_is_offering(player) && !player_show_way_on(player, out, reterr))
        return false;
    show_untried(player, line, size, out);
    if (player->unsaved.size > 0 && !player->finished)
        player_remember_page(player, out);
    return true;
}

bool player_line(struct player *player, const char *line, size_t size, struct doc *out,
                 struct error *reterr)
{
    struct doc_end end = doc_end_of(out);
    bool hands_in = player->in_pane && player->found.size > 0 && code_line_is_blank(line, size);
    if (!hands_in)
        text_clear(&player->found);
    bool ok = hands_in || is_bare_answer(player, line, size)
                  ? player_judge_text(player, line, size, out, reterr)
                  : run_line(player, line, size, out, reterr);
    return doc_keep(out, &end, ok, reterr);
}
