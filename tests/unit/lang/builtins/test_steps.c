/* Training by hand at the prompt: batches, the loss, its gradients, steps of optimisers. */
#include "lang_testing.h"

#include <malloc.h>
#include <string.h>

/* Two models of the same first weights, m and n, and the task that they are to learn. */
static const char two_models[] =
    "manual_seed(3); m = transformer(vocab=32, n_positions=32, d_model=16, mlp=False)\n"
    "manual_seed(3); n = transformer(vocab=32, n_positions=32, d_model=16, mlp=False)\n"
    "t = task(\"previous\"); rates = t.rates\n";

/* Steps of n by hand, on the batches of the task. */
static const char by_hand[] =
    "losses = []\n"
    "for i in range(5): loss = n.loss(t.batch(i)); losses = cat([losses, [loss]]); "
    "n = adamw(n, grad(loss, n.parameters), lr=rates[i], betas=(0.9, 0.98), clip=1)\n";

static void assert_same_weights(struct lang *lang)
{
    lang_run(lang, "same = [all(m.parameters[i] == n.parameters[i]) for i in "
                   "range(len(m.parameters.names))]");
    assert_number(lang, "all(same)", 1, 0);
    assert_number(lang, "len(m.parameters.names)", 17, 0);
}

static void test_steps__by_hand_are_those_of_train(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, two_models);
    lang_run(lang, by_hand);
    lang_run(lang, "first = m.parameters[\"wte.weight\"]; train m, t, steps=5");
    assert_same_weights(lang);
    assert_number(lang, "all(first == m.parameters[\"wte.weight\"])", 0, 0);
}

static void test_steps__by_hand_are_those_of_fit(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, two_models);
    lang_run(lang, by_hand);
    lang_run(lang, "batches = [t.batch(i).inputs for i in range(5)]\n"
                   "targets = [t.batch(i).targets for i in range(5)]\n"
                   "fitted = fit(m, batches, targets, lr=rates[0:5], betas=(0.9, 0.98), clip=1)");
    assert_same_weights(lang);
    assert_number(lang, "all(fitted == losses)", 1, 0);
}

/* The second part goes on: other batches, the same AdamW. */
static void test_steps__in_two_parts_are_those_at_once(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, two_models);
    lang_run(lang, "train m, t, steps=3; train m, t, steps=4; train n, t, steps=7");
    assert_same_weights(lang);
    assert_shows(lang, "m",
                 "transformer\n"
                 "  2 layers x 2 heads of 8, 16 wide, attention only\n"
                 "  32 tokens, texts of up to 32, 3,808 numbers\n"
                 "  after 7 steps of AdamW\n");
}

/* w - lr (momentum before + g), in the language's own arithmetic. */
static void test_sgd__is_its_formula(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, two_models);
    lang_run(lang, "b = t.batch(); g = grad(m.loss(b), m.parameters)\n"
                   "n = sgd(m, g, lr=0.5, momentum=0.75)\n"
                   "h = grad(n.loss(b), n.parameters)\n"
                   "o = sgd(n, h, lr=0.5, momentum=0.75)\n"
                   "w = m.parameters[\"wpe.weight\"]; dw = g[\"wpe.weight\"]");
    assert_number(lang, "all(n.parameters[\"wpe.weight\"] == w - 0.5 * dw)", 1, 0);
    lang_run(lang, "moved = 0.75 * dw + h[\"wpe.weight\"]");
    assert_number(lang, "all(o.parameters[\"wpe.weight\"] == w - 0.5 * dw - 0.5 * moved)", 1, 0);
}

/* The first step of AdamW is lr along the sign of each gradient; decay is for matrices alone. */
static void test_adamw__first_step(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, two_models);
    lang_run(lang, "g = grad(m.loss(t.batch()), m.parameters)\n"
                   "n = adamw(m, g, lr=0.1, eps=0, weight_decay=0.5)");
    assert_number(lang,
                  "allclose(n.parameters[\"lm_head.weight\"], 0.95 * "
                  "m.parameters[\"lm_head.weight\"] - 0.1 * sign(g[\"lm_head.weight\"]), "
                  "atol=1e-6)",
                  1, 0);
    assert_number(lang,
                  "allclose(n.parameters[\"ln_f.bias\"], m.parameters[\"ln_f.bias\"] - 0.1 * "
                  "sign(g[\"ln_f.bias\"]), atol=1e-6)",
                  1, 0);
}

/* Gradients that are too long are scaled down, all by one factor. */
static void test_sgd__clips(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, two_models);
    lang_run(lang, "g = grad(m.loss(t.batch()), m.parameters); n = sgd(m, g, lr=1, clip=0.01)\n"
                   "way = m.parameters[\"wte.weight\"] - n.parameters[\"wte.weight\"]");
    assert_number(lang, "allclose(way, g[\"wte.weight\"] * 0.01 / g.norm, atol=1e-6)", 1, 0);
    assert_number(lang, "g.norm > 0.1", 1, 0);
}

/* The norm is that of all numbers; names and numbers choose the same tensors. */
static void test_parameters__are_chosen(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, two_models);
    lang_run(lang, "p = m.parameters; squares = [sum(p[i] ** 2) for i in range(len(p.names))]");
    assert_number(lang, "abs(p.norm ** 2 / sum(squares) - 1) < 1e-5", 1, 0);
    assert_number(lang, "all(p[\"h.1.attn.c_proj.weight\"] == p[10])", 1, 0);
    assert_number(lang, "all(p[\"transformer.wpe.weight\"] == p[-4])", 1, 0);
    assert_number(lang, "p[\"wte.weight\", 3, 2] == p[\"wte.weight\"][3, 2]", 1, 0);
    assert_fails_at(lang, "p[\"h.0.attn.c_atn.weight\"]", ERR_NAME, "\"h.0.attn.c_attn.weight\"",
                    "\"h.0.attn.c_atn.weight\"");
    assert_number(lang, "m.parameters()", 3808, 0);
    assert_fails(lang, "p[17]", ERR_RANGE, "0 to 16");
    assert_fails(lang, "p[0.5]", ERR_TYPE, "by its name");
    assert_fails(lang, "p.shape", ERR_NAME, ".norm");
}

/* A batch is what the step of its number trains on: the same at each call, others at others. */
static void test_batch__is_that_of_the_step(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "t = task(\"reverse\"); a = t.batch(3, rows=2); b = t.batch(4, rows=2)");
    assert_number(lang, "all(a.inputs == t.batch(3, rows=2).inputs)", 1, 0);
    assert_number(lang, "all(a.inputs == b.inputs)", 0, 0);
    assert_number(lang, "all(a.inputs == t.batch(3, rows=2, split=\"held out\").inputs)", 0, 0);
    assert_shows(lang, "t.batch().inputs.shape", "(64, 16)\n");
    assert_shows(lang, "t.batch(1, rows=1, seed=9).targets.shape", "(1, 16)\n");
    assert_fails(lang, "t.batch(split=\"test\")", ERR_NAME, "\"held out\"");
    assert_fails(lang, "t.batch(rows=0)", ERR_LIMIT, "batch");
    assert_fails(lang, "batch(3)", ERR_TYPE, "task(\"induction\").batch()");
    assert_fails(lang, "a.words", ERR_NAME, ".inputs .targets");
}

/* -100 does not count; the loss of equal logits is log(vocab). */
static void test_loss__of_known_logits(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "m = transformer(vocab=5, norm=\"none\", mlp=False, n_layers=1)\n"
                   "n = sgd(m, grad(m.loss([[1, 2]], [[2, 3]]), m.parameters), lr=0)\n"
                   "r = m([1, 2]); p = softmax(r.logits, dim=-1)");
    assert_number(lang, "allclose(m.loss([1, 2], [2, -100]), -log(p[0, 2]))", 1, 0);
    assert_number(lang, "allclose(m.loss([[1, 2]], [[2, 3]]), -(log(p[0, 2]) + log(p[1, 3])) / 2)",
                  1, 0);
    assert_number(lang, "m.loss([1, 2], [2, 3]) == n.loss([1, 2], [2, 3])", 1, 0);
    assert_fails(lang, "m.loss([1, 2], [2, 5])", ERR_RANGE, "0 to 4");
    assert_fails(lang, "m.loss([1, 2], [2, 3, 4])", ERR_SHAPE, "one shape");
    assert_fails(lang, "m.loss([1, 9], [2, 3])", ERR_RANGE, "9 is not a token");
    assert_fails(lang, "m.loss([1, 2])", ERR_TYPE, "a batch");
}

static void test_steps__refuse_what_does_not_fit(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, two_models);
    lang_run(lang, "b = t.batch(); g = grad(m.loss(b), m.parameters); loss = n.loss(b)\n"
                   "small = transformer(vocab=4, d_model=4, n_heads=1)");
    assert_fails(lang, "adamw(small, g)", ERR_TYPE, "grad(loss, m.parameters)");
    assert_fails(lang, "adamw(m, m.parameters)", ERR_TYPE, "grad(loss, m.parameters)");
    assert_fails(lang, "sgd(m, g, lr=-1)", ERR_RANGE, "sgd: lr");
    assert_fails(lang, "adamw(m, g, betas=(0.9, 1))", ERR_RANGE, "adamw: betas");
    assert_fails(lang, "adamw(m, g, clip=-1)", ERR_RANGE, "adamw: clip");
    assert_fails(lang, "grad(loss, m.parameters)", ERR_NAME, "the loss was not computed from");
}

/* ---- memory ---- */

static size_t bytes_held(void)
{
#ifdef __GLIBC__
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

static const char steps_by_hand[] = "for i in range(%d): loss = n.loss(t.batch(i, rows=2)); "
                                    "n = adamw(n, grad(loss, n.parameters), lr=0.001)";

/* Takes steps in three ways, and says what they left behind. */
static size_t bytes_left_by(struct lang *lang, int n_steps)
{
    size_t before = bytes_held();
    char line[300];
    snprintf(line, sizeof line, steps_by_hand, n_steps);
    lang_run(lang, line);
    snprintf(line, sizeof line, "train m, t, steps=%d, batch=2", n_steps);
    lang_run(lang, line);
    size_t after = bytes_held();
    return after > before ? after - before : 0;
}

/* A thousand steps leave what ten leave. */
static void test_steps__leave_no_memory(void **state)
{
    struct lang *lang = *state;
    enum { SLACK_BYTES = 16 << 10 }; /* less than an allocation a step */
    lang_run(lang, "t = task(\"maximum\")\n"
                   "m = transformer(vocab=t.vocab, n_positions=t.context, d_model=8, n_layers=1, "
                   "mlp=False, causal=False)\n"
                   "n = transformer(vocab=t.vocab, n_positions=t.context, d_model=8, n_layers=1, "
                   "mlp=False, causal=False)");
    bytes_left_by(lang, 10); /* what is made once: threads, rooms of kernels, names */
    size_t few = bytes_left_by(lang, 10);
    size_t many = bytes_left_by(lang, 1000);
    assert_true(many <= few + SLACK_BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        lang_unit_test(test_steps__by_hand_are_those_of_train),
        lang_unit_test(test_steps__by_hand_are_those_of_fit),
        lang_unit_test(test_steps__in_two_parts_are_those_at_once),
        lang_unit_test(test_sgd__is_its_formula),
        lang_unit_test(test_adamw__first_step),
        lang_unit_test(test_sgd__clips),
        lang_unit_test(test_parameters__are_chosen),
        lang_unit_test(test_batch__is_that_of_the_step),
        lang_unit_test(test_loss__of_known_logits),
        lang_unit_test(test_steps__refuse_what_does_not_fit),
        lang_unit_test(test_steps__leave_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
