/* judge/find_stage.h: which stage is wrong? Functions of the test's own answer the cases and probes
 * of attn's exercises, wrong as learners are; which of their stages is wrong is known by hand. */
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "judge/find_stage.h"
#include "lang_testing.h"

enum { MOST_SIZE = 64, MOST_PAIRS = MOST_SIZE * MOST_SIZE };

/* The sizes and arrays of a case of the exercise attention. */
struct attention {
    size_t n_q, n_k, d_k, d_v;
    const float *query, *key, *value;
};

typedef void attention_function(const struct attention *a, float *context);

/* ---- the steps, as they should be ---- */

static float score_of(const struct attention *a, size_t i, size_t j)
{
    float sum = 0;
    for (size_t d = 0; d < a->d_k; d++)
        sum += a->query[i * a->d_k + d] * a->key[j * a->d_k + d];
    return sum;
}

static void find_scores(const struct attention *a, float *w)
{
    for (size_t i = 0; i < a->n_q; i++)
        for (size_t j = 0; j < a->n_k; j++)
            w[i * a->n_k + j] = score_of(a, i, j);
}

static void scale(const struct attention *a, float factor, float *w)
{
    for (size_t i = 0; i < a->n_q * a->n_k; i++)
        w[i] *= factor;
}

static void soften(const struct attention *a, float *w)
{
    for (size_t i = 0; i < a->n_q; i++) {
        float top = -INFINITY, sum = 0, *row = w + i * a->n_k;
        for (size_t j = 0; j < a->n_k; j++)
            top = fmaxf(top, row[j]);
        for (size_t j = 0; j < a->n_k; j++)
            sum += row[j] = expf(row[j] - top);
        for (size_t j = 0; j < a->n_k; j++)
            row[j] /= sum;
    }
}

static void mix(const struct attention *a, const float *w, float *context)
{
    for (size_t i = 0; i < a->n_q; i++)
        for (size_t c = 0; c < a->d_v; c++) {
            float sum = 0;
            for (size_t j = 0; j < a->n_k; j++)
                sum += w[i * a->n_k + j] * a->value[j * a->d_v + c];
            context[i * a->d_v + c] = sum;
        }
}

static float right_factor(const struct attention *a)
{
    return 1 / sqrtf((float)a->d_k);
}

/* ---- wrong ones ---- */

static void with_factor(const struct attention *a, float factor, float *context)
{
    static float w[MOST_PAIRS];
    find_scores(a, w);
    scale(a, factor, w);
    soften(a, w);
    mix(a, w, context);
}

static void whole_division(const struct attention *a, float *context)
{
    with_factor(a, sqrtf((float)(1 / a->d_k)), context);
}

static void scaled_twice(const struct attention *a, float *context)
{
    with_factor(a, right_factor(a) * right_factor(a), context);
}

static void whole_root(const struct attention *a, float *context)
{
    with_factor(a, 1 / floorf(sqrtf((float)a->d_k)), context);
}

static void multiplied(const struct attention *a, float *context)
{
    with_factor(a, sqrtf((float)a->d_k), context);
}

static void root_of_keys(const struct attention *a, float *context)
{
    with_factor(a, 1 / sqrtf((float)a->n_k), context);
}

/* The scaling loop begins at 1. */
static void first_not_scaled(const struct attention *a, float *context)
{
    static float w[MOST_PAIRS];
    find_scores(a, w);
    float first = w[0];
    scale(a, right_factor(a), w);
    w[0] = first;
    soften(a, w);
    mix(a, w, context);
}

/* The scores by another rule, the rest as it should be. */
static void with_scores(const struct attention *a,
                        float (*score)(const struct attention *a, size_t i, size_t j),
                        float *context)
{
    static float w[MOST_PAIRS];
    for (size_t i = 0; i < a->n_q; i++)
        for (size_t j = 0; j < a->n_k; j++)
            w[i * a->n_k + j] = score(a, i, j);
    scale(a, right_factor(a), w);
    soften(a, w);
    mix(a, w, context);
}

static float score_without_last(const struct attention *a, size_t i, size_t j)
{
    return score_of(a, i, j) - a->query[(i + 1) * a->d_k - 1] * a->key[(j + 1) * a->d_k - 1];
}

static void last_product_missing(const struct attention *a, float *context)
{
    with_scores(a, score_without_last, context);
}

static float score_of_last(const struct attention *a, size_t i, size_t j)
{
    return a->query[(i + 1) * a->d_k - 1] * a->key[(j + 1) * a->d_k - 1];
}

static void last_product_only(const struct attention *a, float *context)
{
    with_scores(a, score_of_last, context);
}

static float score_by_columns(const struct attention *a, size_t i, size_t j)
{
    float sum = 0;
    for (size_t d = 0; d < a->d_k; d++)
        sum += a->query[i * a->d_k + d] * a->key[d * a->n_k + j];
    return sum;
}

static void key_by_columns(const struct attention *a, float *context)
{
    with_scores(a, score_by_columns, context);
}

static float score_of_whole_numbers(const struct attention *a, size_t i, size_t j)
{
    int sum = 0;
    for (size_t d = 0; d < a->d_k; d++)
        sum += (int)(a->query[i * a->d_k + d] * a->key[j * a->d_k + d]);
    return (float)sum;
}

static void whole_numbers(const struct attention *a, float *context)
{
    with_scores(a, score_of_whole_numbers, context);
}

/* The right weights, and the context by another rule: it reads value number at[i, j, c]. */
static void with_values(const struct attention *a,
                        size_t (*at)(const struct attention *a, size_t j, size_t c), float *context)
{
    static float w[MOST_PAIRS];
    find_scores(a, w);
    scale(a, right_factor(a), w);
    soften(a, w);
    for (size_t i = 0; i < a->n_q; i++)
        for (size_t c = 0; c < a->d_v; c++) {
            float sum = 0;
            for (size_t j = 0; j < a->n_k; j++)
                sum += w[i * a->n_k + j] * a->value[at(a, j, c) % (a->n_k * a->d_v)];
            context[i * a->d_v + c] = sum;
        }
}

static size_t turned(const struct attention *a, size_t j, size_t c)
{
    return c * a->n_k + j;
}

static void value_turned(const struct attention *a, float *context)
{
    with_values(a, turned, context);
}

static size_t with_d_k(const struct attention *a, size_t j, size_t c)
{
    return j * a->d_k + c;
}

static void d_k_for_d_v(const struct attention *a, float *context)
{
    with_values(a, with_d_k, context);
}

static void weights_turned(const struct attention *a, float *context)
{
    static float w[MOST_PAIRS], other[MOST_PAIRS];
    find_scores(a, w);
    scale(a, right_factor(a), w);
    soften(a, w);
    for (size_t i = 0; i < a->n_q; i++)
        for (size_t j = 0; j < a->n_k; j++)
            other[i * a->n_k + j] = w[j * a->n_q + i];
    mix(a, other, context);
}

static void base_of_two(const struct attention *a, float *context)
{
    with_factor(a, right_factor(a) * logf(2), context); /* 2^x = e^(x log 2) */
}

static void not_divided(const struct attention *a, float *context)
{
    static float w[MOST_PAIRS];
    find_scores(a, w);
    scale(a, right_factor(a), w);
    for (size_t i = 0; i < a->n_q * a->n_k; i++)
        w[i] = expf(w[i]);
    mix(a, w, context);
}

static void scaled_after_softmax(const struct attention *a, float *context)
{
    static float w[MOST_PAIRS];
    find_scores(a, w);
    soften(a, w);
    scale(a, right_factor(a), w);
    mix(a, w, context);
}

static void all_zero(const struct attention *a, float *context)
{
    memset(context, 0, a->n_q * a->d_v * sizeof *context);
}

static void right(const struct attention *a, float *context)
{
    with_factor(a, right_factor(a), context);
}

/* ---- the search ---- */

struct class
{
    struct exercise *exercise;
    struct fixtures cases, probes;
    struct answered_case *answered;
    struct answer *answers;
    size_t n;
};

static void class_open(struct class *class, const char *folder, uint64_t seed)
{
    char path[4096];
    struct error error;
    snprintf(path, sizeof path, "%s/exercises/%s", testing_data_dir(), folder);
    if (!exercise_load(path, &class->exercise, &error) ||
        !fixtures_draw(class->exercise, seed, false, testing_data_dir(), &class->cases, &error) ||
        !fixtures_draw(class->exercise, seed, true, testing_data_dir(), &class->probes, &error))
        fail_msg("%s", error.text);
    size_t n_all = class->cases.n + class->probes.n;
    class->answered = calloc(n_all, sizeof *class->answered);
    class->answers = calloc(n_all, sizeof *class->answers);
    assert_true(class->answered != NULL && class->answers != NULL);
    class->n = 0;
    for (size_t i = 0; i < n_all; i++) {
        struct fixture *f =
            i < class->cases.n ? class->cases.items[i] : class->probes.items[i - class->cases.n];
        if (f->n_cells > MOST_PAIRS)
            continue;
        assert_true(fixture_right_answer(f, &class->answers[class->n], &error));
        class->answered[class->n] = (struct answered_case){f, &class->answers[class->n]};
        class->n++;
    }
}

static void class_close(struct class *class)
{
    for (size_t i = 0; i < class->n; i++)
        answer_release(&class->answers[i]);
    free(class->answered);
    free(class->answers);
    fixtures_release(&class->cases);
    fixtures_release(&class->probes);
    exercise_free(class->exercise);
}

static void assert_finds(struct class *class, const char *wanted, const char *what)
{
    char stage[STAGE_NAME_BYTES] = "?";
    struct error error;
    for (int with_ideas = 0; with_ideas <= 1; with_ideas++) {
        if (!find_stage(class->exercise, class->answered, class->n, with_ideas, stage, &error))
            fail_msg("%s", error.text);
        if (strcmp(stage, wanted) != 0)
            fail_msg("%s: the stage is '%s', not '%s'", what, stage, wanted);
    }
}

static const struct {
    const char *name, *stage; /* "": several remain, so that none is named */
    attention_function *function;
} learners[] = {
    {"whole division", "scaled", whole_division},
    {"scaled twice", "scaled", scaled_twice},
    {"whole root", "scaled", whole_root},
    {"multiplied", "scaled", multiplied},
    {"last product missing", "scores", last_product_missing},
    {"last product only", "scores", last_product_only},
    {"key by columns", "scores", key_by_columns},
    {"value turned", "context", value_turned},
    {"d_k for d_v", "context", d_k_for_d_v},
    {"first not scaled", "scaled", first_not_scaled},
    {"root of the number of keys", "", root_of_keys},
    {"whole numbers", "", whole_numbers},
    {"weights turned", "", weights_turned}, /* or the scores stored so */
    {"base of two", "", base_of_two},       /* or a factor */
    {"not divided", "", not_divided},
    {"scaled after softmax", "", scaled_after_softmax},
    {"all zero", "", all_zero},
    {"right", "", right},
};

static void test_find_stage__of_attention(void **state)
{
    (void)state;
    struct class class;
    class_open(&class, "08-attention", 11);
    for (size_t k = 0; k < COUNT_OF(learners); k++) {
        for (size_t i = 0; i < class.n; i++) {
            const struct fixture *f = class.answered[i].fixture;
            struct attention a = {(size_t)f->scalars[0], (size_t)f->scalars[1],
                                  (size_t)f->scalars[2], (size_t)f->scalars[3],
                                  f->arrays[0].before,   f->arrays[1].before,
                                  f->arrays[2].before};
            learners[k].function(&a, class.answers[i].floats[3]);
        }
        assert_finds(&class, learners[k].stage, learners[k].name);
    }
    class_close(&class);
}

/* An array that is right clears all the stages on its way. */
static void test_find_stage__of_one_array_in_three(void **state)
{
    enum { D_QUERY = 4, D_KEY, D_VALUE };
    (void)state;
    struct class class;
    class_open(&class, "18-attention-backward", 11);
    for (size_t i = 0; i < class.n; i++) /* without the scale: for d_key alone it was forgotten */
        for (size_t at = 0; at < class.answered[i].fixture->arrays[D_KEY].n_cells; at++)
            class.answers[i].floats[D_KEY][at] *=
                sqrtf((float)class.answered[i].fixture->scalars[2]);
    assert_finds(&class, "d_key", "d_key without its scale");
    for (size_t i = 0; i < class.n; i++)
        for (size_t at = 0; at < class.answered[i].fixture->arrays[D_VALUE].n_cells; at++)
            class.answers[i].floats[D_VALUE][at] *= 2;
    assert_finds(&class, "", "d_key and d_value");
    class_close(&class);
}

static bool find_anew(struct class *class, struct error *reterr)
{
    char stage[STAGE_NAME_BYTES];
    return find_stage(class->exercise, class->answered, class->n, true, stage, reterr);
}

static void test_find_stage__without_memory_it_says_so(void **state)
{
    (void)state;
    struct class class;
    struct error error;
    class_open(&class, "01-dot", 11);
    for (size_t i = 0; i < class.n; i++)
        class.answers[i].floats[2][0] += 1;
    class.n = 3;
    assert_reports_failed_allocations(find_anew(&class, &error), error);
    class.n = class.cases.n + class.probes.n;
    class_close(&class);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find_stage__of_attention),
        cmocka_unit_test(test_find_stage__of_one_array_in_three),
        cmocka_unit_test(test_find_stage__without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
