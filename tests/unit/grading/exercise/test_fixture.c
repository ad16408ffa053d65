/* exercise/fixture.h: cases with their inputs drawn and what is expected. Expected numbers are
 * worked out here, in C or by hand. */
#include "exercise_testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "exercise/fixture.h"
#include "graph/node.h"
#include "lang_testing.h"

#define CHANGES(...) ((const char *const[]){__VA_ARGS__, NULL})

enum { QUERY, KEY, MAY, WEIGHTS };  /* the arrays of mini, in order */
enum { N_Q, N_K, D_K };             /* its sizes */
enum { BY_HAND, RANDOM };           /* its cases */
enum { NO_SCALE, COLUMNS, HOARDS }; /* its misconceptions */

static bool try_draw(const struct exercise *exercise, unsigned i, uint64_t seed,
                     struct fixture **ret, struct error *reterr)
{
    return fixture_draw(exercise, &exercise->cases[i], 0, seed, NULL, false, testing_data_dir(),
                        ret, reterr);
}

static struct fixture *draw(const struct exercise *exercise, unsigned i, uint64_t seed)
{
    struct fixture *fixture;
    struct error error;
    if (!try_draw(exercise, i, seed, &fixture, &error))
        fail_msg("%s", error.text);
    return fixture;
}

static void draw_fails(const char *const *changes, struct error *reterr)
{
    struct exercise *exercise = mini_with(changes);
    struct fixture *fixture;
    assert_false(try_draw(exercise, BY_HAND, 1, &fixture, reterr));
    exercise_free(exercise);
}

static const float *floats(const struct fixture *fixture, unsigned array)
{
    return fixture->arrays[array].before;
}

/* Sizes. */

static void test_fixture__numbers_and_expressions_are_sizes(void **state)
{
    (void)state;
    struct exercise *e = mini_with(CHANGES("{n_q: 2, n_k: 3, d_k: 4}\n    draw:\n      - query = "
                                           "[[1, 0, 0, 2], [0, 3, 0, 0]]\n",
                                           "{n_q: half + n_k, half: 2, n_k: 3, d_k: n_q * 2}\n"));
    struct fixture *f = draw(e, BY_HAND, 1);
    assert_close(f->scalars[N_Q], 5, 0);
    assert_close(f->scalars[N_K], 3, 0);
    assert_close(f->scalars[D_K], 10, 0);
    assert_int_equal(f->arrays[QUERY].n_axes, 2);
    assert_int_equal(f->arrays[QUERY].shape[0], 5);
    assert_int_equal(f->arrays[QUERY].shape[1], 10);
    assert_int_equal(f->arrays[QUERY].n_bytes, 50 * sizeof(float));
    assert_int_equal(f->n_cells, 50 + 30 + 15 + 15);
    assert_string_equal(f->name, "by hand");
    fixture_free(f);
    exercise_free(e);
}

static const char *const with_scalars[] = {"size_t d_k,",
                                           "size_t d_k, float p, bool causal,",
                                           "{n_q: 2, n_k: 3, d_k: 4}",
                                           "{n_q: 2, n_k: 3, d_k: 4, p: 0.1, causal: True}",
                                           "{d_k: n_q + half,",
                                           "{p: 1, causal: False, d_k: n_q + half,",
                                           "{n_q: 1, n_k: 1, d_k: 2}",
                                           "{n_q: 1, n_k: 1, d_k: 2, p: 1, causal: False}",
                                           NULL};

static void test_fixture__floats_and_bools_are_by_value_too(void **state)
{
    (void)state;
    struct exercise *e = mini_with(with_scalars);
    struct fixture *f = draw(e, BY_HAND, 1);
    assert_close(f->scalars[3], 0.1f, 0); /* as the function gets it */
    assert_close(f->scalars[4], 1, 0);
    fixture_free(f);
    exercise_free(e);
}

static void test_fixture__ranges_give_different_sizes_within_their_bounds(void **state)
{
    (void)state;
    struct exercise *e = mini_with(NULL);
    bool seen[10] = {false};
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct fixture *f = draw(e, RANDOM, seed);
        double n_q = f->scalars[N_Q], n_k = f->scalars[N_K];
        assert_true(n_q >= 2 && n_q <= 9 && n_k >= 3 && n_k <= 5);
        assert_true(n_q != n_k && n_q != 2); /* half is 2 */
        assert_close(f->scalars[D_K], n_q + 2, 0);
        seen[(int)n_q] = true;
        fixture_free(f);
    }
    for (int i = 3; i <= 9; i++)
        assert_true(seen[i]);
    exercise_free(e);
}

static void test_fixture__ranges_that_can_not_differ_are_drawn_all_the_same(void **state)
{
    (void)state;
    struct exercise *e = mini_with(CHANGES("{d_k: n_q + half, n_q: 2..9, half: 2, n_k: 3..5}",
                                           "{d_k: 2..3, n_q: 2..3, n_k: 2..3}"));
    struct fixture *f = draw(e, RANDOM, 1);
    for (unsigned i = 0; i < 3; i++)
        assert_true(f->scalars[i] == 2 || f->scalars[i] == 3);
    fixture_free(f);
    exercise_free(e);
}

static void test_fixture__given_sizes_stand_in_for_the_drawn_ones(void **state)
{
    (void)state;
    struct exercise *e = mini_with(NULL);
    struct sizes sizes = {.names = {"n_q"}, .values = {1}, .n = 1};
    struct fixture *usual = draw(e, RANDOM, 5), *small;
    struct error error;
    assert_true(fixture_draw(e, &e->cases[RANDOM], 0, 5, &sizes, false, NULL, &small, &error));
    assert_close(small->scalars[N_Q], 1, 0);
    assert_close(small->scalars[D_K], 3, 0); /* worked out from it */
    assert_close(small->scalars[N_K], usual->scalars[N_K], 0);
    fixture_free(small);
    fixture_free(usual);
    exercise_free(e);
}

static void test_fixture__alike_has_the_same_sizes_and_other_numbers(void **state)
{
    (void)state;
    struct exercise *e = mini_with(NULL);
    struct error error;
    for (uint64_t seed = 1; seed < 20; seed++) {
        struct fixture *f = draw(e, RANDOM, seed), *alike;
        assert_true(fixture_draw_alike(f, seed + 100, testing_data_dir(), &alike, &error));
        assert_memory_equal(f->scalars, alike->scalars, sizeof f->scalars);
        assert_int_equal(f->n_cells, alike->n_cells);
        assert_memory_not_equal(floats(f, QUERY), floats(alike, QUERY), f->arrays[QUERY].n_bytes);
        fixture_free(alike);
        fixture_free(f);
    }
    exercise_free(e);
}

static void test_fixture__name_and_memory(void **state)
{
    (void)state;
    char name[80];
    struct exercise *e = mini_with(NULL);
    struct fixture *f;
    struct error error;
    assert_true(fixture_draw(e, &e->cases[RANDOM], 1, 1, NULL, false, NULL, &f, &error));
    /* in the order in which they are worked out */
    snprintf(name, sizeof name, "random 2 (n_q %g, n_k %g)", f->scalars[N_Q], f->scalars[N_K]);
    assert_string_equal(f->name, name);
    assert_int_equal(f->memory_bytes, 2 * (size_t)f->scalars[N_K] * 1024);
    assert_int_equal(f->repeat, 1);
    fixture_free(f);
    exercise_free(e);
}

/* Inputs. */

static void test_fixture__bits_come_out_as_they_were_drawn(void **state)
{
    (void)state;
    struct exercise *e = mini_with(CHANGES(
        "[[1, 0, 0, 2], [0, 3, 0, 0]]", "[[nan, -0.0, inf, 0.1], [-inf, 1e-45, 16777217, 0]]",
        "- scores = query @ key.T", "- scores = ones(n_q, n_k)"));
    struct fixture *f = draw(e, BY_HAND, 1);
    const float *query = floats(f, QUERY);
    assert_true(isnan(query[0]));
    assert_true(query[1] == 0 && signbit(query[1]));
    assert_true(isinf(query[2]) && query[2] > 0);
    assert_true(query[3] == 0.1f);
    assert_true(isinf(query[4]) && query[4] < 0);
    assert_true(query[5] == 1e-45f && query[5] > 0); /* the smallest of all floats */
    assert_true(query[6] == 16777216.0f);
    assert_true(query[7] == 0 && !signbit(query[7]));
    fixture_free(f);
    exercise_free(e);
}

static void test_fixture__a_view_is_copied_row_by_row(void **state)
{
    (void)state;
    struct exercise *e = mini_with(
        CHANGES("[[1, 0, 0, 2], [0, 3, 0, 0]]", "[[1, 2], [3, 4], [5, 6], [7, 8]].T[:, ::-1]"));
    struct fixture *f = draw(e, BY_HAND, 1);
    static const float wanted[] = {7, 5, 3, 1, 8, 6, 4, 2};
    assert_memory_equal(floats(f, QUERY), wanted, sizeof wanted);
    fixture_free(f);
    exercise_free(e);
}

/* Row i of the first array is of kind i of row_kinds.h; the second array begins six kinds later. */
static void test_fixture__rows_of_every_kind(void **state)
{
    (void)state;
    struct exercise *e = mini_with(CHANGES("{n_q: 2, n_k: 3, d_k: 4}\n    draw:\n      - query = "
                                           "[[1, 0, 0, 2], [0, 3, 0, 0]]\n",
                                           "{n_q: 12, n_k: 4, d_k: 3}\n    kinds: [query, key]\n"));
    struct fixture *f = draw(e, BY_HAND, 1);
    const float *query = floats(f, QUERY), *key = floats(f, KEY);
    static const float equal[] = {1.5F, 1.5F, 1.5F}, rising[] = {0, 0.25F, 0.5F},
                       falling[] = {0, -0.25F, -0.5F};
    assert_memory_equal(&query[0], equal, sizeof equal);
    assert_memory_equal(&query[3], rising, sizeof rising);
    for (int i = 0; i < 3; i++) {
        static const double most[] = {1e-3, 1e-12, 1e-37};
        assert_close(query[6 + i], falling[i], 0); /* 0 may be -0 */
        assert_true(query[9 + i] <= -0.5F && query[12 + i] >= 0.5F && query[15 + i] == 0);
        for (int k = 0; k < 3; k++) {
            double size = fabs((double)query[18 + 3 * k + i]);
            assert_true(size > 0 && size < most[k]);
        }
        assert_true(fabsf(query[27 + i]) > 1e-6F); /* as it was drawn */
        assert_true(fabs((double)key[i]) < 1e-3 && fabs((double)key[3 + i]) < 1e-12);
    }
    assert_true(f->is_extreme);
    fixture_free(f);
    f = draw(e, RANDOM, 1);
    assert_false(f->is_extreme);
    fixture_free(f);
    exercise_free(e);
}

static void test_fixture__bools_are_bytes(void **state)
{
    (void)state;
    struct exercise *e = mini_with(
        CHANGES("- query = [[1, 0, 0, 2], [0, 3, 0, 0]]", "- may = [[1, 0, 1], [0, 0, 1]] == 1"));
    struct fixture *f = draw(e, BY_HAND, 1);
    static const unsigned char wanted[] = {1, 0, 1, 0, 0, 1};
    assert_true(f->arrays[MAY].boolean && f->arrays[MAY].present);
    assert_int_equal(f->arrays[MAY].n_bytes, 6);
    assert_memory_equal(f->arrays[MAY].before, wanted, sizeof wanted);
    fixture_free(f);
    exercise_free(e);
}

static void test_fixture__none_is_absent(void **state)
{
    (void)state;
    struct exercise *e =
        mini_with(CHANGES("- query = [[1, 0, 0, 2], [0, 3, 0, 0]]", "- may = None"));
    struct fixture *f = draw(e, BY_HAND, 1);
    assert_false(f->arrays[MAY].present);
    assert_null(f->arrays[MAY].before);
    assert_int_equal(f->n_cells, 8 + 12 + 6);
    fixture_free(f);
    exercise_free(e);
}

static bool is_public(const char *const *changes, unsigned i)
{
    struct exercise *e = mini_with(changes);
    struct fixture *f = draw(e, i, 1);
    bool is = f->is_public;
    fixture_free(f);
    exercise_free(e);
    return is;
}

#define WITH_LINES(lines) CHANGES("      - query = [[1, 0, 0, 2], [0, 3, 0, 0]]\n", lines)
#define QUERY_LINE "      - query = [[1, 0, 0, 2], [0, 3, 0, 0]]\n"

static void test_fixture__what_no_seed_changes_is_public(void **state)
{
    (void)state;
    assert_false(is_public(NULL, BY_HAND)); /* its key is drawn */
    assert_false(is_public(NULL, RANDOM));
    assert_true(is_public(WITH_LINES(QUERY_LINE "      - key = ones(3, 4)\n"), BY_HAND));
    assert_true(
        is_public(WITH_LINES(QUERY_LINE "      - a = 2\n      - key = a * ones(3, 4)\n"), BY_HAND));
    assert_true(is_public(WITH_LINES(QUERY_LINE "      - key = randn(3, 4)\n"
                                                "      - key = reshape(arange(12), 3, 4)\n"),
                          BY_HAND));
    /* by another name, in part, or from what is random */
    assert_false(is_public(WITH_LINES(QUERY_LINE "      - a = rand(3, 4)\n      - b = 2 * a\n"
                                                 "      - key = b\n"),
                           BY_HAND));
    assert_false(is_public(WITH_LINES(QUERY_LINE "      - key = 0 * key\n"), BY_HAND));
    assert_false(is_public(WITH_LINES(QUERY_LINE "      - key = ones(3, 4)\n"
                                                 "      - query = dropout(query, 0.5)\n"),
                           BY_HAND));
    /* sizes from a range */
    assert_false(
        is_public(CHANGES("    memory_kib", "    draw:\n      - query = ones(n_q, d_k)\n"
                                            "      - key = ones(n_k, d_k)\n    memory_kib"),
                  RANDOM));
}

static void test_fixture__drawing_is_the_same_again_and_nothing_else(void **state)
{
    (void)state;
    struct exercise *e = mini_with(NULL);
    struct fixtures all;
    struct error error;
    struct fixture *again, *other;
    assert_true(fixtures_draw(e, 7, false, NULL, &all, &error));
    assert_int_equal(all.n, 4);
    for (size_t i = 0; i < all.n; i++) {
        const struct fixture *f = all.items[i];
        assert_true(
            fixture_draw(e, f->source, f->repeat, f->seed, NULL, false, NULL, &again, &error));
        assert_true(fixture_draw(e, f->source, f->repeat, 8, NULL, false, NULL, &other, &error));
        assert_string_equal(f->name, again->name);
        assert_memory_equal(floats(f, KEY), floats(again, KEY), f->arrays[KEY].n_bytes);
        assert_memory_not_equal(floats(f, KEY), floats(other, KEY), sizeof(float));
        for (size_t j = 0; j < i; j++) /* each has numbers of its own */
            assert_memory_not_equal(floats(f, KEY), floats(all.items[j], KEY), sizeof(float));
        fixture_free(again);
        fixture_free(other);
    }
    fixtures_release(&all);
    assert_true(fixtures_draw(e, 7, true, NULL, &all, &error));
    assert_int_equal(all.n, 1);
    assert_string_equal(all.items[0]->source->stage, "scaled");
    fixtures_release(&all);
    exercise_free(e);
}

/* What goes into a case must not hang on the machine: these are the first words that the two
 * generators give by their published definitions, through all that lies between. */
static void test_fixture__seeds_are_the_same_everywhere(void **state)
{
    (void)state;
    struct exercise *e = mini_with(CHANGES("- key = randn(n_k, d_k)", "- key = rand(n_k, d_k)"));
    struct fixture *f = draw(e, BY_HAND, 3);
    /* splitmix64: seed 3, then plus the case's place 0, then plus the repeat 0, then started */
    uint64_t stream = 3;
    stream = testing_word(&stream);
    stream = testing_word(&stream);
    stream = testing_word(&stream);
    struct random random;
    random_seed(&random, (uint32_t)testing_word(&stream));
    float query[8], key[12];
    random_normal(&random, 8, query);
    random_uniform(&random, 12, key);
    assert_memory_equal(floats(f, KEY), key, sizeof key);
    fixture_free(f);
    exercise_free(e);
}

static void test_fixture__simple_numbers_have_one_decimal(void **state)
{
    (void)state;
    static const char drawn[] =
        "- half = 0.26 * ones(1)\n"
        "      - query = [[inf, -inf, 1e7, 0.04], [-0.04, -0.0, 0.25, 100.06]]\n"
        "      - key = cat([query * 0 + half, query[:1]])";
    struct exercise *e =
        mini_with(CHANGES("- query = [[1, 0, 0, 2], [0, 3, 0, 0]]", drawn,
                          "- scores = query @ key.T", "- scores = ones(n_q, n_k)"));
    struct fixture *f;
    struct error error;
    assert_true(fixture_draw(e, &e->cases[BY_HAND], 0, 1, NULL, true, NULL, &f, &error));
    const float *query = floats(f, QUERY), *key = floats(f, KEY);
    assert_true(isinf(query[0]) && isinf(query[1]) && query[1] < 0);
    assert_true(query[2] == 1e7f && query[3] == 0 && query[4] == 0 && !signbit(query[4]));
    assert_true(query[5] == 0 && signbit(query[5])); /* which was drawn so */
    assert_true(query[6] == 0.3f && query[7] == 100.1f);
    assert_true(key[7] == 0.3f); /* what is made from rounded numbers fits them */
    assert_memory_equal(key + 8, query, 4 * sizeof(float));
    fixture_free(f);
    exercise_free(e);
}

static void test_fixture__faults_of_drawing_say_where(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *says;
        enum error_kind kind;
    } bad[] = {
        {"d_k: 4}", "d_k: 4.5}", ":27: case 'by hand': d_k: a whole number", ERR_RANGE},
        {"d_k: 4}", "d_k: 2 - 3}", ":27: case 'by hand': d_k: a whole number", ERR_RANGE},
        {"d_k: 4}", "d_k: \"[4]\"}", ":27: case 'by hand': d_k: a single number", ERR_SHAPE},
        {"d_k: 4}", "d_k: four}", ":27: case 'by hand': d_k: ", ERR_NAME},
        {"[[1, 0, 0, 2], [0, 3, 0, 0]]", "[[1, 0], [0, 3]]",
         ":8: case 'by hand': query: its shape is 2x2, and the shape of query is 2x4", ERR_SHAPE},
        {"[[1, 0, 0, 2], [0, 3, 0, 0]]", "randn(n_q, d_k",
         ":29: case 'by hand': query = randn(n_q, d_k: ", ERR_SYNTAX},
        {"[[1, 0, 0, 2], [0, 3, 0, 0]]", "key > 0",
         ":8: case 'by hand': query: it is an array of float", ERR_TYPE},
        {"- query = [[1", "- may = 1 * may\n      - query = [[1",
         ":10: case 'by hand': may: it is an array of bool", ERR_TYPE},
        {"  - key = randn(n_k, d_k)\n", "",
         ":9: case 'by hand': key: it is not drawn; add a line `key", ERR_NAME},
        {"- query = [[1, 0, 0, 2], [0, 3, 0, 0]]", "- query = None",
         ":29: case 'by hand': query = None: only an array with `optional: true`", ERR_TYPE},
        {"- query = [[1, 0, 0, 2], [0, 3, 0, 0]]", "- query = load(\"x.npy\")",
         "files can't be read or written here", ERR_FILE},
        {"weights, shape: [n_q, n_k]", "weights, shape: [n_q, -1]",
         ":7: case 'by hand': weights: -1: an axis must be a whole number", ERR_SHAPE},
        {"weights, shape: [n_q, n_k]", "weights, shape: [n_q, n_q]",
         ":20: case 'by hand': weights: its shape is 2x3, and the shape of weights is 2x2",
         ERR_SHAPE},
        {"  - scaled = scores / sqrt(d_k)\n", "  - scaled = scoers / sqrt(d_k)\n",
         ":17: case 'by hand': scaled = scoers / sqrt(d_k): ", ERR_NAME},
        {"is: weights, scale", "is: weights / 0 * 0, scale",
         ":20: case 'by hand': weights: [0, 0]: NaN is expected", ERR_RANGE},
        {"scale: weights + 1", "scale: weights / 0",
         ":20: case 'by hand': weights: [0, 0]: the scale is inf", ERR_RANGE},
        {"scale: weights + 1", "scale: query", ":20: case 'by hand': weights: ", ERR_SHAPE},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct error error;
        draw_fails(CHANGES(bad[i].old, bad[i].new), &error);
        assert_says(error, bad[i].says);
        assert_int_equal(error.kind, bad[i].kind);
    }
}

static void test_fixture__memory_must_be_a_number(void **state)
{
    (void)state;
    struct exercise *e = mini_with(CHANGES("memory_kib: 2 * n_k", "memory_kib: n_k - 5"));
    struct fixture *f;
    struct error error;
    assert_error(try_draw(e, RANDOM, 1, &f, &error), error, ERR_RANGE);
    assert_says(error, "memory_kib: a number from 1");
    exercise_free(e);
}

/* What is expected. */

/* softmax(query key^T / sqrt(d_k)), worked out here. */
static void weights_of(const struct fixture *f, double scale, double *ret)
{
    size_t n_q = (size_t)f->scalars[N_Q], n_k = (size_t)f->scalars[N_K],
           d_k = (size_t)f->scalars[D_K];
    for (size_t i = 0; i < n_q; i++) {
        double total = 0;
        for (size_t j = 0; j < n_k; j++) {
            double score = 0;
            for (size_t d = 0; d < d_k; d++)
                score +=
                    (double)floats(f, QUERY)[i * d_k + d] * (double)floats(f, KEY)[j * d_k + d];
            ret[i * n_k + j] = exp(score * scale);
            total += ret[i * n_k + j];
        }
        for (size_t j = 0; j < n_k; j++)
            ret[i * n_k + j] /= total;
    }
}

static void test_fixture__expected_numbers_and_how_far_off_they_may_be(void **state)
{
    (void)state;
    struct exercise *e = mini_with(NULL);
    struct fixture *f = draw(e, BY_HAND, 1);
    double wanted[6] = {0};
    weights_of(f, 0.5, wanted);
    for (size_t i = 0; i < 6; i++) {
        assert_close(f->arrays[WEIGHTS].expected[i], wanted[i], 1e-6);
        /* relative 1e-5, absolute 1e-12, scale weights + 1 */
        assert_close(f->arrays[WEIGHTS].allowed[i], 1e-12 + 1e-5 * (wanted[i] + 1), 1e-10);
    }
    assert_null(f->arrays[WEIGHTS].before);
    assert_null(f->arrays[KEY].expected);
    assert_null(f->arrays[KEY].allowed);
    fixture_free(f);
    exercise_free(e);
}

static void test_fixture__without_a_scale_it_is_the_number_itself(void **state)
{
    (void)state;
    struct exercise *e = mini_with(CHANGES("is: weights, scale: weights + 1", "is: weights - 2"));
    struct fixture *f = draw(e, BY_HAND, 1);
    double wanted[6] = {0};
    weights_of(f, 0.5, wanted);
    for (size_t i = 0; i < 6; i++)
        assert_close(f->arrays[WEIGHTS].allowed[i], 1e-12 + 1e-5 * (2 - wanted[i]), 1e-10);
    fixture_free(f);
    exercise_free(e);
}

static void test_fixture__nodes_are_the_tensors_behind_the_arrays(void **state)
{
    (void)state;
    struct exercise *e = mini_with(CHANGES("is: weights, scale", "is: weights * 1, scale"));
    struct fixture *f = draw(e, BY_HAND, 1);
    assert_string_equal(f->arrays[QUERY].node->name, "query");
    assert_string_equal(f->arrays[WEIGHTS].node->name, "weights");
    assert_int_equal(f->arrays[QUERY].node->n_parents, 0);
    for (size_t i = 0; i < 6; i++)
        assert_true(tensor_at_position(&f->arrays[WEIGHTS].node->value, i) ==
                    f->arrays[WEIGHTS].expected[i]);
    fixture_free(f);
    exercise_free(e);
}

/* An array that is changed in place: -inf where there is nothing to see. */
static const char *const in_place[] = {
    "const float *key, const bool *may, float *weights",
    "float *key, const bool *may, float *weights",
    "{name: key, shape: [n_k, d_k]}",
    "{name: key, shape: [n_k, d_k], role: inout}",
    "  - weights = softmax(scaled, dim=-1)\n",
    "  - weights = softmax(scaled, dim=-1)\n  - key = where(key > 0, key, -inf)\n",
    "  - {array: weights, is: weights, scale: weights + 1}\n",
    "  - {array: weights, is: weights}\n  - {array: key, is: key}\n",
    NULL};

static void test_fixture__an_array_in_place_has_before_and_after(void **state)
{
    (void)state;
    struct exercise *e = mini_with(in_place);
    struct fixture *f = draw(e, BY_HAND, 1);
    const struct fixture_array *key = &f->arrays[KEY];
    size_t n_hidden = 0;
    for (size_t i = 0; i < key->n_cells; i++) {
        float before = ((const float *)key->before)[i];
        assert_true(isfinite(before));
        if (before > 0) {
            assert_true(key->expected[i] == before);
        } else {
            assert_true(key->expected[i] == -INFINITY);
            assert_close(key->allowed[i], 0, 0);
            n_hidden++;
        }
    }
    assert_true(n_hidden > 0 && n_hidden < key->n_cells);
    fixture_free(f);
    exercise_free(e);
}

/* Answers. */

static struct answer right_answer(const struct fixture *fixture)
{
    struct answer answer;
    struct error error;
    assert_true(fixture_right_answer(fixture, &answer, &error));
    return answer;
}

static void test_fixture__answers_have_room_for_what_is_filled(void **state)
{
    (void)state;
    struct exercise *e = mini_with(NULL);
    struct fixture *f = draw(e, BY_HAND, 1);
    struct answer answer;
    struct error error;
    assert_true(answer_init(f, &answer, &error));
    assert_non_null(answer.floats[WEIGHTS]);
    assert_null(answer.floats[QUERY]);
    answer_release(&answer);
    assert_null(answer.floats[WEIGHTS]);
    testing_fail_allocation(1);
    assert_error(answer_init(f, &answer, &error), error, ERR_MEMORY);
    testing_fail_allocation(0);
    fixture_free(f);
    exercise_free(e);
}

static void test_fixture__comparing(void **state)
{
    (void)state;
    struct exercise *e = mini_with(NULL);
    struct fixture *f = draw(e, BY_HAND, 1);
    struct answer answer = right_answer(f);
    float *weights = answer.floats[WEIGHTS];
    const struct fixture_array *array = &f->arrays[WEIGHTS];
    struct difference d = fixture_compare(f, &answer);
    assert_int_equal(d.verdict, VERDICT_PASS);
    assert_close(d.max_abs_error, 0, 0);
    weights[3] = (float)((double)array->expected[3] + array->allowed[3] * 0.9);
    assert_int_equal(fixture_compare(f, &answer).verdict, VERDICT_PASS);
    weights[3] = (float)((double)array->expected[3] + array->allowed[3] * 1.1);
    d = fixture_compare(f, &answer);
    assert_int_equal(d.verdict, VERDICT_WRONG_ANSWER);
    assert_int_equal(d.array, WEIGHTS);
    assert_int_equal(d.cell, 3);
    assert_int_equal(d.n_different, 1);
    assert_close(d.got, weights[3], 0);
    assert_close(d.expected, array->expected[3], 0);
    assert_close(d.max_abs_error, array->allowed[3] * 1.1, 1e-7);
    weights[4] = NAN;
    weights[5] = INFINITY;
    d = fixture_compare(f, &answer);
    assert_int_equal(d.verdict, VERDICT_NON_FINITE);
    assert_int_equal(d.cell, 4); /* the first that is not finite */
    assert_int_equal(d.n_different, 3);
    assert_close(d.max_abs_error, array->allowed[3] * 1.1, 1e-7); /* of what is finite */
    answer_release(&answer);
    fixture_free(f);
    exercise_free(e);
}

static void test_fixture__an_expected_infinity_is_met_by_itself_only(void **state)
{
    (void)state;
    struct exercise *e = mini_with(in_place);
    struct fixture *f = draw(e, BY_HAND, 1);
    size_t cell = 0;
    while (!isinf(f->arrays[KEY].expected[cell]))
        cell++;
    assert_true(fixture_cell_right(f, KEY, cell, -INFINITY));
    assert_false(fixture_cell_right(f, KEY, cell, INFINITY));
    assert_false(fixture_cell_right(f, KEY, cell, -1e9f));
    assert_false(fixture_cell_right(f, KEY, cell, -3.4e38f));
    assert_false(fixture_cell_right(f, KEY, cell, NAN));
    struct answer answer = right_answer(f);
    answer.floats[KEY][cell] = -1e9f;
    assert_int_equal(fixture_compare(f, &answer).verdict, VERDICT_WRONG_ANSWER);
    answer.floats[KEY][cell] = NAN;
    assert_int_equal(fixture_compare(f, &answer).verdict, VERDICT_NON_FINITE);
    answer_release(&answer);
    fixture_free(f);
    exercise_free(e);
}

static void test_fixture__alike_and_apart(void **state)
{
    (void)state;
    struct exercise *e = mini_with(NULL);
    struct fixture *f = draw(e, BY_HAND, 1);
    static const struct {
        float a, b;
        bool alike, apart;
    } cases[] = {
        {0.5f, 0.5f, true, false},
        {0.5f, 0.5f + 1e-6f, true, false},
        {0.5f, 0.501f, false, true},
        {0.5f, 0.50004f, false, false}, /* in between */
        {NAN, NAN, true, false},
        {NAN, 0.5f, false, true},
        {0.5f, NAN, false, true},
        {INFINITY, INFINITY, true, false},
        {INFINITY, -INFINITY, false, true},
        {INFINITY, 1, false, true},
        {1e9f, 1.000001e9f, true, false}, /* as large as the idea's own numbers */
        {1e9f, 1.001e9f, false, true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct answer a = right_answer(f), b = right_answer(f);
        a.floats[WEIGHTS][5] = cases[i].a;
        b.floats[WEIGHTS][5] = cases[i].b;
        if (fixture_answers_alike(f, &a, &b) != cases[i].alike ||
            fixture_answers_apart(f, &a, &b) != cases[i].apart)
            fail_msg("%g and %g", (double)cases[i].a, (double)cases[i].b);
        answer_release(&a);
        answer_release(&b);
    }
    fixture_free(f);
    exercise_free(e);
}

static void test_fixture__places(void **state)
{
    (void)state;
    char text[64];
    struct fixture_array three = {.n_axes = 3, .shape = {2, 3, 4}}, none = {.n_axes = 0};
    assert_string_equal(fixture_place(&three, 23, text, sizeof text), "[1, 2, 3]");
    assert_string_equal(fixture_place(&three, 5, text, sizeof text), "[0, 1, 1]");
    assert_string_equal(fixture_place(&none, 0, text, sizeof text), "");
}

/* Answers under other ideas. */

static bool under(struct fixture *f, unsigned a, unsigned b, struct answer *ret,
                  struct error *reterr)
{
    const struct misconception *all = f->exercise->misconceptions;
    const struct misconception *ideas[] = {&all[a], &all[b]};
    *reterr = (struct error){.kind = ERR_INTERRUPTED};
    return fixture_answer_under(f, ideas, a == b ? 1 : 2, ret, reterr);
}

static void test_fixture__an_idea_replaces_its_stage(void **state)
{
    (void)state;
    struct exercise *e = mini_with(NULL);
    struct fixture *f = draw(e, BY_HAND, 1);
    struct answer answer;
    struct error error;
    double wanted[6] = {0};
    weights_of(f, 1, wanted); /* no scale */
    assert_true(under(f, NO_SCALE, NO_SCALE, &answer, &error));
    for (size_t i = 0; i < 6; i++)
        assert_close(answer.floats[WEIGHTS][i], wanted[i], 1e-6);
    assert_null(answer.floats[QUERY]);
    answer_release(&answer);
    fixture_free(f);
    exercise_free(e);
}

/* Only the weights are wrong: the other array, compared by itself, is right. */
static void test_fixture__one_array_is_compared(void **state)
{
    (void)state;
    struct exercise *e = mini_with(NULL);
    struct fixture *f = draw(e, BY_HAND, 1);
    struct answer answer;
    struct error error;
    assert_true(under(f, NO_SCALE, NO_SCALE, &answer, &error));
    struct difference all = fixture_compare(f, &answer);
    assert_true(all.n_different > 0);
    assert_int_equal(fixture_compare_array(f, &answer, WEIGHTS).n_different, all.n_different);
    assert_int_equal(fixture_compare_array(f, &answer, QUERY).verdict, VERDICT_PASS);
    answer_release(&answer);
    fixture_free(f);
    exercise_free(e);
}

/* The sums of columns of exp(query key^T). */
static void test_fixture__two_ideas_replace_two_stages(void **state)
{
    (void)state;
    struct exercise *e = mini_with(NULL);
    struct fixture *f = draw(e, BY_HAND, 1);
    struct answer answer;
    struct error error;
    assert_true(under(f, NO_SCALE, COLUMNS, &answer, &error));
    for (size_t j = 0; j < 3; j++) {
        double score[2] = {0};
        for (size_t i = 0; i < 2; i++)
            for (size_t d = 0; d < 4; d++)
                score[i] += (double)floats(f, QUERY)[i * 4 + d] * (double)floats(f, KEY)[j * 4 + d];
        assert_close(answer.floats[WEIGHTS][j], 1 / (1 + exp(score[1] - score[0])), 1e-6);
    }
    answer_release(&answer);
    fixture_free(f);
    exercise_free(e);
}

static void test_fixture__ideas_that_can_not_be_had_at_once(void **state)
{
    (void)state;
    struct exercise *e = mini_with(CHANGES("- weights = softmax(scaled, dim=0)", "- scaled = 1"));
    struct fixture *f = draw(e, BY_HAND, 1);
    struct answer answer;
    struct error error;
    assert_false(under(f, NO_SCALE, COLUMNS, &answer, &error));
    assert_int_equal(error.kind, ERR_NONE);
    assert_true(idea_says_nothing(&error));
    assert_false(under(f, HOARDS, HOARDS, &answer, &error));
    assert_int_equal(error.kind, ERR_NONE);
    fixture_free(f);
    exercise_free(e);
}

static void test_fixture__an_idea_whose_shapes_do_not_fit_says_nothing(void **state)
{
    (void)state;
    static const char *const stages[] = {"- weights = scaled.T", /* another shape than declared */
                                         "- weights = query + key", "- weights = scaled[7]",
                                         "- weights = eye(scaled)",
                                         "- weights = ones(100000, 100000)"};
    for (size_t i = 0; i < COUNT_OF(stages); i++) {
        struct exercise *e = mini_with(CHANGES("- weights = softmax(scaled, dim=0)", stages[i]));
        struct fixture *f = draw(e, BY_HAND, 1);
        struct answer answer;
        struct error error;
        assert_false(under(f, COLUMNS, COLUMNS, &answer, &error));
        assert_true(error.kind != ERR_NONE && idea_says_nothing(&error));
        fixture_free(f);
        exercise_free(e);
    }
}

static void test_fixture__a_name_that_nobody_knows_is_the_authors_fault(void **state)
{
    (void)state;
    struct exercise *e =
        mini_with(CHANGES("- weights = softmax(scaled, dim=0)", "- weights = softmax(scald)"));
    struct fixture *f = draw(e, BY_HAND, 1);
    struct answer answer;
    struct error error;
    assert_error(under(f, COLUMNS, COLUMNS, &answer, &error), error, ERR_NAME);
    assert_false(idea_says_nothing(&error));
    fixture_free(f);
    exercise_free(e);
}

/* Stages see what was drawn and what their own run made: here `late` comes after its use, and is
 * there from the run before unless runs are kept apart. */
static void test_fixture__no_name_of_an_earlier_run_is_read(void **state)
{
    (void)state;
    struct exercise *e = mini_with(
        CHANGES("  - weights = softmax(scaled, dim=-1)\n",
                "  - weights = softmax(scaled, dim=-1)\n  - late = weights\n",
                "- weights = softmax(scaled, dim=0)", "- weights = late",
                "      - scaled = scores\n", "      - help = scores\n      - scaled = help\n"));
    struct fixture *f = draw(e, BY_HAND, 1);
    struct answer answer;
    struct error error;
    for (int i = 0; i < 2; i++) {
        assert_error(under(f, COLUMNS, COLUMNS, &answer, &error), error, ERR_NAME);
        assert_true(under(f, NO_SCALE, NO_SCALE, &answer, &error));
        assert_null(names_get(&f->session->names, "help", 4));
        answer_release(&answer);
    }
    fixture_free(f);
    exercise_free(e);
}

static struct node *value_of(const struct fixture *f, const char *name)
{
    const struct value *value = names_get(&f->session->names, name, strlen(name));
    assert_true(value != NULL && value->kind == VALUE_NODE);
    return value->as.node;
}

static void test_fixture__the_fixture_stays_as_it_was(void **state)
{
    (void)state;
    struct exercise *e = mini_with(in_place); /* key is an input, a stage and an output */
    struct fixture *f = draw(e, BY_HAND, 1);
    struct node *key = value_of(f, "key"), *weights = value_of(f, "weights");
    struct answer right = right_answer(f), answer;
    struct error error;
    for (int i = 0; i < 3; i++) {
        assert_true(under(f, NO_SCALE, NO_SCALE, &answer, &error));
        /* key starts as it was drawn, and not as the run before left it */
        assert_memory_equal(answer.floats[KEY], right.floats[KEY], f->arrays[KEY].n_bytes);
        answer_release(&answer);
    }
    assert_ptr_equal(value_of(f, "key"), key);
    assert_ptr_equal(value_of(f, "weights"), weights);
    assert_ptr_equal(f->arrays[WEIGHTS].node, weights);
    assert_string_equal(weights->name, "weights");
    assert_string_equal(key->name, "key");
    assert_int_equal(fixture_compare(f, &right).verdict, VERDICT_PASS);
    answer_release(&right);
    fixture_free(f);
    exercise_free(e);
}

/* Memory. */

static bool draw_and_answer(const struct exercise *e, struct error *reterr)
{
    struct fixture *f;
    struct answer answer;
    if (!try_draw(e, BY_HAND, 1, &f, reterr))
        return false;
    bool ok = under(f, NO_SCALE, COLUMNS, &answer, reterr);
    if (ok)
        answer_release(&answer);
    fixture_free(f);
    return ok;
}

static void test_fixture__without_memory_it_says_so(void **state)
{
    (void)state;
    struct exercise *e = mini_with(NULL);
    struct error error;
    assert_reports_failed_allocations(draw_and_answer(e, &error), error);
    exercise_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixture__numbers_and_expressions_are_sizes),
        cmocka_unit_test(test_fixture__floats_and_bools_are_by_value_too),
        cmocka_unit_test(test_fixture__ranges_give_different_sizes_within_their_bounds),
        cmocka_unit_test(test_fixture__ranges_that_can_not_differ_are_drawn_all_the_same),
        cmocka_unit_test(test_fixture__given_sizes_stand_in_for_the_drawn_ones),
        cmocka_unit_test(test_fixture__alike_has_the_same_sizes_and_other_numbers),
        cmocka_unit_test(test_fixture__name_and_memory),
        cmocka_unit_test(test_fixture__bits_come_out_as_they_were_drawn),
        cmocka_unit_test(test_fixture__a_view_is_copied_row_by_row),
        cmocka_unit_test(test_fixture__rows_of_every_kind),
        cmocka_unit_test(test_fixture__bools_are_bytes),
        cmocka_unit_test(test_fixture__none_is_absent),
        cmocka_unit_test(test_fixture__what_no_seed_changes_is_public),
        cmocka_unit_test(test_fixture__drawing_is_the_same_again_and_nothing_else),
        cmocka_unit_test(test_fixture__seeds_are_the_same_everywhere),
        cmocka_unit_test(test_fixture__simple_numbers_have_one_decimal),
        cmocka_unit_test(test_fixture__faults_of_drawing_say_where),
        cmocka_unit_test(test_fixture__memory_must_be_a_number),
        cmocka_unit_test(test_fixture__expected_numbers_and_how_far_off_they_may_be),
        cmocka_unit_test(test_fixture__without_a_scale_it_is_the_number_itself),
        cmocka_unit_test(test_fixture__nodes_are_the_tensors_behind_the_arrays),
        cmocka_unit_test(test_fixture__an_array_in_place_has_before_and_after),
        cmocka_unit_test(test_fixture__answers_have_room_for_what_is_filled),
        cmocka_unit_test(test_fixture__comparing),
        cmocka_unit_test(test_fixture__an_expected_infinity_is_met_by_itself_only),
        cmocka_unit_test(test_fixture__alike_and_apart),
        cmocka_unit_test(test_fixture__places),
        cmocka_unit_test(test_fixture__an_idea_replaces_its_stage),
        cmocka_unit_test(test_fixture__one_array_is_compared),
        cmocka_unit_test(test_fixture__two_ideas_replace_two_stages),
        cmocka_unit_test(test_fixture__ideas_that_can_not_be_had_at_once),
        cmocka_unit_test(test_fixture__an_idea_whose_shapes_do_not_fit_says_nothing),
        cmocka_unit_test(test_fixture__a_name_that_nobody_knows_is_the_authors_fault),
        cmocka_unit_test(test_fixture__no_name_of_an_earlier_run_is_read),
        cmocka_unit_test(test_fixture__the_fixture_stays_as_it_was),
        cmocka_unit_test(test_fixture__without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
