/* Pictures of the full screen: runs attn at a terminal of libvterm's, does what a table says, and
 * writes what is then on the screen.
 *
 *   screens TABLE (--svg DIR | --text) [NAME...]
 *
 * The table has a line `NAME ROWSxCOLS ARGUMENT...` for each picture, an argument of several words
 * in single quotes, and below it, indented, what
 * is done before it is taken, a step a line:
 *
 *   type TEXT            the letters
 *   press KEY [TIMES]    Enter Tab Escape Backspace Up Down Left Right PageUp PageDown Home End F1,
 *                        or ^ and a letter
 *   click ROW COL        from 0
 *   wait TEXT            until it is on the screen
 *   gone TEXT            until it is not
 *   settle               until nothing more comes
 *   copy FROM TO         a file of the checkout to a place in the program's home
 *
 * With --svg each becomes DIR/NAME.svg; with --text all are printed. */
#include "screen_svg.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 64, MAX_ARGUMENTS = 8, LINE_BYTES = 512, QUIET_MS = 150, LIMIT_MS = 10000 };
enum { FILE_BYTES = 1 << 16, PATH_BYTES = 4096 };

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

/* Cuts the next argument off, which may stand in single quotes; NULL where there is none. */
static char *next_argument(char **at)
{
    char *argument = *at + strspn(*at, " ");
    char end = *argument == '\'' ? '\'' : ' ';
    if (*argument == '\0')
        return NULL;
    argument += end == '\'';
    *at = argument;
    while (**at != '\0' && **at != end)
        ++*at;
    if (**at != '\0')
        *(*at)++ = '\0';
    return argument;
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
    char *at = picture->arguments_line, *argument;
    while (n < MAX_ARGUMENTS && (argument = next_argument(&at)) != NULL)
        picture->arguments[n++] = argument;
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
        {"Enter", VTERM_KEY_ENTER},    {"Tab", VTERM_KEY_TAB},
        {"Escape", VTERM_KEY_ESCAPE},  {"Up", VTERM_KEY_UP},
        {"Down", VTERM_KEY_DOWN},      {"Left", VTERM_KEY_LEFT},
        {"Right", VTERM_KEY_RIGHT},    {"Backspace", VTERM_KEY_BACKSPACE},
        {"Home", VTERM_KEY_HOME},      {"End", VTERM_KEY_END},
        {"PageUp", VTERM_KEY_PAGEUP},  {"PageDown", VTERM_KEY_PAGEDOWN},
        {"F1", VTERM_KEY_FUNCTION(1)},
    };
    size_t size = strcspn(what, " ");
    if (size == 2 && what[0] == '^') {
        screen_type(screen, (char[]){(char)(what[1] & 0x1f), '\0'});
        return;
    }
    unsigned times = what[size] != '\0' ? (unsigned)strtoul(what + size, NULL, 10) : 1;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strlen(keys[i].name) == size && strncmp(keys[i].name, what, size) == 0) {
            screen_press_times(screen, keys[i].key, times);
            return;
        }
    give_up("no such key", what);
}

/* "FROM TO". */
static void copy(const struct screen *screen, const char *what)
{
    static char bytes[FILE_BYTES];
    char from[PATH_BYTES], to[PATH_BYTES];
    const char *data = getenv("ATTN_DATA_DIR");
    size_t size = strcspn(what, " ");
    snprintf(from, sizeof from, "%s/%.*s", data != NULL ? data : ".", (int)size, what);
    snprintf(to, sizeof to, "%s/%s", screen->home, what + size + strspn(what + size, " "));
    FILE *in = fopen(from, "r"), *out = fopen(to, "w");
    size = in != NULL ? fread(bytes, 1, sizeof bytes, in) : 0;
    if (size == 0 || size == sizeof bytes || out == NULL || fwrite(bytes, 1, size, out) != size ||
        fclose(out) != 0)
        give_up("it can't be copied", what);
    fclose(in);
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
    else if (strncmp(step, "copy ", 5) == 0)
        copy(screen, rest);
    else if (strcmp(step, "settle") != 0)
        give_up("no such step", step);
    screen_settle(screen, step[0] == 's' ? QUIET_MS : 30, LIMIT_MS);
}

/* Pictures. */

static void write_svg(struct screen *screen, const struct picture *picture, const char *folder)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.svg", folder, picture->name);
    FILE *out = fopen(path, "w");
    if (out == NULL)
        give_up("it can't be written", path);
    screen_svg(screen, out);
    if (ferror(out) || fclose(out) != 0)
        give_up("it can't be written", path);
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
    static const char *const settings[] = {"TERM=xterm-256color", "COLORTERM=truecolor", NULL};
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
