/* How the arrays of a dump are read: the formula of a reading, its results, and all readings: see
 * dump_internal.h. */
#include "verify/dump_internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "verify/difference_internal.h"
#include "verify/verify_internal.h"

enum {
    MOST_READINGS = 20000,
    MOST_EMPTY = 2, /* readings of a casting without results, before it is given up */
    COST_MORE = 8,  /* than the likeliest casting, of others that are tried */
    HALF_BITS = 16,
};

/* What numbers may be off by for each unit of the largest score, whose last digit softmax turns
 * into a share of the weights. Numbers of 16 bits keep a thousandth of these digits. */
static const double SCORE_TOLERANCE = 1e-6, SCORE_MAX = 1000, HALF = 300;

/* Multiplications that all readings may take, and about how many each takes besides those that each
 * number of the file brings. */
static const double READING_MAX_WORK = 2e9, READING_WORK = 2e6, WORK_OF_NUMBER = 64;

/* How programs keep the value of a step; of_heads: only where there are some. */
static const struct layout {
    const char *before, *after;
    bool of_heads;
} layouts[] = {{"", "", false},
               {"", ".transpose(-3, -2)", false},
               {"merge_heads(", ")", true},
               {"split_heads(", ", n_heads)", true},
               {"split_heads(", ", n_heads).transpose(-3, -2)", true},
               {"mean(", ", dim=-3)", true}};

/* ---- the formula of a reading ---- */

/* A flag may stand with a word, FLAG:WORD, that the name of an input must have. */
static bool is_flag(const char *flag, const char *name)
{
    size_t size = strcspn(flag, ":");
    return strlen(name) == size && memcmp(flag, name, size) == 0;
}

bool reading_has_flag(const struct reading *reading, const char *name)
{
    const struct reference_names *flags = &reading->casting->reference->flags;
    for (unsigned i = 0; i < flags->n; i++)
        if (is_flag(flags->items[i], name))
            return reading->flags >> i & 1;
    return false;
}

static bool inputs_have_word(const struct dump *dump, const struct casting *casting,
                             const char *word)
{
    for (unsigned i = 0; i < casting->reference->n_roles; i++) {
        char plain[ROLES_NAME_BYTES];
        if (casting->array_of[i] < 0)
            continue;
        roles_plain_name(dump->arrays->items[casting->array_of[i]].name, plain);
        if (strstr(plain, word) != NULL)
            return true;
    }
    return false;
}

/* May these flags be set together? */
static bool flags_fit(const struct dump *dump, const struct reading *reading)
{
    const struct reference_names *flags = &reading->casting->reference->flags;
    for (unsigned i = 0; i < flags->n; i++) {
        const char *word = strchr(flags->items[i], ':');
        if ((reading->flags >> i & 1) && word != NULL &&
            !inputs_have_word(dump, reading->casting, word + 1))
            return false;
    }
    return !reading_has_flag(reading, "pairs") || reading_has_flag(reading, "rotated");
}

const struct tensor *reading_role(const struct dump *dump, const struct reading *reading,
                                  const char *name)
{
    const struct reference *reference = reading->casting->reference;
    for (unsigned i = 0; i < reference->n_roles; i++)
        if (strcmp(reference->roles[i].name, name) == 0 && reading->casting->array_of[i] >= 0)
            return &dump->arrays->items[reading->casting->array_of[i]].numbers;
    return NULL;
}

/* A mask of -inf and 0, or of 1 and 0, hides; another one is added. */
static bool mask_hides(const struct tensor *mask)
{
    if (mask->is_bool)
        return true;
    bool ones = false, large = false;
    for (size_t i = 0, n = tensor_size(mask); i < n; i++) {
        float number = tensor_at_position(mask, i);
        ones = ones || number == 1;
        large = large || number <= -1e4F;
        if (number != 0 && number != 1 && number > -1e4F)
            return false;
    }
    return ones != large;
}

/* True where the mask lets a query attend. */
static bool mask_as_bool(const struct tensor *mask, bool turned, struct tensor *ret,
                         struct error *reterr)
{
    if (!tensor_copy(mask, ret, reterr))
        return false;
    bool added = false;
    for (size_t i = 0, n = tensor_size(mask); i < n; i++)
        added = added || tensor_at_position(mask, i) < 0;
    for (size_t i = 0, n = tensor_size(mask); i < n; i++) {
        bool visible = added ? ret->data[i] == 0 : ret->data[i] != 0;
        ret->data[i] = visible != turned ? 1 : 0;
    }
    ret->is_bool = true;
    return true;
}

/* Is this word a name that the formula of the reading has before its first step? */
static bool is_there(const struct dump *dump, const struct reading *reading, const char *word)
{
    const struct tensor *mask = reading_role(dump, reading, "mask");
    bool hides = mask != NULL && mask_hides(mask);
    if (strcmp(word, "hides") == 0)
        return hides;
    if (strcmp(word, "bias") == 0 && reading->casting->reference->flags.n > 0 && mask != NULL)
        return !hides;
    if (strcmp(word, "masked") == 0)
        return mask != NULL || reading_has_flag(reading, "causal");
    if (strcmp(word, "grouped") == 0)
        return casting_size(reading->casting, "d_keys") != casting_size(reading->casting, "d_attn");
    if (strcmp(word, "scale") == 0 && dump->given->has_scale)
        return true;
    return reading_role(dump, reading, word) != NULL || reading_has_flag(reading, word);
}

static bool step_counts(const struct dump *dump, const struct reading *reading,
                        const struct reference_step *step)
{
    for (unsigned i = 0; i < step->with.n; i++)
        if (!is_there(dump, reading, step->with.items[i]))
            return false;
    for (unsigned i = 0; i < step->without.n; i++)
        if (is_there(dump, reading, step->without.items[i]))
            return false;
    return true;
}

static bool bind_role(const struct dump *dump, const struct reading *reading, unsigned at,
                      struct question *question)
{
    const struct reference_role *role = &reading->casting->reference->roles[at];
    const struct tensor *x = &dump->arrays->items[reading->casting->array_of[at]].numbers;
    struct tensor bound;
    switch (role->kind) {
    case ROLE_SIZE:
        return true; /* n_heads is bound as a size */
    case ROLE_NUMBER:
        return question_bind_number(question, role->name, false, (double)tensor_at_position(x, 0));
    case ROLE_MASK:
        if (!mask_hides(x))
            return question_bind_tensor(question, "bias", x);
        return mask_as_bool(x, reading->mask_turned, &bound, question->reterr) &&
               question_bind(question, role->name, false, &bound);
    case ROLE_ARRAY:
    case ROLE_WHOLE:
        break;
    }
    bound = role->turns && reading->casting->turned ? tensor_transpose(x, 0, 1) : tensor_share(x);
    return question_bind(question, role->name, false, &bound);
}

static bool bind_sizes(const struct reading *reading, struct question *question)
{
    const struct casting *casting = reading->casting;
    bool ok = true;
    for (unsigned i = 0; ok && i < casting->n_sizes; i++) {
        const struct role_size *size = &casting->sizes[i];
        char *copy = arena_copy(&question->arena, size->name, size->name_size);
        ok = copy != NULL ? question_bind_number(question, copy, true, (double)size->size)
                          : error_memory(question->reterr, "a size");
    }
    if (ok && reading->n_heads > 0)
        ok = question_bind_number(question, "n_heads", true, (double)reading->n_heads);
    if (ok && casting_size(casting, "n_q") > 0 && casting_size(casting, "n_k") == 0)
        ok = question_bind_number(question, "n_k", true, (double)casting_size(casting, "n_q"));
    return ok;
}

/* n_all is the number of rows along all leading axes. */
static bool bind_all(const struct reading *reading, struct question *question)
{
    double n = 1;
    for (unsigned i = 0; i < reading->casting->n_lead; i++)
        n *= (double)reading->casting->lead[i];
    return reading->casting->n_lead == 0 || question_bind_number(question, "n_all", true, n);
}

/* Does the expression use this name? */
static bool uses_name(const char *expression, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = expression; (at = strstr(at, name)) != NULL; at += size) {
        char before = at > expression ? at[-1] : ' ', after = at[size];
        bool begins = !(before == '_' || (before >= '0' && before <= '9') ||
                        (before >= 'a' && before <= 'z') || before == '.');
        bool ends =
            !(after == '_' || (after >= '0' && after <= '9') || (after >= 'a' && after <= 'z'));
        if (begins && ends)
            return true;
    }
    return false;
}

/* Which steps lead to the target (all: NULL), from the given ones on? */
static void choose_steps(const struct dump *dump, const struct reading *reading, const char *target,
                         const struct given_step *given, size_t n_given, bool *chosen)
{
    const struct reference *reference = reading->casting->reference;
    for (unsigned i = 0; i < reference->n_steps; i++)
        chosen[i] = target == NULL && step_counts(dump, reading, &reference->steps[i]);
    for (unsigned i = reference->n_steps; target != NULL && i-- > 0;) {
        const struct reference_step *step = &reference->steps[i];
        char name[ROLES_NAME_BYTES];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(step->step, " "), step->step);
        if (!step_counts(dump, reading, step))
            continue;
        chosen[i] = uses_name(target, name);
        for (unsigned j = i + 1; !chosen[i] && j < reference->n_steps; j++)
            chosen[i] = chosen[j] && uses_name(strchr(reference->steps[j].step, '='), name);
        for (size_t k = 0; k < n_given; k++)
            if (strcmp(given[k].name, name) == 0)
                chosen[i] = false;
    }
}

bool reading_build(const struct dump *dump, const struct reading *reading, const char *target,
                   const struct given_step *given, size_t n_given, struct question *question)
{
    const struct reference *reference = reading->casting->reference;
    bool chosen[QUESTION_MAX_STEPS * 2];
    bool ok = true;
    choose_steps(dump, reading, target, given, n_given, chosen);
    for (unsigned i = 0; ok && i < reference->n_roles; i++)
        if (reading->casting->array_of[i] >= 0)
            ok = bind_role(dump, reading, i, question);
    if (ok && dump->given->has_scale && reading_role(dump, reading, "scale") == NULL)
        ok = question_bind_number(question, "scale", false, dump->given->scale);
    ok = ok && bind_sizes(reading, question) && bind_all(reading, question);
    for (size_t i = 0; ok && i < n_given; i++)
        ok = question_bind_tensor(question, given[i].name, given[i].value);
    for (unsigned i = 0; ok && i < reference->n_steps; i++)
        if (chosen[i])
            ok = question_step(question, reference->steps[i].is_size, reference->steps[i].step);
    return ok;
}

bool reading_casts(const struct casting *casting, size_t array)
{
    for (unsigned i = 0; i < casting->reference->n_roles; i++)
        if (casting->array_of[i] == (int)array)
            return true;
    return false;
}

/* ---- results ---- */

/* The same numbers without axes of 1 before the others. */
static bool strip(const struct tensor *x, struct tensor *ret, struct error *reterr)
{
    unsigned n_ones = 0;
    while (n_ones < x->n_axes && x->shape[n_ones] == 1)
        n_ones++;
    return tensor_reshape(x, x->n_axes - n_ones, x->shape + n_ones, ret, reterr);
}

void dump_result_release(struct dump_result *result)
{
    tensor_release(&result->want);
    tensor_release(&result->got);
    *result = (struct dump_result){.array = result->array};
}

void dump_results_release(struct dump_results *results)
{
    for (unsigned i = 0; i < results->n; i++)
        dump_result_release(&results->items[i]);
    results->n = 0;
}

/* What the value of a step may be off by. */
static double tolerance_of(const struct reference *reference, const struct question *question,
                           const struct tensor *want, unsigned bits)
{
    const struct tensor *scaled = question_value(question, "scaled");
    double score = 0, largest = 0;
    for (size_t i = 0, n = tensor_size(want); i < n; i++)
        if (isfinite(tensor_at_position(want, i)) && tensor_at_position(want, i) > -1e4F)
            largest = fmax(largest, fabs((double)tensor_at_position(want, i)));
    if (scaled != NULL)
        score = fmin(verify_largest(scaled), SCORE_MAX);
    double share = reference->tolerance > 0 ? reference->tolerance : DUMP_TOLERANCE;
    return (share + SCORE_TOLERANCE * score) * (bits <= HALF_BITS ? HALF : 1) *
           fmax(largest, 1e-30);
}

static void write_target(const struct reference_result *row, const struct layout *layout,
                         struct text *out)
{
    text_format(out, "%s%s%s", layout->before, row->step, layout->after);
}

void dump_result_write_target(const struct reference *reference, const struct dump_result *result,
                              struct text *out)
{
    write_target(&reference->results[result->row], result->layout, out);
}

/* Compares an array with a step in a layout. *ret->fits is false where the shapes differ. */
static bool compare_layout(const struct dump *dump, const struct reference *reference,
                           struct question *question, size_t array, unsigned row,
                           const struct layout *layout, struct dump_result *ret)
{
    struct text target = {0};
    struct value value = {.kind = VALUE_ABSENT};
    struct error error = {.kind = ERR_NONE};
    const struct named_array *item = &dump->arrays->items[array];
    *ret = (struct dump_result){
        .array = array, .row = row, .layout = layout, .is_plain = layout == layouts};
    write_target(&reference->results[row], layout, &target);
    bool ok = (!target.failed || error_memory(&error, "a step")) &&
              session_peek(&question->session, NULL, text_string(&target), &value, &error);
    text_release(&target);
    if (!ok)
        return !error_is_stop(&error) || ((*dump->reterr = error), false);
    if (value.kind == VALUE_NODE) {
        ok = strip(&value.as.node->value, &ret->want, dump->reterr) &&
             strip(&item->numbers, &ret->got, dump->reterr);
        ret->fits = ok && tensor_same_shape(&ret->want, &ret->got);
        if (ret->fits) {
            ret->tolerance = tolerance_of(reference, question, &ret->want, item->bits);
            ret->is_right = difference_of(&ret->got, &ret->want, ret->tolerance).n_wrong == 0;
        }
    }
    value_release(&value);
    if (!ok)
        dump_result_release(ret);
    return ok;
}

bool dump_result_compare_again(const struct dump *dump, const struct reading *reading,
                               struct question *question, const struct dump_result *result,
                               struct dump_result *ret)
{
    return compare_layout(dump, reading->casting->reference, question, result->array, result->row,
                          result->layout, ret);
}

/* How well a step goes by this name: 0 if the name is the first of its list. */
static unsigned rank_of(const struct reference_result *result, const char *plain)
{
    unsigned rank = 0;
    while (rank < result->names.n) {
        const struct reference_names one = {&result->names.items[rank], 1};
        if (roles_name_fits(&one, plain))
            break;
        rank++;
    }
    return rank;
}

/* The step that an array is the value of: one that it equals; else the one that goes best by its
 * name, of those that have its shape; else none. */
static bool find_result(const struct dump *dump, const struct reading *reading,
                        struct question *question, size_t array, bool named,
                        struct dump_result *ret)
{
    const struct reference *reference = reading->casting->reference;
    char plain[ROLES_NAME_BYTES];
    unsigned best = UINT_MAX;
    roles_plain_name(dump->arrays->items[array].name, plain);
    *ret = (struct dump_result){.array = array};
    for (unsigned row = 0; row < reference->n_results && !ret->is_right; row++) {
        const struct reference_result *result = &reference->results[row];
        if ((named && !roles_name_fits(&result->names, plain)) ||
            question_value(question, result->step) == NULL)
            continue;
        for (size_t i = 0; i < COUNT_OF(layouts) && !ret->is_right; i++) {
            struct dump_result tried;
            if (layouts[i].of_heads && reading->n_heads == 0)
                continue;
            if (!compare_layout(dump, reference, question, array, row, &layouts[i], &tried))
                return false;
            unsigned rank = rank_of(result, plain);
            if ((tried.fits && rank < best) || tried.is_right) {
                dump_result_release(ret);
                *ret = tried;
                best = rank;
            } else {
                dump_result_release(&tried);
            }
        }
    }
    return true;
}

static int compare_rows(const void *a, const void *b)
{
    const struct dump_result *left = a, *right = b;
    return left->row != right->row ? (left->row > right->row) - (left->row < right->row)
                                   : (left->array > right->array) - (left->array < right->array);
}

static double share_of_wrong(const struct dump_results *results)
{
    for (unsigned i = 0; i < results->n; i++) {
        const struct dump_result *result = &results->items[i];
        if (!result->is_right) {
            struct difference off = difference_of(&result->got, &result->want, result->tolerance);
            return (double)off.n_wrong / (double)off.n;
        }
    }
    return 0;
}

bool reading_find_results(const struct dump *dump, struct reading *reading,
                          struct dump_results *ret)
{
    const struct reference *reference = reading->casting->reference;
    struct question question;
    struct error error = {.kind = ERR_NONE};
    *ret = (struct dump_results){.n = 0};
    reading->n_results = reading->n_right = 0;
    question_init(&question, dump->options->stop, &error);
    bool ok = true;
    if (!reading_build(dump, reading, NULL, NULL, 0, &question)) {
        ok = !error_is_stop(&error) || ((*dump->reterr = error), false);
        question_release(&question);
        return ok;
    }
    for (size_t i = 0; ok && i < dump->arrays->n && ret->n < DUMP_MOST_RESULTS; i++) {
        char plain[ROLES_NAME_BYTES];
        roles_plain_name(dump->arrays->items[i].name, plain);
        bool named = roles_name_is_known(reference, plain);
        struct dump_result *result = &ret->items[ret->n];
        if (reading_casts(reading->casting, i) || (dump->known[i] && !named) ||
            (!named && tensor_size(&dump->arrays->items[i].numbers) == 1))
            continue; /* a single number fits by chance */
        ok = find_result(dump, reading, &question, i, named, result);
        if (ok && named && !result->fits && !roles_name_is_input(reference, plain) &&
            tensor_size(&dump->arrays->items[i].numbers) > 1)
            ok = find_result(dump, reading, &question, i, false, result);
        if (ok && result->fits) {
            ret->n++;
            reading->n_right += result->is_right;
        } else {
            dump_result_release(result);
        }
    }
    reading->n_results = ret->n;
    if (ret->n > 1)
        qsort(ret->items, ret->n, sizeof *ret->items, compare_rows);
    reading->wrong = share_of_wrong(ret);
    question_release(&question);
    if (!ok)
        dump_results_release(ret);
    return ok;
}

/* ---- readings ---- */

static bool has_role_of_kind(const struct reference *reference, enum role_kind kind)
{
    for (unsigned i = 0; i < reference->n_roles; i++)
        if (reference->roles[i].kind == kind)
            return true;
    return false;
}

/* The heads of an array (..., heads, n_q, n_k) that has no role; 0 if there is no such array. */
static size_t heads_of_weights(const struct dump *dump, const struct casting *casting)
{
    size_t n_q = casting_size(casting, "n_q"), n_k = casting_size(casting, "n_k");
    n_k = n_k > 0 ? n_k : n_q;
    for (size_t i = 0; i < dump->arrays->n; i++) {
        const struct tensor *x = &dump->arrays->items[i].numbers;
        unsigned n = x->n_axes;
        if (!reading_casts(casting, i) && n >= 3 && x->shape[n - 1] == n_k &&
            x->shape[n - 2] == n_q && casting_size(casting, "d_attn") % x->shape[n - 3] == 0 &&
            n_q > 0 && n == casting->n_lead + 3)
            return x->shape[n - 3];
    }
    return 0;
}

/* Adds what the file leaves open, in all ways that fit. */
static void add_readings(struct dump *dump, const struct casting *casting)
{
    const struct reference *reference = casting->reference;
    const struct reading plain = {.casting = casting};
    const struct tensor *heads = reading_role(dump, &plain, "n_heads");
    const struct tensor *mask = reading_role(dump, &plain, "mask");
    bool has_heads = has_role_of_kind(reference, ROLE_SIZE);
    size_t width = casting_size(casting, "d_attn");
    size_t known = dump->given->n_heads > 0 ? dump->given->n_heads
                   : heads != NULL          ? (size_t)tensor_at_position(heads, 0)
                                            : 0;
    known = known > 0 ? known : heads_of_weights(dump, casting);
    unsigned n_flags = 1U << reference->flags.n;
    for (size_t h = has_heads ? 1 : 0; h <= (has_heads ? width : 0); h++) {
        if (has_heads && ((known > 0 && h != known) || width % h != 0))
            continue;
        for (unsigned flags = 0; flags < n_flags; flags++)
            for (int turned = 0; turned <= (mask != NULL && mask_hides(mask)); turned++) {
                struct reading reading = {.casting = casting,
                                          .flags = flags,
                                          .n_heads = h,
                                          .mask_turned = turned != 0,
                                          .guessed_heads = has_heads && known == 0};
                if (!flags_fit(dump, &reading))
                    continue;
                if (dump->given->is_causal && reference_names_have(&reference->flags, "causal") &&
                    !reading_has_flag(&reading, "causal"))
                    continue;
                if (dump->n_readings < MOST_READINGS)
                    dump->readings[dump->n_readings++] = reading;
            }
    }
}

static int compare_castings(const void *a, const void *b)
{
    const struct casting *left = *(const struct casting *const *)a,
                         *right = *(const struct casting *const *)b;
    return left->cost != right->cost ? (left->cost > right->cost) - (left->cost < right->cost)
                                     : (left > right) - (left < right);
}

/* A letter alone may stand for anything. */
static bool find_known(struct dump *dump)
{
    char plain[ROLES_NAME_BYTES];
    dump->known = calloc(dump->arrays->n + 1, sizeof *dump->known);
    if (dump->known == NULL)
        return error_memory(dump->reterr, "the roles of arrays");
    for (size_t i = 0; i < dump->arrays->n; i++) {
        roles_plain_name(dump->arrays->items[i].name, plain);
        for (unsigned k = 0; strlen(plain) > 1 && k < dump->references->n; k++)
            dump->known[i] =
                dump->known[i] || roles_name_is_known(&dump->references->items[k], plain);
    }
    return true;
}

/* The numbers of the arrays that whoever asks has given roles. */
static bool find_given(struct dump *dump)
{
    const struct verify_dump *given = dump->given;
    dump->roles = calloc(given->n_roles + 1, sizeof *dump->roles);
    if (dump->roles == NULL)
        return error_memory(dump->reterr, "the roles of arrays");
    for (size_t i = 0; i < given->n_roles; i++) {
        size_t at = 0;
        while (at < dump->arrays->n &&
               strcmp(dump->arrays->items[at].name, given->roles[i].array) != 0)
            at++;
        if (at == dump->arrays->n)
            return error_set(dump->reterr, ERR_NAME, "%s: there is no array of this name in %s",
                             given->roles[i].array, given->name);
        dump->roles[i] = (struct role_given){given->roles[i].role, (int)at};
    }
    return true;
}

static bool knows_formula(const struct references *references, const char *id)
{
    for (unsigned i = 0; i < references->n; i++)
        if (strcmp(references->items[i].id, id) == 0)
            return true;
    return false;
}

/* The formula that is asked for must be in the table. */
static bool check_like(const struct dump *dump)
{
    struct text ids = {0};
    if (dump->given->like == NULL || knows_formula(dump->references, dump->given->like))
        return true;
    for (unsigned i = 0; i < dump->references->n; i++)
        text_format(&ids, "%s%s", i > 0 ? ", " : "", dump->references->items[i].id);
    error_set(dump->reterr, ERR_NAME, "%s: no formula of this name; there are %s",
              dump->given->like, text_string(&ids));
    text_release(&ids);
    return false;
}

bool readings_list(struct dump *dump)
{
    size_t n = 0, at = 0;
    if (!check_like(dump) || !find_known(dump) || !find_given(dump))
        return false;
    dump->castings = calloc(dump->references->n, sizeof *dump->castings);
    dump->readings = calloc(MOST_READINGS, sizeof *dump->readings);
    if (dump->castings == NULL || dump->readings == NULL)
        return error_memory(dump->reterr, "the roles of arrays");
    for (unsigned i = 0; i < dump->references->n; i++) {
        const struct reference *reference = &dump->references->items[i];
        if (dump->given->like != NULL && strcmp(reference->id, dump->given->like) != 0)
            continue;
        if (!roles_cast(reference, dump->arrays, dump->known, dump->roles, dump->given->n_roles,
                        &dump->castings[i], dump->reterr))
            return false;
        castings_keep_fullest(&dump->castings[i]);
        n += dump->castings[i].n;
    }
    const struct casting **all = calloc(n + 1, sizeof(struct casting *));
    if (all == NULL)
        return error_memory(dump->reterr, "the roles of arrays");
    for (unsigned i = 0; i < dump->references->n; i++)
        for (size_t j = 0; j < dump->castings[i].n; j++)
            all[at++] = &dump->castings[i].items[j];
    if (n > 1)
        qsort(all, n, sizeof *all, compare_castings);
    for (size_t i = 0; i < n; i++)
        add_readings(dump, all[i]);
    free(all);
    return true;
}

/* More results are right; else all are; else fewer numbers are wrong. */
static bool is_better(const struct reading *reading, const struct reading *than)
{
    bool all = reading->n_right == reading->n_results, all_than = than->n_right == than->n_results;
    if (reading->n_right != than->n_right)
        return reading->n_right > than->n_right;
    if (all != all_than)
        return all;
    return reading->casting->cost == than->casting->cost && reading->wrong < than->wrong;
}

bool readings_choose(struct dump *dump, struct reading **ret)
{
    double work = 0, work_each = READING_WORK;
    unsigned cheapest = 0, n_empty = 0;
    bool has_results = false;
    *ret = NULL;
    for (size_t i = 0; i < dump->arrays->n; i++)
        work_each += (double)tensor_size(&dump->arrays->items[i].numbers) * WORK_OF_NUMBER;
    for (size_t i = 0; i < dump->n_readings && (i == 0 || work < READING_MAX_WORK); i++) {
        struct reading *reading = &dump->readings[i];
        struct dump_results results;
        bool is_first = i == 0 || reading->casting != reading[-1].casting;
        n_empty = is_first ? 0 : n_empty;
        has_results = !is_first && has_results;
        if (n_empty >= MOST_EMPTY && !has_results)
            continue;
        work += work_each;
        if (*ret != NULL && reading->casting->cost > cheapest + COST_MORE)
            break;
        if (!reading_find_results(dump, reading, &results))
            return false;
        dump_results_release(&results);
        n_empty += reading->n_results == 0;
        has_results = has_results || reading->n_results > 0;
        if (reading->n_results > 0 && *ret == NULL)
            cheapest = reading->casting->cost;
        if (reading->n_results > 0 && (*ret == NULL || is_better(reading, *ret)))
            *ret = reading;
        if (*ret != NULL && (*ret)->n_right == (*ret)->n_results)
            return true;
    }
    return true;
}
