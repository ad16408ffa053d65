/* The printable letter that stands for each byte in the files of byte-level tokenizers: a visible
 * byte of Latin-1 for itself, every other for the next letter from U+0100 on (a blank is U+0120).
 * Source: openai/gpt-2, src/encoder.py, bytes_to_unicode. */
#ifndef ATTN_FILES_BYTE_LETTERS_H
#define ATTN_FILES_BYTE_LETTERS_H

#include "base/text.h"

/* Adds the letters of bytes[0..size). */
void byte_letters_write(const char *bytes, size_t size, struct text *text);
/* Adds the bytes that these letters stand for. False, and nothing is added, where one of them
 * stands for none. */
bool byte_letters_read(const char *letters, size_t size, struct text *text);

#endif
