/* The C prototype that an exercise asks for. */
#ifndef ATTN_EXERCISE_PROTOTYPE_H
#define ATTN_EXERCISE_PROTOTYPE_H

#include "base/error.h"
#include "base/text.h"

enum { PROTOTYPE_MAX_PARAMS = 16, PROTOTYPE_MAX_NAME = 48 };

enum param_kind { PARAM_SIZE, PARAM_BOOL, PARAM_FLOAT, PARAM_FLOATS, PARAM_BOOLS };

struct param {
    char name[PROTOTYPE_MAX_NAME];
    enum param_kind kind;
    bool constant; /* const T *: only read */
};

struct prototype {
    char function[PROTOTYPE_MAX_NAME];
    bool returns_float; /* else void */
    struct param params[PROTOTYPE_MAX_PARAMS];
    unsigned n_params;
};

/* Reads `void f(size_t n, const float *a, float *b);`: returns float or void, parameters size_t,
 * bool, float, const float *, float *, const bool *. ERR_SYNTAX names the part that does not
 * fit. */
bool prototype_parse(const char *text, struct prototype *ret, struct error *reterr);
bool param_is_pointer(const struct param *param);
/* The index of the parameter of that name, or -1. */
int prototype_param(const struct prototype *prototype, const char *name, size_t size);
/* Adds the header that is included before a learner's first line: the prototype, after the system's
 * headers that it needs. */
void prototype_header(const struct prototype *prototype, struct text *text);

#endif
