/* See reader.h. */
#include "ui/reader.h"

#include <stdio.h>
#include <string.h>

const struct binding reader_bindings[] = {
    {'n', REQ_NEXT_PAGE, "next", "goes on to the next page"},
    {'b', REQ_PREVIOUS_PAGE, "back", "goes back a page"},
    {'h', REQ_HINT, "hint", "gives the next hint, and after the last one the answer"},
    {'o', REQ_EDITOR, NULL, "goes to the exercise that the page asks for; Escape comes back"},
    {'s', REQ_SKIP, "skip", "goes on without an answer"},
    {KEY_ENTER_, REQ_OPEN, "answer", "gives the answer that is typed or chosen; else goes on"},
    {' ', REQ_TOGGLE, NULL, "chooses the option under the cursor, or takes it back"},
    {KEY_UP_, REQ_UP, NULL, "goes to the option above; scrolls where there are none"},
    {KEY_DOWN_, REQ_DOWN, NULL, "goes to the option below; scrolls where there are none"},
    {KEY_SHIFT_UP, REQ_MOVE_UP, NULL, "moves a step up; K does it too"},
    {'K', REQ_MOVE_UP, NULL, NULL},
    {KEY_SHIFT_DOWN, REQ_MOVE_DOWN, NULL, "moves a step down; J does it too"},
    {'J', REQ_MOVE_DOWN, NULL, NULL},
    {'i', REQ_EDIT, NULL, "begins to type a formula or a text; Escape ends it"},
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
    doc_init(&reader->says);
}

void reader_release(struct reader *reader)
{
    doc_release(&reader->page);
    doc_release(&reader->says);
}

/* The question that waits, or NULL. */
static const struct question *asked(const struct reader *reader)
{
    const struct player *player = reader->tutor->player;
    return player != NULL && !player->finished && player_is_asking(player)
               ? player_page(player)->question
               : NULL;
}

static bool is_kind(const struct reader *reader, enum question_kind kind)
{
    const struct question *question = asked(reader);
    return question != NULL && question->kind == kind;
}

static bool chooses(const struct reader *reader)
{
    const struct question *question = asked(reader);
    return question != NULL && reader->n_options > 0 &&
           (question->kind == QUESTION_CHOICE || question->kind == QUESTION_PREDICT);
}

static bool orders(const struct reader *reader)
{
    return is_kind(reader, QUESTION_ORDER) && reader->n_options > 0;
}

/* A field for the answer is shown. */
static bool has_field(const struct reader *reader)
{
    const struct question *question = asked(reader);
    return question != NULL && !chooses(reader) && !orders(reader) &&
           question->kind != QUESTION_EXERCISE;
}

/* Numbers are typed at once; letters are keys until typing has begun. */
static bool takes_text(const struct reader *reader)
{
    return is_kind(reader, QUESTION_FORMULA) || is_kind(reader, QUESTION_REFLECTION);
}

static void start_question(struct reader *reader)
{
    const struct question *question = asked(reader);
    reader->n_options =
        question != NULL && question->n_options <= READER_MAX_OPTIONS ? question->n_options : 0;
    reader->option = 0;
    reader->types = false;
    reader->answer[0] = '\0';
    for (size_t i = 0; i < READER_MAX_OPTIONS; i++) {
        reader->picked[i] = false;
        reader->order[i] = i;
    }
}

/* Scrolling. */

static size_t count_lines(const struct reader *reader)
{
    bool has_options = chooses(reader) || orders(reader);
    return reader->page.n_lines + (has_options ? reader->n_options + 1 : 0) +
           (reader->says.n_lines > 0 ? reader->says.n_lines + 1 : 0);
}

/* The rows that lines are seen in: the field takes two at the bottom. */
static size_t text_rows(const struct reader *reader)
{
    int rows = reader->rows - (has_field(reader) ? 2 : 0);
    return rows > 0 ? (size_t)rows : 1;
}

void reader_scroll(struct reader *reader, int lines)
{
    size_t n = count_lines(reader), rows = text_rows(reader);
    size_t most = n > rows ? n - rows : 0;
    if (lines < 0)
        reader->scroll -= (size_t)-lines < reader->scroll ? (size_t)-lines : reader->scroll;
    else
        reader->scroll += (size_t)lines;
    if (reader->scroll > most)
        reader->scroll = most;
}

bool reader_open(struct reader *reader, size_t width_cols, bool is_turned, struct error *reterr)
{
    struct doc page;
    struct player *player = reader->tutor->player;
    doc_init(&page);
    reader->width_cols = width_cols;
    if (player != NULL && !player->finished) {
        tutor_set_width(reader->tutor, width_cols);
        if (!player_show(player, &page, reterr)) {
            doc_release(&page);
            return false;
        }
    }
    doc_release(&reader->page);
    reader->page = page;
    if (is_turned) {
        doc_clear(&reader->says);
        reader->scroll = 0;
        start_question(reader);
    }
    reader_scroll(reader, 0);
    return true;
}

static void show_end(struct reader *reader)
{
    reader->scroll = count_lines(reader);
    reader_scroll(reader, 0);
}

void reader_say(struct reader *reader, const struct doc *shown)
{
    if (reader->says.n_lines > 0)
        doc_end_line(&reader->says);
    doc_append(&reader->says, shown, 0);
    reader->answer[0] = '\0';
    reader->types = false;
    for (size_t i = 0; i < READER_MAX_OPTIONS; i++)
        reader->picked[i] = false; /* another answer is another choice */
    show_end(reader);
}

void reader_say_error(struct reader *reader, const struct error *error)
{
    if (reader->says.n_lines > 0)
        doc_end_line(&reader->says);
    doc_wrap(&reader->says, STYLE_BAD, error->text, reader->width_cols, 0);
    show_end(reader);
}

/* Wishes. */

static void wish(struct reader *reader, const char *line)
{
    snprintf(reader->wish, sizeof reader->wish, "%s", line);
}

bool reader_take_wish(struct reader *reader, char line[READER_ANSWER_BYTES + 16])
{
    bool wishes = reader->wish[0] != '\0';
    if (wishes)
        memcpy(line, reader->wish, sizeof reader->wish);
    reader->wish[0] = '\0';
    return wishes;
}

static void wish_choices(struct reader *reader)
{
    struct text line = {0};
    bool any = false;
    text_put(&line, "answer");
    for (size_t i = 0; i < reader->n_options; i++)
        if (reader->picked[i]) {
            text_format(&line, " %zu", i + 1);
            any = true;
        }
    if (!any)
        text_format(&line, " %zu", reader->option + 1);
    wish(reader, text_string(&line));
    text_release(&line);
}

static void wish_order(struct reader *reader)
{
    struct text line = {0};
    text_put(&line, "answer");
    for (size_t i = 0; i < reader->n_options; i++)
        text_format(&line, " %zu", reader->order[i] + 1);
    wish(reader, text_string(&line));
    text_release(&line);
}

static void wish_answer(struct reader *reader)
{
    char line[READER_ANSWER_BYTES + 16];
    snprintf(line, sizeof line, "answer %s", reader->answer);
    wish(reader, line);
}

/* Enter: the answer, or the way on. */
static void submit(struct reader *reader)
{
    if (chooses(reader))
        wish_choices(reader);
    else if (orders(reader))
        wish_order(reader);
    else if (has_field(reader) && reader->answer[0] != '\0')
        wish_answer(reader);
    else if (takes_text(reader))
        reader->types = true;
    else if (asked(reader) == NULL || is_kind(reader, QUESTION_EXERCISE))
        wish(reader, "next");
}

/* Keys of the answer. */

static void type_character(struct reader *reader, int key)
{
    size_t size = strlen(reader->answer);
    char bytes[5] = {(char)key};
    size_t n = 1;
    if (key >= 0x80) {
        unsigned code = (unsigned)key;
        n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        for (size_t i = n; i-- > 1; code >>= 6)
            bytes[i] = (char)(0x80 | (code & 0x3F));
        bytes[0] = (char)((n == 2 ? 0xC0 : n == 3 ? 0xE0 : 0xF0) | code);
    }
    if (size + n >= sizeof reader->answer)
        return;
    memcpy(reader->answer + size, bytes, n);
    reader->answer[size + n] = '\0';
}

static void erase_character(struct reader *reader)
{
    size_t size = strlen(reader->answer);
    while (size > 0 && ((unsigned char)reader->answer[size - 1] & 0xC0) == 0x80)
        size--;
    reader->answer[size > 0 ? size - 1 : 0] = '\0';
}

static bool is_printable(int key)
{
    return (key >= ' ' && key < 127) || (key >= 0xA0 && key < 0x110000);
}

static bool field_key(struct reader *reader, int key)
{
    bool letters = reader->types || (takes_text(reader) && reader->answer[0] != '\0');
    if (key == KEY_BACKSPACE_ && reader->answer[0] != '\0') {
        erase_character(reader);
        return true;
    }
    if (key == KEY_ESCAPE && (letters || reader->answer[0] != '\0')) {
        reader->types = false;
        reader->answer[0] = '\0';
        return true;
    }
    bool of_number =
        !takes_text(reader) && key > 0 && key < 127 && strchr("0123456789.-+", (char)key) != NULL;
    if ((!letters || !is_printable(key)) && !of_number)
        return false;
    type_character(reader, key);
    return true;
}

bool reader_key(struct reader *reader, int key)
{
    if (has_field(reader))
        return field_key(reader, key);
    if (chooses(reader) && key >= '1' && key <= '9' && (size_t)(key - '1') < reader->n_options) {
        reader->option = (size_t)(key - '1');
        reader->picked[reader->option] = !reader->picked[reader->option];
        return true;
    }
    return false;
}

/* Requests. */

/* The option under the cursor is seen. */
static void show_option(struct reader *reader)
{
    size_t line = reader->page.n_lines + 1 + reader->option, rows = text_rows(reader);
    if (line < reader->scroll)
        reader->scroll = line;
    if (line >= reader->scroll + rows)
        reader->scroll = line - rows + 1;
}

static void move_option(struct reader *reader, int by)
{
    size_t n = reader->n_options;
    size_t to = by < 0 ? (reader->option + n - 1) % n : (reader->option + 1) % n;
    reader->option = to;
    show_option(reader);
}

static void carry_option(struct reader *reader, int by)
{
    size_t at = reader->option;
    if ((by < 0 && at == 0) || (by > 0 && at + 1 >= reader->n_options))
        return;
    size_t to = by < 0 ? at - 1 : at + 1, kept = reader->order[at];
    reader->order[at] = reader->order[to];
    reader->order[to] = kept;
    reader->option = to;
    show_option(reader);
}

static bool move_request(struct reader *reader, enum request request)
{
    bool has_options = chooses(reader) || orders(reader);
    switch (request) {
    case REQ_UP:
    case REQ_DOWN:
        if (has_options)
            move_option(reader, request == REQ_UP ? -1 : 1);
        else
            reader_scroll(reader, request == REQ_UP ? -1 : 1);
        return true;
    case REQ_MOVE_UP:
    case REQ_MOVE_DOWN:
        if (orders(reader))
            carry_option(reader, request == REQ_MOVE_UP ? -1 : 1);
        return true;
    case REQ_PAGE_UP:
        reader_scroll(reader, -(int)text_rows(reader) + 1);
        return true;
    case REQ_PAGE_DOWN:
        reader_scroll(reader, (int)text_rows(reader) - 1);
        return true;
    case REQ_TOP:
        reader->scroll = 0;
        return true;
    case REQ_BOTTOM:
        show_end(reader);
        return true;
    default:
        return false;
    }
}

bool reader_request(struct reader *reader, enum request request)
{
    switch (request) {
    case REQ_NEXT_PAGE:
        wish(reader, "next");
        return true;
    case REQ_PREVIOUS_PAGE:
        wish(reader, "back");
        return true;
    case REQ_HINT:
        wish(reader, "hint");
        return true;
    case REQ_SKIP:
        wish(reader, "skip");
        return true;
    case REQ_OPEN:
        submit(reader);
        return true;
    case REQ_TOGGLE:
        if (chooses(reader))
            reader->picked[reader->option] = !reader->picked[reader->option];
        else
            reader_scroll(reader, (int)text_rows(reader) - 1);
        return true;
    case REQ_EDIT:
        reader->types = takes_text(reader);
        return reader->types;
    default:
        return move_request(reader, request);
    }
}

/* Drawing. */

/* Adds the options as they stand now: chosen ones marked, or in the learner's order. */
static void add_options(const struct reader *reader, struct doc *doc, bool ascii)
{
    const struct question *question = asked(reader);
    bool in_order = orders(reader);
    for (size_t i = 0; i < reader->n_options; i++) {
        size_t option = in_order ? reader->order[i] : i;
        const char *text = question->options[option].text;
        bool here = i == reader->option;
        doc_add(doc, here ? STYLE_TITLE : STYLE_QUIET, "%s ",
                here ? (ascii ? ">" : "\xE2\x96\xB8") : " ");
        if (in_order)
            doc_add(doc, STYLE_NUMBER, "%zu. ", i + 1);
        else
            doc_add(doc, STYLE_NUMBER, "[%s] ",
                    reader->picked[i] ? (ascii ? "x" : "\xE2\x9C\x93") : " ");
        size_t room = reader->width_cols > 8 ? reader->width_cols - 8 : 8;
        size_t fits = text_fit(text, strcspn(text, "\n"), room);
        doc_put(doc, here ? STYLE_TITLE : STYLE_PLAIN, text, fits);
        doc_end_line(doc);
    }
}

static void draw_field(const struct reader *reader, struct area area, bool focused)
{
    int row = area.rows - 1;
    int col = area_text(area, row, 0, look_of(STYLE_TITLE), "your answer: ");
    struct area field = area_part(area, row, col, 1, area.cols - col);
    int width = (int)text_width(reader->answer, strlen(reader->answer));
    int moved = width >= field.cols ? width - field.cols + 1 : 0;
    area_text(field, 0, -moved, look_of(STYLE_PLAIN), reader->answer);
    if (takes_text(reader) && !reader->types && reader->answer[0] == '\0')
        area_text(field, 0, 0, look_of(STYLE_QUIET), "Enter, then type");
    else if (focused)
        area_cursor(field, 0, width - moved);
}

/* All lines of the pane: the page, the options, what was said. */
static void compose(const struct reader *reader, struct doc *all, bool ascii)
{
    doc_append(all, &reader->page, 0);
    if (chooses(reader) || orders(reader)) {
        doc_end_line(all);
        add_options(reader, all, ascii);
    }
    if (is_kind(reader, QUESTION_EXERCISE)) {
        doc_end_line(all);
        doc_line(all, STYLE_TITLE, "%s Enter or o goes to it, Escape comes back.",
                 ascii ? ">" : "\xE2\x96\xB8");
    }
    if (reader->says.n_lines > 0) {
        doc_end_line(all);
        doc_append(all, &reader->says, 0);
    }
}

void reader_draw(const struct reader *reader, struct area area, bool focused, bool ascii)
{
    struct doc all;
    int rows = area.rows - (has_field(reader) ? 2 : 0);
    doc_init(&all);
    compose(reader, &all, ascii);
    area_doc(area_part(area, 0, 0, rows > 0 ? rows : 0, area.cols), &all, reader->scroll, 0);
    if (all.n_lines > reader->scroll + (size_t)(rows > 0 ? rows : 0))
        area_text(area, rows - 1, area.cols - 5, look_of(STYLE_QUIET),
                  ascii ? " more" : " \xE2\x80\xA6 \xE2\x86\x93");
    doc_release(&all);
    if (has_field(reader))
        draw_field(reader, area, focused);
}

/* A click on an option picks it. */
bool reader_click(struct reader *reader, struct area area, int row, int col)
{
    (void)area;
    (void)col;
    if (!chooses(reader) && !orders(reader))
        return false;
    size_t line = reader->scroll + (size_t)row;
    size_t first = reader->page.n_lines + 1;
    if (line < first || line >= first + reader->n_options)
        return false;
    reader->option = line - first;
    if (chooses(reader))
        reader->picked[reader->option] = !reader->picked[reader->option];
    return true;
}
