/* The names of a tensor's axes, as the learner's own code gives them: the sizes that are unpacked
 * from x.shape, the arguments of view(), comments such as "# (b, h, t, d)".
 *
 * Several tensors share an axis where an operation only moves it or leaves it as it is. So an axis
 * that gets its name late has it everywhere. All axes live in machine->axes as long as the
 * notebook does; what there is no memory for has no name. */
#ifndef ATTN_LANG_NOTEBOOK_AXES_INTERNAL_H
#define ATTN_LANG_NOTEBOOK_AXES_INTERNAL_H

#include "lang/notebook/tensor_internal.h"
#include "lang/syntax/ast.h"

struct observed;

struct axis {
    const char *name; /* NULL: none yet */
    size_t name_size;
    const struct unit *unit; /* whose bytes [begin, end) gave the name */
    size_t begin, end;
    bool is_said; /* by a comment */
};

struct axes {
    unsigned n;
    struct axis *at[TENSOR_MAX_AXES];
};

/* Whether it is this name, or ends with this attribute. */
static inline bool expr_named(const struct expr *expr, const char *word)
{
    return expr != NULL && (expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE) &&
           expr_is_word(expr, word);
}

/* Of a tensor, which has them from then on; NULL without memory. */
struct axes *axes_of(struct machine *m, struct tensor_thing *t);
/* Names axis i of a tensor: in all that share the axis if it has no name yet. */
void axes_name(struct machine *m, struct tensor_thing *t, unsigned i, const char *name, size_t size,
               const struct unit *unit, size_t begin, size_t end, bool is_said);
/* The axes of the result of an operation. */
void axes_follow(struct machine *m, const struct observed *seen, struct value result);
/* "batch, seq, 8": what has no name is its size. */
void axes_write(const struct axes *axes, const struct tensor *x, struct text *out);
/* ---- reading code without running it: source_names.c ---- */

/* Calls visit for each statement of a list, and for those inside of it, in their order, until it
 * returns true; whether it did. */
typedef bool statement_visit(const struct statement *s, void *context);
bool statements_find(const struct statement *first, statement_visit *visit, void *context);
/* The call that gave self.NAME its value, such as nn.Linear(d_model, d_model): in the class of that
 * name, or NULL: in any. */
struct found_call {
    const struct unit *unit;
    const struct statement *statement, *init; /* and the def that it stands in */
    const struct expr *call;
};
bool find_attribute_call(const struct machine *m, const char *class_name, const char *name,
                         size_t size, struct found_call *ret);

#endif
