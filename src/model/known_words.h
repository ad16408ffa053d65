/* The words that a model of words knows: which of them complete what is typed, and all by kind. */
#ifndef ATTN_MODEL_KNOWN_WORDS_H
#define ATTN_MODEL_KNOWN_WORDS_H

#include <stddef.h>

#include "base/error.h"

struct doc;
struct grammar;
struct model;
struct text;

/* Whether the model's tokens are words with blanks between them, so that its words can be listed;
 * the text of a byte-level model holds no unknown word. */
bool known_words_are_there(const struct model *model);
/* How many words begin with begin[0..size), of which the case does not matter, and the letters with
 * which all of these go on: added to *rest. 0 for a model that is not of words. */
size_t known_words_complete(const struct model *model, const char *begin, size_t size,
                            struct text *rest);
/* Adds the words that begin with begin[0..size), with blanks between them. */
void known_words_list(const struct model *model, const char *begin, size_t size, struct text *text);
/* Adds lines of all words, by the classes of a grammar (or NULL) of which they are: a heading and
 * the words of a class, those of each of its forms by themselves, and at the end the others. */
void known_words_show(const struct model *model, const struct grammar *grammar, size_t width_cols,
                      struct doc *out);

#endif
