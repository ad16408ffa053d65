/* Which mistake explains a wrong result of a dump: see dump_internal.h. */
#include "verify/dump_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "tensor/random.h"

enum {
    MOST_ASKED = 8, /* readings that are asked for a mistake */
    MOST_ASKED_PAIRS = 1,
    PAIR_STEPS = 12000,
};

/* ---- what explains a wrong result ---- */

/* The name of the size that this one must equal, if it does here. */
static void name_of_size(const struct casting *casting, const struct role_size *size,
                         const char **ret_name, size_t *ret_size)
{
    const struct reference_names *same = &casting->reference->same;
    *ret_name = size->name;
    *ret_size = size->name_size;
    for (unsigned i = 0; i < same->n; i++) {
        const char *pair = same->items[i], *second = strchr(pair, ' ');
        size_t first_size = strcspn(pair, " ");
        if (second != NULL && first_size == size->name_size &&
            memcmp(pair, size->name, first_size) == 0 &&
            casting_size(casting, second + 1) == size->size) {
            *ret_name = second + 1;
            *ret_size = strlen(second + 1);
            return;
        }
    }
}

/* Sizes of which no two are equal that need not be. */
static void draw_sizes(const struct casting *casting, struct casting *ret)
{
    static const size_t widths[] = {12, 18, 30, 42, 66, 78}, counts[] = {5, 7, 11, 13, 17, 19};
    size_t n_widths = 0, n_counts = 0;
    for (unsigned i = 0; i < casting->n_sizes; i++)
        ret->sizes[i].size = casting->sizes[i].name[0] == 'd'
                                 ? widths[n_widths++ % COUNT_OF(widths)]
                                 : counts[n_counts++ % COUNT_OF(counts)];
    for (int turn = 0; turn < 2; turn++) /* a size may equal one that equals another */
        for (unsigned i = 0; i < casting->n_sizes; i++) {
            const char *name;
            size_t name_size;
            char copy[ROLES_NAME_BYTES];
            name_of_size(casting, &casting->sizes[i], &name, &name_size);
            snprintf(copy, sizeof copy, "%.*s", (int)name_size, name);
            ret->sizes[i].size = casting_size(ret, copy);
        }
}

static bool draw_array(const struct reading *fresh, const struct reference_role *role,
                       const struct tensor *like, struct random *random, struct tensor *ret,
                       struct error *reterr)
{
    size_t shape[TENSOR_MAX_AXES];
    if (role->shape[0] == '\0')
        return tensor_copy(like, ret, reterr);
    casting_shape(fresh->casting, role, like, shape);
    if (!tensor_zeros(like->n_axes, shape, ret, reterr))
        return false;
    ret->is_bool = like->is_bool;
    for (size_t i = 0, n = tensor_size(ret); i < n; i++) {
        double number = random_uniform53(random);
        ret->data[i] = role->kind == ROLE_WHOLE  ? (float)floor(4 * number)
                       : role->kind == ROLE_MASK ? (float)(number < 0.7)
                                                 : (float)(2 * number - 1);
    }
    return true;
}

/* The question of the same formula with drawn inputs of other sizes: initialised. *ret_fits is
 * false if it can't be drawn. */
static bool draw_question(const struct dump *dump, const struct reading *reading,
                          const char *target, const struct given_step *given, size_t n_given,
                          struct question *ret, bool *ret_fits)
{
    const struct reference *reference = reading->casting->reference;
    struct casting casting = *reading->casting;
    struct reading fresh = *reading;
    struct named_array *items = calloc(dump->arrays->n + 1, sizeof *items);
    struct arrays arrays = {.items = items, .n = dump->arrays->n};
    struct dump drawn = *dump;
    struct question full;
    struct given_step fresh_given[DUMP_MOST_RESULTS];
    struct random random;
    struct error error = {.kind = ERR_NONE};
    enum { SEED = 7, HEADS = 3 };
    *ret_fits = false;
    if (items == NULL)
        return error_memory(ret->reterr, "a formula");
    drawn.arrays = &arrays;
    drawn.reterr = &error;
    fresh.casting = &casting;
    fresh.n_heads = reading->n_heads > 0 ? HEADS : 0;
    draw_sizes(reading->casting, &casting);
    random_seed(&random, SEED);
    bool ok = true;
    for (unsigned i = 0; ok && i < reference->n_roles; i++)
        if (casting.array_of[i] >= 0)
            ok = draw_array(&fresh, &reference->roles[i],
                            &dump->arrays->items[casting.array_of[i]].numbers, &random,
                            &items[casting.array_of[i]].numbers, ret->reterr);
    question_init(&full, dump->options->stop, &error);
    bool fits = ok && reading_build(&drawn, &fresh, NULL, NULL, 0, &full);
    for (size_t i = 0; fits && i < n_given; i++) {
        fresh_given[i] = (struct given_step){given[i].name, question_value(&full, given[i].name)};
        fits = fresh_given[i].value != NULL;
    }
    *ret_fits = fits && reading_build(&drawn, &fresh, target, fresh_given, n_given, ret);
    question_release(&full);
    for (size_t i = 0; i < arrays.n; i++)
        tensor_release(&items[i].numbers);
    free(items);
    if (ok && error_is_stop(&error)) {
        *ret->reterr = error;
        return false;
    }
    return ok;
}

/* The multiplications of a trial, roughly, and the numbers of the largest step. */
static void measure(const struct question *question, double *ret_work, size_t *ret_largest)
{
    enum { EACH = 32 };
    *ret_work = 1;
    *ret_largest = 0;
    for (size_t i = 0; i < question->formula.n_steps; i++) {
        char name[ROLES_NAME_BYTES];
        const struct formula_step *step = &question->formula.steps[i];
        snprintf(name, sizeof name, "%.*s", (int)step->name_size, step->name);
        const struct tensor *value = question_value(question, name);
        size_t size = value != NULL ? tensor_size(value) : 0;
        *ret_work += value != NULL ? (double)size * EACH : 1;
        *ret_largest = size > *ret_largest ? size : *ret_largest;
    }
}

/* The mistakes that the reference knows of. */
static bool try_known(struct question *question, const struct reference *reference,
                      struct question_finding *ret)
{
    for (unsigned i = 0; i < reference->n_mistakes && ret->when.size == 0; i++) {
        const struct reference_mistake *mistake = &reference->mistakes[i];
        bool agrees;
        if (!question_try_steps(question, mistake->step, &agrees))
            return false;
        if (agrees) {
            text_put(&ret->when, mistake->when);
            text_format(&ret->steps, "%s\n", mistake->step);
        }
    }
    return question_finding_check(ret, question->reterr);
}

/* Which mistake gives this result? given are the steps before it that stand in the file. */
static bool explain(struct dump *dump, const struct reading *reading,
                    const struct dump_result *result, const struct given_step *given,
                    size_t n_given, bool with_pairs, struct question_finding *ret)
{
    const struct reference *reference = reading->casting->reference;
    struct question question, fresh;
    struct error error = {.kind = ERR_NONE};
    struct text target = {0};
    size_t largest = 0;
    bool fits = false;
    dump_result_write_target(reference, result, &target);
    question_init(&question, dump->options->stop, &error);
    question_init(&fresh, dump->options->stop, &error);
    struct tensor got = {0}, want = {0};
    struct value value = {.kind = VALUE_ABSENT};
    bool ok = (!target.failed || error_memory(&error, "a step")) &&
              reading_build(dump, reading, text_string(&target), given, n_given, &question) &&
              session_peek(&question.session, NULL, text_string(&target), &value, &error);
    if (ok && value.kind == VALUE_NODE) {
        want = tensor_share(&value.as.node->value);
        ok = tensor_reshape(&result->got, want.n_axes, want.shape, &got, &error);
    }
    if (ok && value.kind == VALUE_NODE) {
        question.target = text_string(&target);
        question.got = &got;
        question.want = &want;
        question.tolerance = result->tolerance;
        measure(&question, &question.work, &largest);
        question.most_pair_steps = with_pairs ? PAIR_STEPS : 0;
        question.most_work = fmax(dump->work_left, 1);
        ok = (with_pairs || try_known(&question, reference, ret)) &&
             draw_question(dump, reading, text_string(&target), given, n_given, &fresh, &fits);
        ok = ok && !error_is_stop(&error);
        fresh.target = text_string(&target);
        fresh.tolerance = DUMP_TOLERANCE;
        fresh.work_left = (double)INFINITY;
        if (ok && ret->when.size == 0)
            ok = question_search(&question, &dump->edits, largest, fits ? &fresh : NULL, ret);
    }
    if (question.most_work > 0)
        dump->work_left = question.work_left;
    tensor_release(&got);
    tensor_release(&want);
    value_release(&value);
    question_release(&fresh);
    question_release(&question);
    text_release(&target);
    if (!ok && error_is_stop(&error))
        *dump->reterr = error;
    return ok || !error_is_stop(&error);
}

/* Each step that the array may be the value of by its shape is tried, those of its name first. */
bool reason_find(struct dump *dump, const struct reading *reading, const struct dump_result *result,
                 const struct given_step *given, size_t n_given, bool with_pairs,
                 struct question_finding *ret)
{
    const struct reference *reference = reading->casting->reference;
    char plain[ROLES_NAME_BYTES];
    if (!explain(dump, reading, result, given, n_given, with_pairs, ret))
        return false;
    roles_plain_name(dump->arrays->items[result->array].name, plain);
    bool ok = true;
    for (int named = 1; ok && named >= 0; named--)
        for (unsigned row = 0; ok && row < reference->n_results && ret->when.size == 0; row++) {
            struct dump_result other = *result;
            other.row = row;
            if (row != result->row &&
                roles_name_fits(&reference->results[row].names, plain) == (named != 0))
                ok = explain(dump, reading, &other, given, n_given, with_pairs, ret);
        }
    return ok;
}

bool reason_search(struct dump *dump, struct reading **reading, struct question_finding *ret)
{
    unsigned n_right = (*reading)->n_right;
    for (int with_pairs = 0; with_pairs < 2; with_pairs++) {
        unsigned n_asked = 0;
        for (size_t i = 0;
             i < dump->n_readings && n_asked < (with_pairs ? MOST_ASKED_PAIRS : MOST_ASKED); i++) {
            struct reading *asked = &dump->readings[i];
            struct dump_results results;
            if (asked->n_right != n_right || asked->n_results == 0 || asked->n_results == n_right)
                continue;
            n_asked++;
            if (!reading_find_results(dump, asked, &results))
                return false;
            struct given_step given[DUMP_MOST_RESULTS];
            size_t n_given = 0;
            bool ok = true;
            for (unsigned k = 0; ok && k < results.n; k++) {
                const struct dump_result *result = &results.items[k];
                const char *step = asked->casting->reference->results[result->row].step;
                if (!result->is_right) {
                    ok = reason_find(dump, asked, result, given, n_given, with_pairs != 0, ret);
                    break;
                }
                if (result->is_plain)
                    given[n_given++] = (struct given_step){step, &result->got};
            }
            dump_results_release(&results);
            if (!ok)
                return false;
            if (ret->when.size > 0) {
                *reading = asked;
                return true;
            }
        }
    }
    return true;
}
