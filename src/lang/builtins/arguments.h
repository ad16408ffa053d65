/* Binding arguments to the parameters of a function. Each step fails with ERR_TYPE, what is wrong
 * and the function's signature. */
#ifndef ATTN_LANG_BUILTINS_ARGUMENTS_H
#define ATTN_LANG_BUILTINS_ARGUMENTS_H

#include "lang/builtins/call_internal.h"

/* values[0..n) fill the parameters in order, which take them over; a *parameter takes all that are
 * left, which stay in values. */
bool arguments_bind_positions(struct call *call, struct value *values, size_t n);
/* The parameter that a keyword names, which must not have an argument yet. numpy's keywords are
 * known too. */
bool arguments_find_param(const struct call *call, const char *keyword, size_t size, size_t *ret);
/* Each parameter without a default must have its argument. */
bool arguments_check_required(const struct call *call);
/* Sets the error for arguments that do not fit. Returns false. */
bool arguments_fail(const struct call *call, const char *what);

#endif
