/* See find.h. */
#include "ui/terminal/find.h"

#include <string.h>

#include <utf8proc.h>

#include "base/size.h"

enum { NOTE_BYTES = 80, CONTEXT_PART = 3 /* of the rows: those above a place that is gone to */ };

/* ---- the words ---- */

/* Without the blanks at their ends. */
struct words {
    const char *bytes;
    size_t size;
};

static struct words words_of(const struct find *find)
{
    struct words words = {find->field.text, find->field.size};
    while (words.size > 0 && words.bytes[0] == ' ')
        words = (struct words){words.bytes + 1, words.size - 1};
    while (words.size > 0 && words.bytes[words.size - 1] == ' ')
        words.size--;
    return words;
}

/* A small letter, and its size in bytes; a byte that is not UTF-8 is -1. */
static utf8proc_int32_t letter(const char *bytes, size_t size, size_t *ret_size)
{
    utf8proc_int32_t code = -1;
    utf8proc_ssize_t step =
        utf8proc_iterate((const utf8proc_uint8_t *)bytes, (utf8proc_ssize_t)size, &code);
    *ret_size = step > 0 ? (size_t)step : 1;
    return step > 0 ? utf8proc_tolower(code) : -1;
}

/* ---- places in a Doc ---- */

/* Byte `at` of the Doc's text, in a line with bytes [begin, end) of it. */
struct spot {
    size_t line, begin, end, at;
};

static struct spot line_start(const struct doc *doc, size_t line)
{
    const struct span *span;
    size_t n = doc_line_spans(doc, line, &span);
    if (n == 0)
        return (struct spot){.line = line};
    return (struct spot){line, span[0].begin, span[n - 1].end, span[0].begin};
}

static size_t col_of(const struct doc *doc, struct spot spot)
{
    return spot.at > spot.begin ? text_width(doc->text.bytes + spot.begin, spot.at - spot.begin)
                                : 0;
}

static void skip_blanks(const struct doc *doc, struct spot *spot)
{
    while (spot->at < spot->end && doc->text.bytes[spot->at] == ' ')
        spot->at++;
}

/* A blank of the words: blanks, and the end of a line. False: there is neither. */
static bool match_blank(const struct doc *doc, struct spot *spot)
{
    size_t before = spot->at;
    skip_blanks(doc, spot);
    if (spot->at == spot->end && spot->line + 1 < doc->n_lines) {
        *spot = line_start(doc, spot->line + 1);
        skip_blanks(doc, spot);
        return true;
    }
    return spot->at > before;
}

/* Whether the words stand there; *spot is their end then. */
static bool match(const struct doc *doc, struct words words, struct spot *spot)
{
    struct spot to = *spot;
    for (size_t i = 0; i < words.size;) {
        size_t size, size_there;
        if (words.bytes[i] == ' ') {
            while (words.bytes[i] == ' ')
                i++;
            if (!match_blank(doc, &to))
                return false;
            continue;
        }
        if (to.at >= to.end || letter(words.bytes + i, words.size - i, &size) !=
                                   letter(doc->text.bytes + to.at, to.end - to.at, &size_there))
            return false;
        i += size;
        to.at += size_there;
    }
    *spot = to;
    return words.size > 0;
}

/* The next place that begins in the line, from *spot on; *spot then is just after it. */
static bool next_in_line(const struct doc *doc, struct words words, struct spot *spot,
                         struct find_place *ret)
{
    while (spot->at < spot->end) {
        struct spot end = *spot;
        if (match(doc, words, &end)) {
            *ret = (struct find_place){spot->line, col_of(doc, *spot), end.line, col_of(doc, end)};
            spot->at = end.line == spot->line ? end.at : spot->end;
            return true;
        }
        spot->at += text_character(doc->text.bytes + spot->at, spot->end - spot->at).size;
    }
    return false;
}

static bool is_before(struct find_place place, size_t line, size_t col)
{
    return place.line < line || (place.line == line && place.col < col);
}

/* All places of a Doc, seen from one: those before it, and those from it on. */
struct view {
    size_t n, n_before;
    struct find_place first, last, before, after, numbered;
};

/* number: that of the place which is wanted as `numbered`. */
static struct view view_from(const struct doc *doc, struct words words, size_t line, size_t col,
                             size_t number)
{
    struct view view = {.n = 0};
    struct find_place place;
    for (size_t i = 0; words.size > 0 && i < doc->n_lines; i++) {
        struct spot spot = line_start(doc, i);
        while (next_in_line(doc, words, &spot, &place)) {
            if (view.n++ == 0)
                view.first = place;
            view.last = place;
            if (view.n == number)
                view.numbered = place;
            if (is_before(place, line, col)) {
                view.before = place;
                view.n_before++;
            } else if (view.n == view.n_before + 1) {
                view.after = place;
            }
        }
    }
    return view;
}

static bool go_to(struct find *find, struct find_place place, size_t at, size_t n)
{
    find->place = place;
    find->at = at;
    find->n = n;
    find->is_missing = false;
    return true;
}

bool find_look(struct find *find, const struct doc *doc, enum find_reply where, bool wraps)
{
    bool fresh = where == FIND_BEGINS || find->n == 0;
    bool up = where == FIND_BEGINS ? find->goes_up : where == FIND_ABOVE;
    size_t line = find->place.line, col = find->place.col + (up ? 0 : 1);
    if (fresh) {
        line = find->from + (up ? 1 : 0);
        col = 0;
    }
    struct view view = view_from(doc, words_of(find), line, col, 0);
    if (up && view.n_before > 0)
        return go_to(find, view.before, view.n_before, view.n);
    if (!up && view.n > view.n_before)
        return go_to(find, view.after, view.n_before + 1, view.n);
    if (!wraps || view.n == 0)
        return false;
    return up ? go_to(find, view.last, view.n, view.n) : go_to(find, view.first, 1, view.n);
}

bool find_look_around(struct find *find, const struct doc *doc, enum find_reply where)
{
    if (find_look(find, doc, where, true))
        return true;
    if (words_of(find).size > 0)
        find_miss(find);
    return false;
}

bool find_look_again(struct find *find, const struct doc *doc)
{
    if (!find_is_open(find) || find->n == 0)
        return false;
    struct view view = view_from(doc, words_of(find), 0, 0, find->at);
    if (view.n == 0) {
        find_miss(find);
        return false;
    }
    return find->at <= view.n ? go_to(find, view.numbered, find->at, view.n)
                              : go_to(find, view.last, view.n, view.n);
}

void find_miss(struct find *find)
{
    find->n = 0;
    find->is_missing = true;
    if (find->state == FIND_WALKS)
        find->state = FIND_TYPES;
}

bool find_is_in(const struct find *find, const struct doc *doc)
{
    return view_from(doc, words_of(find), 0, 0, 0).n > 0;
}

size_t find_scroll(size_t line, size_t first, size_t seen, size_t n)
{
    if (line < first || line >= first + seen)
        first = line > seen / CONTEXT_PART ? line - seen / CONTEXT_PART : 0;
    return n > seen ? size_min(first, n - seen) : 0;
}

/* ---- keys ---- */

void find_open(struct find *find, size_t from, bool goes_up)
{
    *find = (struct find){.state = FIND_TYPES, .from = from, .goes_up = goes_up};
}

bool find_is_open(const struct find *find)
{
    return find->state != FIND_CLOSED;
}

bool find_close(struct find *find)
{
    bool was_open = find_is_open(find);
    *find = (struct find){.state = FIND_CLOSED};
    return was_open;
}

bool find_clear(struct find *find)
{
    bool had_words = find->state == FIND_TYPES && field_clear(&find->field);
    if (had_words) {
        find->n = 0;
        find->is_missing = false;
    }
    return had_words;
}

bool find_types(const struct find *find)
{
    return find->state == FIND_TYPES;
}

static enum find_reply type(struct find *find, int key)
{
    enum field_change change = field_key(&find->field, key);
    if (change == FIELD_IGNORED)
        return FIND_IGNORES;
    find->state = FIND_TYPES;
    if (change == FIELD_KEPT)
        return FIND_KEEPS;
    find->n = 0;
    find->is_missing = false;
    return FIND_BEGINS;
}

/* The place that typing showed already, or the next one. */
static enum find_reply take(struct find *find)
{
    if (words_of(find).size == 0) {
        find_close(find);
        return FIND_KEEPS;
    }
    bool is_shown = find->state == FIND_TYPES && find->n > 0;
    find->state = FIND_WALKS;
    return is_shown ? FIND_KEEPS : find->goes_up ? FIND_ABOVE : FIND_BELOW;
}

enum find_reply find_key(struct find *find, int key)
{
    bool walks = find->state == FIND_WALKS;
    if (key == KEYCODE_ESCAPE) {
        find_close(find);
        return FIND_KEEPS;
    }
    if (key == KEYCODE_ENTER || (walks && key == 'n'))
        return take(find);
    if (walks && key == 'N')
        return find->goes_up ? FIND_BELOW : FIND_ABOVE;
    if (walks && key == '/') {
        find->state = FIND_TYPES;
        find->field.is_chosen = true;
        return FIND_KEEPS;
    }
    if (!walks && (key == KEYCODE_UP || key == KEYCODE_DOWN))
        return key == KEYCODE_UP ? FIND_ABOVE : FIND_BELOW;
    return walks && key != KEYCODE_BACKSPACE ? FIND_IGNORES : type(find, key);
}

static const struct binding typing_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "go there", NULL},
    {KEYCODE_UP, REQ_UP, "place above", NULL},
    {KEYCODE_DOWN, REQ_DOWN, "place below", NULL},
    {KEYCODE_ESCAPE, REQ_CLOSE, "clear, close", NULL},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

static const struct binding down_bindings[] = {
    {'n', REQ_DOWN, "next place", NULL},  {'N', REQ_UP, "place before", NULL},
    {'/', REQ_FIND, "other words", NULL}, {KEYCODE_ESCAPE, REQ_CLOSE, "close", NULL},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

static const struct binding up_bindings[] = {
    {'n', REQ_UP, "place above", NULL},   {'N', REQ_DOWN, "place below", NULL},
    {'/', REQ_FIND, "other words", NULL}, {KEYCODE_ESCAPE, REQ_CLOSE, "close", NULL},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

const struct binding *find_bindings(const struct find *find)
{
    if (find->state == FIND_WALKS)
        return find->goes_up ? up_bindings : down_bindings;
    return typing_bindings;
}

/* ---- drawing ---- */

/* The part of a place that is in a line, and its column, without the blanks that the line begins
 * with. */
static bool part_in_line(const struct doc *doc, struct find_place place, size_t line,
                         size_t *ret_col, size_t *ret_end)
{
    struct spot start = line_start(doc, line);
    if (place.line > line || place.end_line < line)
        return false;
    skip_blanks(doc, &start);
    *ret_col = place.line == line ? place.col : col_of(doc, start);
    *ret_end = place.end_line == line ? place.end_col : doc_line_width(doc, line);
    return *ret_col < *ret_end;
}

static void mark_part(struct area row, size_t first_col, size_t from, size_t end, bool is_here)
{
    size_t begin = size_max(from, first_col), stop = size_min(end, first_col + (size_t)row.cols);
    if (begin >= stop)
        return;
    int at = (int)(begin - first_col), cols = (int)(stop - begin);
    area_mark(row, 0, at, cols, MARK_REVERSE);
    if (is_here) {
        area_choose(row, 0, at, cols);
        area_mark(row, 0, at, cols, MARK_BOLD | MARK_UNDERLINE);
    }
}

void find_mark_row(const struct find *find, const struct doc *doc, size_t line, size_t col,
                   struct area row)
{
    struct words words = words_of(find);
    struct find_place place;
    size_t n_blanks = 0, begin, end; /* a place can go on into this many lines */
    if (!find_is_open(find) || words.size == 0 || line >= doc->n_lines || row.rows < 1 ||
        row.cols < 1)
        return;
    for (size_t i = 0; i < words.size; i++)
        n_blanks += words.bytes[i] == ' ';
    for (size_t from = line - size_min(line, n_blanks); from <= line; from++) {
        struct spot spot = line_start(doc, from);
        while (next_in_line(doc, words, &spot, &place))
            if (part_in_line(doc, place, line, &begin, &end))
                mark_part(row, col, begin, end,
                          find->n > 0 && place.line == find->place.line &&
                              place.col == find->place.col);
    }
}

void find_mark(const struct find *find, const struct doc *doc, size_t first, size_t col,
               struct area area)
{
    for (int row = 0; row < area.rows; row++)
        find_mark_row(find, doc, first + (size_t)row, col, area_part(area, row, 0, 1, area.cols));
}

void find_draw_field(const struct field *field, struct area row, const char *quiet, bool focused)
{
    int col = area_text(row, 0, 0, look_of(STYLE_TITLE), "find: ");
    field_draw(field, area_part(row, 0, col, 1, row.cols - col), quiet, focused);
}

void find_draw(const struct find *find, struct area row, const char *quiet, const char *counted,
               const char *missing, bool focused)
{
    struct text note = {0};
    if (!find_is_open(find))
        return;
    if (find->is_missing)
        text_put(&note, missing);
    else if (find->n > 0)
        text_format(&note, "%zu of %zu%s", find->at, find->n, counted);
    int cols = (int)text_width(text_string(&note), note.size), end = row.cols;
    area_fill(row, look_of(STYLE_PLAIN));
    if (cols > 0) {
        end -= cols + 1;
        area_text(row, 0, end, look_of(find->is_missing ? STYLE_NOTE : STYLE_QUIET),
                  text_string(&note));
    }
    find_draw_field(&find->field, area_part(row, 0, 0, 1, end - (cols > 0)), quiet,
                    focused && find_types(find));
    text_release(&note);
}
