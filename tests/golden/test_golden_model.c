/* Models against numbers that PyTorch computed: every case of gpt2/ and llama/, each as the lines
 * that a learner would type, and the training run of train/. */
#include "golden.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/node.h"
#include "commands/command.h"
#include "lang/session/eval.h"
#include "lang/session/session.h"
#include "show/doc.h"

/* Of the largest number, as README.md says. */
#define MODEL_TOLERANCE 1e-5
#define LOSS_TOLERANCE 1e-4F

struct notebook {
    struct golden *golden;
    struct session session;
};

static void notebook_init(struct notebook *notebook, struct golden *golden)
{
    static const struct settings settings = {.digits = 4, .width_cols = 80};
    *notebook = (struct notebook){.golden = golden};
    session_init(&notebook->session, command_find, &settings, NULL, NULL);
}

/* Runs one line, which must work. */
static void run(struct notebook *notebook, const char *format, ...) ERROR_FORMAT(2, 3);

static void run(struct notebook *notebook, const char *format, ...)
{
    struct text line = {0};
    struct doc out;
    struct error error;
    va_list arguments;
    va_start(arguments, format);
    text_vformat(&line, format, arguments);
    va_end(arguments);
    doc_init(&out);
    bool ok = session_run(&notebook->session, text_string(&line), line.size, &out, &error);
    golden_succeed(notebook->golden, ok, &error);
    doc_release(&out);
    text_release(&line);
}

/* The value of an expression, a tensor that the case owns. */
static const struct tensor *value_of(struct notebook *notebook, const char *expression)
{
    struct value value;
    struct error error;
    bool ok = session_peek(&notebook->session, NULL, expression, &value, &error);
    golden_succeed(notebook->golden, ok, &error);
    assert_int_equal(value.kind, VALUE_NODE);
    struct tensor *own = golden_own(notebook->golden);
    *own = tensor_share(&value.as.node->value);
    value_release(&value);
    return own;
}

static void compare(struct notebook *notebook, const char *file, const char *expression,
                    double absolute)
{
    const struct tensor *want = golden_array(notebook->golden, file);
    if (want != NULL)
        golden_compare(notebook->golden, file, value_of(notebook, expression), want,
                       absolute > 0 ? 0 : MODEL_TOLERANCE, absolute);
}

/* Ids that are continued by the likeliest token each time, as stored. */
static void run_greedy(struct notebook *notebook)
{
    struct golden *golden = notebook->golden;
    const struct tensor *want = golden_needed_array(golden, "output_ids");
    size_t n_given = tensor_size(golden_needed_array(golden, "prompt_ids"));
    size_t n = tensor_size(want) - n_given;
    golden_attr_number(golden, "min_lead", 0);
    golden_attr_count(golden, "prompt_len", 0);
    golden_attr_count(golden, "total_len", 0);
    run(notebook, "ids = load(\"%s/prompt_ids.npy\").reshape(%zu)", golden->folder, n_given);
    for (size_t i = 0; i < n; i++)
        run(notebook, "ids = cat([ids, [argmax(m(ids).logits[-1])]])");
    struct tensor *flat = golden_own(golden);
    size_t length = tensor_size(want);
    struct error error;
    golden_succeed(golden, tensor_reshape(want, 1, &length, flat, &error), &error);
    golden_compare(golden, "output_ids", value_of(notebook, "ids"), flat, 0, 0);
}

/* What attn does not compare: the size of the case, and torch's own rounding. */
static void use_the_rest(struct golden *golden)
{
    golden_attr_count(golden, "batch", 0);
    golden_attr_count(golden, "seq", 0);
    golden_attr_text(golden, "reference", "");
    golden_array(golden, "logits_f32");
}

static void run_case(struct golden *golden, const char *last_normed)
{
    struct notebook notebook;
    notebook_init(&notebook, golden);
    run(&notebook, "m = model(\"%s/..\")", golden->folder);
    if (strcmp(golden->name, "greedy") == 0) {
        run_greedy(&notebook);
        session_release(&notebook.session);
        return;
    }
    use_the_rest(golden);
    golden_needed_array(golden, "input_ids");
    run(&notebook, "r = m(load(\"%s/input_ids.npy\"))", golden->folder);
    compare(&notebook, "embed", "r.resid[0]", 0);
    compare(&notebook, "attn_probs_layer0", "r.weights[0]", MODEL_TOLERANCE);
    compare(&notebook, "attn_probs_layer1", "r.weights[1]", MODEL_TOLERANCE);
    compare(&notebook, "q_rotated_layer0", "r.q[0]", 0);
    compare(&notebook, "block0_out", "r.out[0]", 0);
    compare(&notebook, "block1_out", "r.out[-1]", 0);
    compare(&notebook, last_normed, "r.normed_out", 0);
    compare(&notebook, "logits", "r.logits", 0);
    if (golden_array(golden, "logits_of_bf16_weights") != NULL) {
        run(&notebook, "m = model(\"%s/../sharded_bf16\")", golden->folder);
        run(&notebook, "r = m(load(\"%s/input_ids.npy\"))", golden->folder);
        compare(&notebook, "logits_of_bf16_weights", "r.logits", 0);
    }
    session_release(&notebook.session);
}

static void run_gpt2(struct golden *golden)
{
    run_case(golden, "ln_f_out");
}

static void run_llama(struct golden *golden)
{
    run_case(golden, "norm_out");
}

static void test_golden_model__gpt2(void **state)
{
    (void)state;
    golden_run_family("gpt2/tiny_a", run_gpt2, 6);
}

static void test_golden_model__llama(void **state)
{
    (void)state;
    golden_run_family("llama/llama_tiny_a", run_llama, 3);
}

static void test_golden_model__qwen2(void **state)
{
    (void)state;
    golden_run_family("llama/qwen2_tiny_a", run_llama, 3);
}

static void test_golden_model__llama_with_biases_and_slower_angles(void **state)
{
    (void)state;
    golden_run_family("llama/llama_bias_llama3", run_llama, 1);
    golden_run_family("llama/llama_linear", run_llama, 1);
}

/* 100 steps of AdamW with clipping, warm-up and cosine: the loss of each step. */
static void test_golden_model__training(void **state)
{
    (void)state;
    static struct golden golden = {.folder = "train/gpt2_a"};
    const char *root = getenv("ATTN_TEST_GOLDEN");
    struct notebook notebook;
    notebook_init(&notebook, &golden);
    snprintf(golden.folder, sizeof golden.folder, "%s/train/gpt2_a", root ? root : "tests/golden");
    run(&notebook, "m = model(\"%s\")", golden.folder);
    run(&notebook,
        "losses = fit(m, load(\"%s/input_ids.npy\"), load(\"%s/targets.npy\"), "
        "lr=load(\"%s/lr.npy\"), betas=(0.9, 0.95), eps=1e-8, weight_decay=0.1, clip=1.0)",
        golden.folder, golden.folder, golden.folder);
    run(&notebook, "off = abs(losses - load(\"%s/loss_f64.npy\"))", golden.folder);
    const struct tensor *off = value_of(&notebook, "max(off)");
    print_message("largest difference of a loss: %g\n", (double)off->data[0]);
    assert_true(off->data[0] <= LOSS_TOLERANCE);
    tensor_release(&golden.owned[0]);
    session_release(&notebook.session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_model__gpt2),
        cmocka_unit_test(test_golden_model__llama),
        cmocka_unit_test(test_golden_model__qwen2),
        cmocka_unit_test(test_golden_model__llama_with_biases_and_slower_angles),
        cmocka_unit_test(test_golden_model__training),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
