/* verify/verify_mistakes.h: a mistake behind a wrong context is named, and nothing else is. The
 * contexts are worked out by make_mistake_contexts.py, without attn. */
#include "lang_testing.h"

#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "mistake_contexts.h"
#include "verify/verify_mistakes.h"

static int setup(void **state)
{
    if (lang_setup(state) != 0)
        return 1;
    lang_run(*state, "set width 1000\n");
    lang_run(*state, mistake_inputs);
    return 0;
}

#define mistake_test(test) cmocka_unit_test_setup_teardown(test, setup, lang_teardown)

static void verify_into_shown(struct lang *lang, const char *check, const char *context,
                              const char *more)
{
    struct text line = {0};
    text_format(&line, "verify %s, %s%s", check, context, more);
    lang_run(lang, text_string(&line));
    text_release(&line);
}

static void assert_named(struct lang *lang, const char *says, const char *what)
{
    struct text line = {0};
    text_format(&line, "this is what comes out when %s", says);
    if (strstr(text_string(&lang->shown), text_string(&line)) == NULL) {
        print_error("%s: not \"%s\" in\n%s", what, says, text_string(&lang->shown));
        fail();
    }
    text_release(&line);
}

static void assert_not_named(struct lang *lang)
{
    if (strstr(text_string(&lang->shown), "this is what comes out") != NULL) {
        print_error("a mistake that isn't so:\n%s", text_string(&lang->shown));
        fail();
    }
}

static void test_verify_mistakes__each_is_named(void **state)
{
    struct lang *lang = *state;
    for (size_t i = 0; i < COUNT_OF(mistakes); i++) {
        verify_into_shown(lang, mistakes[i].check, mistakes[i].context, mistakes[i].more);
        assert_named(lang, mistakes[i].says, mistakes[i].check);
        assert_non_null(strstr(text_string(&lang->shown), "FAILED  context[0, 0]"));
    }
}

static void test_verify_mistakes__nothing_is_named_where_nothing_is_wrong(void **state)
{
    struct lang *lang = *state;
    for (size_t i = 0; i < COUNT_OF(right); i++) {
        verify_into_shown(lang, right[i].check, right[i].context, right[i].more);
        assert_not_named(lang);
        assert_null(strstr(text_string(&lang->shown), "FAILED"));
    }
}

static void test_verify_mistakes__other_numbers_have_no_name(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "manual_seed(7)");
    for (unsigned i = 0; i < 3; i++) {
        lang_run(lang, "noise = randn(4, 3)");
        verify_into_shown(lang, "attention Q, K, V", "noise", ", is_causal=True");
        assert_not_named(lang);
    }
    verify_into_shown(lang, "multihead X, W_q, W_k, W_v, W_o, 3", "False", ", randn(3, 6)");
    assert_not_named(lang);
    /* Rows that are all alike say too little: many mistakes give them. */
    static const char *const alike[] = {"zeros(4, 3)", "ones(4, 3)", "mean(V, dim=0) + zeros(4, 3)",
                                        "V[:1] + zeros(4, 3)"};
    for (size_t i = 0; i < COUNT_OF(alike); i++) {
        verify_into_shown(lang, "attention Q, K, V", alike[i], "");
        assert_not_named(lang);
        assert_non_null(strstr(text_string(&lang->shown), "FAILED"));
    }
}

/* The same mistakes with leading axes, masks that shift scores, and queries that see no key. */
static void test_verify_mistakes__in_batches(void **state)
{
    struct lang *lang = *state;
    lang_run(lang,
             "manual_seed(3); q = randn(2, 3, 4, 3); k = randn(2, 3, 5, 3)\n"
             "v = randn(2, 3, 5, 2); s = q @ k.mT / sqrt(3); b = randn(4, 5); b[1, 2] = -inf\n"
             "x = randn(2, 2, 3, 4)\n");
    static const struct {
        const char *context, *more, *says;
    } trials[] = {
        {"softmax(q @ k.mT) @ v", "", "the division by sqrt(d_k) is left out\n"},
        {"softmax(s, dim=-2) @ v", "", "softmax runs over the columns"},
        {"softmax(s) @ v", ", attn_mask=b", "the mask is left out\n"},
        {"where(b == -inf, 0, softmax(s)) @ v", ", attn_mask=b", "the mask comes after softmax"},
        {"softmax(where(b == -inf, 0, s)) @ v", ", attn_mask=b", "hidden numbers become 0"},
        {"softmax(q @ k.mT) @ v", ", attn_mask=b",
         "the division by sqrt(d_k) is left out; and the mask is left out\n"},
        {"softmax(s) @ v", ", attn_mask=b, is_causal=True", "the mask is left out\n"},
    };
    for (size_t i = 0; i < COUNT_OF(trials); i++) {
        verify_into_shown(lang, "attention q, k, v", trials[i].context, trials[i].more);
        assert_named(lang, trials[i].says, trials[i].context);
    }
    verify_into_shown(lang, "multihead x, W_q, W_k, W_v, W_o, 3, False",
                      "multi_head_attention(x, W_q, W_k, W_v, 3)", "");
    assert_named(lang, "W_o is left out\n", "multihead in batches");
}

/* Of large ones only what is common is tried, and what was not is said. */
static void test_verify_mistakes__large_ones_have_a_bound(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "manual_seed(5); q = randn(900, 8); k = randn(900, 8); v = randn(900, 8)");
    verify_into_shown(lang, "attention q, k, v", "softmax(q @ k.T) @ v", "");
    assert_named(lang, "the division by sqrt(d_k) is left out\n", "large");
    assert_null(strstr(text_string(&lang->shown), "not tried"));
    verify_into_shown(lang, "attention q, k, v", "v + 1", "");
    assert_not_named(lang);
    assert_non_null(strstr(text_string(&lang->shown), "others were not tried"));
    verify_into_shown(lang, "attention Q, K, V", "V[:4] + 1", "");
    assert_null(strstr(text_string(&lang->shown), "not tried"));
}

/* ---- without memory ---- */

static bool find_once(const struct mistake_input *input, const struct edits *edits,
                      const struct tensor *context, const struct tensor *want, struct error *reterr)
{
    struct text when = {0};
    size_t n_untried;
    bool ok = mistake_find(input, edits, context, want, 1e-5, &when, &n_untried, reterr);
    if (ok)
        assert_string_equal(text_string(&when),
                            "the division by sqrt(d_k) is left out; and W is left out");
    text_release(&when);
    return ok;
}

static void test_verify_mistakes__without_memory_it_says_so(void **state)
{
    struct lang *lang = *state;
    static const char table[] = "edits:\n"
                                "  - id: scale\n"
                                "    match: _x / sqrt(_n)\n"
                                "    put: _x\n"
                                "    when: the division by sqrt(_n) is left out\n"
                                "    ask: why?\n"
                                "  - id: mask\n"
                                "    match: \"where(_c, _x, -inf)\"\n"
                                "    put: _x\n"
                                "    when: W is left out\n"
                                "    ask: why?\n";
    struct edits edits = {0};
    struct error error = {.kind = ERR_NONE};
    if (!edits_read("table", table, sizeof table - 1, &edits, &error)) {
        print_error("%s\n", error.text);
        fail();
    }
    lang_run(lang, "got = softmax(Q @ K.T) @ V; want = attention(Q, K, V, is_causal=True)");
    struct mistake_input input = {.query = &lang_node(lang, "Q")->value,
                                  .key = &lang_node(lang, "K")->value,
                                  .value = &lang_node(lang, "V")->value,
                                  .is_causal = true};
    assert_reports_failed_allocations(find_once(&input, &edits, &lang_node(lang, "got")->value,
                                                &lang_node(lang, "want")->value, &error),
                                      error);
    volatile sig_atomic_t stop = 1;
    size_t n_untried;
    struct text when = {0};
    input.stop = &stop;
    assert_error(mistake_find(&input, &edits, &lang_node(lang, "got")->value,
                              &lang_node(lang, "want")->value, 1e-5, &when, &n_untried, &error),
                 error, ERR_INTERRUPTED);
    text_release(&when);
    edits_release(&edits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        mistake_test(test_verify_mistakes__each_is_named),
        mistake_test(test_verify_mistakes__nothing_is_named_where_nothing_is_wrong),
        mistake_test(test_verify_mistakes__other_numbers_have_no_name),
        mistake_test(test_verify_mistakes__in_batches),
        mistake_test(test_verify_mistakes__large_ones_have_a_bound),
        mistake_test(test_verify_mistakes__without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
