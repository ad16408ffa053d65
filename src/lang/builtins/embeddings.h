/* Words and the vectors they come with, from assets/embeddings.txt. */
#ifndef ATTN_LANG_BUILTINS_EMBEDDINGS_H
#define ATTN_LANG_BUILTINS_EMBEDDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum { EMBEDDING_DIM = 3 };

struct embeddings;

/* Reads the table: a word and EMBEDDING_DIM numbers a line, '#' starts a comment. ERR_FILE names
 * the file and the line that is wrong. */
bool embeddings_load(const char *path, struct embeddings **ret, struct error *reterr);
void embeddings_free(struct embeddings *embeddings);
/* The vector of a word: as spelt, else with its first letter in the other case. NULL when unknown.
 */
const float *embeddings_find(const struct embeddings *embeddings, const char *word, size_t size);

/* The next word of a sentence from *at on: letters, digits, and ' or - between them; other signs
 * separate. Sets *ret_word and returns its size, 0 at the end. */
size_t embeddings_next_word(const char *text, size_t size, size_t *at, const char **ret_word);

#endif
