/* What names stand for: tensors (nodes of the graph), texts, lists, functions, objects, None.
 *
 * A struct value owns one share of what it holds; value_share() makes another owner,
 * value_release() gives one up. */
#ifndef ATTN_LANG_VALUE_VALUE_H
#define ATTN_LANG_VALUE_VALUE_H

#include "base/arena.h"
#include "base/error.h"

struct labels;
struct node;
struct statement;

enum value_kind {
    VALUE_ABSENT, /* no value: an argument that was not given */
    VALUE_NONE,
    VALUE_NODE,
    VALUE_STRING,
    VALUE_LIST, /* also tuples: what shape, labels and tokens give */
    VALUE_FUNCTION,
    VALUE_OBJECT, /* see object.h */
};

struct value {
    enum value_kind kind;
    union {
        struct node *node;
        struct string *string;
        struct list *list;
        struct function *function;
        struct object *object;
    } as;
};

struct string {
    size_t n_owners;
    size_t size;
    char bytes[]; /* NUL-terminated after size */
};

enum {
    LIST_MAX_DEPTH = 32,      /* lists within lists: releasing one recurses */
    LIST_MAX_ITEMS = 1 << 20, /* through all depths: a list of itself twice, 31 times, has no end */
};

struct list {
    size_t n_owners;
    unsigned depth; /* 1 for a list without lists in it */
    size_t n_all;   /* its items, and those of the lists in it */
    size_t n;
    struct value items[];
};

/* f(x, y) = body: keeps its own copy of the source, and what the parser made of that. */
struct function {
    size_t n_owners;
    struct arena arena;
    char *source;
    struct statement *definition; /* targets: the name, then the parameters */
};

struct value value_node(struct node *node); /* takes the share over; NULL gives VALUE_ABSENT */
bool value_string(const char *bytes, size_t size, struct value *ret, struct error *reterr);
/* A list that shares items[0..n). ERR_LIMIT when lists nest too deep or hold too much. */
bool value_list(const struct value *items, size_t n, struct value *ret, struct error *reterr);
/* A list of the names that labels hold. */
bool value_labels(const struct labels *labels, struct value *ret, struct error *reterr);
/* A function with a copy of the text of its definition, which the caller parses: into its arena,
 * from function->source, to function->definition. */
bool value_function(const char *source, size_t size, struct value *ret, struct error *reterr);

struct value value_share(const struct value *value);
void value_release(struct value *value); /* leaves VALUE_ABSENT */

/* "a 3x3 tensor", "the text \"abc\"", "a list of 3", for messages. Returns text. */
char *value_describe(const struct value *value, char *text, size_t capacity);

#endif
