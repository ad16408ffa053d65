/* Values with parts that are computed when they are asked for, such as a model and what it makes of
 * a text. What kinds there are stands in lang/builtins; the language knows only this table. */
#ifndef ATTN_LANG_VALUE_OBJECT_H
#define ATTN_LANG_VALUE_OBJECT_H

#include "lang/value/value.h"

struct doc;
struct graph;
struct index_item;

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

#endif
