/* The language against numbers that other software computed: every case of onnx/ and torch/, each
 * as the program that a learner would type for it. Where attn differs from its sources on purpose,
 * the test says so in a comment that begins with "Choice:" and checks what attn promises instead.
 */
#include "golden.h"

#include <stdio.h>
#include <string.h>

#include "graph/node.h"
#include "commands/command.h"
#include "lang/session/session.h"
#include "show/doc.h"

/* One case as a program. */
struct notebook {
    struct golden *golden;
    struct text program;
    struct session session;
};

static void notebook_init(struct notebook *notebook, struct golden *golden)
{
    static const struct settings settings = {.digits = 4, .width_cols = 80};
    *notebook = (struct notebook){.golden = golden};
    session_init(&notebook->session, command_find, &settings, NULL, NULL);
}

static void notebook_release(struct notebook *notebook)
{
    session_release(&notebook->session);
    text_release(&notebook->program);
}

static void put(struct notebook *notebook, const char *format, ...) ERROR_FORMAT(2, 3);

/* Adds one line. */
static void put(struct notebook *notebook, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_vformat(&notebook->program, format, arguments);
    va_end(arguments);
    text_char(&notebook->program, '\n');
}

/* Adds `name = load(...)` for a file of the case, and returns its tensor; NULL where there is no
 * such file. */
static const struct tensor *load_as(struct notebook *notebook, const char *name, const char *file)
{
    const struct tensor *tensor = golden_array(notebook->golden, file);
    if (tensor != NULL)
        put(notebook, "%s = load(\"%s/%s.npy\")", name, notebook->golden->folder, file);
    return tensor;
}

static const struct tensor *load(struct notebook *notebook, const char *name)
{
    return load_as(notebook, name, name);
}

static void run(struct notebook *notebook)
{
    struct error error = {.kind = ERR_NONE};
    struct doc out;
    const struct text *program = &notebook->program;
    struct script script = {.source = text_string(program), .size = program->size};
    doc_init(&out);
    assert_false(program->failed);
    if (!session_run_script(&notebook->session, &script, &out, &error))
        fail_msg("%s: line %zu: %s\n%s", notebook->golden->name, script.row, error.text,
                 script.source);
    assert_int_equal(out.n_lines, 0); /* assignments show nothing */
    doc_release(&out);
}

static const struct tensor *value_of(const struct notebook *notebook, const char *name)
{
    const struct value *value = names_get(&notebook->session.names, name, strlen(name));
    if (value == NULL || value->kind != VALUE_NODE)
        fail_msg("%s: %s is no tensor after\n%s", notebook->golden->name, name,
                 text_string(&notebook->program));
    return &value->as.node->value;
}

/* Compares the variable `name` with the file of that name. */
static void compare(struct notebook *notebook, const char *name, double relative)
{
    golden_compare(notebook->golden, name, value_of(notebook, name),
                   golden_needed_array(notebook->golden, name), relative, 0);
}

/* Gradients: a variable and the file that holds the gradient of sum(dY * Y) with respect to it. */

struct target {
    const char *variable, *file;
};

/* Adds `d_a, d_b = grad(sum(dY * Y), [a, b])` for the targets whose variable was loaded. */
static void put_gradients(struct notebook *notebook, const struct target *targets, size_t n)
{
    struct text left = {0}, right = {0};
    if (load(notebook, "dY") == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        if (golden_array(notebook->golden, targets[i].file) == NULL)
            continue;
        text_format(&left, "%sd_%s", left.size ? ", " : "", targets[i].variable);
        text_format(&right, "%s%s", right.size ? ", " : "", targets[i].variable);
    }
    /* A list of one has one gradient in it. */
    const char *only = strchr(text_string(&left), ',') == NULL ? "[0]" : "";
    put(notebook, "%s = grad(sum(dY * Y), [%s])%s", text_string(&left), text_string(&right), only);
    text_release(&left);
    text_release(&right);
}

static void compare_gradients(struct notebook *notebook, const struct target *targets, size_t n)
{
    if (golden_array(notebook->golden, "dY") == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        char name[80];
        if (golden_array(notebook->golden, targets[i].file) == NULL)
            continue;
        snprintf(name, sizeof name, "d_%s", targets[i].variable);
        golden_compare_gradient(notebook->golden, targets[i].file, value_of(notebook, name));
    }
}

/* onnx: the Attention operator. */

struct onnx {
    struct notebook notebook;
    size_t n_q, n_k, d_k, n_past; /* n_k counts past keys too */
    size_t query_heads, key_heads;
    size_t n_batch;
    const struct tensor *mask; /* as in the file, or NULL */
    bool has_mask, is_bool;    /* the variable mask, and whether it says True = may attend */
    bool is_causal;            /* attention() is to be told so */
    struct text arguments;     /* behind Q, K, V */
};

static void put_heads(struct onnx *onnx, const char *name, size_t n_heads)
{
    put(&onnx->notebook, "%s = split_heads(%s, %zu)", name, name, n_heads);
}

/* Loads query, key and value, and takes joined heads apart. */
static void load_inputs(struct onnx *onnx)
{
    struct golden *golden = onnx->notebook.golden;
    const struct tensor *query = load(&onnx->notebook, "Q");
    const struct tensor *key = load(&onnx->notebook, "K");
    load(&onnx->notebook, "V");
    bool joined = query->n_axes == 3;
    onnx->n_batch = query->shape[0];
    onnx->query_heads = joined ? golden_attr_count(golden, "q_num_heads", 0) : query->shape[1];
    onnx->key_heads = joined ? golden_attr_count(golden, "kv_num_heads", 0) : key->shape[1];
    onnx->n_q = query->shape[query->n_axes - 2];
    onnx->n_k = key->shape[key->n_axes - 2];
    onnx->d_k = query->shape[query->n_axes - 1] / (joined ? onnx->query_heads : 1);
    if (!joined)
        return;
    put_heads(onnx, "Q", onnx->query_heads);
    put_heads(onnx, "K", onnx->key_heads);
    put_heads(onnx, "V", onnx->key_heads);
}

/* The cache: past keys and values come first. */
static void load_past(struct onnx *onnx)
{
    const struct tensor *past = load(&onnx->notebook, "past_key");
    if (past == NULL)
        return;
    load(&onnx->notebook, "past_value");
    onnx->n_past = past->shape[2];
    onnx->n_k += onnx->n_past;
    put(&onnx->notebook, "present_key = cat([past_key, K], dim=2)");
    put(&onnx->notebook, "present_value = cat([past_value, V], dim=2)");
    put(&onnx->notebook, "K = present_key");
    put(&onnx->notebook, "V = present_value");
}

/* A mask whose last axis is shorter than the keys hides the rest. */
static void widen_mask(struct onnx *onnx)
{
    const struct tensor *mask = onnx->mask;
    unsigned last = mask->n_axes - 1;
    struct text shape = {0};
    if (mask->shape[last] == onnx->n_k || mask->shape[last] == 1)
        return;
    for (unsigned axis = 0; axis < last; axis++)
        text_format(&shape, "%zu, ", mask->shape[axis]);
    text_format(&shape, "%zu", onnx->n_k - mask->shape[last]);
    if (mask->is_bool)
        put(&onnx->notebook, "mask = cat([mask, zeros(%s).bool()], dim=-1)", text_string(&shape));
    else
        put(&onnx->notebook, "mask = cat([mask, full((%s), -inf)], dim=-1)", text_string(&shape));
    text_release(&shape);
}

static void load_mask(struct onnx *onnx)
{
    onnx->mask = load_as(&onnx->notebook, "mask", "attn_mask");
    if (onnx->mask == NULL)
        return;
    onnx->has_mask = true;
    onnx->is_bool = onnx->mask->is_bool;
    widen_mask(onnx);
}

/* Hides more keys: those where the variable `open` is False. */
static void join_open(struct onnx *onnx)
{
    if (!onnx->has_mask)
        put(&onnx->notebook, "mask = open");
    else if (onnx->is_bool)
        put(&onnx->notebook, "mask = mask & open");
    else
        put(&onnx->notebook, "mask = mask.masked_fill(~open, -inf)");
    onnx->is_bool = onnx->is_bool || !onnx->has_mask;
    onnx->has_mask = true;
}

/* Hides more keys: those where the variable `causal` is -inf. */
static void join_causal(struct onnx *onnx)
{
    if (!onnx->has_mask)
        put(&onnx->notebook, "mask = causal");
    else if (onnx->is_bool)
        put(&onnx->notebook, "mask = mask & (causal == 0)");
    else
        put(&onnx->notebook, "mask = mask + causal");
    onnx->has_mask = true;
}

/* Causal masks of all batch entries, each ending at that entry's last valid key. */
static void put_causal_by_length(struct onnx *onnx)
{
    struct text masks = {0};
    for (size_t b = 0; b < onnx->n_batch; b++)
        text_format(&masks, "%scausal_mask(%zu, %zu, offset=lengths[%zu] - %zu)", b ? ", " : "",
                    onnx->n_q, onnx->n_k, b, onnx->n_q);
    put(&onnx->notebook, "causal = stack([%s]).unsqueeze(1)", text_string(&masks));
    text_release(&masks);
}

/* Padding, and causality with an offset, which attention() takes as masks. */
static void load_hidden(struct onnx *onnx)
{
    bool causal = golden_attr_count(onnx->notebook.golden, "is_causal", 0) == 1;
    bool padded = load_as(&onnx->notebook, "lengths", "nonpad_kv_seqlen") != NULL;
    if (padded) {
        put(&onnx->notebook, "open = padding_mask(lengths, %zu)", onnx->n_k);
        join_open(onnx);
    }
    if (causal && padded)
        put_causal_by_length(onnx);
    else if (causal && onnx->n_past > 0)
        put(&onnx->notebook, "causal = causal_mask(%zu, %zu, offset=%zu)", onnx->n_q, onnx->n_k,
            onnx->n_past);
    onnx->is_causal = causal && !padded && onnx->n_past == 0;
    if (causal && !onnx->is_causal)
        join_causal(onnx);
}

static void collect_arguments(struct onnx *onnx)
{
    struct golden *golden = onnx->notebook.golden;
    const char *scale = golden_attr_text(golden, "scale", NULL);
    const char *softcap = golden_attr_text(golden, "softcap", NULL);
    struct text *arguments = &onnx->arguments;
    text_put(arguments, onnx->has_mask ? ", attn_mask=mask" : "");
    text_put(arguments, onnx->is_causal ? ", is_causal=True" : "");
    if (scale != NULL)
        text_format(arguments, ", scale=%s", scale);
    text_put(arguments, onnx->query_heads != onnx->key_heads ? ", enable_gqa=True" : "");
    if (softcap != NULL)
        text_format(arguments, ", softcap=%s", softcap);
}

/* The scores behind a step of the operator, each step typed out: 0 scaled, 1 capped, 2 masked. */
static void put_scores(struct onnx *onnx, size_t mode)
{
    struct notebook *notebook = &onnx->notebook;
    const char *scale = golden_attr_text(notebook->golden, "scale", NULL);
    const char *cap = golden_attr_text(notebook->golden, "softcap", NULL);
    put(notebook, "scores = Q @ K.transpose(-2, -1)");
    if (scale != NULL)
        put(notebook, "scores = scores * %s", scale);
    else
        put(notebook, "scores = scores / sqrt(%zu)", onnx->d_k);
    if (mode >= 1 && cap != NULL)
        put(notebook, "scores = %s * tanh(scores / %s)", cap, cap);
    if (mode == 2 && onnx->has_mask)
        put(notebook,
            onnx->is_bool ? "scores = scores.masked_fill(~mask, -inf)" : "scores = scores + mask");
    if (mode == 2 && onnx->is_causal)
        put(notebook, "scores = scores + causal_mask(%zu, %zu)", onnx->n_q, onnx->n_k);
    put(notebook, "qk_matmul_output = scores");
}

static void put_intermediate(struct onnx *onnx)
{
    struct golden *golden = onnx->notebook.golden;
    size_t mode = golden_attr_count(golden, "qk_matmul_output_mode", 0);
    if (golden_array(golden, "qk_matmul_output") == NULL)
        return;
    assert_in_range(mode, 0, 3);
    if (mode == 3)
        put(&onnx->notebook, "qk_matmul_output = attention_weights(Q, K%s)",
            text_string(&onnx->arguments));
    else
        put_scores(onnx, mode);
}

static void write_onnx(struct onnx *onnx)
{
    load_inputs(onnx);
    load_past(onnx);
    load_mask(onnx);
    load_hidden(onnx);
    collect_arguments(onnx);
    put(&onnx->notebook, "Y = scaled_dot_product_attention(Q, K, V%s)",
        text_string(&onnx->arguments));
    if (golden_needed_array(onnx->notebook.golden, "Y")->n_axes == 3)
        put(&onnx->notebook, "Y = merge_heads(Y)");
    put_intermediate(onnx);
}

static void run_onnx(struct golden *golden)
{
    struct onnx onnx = {.n_past = 0};
    notebook_init(&onnx.notebook, golden);
    write_onnx(&onnx);
    run(&onnx.notebook);
    compare(&onnx.notebook, "Y", SDPA_TOLERANCE);
    if (onnx.n_past > 0) {
        compare(&onnx.notebook, "present_key", 0);
        compare(&onnx.notebook, "present_value", 0);
    }
    if (golden_array(golden, "qk_matmul_output") != NULL)
        compare(&onnx.notebook, "qk_matmul_output", SDPA_TOLERANCE);
    text_release(&onnx.arguments);
    notebook_release(&onnx.notebook);
}

/* torch/sdpa */

static const struct target sdpa_targets[] = {{"Q", "dQ"}, {"K", "dK"}, {"V", "dV"}};

static void write_sdpa(struct notebook *notebook)
{
    struct golden *golden = notebook->golden;
    load(notebook, "Q");
    load(notebook, "K");
    load(notebook, "V");
    bool masked = load(notebook, "attn_mask") != NULL;
    bool causal = golden_attr_count(golden, "is_causal", 0) == 1;
    put(notebook, "f(K, V) = attention(Q, K, V%s%s, scale=%s)",
        masked ? ", attn_mask=attn_mask" : "", causal ? ", is_causal=True" : "",
        golden_attr_text(golden, "scale", "None"));
    put(notebook, "g(K) = attention_weights(Q, K%s%s, scale=%s)",
        masked ? ", attn_mask=attn_mask" : "", causal ? ", is_causal=True" : "",
        golden_attr_text(golden, "scale", "None"));
    put(notebook, "Y = f(K, V)");
    put(notebook, "weights = g(K)");
    put_gradients(notebook, sdpa_targets, 3);
}

/* Choice: a hidden key has no influence. In torch 0 * NaN and NaN + -inf leak it into every row. */
static void run_poisoned(struct notebook *notebook)
{
    put(notebook, "clean(x) = where(isnan(x) | isinf(x), 0, x)");
    put(notebook, "clean_Y = f(clean(K), clean(V))");
    put(notebook, "clean_weights = g(clean(K))");
    run(notebook);
    golden_compare_poisoned(notebook->golden, "Y", value_of(notebook, "Y"),
                            value_of(notebook, "clean_Y"));
    golden_compare_poisoned(notebook->golden, "weights", value_of(notebook, "weights"),
                            value_of(notebook, "clean_weights"));
}

static void run_clean(struct notebook *notebook)
{
    struct golden *golden = notebook->golden;
    const struct tensor *want = golden_needed_array(golden, "Y");
    const struct tensor *want_weights = golden_array(golden, "weights");
    bool denormal = golden_starts_with(golden, "denormal");
    run(notebook);
    /* Choice: a row that may attend to nothing is zero; torch gives NaN. */
    if (golden_starts_with(golden, "fullmask_bool") ||
        golden_starts_with(golden, "fullmask_neginf")) {
        want = golden_without_nan_rows(golden, want, NULL);
        want_weights = golden_without_nan_rows(golden, want_weights, NULL);
    }
    golden_compare(golden, "Y", value_of(notebook, "Y"), want, denormal ? 0 : SDPA_TOLERANCE,
                   denormal ? DENORMAL_TOLERANCE : 0);
    if (want_weights != NULL)
        golden_compare(golden, "weights", value_of(notebook, "weights"), want_weights,
                       SDPA_TOLERANCE, 0);
    compare_gradients(notebook, sdpa_targets, 3);
}

static void run_sdpa(struct golden *golden)
{
    struct notebook notebook;
    notebook_init(&notebook, golden);
    write_sdpa(&notebook);
    if (golden_is_poisoned(golden))
        run_poisoned(&notebook);
    else
        run_clean(&notebook);
    notebook_release(&notebook);
}

/* torch/mha: torch.nn.MultiheadAttention. */

static const struct target mha_targets[] = {
    {"query", "d_query"},
    {"key", "d_key"},
    {"value", "d_value"},
    {"in_proj_weight", "grad.in_proj_weight"},
    {"q_proj_weight", "grad.q_proj_weight"},
    {"k_proj_weight", "grad.k_proj_weight"},
    {"v_proj_weight", "grad.v_proj_weight"},
    {"in_proj_bias", "grad.in_proj_bias"},
    {"out_weight", "grad.out_proj.weight"},
    {"out_bias", "grad.out_proj.bias"},
};
enum { N_MHA_TARGETS = sizeof mha_targets / sizeof *mha_targets };

/* q = split_heads(linear(query, in_proj_weight[0:8], in_proj_bias[0:8]), 2) */
static void put_projection(struct notebook *notebook, size_t third, const char *input)
{
    struct golden *golden = notebook->golden;
    size_t d_model = golden_attr_count(golden, "embed_dim", 0);
    size_t begin = third * d_model, end = begin + d_model;
    bool first = golden_attr_count(golden, "batch_first", 0) == 1;
    bool stacked = golden_array(golden, "in_proj_weight") != NULL;
    bool biased = golden_array(golden, "in_proj_bias") != NULL;
    struct text weight = {0}, bias = {0};
    if (stacked)
        text_format(&weight, "in_proj_weight[%zu:%zu]", begin, end);
    else
        text_format(&weight, "%c_proj_weight", "qkv"[third]);
    if (biased)
        text_format(&bias, ", in_proj_bias[%zu:%zu]", begin, end);
    put(notebook, "%c = split_heads(linear(%s%s, %s%s), %zu)", "qkv"[third], input,
        first ? "" : ".transpose(0, 1)", text_string(&weight), text_string(&bias),
        golden_attr_count(golden, "num_heads", 0));
    text_release(&weight);
    text_release(&bias);
}

/* The argument attn_mask. MultiheadAttention's boolean masks say True = hidden, attention()'s the
 * opposite; a mask of three axes has batch and heads in one. */
static const char *put_mha_mask(struct notebook *notebook)
{
    const struct tensor *mask = load_as(notebook, "mask", "attn_mask");
    const struct tensor *padding = load_as(notebook, "padding", "key_padding_mask");
    size_t n_heads = golden_attr_count(notebook->golden, "num_heads", 1);
    assert_true(mask == NULL || padding == NULL);
    if (mask != NULL && mask->n_axes == 3)
        put(notebook, "mask = mask.view(-1, %zu, %zu, %zu)", n_heads, mask->shape[1],
            mask->shape[2]);
    if (padding != NULL)
        put(notebook, "mask = padding.unsqueeze(1).unsqueeze(2)");
    if ((mask != NULL && mask->is_bool) || padding != NULL)
        put(notebook, "mask = ~mask");
    return mask != NULL || padding != NULL ? ", attn_mask=mask" : "";
}

static void load_mha(struct notebook *notebook)
{
    static const char *const names[] = {"query",          "key",           "value",
                                        "in_proj_weight", "q_proj_weight", "k_proj_weight",
                                        "v_proj_weight",  "in_proj_bias"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        load(notebook, names[i]);
    load_as(notebook, "out_weight", "out_proj.weight");
    load_as(notebook, "out_bias", "out_proj.bias");
}

static void write_mha(struct notebook *notebook)
{
    struct golden *golden = notebook->golden;
    bool first = golden_attr_count(golden, "batch_first", 0) == 1;
    bool biased = golden_array(golden, "out_proj.bias") != NULL;
    load_mha(notebook);
    put_projection(notebook, 0, "query");
    put_projection(notebook, 1, "key");
    put_projection(notebook, 2, "value");
    const char *mask = put_mha_mask(notebook);
    put(notebook, "weights = attention_weights(q, k%s)", mask);
    put(notebook, "context = merge_heads(attention(q, k, v%s))", mask);
    put(notebook, "Y = linear(context, out_weight%s)%s", biased ? ", out_bias" : "",
        first ? "" : ".transpose(0, 1)");
    put_gradients(notebook, mha_targets, N_MHA_TARGETS);
}

/* What the attributes say is in the arrays too. */
static void check_mha_attrs(struct golden *golden)
{
    size_t d_model = golden_attr_count(golden, "embed_dim", 0);
    const struct tensor *key = golden_needed_array(golden, "key");
    const struct tensor *value = golden_needed_array(golden, "value");
    assert_int_equal(golden_attr_count(golden, "bias", 1),
                     golden_array(golden, "in_proj_bias") != NULL);
    assert_int_equal(golden_attr_count(golden, "kdim", d_model), key->shape[2]);
    assert_int_equal(golden_attr_count(golden, "vdim", d_model), value->shape[2]);
    /* Query, key and value are given all the same. */
    golden_attr_text(golden, "self_attention", NULL);
}

static void run_mha(struct golden *golden)
{
    struct notebook notebook;
    notebook_init(&notebook, golden);
    check_mha_attrs(golden);
    write_mha(&notebook);
    run(&notebook);
    const struct tensor *want = golden_needed_array(golden, "Y");
    const struct tensor *want_weights = golden_needed_array(golden, "weights");
    /* Choice: a row without a key has weights and context zero, so the layer gives the bias of its
     * output projection; torch gives NaN. */
    if (golden_starts_with(golden, "fullmask")) {
        want = golden_without_nan_rows(golden, want, golden_array(golden, "out_proj.bias"));
        want_weights = golden_without_nan_rows(golden, want_weights, NULL);
    }
    golden_compare(golden, "Y", value_of(&notebook, "Y"), want, LAYER_TOLERANCE, 0);
    golden_compare(golden, "weights", value_of(&notebook, "weights"), want_weights, LAYER_TOLERANCE,
                   0);
    compare_gradients(&notebook, mha_targets, N_MHA_TARGETS);
    notebook_release(&notebook);
}

/* torch/multihead: the module that tutorials build. */

static const struct target multihead_targets[] = {
    {"x", "dx"},
    {"W_query", "grad.W_query.weight"},
    {"W_key", "grad.W_key.weight"},
    {"W_value", "grad.W_value.weight"},
    {"b_query", "grad.W_query.bias"},
    {"b_key", "grad.W_key.bias"},
    {"b_value", "grad.W_value.bias"},
    {"W_out", "grad.out_proj.weight"},
    {"b_out", "grad.out_proj.bias"},
};
enum { N_MULTIHEAD_TARGETS = sizeof multihead_targets / sizeof *multihead_targets };

static void load_multihead(struct notebook *notebook)
{
    load(notebook, "x");
    load_as(notebook, "W_query", "W_query.weight");
    load_as(notebook, "W_key", "W_key.weight");
    load_as(notebook, "W_value", "W_value.weight");
    load_as(notebook, "b_query", "W_query.bias");
    load_as(notebook, "b_key", "W_key.bias");
    load_as(notebook, "b_value", "W_value.bias");
    load_as(notebook, "W_out", "out_proj.weight");
    load_as(notebook, "b_out", "out_proj.bias");
}

static void write_multihead(struct notebook *notebook)
{
    struct golden *golden = notebook->golden;
    const char *layout = golden_attr_text(golden, "weight_layout", "?");
    const char *turn = strcmp(layout, "out_in") == 0 ? ".T" : "";
    const char *causal = golden_attr_count(golden, "is_causal", 0) == 1 ? ", is_causal=True" : "";
    bool biased = golden_array(golden, "W_query.bias") != NULL;
    bool projected = golden_array(golden, "out_proj.weight") != NULL;
    size_t n_heads = golden_attr_count(golden, "num_heads", 0);
    load_multihead(notebook);
    put(notebook, "Y = multi_head_attention(x, W_query%s, W_key%s, W_value%s, n_heads=%zu%s%s%s)",
        turn, turn, turn, n_heads, biased ? ", b_query=b_query, b_key=b_key, b_value=b_value" : "",
        projected ? ", W_out=W_out.T, b_out=b_out" : "", causal);
    put(notebook, "q = split_heads(x @ W_query%s%s, %zu)", turn, biased ? " + b_query" : "",
        n_heads);
    put(notebook, "k = split_heads(x @ W_key%s%s, %zu)", turn, biased ? " + b_key" : "", n_heads);
    put(notebook, "weights = attention_weights(q, k%s)", causal);
    put_gradients(notebook, multihead_targets, N_MULTIHEAD_TARGETS);
}

/* What the attributes say is in the arrays too. */
static void check_multihead_attrs(struct golden *golden)
{
    const struct tensor *x = golden_needed_array(golden, "x");
    const struct tensor *y = golden_needed_array(golden, "Y");
    assert_int_equal(golden_attr_count(golden, "qkv_bias", 0),
                     golden_array(golden, "W_query.bias") != NULL);
    assert_int_equal(golden_attr_count(golden, "out_proj", 0),
                     golden_array(golden, "out_proj.weight") != NULL);
    assert_int_equal(golden_attr_count(golden, "d_in", 0), x->shape[x->n_axes - 1]);
    assert_int_equal(golden_attr_count(golden, "d_out", 0), y->shape[y->n_axes - 1]);
    /* The longest input the module was made for; it changes nothing. */
    size_t n = x->shape[x->n_axes - 2];
    assert_true(golden_attr_count(golden, "context_length", n) >= n);
}

static void run_multihead(struct golden *golden)
{
    struct notebook notebook;
    notebook_init(&notebook, golden);
    check_multihead_attrs(golden);
    write_multihead(&notebook);
    run(&notebook);
    compare(&notebook, "Y", LAYER_TOLERANCE);
    compare(&notebook, "weights", LAYER_TOLERANCE);
    compare_gradients(&notebook, multihead_targets, N_MULTIHEAD_TARGETS);
    notebook_release(&notebook);
}

/* torch/softmax */

/* Choice: attention's weights are zeros where softmax gives NaN for a row of -inf. With scores of 0
 * the weights are made from the mask alone. */
static void put_weights_of_mask(struct notebook *notebook, const struct tensor *x)
{
    put(notebook, "weights = attention_weights(zeros(%zu, 1), zeros(%zu, 1), attn_mask=x)",
        x->shape[x->n_axes - 2], x->shape[x->n_axes - 1]);
}

static void compare_weights_of_mask(struct notebook *notebook)
{
    struct golden *golden = notebook->golden;
    const struct tensor *want = golden_needed_array(golden, "Y");
    if (golden_starts_with(golden, "neginf_all"))
        want = golden_without_nan_rows(golden, want, NULL);
    golden_compare(golden, "weights", value_of(notebook, "weights"), want, SOFTMAX_TOLERANCE, 0);
}

static void run_softmax(struct golden *golden)
{
    static const struct target x_only[] = {{"x", "dx"}};
    struct notebook notebook;
    notebook_init(&notebook, golden);
    const struct tensor *x = load(&notebook, "x");
    bool hidden = golden_starts_with(golden, "neginf");
    put(&notebook, "Y = softmax(x, dim=%s)", golden_attr_text(golden, "dim", "?"));
    if (hidden)
        put_weights_of_mask(&notebook, x);
    put_gradients(&notebook, x_only, 1);
    run(&notebook);
    compare(&notebook, "Y", SOFTMAX_TOLERANCE);
    if (hidden)
        compare_weights_of_mask(&notebook);
    compare_gradients(&notebook, x_only, 1);
    notebook_release(&notebook);
}

/* torch/layernorm */

static double layernorm_tolerance(const struct golden *golden)
{
    if (golden_starts_with(golden, "width1"))
        return 5e-4;
    return golden_starts_with(golden, "offset") ? 5e-5 : 5e-6;
}

static void run_layernorm(struct golden *golden)
{
    static const struct target targets[] = {{"x", "dx"}, {"weight", "dweight"}, {"bias", "dbias"}};
    struct notebook notebook;
    notebook_init(&notebook, golden);
    const struct tensor *x = load(&notebook, "x");
    bool affine = load(&notebook, "weight") != NULL && load(&notebook, "bias") != NULL;
    assert_int_equal(golden_attr_count(golden, "affine", 2), affine);
    put(&notebook, "Y = layer_norm(x, (%zu,)%s, eps=%s)", x->shape[x->n_axes - 1],
        affine ? ", weight, bias" : "", golden_attr_text(golden, "eps", "?"));
    put_gradients(&notebook, targets, 3);
    run(&notebook);
    compare(&notebook, "Y", layernorm_tolerance(golden));
    compare_gradients(&notebook, targets, 3);
    notebook_release(&notebook);
}

/* torch/gelu */

static void run_gelu(struct golden *golden)
{
    struct notebook notebook;
    notebook_init(&notebook, golden);
    load(&notebook, "x");
    put(&notebook, "Y_erf = gelu(x)");
    put(&notebook, "Y_tanh = gelu(x, approximate=\"tanh\")");
    bool with_gradients = load(&notebook, "dY") != NULL;
    if (with_gradients) {
        put(&notebook, "dx_erf = grad(sum(dY * Y_erf), x)");
        put(&notebook, "dx_tanh = grad(sum(dY * Y_tanh), x)");
    }
    run(&notebook);
    compare(&notebook, "Y_erf", 1e-6);
    compare(&notebook, "Y_tanh", 1e-6);
    if (with_gradients) {
        golden_compare_gradient(golden, "dx_erf", value_of(&notebook, "dx_erf"));
        golden_compare_gradient(golden, "dx_tanh", value_of(&notebook, "dx_tanh"));
    }
    notebook_release(&notebook);
}

/* torch/silu */

static void run_silu(struct golden *golden)
{
    struct notebook notebook;
    notebook_init(&notebook, golden);
    load(&notebook, "x");
    load(&notebook, "dY");
    put(&notebook, "Y = silu(x)");
    put(&notebook, "Y_sigmoid = sigmoid(x)");
    put(&notebook, "dx = grad(sum(dY * Y), x)");
    put(&notebook, "dx_sigmoid = grad(sum(dY * Y_sigmoid), x)");
    run(&notebook);
    compare(&notebook, "Y", 1e-6);
    compare(&notebook, "Y_sigmoid", 1e-6);
    golden_compare_gradient(golden, "dx", value_of(&notebook, "dx"));
    golden_compare_gradient(golden, "dx_sigmoid", value_of(&notebook, "dx_sigmoid"));
    notebook_release(&notebook);
}

/* torch/rmsnorm */

static void run_rmsnorm(struct golden *golden)
{
    static const struct target targets[] = {{"x", "dx"}, {"weight", "dweight"}};
    struct notebook notebook;
    notebook_init(&notebook, golden);
    const struct tensor *x = load(&notebook, "x");
    bool affine = load(&notebook, "weight") != NULL;
    assert_int_equal(golden_attr_count(golden, "affine", 2), affine);
    put(&notebook, "Y = rms_norm(x, (%zu,)%s, eps=%s)", x->shape[x->n_axes - 1],
        affine ? ", weight" : "", golden_attr_text(golden, "eps", "?"));
    put_gradients(&notebook, targets, 2);
    run(&notebook);
    compare(&notebook, "Y", 5e-6);
    compare_gradients(&notebook, targets, 2);
    notebook_release(&notebook);
}

/* torch/cross_entropy */

static void run_cross_entropy(struct golden *golden)
{
    struct notebook notebook;
    notebook_init(&notebook, golden);
    const char *ignored = golden_attr_text(golden, "ignore_index", "?");
    load(&notebook, "input");
    load(&notebook, "target");
    put(&notebook, "Y = cross_entropy(input, target, ignore_index=%s)", ignored);
    put(&notebook, "Y_none = cross_entropy(input, target, %s, reduction=\"none\")", ignored);
    put(&notebook, "Y_sum = cross_entropy(input, target, %s, reduction=\"sum\")", ignored);
    put(&notebook, "dinput = grad(Y, input)");
    run(&notebook);
    compare(&notebook, "Y", 1e-6);
    compare(&notebook, "Y_none", 1e-6);
    compare(&notebook, "Y_sum", 1e-6);
    golden_compare_gradient(golden, "dinput", value_of(&notebook, "dinput"));
    notebook_release(&notebook);
}

/* torch/embedding */

static void run_embedding(struct golden *golden)
{
    struct notebook notebook;
    notebook_init(&notebook, golden);
    const struct tensor *weight = load(&notebook, "weight");
    assert_int_equal(golden_attr_count(golden, "num_embeddings", 0), weight->shape[0]);
    assert_int_equal(golden_attr_count(golden, "embedding_dim", 0), weight->shape[1]);
    load(&notebook, "ids");
    load(&notebook, "dY");
    put(&notebook, "Y = embedding(ids, weight)");
    put(&notebook, "dweight = grad(sum(dY * Y), weight)");
    run(&notebook);
    compare(&notebook, "Y", 0);
    compare(&notebook, "dweight", 1e-6);
    notebook_release(&notebook);
}

static void test_golden__onnx_attention(void **state)
{
    (void)state;
    golden_run_family("onnx", run_onnx, 98);
}

static void test_golden__torch_sdpa(void **state)
{
    (void)state;
    golden_run_family("torch/sdpa", run_sdpa, 72);
}

static void test_golden__torch_mha(void **state)
{
    (void)state;
    golden_run_family("torch/mha", run_mha, 11);
}

static void test_golden__torch_multihead(void **state)
{
    (void)state;
    golden_run_family("torch/multihead", run_multihead, 11);
}

static void test_golden__torch_softmax(void **state)
{
    (void)state;
    golden_run_family("torch/softmax", run_softmax, 12);
}

static void test_golden__torch_layernorm(void **state)
{
    (void)state;
    golden_run_family("torch/layernorm", run_layernorm, 8);
}

static void test_golden__torch_gelu(void **state)
{
    (void)state;
    golden_run_family("torch/gelu", run_gelu, 4);
}

static void test_golden__torch_embedding(void **state)
{
    (void)state;
    golden_run_family("torch/embedding", run_embedding, 2);
}

static void test_golden__torch_silu(void **state)
{
    (void)state;
    golden_run_family("torch/silu", run_silu, 2);
}

static void test_golden__torch_rmsnorm(void **state)
{
    (void)state;
    golden_run_family("torch/rmsnorm", run_rmsnorm, 4);
}

static void test_golden__torch_cross_entropy(void **state)
{
    (void)state;
    golden_run_family("torch/cross_entropy", run_cross_entropy, 6);
}

/* A new folder beside the known families must not go unnoticed. */
static void test_golden__no_unknown_family(void **state)
{
    (void)state;
    static const char *const known[] = {"sdpa",      "mha",          "multihead", "softmax",
                                        "layernorm", "gelu",         "embedding", "silu",
                                        "rmsnorm",   "cross_entropy"};
    golden_check_families(known, sizeof known / sizeof *known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden__onnx_attention),
        cmocka_unit_test(test_golden__torch_sdpa),
        cmocka_unit_test(test_golden__torch_mha),
        cmocka_unit_test(test_golden__torch_multihead),
        cmocka_unit_test(test_golden__torch_softmax),
        cmocka_unit_test(test_golden__torch_layernorm),
        cmocka_unit_test(test_golden__torch_gelu),
        cmocka_unit_test(test_golden__torch_embedding),
        cmocka_unit_test(test_golden__torch_silu),
        cmocka_unit_test(test_golden__torch_rmsnorm),
        cmocka_unit_test(test_golden__torch_cross_entropy),
        cmocka_unit_test(test_golden__no_unknown_family),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
