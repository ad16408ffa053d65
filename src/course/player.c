/* See player.h. */
#include "course/player.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "course/compute.h"
#include "course/page.h"
#include "files/clock.h"
#include "lang/command.h"
#include "lang/lexer.h"
#include "show/markdown.h"
#include "show/number.h"

static const char page_mark[] = "# page "; /* a line of the log: here this page begins */

/* Asking. */

const struct page *player_page(const struct player *player)
{
    return &player->lesson->pages[player->page];
}

static const struct question *question_of(const struct player *player)
{
    return player_page(player)->question;
}

bool player_is_asking(const struct player *player)
{
    return question_of(player) != NULL && !player->state.right && !player->state.told;
}

static struct question_sessions sessions_of(struct player *player)
{
    return (struct question_sessions){&player->own, &player->learner};
}

/* Remembering. What fails is told once, and the lesson goes on. */

static void tell_problem(struct player *player, bool ok, const struct error *error, struct doc *out)
{
    if (ok || player->problem_told)
        return;
    struct doc_end end = doc_end_of(out);
    doc_wrap(out, STYLE_NOTE, error->text, player->learner.settings.width_cols, 0);
    player->problem_told = !out->failed;
    if (out->failed) /* what is to be remembered happened: for want of a note it does not fail */
        doc_take_back(out, &end);
}

static void remember_page(struct player *player, struct doc *out)
{
    struct error error;
    if (player->is_review)
        return;
    bool ok = player->logged.failed
                  ? error_memory(&error, "remembering what you typed")
                  : play_turn(player->progress, &player->play, player_page(player)->name,
                              text_string(&player->logged), time(NULL), &error);
    if (ok)
        text_clear(&player->logged);
    tell_problem(player, ok, &error, out);
}

static void remember_event(struct player *player, enum event_kind kind, const char *detail,
                           unsigned number, struct doc *out)
{
    struct error error;
    int64_t now = clock_ms();
    struct event event = {
        .lesson = player->lesson->file_name,
        .question = question_of(player)->name,
        .kind = kind,
        .detail = detail,
        .number = number,
        .took_ms = now - player->shown_ms,
        .time_s = time(NULL),
        .is_unjudged = !question_is_judged(question_of(player)->kind),
        .is_review = player->is_review,
    };
    player->shown_ms = now;
    bool ok =
        progress_event(player->progress, player->is_review ? NULL : &player->play, &event, &error);
    tell_problem(player, ok, &error, out);
}

/* The sessions. */

/* "lessons/05-scaling.md:47: ...", for a fault of the lesson itself. */
static bool blame_lesson(const struct player *player, unsigned line, struct error *reterr)
{
    char text[sizeof reterr->text];
    if (reterr == NULL || reterr->kind == ERR_INTERRUPTED || reterr->kind == ERR_MEMORY)
        return false;
    snprintf(text, sizeof text, "%.200s:%u: %.250s", player->lesson->path, line, reterr->text);
    return error_set(reterr, reterr->kind, "%s", text);
}

static bool run_offer(struct player *player, struct session *session, const struct page *page,
                      struct doc *out, struct error *reterr)
{
    unsigned line = 0;
    return page->offer.text == NULL || code_run(session, &page->offer, out, &line, reterr) ||
           blame_lesson(player, line, reterr);
}

/* Runs page i of the lesson in its own session; out as in page_run(). */
static bool run_page(struct player *player, struct session *session, size_t i, struct doc *out,
                     struct error *reterr)
{
    unsigned line = 0;
    return page_run(session, &player->lesson->pages[i], out, &line, reterr) ||
           blame_lesson(player, line, reterr);
}

static void restart_own(struct player *player)
{
    struct settings settings = player->own.settings;
    const char *data_dir = player->own.data_dir;
    session_release(&player->own);
    session_init(&player->own, &settings, data_dir, player->stop);
    player->own_pages = 0;
    player->own_is_shown = false;
}

/* Runs what the page shows in the lesson's own session, which stands where the page begins. Half a
 * page is of no use: on failure the session starts anew. */
static bool show_own(struct player *player, size_t page, struct doc *out, struct error *reterr)
{
    player->own_is_shown = run_page(player, &player->own, page, out, reterr);
    if (!player->own_is_shown)
        restart_own(player);
    return player->own_is_shown;
}

/* Brings the lesson's own session to where the page begins. */
static bool lead_own(struct player *player, size_t page, struct error *reterr)
{
    if (player->own_pages > page || (player->own_pages == page && player->own_is_shown))
        restart_own(player);
    while (player->own_pages < page) {
        size_t i = player->own_pages;
        if (!player->own_is_shown && !show_own(player, i, NULL, reterr))
            return false;
        if (!run_offer(player, &player->own, &player->lesson->pages[i], NULL, reterr)) {
            restart_own(player);
            return false;
        }
        player->own_pages++;
        player->own_is_shown = false;
    }
    return true;
}

static void log_line(struct player *player, const char *line, size_t size)
{
    if (player->is_review)
        return;
    text_add(&player->logged, line, size);
    if (size == 0 || line[size - 1] != '\n')
        text_char(&player->logged, '\n');
}

/* What the lesson runs may not fit what the learner made of its names. The lesson goes on. */
static bool tell_misfit(const struct player *player, const struct error *error, struct doc *out,
                        struct error *reterr)
{
    char text[sizeof error->text + 200];
    if (error->kind == ERR_INTERRUPTED || error->kind == ERR_MEMORY)
        return error_set(reterr, error->kind, "%s", error->text);
    snprintf(text, sizeof text,
             "With your variables, what the lesson runs here does not work: %s. The page shows it "
             "with its own; lesson %s again starts it with a clean table.",
             error->text, player->lesson->id);
    doc_wrap(out, STYLE_NOTE, text, player->learner.settings.width_cols, 0);
    return true;
}

static bool is_space(char c)
{
    return isspace((unsigned char)c) != 0;
}

/* Nothing, or a comment. */
static bool says_nothing(const char *line, size_t size)
{
    size_t i = 0;
    while (i < size && is_space(line[i]))
        i++;
    return i == size || (line[i] == '#' && memchr(line + i, '\n', size - i - 1) == NULL);
}

/* A page's lines on their way into the learner's session. */
struct lead {
    struct player *player;
    size_t at; /* the line under way */
    bool told; /* that one does not fit */
    struct doc *out;
    struct error *reterr;
};

/* A line of the lesson in the learner's session. It may not touch their files. */
static bool run_as_lesson(struct player *player, const char *line, size_t size, struct doc *out,
                          struct error *reterr)
{
    bool before = player->learner.settings.no_files;
    player->learner.settings.no_files = true;
    bool ok = session_run(&player->learner, line, size, out, reterr);
    player->learner.settings.no_files = before;
    return ok;
}

static bool lead_line(void *context, const char *line, size_t size)
{
    struct lead *lead = context;
    struct player *player = lead->player;
    struct doc unseen;
    struct error error;
    if (lead->at++ < player->n_led)
        return true;
    doc_init(&unseen);
    bool ok = run_as_lesson(player, line, size, &unseen, &error);
    doc_release(&unseen);
    bool goes_on = ok || (lead->told && error.kind != ERR_INTERRUPTED && error.kind != ERR_MEMORY);
    if (!goes_on && !tell_misfit(player, &error, lead->out, lead->reterr))
        return false;
    lead->told = lead->told || !ok;
    if (ok && !says_nothing(line, size))
        log_line(player, line, size);
    player->n_led++;
    return true;
}

/* Runs the page's code in the learner's session too, where it did not yet: each line once, also
 * where a try before was interrupted. What worked is logged, and behind it that the page was
 * reached. */
static bool lead_learner(struct player *player, size_t page, struct doc *out, struct error *reterr)
{
    const struct page *now = &player->lesson->pages[page];
    struct lead lead = {.player = player, .out = out, .reterr = reterr};
    if (page < player->reached)
        return true;
    for (size_t i = 0; i < now->n_parts; i++)
        if (now->parts[i].kind != PART_PROSE &&
            !code_each_line(&now->parts[i].source, lead_line, &lead))
            return false;
    if (!player->is_review)
        text_format(&player->logged, "%s%s\n", page_mark, now->name);
    player->reached = page + 1;
    player->n_led = 0;
    player->typed = 0;
    return true;
}

/* What is offered to type. */

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

/* The lines of an offer: which were typed, which are to be run. */
struct offer {
    struct player *player;
    unsigned at; /* the line under way */
    const char *line;
    size_t size;
    bool unseen; /* what is run is not shown */
    struct doc *out;
    struct error *reterr;
};

static bool mark_typed(void *context, const char *line, size_t size)
{
    struct offer *offer = context;
    if (offer->at < 64 && same_line(line, size, offer->line, offer->size))
        offer->player->typed |= (uint64_t)1 << offer->at;
    offer->at++;
    return true;
}

static bool run_untyped(void *context, const char *line, size_t size)
{
    struct offer *offer = context;
    struct player *player = offer->player;
    unsigned at = offer->at++;
    bool typed = at < 64 && (player->typed >> at & 1) != 0;
    struct doc shown;
    struct error error;
    if (typed || says_nothing(line, size))
        return true;
    doc_init(&shown);
    bool ok = run_as_lesson(player, line, size, &shown, &error);
    if (ok) {
        log_line(player, line, size);
        player->typed |= at < 64 ? (uint64_t)1 << at : 0; /* when the page fails, not once more */
    }
    if (ok && !offer->unseen) {
        code_show(line, size, player->learner.settings.width_cols, offer->out);
        doc_append(offer->out, &shown, 0);
    }
    doc_release(&shown);
    return ok || tell_misfit(player, &error, offer->out, offer->reterr);
}

static bool was_typed(void *context, const char *line, size_t size)
{
    struct offer *offer = context;
    unsigned at = offer->at++;
    return says_nothing(line, size) || (at < 64 && (offer->player->typed >> at & 1) != 0);
}

/* The code offered on the last page that the learner reached, or NULL: on pages before it is done.
 */
static const struct lesson_text *open_offer(const struct player *player)
{
    const struct lesson_text *offer =
        player->reached > 0 ? &player->lesson->pages[player->reached - 1].offer : NULL;
    return offer != NULL && offer->text != NULL ? offer : NULL;
}

static void note_typed(struct player *player, const char *line, size_t size)
{
    struct offer offer = {.player = player, .line = line, .size = size};
    if (open_offer(player) != NULL)
        (void)code_each_line(open_offer(player), mark_typed, &offer);
}

/* True while lines that the page offers are to be typed or run. */
static bool is_offering(const struct player *player)
{
    struct offer offer = {.player = (struct player *)player};
    return player->reached == player->page + 1 && open_offer(player) != NULL &&
           !code_each_line(open_offer(player), was_typed, &offer);
}

/* Showing pages. */

void player_place(const struct player *player, struct text *out)
{
    text_format(out, "%s %zu/%zu", player->lesson->id, player->page + 1, player->lesson->n_pages);
}

/* The name of a row or column of the answer. */
static void put_position(const struct node *answer, unsigned axis, size_t at, struct text *out)
{
    const struct labels *labels = answer->labels[axis];
    if (labels != NULL)
        text_put(out, labels_name(labels, at));
    else
        text_format(out, "%zu", at);
}

static size_t open_cell(const struct player *player)
{
    size_t i = 0;
    while (i < player->cells.n && i < 64 && (player->state.cells >> i & 1) != 0)
        i++;
    return i;
}

/* The same in Markdown, where a word may be any sign: <s>, |, *. */
static void put_heading(const struct node *answer, unsigned axis, size_t at, struct text *out)
{
    struct text name = {0};
    put_position(answer, axis, at, &name);
    for (const char *c = text_string(&name); *c != '\0'; c++) {
        if (ispunct((unsigned char)*c))
            text_char(out, '\\');
        text_char(out, *c);
    }
    out->failed = out->failed || name.failed;
    text_release(&name);
}

/* The number, or a sign where it is asked for. */
static void put_cell(const struct player *player, size_t position, struct text *out)
{
    char text[NUMBER_TEXT];
    const struct question_cells *cells = &player->cells;
    size_t next = open_cell(player);
    bool shows_all = !player_is_asking(player);
    for (size_t i = 0; i < cells->n && !shows_all; i++)
        if (cells->positions[i] == position && (i >= 64 || (player->state.cells >> i & 1) == 0)) {
            text_put(out, i == next ? "[?]" : "?");
            return;
        }
    text_put(out, number_short(tensor_at_position(&cells->answer->value, position),
                               player->own.settings.digits, text));
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
    text_repeat(out, "--:|", n_cols);
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
    struct show_options options = session_show_options(&player->own);
    if (text->failed)
        return error_memory(reterr, "a page");
    markdown_show(out, text_string(text), text->size, &options);
    return doc_check(out, reterr);
}

static bool show_matrix(const struct player *player, struct doc *out, struct error *reterr)
{
    struct text text = {0};
    write_matrix(player, &text);
    doc_end_line(out);
    bool ok = show_markdown(player, &text, out, reterr);
    text_release(&text);
    return ok;
}

/* "scores[Hello, sun]" for what is asked next. */
static void put_next_cell(const struct player *player, struct text *out)
{
    const struct question_cells *cells = &player->cells;
    size_t index[TENSOR_MAX_AXES], i = open_cell(player);
    if (i >= cells->n)
        return;
    tensor_index_of(&cells->answer->value, cells->positions[i], index);
    text_char(out, '[');
    for (unsigned axis = 0; axis < cells->answer->value.n_axes; axis++) {
        text_put(out, axis > 0 ? ", " : "");
        put_position(cells->answer, axis, index[axis], out);
    }
    text_char(out, ']');
}

/* How the kind wants to be answered. */
static void write_invitation(const struct player *player, struct text *out)
{
    const struct question *question = question_of(player);
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
        text_put(out, "Type the steps' numbers in their right order, such as 2 1 3.");
        break;
    case QUESTION_FORMULA:
        text_put(out, "Type answer FORMULA. Without the word answer you can try things first.");
        break;
    case QUESTION_PREDICT:
        text_put(out, question->n_options > 0 ? "Guess: type the number of an option."
                                              : "Guess: type a number.");
        break;
    case QUESTION_REFLECTION:
        text_put(out, "Type answer and your thoughts behind it; nobody judges them.");
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

static void write_way_on(const struct player *player, struct text *out)
{
    if (player_is_asking(player))
        write_invitation(player, out);
    else if (is_offering(player))
        text_put(out, "Type it, or anything else; next runs it.");
    else if (player->page + 1 == player->lesson->n_pages)
        text_put(out, "next ends the lesson.");
    else
        text_put(out, "next goes on.");
}

static bool show_way_on(const struct player *player, struct doc *out, struct error *reterr)
{
    struct text text = {0};
    write_way_on(player, &text);
    if (!text.failed) {
        if (out->n_lines > 0)
            doc_end_line(out);
        doc_wrap(out, STYLE_QUIET, text_string(&text), player->own.settings.width_cols, 0);
    }
    bool ok = !text.failed || error_memory(reterr, "a page");
    text_release(&text);
    return ok && doc_check(out, reterr);
}

static void show_offer(const struct player *player, struct doc *out)
{
    const struct lesson_text *offer = &player_page(player)->offer;
    if (offer->text == NULL)
        return;
    doc_end_line(out);
    doc_line(out, STYLE_PLAIN, "Now you:");
    for (const char *row = offer->text; *row != '\0';) {
        size_t size = strcspn(row, "\n"), seen = size;
        while (seen > 0 && is_space(row[seen - 1]))
            seen--;
        if (seen > 0)
            doc_put(out, STYLE_PLAIN, "    ", 4);
        doc_put(out, STYLE_NAME, row, seen);
        doc_end_line(out);
        row += size + (row[size] == '\n');
    }
}

static void show_place(const struct player *player, struct doc *out)
{
    const struct lesson *lesson = player->lesson;
    size_t width = player->own.settings.width_cols;
    if (player->is_review)
        words_show(out, STYLE_LABEL, width, "-- review: %s --", lesson->title);
    else
        words_show(out, STYLE_LABEL, width, "-- %s, page %zu of %zu --", lesson->title,
                   player->page + 1, lesson->n_pages);
}

/* The question's cells, as long as the page lasts. */
static bool take_cells(struct player *player, struct error *reterr)
{
    struct question_sessions sessions = sessions_of(player);
    const struct question *question = question_of(player);
    question_cells_release(&player->cells);
    if (question == NULL || question->kind != QUESTION_MATRIX ||
        question_cells(question, &sessions, &player->cells, reterr))
        return true;
    restart_own(player);
    return blame_lesson(player, question->line, reterr);
}

/* Brings the lesson's own session to where the page was shown. It stands elsewhere when a page that
 * the learner wanted to turn to could not be shown. */
static bool ready_own(struct player *player, struct error *reterr)
{
    if (player->own_pages == player->page && player->own_is_shown)
        return true;
    return lead_own(player, player->page, reterr) && show_own(player, player->page, NULL, reterr) &&
           take_cells(player, reterr);
}

/* A question that was dealt with says so, with the right answer where there is one. */
static bool show_done(struct player *player, struct doc *out, struct error *reterr)
{
    struct text text = {0};
    struct question_sessions sessions = sessions_of(player);
    const struct question *question = question_of(player);
    doc_end_line(out);
    doc_line(out, player->state.right ? STYLE_GOOD : STYLE_NOTE, "%s",
             player->state.right ? "You have answered this." : "You have seen the answer.");
    if (question->answer.text == NULL || player->cells.answer != NULL)
        return true;
    text_put(&text, question->n_options > 0 ? "" : "It is ");
    bool ok = question_tell(question, &sessions, &text, reterr) ||
              blame_lesson(player, question->answer.line, reterr);
    ok = ok && show_markdown(player, &text, out, reterr);
    text_release(&text);
    return ok;
}

static bool show_page(struct player *player, struct doc *out, struct error *reterr)
{
    if (!lead_own(player, player->page, reterr))
        return false;
    show_place(player, out);
    doc_end_line(out);
    if (!show_own(player, player->page, out, reterr) || !take_cells(player, reterr))
        return false;
    show_offer(player, out);
    if (player->cells.answer != NULL && !show_matrix(player, out, reterr))
        return false;
    if (question_of(player) != NULL && !player_is_asking(player) && !show_done(player, out, reterr))
        return false;
    return show_way_on(player, out, reterr);
}

/* What happened at the page's question in this play before. */
static void recall_question(struct player *player, struct doc *out)
{
    struct error error;
    const struct question *question = question_of(player);
    player->state = (struct question_state){0};
    if (question == NULL || player->is_review)
        return;
    bool ok =
        play_question(player->progress, &player->play, question->name, &player->state, &error);
    tell_problem(player, ok, &error, out);
}

static bool settle_exercise(struct player *player, struct doc *out);

/* Turns to a page and shows it. */
static bool go_to(struct player *player, size_t page, struct doc *out, struct error *reterr)
{
    size_t before = player->page;
    struct question_state state = player->state;
    player->page = page;
    recall_question(player, out);
    (void)settle_exercise(player, out);
    if (!lead_learner(player, page, out, reterr) || !show_page(player, out, reterr)) {
        player->page = before;
        player->state = state;
        return false;
    }
    player->shown_ms = clock_ms();
    remember_page(player, out);
    return true;
}

/* All that is shown comes, or nothing. */
typedef bool player_move(struct player *player, const char *text, size_t size, struct doc *out,
                         struct error *reterr);

static bool make(struct player *player, player_move *move, const char *text, size_t size,
                 struct doc *out, struct error *reterr)
{
    struct doc_end end = doc_end_of(out);
    bool ok = move(player, text, size, out, reterr) && doc_check(out, reterr);
    if (!ok)
        doc_take_back(out, &end);
    return ok;
}

static bool show_move(struct player *player, const char *text, size_t size, struct doc *out,
                      struct error *reterr)
{
    (void)text;
    (void)size;
    return show_page(player, out, reterr);
}

bool player_show(struct player *player, struct doc *out, struct error *reterr)
{
    return make(player, show_move, NULL, 0, out, reterr);
}

/* Turning pages. */

struct tally {
    const struct lesson *lesson;
    unsigned n_alone, n_helped, n_told;
};

static bool tally_one(void *context, const struct question_record *record)
{
    struct tally *tally = context;
    size_t page = lesson_page(tally->lesson, record->question);
    const struct question *question =
        page < tally->lesson->n_pages ? tally->lesson->pages[page].question : NULL;
    if (question == NULL || !question_is_judged(question->kind))
        return true; /* the lesson has it no more, or there is no right and wrong */
    if (record->mark == MARK_ALONE)
        tally->n_alone++;
    else if (record->mark == MARK_HELPED)
        tally->n_helped++;
    else if (record->mark == MARK_TOLD)
        tally->n_told++;
    return true;
}

/* Questions that have a right answer. */
static unsigned count_judged(const struct lesson *lesson)
{
    unsigned n = 0;
    for (size_t i = 0; i < lesson->n_pages; i++)
        n += lesson->pages[i].question != NULL &&
             question_is_judged(lesson->pages[i].question->kind);
    return n;
}

static bool show_end(struct player *player, struct doc *out, struct error *reterr)
{
    const struct lesson *lesson = player->lesson;
    struct tally tally = {.lesson = lesson};
    struct error error;
    size_t width = player->own.settings.width_cols;
    words_show(out, STYLE_GOOD, width, "You are through %s.", lesson->title);
    bool ok = progress_questions(player->progress, lesson->file_name, tally_one, &tally, &error);
    tell_problem(player, ok, &error, out);
    unsigned n_dealt_with = tally.n_alone + tally.n_helped + tally.n_told;
    if (n_dealt_with > 0)
        words_show(out, STYLE_PLAIN, width,
                   "%u questions: %u right at once, %u with help, %u told or skipped, %u open.",
                   count_judged(lesson), tally.n_alone, tally.n_helped, tally.n_told,
                   count_judged(lesson) - n_dealt_with);
    doc_line(out, STYLE_PLAIN, "You can now");
    for (unsigned i = 0; i < lesson->n_objectives; i++) {
        doc_add(out, STYLE_PLAIN, "  - ");
        struct doc item;
        doc_init(&item);
        doc_wrap(&item, STYLE_PLAIN, lesson->objectives[i].text, width > 4 ? width - 4 : 1, 0);
        for (size_t k = 0; k < item.n_lines; k++) {
            const struct span *span;
            size_t n = doc_line_spans(&item, k, &span);
            if (k > 0)
                doc_put(out, STYLE_PLAIN, "    ", 4);
            for (size_t s = 0; s < n; s++)
                doc_put(out, STYLE_PLAIN, item.text.bytes + span[s].begin,
                        span[s].end - span[s].begin);
            doc_end_line(out);
        }
        doc_release(&item);
    }
    return doc_check(out, reterr);
}

static bool end_lesson(struct player *player, struct doc *out, struct error *reterr)
{
    struct error error;
    if (!player->is_review) {
        if (!show_end(player, out, reterr))
            return false;
        bool ok = play_finish(player->progress, &player->play, time(NULL), &error);
        tell_problem(player, ok, &error, out);
    }
    player->finished = true;
    return true;
}

/* Runs what the page offers and was not typed. */
static bool leave_offer(struct player *player, struct doc *out, struct error *reterr)
{
    struct offer offer = {.player = player, .out = out, .reterr = reterr};
    if (!code_each_line(open_offer(player), run_untyped, &offer))
        return false;
    player->typed = UINT64_MAX; /* what does not work with the learner's variables is not asked for
                                 * again */
    remember_page(player, out);
    return true;
}

static bool turn(struct player *player, struct doc *out, struct error *reterr)
{
    if (player->finished)
        return error_set(reterr, ERR_NAME, "next: the lesson is over; lesson opens another");
    if (is_offering(player)) /* what it gives is looked at before the page is turned */
        return leave_offer(player, out, reterr) && show_way_on(player, out, reterr);
    if (player->is_review || player->page + 1 == player->lesson->n_pages)
        return end_lesson(player, out, reterr);
    return go_to(player, player->page + 1, out, reterr);
}

static bool next_move(struct player *player, const char *text, size_t size, struct doc *out,
                      struct error *reterr)
{
    (void)text;
    (void)size;
    if (settle_exercise(player, out))
        doc_end_line(out);
    if (!player->finished && player_is_asking(player))
        return error_set(reterr, ERR_NAME, "next: %s; or type skip",
                         question_of(player)->kind == QUESTION_EXERCISE
                             ? "the exercise is not solved yet"
                             : "the question waits for an answer, or type hint");
    return turn(player, out, reterr);
}

bool player_next(struct player *player, struct doc *out, struct error *reterr)
{
    return make(player, next_move, NULL, 0, out, reterr);
}

static bool back_move(struct player *player, const char *text, size_t size, struct doc *out,
                      struct error *reterr)
{
    (void)text;
    (void)size;
    if (player->is_review || (player->page == 0 && !player->finished))
        return error_set(reterr, ERR_NAME, "back: this is the first page");
    if (!go_to(player, player->finished ? player->page : player->page - 1, out, reterr))
        return false;
    player->finished = false;
    return true;
}

bool player_back(struct player *player, struct doc *out, struct error *reterr)
{
    return make(player, back_move, NULL, 0, out, reterr);
}

/* What the last page offers, for a learner who comes by without seeing it. */
static bool pass_offer(struct player *player, struct doc *out, struct error *reterr)
{
    struct offer offer = {.player = player, .unseen = true, .out = out, .reterr = reterr};
    return open_offer(player) == NULL || code_each_line(open_offer(player), run_untyped, &offer);
}

static bool jump_move(struct player *player, const char *name, size_t size, struct doc *out,
                      struct error *reterr)
{
    (void)size;
    const struct step *step = lesson_step(player->lesson, name);
    if (step == NULL || step->first_page >= player->lesson->n_pages)
        return error_set(reterr, ERR_NAME, "lesson %s: it has no step called %.60s",
                         player->lesson->id, name);
    for (size_t i = player->reached > 0 ? player->reached - 1 : 0; i < step->first_page; i++)
        if (!lead_learner(player, i, out, reterr) ||
            (i + 1 == player->reached && !pass_offer(player, out, reterr)))
            return false;
    if (!go_to(player, step->first_page, out, reterr))
        return false;
    player->finished = false;
    return true;
}

bool player_jump(struct player *player, const char *step, struct doc *out, struct error *reterr)
{
    return make(player, jump_move, step, strlen(step), out, reterr);
}

/* Questions. */

/* Adds a text of the question's as Markdown. */
static bool say(struct player *player, const struct lesson_text *text, struct doc *out,
                struct error *reterr)
{
    unsigned line = 0;
    return text->text == NULL || prose_show(&player->own, text->text, out, &line, reterr) ||
           blame_lesson(player, text->line + line, reterr);
}

static bool show_right(struct player *player, const char *words, struct doc *out,
                       struct error *reterr)
{
    doc_line(out, STYLE_GOOD, "%s %s", player->own.settings.ascii ? "ok" : "\xE2\x9C\x93", words);
    const struct lesson_text *because = &question_of(player)->because;
    if (player->cells.answer != NULL && !show_matrix(player, out, reterr))
        return false;
    if (player->cells.answer != NULL && because->text != NULL)
        doc_end_line(out);
    return say(player, because, out, reterr) && show_way_on(player, out, reterr);
}

static bool show_wrong(struct player *player, const struct judged *judged, struct doc *out,
                       struct error *reterr)
{
    doc_add(out, STYLE_BAD, "%s ", player->own.settings.ascii ? "x" : "\xE2\x9C\x97");
    doc_put(out, STYLE_BAD, "Not yet.", 8);
    doc_end_line(out);
    if (judged->foreseen != NULL && !say(player, &judged->foreseen->say, out, reterr))
        return false;
    if (judged->foreseen == NULL && judged->note[0] != '\0')
        doc_wrap(out, STYLE_PLAIN, judged->note, player->own.settings.width_cols, 0);
    return show_way_on(player, out, reterr);
}

static unsigned number_of(const struct player *player, const struct judged *judged)
{
    const struct question *question = question_of(player);
    return judged->foreseen != NULL ? (unsigned)(judged->foreseen - question->wrong) + 1 : 0;
}

/* What is said about an answer is put together first, then the answer is remembered, then it is
 * shown: what fails did not happen, and who sees "right" can close the terminal. */
static bool settle(struct player *player, const struct judged *judged, const char *typed,
                   struct doc *out, struct error *reterr)
{
    if (judged->is_unfinished) {
        doc_wrap(out, STYLE_NOTE, judged->note, player->own.settings.width_cols, 0);
        return show_way_on(player, out, reterr); /* nothing counts */
    }
    if (!judged->right) {
        player->state.n_wrong++;
        if (!show_wrong(player, judged, out, reterr))
            return false;
        remember_event(player, EVENT_WRONG, typed, number_of(player, judged), out);
        return true;
    }
    player->state.right = true;
    bool alone = player->state.n_wrong == 0 && player->state.n_hints == 0;
    if (!show_right(player, alone ? "Right, at once." : "Right.", out, reterr))
        return false;
    remember_event(player, EVENT_RIGHT, typed, 0, out);
    return true;
}

static bool fill_cell(struct player *player, size_t i, const struct judged *judged,
                      const char *typed, struct doc *out, struct error *reterr)
{
    if (!judged->right)
        return settle(player, judged, typed, out, reterr);
    player->state.cells |= (uint64_t)1 << i;
    if (open_cell(player) >= player->cells.n)
        return settle(player, judged, typed, out, reterr);
    doc_line(out, STYLE_GOOD, "%s Right.", player->own.settings.ascii ? "ok" : "\xE2\x9C\x93");
    if (!show_matrix(player, out, reterr) || !show_way_on(player, out, reterr))
        return false;
    remember_event(player, EVENT_CELL, typed, (unsigned)i, out);
    return true;
}

/* Whether typed gives a single number: an answer for the next cell. What can't be read gives none.
 */
static bool find_single(struct player *player, const char *typed, bool *ret, struct error *reterr)
{
    struct value value;
    struct error error;
    *ret = false;
    if (!session_peek(&player->learner, NULL, typed, &value, &error))
        return (error.kind != ERR_INTERRUPTED && error.kind != ERR_MEMORY) ||
               error_set(reterr, error.kind, "%s", error.text);
    *ret = value.kind == VALUE_NODE && tensor_size(&value.as.node->value) == 1;
    value_release(&value);
    return true;
}

static bool answer_judged(struct player *player, const char *typed, struct doc *out,
                          struct error *reterr)
{
    struct judged judged;
    struct question_sessions sessions = sessions_of(player);
    const struct question *question = question_of(player);
    size_t cell = open_cell(player);
    bool single = false;
    if (question->kind == QUESTION_MATRIX && cell < player->cells.n &&
        !find_single(player, typed, &single, reterr))
        return false;
    if (single)
        return question_judge_cell(question, &sessions, &player->cells, cell, typed, &judged,
                                   reterr) &&
               fill_cell(player, cell, &judged, typed, out, reterr);
    return question_judge(question, &sessions, typed, &judged, reterr) &&
           settle(player, &judged, typed, out, reterr);
}

static bool tell_answer(struct player *player, const char *words, struct doc *out,
                        struct error *reterr)
{
    struct text text = {0};
    struct question_sessions sessions = sessions_of(player);
    const struct question *question = question_of(player);
    bool ok = true;
    if (player->cells.answer == NULL) {
        text_put(&text, words);
        text_put(&text, question->n_options > 0 ? "\n\n" : " ");
        ok = question_tell(question, &sessions, &text, reterr) ||
             blame_lesson(player, question->answer.line, reterr);
        ok = ok && show_markdown(player, &text, out, reterr);
    } else {
        ok = show_matrix(player, out, reterr);
    }
    text_release(&text);
    if (ok && question->because.text != NULL)
        doc_end_line(out);
    return ok && say(player, &question->because, out, reterr) && show_way_on(player, out, reterr);
}

static bool answer_guess(struct player *player, const char *typed, struct doc *out,
                         struct error *reterr)
{
    struct question_sessions sessions = sessions_of(player);
    char words[160], quoted[100];
    if (!question_check_guess(question_of(player), &sessions, typed, reterr))
        return false;
    player->state.right = true;
    bool is_plain = typed[strspn(typed, "0123456789.-+, ")] == '\0';
    const char *sign = is_plain ? "" : "`"; /* Markdown would take the * of a formula */
    error_quote(quoted, sizeof quoted, typed, strlen(typed));
    snprintf(words, sizeof words, "You guessed %s%s%s. It is", sign, quoted, sign);
    if (!tell_answer(player, words, out, reterr))
        return false;
    remember_event(player, EVENT_GUESS, typed, 0, out);
    return true;
}

static bool answer_reflection(struct player *player, const char *typed, struct doc *out,
                              struct error *reterr)
{
    player->state.right = true;
    doc_line(out, STYLE_GOOD, "%s Kept, for you alone.",
             player->own.settings.ascii ? "ok" : "\xE2\x9C\x93");
    if (!say(player, &question_of(player)->because, out, reterr) ||
        !show_way_on(player, out, reterr))
        return false;
    remember_event(player, EVENT_REFLECTION, typed, 0, out);
    return true;
}

/* True when the page asks for an exercise that by now is solved, which then counts. */
static bool settle_exercise(struct player *player, struct doc *out)
{
    struct exercise_progress done = {0};
    struct error error;
    const struct question *question = question_of(player);
    if (!player_is_asking(player) || question->kind != QUESTION_EXERCISE)
        return false;
    bool ok = progress_exercise(player->progress, question->exercise.text, &done, &error);
    tell_problem(player, ok, &error, out);
    if (!ok || !done.passed)
        return false;
    player->state.right = true;
    remember_event(player, EVENT_RIGHT, "", 0, out);
    words_show(out, STYLE_GOOD, player->own.settings.width_cols, "%s You have solved %s.",
               player->own.settings.ascii ? "ok" : "\xE2\x9C\x93", question->exercise.text);
    return true;
}

static bool answer_exercise(struct player *player, struct doc *out, struct error *reterr)
{
    if (!settle_exercise(player, out))
        return error_set(reterr, ERR_NAME, "answer: %s is not solved yet; check %s grades it",
                         question_of(player)->exercise.text, question_of(player)->exercise.text);
    return show_way_on(player, out, reterr);
}

/* Without the blanks around it; the caller frees it. */
static char *trimmed(const char *text, size_t size, size_t *ret_begin)
{
    size_t begin = 0;
    while (begin < size && is_space(text[begin]))
        begin++;
    while (size > begin && is_space(text[size - 1]))
        size--;
    char *copy = malloc(size - begin + 1);
    if (copy != NULL) {
        memcpy(copy, text + begin, size - begin);
        copy[size - begin] = '\0';
    }
    *ret_begin = begin;
    return copy;
}

/* Says how the question wants to be answered. */
static bool no_answer(const struct player *player, struct error *reterr)
{
    struct text text = {0};
    write_invitation(player, &text);
    error_set(reterr, ERR_SYNTAX, "answer: your answer goes behind it. %s", text_string(&text));
    text_release(&text);
    return false;
}

static bool answer_any(struct player *player, const char *typed, struct doc *out,
                       struct error *reterr)
{
    if (!player_is_asking(player))
        return error_set(reterr, ERR_NAME, "answer: nothing is asked here; next goes on");
    enum question_kind kind = question_of(player)->kind;
    if (kind == QUESTION_EXERCISE)
        return answer_exercise(player, out, reterr);
    if (typed[0] == '\0')
        return no_answer(player, reterr);
    if (!ready_own(player, reterr))
        return false;
    if (kind == QUESTION_REFLECTION)
        return answer_reflection(player, typed, out, reterr);
    if (kind == QUESTION_PREDICT)
        return answer_guess(player, typed, out, reterr);
    return answer_judged(player, typed, out, reterr);
}

static bool answer_move(struct player *player, const char *text, size_t size, struct doc *out,
                        struct error *reterr)
{
    size_t begin;
    char *typed = trimmed(text, size, &begin);
    if (typed == NULL)
        return error_memory(reterr, "an answer");
    struct question_state before = player->state;
    size_t colon = typed[0] == ':' ? 1 + strspn(typed + 1, " ") : 0; /* "answer: 7" */
    begin += colon;
    bool ok = answer_any(player, typed + colon, out, reterr);
    if (!ok)
        player->state = before;
    if (!ok && reterr != NULL && reterr->end > reterr->begin) {
        reterr->begin += begin;
        reterr->end += begin;
    }
    free(typed);
    return ok;
}

bool player_answer(struct player *player, const char *text, struct doc *out, struct error *reterr)
{
    return make(player, answer_move, text, strlen(text), out, reterr);
}

static bool work_out(struct player *player, struct doc *out, struct error *reterr)
{
    player->state.told = true;
    if (!tell_answer(player, "The answer:", out, reterr))
        return false;
    remember_event(player, EVENT_WORKED, "", 0, out);
    return true;
}

static bool give_hint(struct player *player, struct doc *out, struct error *reterr)
{
    const struct question *question = question_of(player);
    if (player->state.n_hints >= question->n_hints)
        return work_out(player, out, reterr);
    unsigned hint = player->state.n_hints++;
    doc_line(out, STYLE_TITLE, "Hint %u of %u", hint + 1, question->n_hints);
    if (!say(player, &question->hints[hint], out, reterr) || !show_way_on(player, out, reterr))
        return false;
    remember_event(player, EVENT_HINT, "", hint + 1, out);
    return true;
}

static bool hint_move(struct player *player, const char *text, size_t size, struct doc *out,
                      struct error *reterr)
{
    const struct question *question = question_of(player);
    (void)text;
    (void)size;
    if (!player_is_asking(player))
        return error_set(reterr, ERR_NAME, "hint: nothing is asked here; next goes on");
    if (question->n_hints == 0)
        return error_set(reterr, ERR_NAME, "hint: there is none here%s",
                         question->kind == QUESTION_EXERCISE ? "; attn hint gives the exercise's"
                                                             : "; any answer will do");
    bool has_answer = question->answer.text != NULL;
    if (player->state.n_hints >= question->n_hints && !has_answer)
        return error_set(reterr, ERR_NAME, "hint: that was the last one%s",
                         question->kind == QUESTION_EXERCISE ? "; attn hint gives the exercise's"
                                                             : "");
    struct question_state before = player->state;
    bool ok = ready_own(player, reterr) && give_hint(player, out, reterr);
    if (!ok)
        player->state = before;
    return ok;
}

bool player_hint(struct player *player, struct doc *out, struct error *reterr)
{
    return make(player, hint_move, NULL, 0, out, reterr);
}

static bool skip_move(struct player *player, const char *text, size_t size, struct doc *out,
                      struct error *reterr)
{
    (void)text;
    (void)size;
    struct question_state before = player->state;
    if (!player->finished && player_is_asking(player)) {
        player->state.told = true; /* behind the last page it is asked no more */
        remember_event(player, EVENT_SKIPPED, "", 0, out);
    }
    if (turn(player, out, reterr))
        return true;
    player->state = before;
    return false;
}

bool player_skip(struct player *player, struct doc *out, struct error *reterr)
{
    return make(player, skip_move, NULL, 0, out, reterr);
}

/* Lines at the prompt. */

/* Only digits and what stands between them. */
static bool is_list_of_options(const char *line, size_t size)
{
    bool has_digit = false;
    for (size_t i = 0; i < size; i++) {
        if (isdigit((unsigned char)line[i]))
            has_digit = true;
        else if (strchr(",) \t\r\n", line[i]) == NULL)
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
        return false; /* hexadecimal, which the language has not */
    (void)strtod(copy, &end);
    return end > copy && end[strspn(end, " \t\r\n")] == '\0';
}

static bool is_bare_answer(const struct player *player, const char *line, size_t size)
{
    if (player->finished || !player_is_asking(player) || memchr(line, '\0', size) != NULL)
        return false;
    const struct question *question = question_of(player);
    switch (question->kind) {
    case QUESTION_NUMBER:
    case QUESTION_MATRIX:
        return is_number(line, size);
    case QUESTION_CHOICE:
    case QUESTION_ORDER:
        return is_list_of_options(line, size);
    case QUESTION_PREDICT:
        return question->n_options > 0 ? is_list_of_options(line, size) : is_number(line, size);
    default:
        return false;
    }
}

/* Logs what a line that worked changed; a lone reset says itself. */
static void log_typed(struct player *player, const char *line, size_t size, size_t script_before)
{
    const struct text *script = &player->learner.script;
    size_t begin = player->learner.forgets_script ? 0 : script_before;
    if (script->size > begin)
        log_line(player, script->bytes + begin, script->size - begin);
    else if (player->learner.forgets_script)
        log_line(player, line, size);
}

static bool is_command(const char *line, size_t size)
{
    size_t begin = 0, end;
    while (begin < size && is_space(line[begin]))
        begin++;
    for (end = begin; end < size && isalpha((unsigned char)line[end]);)
        end++;
    return command_find(line + begin, end - begin) != NULL;
}

/* An expression that could have been meant as an answer was only tried: that is said once a page.
 */
static void show_untried(struct player *player, const char *line, size_t size, struct doc *out)
{
    const struct question *question = player->finished ? NULL : question_of(player);
    if (question == NULL || !player_is_asking(player) || !question_is_judged(question->kind) ||
        player->untried_page == player->page + 1 || out->n_lines == 0 || says_nothing(line, size) ||
        memchr(line, '=', size) != NULL || is_command(line, size))
        return;
    player->untried_page = player->page + 1;
    words_show(out, STYLE_QUIET, player->learner.settings.width_cols,
               "(tried, not judged: answer in front of it makes it your answer)");
}

static bool run_move(struct player *player, const char *line, size_t size, struct doc *out,
                     struct error *reterr)
{
    size_t script = player->learner.script.size;
    if (!session_run(&player->learner, line, size, out, reterr))
        return false;
    log_typed(player, line, size, script);
    bool was_offering = is_offering(player);
    note_typed(player, line, size);
    if (was_offering && !is_offering(player) && !show_way_on(player, out, reterr))
        return false;
    show_untried(player, line, size, out);
    if (player->logged.size > 0 && !player->finished)
        remember_page(player, out);
    return true;
}

bool player_line(struct player *player, const char *line, size_t size, struct doc *out,
                 struct error *reterr)
{
    return make(player, is_bare_answer(player, line, size) ? answer_move : run_move, line, size,
                out, reterr);
}

/* Opening. */

static struct player *new_player(struct lesson *lesson, struct progress *progress,
                                 const struct settings *settings, const char *data_dir,
                                 const volatile sig_atomic_t *stop)
{
    struct player *player = calloc(1, sizeof *player);
    if (player == NULL) {
        lesson_free(lesson);
        return NULL;
    }
    struct settings own = *settings;
    own.echo = true;
    own.no_files = true;
    player->lesson = lesson;
    player->progress = progress;
    player->stop = stop;
    player->shown_ms = clock_ms();
    session_init(&player->own, &own, data_dir, stop);
    session_init(&player->learner, settings, data_dir, stop);
    player->problem_told = progress_problem(progress) != NULL;
    return player;
}

void player_close(struct player *player)
{
    if (player == NULL)
        return;
    question_cells_release(&player->cells);
    session_release(&player->own);
    session_release(&player->learner);
    text_release(&player->logged);
    lesson_free(player->lesson);
    free(player);
}

/* A page's mark in the log: its code was run. */
static void pass_mark(struct player *player, const char *line, size_t size)
{
    char name[PLAY_PAGE_BYTES];
    size_t mark = sizeof page_mark - 1;
    while (size > 0 && is_space(line[size - 1]))
        size--;
    if (size <= mark || size - mark >= sizeof name || memcmp(line, page_mark, mark) != 0)
        return;
    memcpy(name, line + mark, size - mark);
    name[size - mark] = '\0';
    size_t page = lesson_page(player->lesson, name);
    if (page < player->lesson->n_pages && page >= player->reached) {
        player->reached = page + 1;
        player->typed = 0;
    }
}

/* Runs the lines that made the learner's session. One that does not work any more (a file that is
 * gone) is told, and the others run. */
static bool replay(struct player *player, const struct text *lines, struct doc *out,
                   struct error *reterr)
{
    struct doc shown;
    struct error error = {0};
    bool ok = true, open;
    unsigned n_failed = 0;
    doc_init(&shown);
    player->learner.settings.no_saves = true;
    for (size_t at = 0, length; ok && at < lines->size; at += length) {
        length = lexer_line(lines->bytes + at, lines->size - at, &open);
        pass_mark(player, lines->bytes + at, length);
        if (session_run(&player->learner, lines->bytes + at, length, &shown, &error)) {
            note_typed(player, lines->bytes + at, length);
        } else {
            ok = error.kind != ERR_INTERRUPTED && error.kind != ERR_MEMORY;
            n_failed++;
        }
        doc_clear(&shown);
    }
    player->learner.settings.no_saves = false;
    doc_release(&shown);
    if (!ok)
        return error_set(reterr, error.kind, "%s", error.text);
    if (n_failed > 0)
        words_show(out, STYLE_NOTE, player->learner.settings.width_cols,
                   "%u of the lines you typed before %s not work any more: %s", n_failed,
                   n_failed == 1 ? "does" : "do", error.text);
    return true;
}

static bool begin_move(struct player *player, const char *text, size_t size, struct doc *out,
                       struct error *reterr)
{
    struct error error;
    (void)text;
    (void)size;
    bool ok =
        play_begin(player->progress, player->lesson->file_name, time(NULL), &player->play, &error);
    tell_problem(player, ok, &error, out);
    return go_to(player, 0, out, reterr);
}

/* Where the last play stopped, or from the start. */
static bool resume_move(struct player *player, const char *text, size_t size, struct doc *out,
                        struct error *reterr)
{
    char name[PLAY_PAGE_BYTES] = "";
    struct text lines = {0};
    struct error error;
    bool found = false;
    bool ok = play_resume(player->progress, player->lesson->file_name, time(NULL), &player->play,
                          name, &lines, &found, &error);
    tell_problem(player, ok, &error, out);
    size_t page = lesson_page(player->lesson, name);
    if (!found) {
        ok = begin_move(player, text, size, out, reterr);
    } else {
        ok = replay(player, &lines, out, reterr);
        bool is_gone = page == player->lesson->n_pages;
        if (is_gone)
            page = player->reached > 0 ? player->reached - 1 : 0;
        if (ok && is_gone && name[0] != '\0')
            words_show(out, STYLE_NOTE, player->learner.settings.width_cols,
                       "The page where you stopped is gone, since the lesson was changed; this is "
                       "the nearest.");
        for (size_t i = player->reached; ok && i < page; i++) /* pages that are new */
            ok = lead_learner(player, i, out, reterr) && pass_offer(player, out, reterr);
        ok = ok && go_to(player, page, out, reterr);
    }
    text_release(&lines);
    return ok;
}

bool player_open(struct lesson *lesson, struct progress *progress, const struct settings *settings,
                 const char *data_dir, const volatile sig_atomic_t *stop, bool from_start,
                 struct player **ret, struct doc *out, struct error *reterr)
{
    struct player *player = new_player(lesson, progress, settings, data_dir, stop);
    if (player == NULL)
        return error_memory(reterr, "a lesson");
    bool ok = make(player, from_start ? begin_move : resume_move, NULL, 0, out, reterr);
    if (ok)
        *ret = player;
    else
        player_close(player);
    return ok;
}

static bool review_move(struct player *player, const char *name, size_t size, struct doc *out,
                        struct error *reterr)
{
    const struct lesson *lesson = player->lesson;
    size_t page = lesson_page(lesson, name);
    unsigned line = 0;
    (void)size;
    if (page == lesson->n_pages || lesson->pages[page].question == NULL)
        return error_set(reterr, ERR_NAME, "%s: the lesson has no question %s any more",
                         lesson->title, name);
    for (size_t i = 0; i < page; i++) {
        if (!page_run(&player->learner, &lesson->pages[i], NULL, &line, reterr))
            return blame_lesson(player, line, reterr);
        if (!run_offer(player, &player->learner, &lesson->pages[i], NULL, reterr))
            return false;
    }
    player->reached = page;
    return go_to(player, page, out, reterr);
}

bool player_review(struct lesson *lesson, const char *question, struct progress *progress,
                   const struct settings *settings, const char *data_dir,
                   const volatile sig_atomic_t *stop, struct player **ret, struct doc *out,
                   struct error *reterr)
{
    struct player *player = new_player(lesson, progress, settings, data_dir, stop);
    if (player == NULL)
        return error_memory(reterr, "a review");
    player->is_review = true;
    bool ok = make(player, review_move, question, strlen(question), out, reterr);
    if (ok)
        *ret = player;
    else
        player_close(player);
    return ok;
}
