/* The settings of a session: how values are shown, and what it may do with files. */
#ifndef ATTN_LANG_BUILTINS_SETTINGS_H
#define ATTN_LANG_BUILTINS_SETTINGS_H

#include "base/error.h"
#include "show/colour.h"

struct show_options;

struct settings {
    int digits;           /* decimals shown, 1 to 9 */
    size_t width_cols;    /* of the lines shown */
    size_t output_cols;   /* of what a lesson's code prints, where that may be wider than the
                           * lesson's prose; 0: as wide */
    size_t extra_lines;   /* that pictures grow by: see struct show_options */
    bool shows_tiny;      /* for a person at a terminal: see struct number_style */
    bool ascii;           /* nothing but ASCII is shown */
    enum colours colours; /* what the back end will paint */
    bool echo;            /* an assignment shows the name's new shape */
    size_t threads;       /* that large work is shared out to; 0: as many as the program may use */
    bool no_files;        /* save and load are refused, as commands and as functions */
    bool no_saves;        /* save does nothing: lines that ran before run again */
};

struct show_options settings_show_options(const struct settings *settings);
/* ERR_FILE, naming `what`, where no_files is set. */
bool settings_allow_files(const struct settings *settings, const char *what, struct error *reterr);

#endif
