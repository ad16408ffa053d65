/* Text that any format can hold: see safe_text.h. */
#include "result/safe_text.h"

#include <stdlib.h>
#include <string.h>

/* "##[error]" and "##vso[...]" are commands to the runners of GitHub and Azure, wherever they stand
 * in a line of a log. */
static bool begins_command(const char *bytes, size_t size)
{
    size_t at = 2;
    if (size < 3 || bytes[0] != '#' || bytes[1] != '#')
        return false;
    while (at < size && bytes[at] >= 'a' && bytes[at] <= 'z')
        at++;
    return at < size && bytes[at] == '[';
}

static void add_safe(struct text *text, const char *bytes, size_t size, const char *kept,
                     bool backslash)
{
    for (size_t at = 0; at < size;) {
        struct text_character character = text_character(bytes + at, size - at);
        bool shown = character.printable && !(backslash && bytes[at] == '\\') &&
                     !begins_command(bytes + at, size - at);
        if (shown || (bytes[at] != '\0' && strchr(kept, bytes[at]) != NULL))
            text_add(text, bytes + at, character.size);
        else
            for (size_t i = at; i < at + character.size; i++)
                text_format(text, "\\x%02x", (unsigned)(unsigned char)bytes[i]);
        at += character.size;
    }
}

void result_safe_text(struct text *text, const char *bytes, size_t size, bool lines)
{
    add_safe(text, bytes, size, lines ? "\n\t" : "", false);
}

char *safe_text_copy(const char *string, const char *kept, bool backslash)
{
    struct text text = {0};
    add_safe(&text, string, strlen(string), kept, backslash);
    text_add(&text, "", 0); /* so that there are bytes */
    char *tight = text.failed ? NULL : realloc(text.bytes, text.size + 1); /* there are many */
    if (tight == NULL)
        free(text.bytes);
    return tight;
}

char *safe_name_copy(const char *name)
{
    char *plain = text_copy_name(name, strlen(name));
    const char *shown = plain != NULL && plain[0] == '\0' ? name : plain;
    char *copy = shown != NULL ? safe_text_copy(shown, "", true) : NULL;
    free(plain);
    return copy;
}

char *result_safe_copy(const char *line)
{
    return safe_text_copy(line, "", false);
}
