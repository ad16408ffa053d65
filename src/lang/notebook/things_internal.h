/* The values of cells: what stands on the heap, and how it is shared.
 *
 * None, bool, int and float lie in struct value itself. A str is a struct string. All else is a
 * thing: the structs below, whose first member is a struct thing. Owners are counted; a thing whose
 * last owner is gone is freed at once, without recursion. Things that name each other in a ring
 * are found by things_collect(), which the machine calls now and then, and all that is left is
 * freed with the notebook.
 *
 * Ownership: a function takes ownership of the values that it gets by value (struct value x),
 * unless its comment says that they are borrowed; const struct value * is always borrowed. */
#ifndef ATTN_LANG_NOTEBOOK_THINGS_INTERNAL_H
#define ATTN_LANG_NOTEBOOK_THINGS_INTERNAL_H

#include "lang/value/value.h"

struct code;
struct machine;
struct native;
struct table;

/* All things of a notebook, in a ring. */
struct things {
    struct thing ring; /* of no kind; ring.after is the newest */
    size_t n;
    size_t next_collect; /* the number of things at which rings are looked for */
};

/* A tuple with a name of its own: torch.Size([2, 3]), or the results of torch.max(). */
struct tuple_form {
    const char *name;
    const char *fields[3]; /* of its items, or NULL */
};
struct tuple {
    struct thing thing;
    const struct tuple_form *form; /* NULL: a plain one */
    size_t n;
    struct value items[];
};

struct array {
    struct thing thing;
    size_t n, capacity;
    struct value *items;
};

/* A dict in the order of its insertions; a set is one whose values are absent. */
struct entry {
    uint64_t hash;
    struct value key; /* VALUE_ABSENT: it was deleted */
    struct value value;
};
struct table {
    struct thing thing;
    size_t n;         /* entries that are there */
    size_t n_entries; /* with those that were deleted */
    size_t capacity;  /* of entries; places are twice as many, a power of two */
    struct entry *entries;
    int32_t *places; /* of entries by their hash; -1: free, -2: deleted */
};

struct range {
    struct thing thing;
    int64_t start, stop, step;
};
struct slice {
    struct thing thing;
    struct value start, stop, step; /* VALUE_NONE where left out */
};
/* A variable that an inner function uses too. */
struct variable {
    struct thing thing;
    struct value value;
};
struct closure {
    struct thing thing;
    const struct code *code;
    struct value name;        /* str */
    struct value defaults;    /* tuple of the last positional parameters, or ABSENT */
    struct value named;       /* table of keyword-only defaults, or ABSENT */
    struct value doc;         /* str or NONE */
    struct table *attributes; /* f.name, or NULL */
    size_t n_variables;
    struct thing *variables[]; /* struct variable */
};
/* A function of attn's own, and what it is a method of. */
struct builtin_function {
    struct thing thing;
    const struct native *native;
};
struct bound {
    struct thing thing;
    struct value self, function;
};
enum wrapper_kind { WRAPPER_PROPERTY, WRAPPER_STATIC, WRAPPER_CLASS };
struct wrapper {
    struct thing thing;
    enum wrapper_kind kind;
    struct value get, set; /* set: of a property, or ABSENT */
};
struct class
{
    struct thing thing;
    struct value name, module; /* str */
    struct tuple *bases;
    struct array *order; /* of classes in which attributes are looked for; this one first */
    struct table *attributes;
    const struct class *base;   /* the class of attn's own whose values its instances are */
    struct value (*make)(void); /* unused by classes of cells */
    bool is_error;              /* a kind of BaseException */
    bool is_own;                /* of attn: it can't be changed */
    bool has_slots;             /* its instances have the attributes of __slots__ alone */
};
struct instance {
    struct thing thing;
    struct class *class;
    struct table *attributes;
    struct value
        payload;        /* of an error: the tuple of its arguments; of a list, dict, ...: itself */
    struct value trace; /* of an error: the list of places that it came through, or ABSENT */
    bool is_lack;       /* an error because attn does not have what the cell uses */
    uint32_t row;       /* of an error: where it came up in the cell, from 1; 0: nowhere */
};
struct super {
    struct thing thing;
    struct class *after; /* attributes are looked for after it */
    struct value self;
};
enum iterator_kind {
    ITERATE_LIST,
    ITERATE_TUPLE,
    ITERATE_RANGE,
    ITERATE_STR,
    ITERATE_KEYS,
    ITERATE_VALUES,
    ITERATE_ITEMS,
    ITERATE_ENUMERATE,
    ITERATE_ZIP,
    ITERATE_MAP,
    ITERATE_FILTER,
    ITERATE_REVERSED,
    ITERATE_CALL,
    ITERATE_INDEX,
    ITERATE_COUNT,
    ITERATE_CHAIN,
    ITERATE_ISLICE,
    ITERATE_CYCLE,
};
struct iterator {
    struct thing thing;
    enum iterator_kind kind;
    struct value from; /* the values that it goes through; of several: a tuple of iterators */
    struct value also; /* the function of map and filter; the sentinel of iter() */
    int64_t at, stop, step;
    size_t n_seen;
};
/* d.keys(), d.values(), d.items() */
struct view {
    struct thing thing;
    enum iterator_kind kind;
    struct value of;
};
struct module {
    struct thing thing;
    bool is_missing; /* attn does not have it: it refuses when it is used */
    struct value name;
    struct table *attributes;
};
/* A call that waits at a yield. */
struct generator {
    struct thing thing;
    struct frame *frame; /* NULL: it has ended */
    bool is_running;
    struct value result; /* what it returned */
};

/* ---- kinds ---- */

enum thing_id {
    THING_TUPLE,
    THING_LIST,
    THING_DICT,
    THING_SET,
    THING_FROZENSET,
    THING_RANGE,
    THING_SLICE,
    THING_VARIABLE,
    THING_CLOSURE,
    THING_BUILTIN,
    THING_BOUND,
    THING_WRAPPER,
    THING_CLASS,
    THING_INSTANCE,
    THING_SUPER,
    THING_ITERATOR,
    THING_VIEW,
    THING_MODULE,
    THING_GENERATOR,
    THING_TENSOR, /* tensor_internal.h */
    THING_DTYPE,
    THING_STREAM,  /* torch.Generator */
    THING_NDARRAY, /* ndarray_internal.h */
    THING_COUNT,
};
/* visit is called for each value that a thing owns. */
typedef void thing_visit(struct value *value, void *context);
struct type {
    struct thing_type head;
    enum thing_id id;
    size_t size;
};
extern const struct type thing_types[THING_COUNT];

static inline enum thing_id thing_id(const struct thing *thing)
{
    return ((const struct type *)(const void *)thing->type)->id;
}
static inline bool value_is(struct value v, enum thing_id id)
{
    return v.kind == VALUE_THING && v.as.thing->type == &thing_types[id].head;
}
#define THING_AS(type_, value_) ((struct type_ *)(void *)(value_).as.thing)

/* ---- sharing ---- */

static inline struct value value_take(struct value v)
{
    if (v.kind == VALUE_THING)
        v.as.thing->n_owners++;
    else if (v.kind > VALUE_THING)
        (void)value_share(&v);
    return v;
}
static inline void value_drop(struct value v)
{
    if (v.kind < VALUE_THING)
        return;
    value_release(&v);
}
/* *place = v; the old value is dropped afterwards. */
static inline void value_put(struct value *place, struct value v)
{
    struct value before = *place;
    *place = v;
    value_drop(before);
}
static inline struct value value_none(void)
{
    return (struct value){.kind = VALUE_NONE};
}
static inline struct value value_absent(void)
{
    return (struct value){.kind = VALUE_ABSENT};
}
static inline struct value value_bool(bool truth)
{
    return (struct value){.kind = VALUE_BOOL, .as.whole = truth};
}
static inline struct value value_int(int64_t whole)
{
    return (struct value){.kind = VALUE_INT, .as.whole = whole};
}
static inline struct value value_float(double number)
{
    return (struct value){.kind = VALUE_FLOAT, .as.number = number};
}
static inline struct value value_thing(void *thing)
{
    return thing ? (struct value){.kind = VALUE_THING, .as.thing = thing} : value_absent();
}

/* ---- making; all return NULL without memory ---- */

void things_init(struct things *things);
void things_release(struct things *things); /* all of them, whoever names them */
/* Frees things that only things name that are freed too. */
void things_collect(struct things *things);
/* Zero bytes but for the head; extra bytes follow the struct. */
void *thing_new(struct things *things, enum thing_id id, size_t extra);
struct tuple *tuple_new(struct things *things, size_t n); /* of ABSENT */
struct array *array_new(struct things *things, size_t capacity);
bool array_add(struct array *array, struct value v); /* v is dropped on failure */
struct table *table_new(struct things *things, enum thing_id id);

/* ---- tables: keys are found by the machine, which knows == and hash() ---- */

/* Calls same for keys of this hash until it is true; the entry, or NULL. */
typedef bool table_same(void *context, const struct value *key);
struct entry *table_find(const struct table *table, uint64_t hash, table_same *same, void *context);
/* Adds an entry for a key that is not there. */
bool table_add(struct table *table, uint64_t hash, struct value key, struct value value);
void table_delete(struct table *table, struct entry *entry);
void table_clear(struct table *table);
/* By a str that is interned: the same struct string. Borrowed. */
struct entry *table_find_name(const struct table *table, const struct string *name);
bool table_put_name(struct table *table, struct string *name, struct value value);
uint64_t string_hash(struct string *string);

#endif
