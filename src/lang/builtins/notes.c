/* See notes.h. */
#include "lang/builtins/notes.h"

#include <string.h>

void notes_add(struct text *notes, const char *format, ...)
{
    struct text note = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vformat(&note, format, arguments);
    va_end(arguments);
    text_char(&note, '\n');
    const char *all = text_string(notes), *at = all;
    while ((at = strstr(at, text_string(&note))) != NULL && at > all && at[-1] != '\n')
        at++;
    if (note.failed)
        notes->failed = true;
    else if (at == NULL)
        text_add(notes, note.bytes, note.size);
    text_release(&note);
}
