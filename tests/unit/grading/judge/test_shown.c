/* judge/shown_internal.h: what a program shows of itself, whatever it makes of it. */
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "judge/explain.h"
#include "judge/judge.h"
#include "judge/shown_internal.h"
#include "show/backend.h"

#define SOFTMAX "void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)\n"
#define HEADERS "#include <math.h>\n#include <stdint.h>\n#include \"attn_show.h\"\n"

/* Softmax down the columns; without `shows` it shows nothing. */
static const char wrong[] =
    HEADERS SOFTMAX "{\n"
                    "    float exps[4096], total[64] = {0};\n"
                    "    for (size_t i = 0; i < rows * cols && i < 4096; i++)\n"
                    "        exps[i] = expf(scores[i]);\n"
                    "    for (size_t i = 0; i < rows * cols && i < 4096; i++)\n"
                    "        total[i % cols % 64] += exps[i];\n"
                    "    for (size_t i = 0; i < rows * cols && i < 4096; i++)\n"
                    "        weights[i] = exps[i] / total[i % cols % 64];\n"
                    "    SHOW(scores, rows, cols);\n"
                    "    SHOW(weights, rows, cols);\n"
                    "    float first = scores[0];\n"
                    "    SHOW(first);\n"
                    "    SHOW(total, cols);\n"
                    "}\n";

struct room {
    struct exercise *exercise;
    struct compiler compiler;
    struct judge_setup setup;
};

static int open_room(void **state)
{
    struct room *room = calloc(1, sizeof *room);
    const char *data_dir = getenv("ATTN_DATA_DIR");
    struct error error;
    char path[4096];
    assert_non_null(room);
    snprintf(path, sizeof path, "%s/exercises/04-softmax-rows", data_dir);
    if (!exercise_load(path, &room->exercise, &error) ||
        !compiler_find(NULL, &room->compiler, &error))
        fail_msg("%s", error.text);
    const struct judge_plan plan = {.exercise = room->exercise,
                                    .compiler = &room->compiler,
                                    .limits = &limits_default,
                                    .data_dir = data_dir,
                                    .layers = layers_available(NULL),
                                    .seed = 3};
    if (!judge_setup_open(&plan, &room->setup, &error))
        fail_msg("%s", error.text);
    *state = room;
    return 0;
}

static int close_room(void **state)
{
    struct room *room = *state;
    judge_setup_close(&room->setup);
    exercise_free(room->exercise);
    free(room);
    return 0;
}

static struct judgement judged(const struct room *room, const char *source, unsigned options)
{
    struct judgement judgement;
    judge_submission(&room->setup, "softmax_rows.c", source, strlen(source), options, &judgement);
    return judgement;
}

/* What is shown, as plain text, which the caller releases. */
static struct text shown_text(struct judgement *judgement)
{
    const struct show_options options = {.width_cols = 80, .digits = 4, .ascii = true};
    struct text text = {.bytes = NULL};
    struct doc doc;
    doc_init(&doc);
    explain_shown(judgement, &options, &doc);
    assert_true(doc.n_lines < 300);
    doc_to_plain(&doc, &text);
    doc_release(&doc);
    for (size_t i = 0; i < text.size; i++)
        assert_true(text.bytes[i] == '\n' || (unsigned char)text.bytes[i] >= ' ');
    return text;
}

static void text_says(const struct text *text, const char *words)
{
    if (strstr(text_string(text), words) == NULL)
        fail_msg("\"%s\" is not in:\n%s", words, text_string(text));
}

static const struct wire_shown_matrix *matrix_of(const struct judgement *judgement,
                                                 const char *name)
{
    for (size_t i = 0; i < judgement->shown.n; i++)
        if (strcmp(judgement->shown.kept->items[i].name, name) == 0)
            return &judgement->shown.kept->items[i];
    fail_msg("%s is not shown", name);
    return NULL;
}

static void test_shown__the_failing_case_beside_attns_own(void **state)
{
    struct room *room = *state;
    struct judgement judgement = judged(room, wrong, JUDGE_SHRINK | JUDGE_SHOW);
    assert_int_equal(judgement.result.verdict, VERDICT_WRONG_ANSWER);
    assert_int_equal(judgement.shown.n, 4);
    assert_ptr_equal(judgement.shown_in, judgement.fixture);
    const struct fixture *fixture = judgement.fixture;
    const struct wire_shown_matrix *scores = matrix_of(&judgement, "scores");
    assert_int_equal(scores->rows, fixture->scalars[0]);
    assert_int_equal(scores->cols, fixture->scalars[1]);
    const float *drawn = fixture->arrays[0].before;
    for (size_t i = 0; i < fixture->arrays[0].n_cells; i++)
        assert_close(scores->cells[i], drawn[i], 0);
    assert_close(matrix_of(&judgement, "first")->cells[0], drawn[0], 0);
    struct text text = shown_text(&judgement);
    text_says(&text, "scores: the same as attn's");
    text_says(&text, "other than attn's");
    text_says(&text, "weights, attn's");
    text_says(&text, "weights, yours");
    text_says(&text, "*");
    text_says(&text, "total: attn's is 3x1"); /* one for each row, not for each column */
    text_release(&text);
    judgement_release(&judgement);
}

/* The numbers tell it where the name does not: exps of the first case, by hand e^(0-2), e^(1-2), 1
 * and three times e^0, with a total of 1.503215 and 3. */
static void test_shown__numbers_tell_which_stage_it_is(void **state)
{
    static const char source[] = HEADERS SOFTMAX
        "{\n"
        "    float mine[6] = {0.13533528f, 0.36787944f, 1, 1, 1, 1}, other[2] = {7, 8};\n"
        "    if (rows == 2 && cols == 3) SHOW(mine, 2, 3);\n"
        "    if (rows == 2 && cols == 3) SHOW(other, 2);\n"
        "    for (size_t i = 0; i < rows; i++) {\n"
        "        double top = -INFINITY, sum = 0;\n"
        "        for (size_t j = 0; j < cols; j++) top = fmax(top, scores[i * cols + j]);\n"
        "        for (size_t j = 0; j < cols; j++) sum += exp(scores[i * cols + j] - top);\n"
        "        for (size_t j = 0; j < cols; j++)\n"
        "            weights[i * cols + j] = (float)(exp(scores[i * cols + j] - top) / sum);\n"
        "    }\n"
        "}\n";
    struct room *room = *state;
    struct judgement judgement = judged(room, source, JUDGE_SHOW);
    assert_int_equal(judgement.result.verdict, VERDICT_PASS);
    assert_ptr_equal(judgement.shown_in, room->setup.cases.items[0]);
    struct text text = shown_text(&judgement);
    text_says(&text, "mine: the numbers of attn's exps");
    text_says(&text, "other: attn has no such numbers here");
    text_release(&text);
    judgement_release(&judgement);
}

static void test_shown__only_where_it_is_wanted_and_asked_for(void **state)
{
    struct room *room = *state;
    struct judgement shows = judged(room, wrong, JUDGE_SHOW), graded = judged(room, wrong, 0);
    assert_null(graded.shown.kept);
    assert_null(graded.shown_in);
    assert_int_equal(graded.result.verdict, shows.result.verdict);
    assert_close(graded.result.score, shows.result.score, 0);
    assert_int_equal(graded.result.n_cases, shows.result.n_cases);
    judgement_release(&shows);
    judgement_release(&graded);
    shows =
        judged(room, SOFTMAX "{ (void)rows; (void)cols; weights[0] = scores[0]; }\n", JUDGE_SHOW);
    assert_null(shows.shown_in);
    judgement_release(&shows);
}

/* A SHOW that does not compile costs nothing: what is graded has none. */
static void test_shown__what_does_not_compile_is_told(void **state)
{
    static const char source[] = HEADERS SOFTMAX "{ (void)rows; (void)cols; weights[0] = *scores;\n"
                                                 "#line 77\n"
                                                 "SHOW(\"text\", 2, 2);\n"
                                                 "SHOW(rows, cols);\n"
                                                 "}\n";
    struct room *room = *state;
    struct judgement judgement = judged(room, source, JUDGE_SHOW);
    assert_int_equal(judgement.result.verdict, VERDICT_WRONG_ANSWER);
    struct text text = shown_text(&judgement);
    text_says(&text, "What you SHOW does not compile");
    text_says(&text, "softmax_rows.c:77:");
    text_says(&text, "softmax_rows.c:78:");
    assert_null(strstr(text_string(&text), "attn_show.h"));
    text_release(&text);
    judgement_release(&judgement);
}

/* Whatever is handed to SHOW, what is shown is bounded and plain. */
static void test_shown__hostile_calls(void **state)
{
    static const struct {
        const char *statements, *says;
    } trials[] = {
        {"SHOW(scores, SIZE_MAX, SIZE_MAX);", "do not fit in memory"},
        {"SHOW(scores, SIZE_MAX, 1);", "scores"},
        {"SHOW(scores, 0, SIZE_MAX);", "there are no numbers in it"},
        {"float *none = NULL; SHOW(none, 2, 2);", "none: it is NULL"},
        {"SHOW((float *)1, 2, 2);", "while its numbers were read"},
        {"for (int i = 0; i < 100000; i++) SHOW(scores, rows, cols);", "the first 16 are kept"},
        {"SHOW(scores + 0, rows, cols);", "SHOW 1"},
        {"attn_show_cells(\"\\033[2Jevil\\n\", scores, 'f', 2, 1, 1);", "SHOW 1"},
        {"attn_show_cells("
         "\"a234567890123456789012345678901234567890123456789012345678901234567890\","
         " scores, 'f', 2, 1, 1);",
         "a23456789"},
        {"attn_show_cells(\"weights\", scores, 'f', 1 << 30, 3, 5);", "weights"},
        {"attn_show_cells(\"x\", scores, 'f', -1, SIZE_MAX, 3);", "x"},
        {"SHOW(weights, 1, 1); __builtin_trap();", "The program ended after that."},
    };
    struct room *room = *state;
    for (size_t i = 0; i < COUNT_OF(trials); i++) {
        char source[2048];
        snprintf(source, sizeof source,
                 HEADERS "void attn_show_cells(const char *, const void *, int, int, size_t, "
                         "size_t);\n" SOFTMAX
                         "{\n(void)rows; (void)cols; weights[0] = scores[0];\n%s\n}\n",
                 trials[i].statements);
        struct judgement judgement = judged(room, source, JUDGE_SHOW | JUDGE_NO_IDEAS);
        struct text text = shown_text(&judgement);
        text_says(&text, trials[i].says);
        text_release(&text);
        judgement_release(&judgement);
    }
}

/* A frame that the program wrote by itself, byte for byte. */
static void test_shown__forged_frames(void **state)
{
    struct room *room = *state;
    struct wire_shown *forged = test_calloc(1, sizeof *forged);
    for (unsigned seed = 0; seed < 40; seed++) {
        unsigned char *bytes = (unsigned char *)forged;
        for (size_t i = 0; i < sizeof *forged; i++)
            bytes[i] = seed == 0   ? 0xff
                       : seed == 1 ? 0x1b
                                   : (unsigned char)(i * seed * 2654435761u >> 13);
        for (size_t i = 0; i < WIRE_SHOWN_MAX && seed > 1; i++) {
            forged->items[i].state = (seed + i) % 6;
            forged->items[i].axes = (seed + i) % 4;
            forged->items[i].rows = (seed + i) % 3 == 0 ? UINT64_MAX : (seed * i) % 100;
            forged->items[i].cols = (seed + i) % 5 == 0 ? UINT64_MAX : (seed + i) % 80;
        }
        struct judgement judgement = {.shown_in = room->setup.cases.items[seed % 3]};
        assert_true(shown_take(forged, &judgement.shown));
        assert_true(judgement.shown.n <= WIRE_SHOWN_MAX);
        struct text text = shown_text(&judgement);
        text_release(&text);
        shown_release(&judgement.shown);
    }
    test_free(forged);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shown__the_failing_case_beside_attns_own),
        cmocka_unit_test(test_shown__numbers_tell_which_stage_it_is),
        cmocka_unit_test(test_shown__only_where_it_is_wanted_and_asked_for),
        cmocka_unit_test(test_shown__what_does_not_compile_is_told),
        cmocka_unit_test(test_shown__hostile_calls),
        cmocka_unit_test(test_shown__forged_frames),
    };
    return cmocka_run_group_tests(tests, open_room, close_room);
}
