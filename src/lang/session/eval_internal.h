/* The evaluation of one expression, shared by the files eval*.c. */
#ifndef ATTN_LANG_SESSION_EVAL_INTERNAL_H
#define ATTN_LANG_SESSION_EVAL_INTERNAL_H

#include "lang/session/session.h"

/* A name that a list in brackets goes through values with. */
struct scope {
    const struct expr *name;
    struct value value;
    const struct scope *outer;
};

struct evaluation {
    struct session *session;
    const struct function *function; /* whose body is evaluated; NULL: the line itself */
    const struct value *arguments;   /* of its parameters */
    const struct scope *scope;       /* the innermost, or NULL */
    const char *source;              /* what expressions point into */
    bool error_names_function;       /* *reterr says in which function it came up */
    struct error *reterr;
};

/* The value of an expression. The caller releases *ret. */
bool evaluation_run(struct evaluation *e, const struct expr *expr, struct value *ret);

/* eval_names.c */

/* The value of a name: a loop's item, a parameter, or a name of the session; NULL when unknown. */
const struct value *evaluation_find_name(const struct evaluation *e, const struct expr *name);
/* inf, pi, True, None, ...: then *ret_found is set, and it fails only without memory. */
bool evaluation_find_constant(struct evaluation *e, const struct expr *name, struct value *ret,
                              bool *ret_found);
/* ERR_NAME, with what may have been meant. call: the call by that name, or NULL. Returns false. */
bool evaluation_fail_unknown_name(const struct evaluation *e, const struct expr *name,
                                  const struct expr *call);

/* eval_call.c */

/* f(x), x.f(y), torch.f(x) */
bool evaluation_run_call(struct evaluation *e, const struct expr *expr, struct value *ret);
/* x.T, x.shape, torch.pi */
bool evaluation_run_attribute(struct evaluation *e, const struct expr *expr, struct value *ret);

/* A call with values: attn's function, or the session's own, of that name; the last n_keywords of
 * args are given by name. The caller releases *ret. */
bool session_call(struct session *session, const struct string *name, const struct value *args,
                  size_t n, const struct string *const *keywords, size_t n_keywords,
                  struct value *ret, struct error *reterr);

#endif
