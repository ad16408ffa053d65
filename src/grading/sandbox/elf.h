/* A program as a file. */
#ifndef ATTN_SANDBOX_ELF_H
#define ATTN_SANDBOX_ELF_H

#include <stdbool.h>
#include <stddef.h>

/* The memory that the program at fd takes before its first step: code, constants and variables. 0
 * if that is unknown. */
size_t elf_bytes(int fd);
/* Is the program complete, so that it names no other program to start it? False if that is
 * unknown. */
bool elf_stands_alone(int fd);

#endif
