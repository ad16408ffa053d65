/* The tables that builtin_at() goes through, one a file. */
#ifndef ATTN_LANG_BUILTINS_BUILTIN_INTERNAL_H
#define ATTN_LANG_BUILTINS_BUILTIN_INTERNAL_H

#include "lang/builtins/builtin.h"

extern const struct builtin builtins_attention[], builtins_math[], builtins_make[],
    builtins_shape[], builtins_reduce[], builtins_layers[], builtins_other[], builtins_parameters[],
    builtins_model[], builtins_training[], builtins_inspect[];
extern const size_t n_builtins_attention, n_builtins_math, n_builtins_make, n_builtins_shape,
    n_builtins_reduce, n_builtins_layers, n_builtins_other, n_builtins_parameters, n_builtins_model,
    n_builtins_training, n_builtins_inspect;

/* Defines run_NAME as one of several functions that are the same step, each with its own argument:
 * run_tril is triangle() with OP_TRIL. */
#define RUN_WITH(name, step, argument)                           \
    static bool run_##name(struct call *call, struct value *ret) \
    {                                                            \
        return step(call, argument, ret);                        \
    }

#endif
