/* The header for SHOW: see show_header.h. */
#include "exercise/show_header.h"

#include <string.h>

#include "exercise/show_text.h" /* show_text: the lines of attn_show.h */

void show_header(enum show_use use, struct text *text)
{
    static const char *const before[] = {[SHOW_PRINTS] = "",
                                         [SHOW_TO_RUNNER] = "#define ATTN_SHOW_TO_RUNNER\n",
                                         [SHOW_NOTHING] = "#define ATTN_SHOW_NOTHING\n"};
    text_put(text, before[use]);
    for (size_t i = 0; show_text[i] != NULL; i++)
        text_put(text, show_text[i]);
}

bool show_is_asked(const char *source, size_t size)
{
    const size_t n = sizeof SHOW_HEADER_FILE - 1;
    for (size_t i = 0; i + n <= size; i++)
        if (memcmp(source + i, SHOW_HEADER_FILE, n) == 0)
            return true;
    return false;
}
