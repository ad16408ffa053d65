/* Arrays in the roles of a reference: see roles_internal.h. */
#include "verify/roles_internal.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum {
    MOST_CASTINGS = 600,
    MOST_TRIED = 200000, /* roles, on all ways to them */
    COST_UNNAMED = 1,    /* of an array whose name says nothing */
    COST_RESULT = 2,     /* of one that has no role, and so may be a result */
    COST_LEFT = 3,       /* of an array that is neither input nor result */
};

/* ---- names ---- */

void roles_plain_name(const char *name, char ret[ROLES_NAME_BYTES])
{
    size_t n = 0;
    for (; *name != '\0' && n + 1 < ROLES_NAME_BYTES; name++)
        ret[n++] = isalnum((unsigned char)*name) ? (char)tolower((unsigned char)*name) : '_';
    ret[n] = '\0';
}

bool roles_name_fits(const struct reference_names *names, const char *plain)
{
    size_t size = strlen(plain);
    for (unsigned i = 0; i < names->n; i++) {
        size_t end = strlen(names->items[i]);
        if (strcmp(names->items[i], plain) == 0 ||
            (end > 1 && size > end && plain[size - end - 1] == '_' &&
             strcmp(plain + size - end, names->items[i]) == 0))
            return true;
    }
    return false;
}

static bool is_result(const struct reference *reference, const char *plain)
{
    for (unsigned i = 0; i < reference->n_results; i++)
        if (roles_name_fits(&reference->results[i].names, plain))
            return true;
    return false;
}

bool roles_name_is_input(const struct reference *reference, const char *plain)
{
    for (unsigned i = 0; i < reference->n_roles; i++)
        if (roles_name_fits(&reference->roles[i].names, plain))
            return true;
    return false;
}

bool roles_name_is_known(const struct reference *reference, const char *plain)
{
    return roles_name_is_input(reference, plain) || is_result(reference, plain);
}

/* ---- shapes ---- */

static struct role_size *find_size(struct casting *casting, const char *name, size_t size)
{
    for (unsigned i = 0; i < casting->n_sizes; i++)
        if (casting->sizes[i].name_size == size && memcmp(casting->sizes[i].name, name, size) == 0)
            return &casting->sizes[i];
    return NULL;
}

size_t casting_size(const struct casting *casting, const char *name)
{
    struct role_size *found = find_size((struct casting *)casting, name, strlen(name));
    return found != NULL ? found->size : 0;
}

static bool unify_size(struct casting *casting, const char *name, size_t name_size, size_t size)
{
    struct role_size *known = find_size(casting, name, name_size);
    if (known != NULL)
        return known->size == size;
    if (casting->n_sizes == ROLES_MAX_SIZES)
        return false;
    casting->sizes[casting->n_sizes++] = (struct role_size){name, name_size, size};
    return true;
}

/* Leading axes may be missing, or 1, in one of two arrays. */
static bool unify_lead(struct casting *casting, unsigned n, const size_t *shape)
{
    unsigned common = n < casting->n_lead ? n : casting->n_lead;
    for (unsigned i = 1; i <= common; i++) {
        size_t *known = &casting->lead[casting->n_lead - i], size = shape[n - i];
        if (*known != size && *known != 1 && size != 1)
            return false;
        *known = size > *known ? size : *known;
    }
    if (n > casting->n_lead) {
        memmove(casting->lead + (n - casting->n_lead), casting->lead,
                casting->n_lead * sizeof *casting->lead);
        memcpy(casting->lead, shape, (n - casting->n_lead) * sizeof *shape);
        casting->n_lead = n;
    }
    return true;
}

static unsigned count_words(const char *shape)
{
    unsigned n = 0;
    for (const char *at = shape; *at != '\0'; at += strspn(at, " ")) {
        at += strcspn(at, " ");
        n++;
    }
    return n;
}

/* The shape of a matrix that is kept as (out, in) counts the other way round. */
static bool unify(struct casting *casting, const struct reference_role *role,
                  const struct tensor *x)
{
    const char *at = role->shape;
    size_t shape[TENSOR_MAX_AXES];
    bool has_lead = strncmp(at, "...", 3) == 0;
    unsigned n_words = count_words(at) - has_lead, n_lead = 0;
    if (x->n_axes < n_words || (!has_lead && x->n_axes != n_words))
        return role->shape[0] == '\0' && tensor_size(x) == 1;
    memcpy(shape, x->shape, x->n_axes * sizeof *shape);
    if (role->turns && casting->turned) {
        shape[0] = x->shape[1];
        shape[1] = x->shape[0];
    }
    if (has_lead) {
        n_lead = x->n_axes - n_words;
        at += 3 + strspn(at + 3, " ");
        if (!unify_lead(casting, n_lead, shape))
            return false;
    }
    for (unsigned i = 0; i < n_words; i++) {
        size_t size = strcspn(at, " ");
        bool is_shared = role->kind == ROLE_MASK && shape[n_lead + i] == 1; /* by all rows */
        if (!is_shared && !unify_size(casting, at, size, shape[n_lead + i]))
            return false;
        at += size + strspn(at + size, " ");
    }
    return true;
}

void casting_shape(const struct casting *casting, const struct reference_role *role,
                   const struct tensor *like, size_t *ret_shape)
{
    bool has_lead = strncmp(role->shape, "...", 3) == 0;
    unsigned n_words = count_words(role->shape) - has_lead;
    const char *at = role->shape + (has_lead ? 3 + strspn(role->shape + 3, " ") : 0);
    memcpy(ret_shape, like->shape, like->n_axes * sizeof *ret_shape);
    for (unsigned i = 0; i < n_words; i++) {
        size_t size = strcspn(at, " ");
        const struct role_size *known = find_size((struct casting *)casting, at, size);
        ret_shape[like->n_axes - n_words + i] = known != NULL ? known->size : 0;
        at += size + strspn(at + size, " ");
    }
    if (role->turns && casting->turned) {
        size_t rows = ret_shape[0];
        ret_shape[0] = ret_shape[1];
        ret_shape[1] = rows;
    }
}

/* ---- numbers ---- */

static bool all(const struct tensor *x, bool (*is)(float number))
{
    for (size_t i = 0, n = tensor_size(x); i < n; i++)
        if (!is(tensor_at_position(x, i)))
            return false;
    return true;
}

static bool is_whole(float number)
{
    return number == floorf(number) && isfinite(number);
}

/* Numbers that masks are made of: 1 and 0, or 0 and minus a large number. */
static bool is_of_mask(float number)
{
    return number == 0 || number == 1 || number <= -1e4F;
}

static bool kind_fits(const struct reference_role *role, const struct tensor *x, bool is_named)
{
    switch (role->kind) {
    case ROLE_MASK:
        return x->is_bool || is_named || all(x, is_of_mask);
    case ROLE_SIZE:
        return tensor_size(x) == 1 && is_whole(tensor_at_position(x, 0)) &&
               tensor_at_position(x, 0) >= 1;
    case ROLE_NUMBER:
        return tensor_size(x) == 1;
    case ROLE_WHOLE:
        return !x->is_bool && all(x, is_whole);
    case ROLE_ARRAY:
        break;
    }
    return !x->is_bool;
}

/* ---- casting ---- */

struct cast {
    const struct reference *reference;
    const struct arrays *arrays;
    const bool *known;
    const struct role_given *given;
    size_t n_given;
    char (*plain)[ROLES_NAME_BYTES]; /* of each array */
    bool *used;
    size_t n_tried;
    struct castings *ret;
    struct error *reterr;
};

/* Has a role that goes by this name no array? */
static bool lacks_role(const struct cast *cast, const struct casting *casting, const char *plain)
{
    for (unsigned i = 0; i < cast->reference->n_roles; i++)
        if (casting->array_of[i] < 0 && roles_name_fits(&cast->reference->roles[i].names, plain))
            return true;
    return false;
}

static void add_rest(const struct cast *cast, struct casting *casting)
{
    for (size_t i = 0; i < cast->arrays->n; i++) {
        const char *plain = cast->plain[i];
        bool named = is_result(cast->reference, plain);
        if (cast->used[i])
            continue;
        casting->n_left += !named && lacks_role(cast, casting, plain);
        casting->cost += named ? 0 : cast->known[i] ? COST_LEFT : COST_RESULT;
    }
}

/* Puts it among the others, after those that cost as much. */
static bool keep(const struct cast *cast, const struct casting *casting)
{
    struct castings *ret = cast->ret;
    struct casting priced = *casting;
    add_rest(cast, &priced);
    if (ret->items == NULL) {
        ret->items = calloc(MOST_CASTINGS + 1, sizeof *ret->items);
        if (ret->items == NULL)
            return error_memory(cast->reterr, "the roles of arrays");
    }
    size_t at = ret->n;
    while (at > 0 && ret->items[at - 1].cost > priced.cost)
        at--;
    if (at == MOST_CASTINGS)
        return true;
    memmove(ret->items + at + 1, ret->items + at, (ret->n - at) * sizeof *ret->items);
    ret->items[at] = priced;
    ret->n += ret->n < MOST_CASTINGS;
    return true;
}

static int given_array(const struct cast *cast, const char *role)
{
    for (size_t i = 0; i < cast->n_given; i++)
        if (strcmp(cast->given[i].role, role) == 0)
            return cast->given[i].array;
    return ROLES_NONE;
}

static bool is_given(const struct cast *cast, size_t array)
{
    for (size_t i = 0; i < cast->n_given; i++)
        if (cast->given[i].array == (int)array)
            return true;
    return false;
}

static bool cast_role(struct cast *cast, const struct casting *casting, unsigned at);

/* The rest of the roles with this array in this one. */
static bool try_array(struct cast *cast, const struct casting *casting, unsigned at, size_t array,
                      unsigned cost)
{
    struct casting next = *casting;
    if (!unify(&next, &cast->reference->roles[at], &cast->arrays->items[array].numbers))
        return true;
    next.array_of[at] = (int)array;
    next.cost += cost;
    cast->used[array] = true;
    bool ok = cast_role(cast, &next, at + 1);
    cast->used[array] = false;
    return ok;
}

/* Can a role be guessed? Single numbers, and arrays that need not be there, need a name. */
static bool may_be_guessed(const struct reference_role *role)
{
    return role->kind == ROLE_MASK || role->turns ||
           (!role->optional && role->kind != ROLE_SIZE && role->kind != ROLE_NUMBER);
}

/* May the array take the role by its name, or without one? An array whose name is that of a role or
 * a result is nothing else. */
static bool may_take(const struct cast *cast, const struct reference_role *role, size_t array,
                     bool named)
{
    const char *plain = cast->plain[array];
    if (cast->used[array] || is_given(cast, array) ||
        (named ? !roles_name_fits(&role->names, plain)
               : !may_be_guessed(role) || cast->known[array]))
        return false;
    return kind_fits(role, &cast->arrays->items[array].numbers, named);
}

/* A letter that stands for something else in the formula is guessed last. */
static unsigned cost_of_guess(const struct cast *cast, size_t array)
{
    return roles_name_is_known(cast->reference, cast->plain[array]) ? COST_LEFT : COST_UNNAMED;
}

static bool cast_role(struct cast *cast, const struct casting *casting, unsigned at)
{
    const struct reference *reference = cast->reference;
    if (at == reference->n_roles)
        return keep(cast, casting);
    if (cast->n_tried++ > MOST_TRIED)
        return true;
    const struct reference_role *role = &reference->roles[at];
    int given = given_array(cast, role->name);
    if (given != ROLES_NONE)
        return try_array(cast, casting, at, (size_t)given, 0);
    size_t n_before = cast->ret->n;
    bool ok = true;
    for (int named = 1; ok && named >= 0 && cast->ret->n == n_before; named--)
        for (size_t i = 0; ok && i < cast->arrays->n; i++)
            if (may_take(cast, role, i, named != 0))
                ok = try_array(cast, casting, at, i, named != 0 ? 0 : cost_of_guess(cast, i));
    if (ok && role->optional) {
        struct casting next = *casting;
        next.array_of[at] = ROLES_NONE;
        ok = cast_role(cast, &next, at + 1);
    }
    return ok;
}

bool roles_cast(const struct reference *reference, const struct arrays *arrays, const bool *known,
                const struct role_given *given, size_t n_given, struct castings *ret,
                struct error *reterr)
{
    struct cast cast = {.reference = reference,
                        .arrays = arrays,
                        .known = known,
                        .given = given,
                        .n_given = n_given,
                        .plain = calloc(arrays->n + 1, sizeof *cast.plain),
                        .used = calloc(arrays->n + 1, sizeof *cast.used),
                        .ret = ret,
                        .reterr = reterr};
    bool turns = false;
    for (unsigned i = 0; i < reference->n_roles; i++)
        turns = turns || reference->roles[i].turns;
    bool ok =
        (cast.plain != NULL && cast.used != NULL) || error_memory(reterr, "the roles of arrays");
    for (size_t i = 0; ok && i < arrays->n; i++)
        roles_plain_name(arrays->items[i].name, cast.plain[i]);
    for (int turned = turns; ok && turned >= 0; turned--) {
        struct casting casting = {.reference = reference, .turned = turned != 0};
        ok = cast_role(&cast, &casting, 0);
    }
    free(cast.plain);
    free(cast.used);
    return ok;
}

void castings_keep_fullest(struct castings *castings)
{
    unsigned fewest = UINT_MAX;
    size_t n = 0;
    for (size_t i = 0; i < castings->n; i++)
        fewest = castings->items[i].n_left < fewest ? castings->items[i].n_left : fewest;
    for (size_t i = 0; i < castings->n; i++)
        if (castings->items[i].n_left == fewest)
            castings->items[n++] = castings->items[i];
    castings->n = n;
}

void castings_release(struct castings *castings)
{
    free(castings->items);
    *castings = (struct castings){.n = 0};
}
