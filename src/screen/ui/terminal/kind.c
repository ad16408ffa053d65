/* See kind.h. */
#include "ui/terminal/kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "ui/terminal/terminal_internal.h"

static struct terminal_kind kind;

static bool is_described(const char *name)
{
    int found;
    if (setupterm((char *)name, STDOUT_FILENO, &found) != OK)
        return false;
    del_curterm(cur_term);
    return true;
}

/* A description that does for a terminal whose own is not on this machine: the first that is, of
 * those that most machines have. NULL for a terminal of no family that is known. */
static const char *find_stand_in(const char *term)
{
    enum family { XTERM, SCREEN };
    static const char *const descriptions[][2] = {
        [XTERM] = {"xterm-256color", "xterm"}, [SCREEN] = {"screen-256color", "screen"}};
    static const struct {
        const char *prefix;
        enum family family;
    } families[] = {
        {"screen", SCREEN}, {"tmux", SCREEN}, {"xterm", XTERM},       {"alacritty", XTERM},
        {"contour", XTERM}, {"foot", XTERM},  {"ghostty", XTERM},     {"gnome", XTERM},
        {"iTerm", XTERM},   {"kitty", XTERM}, {"konsole", XTERM},     {"mintty", XTERM},
        {"mlterm", XTERM},  {"putty", XTERM}, {"rio", XTERM},         {"rxvt", XTERM},
        {"st-", XTERM},     {"vte", XTERM},   {"ms-terminal", XTERM}, {"wezterm", XTERM},
    };
    for (size_t i = 0; i < COUNT_OF(families); i++) {
        if (strncmp(term, families[i].prefix, strlen(families[i].prefix)) != 0)
            continue;
        const char *const *names = descriptions[families[i].family];
        return is_described(names[0]) ? names[0] : is_described(names[1]) ? names[1] : NULL;
    }
    return NULL;
}

const struct terminal_kind *terminal_find_kind(void)
{
    const char *term = getenv("TERM");
    if (kind.is_found || term == NULL || term[0] == '\0' || strcmp(term, "dumb") == 0)
        return &kind;
    kind.is_found = true;
    snprintf(kind.name, sizeof kind.name, "%s", term);
    kind.described_as = is_described(term) ? kind.name : find_stand_in(term);
    if (kind.described_as != NULL && kind.described_as != kind.name)
        (void)setenv("TERM", kind.described_as, 1);
    return &kind;
}
