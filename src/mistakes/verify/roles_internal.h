/* Which array is what? The arrays of a file take the roles of a reference by their names, and by
 * the shapes that fit where names say nothing. */
#ifndef ATTN_VERIFY_ROLES_INTERNAL_H
#define ATTN_VERIFY_ROLES_INTERNAL_H

#include "files/arrays.h"
#include "verify/reference_internal.h"

enum { ROLES_MAX = 32, ROLES_MAX_SIZES = 24, ROLES_NONE = -1 };

struct role_size {
    const char *name; /* [name_size], in the reference */
    size_t name_size, size;
};

/* One way to give the roles of a reference to arrays. */
struct casting {
    const struct reference *reference;
    int array_of[ROLES_MAX]; /* by role; ROLES_NONE */
    bool turned;             /* matrices are (out, in) */
    struct role_size sizes[ROLES_MAX_SIZES];
    unsigned n_sizes;
    unsigned n_lead; /* the axes that "..." stands for in the longest array */
    size_t lead[TENSOR_MAX_AXES];
    unsigned cost;   /* the more of it was guessed, the higher */
    unsigned n_left; /* arrays that have the name of a role and got none */
};

struct castings {
    struct casting *items; /* the cheapest first */
    size_t n, capacity;
};

/* How an array is named for somebody who compares names: lower case, _ between words. */
enum { ROLES_NAME_BYTES = 256 };
void roles_plain_name(const char *name, char ret[ROLES_NAME_BYTES]);
/* Is it one of the names, or does it end in one after a _? */
bool roles_name_fits(const struct reference_names *names, const char *plain);
bool roles_name_is_input(const struct reference *reference, const char *plain);
/* Is the array an input or result of the reference by its name? */
bool roles_name_is_known(const struct reference *reference, const char *plain);

/* A ROLE=ARRAY of whoever asks. */
struct role_given {
    const char *role;
    int array;
};

/* All castings of a reference, the cheapest ones first; no more than some hundred. known[i]: some
 * formula knows the name of array i, so that it takes no role of another name. ERR_MEMORY. */
bool roles_cast(const struct reference *reference, const struct arrays *arrays, const bool *known,
                const struct role_given *given, size_t n_given, struct castings *ret,
                struct error *reterr);
/* Keeps those that leave the fewest arrays with the name of a role out. */
void castings_keep_fullest(struct castings *castings);
void castings_release(struct castings *castings);
/* The size of this name, or 0. */
size_t casting_size(const struct casting *casting, const char *name);
/* The shape [like->n_axes] of an array in this role with the sizes of the casting; the axes that
 * "..." stands for are those of like. */
void casting_shape(const struct casting *casting, const struct reference_role *role,
                   const struct tensor *like, size_t *ret_shape);

#endif
