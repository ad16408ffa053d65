/* The functions of the language. One table feeds calls, help and completion. */
#ifndef ATTN_LANG_BUILTINS_BUILTIN_H
#define ATTN_LANG_BUILTINS_BUILTIN_H

#include "graph/builder.h"
#include "lang/session/eval.h"
#include "tensor/tensor.h"

enum { BUILTIN_MAX_PARAMS = 14 };

struct builtin;

/* One call: its arguments in the order of the parameters, VALUE_ABSENT where none was given. */
struct call {
    struct session *session;
    const struct builtin *builtin;
    struct value args[BUILTIN_MAX_PARAMS]; /* owned by the caller */
    const struct value *rest;              /* arguments of a *parameter */
    size_t n_rest;
    const char *text; /* the call as it was typed, for the graph */
    size_t text_size;
    struct builder builder; /* nodes made on the way */
    struct error *reterr;
};

struct builtin {
    const char *name;
    const char *group; /* heading on the help page */
    /* "name", "name=default" or "*name" (takes the rest), as PyTorch spells them */
    const char *params[BUILTIN_MAX_PARAMS];
    const char *summary; /* one line */
    const char *example; /* lines that run, in a new session */
    bool (*run)(struct call *call, struct value *ret);
};

/* The function of that name, or NULL. */
const struct builtin *builtin_find(const char *name, size_t size);
/* All functions: tables[0..*ret_n_tables), each of sizes[i]. For help and completion. */
const struct builtin *builtin_at(size_t i); /* NULL behind the last */
/* Writes softmax(input, dim=-1). */
void builtin_signature(const struct builtin *builtin, struct text *text);

/* The tables, one a file. */
extern const struct builtin builtins_attention[], builtins_math[], builtins_make[],
    builtins_shape[], builtins_reduce[], builtins_other[];
extern const size_t n_builtins_attention, n_builtins_math, n_builtins_make, n_builtins_shape,
    n_builtins_reduce, n_builtins_other;

/* Reading arguments. Each fills *reterr, naming the function and the parameter, and returns false
 * or NULL when the argument does not fit. */
bool arg_given(const struct call *call, size_t i); /* given, and not None */
struct node *arg_node(struct call *call, size_t i);
struct node *arg_node_or_null(struct call *call, size_t i, bool *ret_ok); /* NULL when not given */
bool arg_number(struct call *call, size_t i, double otherwise, double *ret);
bool arg_whole(struct call *call, size_t i, ptrdiff_t otherwise, ptrdiff_t *ret);
bool arg_size(struct call *call, size_t i, size_t otherwise, size_t *ret); /* not negative */
bool arg_flag(struct call *call, size_t i, bool otherwise, bool *ret);
bool arg_text(struct call *call, size_t i, const struct string **ret);
/* An axis of x. */
bool arg_axis(struct call *call, size_t i, const struct node *x, ptrdiff_t otherwise,
              unsigned *ret);
/* One axis or a list of axes of x, as bits; 0 when not given. */
bool arg_axes(struct call *call, size_t i, const struct node *x, unsigned *ret);
/* Whole numbers: the arguments themselves, or the one list they consist of. At most
 * TENSOR_MAX_AXES of them. */
bool arg_wholes(struct call *call, const struct value *args, size_t n_args,
                ptrdiff_t ret[TENSOR_MAX_AXES], unsigned *ret_n);
/* The same, none negative. */
bool arg_shape(struct call *call, const struct value *args, size_t n_args,
               size_t ret[TENSOR_MAX_AXES], unsigned *ret_n);
bool whole_from(struct call *call, const struct value *value, const char *param, ptrdiff_t *ret);

/* Ends a function: *ret is node, or the builder's failure. */
bool call_result(struct call *call, struct node *node, struct value *ret);
/* Ends a function with a leaf; takes *value over. */
bool call_input(struct call *call, struct tensor *value, struct value *ret);

#endif
