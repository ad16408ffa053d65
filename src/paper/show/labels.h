/* The names of the positions along one axis, such as the words of a sentence.
 *
 * Labels never change once made. They are shared by counting owners: the caller of labels_new(),
 * labels_share() or labels_take() gives the pointer back with labels_free(). NULL is a valid struct
 * labels * everywhere here and means "no names". */
#ifndef ATTN_SHOW_LABELS_H
#define ATTN_SHOW_LABELS_H

#include "base/error.h"

struct labels;
struct text;

/* n names, copied; names[i] has sizes[i] bytes, or is NUL-terminated if sizes is NULL. */
bool labels_new(size_t n, const char *const *names, const size_t *sizes, struct labels **ret,
                struct error *reterr);
/* n names, each written to a text by write(about, i, text). */
bool labels_written(size_t n, void (*write)(const void *about, size_t i, struct text *text),
                    const void *about, struct labels **ret, struct error *reterr);
struct labels *labels_share(struct labels *labels); /* the same pointer with one more owner */
void labels_free(struct labels *labels);            /* gives up one owner */

size_t labels_count(const struct labels *labels);
/* Name i < labels_count, NUL-terminated, valid as long as the labels. */
const char *labels_name(const struct labels *labels, size_t i);
/* Position of the first label that equals name[0..size), or labels_count() if no label does. */
size_t labels_find(const struct labels *labels, const char *name, size_t size);
/* Adds name i < labels_count in the form that means this position when it is typed: "the@5" if
 * other positions have the same name. */
void labels_write(const struct labels *labels, size_t i, struct text *text);
/* count labels from start in steps of step: what tensor_slice() does to an axis. */
bool labels_take(struct labels *labels, size_t start, size_t count, ptrdiff_t step,
                 struct labels **ret, struct error *reterr);

#endif
