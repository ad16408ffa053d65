/* Patterns over expressions, and their replacements.
 *
 * A pattern is an expression of the language in which names that begin with _ are holes: _x stands
 * for any expression, and for the same words wherever it appears again in the pattern. _rest, as
 * the last argument of a call, stands for all remaining arguments, or none. A hole may be narrowed
 * to names of sizes, names of arrays, or numbers. A name in the expression that an earlier step
 * assigned also matches as that step's expression: softmax(_x / _y) also matches softmax(scaled)
 * after scaled = scores / sqrt(d_k). */
#ifndef ATTN_DIAGNOSE_PATTERN_INTERNAL_H
#define ATTN_DIAGNOSE_PATTERN_INTERNAL_H

#include "base/text.h"
#include "diagnose/formula_internal.h"

enum hole_kind {
    HOLE_ANY,
    HOLE_SIZE,   /* the name of a size, or a whole number */
    HOLE_NAME,   /* the name of an array */
    HOLE_NUMBER, /* a number as it is written */
};

struct hole {
    char *name; /* with its _ */
    enum hole_kind kind;
};

struct pattern {
    const char *text; /* NUL-terminated */
    const struct expr *expr;
    const struct hole *holes; /* those that are not HOLE_ANY */
    size_t n_holes;
};

enum { PATTERN_MAX_HOLES = 12 };

/* The words that the holes stand for. */
struct bindings {
    struct binding {
        const char *name; /* [name_size] */
        size_t name_size;
        const char *text; /* [size] the words; for _rest those of its arguments with commas */
        size_t size;
        bool is_operation; /* it needs brackets beside an operator */
    } items[PATTERN_MAX_HOLES];
    size_t n;
};

/* The place of an expression in a formula. */
struct matched_place {
    const struct formula *formula;
    size_t step; /* the expression is part of this one */
};

/* Parses a pattern; text, holes and arena must live as long as it. */
bool pattern_read(struct arena *arena, const char *text, const struct hole *holes, size_t n_holes,
                  struct pattern *ret, struct error *reterr);
/* Does the expression, which is written in source, match? The bindings borrow from both; those of
 * _rest lie in the arena. Without memory it counts as no match, and *ret_failed is set. */
bool pattern_match(const struct pattern *pattern, const struct matched_place *place,
                   const char *source, const struct expr *expr, struct arena *arena,
                   struct bindings *ret, bool *ret_failed);

/* The next hole of a text from *at on; returns its size, 0 if there are no more. *at moves to its
 * end. */
size_t hole_next(const char *text, size_t *at, const char **ret);
/* The kind to which a hole of this name was narrowed. */
enum hole_kind hole_kind_of(const struct hole *holes, size_t n_holes, const char *name,
                            size_t size);
const struct binding *bindings_find(const struct bindings *bindings, const char *name, size_t size);
/* Binds one more; false when there are too many. */
bool bindings_add(struct bindings *bindings, const struct binding *binding);

/* True if an operator beside text[begin..end) can't take only a part of the operation in it. */
bool stands_alone(const char *text, size_t begin, size_t end);
/* Adds text with each hole replaced by its words, in brackets if it needs them, and without the
 * comma before an empty _rest; a _rest that is not bound is empty. False if a hole is not bound:
 * *ret_missing is its name. */
bool bindings_fill(const struct bindings *bindings, const char *text, struct text *out,
                   const char **ret_missing, size_t *ret_missing_size);

#endif
