/* The formula of attention, and the question which change of it gives a context: see
 * verify_mistakes.h. */
#include "verify/verify_mistakes.h"

#include <math.h>
#include <string.h>

#include "attention/mask.h"
#include "base/array.h"
#include "graph/node.h"
#include "show/doc.h"
#include "verify/question_internal.h"

enum { EXP_WORK = 16 };

/* The formula of attention, and what is asked about it. */
struct asking {
    const struct mistake_input *input;
    struct question question;
};

static size_t size_from_last(const struct tensor *x, unsigned from_last)
{
    return x->shape[x->n_axes - from_last];
}

/* ---- the inputs ---- */

static bool bind_size(struct asking *asking, const char *name, size_t size)
{
    return question_bind_number(&asking->question, name, true, (double)size);
}

/* Does the mask hide keys and nothing else? Then it is as good as a boolean one. */
static bool hides_only(const struct tensor *mask)
{
    if (mask->is_bool)
        return true;
    for (size_t i = 0, n = tensor_size(mask); i < n; i++) {
        float number = tensor_at_position(mask, i);
        if (number != 0 && number != -INFINITY)
            return false;
    }
    return true;
}

static bool bind_mask(struct asking *asking, const struct tensor *mask)
{
    struct tensor boolean;
    if (mask == NULL)
        return true;
    if (!hides_only(mask))
        return question_bind_tensor(&asking->question, "bias", mask);
    return mask_convert(mask, mask->is_bool ? MASK_MAY_ATTEND : MASK_ADDITIVE, MASK_MAY_ATTEND,
                        &boolean, asking->question.reterr) &&
           question_bind(&asking->question, "mask", false, &boolean);
}

/* Sizes that belong to the formula come first: of two that are equal, the first is named. */
static bool bind_sizes(struct asking *asking)
{
    const struct mistake_input *input = asking->input;
    size_t d_k = size_from_last(input->query, 1), d_v = size_from_last(input->value, 1);
    bool ok = input->n_heads > 0 ? bind_size(asking, "d_model", d_k) &&
                                       bind_size(asking, "n_heads", input->n_heads)
                                 : bind_size(asking, "d_k", d_k) && bind_size(asking, "d_v", d_v);
    return ok && bind_size(asking, "n_k", size_from_last(input->key, 2)) &&
           bind_size(asking, "n_q", size_from_last(input->query, 2));
}

static bool bind_inputs(struct asking *asking)
{
    const struct mistake_input *input = asking->input;
    return question_bind_tensor(&asking->question, "query", input->query) &&
           question_bind_tensor(&asking->question, "key", input->key) &&
           question_bind_tensor(&asking->question, "value", input->value) &&
           bind_mask(asking, input->mask) &&
           (input->w_out == NULL || question_bind_tensor(&asking->question, "w_o", input->w_out)) &&
           (!input->has_scale ||
            question_bind_number(&asking->question, "scale", false, input->scale)) &&
           bind_sizes(asking);
}

/* ---- the formula ---- */

static bool add_array(struct asking *asking, const char *statement)
{
    return question_step(&asking->question, false, statement);
}

static bool add_scores(struct asking *asking)
{
    bool has_scale = asking->input->has_scale;
    if (asking->input->n_heads == 0)
        return add_array(asking, "scores = query @ key.transpose(-2, -1)") &&
               add_array(asking,
                         has_scale ? "scaled = scores * scale" : "scaled = scores / sqrt(d_k)");
    return question_step(&asking->question, true, "heads = n_heads") &&
           question_step(&asking->question, true, "head_dim = d_model / heads") &&
           add_array(asking, "queries = split_heads(query, heads)") &&
           add_array(asking, "keys = split_heads(key, heads)") &&
           add_array(asking, "values = split_heads(value, heads)") &&
           add_array(asking, "scores = queries @ keys.transpose(-2, -1)") &&
           add_array(asking,
                     has_scale ? "scaled = scores * scale" : "scaled = scores / sqrt(head_dim)");
}

/* *ret_masked is the name of the scores that softmax gets. */
static bool add_mask(struct asking *asking, const char **ret_masked)
{
    const struct tensor *mask = asking->input->mask;
    bool is_causal = asking->input->is_causal, hides = mask != NULL && hides_only(mask);
    *ret_masked = is_causal || mask != NULL ? "masked" : "scaled";
    if (is_causal && !add_array(asking, "causal = tril(ones(n_q, n_k)).bool()"))
        return false;
    if (is_causal && hides)
        return add_array(asking, "allowed = causal & mask") &&
               add_array(asking, "masked = where(allowed, scaled, -inf)");
    if (is_causal)
        return mask == NULL ? add_array(asking, "masked = where(causal, scaled, -inf)")
                            : add_array(asking, "biased = scaled + bias") &&
                                  add_array(asking, "masked = where(causal, biased, -inf)");
    return mask == NULL || add_array(asking, hides ? "masked = where(mask, scaled, -inf)"
                                                   : "masked = scaled + bias");
}

static bool add_context(struct asking *asking)
{
    if (asking->input->n_heads == 0)
        return add_array(asking, "context = weights @ value");
    if (!add_array(asking, "mixed = weights @ values"))
        return false;
    if (asking->input->w_out == NULL)
        return add_array(asking, "context = merge_heads(mixed)");
    return add_array(asking, "joined = merge_heads(mixed)") &&
           add_array(asking, "context = joined @ w_o");
}

static bool add_formula(struct asking *asking)
{
    const char *masked;
    return bind_inputs(asking) && add_scores(asking) && add_mask(asking, &masked) &&
           add_array(asking, strcmp(masked, "masked") == 0 ? "weights = softmax(masked, dim=-1)"
                                                           : "weights = softmax(scaled, dim=-1)") &&
           add_context(asking);
}

/* ---- the search ---- */

/* The numbers of the largest tensor that attention makes. */
static size_t largest_size(const struct mistake_input *input)
{
    size_t n_query = tensor_size(input->query), n_value = tensor_size(input->value);
    size_t n_scores = n_query / size_from_last(input->query, 1) * size_from_last(input->key, 2) *
                      (input->n_heads > 1 ? input->n_heads : 1);
    size_t largest = n_query > n_value ? n_query : n_value;
    return largest > n_scores ? largest : n_scores;
}

/* The scores' multiplications; an exponential counts as EXP_WORK. */
static double work_of(const struct mistake_input *input)
{
    double d = (double)size_from_last(input->query, 1);
    return (double)tensor_size(input->query) / d * (double)size_from_last(input->key, 2) *
           (d + EXP_WORK);
}

bool mistake_find(const struct mistake_input *input, const struct edits *edits,
                  const struct tensor *context, const struct tensor *want, double tolerance,
                  struct text *ret_when, size_t *ret_n_untried, struct error *reterr)
{
    struct asking asking = {.input = input};
    struct question *question = &asking.question;
    struct question_finding finding = {.also = {0}};
    question_init(question, input->stop, reterr);
    question->target = "context";
    question->got = context;
    question->want = want;
    question->tolerance = tolerance;
    question->work = work_of(input);
    question->most_pair_steps = QUESTION_PAIR_STEPS;
    bool ok = add_formula(&asking) &&
              question_search(question, edits, largest_size(input), NULL, &finding);
    text_put(ret_when, text_string(&finding.when));
    *ret_n_untried = question->n_untried;
    question_finding_release(&finding);
    question_release(question);
    return ok && (!ret_when->failed || error_memory(reterr, "a mistake"));
}

/* ---- what each edit does ---- */

/* What verify can be asked about; the mask is the name of one of the drawn inputs. */
static const struct variant {
    const char *mask;
    bool is_causal, has_scale, has_heads, has_out;
} variants[] = {{.mask = NULL},
                {.mask = "hides"},
                {.mask = "bias"},
                {.is_causal = true},
                {.mask = "hides", .is_causal = true},
                {.has_scale = true},
                {.has_heads = true, .has_out = true},
                {.is_causal = true, .has_heads = true, .has_out = true},
                {.has_scale = true, .has_heads = true}};

static const char *const drawn[] = {"query = randn(4, 6)", "key = randn(5, 6)",
                                    "value = randn(5, 6)", "hides = rand(4, 5) < 0.8",
                                    "bias = randn(4, 5)",  "w_o = randn(6, 6)"};

static struct mistake_input input_of(const struct variant *variant, const struct question *inputs)
{
    return (struct mistake_input){
        .query = question_value(inputs, "query"),
        .key = question_value(inputs, "key"),
        .value = question_value(inputs, "value"),
        .mask = variant->mask != NULL ? question_value(inputs, variant->mask) : NULL,
        .is_causal = variant->is_causal,
        .has_scale = variant->has_scale,
        .scale = 0.3,
        .n_heads = variant->has_heads ? 2 : 0,
        .w_out = variant->has_out ? question_value(inputs, "w_o") : NULL};
}

static bool note_changes(struct question *question, const struct edits *edits, enum edit_use *uses)
{
    struct rewrites changes = {.n = 0};
    struct trial_outcome right = {.digest = 0}, outcome;
    bool ok = question_work_out(question, 0, NULL, 0, &right, question->reterr);
    for (size_t i = 0; ok && i < question->formula.n_steps; i++)
        ok = rewrites_add(edits, &question->formula, i, &changes, question->reterr);
    for (size_t i = 0; ok && i < changes.n; i++) {
        const struct rewrite *change = &changes.items[i];
        enum edit_use *use = &uses[change->edit - edits->items];
        if (*use == EDIT_CHANGES)
            continue;
        ok = question_work_out(question, 0, &change, 1, &outcome, question->reterr);
        bool shows = ok && !outcome.says_nothing && outcome.digest != right.digest;
        *use = shows ? EDIT_CHANGES : EDIT_CHANGES_NOTHING;
    }
    rewrites_release(&changes);
    return ok;
}

static bool note_variant(const struct variant *variant, const struct question *inputs,
                         const struct edits *edits, enum edit_use *uses, struct error *reterr)
{
    const struct mistake_input input = input_of(variant, inputs);
    struct asking asking = {.input = &input};
    struct question *question = &asking.question;
    question_init(question, NULL, reterr);
    question->with_programs = true;
    question->target = "context";
    question->work_left = (double)INFINITY;
    bool ok = add_formula(&asking);
    if (ok) {
        question->got = question->want = question_value(question, "context");
        ok = note_changes(question, edits, uses);
    }
    question_release(question);
    return ok;
}

bool mistake_note_uses(const struct edits *edits, enum edit_use *uses, struct error *reterr)
{
    struct question inputs;
    question_init(&inputs, NULL, reterr);
    bool ok = true;
    for (size_t i = 0; ok && i < COUNT_OF(drawn); i++)
        ok = question_step(&inputs, false, drawn[i]);
    for (size_t i = 0; ok && i < COUNT_OF(variants); i++)
        ok = note_variant(&variants[i], &inputs, edits, uses, reterr);
    question_release(&inputs);
    return ok;
}
