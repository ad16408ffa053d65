/* A program as a file. */
#ifndef ATTN_SANDBOX_ELF_H
#define ATTN_SANDBOX_ELF_H

#include <stdbool.h>
#include <stddef.h>

/* How much memory the program at fd takes before its first step: code, constants and variables. 0
 * where that can't be told. */
size_t elf_bytes(int fd);
/* Is it whole by itself: a program that names no other one to start it? False where that can't be
 * told. */
bool elf_stands_alone(int fd);

#endif
