/* What names stand for: tensors (nodes of the graph), texts, lists, functions, objects, None.
 *
 * A struct value owns one share of what it holds; value_share() makes another owner,
 * value_release() gives one up. */
#ifndef ATTN_LANG_VALUE_VALUE_H
#define ATTN_LANG_VALUE_VALUE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "graph/builder.h"

struct doc;
struct graph;
struct index_item;
struct labels;
struct node;
struct statement;
struct function;
struct list;
struct object;
struct string;
struct value;

/* ---- compose ---- */

/* Formulas made of several operations of the graph, each step open to `why` and `trace`.
 *
 * All of them build with a builder (graph/builder.h) and return a node it owns, or NULL. */

/* Row i of the first axis, which is dropped. */
struct node *compose_row(struct builder *builder, struct node *x, size_t i);

/* x again as a node of its own, so that it can be given other labels. */
struct node *compose_same(struct builder *builder, struct node *x);

/* ---- object ---- */

/* Values with parts that are computed when they are asked for, such as a model and what it makes of
 * a text. What kinds there are stands in lang/builtins; the language knows only this table. */

struct object_class {
    const char *name;              /* "model", for messages */
    const char *call;              /* object(...) is this function of the object; NULL: of none */
    const char *const *attributes; /* all names after a dot, ending in NULL: for messages */

    /* object.NAME, one of attributes, number `which`. */
    bool (*attribute)(struct object *object, size_t which, struct graph *graph, struct value *ret,
                      struct error *reterr);
    /* object[items]; NULL: it has no parts. */
    bool (*index)(struct object *object, struct graph *graph, struct index_item *items,
                  size_t n_items, struct value *ret, struct error *reterr);
    /* What it is, in some lines. */
    void (*show)(const struct object *object, struct doc *out);
    /* What it would be if node `from` of it were `to`: another object, or the same, shared. NULL:
     * it never changes. */
    bool (*change)(struct object *object, struct node *from, struct node *to, struct value *ret,
                   struct error *reterr);
    /* What differs between two objects of this class of which one is such a change. */
    bool (*show_change)(struct object *before, struct object *after, int digits, struct doc *out,
                        struct error *reterr);
    /* For an object that a call may change: puts back what it was, which is taken over; and gives
     * up what it was. NULL: it never changes. */
    void (*restore)(struct object *object, void *before);
    void (*forget)(void *before);
    void (*free)(struct object *object);
};

/* The first member of each kind of object. */
struct object {
    size_t n_owners;
    const struct object_class *class;
};

/* Takes the share over; NULL gives VALUE_ABSENT. */
struct value value_object(struct object *object);

/* The object of a value of this class, or NULL. */
struct object *value_as_object(const struct value *value, const struct object_class *class);

/* The number of an attribute, or false. */
bool object_find_attribute(const struct object_class *class, const char *name, size_t size,
                           size_t *ret);

/* ---- thing ---- */

/* What the cells of a notebook keep on the heap: lists, classes, functions, instances and so on.
 * Their room is lang/notebook; here they are only counted. */
struct thing {
    size_t n_owners;
    const struct thing_type *type;
    struct thing *before, *after; /* all things of one notebook, in a ring */
    ptrdiff_t marks;              /* used while things that only name each other are looked for */
};
struct thing_type {
    const char *name; /* as Python names it */
    void (*free)(struct thing *thing);
    /* "the module torch", "a SelfAttention", for messages. */
    void (*describe)(const struct thing *thing, char *text, size_t capacity);
};

enum value_kind {
    VALUE_ABSENT, /* no value: an argument that was not given */
    VALUE_NONE,
    VALUE_BOOL,  /* of cells: whole is 0 or 1 */
    VALUE_INT,   /* of cells */
    VALUE_FLOAT, /* of cells */
    VALUE_THING, /* of cells */
    VALUE_NODE,
    VALUE_STRING,
    VALUE_LIST, /* also tuples: what shape, labels and tokens give */
    VALUE_FUNCTION,
    VALUE_OBJECT, /* see struct object_class */
};

struct value {
    enum value_kind kind;
    union {
        int64_t whole;
        double number;
        struct thing *thing;
        struct node *node;
        struct string *string;
        struct list *list;
        struct function *function;
        struct object *object;
    } as;
};

struct string {
    size_t n_owners;
    uint64_t hash; /* of the bytes, 0 until it was asked for */
    size_t size;
    char bytes[]; /* NUL-terminated after size */
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
