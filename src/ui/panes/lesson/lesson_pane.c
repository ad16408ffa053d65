/* The page, scrolling, and what keys ask for. See reader_parts.h. */
#include "ui/panes/lesson/lesson_pane_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MIN_COLS = 20 };

const struct binding reader_bindings[] = {
    {'n', REQ_NEXT_PAGE, "next", "goes on to the next page; where a question waits it says so"},
    {'b', REQ_PREVIOUS_PAGE, "back", "goes back a page"},
    {'h', REQ_HINT, "hint", "gives the next hint, and after the last one the answer"},
    {'o', REQ_EDITOR, NULL, "goes to the exercise that the page asks for; Escape comes back"},
    {'s', REQ_SKIP, "skip", "goes on without an answer"},
    {KEY_ENTER_, REQ_OPEN, "go on",
     "gives the answer that is typed or chosen, or begins to type it; where nothing is asked it "
     "shows what is further down, and then goes on"},
    {' ', REQ_TOGGLE, NULL,
     "chooses the option under the cursor, as its number does; where there are none it shows what "
     "is further down, and then goes on"},
    {KEY_UP_, REQ_UP, NULL, "goes to the option or cell above; scrolls where there is none"},
    {KEY_DOWN_, REQ_DOWN, NULL, "goes to the option or cell below; scrolls where there is none"},
    {KEY_LEFT_, REQ_LEFT, NULL, "goes to the cell before, in a matrix"},
    {KEY_RIGHT_, REQ_RIGHT, NULL, "goes to the next cell of a matrix; Tab does it too"},
    {KEY_SHIFT_UP, REQ_MOVE_UP, NULL, "carries a step up; K does it too"},
    {'K', REQ_MOVE_UP, NULL, NULL},
    {KEY_SHIFT_DOWN, REQ_MOVE_DOWN, NULL, "carries a step down; J does it too"},
    {'J', REQ_MOVE_DOWN, NULL, NULL},
    {'i', REQ_EDIT, NULL,
     "begins to type letters: a formula, a text, or a number such as exp(1); Escape ends it"},
    {KEY_PAGE_UP, REQ_PAGE_UP, NULL, "scrolls up"},
    {KEY_PAGE_DOWN, REQ_PAGE_DOWN, NULL, "scrolls down"},
    {KEY_HOME_, REQ_TOP, NULL, "scrolls to the top"},
    {KEY_END_, REQ_BOTTOM, NULL, "scrolls to the end"},
    {KEY_NONE, REQ_NONE, NULL, NULL},
};

void reader_init(struct reader *reader, struct tutor *tutor)
{
    *reader = (struct reader){.tutor = tutor};
    doc_init(&reader->page);
    doc_init(&reader->above);
    doc_init(&reader->hints);
    doc_init(&reader->says);
}

void reader_release(struct reader *reader)
{
    doc_release(&reader->page);
    doc_release(&reader->above);
    doc_release(&reader->hints);
    doc_release(&reader->says);
    reader_release_options(reader);
}

/* What is asked. */

const struct question *reader_question(const struct reader *reader)
{
    const struct player *player = reader->tutor->player;
    return player != NULL && !player->finished && player_is_asking(player)
               ? player_page(player)->question
               : NULL;
}

enum reader_ask reader_ask(const struct reader *reader)
{
    return reader_question(reader) != NULL ? reader->ask : READER_ASKS_NOTHING;
}

bool reader_lists(const struct reader *reader)
{
    return reader->n_options > 0;
}

bool reader_has_field(const struct reader *reader)
{
    enum reader_ask ask = reader_ask(reader);
    return ask == READER_ASKS_NUMBER || ask == READER_ASKS_TEXT;
}

bool reader_is_over(const struct reader *reader)
{
    return reader->tutor->player == NULL || reader->tutor->player->finished;
}

const struct course_entry *reader_next_lesson(const struct reader *reader)
{
    const struct player *player = reader->tutor->player;
    const struct course *course = &reader->tutor->course;
    if (player == NULL || !player->finished || player->is_review ||
        course_entry_of(course, player->lesson->file_name) == NULL)
        return NULL;
    return course_next(course, player->lesson->file_name);
}

/* Scrolling. */

int reader_foot_rows(const struct reader *reader)
{
    return reader_has_field(reader) || reader_is_over(reader) ? READER_FOOT_ROWS : 0;
}

size_t reader_text_rows(const struct reader *reader)
{
    int rows = reader->rows - reader_foot_rows(reader);
    return rows > 0 ? (size_t)rows : 1;
}

size_t reader_text_cols(const struct reader *reader)
{
    size_t taken = READER_MARGIN_COLS + READER_EDGE_COLS;
    return reader->width_cols > TEXT_MIN_COLS + taken ? reader->width_cols - taken : TEXT_MIN_COLS;
}

static size_t count_lines(const struct reader *reader)
{
    struct reader_lines lines;
    reader_compose(reader, false, &lines);
    size_t n = lines.doc.n_lines;
    doc_release(&lines.doc);
    return n;
}

/* So many lines can be above the first that is seen. */
static size_t most_above(const struct reader *reader)
{
    size_t n = count_lines(reader), rows = reader_text_rows(reader);
    return n > rows ? n - rows : 0;
}

/* Goes there, as far as there are lines, and stays when the pane gets another size. */
static void scroll_to(struct reader *reader, size_t line)
{
    size_t n = count_lines(reader), rows = reader_text_rows(reader);
    size_t most = n > rows ? n - rows : 0;
    reader->scroll = line < most ? line : most;
    reader->at_start = false;
    reader->kept_scroll = reader->scroll;
    reader->kept_lines = n;
}

void reader_scroll(struct reader *reader, int lines)
{
    size_t up = lines < 0 ? (size_t)-lines : 0, down = lines > 0 ? (size_t)lines : 0;
    scroll_to(reader, up < reader->scroll ? reader->scroll - up + down : down);
}

void reader_show_lines(struct reader *reader, size_t first, size_t end)
{
    size_t rows = reader_text_rows(reader), to = reader->scroll;
    if (end > to + rows)
        to = end - rows;
    scroll_to(reader, first < to ? first : to);
}

/* What is above a page is seen with it where there is room. */
static void show_start(struct reader *reader)
{
    struct reader_lines lines;
    reader_compose(reader, false, &lines);
    size_t n = lines.doc.n_lines, first = n > reader_text_rows(reader) ? lines.page : 0;
    doc_release(&lines.doc);
    scroll_to(reader, first);
    reader->at_start = true;
}

/* The pane has another size: what was at its top stays there, as far as lines can tell. */
static void refit(struct reader *reader)
{
    size_t kept = reader->kept_scroll, of = reader->kept_lines, n = count_lines(reader);
    if (reader->at_start) {
        show_start(reader);
        return;
    }
    scroll_to(reader, of == n || of == 0 ? kept : kept * n / of);
    reader->kept_scroll = kept; /* for the size it had, if that comes back */
    reader->kept_lines = of;
}

/* What is new comes into sight, and the question with it where both fit. */
static void show_news(struct reader *reader)
{
    struct reader_lines lines;
    reader_compose(reader, false, &lines);
    size_t first = lines.news, end = lines.news_end, question = lines.question;
    doc_release(&lines.doc);
    if (end > first)
        reader_show_lines(reader, end - question <= reader_text_rows(reader) ? question : first,
                          end);
    else
        refit(reader);
}

/* The page. */

/* What tells one page, with what happened on it, from another. */
static void put_place(const struct reader *reader, char *place, size_t size)
{
    const struct player *player = reader->tutor->player;
    place[0] = '\0';
    if (reader_question(reader) != NULL)
        snprintf(place, size, "%s/%s %d %u %u", player->lesson->file_name,
                 player_page(player)->name, player->is_review, player->state.n_wrong,
                 player->state.n_hints);
}

static bool show_page(struct reader *reader, struct doc *page, struct error *reterr)
{
    struct player *player = reader->tutor->player;
    if (reader_is_over(reader))
        return true;
    player->in_pane = true;
    tutor_set_width(reader->tutor, reader_text_cols(reader));
    return player_show(player, page, reterr);
}

static void forget_sayings(struct reader *reader)
{
    doc_clear(&reader->says);
    doc_clear(&reader->hints);
    reader->news = READER_NO_NEWS;
    reader->news_line = 0;
    reader->waits = false;
    reader->given[0] = '\0';
}

/* What the page before gave when its lines were run goes above the next page. */
static void keep_above(struct reader *reader)
{
    const struct player *player = reader->tutor->player;
    bool is_same = reader->tutor->n_opened == reader->n_opened && !reader_is_over(reader);
    if (is_same && player->page == reader->page_at)
        return;
    doc_clear(&reader->above);
    if (is_same && player->page == reader->page_at + 1 && !reader->says_error &&
        player->lesson->pages[reader->page_at].offer.text != NULL)
        doc_append(&reader->above, &reader->says, 0);
    reader->n_opened = reader->tutor->n_opened;
    reader->page_at = reader_is_over(reader) ? 0 : player->page;
}

void reader_resize(struct reader *reader, int rows)
{
    bool is_new = rows > 0 && rows != reader->rows;
    reader->rows = rows > 0 ? rows : reader->rows;
    if (is_new)
        refit(reader);
}

/* The page is shown; now its question. */
static bool open_question(struct reader *reader, bool is_turned, bool *ret_is_new,
                          struct error *reterr)
{
    char place[sizeof reader->place];
    put_place(reader, place, sizeof place);
    if (!is_turned || (place[0] != '\0' && strcmp(place, reader->place) == 0))
        return reader_show_options(reader, reterr);
    if (!reader_start_question(reader, reterr))
        return false;
    memcpy(reader->place, place, sizeof place);
    keep_above(reader);
    forget_sayings(reader);
    *ret_is_new = true;
    return true;
}

bool reader_open(struct reader *reader, size_t width_cols, bool is_turned, struct error *reterr)
{
    struct doc page;
    size_t before = reader->width_cols;
    bool is_new = false;
    doc_init(&page);
    reader->width_cols = width_cols;
    if (!show_page(reader, &page, reterr) || !open_question(reader, is_turned, &is_new, reterr)) {
        doc_release(&page);
        reader->width_cols = before;
        return false;
    }
    doc_release(&reader->page);
    reader->page = page;
    if (is_new)
        show_start(reader);
    else
        refit(reader);
    return true;
}

void reader_put_above(struct reader *reader, const struct doc *shown)
{
    doc_append(&reader->above, shown, 0);
    if (shown->n_lines > 0)
        show_start(reader);
}

/* What the tutor says. */

static void remember_place(struct reader *reader)
{
    put_place(reader, reader->place, sizeof reader->place);
}

void reader_leave(struct reader *reader)
{
    doc_clear(&reader->page);
    doc_clear(&reader->above);
    reader_release_options(reader);
    forget_sayings(reader);
    reader->ask = READER_ASKS_NOTHING;
    reader->scroll = 0;
}

static void add_hint(struct reader *reader, const struct doc *shown)
{
    if (reader->hints.n_lines > 0)
        doc_end_line(&reader->hints);
    reader->news_line = reader->hints.n_lines;
    doc_append(&reader->hints, shown, 0);
    reader->news = READER_NEW_HINT;
}

void reader_say(struct reader *reader, const struct doc *shown)
{
    reader->waits = false;
    if (reader_is_over(reader))
        reader_leave(reader);
    if (reader->does == READER_DOES_HINT && !reader_is_over(reader)) {
        add_hint(reader, shown);
    } else {
        doc_clear(&reader->says);
        doc_append(&reader->says, shown, 0);
        reader->says_error = false;
        reader->news = READER_NEW_SAYS;
    }
    if (reader->does == READER_DOES_ANSWER)
        reader_settle(reader);
    remember_place(reader);
    show_news(reader);
}

void reader_say_error(struct reader *reader, const struct error *error)
{
    reader->waits = false;
    doc_clear(&reader->says);
    doc_wrap(&reader->says, STYLE_BAD, error->text, reader_text_cols(reader), 0);
    reader->news = READER_NEW_SAYS;
    reader->says_error = true;
    reader->given[0] = '\0';
    if (reader->does == READER_DOES_ANSWER && error->end > error->begin)
        reader_point_at(reader, error->begin);
    show_news(reader);
}

/* Wishes. */

void reader_wish(struct reader *reader, const char *line)
{
    struct error error;
    if (strlen(line) >= sizeof reader->wish) {
        error_set(&error, ERR_LIMIT, "answer: it is longer than %d bytes; write it shorter",
                  (int)READER_ANSWER_BYTES);
        reader_say_error(reader, &error);
        return;
    }
    memcpy(reader->wish, line, strlen(line) + 1);
    reader->waits = false;
    reader->news = READER_NO_NEWS;
    reader->does = strncmp(line, "answer ", 7) == 0 ? READER_DOES_ANSWER
                   : strcmp(line, "hint") == 0      ? READER_DOES_HINT
                                                    : READER_DOES_OTHER;
    reader->n_wrong = reader_is_over(reader) ? 0 : reader->tutor->player->state.n_wrong;
}

bool reader_take_wish(struct reader *reader, char line[READER_ANSWER_BYTES + 16])
{
    bool wishes = reader->wish[0] != '\0';
    if (wishes)
        memcpy(line, reader->wish, strlen(reader->wish) + 1);
    reader->wish[0] = '\0';
    return wishes;
}

/* Requests. */

/* The question is not passed by silently: it comes into sight and says that it waits. */
static void wait_for_answer(struct reader *reader)
{
    struct reader_lines lines;
    reader->waits = true;
    reader_compose(reader, false, &lines);
    reader_show_lines(reader, lines.question, lines.answer_end);
    doc_release(&lines.doc);
}

/* The way on from a page that asks nothing, and from behind the last one. */
static void go_on(struct reader *reader)
{
    char line[LESSON_NAME_BYTES + 16];
    const struct player *player = reader->tutor->player;
    const struct course_entry *entry = reader_next_lesson(reader);
    if (player == NULL) {
        reader_wish(reader, "lesson");
    } else if (!player->finished || player->is_review) {
        reader_wish(reader, "next");
    } else if (entry != NULL) {
        snprintf(line, sizeof line, "lesson %s", entry->file_name);
        reader_wish(reader, line);
    }
}

static void turn_page(struct reader *reader)
{
    enum reader_ask ask = reader_ask(reader);
    if (ask != READER_ASKS_NOTHING && ask != READER_ASKS_EXERCISE)
        wait_for_answer(reader);
    else
        go_on(reader);
}

/* A screen further down; at the end, on. */
static void read_on(struct reader *reader)
{
    if (reader->scroll < most_above(reader))
        reader_scroll(reader, (int)reader_text_rows(reader) - 1);
    else
        turn_page(reader);
}

static void toggle(struct reader *reader)
{
    enum reader_ask ask = reader_ask(reader);
    if ((ask == READER_ASKS_ONE || ask == READER_ASKS_SEVERAL) && reader_sees_cursor(reader))
        reader_pick(reader);
    else
        read_on(reader);
}

static bool scroll_request(struct reader *reader, enum request request)
{
    int page = (int)reader_text_rows(reader) - 1;
    switch (request) {
    case REQ_PAGE_UP:
        reader_scroll(reader, -page);
        return true;
    case REQ_PAGE_DOWN:
        reader_scroll(reader, page);
        return true;
    case REQ_TOP:
        scroll_to(reader, 0);
        return true;
    case REQ_BOTTOM:
        scroll_to(reader, most_above(reader));
        return true;
    default:
        return false;
    }
}

static bool move_request(struct reader *reader, enum request request)
{
    switch (request) {
    case REQ_UP:
    case REQ_DOWN:
        reader_move(reader, request == REQ_UP ? -1 : 1);
        return true;
    case REQ_LEFT:
    case REQ_RIGHT:
        if (reader_ask(reader) == READER_ASKS_CELLS)
            (void)reader_step_cell(reader, request == REQ_LEFT ? -1 : 1);
        return true;
    case REQ_MOVE_UP:
    case REQ_MOVE_DOWN:
        reader_carry(reader, request == REQ_MOVE_UP ? -1 : 1);
        return true;
    default:
        return scroll_request(reader, request);
    }
}

/* Letters belong to the answer from here on. */
static bool begin_typing(struct reader *reader)
{
    enum reader_ask ask = reader_ask(reader);
    if (ask == READER_ASKS_CELLS)
        return reader_cell_key(reader, 'i');
    reader->types = reader->types || reader_has_field(reader);
    return reader->types;
}

bool reader_request(struct reader *reader, enum request request)
{
    reader->waits = false;
    switch (request) {
    case REQ_NEXT_PAGE:
        turn_page(reader);
        return true;
    case REQ_PREVIOUS_PAGE:
        reader_wish(reader, "back");
        return true;
    case REQ_HINT:
        reader_wish(reader, "hint");
        return true;
    case REQ_SKIP:
        reader_wish(reader, "skip");
        return true;
    case REQ_OPEN:
        if (reader_ask(reader) == READER_ASKS_NOTHING || reader_ask(reader) == READER_ASKS_EXERCISE)
            read_on(reader);
        else
            reader_give(reader);
        return true;
    case REQ_TOGGLE:
        toggle(reader);
        return true;
    case REQ_EDIT:
        return begin_typing(reader);
    default:
        return move_request(reader, request);
    }
}
