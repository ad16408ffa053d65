/* Text in Unicode's normal form C, and where each byte of it comes from. */
#ifndef ATTN_FILES_NORMAL_FORM_H
#define ATTN_FILES_NORMAL_FORM_H

#include "base/text.h"

/* Bytes [begin, end) of the original became [to_begin, to_end). */
struct normal_change {
    size_t begin, end, to_begin, to_end;
};

struct normal_form {
    struct text text;
    struct normal_change *changes; /* in order; all else is as it was */
    size_t n_changes, capacity;
};

void normal_form_release(struct normal_form *form); /* may be all zero bytes */
/* The normal form of bytes[0..size), letter by letter with the marks above and below it. Bytes that
 * are not UTF-8, and letters with more than 256 bytes of marks, stay as they are. False without
 * memory. form is empty before. */
bool normal_form_make(struct normal_form *form, const char *bytes, size_t size);
/* The bytes of the original from which [begin, end) of the text come: whole letters, where these
 * changed. */
void normal_form_origin(const struct normal_form *form, size_t *begin, size_t *end);

#endif
