/* Pages as they are shown: their place, the matrix to fill in, how to answer, the way on. */
#include "course/player/player_internal.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "course/lesson/page.h"
#include "graph/node.h"
#include "show/markdown.h"
#include "show/number.h"
#include "tensor/tensor.h"

/* ---- the page in the reference session ---- */

static struct kept_page *kept_page(const struct player *player)
{
    return &player->reference.kept[player->page];
}

/* The parts that can be left out of the page when it is shown. */
static unsigned look_of(const struct player *player)
{
    return player_question(player) == NULL
               ? 0
               : PAGE_HIDES | (player->in_pane ? PAGE_WITHOUT_OPTIONS : 0);
}

/* Whether the learner has left the page: then it also shows the output of its offer. */
static bool is_passed(const struct player *player)
{
    return player->learner.reached > player->page + 1;
}

/* Keeps the cells of the page's question, and its answer for display. The session has run the
 * page. */
static bool take_question(struct player *player, struct error *reterr)
{
    struct question_sessions sessions = player_sessions(player);
    const struct question *question = player_question(player);
    struct kept_page *kept = kept_page(player);
    struct question_cells cells = {0};
    struct error error = {0};
    if (question == NULL)
        return true;
    if (question_has_matrix(question->kind) &&
        !question_cells(question, &sessions, &cells, reterr)) {
        page_record_release(&kept->page);
        lesson_run_restart(&player->reference);
        return lesson_place_error(player->lesson, question->line, reterr);
    }
    question_cells_release(&kept->cells);
    kept->cells = cells;
    text_clear(&kept->told);
    if (question->answer.text == NULL || player_fills_matrix(player) ||
        question_tell(question, &sessions, &kept->told, &error) ||
        !error_is_stop(
            &error)) /* if it can't be shown, the learner who asks for it gets the error */
        return true;
    page_record_release(&kept->page);
    return error_set(reterr, error.kind, "%s", error.text);
}

/* Runs the page in the reference session, and keeps it. */
static bool take_page(struct player *player, struct error *reterr)
{
    return lesson_run_go_to(&player->reference, player->page, reterr) &&
           lesson_run_take_page(&player->reference, player->page, look_of(player), reterr) &&
           take_question(player, reterr);
}

/* Brings the reference session to the point after the page and, if the learner is past it, after
 * its offer. Runs the page only if it did not run yet, or shows something else in the current
 * number of columns. */
static bool bring_reference(struct player *player, struct error *reterr)
{
    struct lesson_run *run = &player->reference;
    bool is_kept = lesson_run_has(run, player->page, look_of(player)) &&
                   (!is_passed(player) || lesson_run_has_offer(run, player->page));
    bool is_there =
        is_kept && (run->reached == player->page + 1 || lesson_run_go_back(run, player->page));
    if (!is_there && !take_page(player, reterr))
        return false;
    return !is_passed(player) || lesson_run_until(run, player->page + 1, NULL, reterr);
}

bool player_ready_reference(struct player *player, struct error *reterr)
{
    if (player->reference.reached == player->page + 1)
        return true;
    if (!bring_reference(player, reterr))
        return false;
    player->cells = kept_page(player)->cells;
    return true;
}

const struct last_drawing *player_picture(const struct player *player)
{
    const struct lesson_run *run = &player->reference;
    const struct page *pages = player->lesson->pages, *now = &pages[player->page];
    size_t at = run->picture_page;
    if (at == 0 || at > player->page + 1 || run->reached != player->page + 1)
        return NULL;
    bool is_step = pages[at - 1].step == now->step;
    bool leads_on = pages[at - 1].question == NULL && at <= player->page && /* to its next page */
                    pages[at].step == now->step;
    return is_step || leads_on ? &run->session.drawing : NULL;
}

/* ---- the matrix to fill in ---- */

/* The name of a row or column of the answer, in Markdown: it may have signs that Markdown would
 * take, such as <s>, | and *. */
static void put_heading(const struct node *answer, unsigned axis, size_t at, struct text *out)
{
    char number[NODE_NUMBER_BYTES];
    for (const char *c = node_position_name(answer, axis, at, number); *c != '\0'; c++) {
        if (ispunct((unsigned char)*c))
            text_char(out, '\\');
        text_char(out, *c);
    }
}

/* A cell of a mask as one answered with it: drawn in a pane, and typed in lines. */
static const char *mask_sign(const struct player *player, bool is_true)
{
    if (!player->in_pane)
        return is_true ? "1" : "0";
    if (player->reference.session.settings.ascii)
        return is_true ? "\\#" : "\\.";
    return is_true ? "\xE2\x96\xA0" : "\xC2\xB7";
}

static bool is_listed(const struct question_cells *cells, size_t position)
{
    for (size_t i = 0; i < cells->n; i++)
        if (cells->positions[i] == position)
            return true;
    return false;
}

/* The number, in brackets where it was pointed at, or a sign in a cell that is still asked for. */
static void put_cell(const struct player *player, size_t position, struct text *out)
{
    char text[NUMBER_TEXT];
    const struct question_cells *cells = &player->cells;
    size_t next = player_open_cell(player);
    bool is_pointed = player_question(player)->kind == QUESTION_CELL;
    bool shows_all = !player_is_asking(player) || is_pointed;
    if (player_question(player)->kind == QUESTION_MASK) {
        bool is_true = tensor_at_position(&cells->answer->value, position) != 0;
        text_put(out, !shows_all ? "?" : mask_sign(player, is_true));
        return;
    }
    if (is_pointed && !player_is_asking(player) && is_listed(cells, position)) {
        text_format(out, "[%s]",
                    number_short(tensor_at_position(&cells->answer->value, position),
                                 player->reference.session.settings.digits, text));
        return;
    }
    for (size_t i = 0; i < cells->n && !shows_all; i++)
        if (cells->positions[i] == position && (i >= 64 || (player->state.cells >> i & 1) == 0)) {
            text_put(out, i == next ? "[?]" : "?");
            return;
        }
    text_put(out, number_short(tensor_at_position(&cells->answer->value, position),
                               player->reference.session.settings.digits, text));
}

/* The matrix as a table of Markdown. */
static void write_matrix(const struct player *player, struct text *out)
{
    const struct node *answer = player->cells.answer;
    unsigned n_axes = answer->value.n_axes;
    size_t n_cols = answer->value.shape[n_axes - 1];
    size_t n_rows = n_cols > 0 ? tensor_size(&answer->value) / n_cols : 0;
    bool has_rows = n_axes > 1;
    text_put(out, has_rows ? "|   |" : "|");
    for (size_t col = 0; col < n_cols; col++) {
        text_char(out, ' ');
        put_heading(answer, n_axes - 1, col, out);
        text_put(out, " |");
    }
    text_put(out, has_rows ? "\n|---|" : "\n|");
    bool is_drawn = player_question(player)->kind == QUESTION_MASK && player->in_pane;
    text_repeat(out, is_drawn ? ":--|" : "--:|", n_cols);
    for (size_t row = 0; row < n_rows; row++) {
        text_put(out, "\n|");
        if (has_rows) {
            text_char(out, ' ');
            put_heading(answer, n_axes - 2, row % answer->value.shape[n_axes - 2], out);
            text_put(out, " |");
        }
        for (size_t col = 0; col < n_cols; col++) {
            text_char(out, ' ');
            put_cell(player, row * n_cols + col, out);
            text_put(out, " |");
        }
    }
    text_char(out, '\n');
}

static bool show_markdown(const struct player *player, const struct text *text, struct doc *out,
                          struct error *reterr)
{
    struct show_options options = settings_show_options(&player->reference.session.settings);
    if (text->failed)
        return error_memory(reterr, "a page");
    markdown_show(out, text_string(text), text->size, &options);
    return doc_check(out, reterr);
}

bool player_show_answer(struct player *player, const char *words, struct doc *out,
                        struct error *reterr)
{
    struct text text = {0}, told = {0};
    struct question_sessions sessions = player_sessions(player);
    const struct question *question = player_question(player);
    const struct text *kept = &kept_page(player)->told;
    bool ok = true;
    if (kept->size > 0)
        text_add(&told, kept->bytes, kept->size);
    else
        ok = question_tell(question, &sessions, &told, reterr) ||
             lesson_place_error(player->lesson, question->answer.line, reterr);
    bool is_list = text_string(&told)[0] == '-' && question->n_options > 0;
    text_format(&text, "%s%s%s", words,
                words[0] == '\0' ? ""
                : is_list        ? "\n\n"
                                 : " ",
                text_string(&told));
    text.failed = text.failed || told.failed;
    ok = ok && show_markdown(player, &text, out, reterr);
    text_release(&told);
    text_release(&text);
    return ok;
}

bool player_show_matrix(const struct player *player, struct doc *out, struct error *reterr)
{
    struct text text = {0};
    if (player_pane_asks(player))
        return true; /* the pane has its cells */
    write_matrix(player, &text);
    doc_end_line(out);
    bool ok = show_markdown(player, &text, out, reterr);
    text_release(&text);
    return ok;
}

/* ---- the way on ---- */

/* "scores[Hello, sun]" for the next cell. */
static void put_next_cell(const struct player *player, struct text *out)
{
    const struct question_cells *cells = &player->cells;
    size_t i = player_open_cell(player);
    if (i >= cells->n)
        return;
    assert(cells->answer != NULL);
    node_write_place(cells->answer, cells->positions[i], out);
}

/* ", without dot and softmax": the names that a formula may not use. */
static void put_without(const struct question *question, struct text *out)
{
    for (unsigned i = 0; i < question->n_without; i++)
        text_format(out, "%s%s",
                    i == 0                         ? ", without "
                    : i + 1 == question->n_without ? " and "
                                                   : ", ",
                    question->without[i].text);
}

/* A formula is often about names that have no value yet. */
static void put_how_to_try(const struct player *player, struct text *out)
{
    struct text names = {0};
    size_t n = question_list_open_names(player_question(player), &player->learner.session, &names);
    text_put(out, "Without the word answer you can try things first");
    if (n > 0 && !names.failed)
        text_format(out, "; for that, give %s %s", text_string(&names),
                    n > 1 ? "values of your own" : "a value of your own");
    text_char(out, '.');
    text_release(&names);
}

/* "[0, 1]", or "[0]" if one number is an index, as in the question's own answer. */
static const char *example_place(const struct question *question)
{
    const char *open = strchr(question->answer.text, '[');
    const char *close = open != NULL ? strchr(open, ']') : NULL;
    const char *comma = open != NULL ? strchr(open, ',') : NULL;
    return close != NULL && (comma == NULL || comma > close) ? "[0]" : "[0, 1]";
}

/* How to change one of the numbers that may change. */
static void put_change(const struct question *question, struct text *out)
{
    const char *input = question->change[0].text;
    text_format(out, "Type answer and the change, such as answer %s%s = 2.", input,
                strchr(input, '[') != NULL ? "" : example_place(question));
    if (question->most > 1)
        text_format(out, " Up to %u numbers may change, with a semicolon between them.",
                    question->most);
    text_put(out, " whatif in place of answer tries it first.");
}

void player_write_invitation(const struct player *player, struct text *out)
{
    const struct question *question = player_question(player);
    switch (question->kind) {
    case QUESTION_NUMBER:
        text_put(out, "Type the number, or answer FORMULA.");
        break;
    case QUESTION_CHOICE:
        text_put(out, "Type the number of the option that is right; where several are, all their "
                      "numbers.");
        break;
    case QUESTION_MATRIX:
        text_put(out, "Type the number for the cell ");
        put_next_cell(player, out);
        text_put(out, "; or answer with the whole matrix: answer [[...], ...].");
        break;
    case QUESTION_ORDER:
        text_put(out, "Type all the numbers in their right order, such as 2 1 3.");
        break;
    case QUESTION_FORMULA:
        text_put(out, "Type answer FORMULA");
        put_without(question, out);
        text_put(out, ". ");
        put_how_to_try(player, out);
        break;
    case QUESTION_CELL:
        text_put(out, "Type the cell as row, column, such as 0, 1, or answer with its names, such "
                      "as answer W[\"cat\", \"sun\"]; where there are several, a semicolon stands "
                      "between them.");
        break;
    case QUESTION_MASK:
        text_put(out, "Type the rows, such as 100 110 111, with a 1 for each True; or answer "
                      "FORMULA.");
        break;
    case QUESTION_CHANGE:
        put_change(question, out);
        break;
    case QUESTION_PREDICT:
        text_put(out, question->n_options > 0 ? "Guess: type the number of an option."
                                              : "Guess: type a number.");
        break;
    case QUESTION_REFLECTION:
        text_put(out, "Type your thoughts, in a sentence or more; nobody judges them.");
        break;
    case QUESTION_EXERCISE:
        text_format(
            out,
            "Solve the exercise %s in your editor: workspace makes the files, exercise %s tells "
            "what it asks for, check %s grades it. Then type next.",
            question->exercise.text, question->exercise.text, question->exercise.text);
        break;
    case QUESTION_KINDS:
        break;
    }
    if (question->n_hints > 0)
        text_put(out, player->state.n_hints < question->n_hints || question->answer.text == NULL
                          ? " Or hint, or skip."
                          : " Or hint once more for the answer, or skip.");
    else
        text_put(out, " Or skip.");
}

bool player_show_way_on(const struct player *player, struct doc *out, struct error *reterr)
{
    struct text text = {0};
    /* A pane has keys for the way on. */
    if (player_pane_asks(player) || (player->in_pane && !player_is_asking(player)))
        return doc_check(out, reterr);
    if (player_is_asking(player))
        player_write_invitation(player, &text);
    else if (player_is_offering(player))
        text_put(&text, "Type it, or anything else; next runs it.");
    else if (player->warms_up_for != NULL)
        text_format(&text, "next begins %s.", player->warms_up_for);
    else if (player->page + 1 == player->lesson->n_pages && !player->is_review)
        text_put(&text, "next ends the lesson.");
    else
        text_put(&text, "next goes on.");
    if (!text.failed) {
        if (out->n_lines > 0)
            doc_end_line(out);
        doc_wrap(out, STYLE_QUIET, text_string(&text),
                 player->reference.session.settings.width_cols, 0);
    }
    bool ok = !text.failed || error_memory(reterr, "a page");
    text_release(&text);
    return ok && doc_check(out, reterr);
}

/* ---- pages ---- */

/* A page that was left and is shown again also shows the output of its lines; *picture becomes the
 * one that they drew last, if they drew one. */
static void show_offer(const struct player *player, struct doc *out, struct page_lines *picture)
{
    const struct lesson_text *offer = &player_page(player)->offer;
    const struct code_record *lines = &kept_page(player)->offer;
    size_t width = player->reference.session.settings.width_cols;
    if (offer->text == NULL)
        return;
    doc_end_line(out);
    doc_line(out, STYLE_PLAIN, "Now you:");
    if (is_passed(player)) {
        code_record_show(lines, width, out, picture);
        return;
    }
    for (const char *row = offer->text; *row != '\0';) {
        size_t size = strcspn(row, "\n"), seen = size;
        while (seen > 0 && isspace((unsigned char)row[seen - 1]))
            seen--;
        code_show_row("    ", row, seen, width, out);
        row += size + (row[size] == '\n');
    }
}

/* A warm-up is not part of the chosen lesson: it says where it leads. */
static void show_warm_up(const struct player *player, struct doc *out)
{
    size_t width = player->reference.session.settings.width_cols;
    unsigned long number = strtoul(player->lesson->file_name, NULL, 10);
    words_show(out, STYLE_LABEL, width, "-- warm-up, from lesson %lu, %s --", number,
               player->lesson->title);
    words_show(out, STYLE_QUIET, width,
               player->in_pane
                   ? "One question, then %s begins. Skipping it is free: ^S goes on, and "
                     "nothing is shown or remembered."
                   : "One question, then %s begins. Skipping it is free: skip goes on, "
                     "and nothing is shown or remembered.",
               player->warms_up_for);
    doc_end_line(out);
}

/* A review shows a page without the pages before it: it says where the page is from. */
static void show_origin(const struct player *player, struct doc *out)
{
    const char *id = player->lesson->id;
    const struct step *step = player_page(player)->step;
    size_t width = player->reference.session.settings.width_cols;
    if (player->warms_up_for != NULL) {
        show_warm_up(player, out);
        return;
    }
    words_show(out, STYLE_LABEL, width, "-- review: %s --", player->lesson->title);
    if (step != NULL && player->in_pane)
        words_show(out, STYLE_QUIET, width, "From the step \"%s\".", step->title);
    else if (step != NULL)
        words_show(out, STYLE_QUIET, width, "From the step \"%s\"; lesson %s#%s opens it.",
                   step->title, id, step->name);
    else if (!player->in_pane) /* there the heading is enough */
        words_show(out, STYLE_QUIET, width, "lesson %s opens it.", id);
    doc_end_line(out);
}

/* Says that the question was dealt with, with the right answer when it has one. */
static bool show_done(struct player *player, struct doc *out, struct error *reterr)
{
    const struct question *question = player_question(player);
    doc_end_line(out);
    doc_line(out, player->state.right ? STYLE_GOOD : STYLE_NOTE, "%s",
             player->state.right ? "You have answered this." : "You have seen the answer.");
    if (question->answer.text == NULL || player_fills_matrix(player))
        return true;
    return player_show_answer(player, question->n_options > 0 ? "" : "It is", out, reterr);
}

/* Adds the page from its record, with the learner's progress on it. */
static bool lay_out_page(struct player *player, struct doc *out, struct page_lines *ret_picture,
                         struct error *reterr)
{
    const struct settings *settings = &player->reference.session.settings;
    player->cells = kept_page(player)->cells;
    if (player->is_review) {
        show_origin(player, out);
    } else if (!player->in_pane) {
        words_show(out, STYLE_LABEL, settings->width_cols, "-- %s, page %zu of %zu --",
                   player->lesson->title, player->page + 1, player->lesson->n_pages);
        doc_end_line(out);
    }
    unsigned look = (player_pane_asks(player) ? PAGE_WITHOUT_OPTIONS : 0) |
                    (player_is_asking(player) ? PAGE_HIDES : 0);
    if (!page_lay_out(&kept_page(player)->page, look, settings, out, ret_picture, reterr))
        return false;
    show_offer(player, out, ret_picture);
    if (player->cells.answer != NULL && !player_show_matrix(player, out, reterr))
        return false;
    if (player_question(player) != NULL && !player_is_asking(player) && !player->is_told &&
        !show_done(player, out, reterr))
        return false;
    return player_show_way_on(player, out, reterr);
}

bool player_show_page(struct player *player, struct doc *out, struct error *reterr)
{
    return bring_reference(player, reterr) && lay_out_page(player, out, &player->picture, reterr);
}

/* ---- the pages of a step below each other ---- */

/* The first page of the step. */
static size_t step_begin(const struct player *player)
{
    const struct step *step = player_page(player)->step;
    return step != NULL && !player->is_review ? step->first_page : player->page;
}

/* Whether the page, before the learner's, can be laid out from its record; its offer may be about
 * to run. */
static bool has_before(const struct player *player)
{
    const struct lesson_run *run = &player->reference;
    bool offers_still = run->reached == player->page + 1 && !run->offer_is_closed;
    return lesson_run_has(run, player->page, look_of(player)) &&
           (offers_still || lesson_run_has_offer(run, player->page));
}

/* Runs the pages of the step before this one that can't be laid out from their records, and the
 * pages after them. */
static bool take_before(struct player *player, struct error *reterr)
{
    size_t page = player->page;
    bool ok = true, runs = false;
    player->cells = (struct question_cells){0}; /* they may go */
    for (player->page = step_begin(player); ok && player->page < page; player->page++) {
        runs = runs || !has_before(player);
        ok = !runs || take_page(player, reterr);
    }
    player->page = page;
    return ok;
}

/* The pages of the step before this one, as they were left: with their answers. *ret_picture is
 * set where one of them drew the picture that the session drew last. */
static bool lay_out_before(struct player *player, struct doc *out, struct page_lines *ret_picture,
                           struct error *reterr)
{
    const struct question_state state = player->state;
    size_t page = player->page, first = step_begin(player);
    bool ok = true;
    for (size_t i = first; ok && i < page; i++) {
        struct page_lines picture = {0};
        player->page = i; /* no more than shown there: nothing happens at it */
        player_recall_question(player, out);
        ok = lay_out_page(player, out, &picture, reterr);
        doc_end_line(out);
        if (player->reference.picture_page == i + 1)
            *ret_picture = picture;
    }
    player->page = page;
    player->state = state;
    player->cells = kept_page(player)->cells;
    return ok;
}

bool player_show_step(struct player *player, struct doc *before,
                      struct page_lines *ret_before_picture, struct doc *out, struct error *reterr)
{
    struct doc_end end = doc_end_of(out), before_end = doc_end_of(before);
    *ret_before_picture = (struct page_lines){0};
    bool ok = take_before(player, reterr) && bring_reference(player, reterr) &&
              lay_out_before(player, before, ret_before_picture, reterr) &&
              lay_out_page(player, out, &player->picture, reterr);
    ok = doc_keep(before, &before_end, ok, reterr);
    return doc_keep(out, &end, ok, reterr);
}

bool player_show_option(struct player *player, size_t option, size_t width_cols, struct doc *out,
                        struct error *reterr)
{
    const struct question *question = player_question(player);
    struct doc_end end = doc_end_of(out);
    unsigned line = 0;
    if (question == NULL || option >= question->n_options)
        return error_set(reterr, ERR_NAME, "the page has no option %zu", option + 1);
    if (!player_ready_reference(player, reterr))
        return false;
    const struct lesson_text *item = &question->options[option];
    bool ok = option_show(&player->reference.session, item->text, width_cols, out, &line, reterr) ||
              lesson_place_error(player->lesson, item->line + line, reterr);
    return doc_keep(out, &end, ok, reterr);
}
