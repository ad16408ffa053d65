/* See terminal_internal.h. */
#include "ui/terminal/terminal_internal.h"

#include <stdint.h>
#include <string.h>

const char *terminal_capability(const char *name)
{
    const char *sequence = tigetstr((char *)name);
    return (intptr_t)sequence == -1 ? NULL : sequence;
}

bool terminal_add_capability(char *text, size_t *size, size_t capacity, const char *sequence)
{
    if (sequence == NULL)
        return false;
    size_t more = strcspn(sequence, "$");
    if (*size + more >= capacity)
        return false;
    memcpy(text + *size, sequence, more);
    *size += more;
    text[*size] = '\0';
    return true;
}
