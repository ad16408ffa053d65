/* See settings.h. */
#include "lang/builtins/settings.h"

#include "show/matrix.h"

struct show_options settings_show_options(const struct settings *settings)
{
    return (struct show_options){.width_cols = settings->width_cols,
                                 .extra_lines = settings->extra_lines,
                                 .digits = settings->digits,
                                 .shows_tiny = settings->shows_tiny,
                                 .ascii = settings->ascii,
                                 .colour = settings->colours != COLOURS_NONE};
}

bool settings_allow_files(const struct settings *settings, const char *what, struct error *reterr)
{
    return !settings->no_files ||
           error_set(reterr, ERR_FILE, "%s: files can't be read or written here", what);
}
