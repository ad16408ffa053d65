/* report/similar.h: works that look alike, and those that are just short, or like everybody's. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "exercise/exercises.h"
#include "exercise/solutions.h"
#include "report/similar.h"

enum { CLASS = 300 };

static struct source_marks marks_of(const char *source)
{
    struct source_marks marks;
    struct error error;
    assert_true(source_marks_make(source, strlen(source), NULL, &marks, &error));
    return marks;
}

static double share_of(const char *a, const char *b)
{
    struct source_marks left = marks_of(a), right = marks_of(b);
    double share = source_marks_share(&left, &right);
    source_marks_release(&left);
    source_marks_release(&right);
    return share;
}

/* Statements that chance picks: two of these have little in common. names: what variables and
 * functions begin with; noise: a comment behind each statement. */
static struct text invented(unsigned seed, const char *names, const char *noise)
{
    static const char *const statements[] = {
        "%1$sa = %1$sb * %1$sc + %1$sd;",
        "for (int %1$si = 0; %1$si < %1$sn; %1$si++) %1$sa[%1$si] += %1$sb;",
        "if (%1$sa > %1$sb && %1$sc != 3) return %1$sd;",
        "while (%1$sx--) { %1$sy = %1$sf(%1$sx, %1$sy); }",
        "float %1$st = (float)%1$su / sqrtf(%1$sv);",
        "%1$sp->%1$sq = %1$sr[%1$si * %1$sn + %1$sj] - %1$smax;",
        "switch (%1$sk) { case 1: break; default: %1$sk = -1; }",
        "do { %1$sz *= 0.5f; } while (%1$sz > 1e-6f);",
        "memcpy(%1$sdst, %1$ssrc, sizeof *%1$sdst * %1$sn);",
        "%1$sa = %1$sb ? %1$sc : ~%1$sd;",
    };
    struct text text = {0};
    unsigned state = seed * 2654435761u + 1;
    for (int i = 0; i < 40; i++) {
        state = state * 1664525u + 1013904223u;
        text_format(&text, statements[(state >> 16) % 10], names);
        text_put(&text, noise);
    }
    assert_false(text.failed);
    return text;
}

static void test_similar__names_comments_and_layout_do_not_matter(void **state)
{
    (void)state;
    struct text one = invented(1, "first_", "\n"), same = invented(1, "x", " /* mine; a = b */  "),
                other = invented(2, "first_", "\n");
    assert_close(share_of(text_string(&one), text_string(&same)), 1, 0);
    assert_true(share_of(text_string(&one), text_string(&other)) < 0.5);
    assert_close(share_of(text_string(&one), ""), 0, 0);
    assert_close(share_of("", "/* unfinished \" ' "), 0, 0);
    text_release(&one);
    text_release(&same);
    text_release(&other);
}

static void test_similar__the_starter_does_not_count(void **state)
{
    (void)state;
    struct error error;
    struct text starter = invented(1, "a", "\n");
    struct source_marks all, left;
    assert_true(source_marks_all(text_string(&starter), starter.size, &all, &error));
    assert_true(all.n > 100);
    assert_true(source_marks_make(text_string(&starter), starter.size, &all, &left, &error));
    assert_int_equal(left.n, 0);
    source_marks_release(&all);
    source_marks_release(&left);
    text_release(&starter);
}

/* Finds the pairs of a class whose student i wrote sources[i]; consumes these. */
static struct likenesses found_beside(struct text *sources, size_t n,
                                      const struct source_marks *solutions, size_t n_solutions)
{
    static char names[CLASS][16];
    struct marked_work works[CLASS];
    struct likenesses likenesses = {0};
    struct error error;
    for (size_t i = 0; i < n; i++) {
        snprintf(names[i], sizeof names[i], "s%03zu", i);
        works[i] =
            (struct marked_work){.who = names[i], .marks = marks_of(text_string(&sources[i]))};
        text_release(&sources[i]);
    }
    assert_true(similar_find("heads", works, n, solutions, n_solutions, &likenesses, &error));
    for (size_t i = 0; i < n; i++)
        source_marks_release(&works[i].marks);
    return likenesses;
}

static struct likenesses found(struct text *sources, size_t n)
{
    return found_beside(sources, n, NULL, 0);
}

static void test_similar__one_copy_in_a_class(void **state)
{
    (void)state;
    struct text sources[CLASS];
    for (unsigned i = 0; i < CLASS; i++)
        sources[i] = invented(i, "a", "\n");
    text_release(&sources[200]);
    sources[200] = invented(17, "other", "// all my own\n");
    struct likenesses likenesses = found(sources, CLASS);
    assert_int_equal(likenesses.n, 1);
    assert_string_equal(likenesses.items[0].a, "s017");
    assert_string_equal(likenesses.items[0].b, "s200");
    assert_close(likenesses.items[0].share, 1, 0);
    likenesses_release(&likenesses);
}

/* A work of last year is named beside the one that copies it; two such works are not. */
static void test_similar__known_works_are_compared_with_those_of_now(void **state)
{
    (void)state;
    enum { N = 30 };
    struct marked_work works[N + 2];
    struct likenesses likenesses = {0};
    struct error error;
    static char names[N][16];
    for (unsigned i = 0; i < N + 2; i++) {
        struct text source = invented(i < N ? i : 7, "a", "\n");
        works[i] = (struct marked_work){.who = i == N ? "last/kim/heads.c" : "last/lou/heads.c",
                                        .marks = marks_of(text_string(&source)),
                                        .is_known = i >= N};
        if (i < N) {
            snprintf(names[i], sizeof names[i], "s%03u", i);
            works[i].who = names[i];
        }
        text_release(&source);
    }
    assert_true(similar_find("heads", works, N + 2, NULL, 0, &likenesses, &error));
    assert_int_equal(likenesses.n, 2);
    for (size_t i = 0; i < 2; i++)
        assert_string_equal(likenesses.items[i].a, "s007");
    assert_string_equal(likenesses.items[0].b, "last/kim/heads.c");
    assert_string_equal(likenesses.items[1].b, "last/lou/heads.c");
    for (size_t i = 0; i < N + 2; i++)
        source_marks_release(&works[i].marks);
    likenesses_release(&likenesses);
}

/* Where most write the same, it says nothing that two do. */
static void test_similar__nobody_is_named_where_all_write_the_same(void **state)
{
    (void)state;
    struct text sources[CLASS];
    for (unsigned i = 0; i < CLASS; i++)
        sources[i] = invented(i % 3 == 0 ? i : 1, "a", "\n");
    struct likenesses likenesses = found(sources, CLASS);
    assert_int_equal(likenesses.n, 0);
}

/* The right solutions of an exercise's proof: the same written in different ways. */
struct proof {
    struct text sources[16];
    struct source_marks marks[16];
    size_t n;
    struct source_marks starter;
};

static bool add_solution(void *context, const char *name, const struct text *source)
{
    struct proof *proof = context;
    struct error error;
    assert_true(proof->n < 16 && text_ends_with(name, ".c"));
    text_put(&proof->sources[proof->n], text_string(source));
    assert_true(source_marks_make(text_string(source), source->size, &proof->starter,
                                  &proof->marks[proof->n], &error));
    proof->n++;
    return true;
}

static struct proof load_proof(const struct exercise *exercise)
{
    struct proof proof = {.n = 0};
    struct error error;
    assert_true(
        source_marks_all(exercise->starter, strlen(exercise->starter), &proof.starter, &error));
    assert_true(solutions_visit(getenv("ATTN_DATA_DIR"), exercise, add_solution, &proof, &error));
    assert_true(proof.n >= 3);
    return proof;
}

static void proof_release(struct proof *proof)
{
    for (size_t i = 0; i < proof->n; i++) {
        text_release(&proof->sources[i]);
        source_marks_release(&proof->marks[i]);
    }
    source_marks_release(&proof->starter);
}

/* The source with other names in it. */
static struct text disguised(const struct text *source)
{
    struct text copy = {0};
    text_put(&copy, "/* mine */\n");
    for (const char *at = text_string(source); *at != '\0'; at++) {
        bool is_name = at > source->bytes && strchr("ijkhrcdt", *at) != NULL &&
                       strchr(" ([+*", at[-1]) != NULL && strchr(" ;,)]<+*", at[1]) != NULL;
        text_format(&copy, is_name ? "%cx" : "%c", *at);
    }
    return copy;
}

/* Works a and b alone, b's with other names where it is a copy; all others are the solutions. */
static size_t pairs_among_few(const struct proof *proof, size_t a, size_t b)
{
    struct text copy = disguised(&proof->sources[b]);
    struct source_marks others[16], of_copy;
    struct likenesses likenesses = {0};
    struct error error;
    size_t n = 0;
    for (size_t i = 0; i < proof->n; i++)
        if (i != a && i != b)
            others[n++] = proof->marks[i];
    assert_true(
        source_marks_make(text_string(&copy), copy.size, &proof->starter, &of_copy, &error));
    const struct marked_work works[] = {{"anna", proof->marks[a], false}, {"bob", of_copy, false}};
    assert_true(similar_find("x", works, 2, others, n, &likenesses, &error));
    size_t n_found = likenesses.n;
    likenesses_release(&likenesses);
    source_marks_release(&of_copy);
    text_release(&copy);
    return n_found;
}

/* Of all exercises: no two solutions that were written apart, and each copy of one that is not
 * short. */
static void test_similar__two_works_are_measured_by_the_solutions(void **state)
{
    (void)state;
    struct exercises exercises;
    struct error error;
    size_t n_copies = 0;
    assert_true(exercises_load(getenv("ATTN_DATA_DIR"), NULL, &exercises, &error));
    assert_int_equal(exercises.n, 20);
    for (size_t i = 0; i < exercises.n; i++) {
        struct proof proof = load_proof(exercises.items[i]);
        for (size_t a = 0; a < proof.n; a++) {
            bool is_long = proof.marks[a].n >= 40;
            for (size_t b = 0; b < proof.n; b++)
                if (pairs_among_few(&proof, a, b) != (a == b && is_long))
                    fail_msg("%s: solutions %zu and %zu", exercises.items[i]->id, a, b);
            n_copies += is_long;
        }
        proof_release(&proof);
    }
    assert_true(n_copies > 40);
    exercises_release(&exercises);
}

/* Where no solution tells what is usual, and where both took what the solutions have. */
static void test_similar__few_works_without_a_measure_name_nobody(void **state)
{
    (void)state;
    struct text source = invented(1, "a", "\n");
    struct source_marks marks = marks_of(text_string(&source));
    struct text two[] = {invented(1, "b", "\n"), invented(1, "c", "\n")};
    struct likenesses likenesses = found(two, 2);
    assert_int_equal(likenesses.n, 0);
    two[0] = invented(1, "b", "\n");
    two[1] = invented(1, "c", "\n");
    likenesses = found_beside(two, 2, &marks, 1);
    assert_int_equal(likenesses.n, 0);
    source_marks_release(&marks);
    text_release(&source);
}

static void test_similar__marks_are_written_and_read(void **state)
{
    (void)state;
    static const char *const wrong[] = {"0", "0000000", "0000000g", "0000000A", "00000001 "};
    struct text source = invented(1, "a", "\n"), written = {0};
    struct source_marks marks = marks_of(text_string(&source)), again;
    struct error error;
    source_marks_write(&marks, &written);
    assert_int_equal(written.size, 8 * marks.n);
    assert_true(source_marks_read(text_string(&written), &again, &error));
    assert_int_equal(again.n, marks.n);
    assert_memory_equal(again.items, marks.items, marks.n * sizeof *marks.items);
    source_marks_release(&again);
    assert_true(source_marks_read("ffffffff00000001ffffffff", &again, &error));
    assert_int_equal(again.n, 2); /* in order, each once */
    assert_int_equal(again.items[0], 1);
    source_marks_release(&again);
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_error(source_marks_read(wrong[i], &again, &error), error, ERR_FILE);
    source_marks_release(&marks);
    text_release(&source);
    text_release(&written);
}

static void test_similar__a_dot_product_accuses_nobody(void **state)
{
    (void)state;
    struct text sources[20] = {{0}};
    for (size_t i = 0; i < 20; i++)
        text_put(&sources[i], "float dot(size_t n, const float *a, const float *b) { float s = 0; "
                              "for (size_t i = 0; i < n; i++) s += a[i] * b[i]; return s; }");
    struct likenesses likenesses = found(sources, 20);
    assert_int_equal(likenesses.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_similar__names_comments_and_layout_do_not_matter),
        cmocka_unit_test(test_similar__the_starter_does_not_count),
        cmocka_unit_test(test_similar__one_copy_in_a_class),
        cmocka_unit_test(test_similar__known_works_are_compared_with_those_of_now),
        cmocka_unit_test(test_similar__nobody_is_named_where_all_write_the_same),
        cmocka_unit_test(test_similar__two_works_are_measured_by_the_solutions),
        cmocka_unit_test(test_similar__few_works_without_a_measure_name_nobody),
        cmocka_unit_test(test_similar__marks_are_written_and_read),
        cmocka_unit_test(test_similar__a_dot_product_accuses_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
