/* A screen as a picture: see screen_svg.h. */
#include "screen_svg.h"

#include <string.h>

/* As in show/svg.c: a column is 0.6 of the letters' height. */
enum {
    FONT_SIZE = 15,
    COL = 9,
    LINE = 20,
    BASELINE = 15, /* from the top of a line down to the foot of its letters */
    PADDING = 16,
    CORNER = 8,
    TEXT_BYTES = 4 * VTERM_MAX_CHARS_PER_CELL + 1, /* of one cell */
};
/* Where the program leaves them to the terminal. */
enum { OWN_BACK = 0x14161F, OWN_FRONT = 0xD8DCE8 };

static int x_of(int col)
{
    return PADDING + col * COL;
}

static int y_of(int row)
{
    return PADDING + row * LINE;
}

static VTermScreenCell cell_at(struct screen *screen, int row, int col)
{
    VTermScreenCell cell;
    vterm_screen_get_cell(screen->cells, (VTermPos){.row = row, .col = col}, &cell);
    return cell;
}

/* Looks. */

/* The 256 colours of xterm (256colres.pl there): behind the first 16 a cube, then greys. The cube
 * of libvterm has other levels. */
static int32_t colour_of_index(int index, int32_t of_terminal)
{
    static const int levels[] = {0x00, 0x5F, 0x87, 0xAF, 0xD7, 0xFF};
    int cube = index - 16, grey = 8 + 10 * (index - 232);
    if (index < 16)
        return of_terminal;
    if (index >= 232)
        return grey << 16 | grey << 8 | grey;
    return levels[cube / 36] << 16 | levels[cube / 6 % 6] << 8 | levels[cube % 6];
}

/* own: where the program leaves it to the terminal. */
static int32_t colour_of(VTermColor colour, int32_t of_terminal, int32_t own)
{
    if (of_terminal < 0)
        return own;
    return VTERM_COLOR_IS_INDEXED(&colour) ? colour_of_index(colour.indexed.idx, of_terminal)
                                           : of_terminal;
}

/* Colours as they are seen, reverse carried out. */
static struct screen_look seen(struct screen *screen, int row, int col)
{
    VTermScreenCell cell = cell_at(screen, row, col);
    struct screen_look look = screen_look(screen, row, col);
    int32_t front = colour_of(cell.fg, look.front, OWN_FRONT);
    int32_t back = colour_of(cell.bg, look.back, OWN_BACK);
    look.front = look.reverse ? back : front;
    look.back = look.reverse ? front : back;
    look.reverse = false;
    return look;
}

static bool same_look(struct screen_look a, struct screen_look b)
{
    return a.front == b.front && a.back == b.back && a.bold == b.bold && a.underline == b.underline;
}

/* The first column behind `col` that looks different. */
static int end_of_run(struct screen *screen, int row, int col)
{
    struct screen_look look = seen(screen, row, col);
    int end = col + 1;
    while (end < screen->cols && same_look(look, seen(screen, row, end)))
        end++;
    return end;
}

static void put_backs(FILE *out, struct screen *screen, int row, int32_t paper)
{
    int end;
    for (int col = 0; col < screen->cols; col = end) {
        int32_t back = seen(screen, row, col).back;
        end = col + 1;
        while (end < screen->cols && seen(screen, row, end).back == back)
            end++;
        if (back != paper)
            fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
                    x_of(col), y_of(row), (end - col) * COL, LINE, (unsigned)back);
    }
}

/* Shapes: lines and blocks. */

enum {
    TO_LEFT = 1,
    TO_RIGHT = 2,
    TO_TOP = 4,
    TO_BOTTOM = 8,
    THICK = 16,
    TWICE = 32,
    DOTTED = 64,
};

/* Lines from the middle of a cell to its edges, by code point. */
static const struct {
    uint32_t code;
    unsigned lines;
} frames[] = {
    {0x2500, TO_LEFT | TO_RIGHT},
    {0x2501, TO_LEFT | TO_RIGHT | THICK},
    {0x2502, TO_TOP | TO_BOTTOM},
    {0x2508, TO_LEFT | TO_RIGHT | DOTTED},
    {0x250C, TO_RIGHT | TO_BOTTOM},
    {0x2510, TO_LEFT | TO_BOTTOM},
    {0x2514, TO_RIGHT | TO_TOP},
    {0x2518, TO_LEFT | TO_TOP},
    {0x251C, TO_RIGHT | TO_TOP | TO_BOTTOM},
    {0x2524, TO_LEFT | TO_TOP | TO_BOTTOM},
    {0x252C, TO_LEFT | TO_RIGHT | TO_BOTTOM},
    {0x2534, TO_LEFT | TO_RIGHT | TO_TOP},
    {0x253C, TO_LEFT | TO_RIGHT | TO_TOP | TO_BOTTOM},
    {0x2550, TO_LEFT | TO_RIGHT | TWICE},
};
enum { N_FRAMES = sizeof frames / sizeof frames[0] };

static unsigned lines_of(uint32_t code)
{
    for (size_t i = 0; i < N_FRAMES; i++)
        if (frames[i].code == code)
            return frames[i].lines;
    return 0;
}

/* The blocks that fill part of a cell, or U+2591 to U+2593 all of it with so many quarters. */
enum { BLOCKS = 0x2580, FULL_BLOCK = 0x2588, RIGHT_HALF = 0x2590, LAST_SHADE = 0x2593 };

static bool is_block(uint32_t code)
{
    return code >= BLOCKS && code <= RIGHT_HALF;
}

static int quarters_of(uint32_t code)
{
    return code > RIGHT_HALF && code <= LAST_SHADE ? (int)(code - RIGHT_HALF) : 0;
}

static bool is_shape(uint32_t code)
{
    return lines_of(code) != 0 || is_block(code) || quarters_of(code) != 0;
}

/* A rectangle as a piece of a path. */
static void put_box(FILE *out, double x, double y, double width, double height)
{
    fprintf(out, "M%g %gh%gv%gh%gz", x, y, width, height, -width);
}

/* So many cells of one block. The eighths count from the bottom, or from the left. */
static void put_block(FILE *out, uint32_t code, int x, int y, int cols)
{
    if (code == BLOCKS)
        put_box(out, x, y, cols * COL, LINE / 2);
    else if (code <= FULL_BLOCK) {
        double height = LINE * (double)(code - BLOCKS) / 8;
        put_box(out, x, y + LINE - height, cols * COL, height);
    } else
        for (int i = 0; i < cols; i++) {
            double width = code == RIGHT_HALF ? COL / 2.0 : COL * (double)(RIGHT_HALF - code) / 8;
            put_box(out, x + i * COL + (code == RIGHT_HALF ? COL - width : 0), y, width, LINE);
        }
}

static void put_across(FILE *out, unsigned lines, int x, int y, int width)
{
    int middle = y + LINE / 2;
    if (lines & DOTTED)
        for (int dot = 1; dot < width; dot += COL / 3)
            put_box(out, x + dot, middle, 1, 1);
    else if (lines & TWICE) {
        put_box(out, x, middle - 2, width, 1);
        put_box(out, x, middle + 1, width, 1);
    } else
        put_box(out, x, lines & THICK ? middle - 1 : middle, width, lines & THICK ? 3 : 1);
}

/* So many cells of one sign of a frame. */
static void put_lines(FILE *out, unsigned lines, int x, int y, int cols)
{
    unsigned across = lines & (TO_LEFT | TO_RIGHT);
    for (int i = 0; i < cols && (lines & (TO_TOP | TO_BOTTOM)); i++) {
        int top = lines & TO_TOP ? y : y + LINE / 2, bottom = lines & TO_BOTTOM ? LINE : LINE / 2;
        put_box(out, x + i * COL + COL / 2, top, 1, y + bottom - top);
    }
    if (across == (TO_LEFT | TO_RIGHT))
        put_across(out, lines, x, y, cols * COL);
    else if (across == TO_LEFT)
        put_across(out, lines, x, y, COL / 2 + 1);
    else if (across == TO_RIGHT)
        put_across(out, lines, x + COL / 2, y, COL - COL / 2);
}

/* Cells. */

static uint32_t code_at(struct screen *screen, int row, int col)
{
    return cell_at(screen, row, col).chars[0];
}

/* How many cells from `col` on, before `end`, hold the same character. */
static int count_same(struct screen *screen, int row, int col, int end)
{
    uint32_t code = code_at(screen, row, col);
    int n = 1;
    while (col + n < end && code_at(screen, row, col + n) == code)
        n++;
    return n;
}

/* All shapes of columns [col, end), which look alike. */
static void put_shapes(FILE *out, struct screen *screen, int row, int col, int end)
{
    bool any = false;
    int32_t front = seen(screen, row, col).front;
    for (int n; col < end; col += n) {
        uint32_t code = code_at(screen, row, col);
        n = count_same(screen, row, col, end);
        if (!is_shape(code) || quarters_of(code) != 0)
            continue;
        if (!any)
            fprintf(out, "<path fill=\"#%06x\" d=\"", (unsigned)front);
        any = true;
        if (is_block(code))
            put_block(out, code, x_of(col), y_of(row), n);
        else
            put_lines(out, lines_of(code), x_of(col), y_of(row), n);
    }
    if (any)
        fputs("\"/>\n", out);
}

static void put_shades(FILE *out, struct screen *screen, int row, int col, int end)
{
    int32_t front = seen(screen, row, col).front;
    for (int n; col < end; col += n) {
        int quarters = quarters_of(code_at(screen, row, col));
        n = count_same(screen, row, col, end);
        if (quarters != 0)
            fprintf(out,
                    "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\" "
                    "fill-opacity=\"%g\"/>\n",
                    x_of(col), y_of(row), n * COL, LINE, (unsigned)front, quarters / 4.0);
    }
}

/* Letters. */

static void put_escaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        default:
            fputc(*text, out);
        }
}

static bool is_letter(uint32_t code)
{
    return code != 0 && code != ' ' && code != UINT32_MAX && !is_shape(code);
}

/* The end of the piece of text that begins at `col`: a word of ASCII letters, or one other
 * character, which may come from another font. */
static int end_of_word(struct screen *screen, int row, int col, int end)
{
    VTermScreenCell cell = cell_at(screen, row, col);
    if (cell.chars[0] > '~')
        return col + (cell.width > 0 ? cell.width : 1);
    uint32_t code;
    do
        code = ++col < end ? code_at(screen, row, col) : 0;
    while (code > ' ' && code <= '~');
    return col;
}

/* The text of columns [col, end), which look alike. */
static void put_text(FILE *out, struct screen *screen, int row, int col, int end)
{
    char text[SCREEN_MAX_COLS * TEXT_BYTES];
    struct screen_look look = seen(screen, row, col);
    bool any = false;
    for (int next; col < end; col = next) {
        next = col + 1;
        if (!is_letter(code_at(screen, row, col)))
            continue;
        next = end_of_word(screen, row, col, end);
        if (!any)
            fprintf(out, "<text y=\"%d\" fill=\"#%06x\"%s>", y_of(row) + BASELINE,
                    (unsigned)look.front, look.bold ? " font-weight=\"bold\"" : "");
        any = true;
        screen_part(screen, row, col, next, text);
        fprintf(out, "<tspan x=\"%d\" textLength=\"%d\">", x_of(col), (next - col) * COL);
        put_escaped(out, text);
        fputs("</tspan>", out);
    }
    if (any)
        fputs("</text>\n", out);
}

/* Under blanks too. */
static void put_underline(FILE *out, struct screen *screen, int row, int col, int end)
{
    struct screen_look look = seen(screen, row, col);
    if (look.underline)
        fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"1\" fill=\"#%06x\"/>\n",
                x_of(col), y_of(row) + BASELINE + 2, (end - col) * COL, (unsigned)look.front);
}

/* All together. */

static void put_row(FILE *out, struct screen *screen, int row, int32_t paper)
{
    int end;
    put_backs(out, screen, row, paper);
    for (int col = 0; col < screen->cols; col = end) {
        end = end_of_run(screen, row, col);
        put_shades(out, screen, row, col, end);
        put_shapes(out, screen, row, col, end);
        put_underline(out, screen, row, col, end);
        put_text(out, screen, row, col, end);
    }
}

static void put_cursor(FILE *out, struct screen *screen)
{
    int row, col;
    screen_cursor(screen, &row, &col);
    if (screen->cursor_visible)
        fprintf(out,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\" "
                "opacity=\"0.6\"/>\n",
                x_of(col), y_of(row), COL, LINE, (unsigned)seen(screen, row, col).front);
}

void screen_svg(struct screen *screen, FILE *out)
{
    int width = 2 * PADDING + screen->cols * COL, height = 2 * PADDING + screen->rows * LINE;
    int32_t paper = seen(screen, 0, 0).back;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"'DejaVu Sans Mono', ui-monospace, Menlo, "
            "Consolas, 'Liberation Mono', monospace\" font-size=\"%d\">\n"
            "<rect width=\"%d\" height=\"%d\" rx=\"%d\" fill=\"#%06x\"/>\n",
            width, height, width, height, FONT_SIZE, width, height, CORNER, (unsigned)paper);
    for (int row = 0; row < screen->rows; row++)
        put_row(out, screen, row, paper);
    put_cursor(out, screen);
    fputs("</svg>\n", out);
}
