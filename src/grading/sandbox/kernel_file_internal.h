/* The short files through which Linux shows and takes settings: those of /proc and of control
 * groups. */
#ifndef ATTN_SANDBOX_KERNEL_FILE_INTERNAL_H
#define ATTN_SANDBOX_KERNEL_FILE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

/* The content of a file as a string of less than capacity bytes; "" if it can't be read. The path
 * is made by a printf format. Returns text. */
char *kernel_file_read(char *text, size_t capacity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Writes the text in one go; false with errno set. */
bool kernel_file_write(const char *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
