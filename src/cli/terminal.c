/* What the terminal can do, and Ctrl-C: see cli.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/array.h"
#include "cli/cli.h"

enum { WIDTH_WITHOUT_TERMINAL = 80, DIGITS = 4 };

volatile sig_atomic_t interrupt_flag;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupt_flag = 1;
}

static void catch_signal(int signal_number)
{
    struct sigaction action = {.sa_handler = on_interrupt}; /* without SA_RESTART: reads return */
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
}

void interrupt_catch(void)
{
    catch_signal(SIGINT);
}

void interrupt_catch_all(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < COUNT_OF(signals); i++) {
        struct sigaction old;
        if (sigaction(signals[i], NULL, &old) != 0 || old.sa_handler != SIG_IGN)
            catch_signal(signals[i]);
    }
}

size_t terminal_width(int fd)
{
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* The first of LC_ALL, LC_CTYPE, LANG that is set names a UTF-8 locale; none set counts as one. */
static bool locale_is_utf8(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < COUNT_OF(variables); i++) {
        const char *value = getenv(variables[i]);
        if (value != NULL && value[0] != '\0')
            return strstr(value, "UTF-8") != NULL || strstr(value, "utf8") != NULL ||
                   strstr(value, "UTF8") != NULL || strstr(value, "utf-8") != NULL;
    }
    return true;
}

static enum colours colours_of_terminal(void)
{
    const char *term = getenv("TERM"), *more = getenv("COLORTERM");
    if (more != NULL && (strcmp(more, "truecolor") == 0 || strcmp(more, "24bit") == 0))
        return COLOURS_TRUE;
    if (term != NULL && strstr(term, "direct") != NULL)
        return COLOURS_TRUE;
    if (term != NULL && strstr(term, "256color") != NULL)
        return COLOURS_256;
    return COLOURS_16;
}

static enum colours colours_for(const struct common_options *options, int fd)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (options->colour == COLOUR_NEVER)
        return COLOURS_NONE;
    if (options->colour == COLOUR_ALWAYS)
        return colours_of_terminal();
    bool unwanted = no_color != NULL && no_color[0] != '\0';
    bool dumb = term == NULL || term[0] == '\0' || strcmp(term, "dumb") == 0;
    return unwanted || dumb || !isatty(fd) ? COLOURS_NONE : colours_of_terminal();
}

struct settings terminal_settings(const struct common_options *options, int fd)
{
    size_t width = terminal_width(fd);
    return (struct settings){.digits = DIGITS,
                             .width_cols = width >= 20 ? width : WIDTH_WITHOUT_TERMINAL,
                             .ascii = options->ascii || !locale_is_utf8(),
                             .colours = colours_for(options, fd)};
}
