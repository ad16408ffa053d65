/* Pictures of the full screen: runs attn at a terminal of libvterm's, does what a table says, and
 * writes what is then on the screen.
 *
 *   screens TABLE (--svg DIR | --text) [NAME...]
 *
 * The table has a line `NAME ROWSxCOLS ARGUMENT...` for each picture and below it, indented, what
 * is done before it is taken, a step a line: type TEXT            the letters press KEY [TIMES]
 * Enter Tab Escape Backspace Up Down Left Right PageUp PageDown Home End click ROW COL        from
 * 0 wait TEXT, gone TEXT until it is, or is not, on the screen settle               until nothing
 * more comes With --svg each becomes DIR/NAME.svg; with --text all are printed. */
#include "screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 64, MAX_ARGUMENTS = 8, LINE_BYTES = 512, QUIET_MS = 150, LIMIT_MS = 10000 };

/* As in show/svg.c: a column is 0.6 of the letters' height. */
enum { FONT_SIZE = 15, COL = 9, LINE = 20, BASELINE = 15, PADDING = 16, CORNER = 8 };
#define BACKGROUND "#14161f"
#define FOREGROUND "#d8dce8"

struct picture {
    char name[64];
    int rows, cols;
    char arguments_line[LINE_BYTES];
    const char *arguments[MAX_ARGUMENTS + 1];
    char steps[MAX_STEPS][LINE_BYTES];
    size_t n_steps;
};

static void give_up(const char *what, const char *which)
{
    fprintf(stderr, "screens: %s: %s\n", what, which);
    exit(2);
}

/* The table. */

/* "30x100" or "30 100": two whole numbers with one sign between them. */
static bool read_pair(const char *text, int *ret_first, int *ret_second)
{
    char *end;
    long first = strtol(text, &end, 10);
    if (end == text || *end == '\0')
        return false;
    const char *rest = end + 1;
    long second = strtol(rest, &end, 10);
    bool ok =
        end > rest && *end == '\0' && first >= 0 && first <= 1000 && second >= 0 && second <= 1000;
    if (ok) {
        *ret_first = (int)first;
        *ret_second = (int)second;
    }
    return ok;
}

static void read_head(struct picture *picture, char *line)
{
    char *rest = strtok(line, " ");
    *picture = (struct picture){0};
    snprintf(picture->name, sizeof picture->name, "%s", rest);
    char *size = strtok(NULL, " ");
    if (size == NULL || !read_pair(size, &picture->rows, &picture->cols))
        give_up("NAME ROWSxCOLS is wanted", picture->name);
    rest = strtok(NULL, "");
    snprintf(picture->arguments_line, sizeof picture->arguments_line, "%s", rest ? rest : "");
    size_t n = 0;
    for (char *word = strtok(picture->arguments_line, " "); word != NULL && n < MAX_ARGUMENTS;
         word = strtok(NULL, " "))
        picture->arguments[n++] = word;
}

/* The next picture of the file; line holds the one that was read ahead. */
static bool read_picture(FILE *file, char line[LINE_BYTES], struct picture *picture)
{
    while (line[0] == '\0' || line[0] == '#')
        if (fgets(line, LINE_BYTES, file) == NULL)
            return false;
        else
            line[strcspn(line, "\n")] = '\0';
    read_head(picture, line);
    line[0] = '\0';
    while (fgets(line, LINE_BYTES, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != ' ')
            return true;
        if (picture->n_steps == MAX_STEPS)
            give_up("too many steps", picture->name);
        snprintf(picture->steps[picture->n_steps++], LINE_BYTES, "%s", line + strspn(line, " "));
        line[0] = '\0';
    }
    return true;
}

/* Steps. */

static void press(struct screen *screen, const char *what)
{
    static const struct {
        const char *name;
        VTermKey key;
    } keys[] = {
        {"Enter", VTERM_KEY_ENTER},   {"Tab", VTERM_KEY_TAB},
        {"Escape", VTERM_KEY_ESCAPE}, {"Up", VTERM_KEY_UP},
        {"Down", VTERM_KEY_DOWN},     {"Left", VTERM_KEY_LEFT},
        {"Right", VTERM_KEY_RIGHT},   {"Backspace", VTERM_KEY_BACKSPACE},
        {"Home", VTERM_KEY_HOME},     {"End", VTERM_KEY_END},
        {"PageUp", VTERM_KEY_PAGEUP}, {"PageDown", VTERM_KEY_PAGEDOWN},
    };
    size_t size = strcspn(what, " ");
    unsigned times = what[size] != '\0' ? (unsigned)strtoul(what + size, NULL, 10) : 1;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strlen(keys[i].name) == size && strncmp(keys[i].name, what, size) == 0) {
            screen_press_times(screen, keys[i].key, times);
            return;
        }
    give_up("no such key", what);
}

static void do_step(struct screen *screen, const char *step)
{
    const char *rest = strchr(step, ' ');
    rest = rest != NULL ? rest + 1 : "";
    int row = 0, col = 0;
    if (strncmp(step, "type ", 5) == 0)
        screen_type(screen, rest);
    else if (strncmp(step, "press ", 6) == 0)
        press(screen, rest);
    else if (strncmp(step, "wait ", 5) == 0)
        screen_wait(screen, rest);
    else if (strncmp(step, "gone ", 5) == 0)
        screen_wait_gone(screen, rest);
    else if (strncmp(step, "click ", 6) == 0 && read_pair(rest, &row, &col))
        screen_click(screen, row, col);
    else if (strcmp(step, "settle") != 0)
        give_up("no such step", step);
    screen_settle(screen, step[0] == 's' ? QUIET_MS : 30, LIMIT_MS);
}

/* SVG. */

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

static void put_colour(FILE *out, int32_t rgb, const char *own)
{
    if (rgb < 0)
        fputs(own, out);
    else
        fprintf(out, "#%06x", (unsigned)rgb);
}

/* What reverse makes of a look: colours as they are seen. */
static struct screen_look seen(struct screen *screen, int row, int col)
{
    struct screen_look look = screen_look(screen, row, col);
    if (look.reverse) {
        int32_t front = look.front < 0 ? 0xD8DCE8 : look.front;
        look.front = look.back < 0 ? 0x14161F : look.back;
        look.back = front;
        look.reverse = false;
    }
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

static void put_backs(FILE *out, struct screen *screen, int row)
{
    for (int col = 0; col < screen->cols;) {
        int end = end_of_run(screen, row, col);
        int32_t back = seen(screen, row, col).back;
        if (back >= 0)
            fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
                    PADDING + col * COL, PADDING + row * LINE, (end - col) * COL, LINE,
                    (unsigned)back);
        col = end;
    }
}

static void put_run(FILE *out, struct screen *screen, int row, int col, int end)
{
    char text[SCREEN_MAX_COLS * 4 * VTERM_MAX_CHARS_PER_CELL + 1];
    screen_part(screen, row, col, end, text);
    struct screen_look look = seen(screen, row, col);
    if (text[strspn(text, " ")] == '\0')
        return;
    fprintf(out, "<tspan x=\"%d\" textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\" fill=\"",
            PADDING + col * COL, (end - col) * COL);
    put_colour(out, look.front, FOREGROUND);
    fprintf(out, "\"%s%s>", look.bold ? " font-weight=\"bold\"" : "",
            look.underline ? " text-decoration=\"underline\"" : "");
    put_escaped(out, text);
    fputs("</tspan>", out);
}

static void put_row(FILE *out, struct screen *screen, int row)
{
    put_backs(out, screen, row);
    if (screen_row(screen, row)[0] == '\0')
        return;
    fprintf(out, "<text xml:space=\"preserve\" y=\"%d\">", PADDING + row * LINE + BASELINE);
    for (int col = 0; col < screen->cols;) {
        int end = end_of_run(screen, row, col);
        put_run(out, screen, row, col, end);
        col = end;
    }
    fputs("</text>\n", out);
}

static void put_cursor(FILE *out, const struct screen *screen)
{
    int row, col;
    screen_cursor(screen, &row, &col);
    if (screen->cursor_visible)
        fprintf(out,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"" FOREGROUND
                "\" opacity=\"0.6\"/>\n",
                PADDING + col * COL, PADDING + row * LINE, COL, LINE);
}

static void write_svg(struct screen *screen, const struct picture *picture, const char *folder)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.svg", folder, picture->name);
    FILE *out = fopen(path, "w");
    if (out == NULL)
        give_up("it can't be written", path);
    int width = 2 * PADDING + screen->cols * COL, height = 2 * PADDING + screen->rows * LINE;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, "
            "Consolas, monospace\" font-size=\"%d\">\n"
            "<rect width=\"%d\" height=\"%d\" rx=\"%d\" fill=\"" BACKGROUND "\"/>\n",
            width, height, width, height, FONT_SIZE, width, height, CORNER);
    for (int row = 0; row < screen->rows; row++)
        put_row(out, screen, row);
    put_cursor(out, screen);
    fputs("</svg>\n", out);
    if (fclose(out) != 0)
        give_up("it can't be written", path);
    fprintf(stderr, "dev: made %s\n", path);
}

/* All together. */

static void print_text(struct screen *screen, const struct picture *picture)
{
    int row, col;
    screen_cursor(screen, &row, &col);
    char *text = screen_text(screen);
    printf("==== %s %dx%d cursor %d,%d%s\n%s", picture->name, screen->rows, screen->cols, row, col,
           screen->cursor_visible ? "" : " hidden", text);
    free(text);
}

static void take(const struct picture *picture, const char *folder)
{
    static const char *const settings[] = {"TERM=xterm-256color", NULL};
    struct screen screen;
    screen_open(&screen, &(struct screen_options){.rows = picture->rows,
                                                  .cols = picture->cols,
                                                  .settings = settings,
                                                  .arguments = picture->arguments});
    for (size_t i = 0; i < picture->n_steps; i++)
        do_step(&screen, picture->steps[i]);
    screen_settle(&screen, QUIET_MS, LIMIT_MS);
    if (folder != NULL)
        write_svg(&screen, picture, folder);
    else
        print_text(&screen, picture);
    screen_close(&screen);
}

static bool is_wanted(const char *name, int n, char **names)
{
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return n == 0;
}

int main(int argc, char **argv)
{
    bool as_svg = argc > 3 && strcmp(argv[2], "--svg") == 0;
    if (!as_svg && (argc < 3 || strcmp(argv[2], "--text") != 0))
        give_up("usage", "screens TABLE (--svg DIR | --text) [NAME...]");
    int first = as_svg ? 4 : 3;
    FILE *file = fopen(argv[1], "r");
    if (file == NULL)
        give_up("it can't be read", argv[1]);
    char line[LINE_BYTES] = "";
    static struct picture picture;
    while (read_picture(file, line, &picture))
        if (is_wanted(picture.name, argc - first, argv + first))
            take(&picture, as_svg ? argv[3] : NULL);
    fclose(file);
    return 0;
}
