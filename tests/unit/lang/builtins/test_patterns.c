/* lang/builtins/patterns_internal.h: attention patterns drawn by hand, and pattern(), which gives
 * them. */
#include "lang_testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "graph/node.h"
#include "lang/builtins/patterns_internal.h"

/* A table in a file of its own. */
struct table {
    char path[64];
};

static struct table table_of(const char *text)
{
    struct table table = {.path = "/tmp/attn-patterns-XXXXXX"};
    int fd = mkstemp(table.path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    return table;
}

static struct patterns *loaded(const char *text)
{
    struct table table = table_of(text);
    struct patterns *patterns;
    struct error error;
    bool ok = patterns_load(table.path, &patterns, &error);
    unlink(table.path);
    if (!ok)
        fail_msg("%s", error.text);
    return patterns;
}

static void assert_refused(const char *text, const char *line, const char *says)
{
    struct table table = table_of(text);
    struct patterns *patterns = NULL;
    struct error error;
    bool ok = patterns_load(table.path, &patterns, &error);
    unlink(table.path);
    assert_error(ok, error, ERR_FILE);
    assert_says(error, table.path);
    assert_says(error, line);
    assert_says(error, says);
    assert_null(patterns);
}

/* The file that attn comes with. */
static struct patterns *assets(void)
{
    char path[4096];
    struct patterns *patterns;
    struct error error;
    snprintf(path, sizeof path, "%s/assets/patterns.txt", testing_data_dir());
    if (!patterns_load(path, &patterns, &error))
        fail_msg("%s", error.text);
    return patterns;
}

static const struct pattern *named(const struct patterns *patterns, const char *name)
{
    const struct pattern *pattern = patterns_find(patterns, name, strlen(name));
    if (pattern == NULL)
        fail_msg("there is no pattern %s", name);
    return pattern;
}

static size_t token(const struct pattern *pattern, const char *word)
{
    size_t at = labels_find(pattern->tokens, word, strlen(word));
    if (at == labels_count(pattern->tokens))
        fail_msg("%s has no token %s", pattern->name, word);
    return at;
}

static float weight(const struct pattern *pattern, size_t i, size_t j)
{
    return tensor_at(&pattern->weights, (size_t[]){i, j});
}

/* The token that token i looks at most. */
static size_t looks_at(const struct pattern *pattern, size_t i)
{
    size_t best = 0;
    for (size_t j = 1; j <= i; j++)
        best = weight(pattern, i, j) > weight(pattern, i, best) ? j : best;
    return best;
}

static void assert_looks_at(const struct pattern *pattern, const char *query, const char *key)
{
    size_t i = token(pattern, query), j = looks_at(pattern, i);
    if (j != token(pattern, key))
        fail_msg("%s: %s looks at %s, not at %s", pattern->name, query,
                 labels_name(pattern->tokens, j), key);
}

/* ---- the file ---- */

static void test_patterns__all_names_are_there(void **state)
{
    (void)state;
    static const char *const names[] = {
        "previous-token", "first-token", "pronoun",     "rhyme",  "duplicate-token",
        "doctor-she",     "doctor-he",   "sycophantic", "honest", "uniform"};
    struct patterns *patterns = assets();
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        assert_ptr_equal(patterns_at(patterns, i), named(patterns, names[i]));
        assert_string_equal(patterns_at(patterns, i)->name, names[i]);
    }
    assert_null(patterns_at(patterns, COUNT_OF(names)));
    assert_null(patterns_find(patterns, "pronou", 6));
    assert_null(patterns_find(patterns, "Pronoun", 7));
    assert_null(patterns_find(patterns, "", 0));
    patterns_free(patterns);
}

static void test_patterns__each_is_causal_and_its_rows_sum_to_one(void **state)
{
    (void)state;
    struct patterns *patterns = assets();
    const struct pattern *pattern;
    for (size_t p = 0; (pattern = patterns_at(patterns, p)) != NULL; p++) {
        size_t n = labels_count(pattern->tokens);
        assert_true(n >= 8 && n <= 14);
        assert_int_equal(pattern->weights.n_axes, 2);
        assert_int_equal(pattern->weights.shape[0], n);
        assert_int_equal(pattern->weights.shape[1], n);
        for (size_t i = 0; i < n; i++) {
            double sum = 0;
            for (size_t j = 0; j < n; j++) {
                sum += (double)weight(pattern, i, j);
                assert_true(j <= i ? weight(pattern, i, j) >= 0 : weight(pattern, i, j) == 0);
            }
            assert_close(sum, 1, 1e-6); /* hundredths in float32: 6e-8 each */
        }
    }
    patterns_free(patterns);
}

static void test_patterns__each_shows_what_its_name_says(void **state)
{
    (void)state;
    struct patterns *patterns = assets();
    const struct pattern *p = named(patterns, "previous-token");
    for (size_t i = 1; i < labels_count(p->tokens); i++)
        assert_int_equal(looks_at(p, i), i - 1);
    p = named(patterns, "first-token");
    for (size_t i = 1; i < labels_count(p->tokens); i++)
        assert_true(looks_at(p, i) == 0 && weight(p, i, 0) > 0.7F);
    p = named(patterns, "pronoun");
    assert_looks_at(p, "She", "cat");
    assert_looks_at(p, "likes", "cat");
    assert_looks_at(p, "cat", "My");
    p = named(patterns, "rhyme");
    assert_looks_at(p, "light", "night");
    p = named(patterns, "uniform");
    for (size_t i = 0; i < labels_count(p->tokens); i++)
        for (size_t j = 0; j <= i; j++)
            assert_close(weight(p, i, j), 1.0 / (double)(i + 1), 1e-7);
    patterns_free(patterns);
}

static void test_patterns__a_repeated_word_looks_back_at_itself(void **state)
{
    (void)state;
    struct patterns *patterns = assets();
    const struct pattern *p = named(patterns, "duplicate-token");
    size_t n_repeated = 0;
    for (size_t i = 0; i < labels_count(p->tokens); i++) {
        const char *word = labels_name(p->tokens, i);
        if (token(p, word) == i)
            continue;
        n_repeated++;
        assert_string_equal(labels_name(p->tokens, looks_at(p, i)), word);
        assert_true(looks_at(p, i) < i);
    }
    assert_true(n_repeated >= 4);
    patterns_free(patterns);
}

/* The stereotype, and the two sides of a question about a fact. */
static void assert_same_labels(const struct labels *a, const struct labels *b)
{
    assert_int_equal(labels_count(a), labels_count(b));
    for (size_t i = 0; i < labels_count(a); i++)
        assert_string_equal(labels_name(a, i), labels_name(b, i));
}

static void test_patterns__pairs_differ_in_where_they_look(void **state)
{
    (void)state;
    struct patterns *patterns = assets();
    assert_looks_at(named(patterns, "doctor-she"), "She", "nurse");
    assert_looks_at(named(patterns, "doctor-she"), "him", "doctor");
    assert_looks_at(named(patterns, "doctor-he"), "He", "doctor");
    assert_looks_at(named(patterns, "doctor-he"), "her", "nurse");
    const struct pattern *pleasing = named(patterns, "sycophantic");
    const struct pattern *honest = named(patterns, "honest");
    assert_same_labels(pleasing->tokens, honest->tokens);
    size_t last = labels_count(honest->tokens) - 1;
    float opinion[2] = {0}, fact[2] = {0};
    for (size_t which = 0; which < 2; which++) {
        const struct pattern *p = which == 0 ? pleasing : honest;
        opinion[which] = weight(p, last, token(p, "I")) + weight(p, last, token(p, "love"));
        fact[which] = weight(p, last, token(p, "Sales")) + weight(p, last, token(p, "fell")) +
                      weight(p, last, token(p, "half"));
    }
    assert_true(opinion[0] > 0.5F && fact[0] < 0.1F);
    assert_true(fact[1] > 0.5F && opinion[1] < 0.1F);
    patterns_free(patterns);
}

/* ---- reading ---- */

static void test_patterns__a_table_has_comments_and_blanks(void **state)
{
    (void)state;
    struct patterns *patterns = loaded("# a table\n\n"
                                       "pattern one # a comment behind it\n"
                                       "\ttokens  gr\xC3\xBC\xC3\x9F\tsun \r\n"
                                       "  # between the rows\n"
                                       " 1.00\n"
                                       "0.25\t0.75\n"
                                       "pattern two\ntokens a b c\nequal"); /* no newline */
    const struct pattern *one = named(patterns, "one"), *two = named(patterns, "two");
    assert_string_equal(labels_name(one->tokens, 0), "gr\xC3\xBC\xC3\x9F");
    assert_string_equal(labels_name(one->tokens, 1), "sun");
    assert_tensor_close(&one->weights, 2, (size_t[]){2, 2}, (float[]){1, 0, 0.25F, 0.75F}, 0);
    assert_tensor_close(&two->weights, 2, (size_t[]){3, 3},
                        (float[]){1, 0, 0, 0.5F, 0.5F, 0, 1 / 3.0F, 1 / 3.0F, 1 / 3.0F}, 1e-7);
    patterns_free(patterns);
    patterns = loaded("# nothing\n");
    assert_null(patterns_at(patterns, 0));
    patterns_free(patterns);
}

static void test_patterns__a_wrong_line_is_named(void **state)
{
    (void)state;
    assert_refused("\nsun 1.00\n", "line 2", "write pattern and its name");
    assert_refused("pattern\ntokens a\n1.00\n", "line 1", "write pattern and its name");
    assert_refused("pattern a b\ntokens a\n1.00\n", "line 1", "write pattern and its name");
    assert_refused("pattern a-name-that-is-much-longer-than-32-bytes\n", "line 1",
                   "one short word");
    assert_refused("pattern a\n", "line 1", "come its words");
    assert_refused("pattern a\n1.00\n", "line 2", "come its words");
    assert_refused("pattern a\ntokens\n1.00\n", "line 2", "no tokens");
    assert_refused("pattern a\ntokens a b\n1.00\n0.5 0.5\n", "line 4", "two decimals");
    assert_refused("pattern a\ntokens a b\n1.00\n0.50 x.50\n", "line 4", "two decimals");
    assert_refused("pattern a\ntokens a b\n1.00\n-.50 1.50\n", "line 4", "two decimals");
    assert_refused("pattern a\ntokens a b\n1.00\n0.50 0.49\n", "line 4",
                   "the weights of \"b\" sum to 0.99");
    assert_refused("pattern a\ntokens a b\n1.00\n0.50 0.51\n", "line 4", "sum to 1.01");
    assert_refused("pattern a\ntokens a b\n1.00\n1.00\n", "line 4", "1 weights for \"b\"");
    assert_refused("pattern a\ntokens a b\n1.00\n0.50 0.25 0.25\n", "line 4", "which needs 2");
    assert_refused("pattern a\ntokens a b\n1.00\n", "line 3", "0 weights for \"b\"");
    assert_refused("pattern a\ntokens a b\n1.00\npattern b\n", "line 4", "two decimals");
    assert_refused("pattern a\ntokens a\nequal 1\n", "line 3", "two decimals");
    assert_refused("pattern a\ntokens a\n1.00\npattern a\ntokens a\n1.00\n", "line 4",
                   "choose another name");
    assert_refused("pattern a\ntokens 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 "
                   "24 25\nequal\n",
                   "line 2", "more than 24");
}

static void test_patterns__a_line_has_an_end(void **state)
{
    (void)state;
    struct text text = {0};
    text_put(&text, "pattern a\ntokens a\n1.00");
    text_repeat(&text, " ", 600);
    text_char(&text, '\n');
    assert_refused(text_string(&text), "line 3", "longer than");
    text_release(&text);
}

static void test_patterns__a_missing_file_says_where_to_look(void **state)
{
    (void)state;
    struct patterns *patterns;
    struct error error;
    assert_error(patterns_load("/nowhere/patterns.txt", &patterns, &error), error, ERR_FILE);
    assert_says(error, "/nowhere/patterns.txt");
    assert_says(error, "ATTN_DATA_DIR");
    patterns_free(NULL);
}

static bool load_once(const char *path, struct error *reterr)
{
    struct patterns *patterns;
    bool ok = patterns_load(path, &patterns, reterr);
    if (ok)
        patterns_free(patterns);
    return ok;
}

static void test_patterns__without_memory_it_says_so(void **state)
{
    (void)state;
    struct text text = {0};
    struct error error;
    for (int i = 0; i < 20; i++)
        text_format(&text, "pattern p%d\ntokens a b\n1.00\n0.50 0.50\n", i);
    struct table table = table_of(text_string(&text));
    text_release(&text);
    assert_reports_failed_allocations(load_once(table.path, &error), error);
    unlink(table.path);
}

/* ---- the function ---- */

#define NOTE "note: uniform is an illustration drawn by hand; no model computed it\n"

static void test_patterns__the_function_gives_a_labelled_tensor(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "P = pattern(\"pronoun\")");
    const struct node *p = lang_node(lang, "P");
    assert_int_equal(p->value.n_axes, 2);
    assert_same_labels(p->labels[0], p->labels[1]);
    assert_string_equal(labels_name(p->labels[0], 1), "cat");
    assert_number(lang, "P[\"cat\", \"My\"]", 0.75, 1e-7);
    assert_number(lang, "argmax(P[\"She\"])", 1, 0);
    assert_number(lang, "allclose(P.sum(dim=-1), ones(12))", 1, 0);
    assert_number(lang, "all(triu(P, diagonal=1) == 0)", 1, 0);
    assert_shows(lang, "why P[\"cat\", \"My\"]",
                 "P[\"cat\", \"My\"] = 0.75\n  from pattern(\"pronoun\")\n");
}

static void test_patterns__it_says_that_no_model_computed_it(void **state)
{
    struct lang *lang = *state;
    assert_shows(lang, "P = pattern(\"uniform\")", NOTE);
    assert_shows(lang, "a = pattern(\"uniform\"); b = pattern(name=\"uniform\")", NOTE);
    assert_shows(lang, "P[0, 0]", "1\n"); /* once, where it is asked for */
}

static void test_patterns__a_wrong_name_lists_the_right_ones(void **state)
{
    struct lang *lang = *state;
    assert_shows(lang, "len(pattern()); pattern(None)[-1]", "10\nuniform\n");
    assert_number(lang, "sum([pattern(name)[0, 0] for name in pattern()])", 10, 0);
    assert_fails(lang, "pattern(\"pronuon\")", ERR_NAME, "did you mean \"pronoun\"?");
    assert_fails(lang, "pattern(\"First-Token\")", ERR_NAME, "did you mean \"first-token\"?");
    assert_fails(lang, "pattern(\"something else\")", ERR_NAME,
                 "there is no \"something else\"; there are previous-token, first-token, pronoun, "
                 "rhyme, duplicate-token, doctor-she, doctor-he, sycophantic, honest, uniform");
    assert_fails(lang, "pattern(\"\")", ERR_NAME, "there is no \"\"");
    assert_fails(lang, "pattern(5)", ERR_TYPE, "text in quotes");
    assert_fails_at(lang, "1 + pattern(\"x\")", ERR_NAME, "there is no", "pattern(\"x\")");
}

static void test_patterns__without_assets_it_says_where_to_look(void **state)
{
    struct lang *lang = *state;
    lang->session.data_dir = NULL;
    assert_fails(lang, "pattern(\"pronoun\")", ERR_FILE, "ATTN_DATA_DIR");
    lang->session.data_dir = "/nowhere";
    assert_fails(lang, "pattern(\"pronoun\")", ERR_FILE, "/nowhere/assets/patterns.txt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns__all_names_are_there),
        cmocka_unit_test(test_patterns__each_is_causal_and_its_rows_sum_to_one),
        cmocka_unit_test(test_patterns__each_shows_what_its_name_says),
        cmocka_unit_test(test_patterns__a_repeated_word_looks_back_at_itself),
        cmocka_unit_test(test_patterns__pairs_differ_in_where_they_look),
        cmocka_unit_test(test_patterns__a_table_has_comments_and_blanks),
        cmocka_unit_test(test_patterns__a_wrong_line_is_named),
        cmocka_unit_test(test_patterns__a_line_has_an_end),
        cmocka_unit_test(test_patterns__a_missing_file_says_where_to_look),
        cmocka_unit_test(test_patterns__without_memory_it_says_so),
        lang_unit_test(test_patterns__the_function_gives_a_labelled_tensor),
        lang_unit_test(test_patterns__it_says_that_no_model_computed_it),
        lang_unit_test(test_patterns__a_wrong_name_lists_the_right_ones),
        lang_unit_test(test_patterns__without_assets_it_says_where_to_look),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
