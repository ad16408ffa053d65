/* See verify_mistakes.h. The formula is run in a session of its own, which holds what each step
 * gives when nothing is wrong: a change is worked out from the step that it changes on. */
#include "verify/verify_mistakes.h"

#include <math.h>
#include <string.h>

#include "attention/mask.h"
#include "base/array.h"
#include "diagnose/search.h"
#include "graph/node.h"
#include "lang/session/session.h"
#include "lang/value/literal.h"
#include "show/doc.h"

static const struct settings quiet = {.digits = 4, .width_cols = 80, .no_files = true};

/* Multiplications that looking for two mistakes at once may take for each pair, and for all. */
static const double PAIRS_MAX_WORK = 1e6, PAIRS_MAX_TOTAL = 4e9;
/* Multiplications that single changes may take where one takes more than a pair may. */
static const double SINGLES_MAX_TOTAL = 3e9;

enum {
    MOST_STEPS = 2500000,     /* that are worked out for pairs */
    PAIRS_MIN_WRONG = 3,      /* numbers: some pair of very many gives one or two by chance alone */
    PROGRAMS_MAX_SIZE = 4000, /* of tensors for which mistakes of programs are worked out */
    EXP_WORK = 16,
    MAX_INPUTS = 12,
    MAX_STEPS = 14,
};

struct asking {
    const struct mistake_input *input;
    const struct tensor *context, *want;
    double tolerance;
    bool rows_alike;    /* those of the context */
    bool with_programs; /* mistakes that only programs have are looked for too */
    size_t n_wrong;     /* finite numbers of the context */
    double work;        /* multiplications of the scores, an exponential counted as EXP_WORK */
    double work_left;   /* that may still be made for trying */
    size_t n_untried;   /* changes, for want of that */
    struct session session;
    struct arena arena;
    struct formula_name inputs[MAX_INPUTS];
    struct formula_step steps[MAX_STEPS];
    struct formula formula;
    struct error *reterr;
};

static size_t size_from_last(const struct tensor *x, unsigned from_last)
{
    return x->shape[x->n_axes - from_last];
}

/* ---- the inputs ---- */

/* Gives the session a tensor by name; takes *x over. */
static bool bind(struct asking *asking, const char *name, bool is_size, struct tensor *x)
{
    struct value old,
        value =
            value_node(node_input(&asking->session.graph, x, name, strlen(name), asking->reterr));
    if (value.kind != VALUE_NODE)
        return false;
    if (!names_set(&asking->session.names, name, strlen(name), &value, &old, asking->reterr)) {
        value_release(&value);
        return false;
    }
    asking->inputs[asking->formula.n_inputs++] = (struct formula_name){name, is_size};
    return true;
}

static bool bind_tensor(struct asking *asking, const char *name, const struct tensor *x)
{
    struct tensor shared = tensor_share(x);
    return bind(asking, name, false, &shared);
}

static bool bind_number(struct asking *asking, const char *name, bool is_size, double number)
{
    struct tensor x;
    return tensor_scalar((float)number, &x, asking->reterr) && bind(asking, name, is_size, &x);
}

static bool bind_size(struct asking *asking, const char *name, size_t size)
{
    return bind_number(asking, name, true, (double)size);
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
        return bind_tensor(asking, "bias", mask);
    return mask_convert(mask, mask->is_bool ? MASK_MAY_ATTEND : MASK_ADDITIVE, MASK_MAY_ATTEND,
                        &boolean, asking->reterr) &&
           bind(asking, "mask", false, &boolean);
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
    return bind_tensor(asking, "query", input->query) && bind_tensor(asking, "key", input->key) &&
           bind_tensor(asking, "value", input->value) && bind_mask(asking, input->mask) &&
           (input->w_out == NULL || bind_tensor(asking, "w_o", input->w_out)) &&
           (!input->has_scale || bind_number(asking, "scale", false, input->scale)) &&
           bind_sizes(asking);
}

/* ---- the formula ---- */

static bool run_line(struct session *session, const char *line, struct error *reterr)
{
    struct doc shown;
    doc_init(&shown);
    bool ok = session_run(session, line, strlen(line), &shown, reterr);
    doc_release(&shown);
    return ok;
}

static bool add_step(struct asking *asking, bool gives_size, const char *statement)
{
    struct formula_step *step = &asking->steps[asking->formula.n_steps];
    if (!formula_step_read(&asking->arena, statement, step, asking->reterr) ||
        !run_line(&asking->session, statement, asking->reterr))
        return false;
    step->gives_size = gives_size;
    asking->formula.n_steps++;
    return true;
}

static bool add_array(struct asking *asking, const char *statement)
{
    return add_step(asking, false, statement);
}

static bool add_scores(struct asking *asking)
{
    bool has_scale = asking->input->has_scale;
    if (asking->input->n_heads == 0)
        return add_array(asking, "scores = query @ key.transpose(-2, -1)") &&
               add_array(asking,
                         has_scale ? "scaled = scores * scale" : "scaled = scores / sqrt(d_k)");
    return add_step(asking, true, "heads = n_heads") &&
           add_step(asking, true, "head_dim = d_model / heads") &&
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
    asking->formula.inputs = asking->inputs;
    asking->formula.steps = asking->steps;
    return bind_inputs(asking) && add_scores(asking) && add_mask(asking, &masked) &&
           add_array(asking, strcmp(masked, "masked") == 0 ? "weights = softmax(masked, dim=-1)"
                                                           : "weights = softmax(scaled, dim=-1)") &&
           add_context(asking);
}

/* ---- one change, worked out ---- */

static const struct rewrite *change_of_step(const struct rewrite *const *changes, size_t n,
                                            size_t step)
{
    for (size_t i = 0; i < n; i++)
        if (changes[i]->step == step)
            return changes[i];
    return NULL;
}

/* The lines from the first step that was changed on. */
static void write_lines(const struct asking *asking, const struct rewrite *const *changes, size_t n,
                        struct text *lines)
{
    bool is_changed = n == 0;
    for (size_t i = 0; i < asking->formula.n_steps; i++) {
        const struct rewrite *change = change_of_step(changes, n, i);
        is_changed = is_changed || change != NULL;
        if (!is_changed)
            continue;
        if (change != NULL)
            text_put(lines, change->functions);
        text_format(lines, "%s\n",
                    change != NULL ? change->statement : asking->formula.steps[i].text);
    }
}

/* Is it a mistake of loops and of how numbers are stored? Those have functions of their own. They
 * and changes with new axes may need the square of the memory that attention does. */
static bool is_of_programs(const struct rewrite *change)
{
    return change->edit->only_programs || change->functions[0] != '\0' ||
           strstr(change->statement, "None") != NULL;
}

static bool is_name(const struct formula_step *step, const char *word, size_t size)
{
    return step->name_size == size && memcmp(step->name, word, size) == 0;
}

/* Does it name an array that only the formula here has? */
static bool speaks_of_step(const struct asking *asking, const struct rewrite *change)
{
    static const char instead_of[] = " is used in place of ";
    const char *with = strstr(change->when, instead_of);
    for (size_t i = 0; with != NULL && i < asking->formula.n_steps; i++) {
        const struct formula_step *step = &asking->formula.steps[i];
        const char *instead = with + sizeof instead_of - 1;
        if (!step->gives_size && (is_name(step, change->when, (size_t)(with - change->when)) ||
                                  is_name(step, instead, strcspn(instead, " "))))
            return true;
    }
    return false;
}

/* Is it looked at now? */
static bool is_looked_at(const struct asking *asking, const struct rewrite *const *changes,
                         size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((!asking->with_programs && is_of_programs(changes[i])) ||
            speaks_of_step(asking, changes[i]))
            return false;
    return true;
}

static bool row_is_nan(const struct tensor *x, size_t row, size_t n_cols)
{
    for (size_t j = 0; j < n_cols; j++)
        if (!isnan(tensor_at_position(x, row * n_cols + j)))
            return false;
    return true;
}

/* Compares the numbers of a trial with the context, where it is finite. A query that may see no key
 * gets NaN by the formula and zeros from attn. */
static void compare(const struct asking *asking, const struct tensor *tried,
                    struct trial_outcome *ret)
{
    size_t n_cols = size_from_last(tried, 1), n = tensor_size(tried);
    bool agrees = true, is_wrong = false;
    ret->digest = SEARCH_DIGEST;
    for (size_t row = 0; row * n_cols < n; row++) {
        bool sees_nothing = row_is_nan(tried, row, n_cols);
        for (size_t i = row * n_cols; i < (row + 1) * n_cols; i++) {
            float number = sees_nothing ? 0 : tensor_at_position(tried, i);
            float got = tensor_at_position(asking->context, i);
            double off = fabs((double)number - (double)tensor_at_position(asking->want, i));
            ret->digest = search_digest(ret->digest, number);
            if (!isfinite(got))
                continue;
            agrees = agrees && fabs((double)got - (double)number) <= asking->tolerance;
            is_wrong = is_wrong || !(off <= asking->tolerance);
        }
    }
    ret->agrees = agrees && is_wrong;
    ret->is_dumb = asking->rows_alike;
}

static bool work_out(void *context, size_t trial, const struct rewrite *const *changes, size_t n,
                     struct trial_outcome *ret, struct error *reterr)
{
    struct asking *asking = context;
    struct text lines = {0};
    struct value value = {.kind = VALUE_ABSENT};
    struct error error = {.kind = ERR_NONE};
    (void)trial; /* there is one */
    *ret = (struct trial_outcome){.says_nothing = true};
    if (asking->input->stop != NULL && *asking->input->stop)
        return error_set(reterr, ERR_INTERRUPTED, "interrupted");
    if (!is_looked_at(asking, changes, n))
        return true;
    if (asking->work > asking->work_left) {
        asking->n_untried++;
        return true;
    }
    asking->work_left -= asking->work;
    write_lines(asking, changes, n, &lines);
    bool ok = lines.failed
                  ? error_memory(&error, "a mistake")
                  : session_peek(&asking->session, text_string(&lines), "context", &value, &error);
    text_release(&lines);
    if (ok && value.kind == VALUE_NODE &&
        tensor_same_shape(&value.as.node->value, asking->context)) {
        ret->says_nothing = false;
        compare(asking, &value.as.node->value, ret);
    }
    value_release(&value);
    if (!ok && error_is_stop(&error)) {
        if (reterr != NULL)
            *reterr = error;
        return false;
    }
    return true;
}

/* ---- the search ---- */

static bool rows_are_alike(const struct tensor *x, double tolerance)
{
    size_t n_cols = size_from_last(x, 1), n = tensor_size(x);
    for (size_t i = n_cols; i < n; i++)
        if (!(fabs((double)tensor_at_position(x, i) - (double)tensor_at_position(x, i % n_cols)) <=
              tolerance))
            return false;
    return n > n_cols;
}

static size_t count_wrong(const struct asking *asking)
{
    size_t n_wrong = 0;
    for (size_t i = 0, n = tensor_size(asking->context); i < n; i++) {
        double got = (double)tensor_at_position(asking->context, i);
        double off = fabs(got - (double)tensor_at_position(asking->want, i));
        n_wrong += isfinite(got) && !(off <= asking->tolerance);
    }
    return n_wrong;
}

/* The numbers of the largest tensor that attention makes. */
static size_t largest_size(const struct mistake_input *input)
{
    size_t n_query = tensor_size(input->query), n_value = tensor_size(input->value);
    size_t n_scores = n_query / size_from_last(input->query, 1) * size_from_last(input->key, 2) *
                      (input->n_heads > 1 ? input->n_heads : 1);
    size_t largest = n_query > n_value ? n_query : n_value;
    return largest > n_scores ? largest : n_scores;
}

static double work_of(const struct mistake_input *input)
{
    double d = (double)size_from_last(input->query, 1);
    return (double)tensor_size(input->query) / d * (double)size_from_last(input->key, 2) *
           (d + EXP_WORK);
}

/* Adds what was found, in words: "WHEN" or "WHEN; and WHEN". */
static void write_finding(const struct finding *finding, struct text *out)
{
    if (finding->combination != NULL) {
        text_put(out, finding->combination->when);
        return;
    }
    for (size_t i = 0; i < finding->n; i++)
        if (i == 0 || strcmp(finding->changes[i]->when, finding->changes[0]->when) != 0)
            text_format(out, "%s%s", i > 0 ? "; and " : "", finding->changes[i]->when);
}

static bool search(struct asking *asking, const struct edits *edits, size_t most_steps,
                   struct text *ret_when)
{
    const struct search_options options = {.most_steps = most_steps, .without_fresh = true};
    const struct subject subject = {
        .context = asking, .n_trials = 1, .n_failing = 1, .work_out = work_out};
    struct search found = {.n_tried = 0};
    struct finding finding;
    bool ok =
        search_run(&found, edits, &asking->formula, &subject, &options, &finding, asking->reterr);
    if (ok && finding.n > 0)
        write_finding(&finding, ret_when);
    search_release(&found);
    return ok;
}

/* The steps that may be worked out for pairs; 0: too much work, or too little to tell them by. */
static size_t steps_for_pairs(const struct asking *asking)
{
    if (asking->work > PAIRS_MAX_WORK || asking->n_wrong < PAIRS_MIN_WRONG)
        return 0;
    double pairs = PAIRS_MAX_TOTAL / asking->work;
    return (size_t)fmin(MOST_STEPS, pairs * (double)(asking->formula.n_steps + 1));
}

/* Mistakes in the formula first, then those that only programs have. */
static bool search_all(struct asking *asking, const struct edits *edits, struct text *ret_when)
{
    if (!search(asking, edits, steps_for_pairs(asking), ret_when))
        return false;
    asking->with_programs = true;
    return ret_when->size > 0 || largest_size(asking->input) > PROGRAMS_MAX_SIZE ||
           search(asking, edits, 0, ret_when);
}

bool mistake_find(const struct mistake_input *input, const struct edits *edits,
                  const struct tensor *context, const struct tensor *want, double tolerance,
                  struct text *ret_when, size_t *ret_n_untried, struct error *reterr)
{
    struct asking asking = {.input = input,
                            .context = context,
                            .want = want,
                            .tolerance = tolerance,
                            .rows_alike = rows_are_alike(context, tolerance),
                            .work = work_of(input),
                            .reterr = reterr};
    *ret_n_untried = 0;
    asking.work_left = asking.work > PAIRS_MAX_WORK ? SINGLES_MAX_TOTAL : (double)INFINITY;
    asking.n_wrong = count_wrong(&asking);
    if (asking.n_wrong == 0)
        return true;
    session_init(&asking.session, NULL, &quiet, NULL, input->stop);
    bool ok = add_formula(&asking) && search_all(&asking, edits, ret_when);
    *ret_n_untried = asking.n_untried;
    session_release(&asking.session);
    arena_release(&asking.arena);
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

static const char drawn[] = "manual_seed(1); query = randn(4, 6); key = randn(5, 6); "
                            "value = randn(5, 6); hides = rand(4, 5) < 0.8; bias = randn(4, 5); "
                            "w_o = randn(6, 6)";

static const struct tensor *tensor_of(const struct session *session, const char *name)
{
    return name != NULL ? &names_get(&session->names, name, strlen(name))->as.node->value : NULL;
}

static struct mistake_input input_of(const struct variant *variant, const struct session *session)
{
    return (struct mistake_input){.query = tensor_of(session, "query"),
                                  .key = tensor_of(session, "key"),
                                  .value = tensor_of(session, "value"),
                                  .mask = tensor_of(session, variant->mask),
                                  .is_causal = variant->is_causal,
                                  .has_scale = variant->has_scale,
                                  .scale = 0.3,
                                  .n_heads = variant->has_heads ? 2 : 0,
                                  .w_out = variant->has_out ? tensor_of(session, "w_o") : NULL};
}

static bool note_changes(struct asking *asking, const struct edits *edits, enum edit_use *uses)
{
    struct rewrites changes = {.n = 0};
    struct trial_outcome right = {.digest = 0}, outcome;
    bool ok = work_out(asking, 0, NULL, 0, &right, asking->reterr);
    for (size_t i = 0; ok && i < asking->formula.n_steps; i++)
        ok = rewrites_add(edits, &asking->formula, i, &changes, asking->reterr);
    for (size_t i = 0; ok && i < changes.n; i++) {
        const struct rewrite *change = &changes.items[i];
        enum edit_use *use = &uses[change->edit - edits->items];
        if (*use == EDIT_CHANGES)
            continue;
        ok = work_out(asking, 0, &change, 1, &outcome, asking->reterr);
        bool shows = ok && !outcome.says_nothing && outcome.digest != right.digest;
        *use = shows ? EDIT_CHANGES : EDIT_CHANGES_NOTHING;
    }
    rewrites_release(&changes);
    return ok;
}

static bool note_variant(const struct variant *variant, const struct session *inputs,
                         const struct edits *edits, enum edit_use *uses, struct error *reterr)
{
    const struct mistake_input input = input_of(variant, inputs);
    struct asking asking = {.input = &input, .with_programs = true, .reterr = reterr};
    session_init(&asking.session, NULL, &quiet, NULL, NULL);
    bool ok = add_formula(&asking);
    if (ok) {
        asking.context = asking.want = tensor_of(&asking.session, "context");
        ok = note_changes(&asking, edits, uses);
    }
    session_release(&asking.session);
    arena_release(&asking.arena);
    return ok;
}

bool mistake_note_uses(const struct edits *edits, enum edit_use *uses, struct error *reterr)
{
    struct session inputs;
    session_init(&inputs, NULL, &quiet, NULL, NULL);
    bool ok = run_line(&inputs, drawn, reterr);
    for (size_t i = 0; ok && i < COUNT_OF(variants); i++)
        ok = note_variant(&variants[i], &inputs, edits, uses, reterr);
    session_release(&inputs);
    return ok;
}
