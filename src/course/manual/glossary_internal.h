/* Explanations of the field's terms, of the operators, and of attn itself: assets/glossary.yaml,
 * whose head explains its format. */
#ifndef ATTN_MANUAL_GLOSSARY_INTERNAL_H
#define ATTN_MANUAL_GLOSSARY_INTERNAL_H

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
    struct arena arena; /* holds everything below */
    struct glossary_list terms, operators, topics;
};

/* Reads text[0..size), the file at path. ERR_SYNTAX "FILE:LINE: ...": also if the terms are not in
 * alphabetical order, capitals or not, or a name appears twice. */
bool glossary_read(const char *path, const char *text, size_t size, struct glossary *ret,
                   struct error *reterr);

/* Reads the file in the folder that holds assets/. */
bool glossary_open(const char *data_dir, struct glossary *ret, struct error *reterr);
void glossary_release(struct glossary *glossary); /* may be all zero bytes */

/* ---- wording ---- */

/* The words of a question: what counts as a word, its stem, which words carry no meaning, and which
 * mean the same. The last two are data: assets/search.yaml, whose head explains its format. */

enum { WORDING_BYTES = 48 }; /* of a word with its NUL; longer ones are cut */

struct wording_word {
    char text[WORDING_BYTES]; /* in small letters */
    size_t size;
    size_t begin, end; /* its bytes in the text that it was read from */
    bool is_symbol;    /* "@", between blanks */
};

/* Reads the next word at text[*at..size) and moves *at to its end. Words are made of letters,
 * digits and _; ".T" is one, and so are signs between blanks. False at the end. */
bool wording_next(const char *text, size_t size, size_t *at, struct wording_word *ret);

/* Cuts a word to the part that its forms share: multiply, multiplies and multiplying become
 * multipli. A light version of the suffix rules of Porter 1980, "An algorithm for suffix
 * stripping". */
void wording_stem(struct wording_word *word);

struct wording_pair {
    const char *from, *to; /* stems: a question with `from` may mean `to` */
};

struct wording {
    struct arena arena; /* holds everything below */
    char **drop;        /* [n_drop], sorted: words that carry no meaning in a question */
    size_t n_drop, drop_capacity;
    struct wording_pair *same; /* [n_same] */
    size_t n_same, same_capacity;
};

/* Reads text[0..size), the file at path. ERR_SYNTAX "FILE:LINE: ..." */
bool wording_read(const char *path, const char *text, size_t size, struct wording *ret,
                  struct error *reterr);

/* Reads the file in the folder that holds assets/. */
bool wording_open(const char *data_dir, struct wording *ret, struct error *reterr);
void wording_release(struct wording *wording); /* may be all zero bytes */

/* Whether a word, not its stem, carries no meaning: "how", "the". */
bool wording_drops(const struct wording *wording, const char *word);

#endif
