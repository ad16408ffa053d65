/* A program as a file. */
#ifndef ATTN_GRADER_IMAGE_H
#define ATTN_GRADER_IMAGE_H

#include <stddef.h>

/* How much memory the program at fd takes before its first step: code, constants and variables. 0
 * where that can't be told. */
size_t image_bytes(int fd);

#endif
