/* See painter.h. ncurses would send a frame in hundreds of small pieces, each a call of the system
 * that wakes the terminal, and both colours for every cell; here a frame is one text. */
#include "ui/terminal/painter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ui/terminal/terminal_internal.h"

enum {
    KNOWN_LOOKS = 1024,  /* that are remembered; more take each other's places */
    SEQUENCE_BYTES = 48, /* of a colour: "\e[38;2;255;255;255m" is 19 */
    CLEAR_MIN = 6,       /* blanks at a row's end that are cleared rather than written */
    OWN = -1,            /* a colour: the terminal's own */
};

/* How a look is painted on this terminal in this theme. */
struct known_look {
    bool is_known;
    struct canvas_look look;
    uint8_t marks;
    int front, back; /* by the terminal's numbers */
    char to_front[SEQUENCE_BYTES], to_back[SEQUENCE_BYTES];
};

static const struct {
    uint8_t mark;
    const char *capability;
    int no_colour_bit; /* of ncv: it can't be seen beside colours; see terminfo(5) */
} marks[] = {{MARK_BOLD, "bold", 32},
             {MARK_UNDERLINE, "smul", 2},
             {MARK_REVERSE, "rev", 4},
             {MARK_DIM, "dim", 16}};

struct painter {
    int n_colours;
    bool is_utf8;
    bool spares_last;    /* a letter in the last cell would scroll the screen */
    bool clears_in_back; /* el gives the colour behind the letters that was set */
    bool has_bgr;        /* it knows setf and setb only, which count colours otherwise */
    int no_colour_marks;
    char reset[SEQUENCE_BYTES], clear_end[SEQUENCE_BYTES];
    char to_mark[COUNT_OF(marks)][SEQUENCE_BYTES];
    char *to_place, *to_front, *to_back; /* with arguments; NULL: it has none */

    struct theme theme; /* that the looks are known in */
    struct known_look looks[KNOWN_LOOKS];
};

/* The terminal's current look and cursor. */
struct pen {
    int row, col; /* -1: not known */
    uint8_t marks;
    int front, back;
};

/* ---- the terminal ---- */

static void take_sequence(const char *name, char ret[SEQUENCE_BYTES])
{
    size_t size = 0;
    ret[0] = '\0';
    (void)terminal_add_capability(ret, &size, SEQUENCE_BYTES, terminal_capability(name));
}

/* The first capability that exists, to be freed; NULL with *ok unchanged if neither does. */
static char *copy_capability(const char *name, const char *other, bool *ok)
{
    const char *sequence = terminal_capability(name);
    sequence = sequence == NULL && other != NULL ? terminal_capability(other) : sequence;
    if (sequence == NULL)
        return NULL;
    char *copy = strdup(sequence);
    *ok = *ok && copy != NULL;
    return copy;
}

struct painter *painter_new(int n_colours, bool is_utf8)
{
    struct painter *painter = calloc(1, sizeof *painter);
    if (painter == NULL)
        return NULL;
    bool ok = true;
    int without = tigetnum("ncv");
    painter->n_colours = n_colours;
    painter->is_utf8 = is_utf8;
    painter->spares_last = tigetflag("am") > 0 && tigetflag("xenl") <= 0;
    painter->clears_in_back = tigetflag("bce") > 0;
    painter->has_bgr = terminal_capability("setaf") == NULL;
    take_sequence("sgr0", painter->reset);
    take_sequence("el", painter->clear_end);
    for (size_t i = 0; i < COUNT_OF(marks); i++) {
        take_sequence(marks[i].capability, painter->to_mark[i]);
        if (n_colours > 0 && without > 0 && (without & marks[i].no_colour_bit) != 0)
            painter->no_colour_marks |= marks[i].mark;
    }
    painter->to_place = copy_capability("cup", NULL, &ok);
    painter->to_front = copy_capability("setaf", "setf", &ok);
    painter->to_back = copy_capability("setab", "setb", &ok);
    if (ok)
        return painter;
    painter_free(painter);
    return NULL;
}

void painter_free(struct painter *painter)
{
    if (painter == NULL)
        return;
    free(painter->to_place);
    free(painter->to_front);
    free(painter->to_back);
    free(painter);
}

/* ---- looks ---- */

/* The sequence that sets a colour, without padding; "" for the terminal's own. */
static void write_colour(const struct painter *painter, const char *capability, int colour,
                         char ret[SEQUENCE_BYTES])
{
    size_t size = 0;
    ret[0] = '\0';
    if (capability == NULL || colour < 0)
        return;
    if (painter->has_bgr) /* blue is 1 and red is 4 */
        colour = (colour & ~5) | (colour & 1) << 2 | (colour & 4) >> 2;
    (void)terminal_add_capability(ret, &size, SEQUENCE_BYTES, tparm(capability, colour));
}

static bool same_look(const struct canvas_look *a, const struct canvas_look *b)
{
    return a->style == b->style && a->front == b->front && a->back == b->back &&
           a->marks == b->marks;
}

static const struct known_look *find_look(struct painter *painter, const struct canvas_look *look,
                                          const struct theme *theme)
{
    size_t hash = (size_t)look->style * 31 + (size_t)(look->front + 1) * 257 +
                  (size_t)(look->back + 1) * 7 + (size_t)look->marks * 67;
    struct known_look *known = &painter->looks[hash % KNOWN_LOOKS];
    if (known->is_known && same_look(&known->look, look))
        return known;
    struct paint paint = theme_paint(theme, look);
    bool has_colours = painter->n_colours > 0;
    *known = (struct known_look){.is_known = true, .look = *look, .front = OWN, .back = OWN};
    if (has_colours && painter->to_front != NULL && painter->to_back != NULL) {
        known->front = theme_index(theme, paint.front);
        known->back = theme_index(theme, paint.back);
    }
    bool is_coloured = known->front != OWN || known->back != OWN;
    known->marks = (uint8_t)(paint.marks & ~(is_coloured ? painter->no_colour_marks : 0));
    write_colour(painter, painter->to_front, known->front, known->to_front);
    write_colour(painter, painter->to_back, known->back, known->to_back);
    return known;
}

static void use_theme(struct painter *painter, const struct theme *theme)
{
    const struct theme *old = &painter->theme;
    if (old->id == theme->id && old->palette == theme->palette &&
        old->n_colours == theme->n_colours)
        return;
    painter->theme = *theme;
    memset(painter->looks, 0, sizeof painter->looks);
}

/* ---- cells ---- */

static bool is_blank(const struct canvas_cell *cell)
{
    return cell->bytes[0] == ' ' && cell->bytes[1] == '\0';
}

/* The bytes after the letter are 0 in every cell. */
static bool same_cell(const struct canvas_cell *a, const struct canvas_cell *b)
{
    return memcmp(a->bytes, b->bytes, CANVAS_CELL_BYTES) == 0 && a->cols == b->cols &&
           same_look(&a->look, &b->look);
}

static void reset_pen(const struct painter *painter, struct pen *pen, struct text *out)
{
    if (pen->marks != 0 || pen->front != OWN || pen->back != OWN)
        text_put(out, painter->reset);
    pen->marks = 0;
    pen->front = pen->back = OWN;
}

/* blank: nothing is seen of the colour in front. */
static void set_look(const struct painter *painter, const struct known_look *look, bool blank,
                     struct pen *pen, struct text *out)
{
    bool has_front = !blank || (look->marks & (MARK_UNDERLINE | MARK_REVERSE)) != 0;
    if (look->marks != pen->marks || (look->back == OWN && pen->back != OWN) ||
        (has_front && look->front == OWN && pen->front != OWN)) {
        reset_pen(painter, pen, out);
        for (size_t i = 0; i < COUNT_OF(marks); i++)
            if ((look->marks & marks[i].mark) != 0)
                text_put(out, painter->to_mark[i]);
        pen->marks = look->marks;
    }
    if (has_front && look->front != pen->front) {
        text_put(out, look->to_front);
        pen->front = look->front;
    }
    if (look->back != pen->back) {
        text_put(out, look->to_back);
        pen->back = look->back;
    }
}

static void go_to(const struct painter *painter, int row, int col, struct pen *pen,
                  struct text *out)
{
    if (pen->row == row && pen->col == col)
        return;
    const char *sequence = painter->to_place != NULL ? tparm(painter->to_place, row, col) : NULL;
    if (sequence != NULL)
        text_add(out, sequence, strcspn(sequence, "$")); /* without padding */
    pen->row = row;
    pen->col = col;
}

/* Terminals do not agree on how wide some letters are: after one of those the pen is nowhere. */
static void put_letter(const struct painter *painter, const struct canvas_cell *cell,
                       struct pen *pen, struct text *out)
{
    bool is_ascii = (unsigned char)cell->bytes[0] < 0x80 && cell->bytes[1] == '\0';
    if (is_ascii)
        text_char(out, cell->bytes[0]);
    else if (painter->is_utf8)
        text_put(out, cell->bytes);
    else
        text_put(out, cell->cols == 2 ? "??" : "?");
    pen->col =
        is_ascii || (cell->cols == 1 &&
                     text_character(cell->bytes, CANVAS_CELL_BYTES).size == strlen(cell->bytes))
            ? pen->col + 1
            : -1;
}

/* The column from which on a row is blank, all cells with the look of the last one. */
static int blank_from(const struct canvas_cell *cells, int cols)
{
    int col = cols;
    while (col > 0 && is_blank(&cells[col - 1]) &&
           same_look(&cells[col - 1].look, &cells[cols - 1].look))
        col--;
    return col;
}

/* shown NULL: the terminal was cleared there. */
static void write_row(struct painter *painter, const struct canvas_cell *shown,
                      const struct canvas_cell *now, int row, int cols, struct pen *pen,
                      struct text *out)
{
    int tail = -1; /* not looked for yet */
    for (int col = 0; col < cols; col++) {
        const struct canvas_cell *cell = &now[col];
        if (cell->cols == 0 || (shown != NULL && same_cell(cell, &shown[col])))
            continue;
        const struct known_look *look = find_look(painter, &cell->look, &painter->theme);
        bool blank = is_blank(cell);
        go_to(painter, row, col, pen, out);
        set_look(painter, look, blank, pen, out);
        if (blank && tail < 0)
            tail = blank_from(now, cols);
        if (blank && col >= tail && cols - col >= CLEAR_MIN && painter->clear_end[0] != '\0' &&
            (look->marks & (MARK_UNDERLINE | MARK_REVERSE)) == 0 &&
            (painter->clears_in_back || look->back == OWN)) {
            text_put(out, painter->clear_end);
            return;
        }
        put_letter(painter, cell, pen, out);
    }
}

void painter_write(struct painter *painter, const struct canvas *shown, const struct canvas *now,
                   const struct theme *theme, struct text *out)
{
    struct pen pen = {.row = -1, .col = -1, .front = OWN, .back = OWN};
    use_theme(painter, theme);
    for (int row = 0; row < now->rows; row++) {
        size_t first = (size_t)row * (size_t)now->cols;
        bool is_last = row == now->rows - 1;
        write_row(painter, shown != NULL ? &shown->cells[first] : NULL, &now->cells[first], row,
                  now->cols - (is_last && painter->spares_last), &pen, out);
    }
    reset_pen(painter, &pen, out);
    if (now->cursor_row >= 0)
        go_to(painter, now->cursor_row, now->cursor_col, &pen, out);
}
