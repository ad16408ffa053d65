/* What the terminal can do, and Ctrl-C: see cli.h. */
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/array.h"
#include "cli/cli.h"

enum { WIDTH_WITHOUT_TERMINAL = 80, DIGITS = 4 };

volatile sig_atomic_t interrupt_flag;

static void on_interrupt(int signal_number)
{
    interrupt_flag = signal_number;
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

void end_by_signal(int number)
{
    sigset_t only;
    if (number == 0)
        return;
    (void)fflush(stdout);
    sigemptyset(&only);
    sigaddset(&only, number);
    signal(number, SIG_DFL);
    (void)raise(number);
    (void)sigprocmask(SIG_UNBLOCK, &only, NULL);
}

size_t terminal_width(int fd)
{
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* ---- letters ---- */

static struct {
    bool is_utf8;
    char found[240]; /* what terminal_locale() returns */
} letters;

/* The variable that names the locale of letters, of those that are set and not empty, and in
 * *ret_value its value; NULL where none is. */
static const char *locale_variable(const char **ret_value)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < COUNT_OF(variables); i++) {
        *ret_value = getenv(variables[i]);
        if (*ret_value != NULL && (*ret_value)[0] != '\0')
            return variables[i];
    }
    *ret_value = "";
    return NULL;
}

/* Whether the name of a locale ends in an encoding other than UTF-8: "de_DE.ISO-8859-1". */
static bool names_other_encoding(const char *locale)
{
    const char *encoding = strchr(locale, '.');
    return encoding != NULL && strncasecmp(encoding, ".utf-8", 6) != 0 &&
           strncasecmp(encoding, ".utf8", 5) != 0;
}

/* Sets the locale of letters; false, with the locale as it was, where the machine does not have it
 * or where it is not UTF-8. */
static bool use_utf8_locale(const char *locale)
{
    const char *codeset = setlocale(LC_CTYPE, locale) != NULL ? nl_langinfo(CODESET) : "";
    if (strcmp(codeset, "UTF-8") == 0 || strcmp(codeset, "utf8") == 0)
        return true;
    (void)setlocale(LC_CTYPE, "C");
    return false;
}

void terminal_choose_locale(void)
{
    static const char *const others[] = {"C.UTF-8", "C.utf8", "en_US.UTF-8", "UTF-8"};
    const char *value, *variable = locale_variable(&value);
    bool exists = setlocale(LC_CTYPE, "") != NULL;
    char reason[120] = "no locale is set";
    if (variable != NULL)
        snprintf(reason, sizeof reason, "%s=%.60s%s", variable, value,
                 exists ? "" : " is not installed on this machine");
    letters.is_utf8 = use_utf8_locale("");
    if (letters.is_utf8 && variable != NULL) {
        snprintf(letters.found, sizeof letters.found, "%s, as %s says", value, variable);
        return;
    }
    bool is_chosen = variable != NULL && (exists || names_other_encoding(value));
    for (size_t i = 0; !letters.is_utf8 && !is_chosen && i < COUNT_OF(others); i++) {
        letters.is_utf8 = use_utf8_locale(others[i]);
        /* Readline and the programs that attn starts are to come to the same answer. */
        if (letters.is_utf8)
            (void)setenv(exists || strcmp(variable, "LC_ALL") != 0 ? "LC_CTYPE" : "LC_ALL",
                         others[i], 1);
    }
    snprintf(letters.found, sizeof letters.found, "%s: %s", setlocale(LC_CTYPE, NULL), reason);
}

bool terminal_has_unicode(void)
{
    return letters.is_utf8;
}

const char *terminal_locale(void)
{
    return letters.found;
}

/* ---- colours ---- */

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
                             .shows_tiny = isatty(fd),
                             .ascii = options->ascii || !letters.is_utf8,
                             .colours = colours_for(options, fd)};
}
