/* One call of a function: its arguments, how it reads them, and its result. */
#ifndef ATTN_LANG_BUILTINS_CALL_INTERNAL_H
#define ATTN_LANG_BUILTINS_CALL_INTERNAL_H

#include "graph/builder.h"
#include "graph/cost.h"
#include "lang/builtins/builtin.h"
#include "lang/builtins/settings.h"
#include "lang/value/value.h"
#include "tensor/tensor.h"

struct embeddings;
struct object;
struct random;
struct session;

/* All that a function may use besides its arguments. A session makes one for each of its calls. */
/* What a formula took. */
struct formula_measure {
    double seconds;   /* of the fastest run */
    struct cost cost; /* of each run; of a value that is no tensor: nothing */
};

struct call_context {
    const struct settings *settings;
    const char *data_dir;           /* the folder that holds assets/; NULL: there are no assets */
    struct embeddings **embeddings; /* kept by the session, NULL until first used */
    struct text *notes;             /* see notes.h */
    struct text *beside;            /* lines to be shown in place of the value where the call is a
                                     * whole statement; empty when the function is called */
    struct random *random;          /* use call_random() */
    bool *changed;                  /* set by a call that does something worth saving */
    bool in_loop;                   /* the call stands in the body of a loop */
    /* Evaluates the formula in code n_runs times, for the function of that name. */
    bool (*measure_formula)(struct session *session, const char *function,
                            const struct string *code, size_t n_runs, struct formula_measure *ret,
                            struct error *reterr);
    /* What an object was before the call changed it, which is taken over. */
    bool (*remember)(struct session *session, struct object *object, void *before,
                     struct error *reterr);
    struct session *session; /* for these two alone */
};

/* An argument of a **parameter: its value, and its keyword or its text as typed. */
struct named_argument {
    struct value value;
    const char *name;
    size_t name_size;
};

/* The arguments stand in the order of the parameters, VALUE_ABSENT where no argument was given. */
struct call {
    const struct call_context *context;
    const struct builtin *builtin;
    struct value args[BUILTIN_MAX_PARAMS]; /* owned by the caller */
    const struct value *rest;              /* arguments of a *parameter */
    size_t n_rest;
    const struct named_argument *named; /* arguments of a **parameter, all of the call */
    size_t n_named;
    const char *text; /* the call as it was typed, for the graph */
    size_t text_size;
    struct builder builder; /* nodes made on the way, in builder.graph */
    struct error *reterr;
};

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

/* The random stream, from which something will be drawn. */
struct random *call_random(struct call *call);
/* Ends a function: *ret is node, or the failure of call->builder. */
bool call_result(struct call *call, struct node *node, struct value *ret);
/* Ends a function with a leaf; takes *value over. */
bool call_input(struct call *call, struct tensor *value, struct value *ret);

#endif
