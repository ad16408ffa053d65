/* The page, and what keys ask for. See lesson_pane_internal.h. */
#include "ui/panes/lesson/lesson_pane_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "course/lesson/page.h"

void lesson_pane_init(struct lesson_pane *pane, struct tutor *tutor)
{
    pane->tutor = tutor;
    pane->due_ms = -1;
    doc_init(&pane->page);
    doc_init(&pane->step);
    doc_init(&pane->above);
    doc_init(&pane->added);
    doc_init(&pane->says);
}

void lesson_pane_release(void *state)
{
    struct lesson_pane *pane = state;
    doc_release(&pane->page);
    doc_release(&pane->step);
    doc_release(&pane->above);
    doc_release(&pane->added);
    doc_release(&pane->says);
    lesson_pane_release_options(pane);
    question_inputs_release(&pane->inputs);
    completions_release(&pane->choices);
    text_release(&pane->pasted);
    pane_request_release(&pane->request);
}

/* ---- what is asked ---- */

const struct question *lesson_pane_question(const struct lesson_pane *pane)
{
    const struct player *player = pane->tutor->player;
    return player != NULL && !player->finished && player_is_asking(player)
               ? player_page(player)->question
               : NULL;
}

enum lesson_pane_ask lesson_pane_ask(const struct lesson_pane *pane)
{
    const struct question *question = lesson_pane_question(pane);
    if (question == NULL) {
        bool takes_line = pane->ask == LESSON_PANE_ASKS_LINE && !lesson_pane_is_over(pane) &&
                          player_invites_lines(pane->tutor->player);
        return takes_line ? LESSON_PANE_ASKS_LINE : LESSON_PANE_ASKS_NOTHING;
    }
    /* A page that could not be laid out has no matrix. */
    bool lacks = question_has_matrix(question->kind) && pane->tutor->player->cells.answer == NULL;
    return lacks ? LESSON_PANE_ASKS_NOTHING : pane->ask;
}

const char *lesson_pane_asked_exercise(const struct lesson_pane *pane)
{
    const struct question *question = lesson_pane_question(pane);
    if (question == NULL || question->kind != QUESTION_EXERCISE ||
        progress_is_solved(pane->tutor->progress, question->exercise.text))
        return NULL;
    return question->exercise.text;
}

bool lesson_pane_has_options(const struct lesson_pane *pane)
{
    return pane->n_options > 0;
}

bool lesson_pane_has_field(const struct lesson_pane *pane)
{
    enum lesson_pane_ask ask = lesson_pane_ask(pane);
    return ask == LESSON_PANE_ASKS_NUMBER || ask == LESSON_PANE_ASKS_TEXT ||
           ask == LESSON_PANE_ASKS_LINE;
}

const char *lesson_pane_field_label(const struct lesson_pane *pane)
{
    return lesson_pane_ask(pane) == LESSON_PANE_ASKS_LINE ? "your line: " : "your answer: ";
}

bool lesson_pane_has_table(const struct lesson_pane *pane)
{
    enum lesson_pane_ask ask = lesson_pane_ask(pane);
    return ask == LESSON_PANE_ASKS_CELLS || ask == LESSON_PANE_ASKS_CHANGE ||
           lesson_pane_has_points(pane);
}

bool lesson_pane_has_option_cursor(const struct lesson_pane *pane)
{
    enum lesson_pane_ask ask = lesson_pane_ask(pane);
    return ask != LESSON_PANE_ASKS_NOTHING && lesson_pane_has_options(pane) &&
           (pane->touched || ask == LESSON_PANE_ASKS_ORDER);
}

bool lesson_pane_is_over(const struct lesson_pane *pane)
{
    return pane->tutor->player == NULL || pane->tutor->player->finished;
}

const struct course_entry *lesson_pane_next_lesson(const struct lesson_pane *pane)
{
    const struct player *player = pane->tutor->player;
    const struct course *course = &pane->tutor->course;
    if (player == NULL || !player->finished || player->is_review ||
        course_entry_of(course, player->lesson->id) == NULL)
        return NULL;
    return course_next(course, player->lesson->id);
}

/* ---- the page ---- */

/* What tells one page, with what happened on it, from another. */
static void put_place(const struct lesson_pane *pane, char *place, size_t size)
{
    const struct player *player = pane->tutor->player;
    place[0] = '\0';
    if (!lesson_pane_is_over(pane) && player_invites_lines(player))
        snprintf(place, size, "%s/%s", player->lesson->id, player_page(player)->name);
    if (lesson_pane_question(pane) != NULL)
        snprintf(place, size, "%s/%s %d %u %u", player->lesson->id, player_page(player)->name,
                 player->is_review, player->state.n_wrong, player->state.n_hints);
}

static bool show_page(struct lesson_pane *pane, struct doc *step, struct page_lines *step_picture,
                      struct doc *page, struct error *reterr)
{
    struct player *player = pane->tutor->player;
    if (lesson_pane_is_over(pane))
        return true;
    player->in_pane = true;
    player->reference.session.settings.output_cols = lesson_pane_output_cols(pane);
    tutor_set_width(pane->tutor, lesson_pane_text_cols(pane));
    return pane->shows_step ? player_show_step(player, step, step_picture, page, reterr)
                            : player_show(player, page, reterr);
}

static void forget_sayings(struct lesson_pane *pane)
{
    doc_clear(&pane->says);
    doc_clear(&pane->added);
    pane->added_picture = (struct page_lines){0};
    pane->news = LESSON_PANE_NO_NEWS;
    pane->news_line = 0;
    pane->waits = false;
    pane->given[0] = '\0';
}

/* What the page before gave when its lines were run goes above the next page. */
static void keep_above(struct lesson_pane *pane)
{
    const struct player *player = pane->tutor->player;
    bool is_same = pane->tutor->n_opened == pane->n_opened && !lesson_pane_is_over(pane);
    if (is_same && player->page == pane->page_at)
        return;
    doc_clear(&pane->above);
    pane->above_picture = (struct page_lines){0};
    const struct page *pages = is_same ? player->lesson->pages : NULL;
    bool is_seen = is_same && pane->shows_step && /* among the pages of the step */
                   pages[player->page].step == pages[pane->page_at].step;
    if (is_same && player->page == pane->page_at + 1 && !is_seen &&
        pages[pane->page_at].offer.text != NULL) {
        doc_append(&pane->above, &pane->added, 0);
        pane->above_picture = pane->added_picture;
    }
    pane->n_opened = pane->tutor->n_opened;
    pane->page_at = lesson_pane_is_over(pane) ? 0 : player->page;
}

/* True when the player is at another page already, which lesson_pane_turn() takes over next: the
 * page that is shown then does not go with the player's question. */
static bool is_left(const struct lesson_pane *pane)
{
    const struct player *player = pane->tutor->player;
    return player == NULL || pane->tutor->n_opened != pane->n_opened ||
           player->page != pane->page_at;
}

/* Another width takes effect when it has stood for a while. */
static void resize(void *state, int rows, int cols)
{
    struct lesson_pane *pane = state;
    bool is_new = rows > 0 && rows != pane->rows;
    bool is_other_width =
        cols > 0 && ((size_t)cols != pane->width_cols || pane->has_step != pane->shows_step);
    pane->rows = rows > 0 ? rows : pane->rows;
    if ((is_other_width || (cols > 0 && pane->is_turned)) &&
        (cols != pane->seen_cols || pane->due_ms < 0))
        pane->due_ms = pane->now_ms + LESSON_PANE_SETTLE_MS;
    pane->seen_cols = cols;
    if (is_new && !is_left(pane))
        lesson_pane_refit(pane);
}

/* The page is shown; now its question. */
static bool open_question(struct lesson_pane *pane, bool is_turned, bool *ret_is_new,
                          struct error *reterr)
{
    char place[sizeof pane->place];
    put_place(pane, place, sizeof place);
    if (!is_turned || (place[0] != '\0' && strcmp(place, pane->place) == 0))
        return lesson_pane_show_options(pane, reterr);
    if (!lesson_pane_start_question(pane, reterr))
        return false;
    memcpy(pane->place, place, sizeof place);
    keep_above(pane);
    forget_sayings(pane);
    *ret_is_new = true;
    return true;
}

bool lesson_pane_open(struct lesson_pane *pane, size_t width_cols, bool is_turned,
                      struct error *reterr)
{
    struct doc page, step;
    struct page_lines step_picture = {0};
    size_t before = pane->width_cols;
    bool is_new = false;
    doc_init(&page);
    doc_init(&step);
    pane->width_cols = width_cols;
    if (!show_page(pane, &step, &step_picture, &page, reterr) ||
        !open_question(pane, is_turned, &is_new, reterr)) {
        doc_release(&page);
        doc_release(&step);
        pane->width_cols = before;
        return false;
    }
    doc_release(&pane->page);
    doc_release(&pane->step);
    pane->page = page;
    pane->step = step;
    pane->has_step = pane->shows_step;
    pane->step_picture = step_picture;
    pane->page_picture =
        lesson_pane_is_over(pane) ? (struct page_lines){0} : pane->tutor->player->picture;
    if (is_new)
        lesson_pane_show_start(pane);
    else
        lesson_pane_refit(pane);
    if (is_new)
        lesson_pane_find_here(pane);
    else
        lesson_pane_find_again(pane);
    return true;
}

/* Lays the page out for the width that is seen, and takes over another page. */
static bool lay_out(struct lesson_pane *pane, struct error *reterr)
{
    bool is_turned = pane->is_turned;
    pane->is_turned = false;
    pane->due_ms = -1;
    return lesson_pane_open(pane, (size_t)pane->seen_cols, is_turned, reterr);
}

bool lesson_pane_turn(struct lesson_pane *pane, struct error *reterr)
{
    pane->is_turned = true;
    return pane->seen_cols <= 0 || lay_out(pane, reterr);
}

void lesson_pane_put_above(struct lesson_pane *pane, const struct doc *shown)
{
    struct lesson_pane_lines lines;
    doc_append(&pane->above, shown, 0);
    if (shown->n_lines == 0)
        return;
    /* It is read first, also where the page then begins further down. */
    lesson_pane_compose(pane, false, &lines);
    size_t above = lines.above;
    doc_release(&lines.doc);
    lesson_pane_scroll_to(pane, above);
}

/* ---- what the tutor says ---- */

void lesson_pane_leave(struct lesson_pane *pane)
{
    doc_clear(&pane->page);
    doc_clear(&pane->step);
    doc_clear(&pane->above);
    pane->page_picture = pane->step_picture = pane->above_picture = (struct page_lines){0};
    lesson_pane_release_options(pane);
    question_inputs_release(&pane->inputs);
    forget_sayings(pane);
    pane->ask = LESSON_PANE_ASKS_NOTHING;
    pane->scroll = 0;
}

/* What the page hid for its question stands there as soon as that is dealt with. */
static void uncover(struct lesson_pane *pane)
{
    struct error error;
    struct player *player = pane->tutor->player;
    const struct question *question =
        lesson_pane_is_over(pane) || is_left(pane) ? NULL : player_page(player)->question;
    if (question == NULL || question->n_hides == 0 || player_is_asking(player))
        return;
    player->is_told = question->n_options == 0; /* with options, the page marks none of them */
    if (!lesson_pane_open(pane, pane->width_cols, false, &error))
        lesson_pane_say_error(pane, &error);
    player->is_told = false;
}

/* Whether the reply to the last request stays when the next one comes. */
static bool adds_reply(const struct lesson_pane *pane)
{
    return !lesson_pane_is_over(pane) &&
           (pane->does == LESSON_PANE_DOES_HINT || pane->does == LESSON_PANE_DOES_LINE);
}

/* The picture that a line drew is among what is added from line `first` on. */
static void note_picture(struct lesson_pane *pane, size_t first)
{
    const struct player *player = pane->tutor->player;
    const struct page_lines *picture = &player->typed_picture;
    if (pane->does != LESSON_PANE_DOES_LINE ||
        player->learner.session.n_drawings == pane->added_drawing)
        return;
    pane->added_picture = (struct page_lines){0};
    if (picture->end > picture->first)
        pane->added_picture = (struct page_lines){first + picture->first, first + picture->end};
    pane->added_drawing = player->learner.session.n_drawings;
}

void lesson_pane_say(struct lesson_pane *pane, const struct doc *shown)
{
    pane->waits = false;
    pane->says_cols = lesson_pane_text_cols(pane);
    if (lesson_pane_is_over(pane))
        lesson_pane_leave(pane);
    if (adds_reply(pane)) {
        if (pane->does == LESSON_PANE_DOES_HINT && pane->added.n_lines > 0)
            doc_end_line(&pane->added);
        pane->news_line = pane->added.n_lines;
        if (pane->does == LESSON_PANE_DOES_LINE && pane->given[0] != '\0')
            code_show(pane->given, strlen(pane->given), pane->says_cols, &pane->added);
        note_picture(pane, pane->added.n_lines);
        doc_append(&pane->added, shown, 0);
        pane->news = LESSON_PANE_NEW_ADDED;
        if (lesson_pane_question(pane) == NULL) /* what was wrong before is over */
            doc_clear(&pane->says);
    } else {
        doc_clear(&pane->says);
        doc_append(&pane->says, shown, 0);
        pane->says_error = false;
        pane->news = LESSON_PANE_NEW_SAYS;
    }
    if (pane->does == LESSON_PANE_DOES_ANSWER)
        lesson_pane_mark_answer(pane);
    if (pane->does == LESSON_PANE_DOES_LINE)
        pane->given[0] = '\0';
    uncover(pane);
    put_place(pane, pane->place, sizeof pane->place);
    lesson_pane_show_news(pane);
}

void lesson_pane_say_error(void *state, const struct error *error)
{
    struct lesson_pane *pane = state;
    pane->waits = false;
    pane->says_cols = lesson_pane_text_cols(pane);
    doc_clear(&pane->says);
    doc_wrap(&pane->says, STYLE_BAD, error->text, lesson_pane_text_cols(pane), 0);
    pane->news = LESSON_PANE_NEW_SAYS;
    pane->says_error = true;
    bool gave_line = pane->does == LESSON_PANE_DOES_LINE && pane->given[0] != '\0';
    if (gave_line)
        field_set(&pane->field, pane->given, strlen(pane->given));
    pane->given[0] = '\0';
    if (pane->does == LESSON_PANE_DOES_ANSWER)
        pane->tried[0] = '\0';
    if ((gave_line || pane->does == LESSON_PANE_DOES_ANSWER) && error->end > error->begin)
        lesson_pane_point_at(pane, error->begin, error->end);
    lesson_pane_show_news(pane);
}

void lesson_pane_notice(struct lesson_pane *pane, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(pane->notice, sizeof pane->notice, format, args);
    va_end(args);
}

/* Only where nothing is asked: a question takes every character. */
static void say_unbound(void *state, int key)
{
    char name[16];
    lesson_pane_notice(state, "%s means nothing here; ? lists the keys", key_text(key, name));
}

/* ---- what the pane asks for ---- */

bool lesson_pane_ask_for(struct lesson_pane *pane, const char *line)
{
    struct error error;
    bool invites_line = lesson_pane_ask(pane) == LESSON_PANE_ASKS_LINE;
    if (strlen(line) >= LESSON_PANE_ANSWER_BYTES + 16) {
        error_set(&error, ERR_LIMIT, "%s: it is longer than %d bytes; write it shorter",
                  invites_line ? "your line" : "answer", (int)LESSON_PANE_ANSWER_BYTES);
        lesson_pane_say_error(pane, &error);
        return false;
    }
    pane_request_set(&pane->request, PANE_RUN_OWN_LINE, line);
    pane->waits = false;
    pane->news = LESSON_PANE_NO_NEWS;
    pane->does = invites_line                       ? LESSON_PANE_DOES_LINE
                 : strncmp(line, "answer ", 7) == 0 ? LESSON_PANE_DOES_ANSWER
                 : strcmp(line, "hint") == 0        ? LESSON_PANE_DOES_HINT
                                                    : LESSON_PANE_DOES_OTHER;
    if (invites_line) /* "next" or "back"; a line that was typed is noted after this */
        pane->given[0] = '\0';
    if (pane->does == LESSON_PANE_DOES_ANSWER) /* it counts as tried once it was judged */
        snprintf(pane->tried, sizeof pane->tried, "%s",
                 strlen(line) < sizeof pane->tried ? line : "");
    pane->n_wrong = lesson_pane_is_over(pane) ? 0 : pane->tutor->player->state.n_wrong;
    return true;
}

bool lesson_pane_take_request(void *state, struct pane_request *ret)
{
    struct lesson_pane *pane = state;
    return pane_request_take(&pane->request, ret);
}

/* ---- requests ---- */

/* The way on from a page that asks nothing, and after the last page. */
static void go_on(struct lesson_pane *pane)
{
    const struct player *player = pane->tutor->player;
    if (player == NULL)
        (void)lesson_pane_ask_for(pane, "lesson");
    else if (!player->finished || player->is_review || lesson_pane_next_lesson(pane) != NULL)
        (void)lesson_pane_ask_for(pane, "next");
}

static void turn_page(struct lesson_pane *pane)
{
    enum lesson_pane_ask ask = lesson_pane_ask(pane);
    if (ask == LESSON_PANE_ASKS_NOTHING || ask == LESSON_PANE_ASKS_EXERCISE ||
        ask == LESSON_PANE_ASKS_LINE) {
        go_on(pane);
        return;
    }
    /* A question that was not answered comes into sight and says that it waits. */
    struct lesson_pane_lines lines;
    pane->waits = true;
    lesson_pane_compose(pane, false, &lines);
    lesson_pane_show_lines(pane, lines.question, lines.answer_end);
    doc_release(&lines.doc);
}

/* A screen further down; at the end, on. */
static void read_on(struct lesson_pane *pane)
{
    if (pane->scroll + lesson_pane_text_rows(pane) < lesson_pane_count_lines(pane))
        lesson_pane_scroll(pane, (int)lesson_pane_text_rows(pane) - 1);
    else
        turn_page(pane);
}

static void toggle(struct lesson_pane *pane)
{
    enum lesson_pane_ask ask = lesson_pane_ask(pane);
    bool chooses = ask == LESSON_PANE_ASKS_ONE || ask == LESSON_PANE_ASKS_SEVERAL;
    if (chooses && !lesson_pane_has_option_cursor(pane)) {
        if (!lesson_pane_read_to_question(pane))
            pane->waits = pane->touched = true;
    } else if (chooses && lesson_pane_sees_cursor(pane)) {
        lesson_pane_pick_option(pane);
    } else {
        read_on(pane);
    }
}

static bool can_go_back(const struct lesson_pane *pane)
{
    const struct player *player = pane->tutor->player;
    return player != NULL && !player->is_review && (player->page > 0 || player->finished);
}

static bool cancel(void *state)
{
    return find_close(&((struct lesson_pane *)state)->find);
}

static bool scroll_request(struct lesson_pane *pane, enum request request)
{
    int page = (int)lesson_pane_text_rows(pane) - 1;
    switch (request) {
    case REQ_PAGE_UP:
        if (pane->scroll == 0 && can_go_back(pane))
            (void)lesson_pane_ask_for(pane, "back");
        else
            lesson_pane_scroll(pane, -page);
        return true;
    case REQ_PAGE_DOWN:
        lesson_pane_scroll(pane, page);
        return true;
    case REQ_TOP:
        lesson_pane_scroll_to(pane, 0);
        return true;
    case REQ_BOTTOM:
        lesson_pane_scroll_to(pane, SIZE_MAX);
        return true;
    default:
        return false;
    }
}

static bool move_request(struct lesson_pane *pane, enum request request)
{
    switch (request) {
    case REQ_UP:
    case REQ_DOWN:
        lesson_pane_move_cursor(pane, request == REQ_UP ? -1 : 1);
        return true;
    case REQ_LEFT:
    case REQ_RIGHT:
        return true; /* where there are cells, these keys move between them already */
    case REQ_MOVE_UP:
    case REQ_MOVE_DOWN:
        lesson_pane_move_step(pane, request == REQ_MOVE_UP ? -1 : 1);
        return true;
    default:
        return scroll_request(pane, request);
    }
}

static bool lesson_request(void *state, enum request request, int key)
{
    struct lesson_pane *pane = state;
    const char *exercise = lesson_pane_asked_exercise(pane);
    enum lesson_pane_ask ask = lesson_pane_ask(pane);
    (void)key;
    if (exercise != NULL && request == REQ_OPEN) {
        pane_request_set(&pane->request, PANE_OPEN_EXERCISE, exercise);
        return true;
    }
    pane->waits = false;
    pane->notice[0] = '\0';
    switch (request) {
    case REQ_NEXT_PAGE:
        turn_page(pane);
        return true;
    case REQ_PREVIOUS_PAGE:
        (void)lesson_pane_ask_for(pane, "back");
        return true;
    case REQ_HINT:
        (void)lesson_pane_ask_for(pane, "hint");
        return true;
    case REQ_SKIP:
        (void)lesson_pane_ask_for(pane, "skip");
        return true;
    case REQ_OPEN:
        if (ask == LESSON_PANE_ASKS_NOTHING || ask == LESSON_PANE_ASKS_EXERCISE ||
            (ask == LESSON_PANE_ASKS_LINE && !lesson_pane_give_line_to_run(pane)))
            read_on(pane);
        else if (ask != LESSON_PANE_ASKS_LINE)
            lesson_pane_give_answer(pane);
        return true;
    case REQ_TOGGLE:
        toggle(pane);
        return true;
    case REQ_FIND:
        lesson_pane_open_find(pane);
        return true;
    default:
        return move_request(pane, request);
    }
}

/* ---- the table of operations ---- */

static void take_focus(void *state)
{
    ((struct lesson_pane *)state)->is_left = false;
}

/* How much of the lesson is done. */
static int write_title(const void *state, struct text *title)
{
    const struct player *player = ((const struct lesson_pane *)state)->tutor->player;
    if (player == NULL)
        return -1;
    size_t n = player->lesson->n_pages;
    if (player->warms_up_for != NULL)
        text_format(title, "Warm-up   before %s", player->warms_up_for);
    else
        text_format(title, "%s   %s   page %zu of %zu", player->is_review ? "Review" : "Lesson",
                    player->lesson->title, player->page + 1, n);
    return player->is_review ? -1 : (int)((player->finished ? n : player->page) * 100 / n);
}

static int timeout_ms(const void *state)
{
    const struct lesson_pane *pane = state;
    if (pane->due_ms < 0 || pane->seen_cols <= 0)
        return -1;
    return pane->due_ms > pane->now_ms ? (int)(pane->due_ms - pane->now_ms) : 0;
}

static void tick(void *state, int64_t now_ms, bool in_view)
{
    struct lesson_pane *pane = state;
    struct error error;
    (void)in_view;
    pane->now_ms = now_ms;
    if (pane->due_ms >= 0 && now_ms >= pane->due_ms && pane->seen_cols > 0 &&
        !lay_out(pane, &error))
        lesson_pane_say_error(pane, &error);
}

/* The text without its picture, and the field with a row above it. */
static int rows_wanted(void *state, int cols)
{
    struct lesson_pane pane = *(const struct lesson_pane *)state;
    (void)cols;         /* the lines are as wide as the pane was last */
    if (is_left(&pane)) /* between two pages */
        return 0;
    pane.picture_place = LESSON_PANE_PICTURE_BELOW;
    int foot = lesson_pane_foot_rows(&pane);
    return (int)size_min(lesson_pane_count_lines(&pane), CANVAS_MAX_ROWS) +
           (foot > 0 ? foot + 1 : 0);
}

int lesson_pane_needed_cols(const struct lesson_pane *pane)
{
    size_t cols = is_left(pane) ? 0 : lesson_pane_widest_table(pane);
    return cols > 0 ? (int)size_min(cols, CANVAS_MAX_COLS) + LESSON_PANE_MARGIN_COLS +
                          LESSON_PANE_EDGE_COLS
                    : 0;
}

const struct pane_ops lesson_pane_ops = {
    .title = "Lesson",
    .bindings = lesson_pane_bindings,
    .bindings_now = lesson_pane_bindings_now,
    .types = lesson_pane_types,
    .clear = lesson_pane_clear_find,
    .cancel = cancel,
    .take_focus = take_focus,
    .key = lesson_pane_key,
    .paste = lesson_pane_paste,
    .request = lesson_request,
    .say_unbound = say_unbound,
    .click = lesson_pane_click,
    .wheel = lesson_pane_scroll,
    .resize = resize,
    .draw = lesson_pane_draw,
    .rows_wanted = rows_wanted,
    .write_title = write_title,
    .say_error = lesson_pane_say_error,
    .take_request = lesson_pane_take_request,
    .timeout_ms = timeout_ms,
    .tick = tick,
    .release = lesson_pane_release,
};
