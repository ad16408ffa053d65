/* judge/prove/prove.h: exercises that prove themselves. The judge is one of the test's own here:
 * what it says of a file stands in the file. */
#include "exercise_testing.h"

#include "diagnose_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "judge/prove/prove.h"
#include "lang_testing.h"

#define CHANGES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A report, and what a test asks of it. */

static struct prove_report open_report(struct doc *doc)
{
    doc_init(doc);
    return (struct prove_report){.doc = doc};
}

static void assert_faults(const struct prove_report *report, size_t n, const char *says)
{
    const char *text = text_string(&report->doc->text);
    if (report->n_faults != n || strstr(text, says) == NULL)
        fail_msg("%zu faults, not %zu with '%s':\n%s", report->n_faults, n, says, text);
}

/* Cases. */

/* Cases of mini that keep all the rules: a 0 among the scores, logits far apart, sizes of 1, a size
 * of 9, a row where all is hidden; the largest of many scores first and last. */
static const char strong_cases[] = "  - name: hard\n"
                                   "    sizes: {n_q: 9, n_k: 3, d_k: 2}\n"
                                   "    draw:\n"
                                   "      - key = [[900, 0], [0, 900], [1, 1]]\n"
                                   "      - first = [[2, 0]]\n"
                                   "      - query = cat([first, randn(8, 2)])\n"
                                   "      - may = zeros(n_q, n_k) > 0\n"
                                   "  - name: one\n"
                                   "    sizes: {n_q: 1, n_k: 1, d_k: 1}\n"
                                   "  - name: far\n"
                                   "    sizes: {n_q: 2, n_k: 144, d_k: 2}\n"
                                   "    draw:\n"
                                   "      - query = [[-40, 0], [0, -40]]\n"
                                   "      - column = arange(n_k).reshape(n_k, 1)\n"
                                   "      - key = where(column == [0, 143], 1, 41)\n";

static const char random_case[] = "  - name: random\n"
                                  "    repeat: 3\n"
                                  "    sizes: {d_k: n_q + half, n_q: 2..9, half: 2, n_k: 3..5}\n"
                                  "    memory_kib: 2 * n_k\n";

/* How many faults has the exercise with the hard cases, after one more change? */
static void prove_strong_with(const char *old, const char *new, size_t n_faults, const char *says)
{
    char *cases = testing_replace(strong_cases, old, new);
    struct exercise *e = mini_with(CHANGES(random_case, cases));
    struct doc doc;
    struct prove_report report = open_report(&doc);
    struct error error;
    if (!prove_fixtures(e, 1, testing_data_dir(), &report, &error))
        fail_msg("%s", error.text);
    assert_faults(&report, n_faults, says);
    assert_int_equal(report.n_misconceptions, 3);
    doc_release(&doc);
    exercise_free(e);
    free(cases);
}

static void test_prove__strong_cases_have_no_fault(void **state)
{
    (void)state;
    prove_strong_with("name: one\n", "name: one\n", 0, "");
}

static void test_prove__cases_that_could_not_see_a_mistake(void **state)
{
    (void)state;
    prove_strong_with("{n_q: 1, n_k: 1, d_k: 1}", "{n_q: 5, n_k: 7, d_k: 6}", 1,
                      "exercise.yaml: there is no case with a size of 1");
    prove_strong_with("randn(8, 2)", "randn(8, 2) * 0 + 1", 0, "");
    prove_strong_with("zeros(n_q, n_k) > 0", "eye(n_q, n_k) > 0", 0, ""); /* rows below the third */
    prove_strong_with("zeros(n_q, n_k) > 0", "ones(n_q, n_k) > 0", 1,
                      "there is no case in which a whole row of may is False");
    prove_strong_with("[900, 0], [0, 900]", "[90, 0], [0, 90]", 1, "above 710");
    prove_strong_with("[900, 0], [0, 900], [1, 1]", "[900, 1], [900, 2], [890, 1]", 2,
                      "one score is above 90");
    prove_strong_with("[0, 143]", "[0, 0]", 1, "scores that rise by at least 760");
    prove_strong_with("[0, 143]", "[143, 143]", 1, "scores that fall by at least 760");
}

static void test_prove__a_hidden_score_must_lie_far_above(void **state)
{
    (void)state;
    static const char *const firsts[] = {"[[2, 0]]", "[[0, 2]]"}; /* what the first query fits */
    for (size_t i = 0; i < COUNT_OF(firsts); i++) {
        struct exercise *e = mini_with(
            CHANGES(random_case, strong_cases, "- weights = softmax(scaled, dim=-1)",
                    "- masked = where(may, scaled, -inf)\n  - weights = softmax(masked, dim=-1)",
                    "may = zeros(n_q, n_k) > 0", "may = zeros(n_q, 1) + arange(n_k) != 1",
                    "[[2, 0]]", firsts[i]));
        struct doc doc;
        struct prove_report report = open_report(&doc);
        struct error error;
        assert_true(prove_fixtures(e, 1, testing_data_dir(), &report, &error));
        assert_faults(&report, i == 0 ? 3 : 1,
                      i == 0 ? "no case with a hidden score" : "row of may");
        doc_release(&doc);
        exercise_free(e);
    }
}

/* A promise is kept by a case in which such numbers change the answer. */
static void test_prove__a_promise_without_a_case(void **state)
{
    (void)state;
    static const char *const more[] = {"", "  - name: equal\n"
                                           "    sizes: {n_q: 4, n_k: 3, d_k: 2}\n"
                                           "    draw:\n"
                                           "      - query = randn(n_q, 1) * ones(1, d_k)\n"};
    static const char says[] = "no case has rows of equal numbers in query";
    for (size_t i = 0; i < COUNT_OF(more); i++) {
        char *cases = testing_replace("  - name: random\n"
                                      "    sizes: {n_q: 4, n_k: 3, d_k: 2}\nMORE",
                                      "MORE", more[i]);
        struct exercise *e = mini_with(CHANGES(random_case, cases));
        struct doc doc;
        struct prove_report report = open_report(&doc);
        struct error error;
        if (!prove_promises(e, 1, testing_data_dir(), &report, &error))
            fail_msg("%s", error.text);
        assert_true(report.n_promises > report.n_faults && report.n_faults > 0);
        if ((strstr(text_string(&doc.text), says) == NULL) != (i == 1))
            fail_msg("%zu:\n%s", i, text_string(&doc.text));
        doc_release(&doc);
        exercise_free(e);
        free(cases);
    }
}

static void test_prove__sizes_that_are_alike(void **state)
{
    (void)state;
    struct exercise *e = mini_with(CHANGES(
        random_case, strong_cases, "{n_q: 9, n_k: 3, d_k: 2}", "{n_q: 16, n_k: 16, d_k: 2}",
        "{n_q: 2, n_k: 3, d_k: 4}", "{n_q: 2, n_k: 2, d_k: 4}", "[[900, 0], [0, 900], [1, 1]]",
        "900 * randn(n_k, d_k)", "randn(8, 2)", "randn(15, 2)"));
    struct doc doc;
    struct prove_report report = open_report(&doc);
    struct error error;
    assert_true(prove_fixtures(e, 1, NULL, &report, &error));
    assert_faults(&report, 3, "in which all sizes are above 1 and different");
    assert_faults(&report, 3, "a size above 8 that is not a multiple of 8");
    doc_release(&doc);
    exercise_free(e);
}

/* All cases of one draw with query and key alike. */
static void test_prove__inputs_that_are_alike(void **state)
{
    (void)state;
    struct exercise *e =
        mini_with(CHANGES(random_case, "", "{n_q: 2, n_k: 3, d_k: 4}", "{n_q: 9, n_k: 9, d_k: 1}",
                          "[[1, 0, 0, 2], [0, 3, 0, 0]]", "key"));
    struct doc doc;
    struct prove_report report = open_report(&doc);
    struct error error;
    assert_true(prove_fixtures(e, 1, NULL, &report, &error));
    assert_non_null(strstr(text_string(&doc.text), "no case in which all inputs differ"));
    doc_release(&doc);
    exercise_free(e);
}

/* Misconceptions. */

static void prove_mini_with(const char *const *changes, size_t n_faults, const char *says)
{
    char *cases = testing_replace(strong_cases, "name: one\n", "name: one\n");
    char *yaml = testing_replace(mini_yaml, random_case, cases);
    for (size_t i = 0; changes[i] != NULL; i += 2) {
        char *changed = testing_replace(yaml, changes[i], changes[i + 1]);
        free(yaml);
        yaml = changed;
    }
    struct exercise *e;
    struct doc doc;
    struct prove_report report = open_report(&doc);
    struct error error;
    if (!exercise_try("07-mini", yaml, &e, &error) ||
        !prove_fixtures(e, 1, testing_data_dir(), &report, &error))
        fail_msg("%s", error.text);
    assert_faults(&report, n_faults, says);
    doc_release(&doc);
    exercise_free(e);
    free(yaml);
    free(cases);
}

static void test_prove__an_idea_must_be_told_from_the_right_answer(void **state)
{
    (void)state;
    prove_mini_with(
        CHANGES("- weights = softmax(scaled, dim=0)", "- weights = softmax(scaled + 1, dim=-1)"), 1,
        ":60: misconception columns: it gives the right answer in every case");
    /* off by twice the tolerance: rounding could come so far */
    prove_mini_with(
        CHANGES("- weights = softmax(scaled, dim=0)", "- weights = softmax(scaled, dim=-1) + 2e-5"),
        1, "it gives the right answer in every case");
    prove_mini_with(
        CHANGES("- weights = softmax(scaled, dim=0)", "- weights = softmax(scaled, dim=-1) + 1e-3"),
        0, "");
}

static void test_prove__two_ideas_must_be_told_apart(void **state)
{
    (void)state;
    prove_mini_with(CHANGES("- weights = softmax(scaled, dim=0)", "- scaled = scores * 1"), 1,
                    ":53: misconception no-scale: no case tells it from columns");
}

static void test_prove__an_idea_must_fit_some_case(void **state)
{
    (void)state;
    prove_mini_with(CHANGES("- weights = softmax(scaled, dim=0)", "- weights = ones(55, 55)"), 1,
                    ":60: misconception columns: its shapes fit in no case");
    prove_mini_with(CHANGES("- weights = softmax(scaled, dim=0)", "- weights = softmax(scald)"), 1,
                    ":60: misconception columns: scald: no such name");
}

static void test_prove__what_can_not_be_drawn_is_a_fault(void **state)
{
    (void)state;
    prove_mini_with(CHANGES("[[1, 0, 0, 2], [0, 3, 0, 0]]", "[[1]]"), 1,
                    ":8: case 'by hand': query: its shape is 1x1");
    prove_mini_with(CHANGES("{n_q: 1, n_k: 1, d_k: 2}", "{n_q: 1, n_k: 1, d_k: 0.5}"), 1,
                    ":48: case 'one key': d_k: a whole number"); /* of a probe */
}

static bool prove_anew(const struct exercise *e, struct error *reterr)
{
    struct doc doc;
    struct prove_report report = open_report(&doc);
    bool ok = prove_fixtures(e, 1, NULL, &report, reterr);
    doc_release(&doc);
    return ok;
}

static void test_prove__without_memory_it_says_so(void **state)
{
    (void)state;
    struct exercise *e = mini_with(CHANGES(random_case, ""));
    struct error error;
    assert_reports_failed_allocations(prove_anew(e, &error), error);
    exercise_free(e);
}

/* Those that come with attn, three seeds each. */
static void test_prove__all_exercises_of_attn_have_strong_cases(void **state)
{
    (void)state;
    struct exercises exercises;
    struct error error;
    struct doc doc;
    struct prove_report report = open_report(&doc);
    if (!exercises_load(testing_data_dir(), NULL, &exercises, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < exercises.n; i++)
        for (uint64_t seed = 1; seed <= 3; seed++)
            if (!prove_fixtures(exercises.items[i], seed, testing_data_dir(), &report, &error))
                fail_msg("%s", error.text);
    assert_faults(&report, 0, "");
    exercises_release(&exercises);
    doc_release(&doc);
}

/* Solutions, before a judge that reads "VERDICT ID ID" and does what it says. */

static const struct misconception *find_idea(const struct exercise *exercise, const char *id)
{
    for (unsigned i = 0; i < exercise->n_misconceptions; i++)
        if (strcmp(exercise->misconceptions[i].id, id) == 0)
            return &exercise->misconceptions[i];
    fail_msg("no idea %s", id);
    return NULL;
}

void judge_submission(const struct judge_setup *setup, const char *file_name, const char *source,
                      size_t size, unsigned options, struct judgement *ret)
{
    char verdict[40] = "", first[40] = "", second[40] = "";
    (void)file_name;
    assert_int_equal(size, strlen(source));
    *ret = (struct judgement){.result.verdict = VERDICT_NOT_IMPLEMENTED};
    if (strcmp(source, setup->plan.exercise->starter) == 0)
        return;
    int n = sscanf(source, "%39[a-z_] %39[a-z-] %39[a-z-]", verdict, first, second);
    if (!verdict_from_name(verdict, &ret->result.verdict))
        fail_msg("no verdict: %s", source);
    if (options == (JUDGE_NO_IDEAS | JUDGE_NO_LINE))
        return;
    assert_int_equal(options, JUDGE_NO_LINE);
    if (n > 1)
        ret->diagnosis.ideas[ret->diagnosis.n_ideas++] = find_idea(setup->plan.exercise, first);
    if (n > 2)
        ret->diagnosis.ideas[ret->diagnosis.n_ideas++] = find_idea(setup->plan.exercise, second);
}

void judgement_release(struct judgement *judgement)
{
    *judgement = (struct judgement){0};
}

/* A starter that says "warn" warns. */
void build_program(const struct compile_request *request, const struct runtime *runtime,
                   const char *file_name, const char *source, size_t size, struct build *ret)
{
    (void)runtime;
    assert_string_equal(file_name, request->exercise->starter_name);
    assert_string_equal(source, request->exercise->starter);
    assert_int_equal(size, strlen(source));
    *ret = (struct build){.verdict = VERDICT_PASS, .program_fd = -1};
    if (strstr(source, "warn") != NULL)
        text_put(&ret->messages, "mini.c:1: warning: something\nand more of it");
}

void build_release(struct build *build)
{
    text_release(&build->messages);
}

/* A folder with a proof, made for a test. */
struct proof {
    char folder[64], right[80], wrong[80];
    char *paths[20]; /* of its files */
    size_t n;
};

static void proof_open(struct proof *proof)
{
    snprintf(proof->folder, sizeof proof->folder, "/tmp/attn-proof-XXXXXX");
    assert_non_null(mkdtemp(proof->folder));
    snprintf(proof->right, sizeof proof->right, "%s/right", proof->folder);
    snprintf(proof->wrong, sizeof proof->wrong, "%s/wrong", proof->folder);
    assert_int_equal(mkdir(proof->right, 0700), 0);
    assert_int_equal(mkdir(proof->wrong, 0700), 0);
    proof->n = 0;
}

/* Notes a file, which need not be there yet. Returns its path. */
static const char *proof_note(struct proof *proof, const char *name)
{
    size_t size = strlen(proof->folder) + strlen(name) + 2;
    char *path = malloc(size);
    assert_non_null(path);
    snprintf(path, size, "%s/%s", proof->folder, name);
    return proof->paths[proof->n++] = path;
}

static void proof_add(struct proof *proof, const char *name, const char *text)
{
    FILE *file = fopen(proof_note(proof, name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void proof_close(struct proof *proof)
{
    for (size_t i = 0; i < proof->n; i++) {
        unlink(proof->paths[i]);
        free(proof->paths[i]);
    }
    rmdir(proof->right);
    rmdir(proof->wrong);
    rmdir(proof->folder);
}

/* All that mini needs. */
static void proof_fill(struct proof *proof)
{
    proof_open(proof);
    proof_add(proof, "right/a.c", "pass");
    proof_add(proof, "right/b.c", "pass");
    proof_add(proof, "right/c.c", "pass");
    proof_add(proof, "wrong/no-scale.c", "wrong_answer no-scale");
    proof_add(proof, "wrong/no-scale.2.c", "non_finite no-scale");
    proof_add(proof, "wrong/columns.c", "wrong_answer columns@weights");
    proof_add(proof, "wrong/columns+no-scale.c", "wrong_answer no-scale columns@scaled");
    proof_add(proof, "wrong/hoards.c", "memory_limit hoards");
    proof_add(proof, "wrong/notes.txt", "no program");
}

/* Tries the proof, and what the report says. */
static void prove_so(struct proof *proof, const char *const *changes, size_t n_faults,
                     const char *says)
{
    struct exercise *e = mini_with(changes);
    struct judge_setup setup = {
        .plan = {.exercise = e, .limits = &(struct limits){.source_bytes = 1000}}};
    struct doc doc;
    struct prove_report report = open_report(&doc);
    struct error error;
    if (!prove_solutions(&setup, proof->folder, &report, &error))
        fail_msg("%s", error.text);
    assert_faults(&report, n_faults, says);
    doc_release(&doc);
    exercise_free(e);
    proof_close(proof);
}

static void test_prove__a_whole_proof_has_no_fault(void **state)
{
    (void)state;
    struct proof proof = {0};
    proof_fill(&proof);
    struct exercise *e = mini_with(NULL);
    struct judge_setup setup = {
        .plan = {.exercise = e, .limits = &(struct limits){.source_bytes = 1000}}};
    struct doc doc;
    struct prove_report report = open_report(&doc);
    struct error error;
    assert_true(prove_solutions(&setup, proof.folder, &report, &error));
    assert_faults(&report, 0, "");
    assert_int_equal(report.n_right, 3);
    assert_int_equal(report.n_wrong, 5);
    doc_release(&doc);
    exercise_free(e);
    proof_close(&proof);
}

static void test_prove__solutions_that_do_not_get_what_they_must(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *says;
    } bad[] = {
        {"right/a.c", "wrong_answer columns",
         "right/a.c: wrong_answer; it was named as columns; it must pass"},
        {"right/a.c", "compile_error", "right/a.c: compile_error; it must pass"},
        {"wrong/columns.c", "pass", "wrong/columns.c: pass; it must fail and be named as columns"},
        {"wrong/columns.c", "wrong_answer",
         "no misconception was named; it must fail and be named"},
        {"wrong/columns.c", "wrong_answer no-scale", "it was named as no-scale; it must fail"},
        {"wrong/columns.c", "wrong_answer columns no-scale",
         "it was named as columns and no-scale;"},
        {"wrong/columns.c", "not_implemented", "wrong/columns.c: not_implemented"},
        {"wrong/columns+no-scale.c", "wrong_answer columns",
         "it must fail and be named as columns and no-scale"},
        {"wrong/hoards.c", "crash hoards", "it must fail with memory_limit and be named as hoards"},
        {"wrong/scale.c", "wrong_answer no-scale", "wrong/scale.c: its name is not ID.c"},
        {"wrong/no-scale-2.c", "wrong_answer no-scale", "its name is not ID.c"},
        {"wrong/no-scale+columns+hoards.c", "wrong_answer", "its name is not ID.c"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct proof proof = {0};
        proof_fill(&proof);
        proof_add(&proof, bad[i].name, bad[i].text);
        prove_so(&proof, NULL, 1, bad[i].says);
    }
}

static void test_prove__what_is_missing(void **state)
{
    (void)state;
    struct proof proof = {0};
    proof_open(&proof);
    prove_so(&proof, NULL, 4, "wrong/columns.c is missing");
    proof_open(&proof);
    prove_so(&proof, NULL, 4, "0 right solutions in right/; at least 3");
    proof_fill(&proof);
    unlink(proof.paths[2]);
    prove_so(&proof, NULL, 1, "2 right solutions in right/");
    proof_fill(&proof);
    unlink(proof.paths[3]); /* wrong/no-scale.2.c is not enough */
    prove_so(&proof, NULL, 1, "wrong/no-scale.c is missing");
}

static void test_prove__a_file_that_can_not_be_read(void **state)
{
    (void)state;
    struct proof proof = {0};
    proof_fill(&proof);
    assert_int_equal(symlink("a.c", proof_note(&proof, "right/d.c")), 0);
    prove_so(&proof, NULL, 1, "right/d.c: it can't be read: symlink");
}

static void test_prove__our_own_failure_is_no_fault(void **state)
{
    (void)state;
    struct proof proof = {0};
    proof_fill(&proof);
    proof_add(&proof, "right/d.c", "internal_error");
    struct exercise *e = mini_with(NULL);
    struct judge_setup setup = {
        .plan = {.exercise = e, .limits = &(struct limits){.source_bytes = 1000}}};
    struct doc doc;
    struct prove_report report = open_report(&doc);
    struct error error;
    assert_error(prove_solutions(&setup, proof.folder, &report, &error), error, ERR_FILE);
    assert_says(error, "right/d.c: it could not be judged");
    doc_release(&doc);
    exercise_free(e);
    proof_close(&proof);
}

/* Edits. */

/* Of the scores of mini none is near 30, but some are when they are drawn far apart. `same` is the
 * right formula written in another way. */
static const char three_edits[] =
    " - {id: left-out, match: _x / sqrt(_n), put: _x, when: w, ask: a}\n"
    " - {id: same, match: _x / sqrt(_n), put: _x * (1 / sqrt(_n)), when: w, ask: a}\n"
    " - {id: large, match: 'softmax(_x, dim=-1)',\n"
    "    put: 'softmax(where(_x < 30, _x, 30 - _x), dim=-1)', when: w, ask: a}\n";

/* Two of the edits change something, and one of them is told apart. */
static void prove_edits_with(const char *mutations, size_t n_excused, size_t n_faults,
                             const char *says)
{
    char forbid[300];
    snprintf(forbid, sizeof forbid, "%sforbid:\n", mutations);
    struct exercise *e = mini_with(CHANGES("forbid:\n", forbid));
    struct edits edits = testing_edits(three_edits);
    struct doc doc;
    struct prove_report report = open_report(&doc);
    struct error error;
    if (!prove_mutations(e, &edits, 1, testing_data_dir(), &report, &error))
        fail_msg("%s", error.text);
    assert_faults(&report, n_faults, says);
    assert_int_equal(report.n_edits, 3); /* left-out fits in two stages, which see each other */
    assert_int_equal(report.n_told, 2);
    assert_int_equal(report.n_excused, n_excused);
    doc_release(&doc);
    edits_release(&edits);
    exercise_free(e);
}

static void test_prove__an_edit_that_no_case_tells_apart_is_a_fault(void **state)
{
    (void)state;
    prove_edits_with("", 0, 1, "(large) from the right formula; add one that does");
}

static void test_prove__an_edit_may_have_a_reason(void **state)
{
    (void)state;
    prove_edits_with("mutations:\n  - {edit: large, reason: Because.}\n", 1, 0, "");
    prove_edits_with("mutations:\n  - {edit: large, statement: other = 1, reason: Because.}\n", 0,
                     2, "mutations: large: the cases tell it apart");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prove__strong_cases_have_no_fault),
        cmocka_unit_test(test_prove__cases_that_could_not_see_a_mistake),
        cmocka_unit_test(test_prove__a_hidden_score_must_lie_far_above),
        cmocka_unit_test(test_prove__a_promise_without_a_case),
        cmocka_unit_test(test_prove__sizes_that_are_alike),
        cmocka_unit_test(test_prove__inputs_that_are_alike),
        cmocka_unit_test(test_prove__an_idea_must_be_told_from_the_right_answer),
        cmocka_unit_test(test_prove__two_ideas_must_be_told_apart),
        cmocka_unit_test(test_prove__an_idea_must_fit_some_case),
        cmocka_unit_test(test_prove__what_can_not_be_drawn_is_a_fault),
        cmocka_unit_test(test_prove__without_memory_it_says_so),
        cmocka_unit_test(test_prove__all_exercises_of_attn_have_strong_cases),
        cmocka_unit_test(test_prove__a_whole_proof_has_no_fault),
        cmocka_unit_test(test_prove__solutions_that_do_not_get_what_they_must),
        cmocka_unit_test(test_prove__what_is_missing),
        cmocka_unit_test(test_prove__a_file_that_can_not_be_read),
        cmocka_unit_test(test_prove__our_own_failure_is_no_fault),
        cmocka_unit_test(test_prove__an_edit_that_no_case_tells_apart_is_a_fault),
        cmocka_unit_test(test_prove__an_edit_may_have_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
