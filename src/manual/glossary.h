/* What attn says of the field's terms, of the operators, and of itself: assets/glossary.yaml, whose
 * head tells how it is written. */
#ifndef ATTN_MANUAL_GLOSSARY_H
#define ATTN_MANUAL_GLOSSARY_H

#include "base/arena.h"
#include "base/error.h"

struct glossary_entry {
    char *name;
    char *also;    /* its other names, with commas between them; or NULL */
    char *text;    /* one to three sentences */
    char *example; /* lines of the language that run; or NULL */
    char *lesson;  /* the place that introduces it, ID or ID#STEP; or NULL */
    unsigned line; /* in the file, from 1 */
};

struct glossary_list {
    struct glossary_entry *entries;
    unsigned n;
};

struct glossary {
    struct arena arena; /* all that follows lies there */
    struct glossary_list terms, operators, topics;
};

/* Reads text[0..size), the file at path. ERR_SYNTAX "FILE:LINE: ...": also where the terms are not
 * in the order of the alphabet, capitals or not, or a name stands twice. */
bool glossary_read(const char *path, const char *text, size_t size, struct glossary *ret,
                   struct error *reterr);
/* Reads the file in the folder that holds assets/. */
bool glossary_open(const char *data_dir, struct glossary *ret, struct error *reterr);
void glossary_release(struct glossary *glossary); /* may be all zero bytes */

#endif
