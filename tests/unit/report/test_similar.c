/* report/similar.h: works that look alike, and those that are just short, or like everybody's. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "files/file.h"
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

/* Finds the pairs of a class whose student i wrote sources[i]; consumes them. */
static struct likenesses found(struct text *sources, size_t n)
{
    static char names[CLASS][16];
    struct marked_work works[CLASS];
    struct likenesses likenesses = {0};
    struct error error;
    for (size_t i = 0; i < n; i++) {
        snprintf(names[i], sizeof names[i], "s%03zu", i);
        works[i] = (struct marked_work){names[i], marks_of(text_string(&sources[i]))};
        text_release(&sources[i]);
    }
    assert_true(similar_find("heads", works, n, &likenesses, &error));
    for (size_t i = 0; i < n; i++)
        source_marks_release(&works[i].marks);
    return likenesses;
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

/* Several proven solutions of an exercise, by different ways, and one of them with other names. */
static struct likenesses found_in_exercise(const char *id, const char *const *names, size_t n)
{
    struct text sources[8] = {{0}};
    struct error error;
    for (size_t i = 0; i < n; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/tests/exercises/%s/right/%s.c", getenv("ATTN_DATA_DIR"), id,
                 names[i]);
        if (!file_read_text(path, 1 << 16, &sources[i], &error))
            fail_msg("%s", error.text);
    }
    text_put(&sources[n], "/* mine */\n");
    for (const char *at = text_string(&sources[0]); *at != '\0'; at++) {
        bool is_name = at > sources[0].bytes && strchr("ijkhrcdt", *at) != NULL &&
                       strchr(" ([+*", at[-1]) != NULL && strchr(" ;,)]<+*", at[1]) != NULL;
        text_format(&sources[n], is_name ? "%cx" : "%c", *at);
    }
    return found(sources, n + 1);
}

static void test_similar__real_solutions(void **state)
{
    (void)state;
    static const char *const softmax[] = {"in_place", "log_sum_exp", "online", "pairwise",
                                          "three_loops"};
    static const char *const heads[] = {"all_heads_at_once", "copied_heads", "heads_add_to_out"};
    struct likenesses likenesses = found_in_exercise("04-softmax-rows", softmax, 5);
    for (size_t i = 0; i < likenesses.n; i++)
        assert_string_equal(likenesses.items[i].b, "s005");
    likenesses_release(&likenesses);
    likenesses = found_in_exercise("11-multi-head", heads, 3);
    assert_int_equal(likenesses.n, 1);
    assert_string_equal(likenesses.items[0].a, "s000");
    assert_string_equal(likenesses.items[0].b, "s003");
    likenesses_release(&likenesses);
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
        cmocka_unit_test(test_similar__nobody_is_named_where_all_write_the_same),
        cmocka_unit_test(test_similar__real_solutions),
        cmocka_unit_test(test_similar__a_dot_product_accuses_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
