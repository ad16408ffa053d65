/* The library against numbers that other software computed: every case folder under onnx/ and
 * torch/{sdpa,mha,multihead,softmax} of the golden data (see its README.md for what is in a folder
 * and where the tolerances come from). The data is looked for in $ATTN_TEST_GOLDEN, else
 * tests/golden.
 *
 * A case passes only if every file and every attribute in its folder was used, so a case that asks
 * for something unknown fails. Where attn differs from its sources on purpose, the test says so in
 * a comment that begins with "Choice:" and checks what attn promises instead. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention.h"
#include "attention/kv_cache.h"
#include "attention/multihead.h"
#include "attention/self_attention.h"
#include "attention/softmax.h"
#include "files/npy.h"

enum { MAX_FILES = 40, MAX_ATTRS = 20, MAX_OWNED = 80, MAX_PATH = 1024 };

/* Tolerances relative to the largest finite reference; reasons in the golden data's README.md. */
static const double SDPA_TOLERANCE = 4e-6;
static const double LAYER_TOLERANCE = 5e-6;
static const double SOFTMAX_TOLERANCE = 2e-6;
static const double GRADIENT_TOLERANCE = 1e-5;  /* and as much absolute */
static const double DENORMAL_TOLERANCE = 1e-44; /* absolute */

/* One folder, read whole. */
struct golden {
    const char *name;
    size_t n_files, n_attrs, n_owned, n_wrong;
    struct file {
        char name[64]; /* without .npy */
        struct tensor tensor;
        bool used;
    } files[MAX_FILES];
    struct attr {
        char name[64], text[64];
        bool used;
    } attrs[MAX_ATTRS];
    struct tensor owned[MAX_OWNED]; /* what the case makes on its way, released at its end */
};

static void succeed(const struct golden *golden, bool ok, const struct error *error)
{
    if (!ok)
        fail_msg("%s: %s", golden->name, error->text);
}

/* A place for a new tensor that lives as long as the case. */
static struct tensor *own(struct golden *golden)
{
    assert_true(golden->n_owned < MAX_OWNED);
    return &golden->owned[golden->n_owned++];
}

/* Reading a folder. */

static void join_path(char path[MAX_PATH], const char *folder, const char *name)
{
    if (snprintf(path, MAX_PATH, "%s/%s", folder, name) >= MAX_PATH)
        fail_msg("%s/%s: the path is too long", folder, name);
}

static void read_attrs(struct golden *golden, const char *path)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("%s: can't be opened", path);
    struct attr attr = {.used = false};
    while (fscanf(file, "%63s %63s", attr.name, attr.text) == 2) {
        assert_true(golden->n_attrs < MAX_ATTRS);
        golden->attrs[golden->n_attrs++] = attr;
    }
    fclose(file);
}

static void read_array(struct golden *golden, const char *path, const char *name, size_t length)
{
    struct error error;
    assert_true(golden->n_files < MAX_FILES && length < sizeof golden->files->name);
    struct file *file = &golden->files[golden->n_files++];
    memcpy(file->name, name, length);
    succeed(golden, npy_load(path, &file->tensor, &error), &error);
}

static void golden_read(struct golden *golden, const char *folder, const char *name)
{
    *golden = (struct golden){.name = name};
    DIR *dir = opendir(folder);
    if (dir == NULL)
        fail_msg("%s: can't be opened", folder);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char path[MAX_PATH];
        join_path(path, folder, entry->d_name);
        const char *dot = strrchr(entry->d_name, '.');
        if (strcmp(entry->d_name, "attrs.txt") == 0)
            read_attrs(golden, path);
        else if (dot != NULL && strcmp(dot, ".npy") == 0)
            read_array(golden, path, entry->d_name, (size_t)(dot - entry->d_name));
        else if (entry->d_name[0] != '.')
            fail_msg("%s: what is this file for?", path);
    }
    closedir(dir);
}

static void golden_release(struct golden *golden)
{
    for (size_t i = 0; i < golden->n_files; i++)
        tensor_release(&golden->files[i].tensor);
    for (size_t i = 0; i < golden->n_owned; i++)
        tensor_release(&golden->owned[i]);
}

/* The array of this name, or NULL. */
static struct tensor *array(struct golden *golden, const char *name)
{
    for (size_t i = 0; i < golden->n_files; i++)
        if (strcmp(golden->files[i].name, name) == 0) {
            golden->files[i].used = true;
            return &golden->files[i].tensor;
        }
    return NULL;
}

static struct tensor *needed_array(struct golden *golden, const char *name)
{
    struct tensor *found = array(golden, name);
    if (found == NULL)
        fail_msg("%s: there is no %s.npy", golden->name, name);
    return found;
}

/* The text of this attribute, or `otherwise`. */
static const char *attr_text(struct golden *golden, const char *name, const char *otherwise)
{
    for (size_t i = 0; i < golden->n_attrs; i++)
        if (strcmp(golden->attrs[i].name, name) == 0) {
            golden->attrs[i].used = true;
            return golden->attrs[i].text;
        }
    return otherwise;
}

static double attr_number(struct golden *golden, const char *name, double otherwise)
{
    const char *text = attr_text(golden, name, NULL);
    return text != NULL ? strtod(text, NULL) : otherwise;
}

static size_t attr_count(struct golden *golden, const char *name, size_t otherwise)
{
    return (size_t)attr_number(golden, name, (double)otherwise);
}

static bool starts_with(const struct golden *golden, const char *prefix)
{
    return strncmp(golden->name, prefix, strlen(prefix)) == 0;
}

/* Marks what only documents where the numbers come from. */
static void use_documentation(struct golden *golden)
{
    array(golden, "Y_f32");
    array(golden, "Y_f64");
    array(golden, "Y_fastpath");
    attr_text(golden, "reference", NULL);
    attr_text(golden, "f32_from", NULL);
}

static void check_all_used(struct golden *golden)
{
    use_documentation(golden);
    for (size_t i = 0; i < golden->n_files; i++)
        if (!golden->files[i].used)
            fail_msg("%s: %s.npy is not handled", golden->name, golden->files[i].name);
    for (size_t i = 0; i < golden->n_attrs; i++)
        if (!golden->attrs[i].used)
            fail_msg("%s: the attribute %s is not handled", golden->name, golden->attrs[i].name);
}

/* Comparing. */

static double largest_finite(const struct tensor *x)
{
    double top = 0;
    size_t size = tensor_size(x);
    for (size_t at = 0; at < size; at++) {
        double number = fabs((double)tensor_at_position(x, at));
        if (isfinite(number) && number > top)
            top = number;
    }
    return top;
}

/* NaN is close to NaN, an infinity to itself. */
static bool is_close(double got, double want, double tolerance)
{
    if (isnan(want))
        return isnan(got) != 0;
    return got == want || fabs(got - want) <= tolerance;
}

/* Counts a case as wrong unless |got - want| <= relative * top + absolute everywhere. */
static void compare(struct golden *golden, const char *what, const struct tensor *got,
                    const struct tensor *want, double relative, double absolute)
{
    char left[TENSOR_SHAPE_TEXT], right[TENSOR_SHAPE_TEXT];
    if (!tensor_same_shape(got, want)) {
        print_error("%s: %s is %s, the reference %s\n", golden->name, what,
                    tensor_shape_text(got, left), tensor_shape_text(want, right));
        golden->n_wrong++;
        return;
    }
    double tolerance = relative * largest_finite(want) + absolute;
    size_t size = tensor_size(want);
    for (size_t at = 0; at < size; at++) {
        double got_number = (double)tensor_at_position(got, at);
        double want_number = (double)tensor_at_position(want, at);
        if (is_close(got_number, want_number, tolerance))
            continue;
        print_error("%s: number %zu of %s is %.9g, not within %g of %.9g\n", golden->name, at, what,
                    got_number, tolerance, want_number);
        golden->n_wrong++;
        return;
    }
}

/* Compares a gradient with the array of this name. */
static void compare_gradient(struct golden *golden, const char *name, const struct tensor *got)
{
    compare(golden, name, got, needed_array(golden, name), GRADIENT_TOLERANCE, GRADIENT_TOLERANCE);
}

/* A copy of x in which each row that is NaN throughout holds the numbers of `instead` (or zeros
 * when that is NULL). There must be such a row. */
static const struct tensor *without_nan_rows(struct golden *golden, const struct tensor *x,
                                             const struct tensor *instead)
{
    struct error error;
    struct tensor *copy = own(golden);
    succeed(golden, tensor_copy(x, copy, &error), &error);
    size_t width = x->shape[x->n_axes - 1], size = tensor_size(x), n_replaced = 0;
    for (size_t row = 0; row < size; row += width) {
        size_t n_nan = 0;
        for (size_t d = 0; d < width; d++)
            n_nan += isnan(copy->data[row + d]) != 0;
        if (n_nan < width)
            continue;
        n_replaced++;
        for (size_t d = 0; d < width; d++)
            copy->data[row + d] = instead != NULL ? tensor_at_position(instead, d) : 0;
    }
    if (n_replaced == 0)
        fail_msg("%s: no row is NaN, although the case is about one", golden->name);
    return copy;
}

/* Views. */

static struct tensor *swapped(struct golden *golden, const struct tensor *x, unsigned a, unsigned b)
{
    struct tensor *view = own(golden);
    *view = tensor_transpose(x, a, b);
    return view;
}

/* W as the library wants it, (d_in, d_out), for one that is stored the other way round. NULL stays
 * NULL. */
static struct tensor *turned(struct golden *golden, const struct tensor *weight)
{
    return weight != NULL ? swapped(golden, weight, 0, 1) : NULL;
}

/* Rows (or numbers, for one axis) [start, start + count) of x; NULL stays NULL. */
static struct tensor *part(struct golden *golden, const struct tensor *x, size_t start,
                           size_t count)
{
    struct error error;
    if (x == NULL)
        return NULL;
    struct tensor *view = own(golden);
    succeed(golden, tensor_slice(x, 0, start, count, 1, view, &error), &error);
    return view;
}

static struct tensor *reshaped(struct golden *golden, const struct tensor *x, unsigned n_axes,
                               const size_t *shape)
{
    struct error error;
    struct tensor *view = own(golden);
    succeed(golden, tensor_reshape(x, n_axes, shape, view, &error), &error);
    return view;
}

/* onnx: the Attention operator, put together from the library's functions. */

/* x with its heads apart: as it is, or split where they are joined in the last axis. */
static struct tensor *with_heads(struct golden *golden, struct tensor *x, size_t n_heads)
{
    struct error error;
    if (x->n_axes == 4)
        return x;
    struct tensor *split = own(golden);
    succeed(golden, heads_split(x, n_heads, split, &error), &error);
    return split;
}

/* Joins past and new keys and values in a cache, and has input attend to all of them. */
static void take_past(struct golden *golden, struct attention_input *input)
{
    struct error error;
    struct tensor *past_key = array(golden, "past_key");
    struct tensor *past_value = array(golden, "past_value");
    if (past_key == NULL)
        return;
    size_t n_past = past_key->shape[2];
    struct kv_cache cache;
    struct tensor *key = own(golden), *value = own(golden);
    succeed(golden,
            kv_cache_init(&cache, 2, past_key->shape, n_past + input->key->shape[2],
                          past_key->shape[3], past_value->shape[3], &error) &&
                kv_cache_append(&cache, past_key, past_value, &error) &&
                kv_cache_append(&cache, input->key, input->value, &error) &&
                kv_cache_view(&cache, key, value, &error),
            &error);
    kv_cache_release(&cache);
    compare(golden, "present_key", key, needed_array(golden, "present_key"), 0, 0);
    compare(golden, "present_value", value, needed_array(golden, "present_value"), 0, 0);
    input->key = key;
    input->value = value;
    input->causal_offset = (ptrdiff_t)n_past;
}

/* A mask whose last axis is shorter than the keys hides the rest. */
static const struct tensor *with_all_keys(struct golden *golden, const struct tensor *mask,
                                          size_t n_k)
{
    struct error error;
    unsigned last = mask->n_axes - 1;
    size_t n_given = mask->shape[last], shape[TENSOR_MAX_AXES];
    if (n_given == n_k || n_given == 1)
        return mask;
    memcpy(shape, mask->shape, sizeof shape);
    shape[last] = n_k;
    struct tensor *wide = own(golden);
    succeed(golden, tensor_full(mask->n_axes, shape, mask->is_bool ? 0 : -INFINITY, wide, &error),
            &error);
    size_t size = tensor_size(mask);
    for (size_t at = 0; at < size; at++)
        wide->data[at / n_given * n_k + at % n_given] = tensor_at_position(mask, at);
    wide->is_bool = mask->is_bool;
    return wide;
}

static void take_mask(struct golden *golden, struct attention_input *input)
{
    struct tensor *mask = array(golden, "attn_mask");
    if (mask == NULL)
        return;
    input->mask = with_all_keys(golden, mask, input->key->shape[2]);
    input->mask_kind = mask->is_bool ? MASK_MAY_ATTEND : MASK_ADDITIVE;
}

/* The causal masks of all batch entries, (batch, 1, n_q, n_k): entry b ends at its last valid key.
 */
static struct tensor *causal_masks(struct golden *golden, const struct attention_input *input)
{
    struct error error;
    size_t n_q = input->query->shape[2], n_k = input->key->shape[2];
    struct tensor *masks = own(golden);
    succeed(golden, tensor_zeros(4, (size_t[]){input->n_key_lengths, 1, n_q, n_k}, masks, &error),
            &error);
    for (size_t b = 0; b < input->n_key_lengths; b++) {
        struct tensor *mask = own(golden);
        ptrdiff_t offset = (ptrdiff_t)input->key_lengths[b] - (ptrdiff_t)n_q;
        succeed(golden, mask_causal(n_q, n_k, offset, input->mask_kind, mask, &error), &error);
        memcpy(masks->data + b * n_q * n_k, mask->data, n_q * n_k * sizeof *mask->data);
    }
    masks->is_bool = input->mask_kind != MASK_ADDITIVE;
    return masks;
}

/* nonpad_kv_seqlen: the valid keys of each batch entry, on which causality is aligned. */
static void take_lengths(struct golden *golden, struct attention_input *input, size_t *lengths)
{
    struct error error;
    struct tensor *given = array(golden, "nonpad_kv_seqlen");
    if (given == NULL)
        return;
    assert_in_range(given->shape[0], 1, 16);
    for (size_t b = 0; b < given->shape[0]; b++)
        lengths[b] = (size_t)given->data[b];
    input->key_lengths = lengths;
    input->n_key_lengths = given->shape[0];
    if (!input->causal)
        return;
    struct tensor *causal = causal_masks(golden, input);
    struct tensor *both = own(golden);
    if (input->mask != NULL)
        succeed(golden, mask_join(input->mask, causal, input->mask_kind, both, &error), &error);
    input->mask = input->mask != NULL ? both : causal;
    input->causal = false;
}

static const struct tensor *onnx_intermediate(const struct attention_trace *trace, size_t mode)
{
    assert_in_range(mode, 0, 3);
    const struct tensor *modes[] = {&trace->scaled, &trace->capped, &trace->masked,
                                    &trace->weights};
    return modes[mode];
}

static void compare_onnx(struct golden *golden, const struct attention_trace *trace)
{
    struct error error;
    struct tensor *want = needed_array(golden, "Y");
    struct tensor *merged = own(golden);
    if (want->n_axes == 3)
        succeed(golden, heads_merge(&trace->context, merged, &error), &error);
    compare(golden, "Y", want->n_axes == 3 ? merged : &trace->context, want, SDPA_TOLERANCE, 0);
    struct tensor *qk = array(golden, "qk_matmul_output");
    size_t mode = attr_count(golden, "qk_matmul_output_mode", 0);
    if (qk != NULL)
        compare(golden, "qk_matmul_output", onnx_intermediate(trace, mode), qk, SDPA_TOLERANCE, 0);
}

static void run_onnx(struct golden *golden)
{
    struct error error;
    size_t query_heads = attr_count(golden, "q_num_heads", 0);
    size_t key_heads = attr_count(golden, "kv_num_heads", 0);
    struct attention_input input = {
        .query = with_heads(golden, needed_array(golden, "Q"), query_heads),
        .key = with_heads(golden, needed_array(golden, "K"), key_heads),
        .value = with_heads(golden, needed_array(golden, "V"), key_heads),
        .causal = attr_count(golden, "is_causal", 0) == 1,
        .has_scale = attr_text(golden, "scale", NULL) != NULL,
        .scale = attr_number(golden, "scale", 0),
        .softcap = attr_number(golden, "softcap", 0),
        .mask_kind = MASK_MAY_ATTEND,
        .grouped_query = true,
    };
    size_t lengths[16];
    take_past(golden, &input);
    take_mask(golden, &input);
    take_lengths(golden, &input, lengths);
    struct attention_trace trace;
    succeed(golden, attention_forward_traced(&input, NULL, &trace, &error), &error);
    compare_onnx(golden, &trace);
    attention_trace_release(&trace);
}

/* torch/sdpa */

static struct attention_input sdpa_input(struct golden *golden)
{
    struct tensor *mask = array(golden, "attn_mask");
    return (struct attention_input){
        .query = needed_array(golden, "Q"),
        .key = needed_array(golden, "K"),
        .value = needed_array(golden, "V"),
        .mask = mask,
        .mask_kind = mask != NULL && mask->is_bool ? MASK_MAY_ATTEND : MASK_ADDITIVE,
        .causal = attr_count(golden, "is_causal", 0) == 1,
        .has_scale = true,
        .scale = attr_number(golden, "scale", 1),
    };
}

/* A copy of x with 0 for what is not finite. */
static struct tensor *cleaned(struct golden *golden, const struct tensor *x)
{
    struct error error;
    struct tensor *copy = own(golden);
    succeed(golden, tensor_copy(x, copy, &error), &error);
    size_t size = tensor_size(x);
    for (size_t at = 0; at < size; at++)
        if (!isfinite(copy->data[at]))
            copy->data[at] = 0;
    return copy;
}

static bool row_is_finite(const struct tensor *x, size_t row)
{
    size_t width = x->shape[x->n_axes - 1];
    for (size_t d = 0; d < width; d++)
        if (!isfinite(tensor_at_position(x, row * width + d)))
            return false;
    return true;
}

/* Whether query i of head h may attend to a key whose key or value is not finite. The masks of
 * these cases are (n_q, n_k) and boolean. */
static bool sees_poison(const struct attention_input *input, size_t h, size_t i)
{
    size_t n_k = input->key->shape[input->key->n_axes - 2];
    for (size_t j = 0; j < n_k; j++) {
        bool hidden = (input->causal && j > i) ||
                      (input->mask != NULL && tensor_at_position(input->mask, i * n_k + j) == 0);
        size_t row = h * n_k + j;
        if (!hidden && !(row_is_finite(input->key, row) && row_is_finite(input->value, row)))
            return true;
    }
    return false;
}

/* want = the reference, but in rows that see no poison what the same input without it gives: there
 * it must come out bit for bit. */
static void compare_poisoned(struct golden *golden, const struct attention_input *input,
                             const char *what, const struct tensor *got,
                             const struct tensor *reference, const struct tensor *clean)
{
    double tolerance = SDPA_TOLERANCE * largest_finite(reference);
    size_t n_q = input->query->shape[input->query->n_axes - 2];
    size_t width = got->shape[got->n_axes - 1], n_rows = tensor_size(got) / width, n_differ = 0;
    for (size_t row = 0; row < n_rows; row++) {
        bool poisoned = sees_poison(input, row / n_q, row % n_q);
        for (size_t at = row * width; at < (row + 1) * width; at++) {
            double got_number = (double)got->data[at];
            double reference_number = (double)reference->data[at];
            bool agrees = is_close(got_number, reference_number, tolerance);
            n_differ += !agrees;
            bool ok = poisoned ? agrees
                               : got->data[at] == clean->data[at] &&
                                     (agrees || !isfinite(reference_number));
            if (ok)
                continue;
            print_error("%s: number %zu of %s is %.9g; clean %.9g, torch %.9g\n", golden->name, at,
                        what, got_number, (double)clean->data[at], reference_number);
            golden->n_wrong++;
            return;
        }
    }
    if (n_differ == 0 && strcmp(what, "Y") == 0)
        fail_msg("%s: nothing differs from torch, although the case is about that", golden->name);
}

/* Choice: a hidden key is never read. In torch 0 * NaN and NaN + -inf leak it into every row. */
static void run_poisoned(struct golden *golden)
{
    struct error error;
    struct attention_input input = sdpa_input(golden);
    struct attention_input clean = input;
    clean.key = cleaned(golden, input.key);
    clean.value = cleaned(golden, input.value);
    struct tensor *context = own(golden), *weights = own(golden);
    struct tensor *clean_context = own(golden), *clean_weights = own(golden);
    succeed(golden,
            attention_forward(&input, NULL, context, weights, &error) &&
                attention_forward(&clean, NULL, clean_context, clean_weights, &error),
            &error);
    compare_poisoned(golden, &input, "Y", context, needed_array(golden, "Y"), clean_context);
    compare_poisoned(golden, &input, "weights", weights, needed_array(golden, "weights"),
                     clean_weights);
}

static bool is_poisoned(const struct golden *golden)
{
    static const char *const prefixes[] = {"nan_k_masked", "nan_k_causal", "nan_v_masked",
                                           "nan_v_causal", "inf_v_causal"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (starts_with(golden, prefixes[i]))
            return true;
    return false;
}

static void compare_sdpa_gradients(struct golden *golden, const struct attention_input *input)
{
    struct error error;
    struct tensor *d_context = array(golden, "dY");
    if (d_context == NULL)
        return;
    struct attention_gradients gradients;
    succeed(golden, attention_backward(input, d_context, NULL, &gradients, &error), &error);
    compare_gradient(golden, "dQ", &gradients.query);
    compare_gradient(golden, "dK", &gradients.key);
    compare_gradient(golden, "dV", &gradients.value);
    attention_gradients_release(&gradients);
}

static void run_sdpa(struct golden *golden)
{
    struct error error;
    if (is_poisoned(golden)) {
        run_poisoned(golden);
        return;
    }
    struct attention_input input = sdpa_input(golden);
    struct tensor *context = own(golden), *weights = own(golden);
    succeed(golden, attention_forward(&input, NULL, context, weights, &error), &error);
    const struct tensor *want_context = needed_array(golden, "Y");
    const struct tensor *want_weights = array(golden, "weights");
    /* Choice: a row that may attend to nothing is zero; torch gives NaN. */
    if (starts_with(golden, "fullmask_bool") || starts_with(golden, "fullmask_neginf")) {
        want_context = without_nan_rows(golden, want_context, NULL);
        want_weights = without_nan_rows(golden, want_weights, NULL);
    }
    bool denormal = starts_with(golden, "denormal");
    compare(golden, "Y", context, want_context, denormal ? 0 : SDPA_TOLERANCE,
            denormal ? DENORMAL_TOLERANCE : 0);
    if (want_weights != NULL)
        compare(golden, "weights", weights, want_weights, SDPA_TOLERANCE, 0);
    compare_sdpa_gradients(golden, &input);
}

/* torch/mha: torch.nn.MultiheadAttention. */

/* The three projections, from one matrix of stacked rows or from three. */
static void take_projections(struct golden *golden, struct multihead *layer)
{
    size_t d_model = attr_count(golden, "embed_dim", 0);
    struct tensor *stacked = array(golden, "in_proj_weight");
    struct tensor *bias = array(golden, "in_proj_bias");
    struct tensor *weights[3] = {part(golden, stacked, 0, d_model),
                                 part(golden, stacked, d_model, d_model),
                                 part(golden, stacked, 2 * d_model, d_model)};
    layer->w_query = turned(golden, stacked ? weights[0] : needed_array(golden, "q_proj_weight"));
    layer->w_key = turned(golden, stacked ? weights[1] : needed_array(golden, "k_proj_weight"));
    layer->w_value = turned(golden, stacked ? weights[2] : needed_array(golden, "v_proj_weight"));
    layer->b_query = part(golden, bias, 0, d_model);
    layer->b_key = part(golden, bias, d_model, d_model);
    layer->b_value = part(golden, bias, 2 * d_model, d_model);
    assert_int_equal(attr_count(golden, "bias", 1), bias != NULL);
    assert_int_equal(attr_count(golden, "kdim", d_model), layer->w_key->shape[0]);
    assert_int_equal(attr_count(golden, "vdim", d_model), layer->w_value->shape[0]);
}

/* attn_mask (n_q, n_k) or (batch * heads, n_q, n_k), key_padding_mask (batch, n_k): as one mask
 * that broadcasts to (batch, heads, n_q, n_k). True means hidden in both. */
static void take_mha_masks(struct golden *golden, size_t n_heads, struct multihead_input *input)
{
    struct tensor *mask = array(golden, "attn_mask");
    struct tensor *padding = array(golden, "key_padding_mask");
    size_t n_batch = input->query->shape[0];
    if (mask != NULL && mask->n_axes == 3)
        mask =
            reshaped(golden, mask, 4, (size_t[]){n_batch, n_heads, mask->shape[1], mask->shape[2]});
    if (padding != NULL)
        padding = reshaped(golden, padding, 4, (size_t[]){n_batch, 1, 1, padding->shape[1]});
    assert_true(mask == NULL || padding == NULL);
    input->mask = mask != NULL ? mask : padding;
    if (input->mask != NULL)
        input->mask_kind = input->mask->is_bool ? MASK_MASKED_OUT : MASK_ADDITIVE;
}

/* x as (batch, n, d), whichever of the first two axes comes first in the file. */
static struct tensor *batch_first(struct golden *golden, struct tensor *x, bool is_first)
{
    return is_first ? x : swapped(golden, x, 0, 1);
}

/* Compares the gradient of one projection with its third of the stacked ones, or its own array. */
static void compare_mha_projection(struct golden *golden, size_t third, const char *name,
                                   const struct tensor *d_weight, const struct tensor *d_bias)
{
    struct tensor *stacked = array(golden, "grad.in_proj_weight");
    size_t d_model = d_weight->shape[1];
    const struct tensor *want = stacked != NULL ? part(golden, stacked, third * d_model, d_model)
                                                : needed_array(golden, name);
    compare(golden, name, d_weight, turned(golden, want), GRADIENT_TOLERANCE, GRADIENT_TOLERANCE);
    struct tensor *biases = array(golden, "grad.in_proj_bias");
    if (biases != NULL)
        compare(golden, "grad.in_proj_bias", d_bias, part(golden, biases, third * d_model, d_model),
                GRADIENT_TOLERANCE, GRADIENT_TOLERANCE);
}

static void compare_out_projection(struct golden *golden, const struct multihead_gradients *g)
{
    struct tensor *want = array(golden, "grad.out_proj.weight");
    if (want != NULL)
        compare(golden, "grad.out_proj.weight", &g->w_out, turned(golden, want), GRADIENT_TOLERANCE,
                GRADIENT_TOLERANCE);
    if (array(golden, "grad.out_proj.bias") != NULL)
        compare_gradient(golden, "grad.out_proj.bias", &g->b_out);
}

static void compare_mha_gradients(struct golden *golden, const struct multihead *layer,
                                  const struct multihead_input *input, bool is_first)
{
    struct error error;
    struct tensor *d_out = array(golden, "dY");
    if (d_out == NULL)
        return;
    struct multihead_gradients g;
    succeed(
        golden,
        multihead_backward(layer, input, batch_first(golden, d_out, is_first), NULL, &g, &error),
        &error);
    compare_gradient(golden, "d_query", batch_first(golden, &g.query, is_first));
    compare_gradient(golden, "d_key", batch_first(golden, &g.key, is_first));
    compare_gradient(golden, "d_value", batch_first(golden, &g.value, is_first));
    compare_mha_projection(golden, 0, "grad.q_proj_weight", &g.w_query, &g.b_query);
    compare_mha_projection(golden, 1, "grad.k_proj_weight", &g.w_key, &g.b_key);
    compare_mha_projection(golden, 2, "grad.v_proj_weight", &g.w_value, &g.b_value);
    compare_out_projection(golden, &g);
    multihead_gradients_release(&g);
}

static void run_mha(struct golden *golden)
{
    struct error error;
    bool is_first = attr_count(golden, "batch_first", 0) == 1;
    struct multihead layer = {
        .n_heads = attr_count(golden, "num_heads", 0),
        .w_out = turned(golden, needed_array(golden, "out_proj.weight")),
        .b_out = array(golden, "out_proj.bias"),
    };
    take_projections(golden, &layer);
    struct multihead_input input = {
        .query = batch_first(golden, needed_array(golden, "query"), is_first),
        .key = batch_first(golden, needed_array(golden, "key"), is_first),
        .value = batch_first(golden, needed_array(golden, "value"), is_first),
    };
    take_mha_masks(golden, layer.n_heads, &input);
    attr_text(golden, "self_attention", NULL); /* query, key and value are given all the same */
    struct tensor *out = own(golden), *weights = own(golden);
    succeed(golden, multihead_forward(&layer, &input, NULL, out, weights, &error), &error);
    const struct tensor *want_out = batch_first(golden, needed_array(golden, "Y"), is_first);
    const struct tensor *want_weights = needed_array(golden, "weights");
    /* Choice: a row without a key has weights and context zero, so the layer gives the bias of its
     * output projection; torch gives NaN. */
    if (starts_with(golden, "fullmask")) {
        want_out = without_nan_rows(golden, want_out, layer.b_out);
        want_weights = without_nan_rows(golden, want_weights, NULL);
    }
    compare(golden, "Y", out, want_out, LAYER_TOLERANCE, 0);
    compare(golden, "weights", weights, want_weights, LAYER_TOLERANCE, 0);
    compare_mha_gradients(golden, &layer, &input, is_first);
}

/* torch/multihead: the module that tutorials build. */

/* Turns W where it is stored (d_out, d_in). NULL stays NULL. */
static struct tensor *by_layout(struct golden *golden, struct tensor *weight)
{
    bool is_turned = strcmp(attr_text(golden, "weight_layout", "?"), "out_in") == 0;
    return is_turned ? turned(golden, weight) : weight;
}

static void compare_weight_gradient(struct golden *golden, const char *name,
                                    const struct tensor *got)
{
    compare(golden, name, got, by_layout(golden, needed_array(golden, name)), GRADIENT_TOLERANCE,
            GRADIENT_TOLERANCE);
}

/* The gradient of x, which is query, key and value at once. */
static void compare_d_x(struct golden *golden, const struct multihead_gradients *g)
{
    struct error error;
    struct tensor *sum = own(golden);
    succeed(golden, tensor_copy(&g->query, sum, &error), &error);
    size_t size = tensor_size(sum);
    for (size_t at = 0; at < size; at++)
        sum->data[at] += g->key.data[at] + g->value.data[at];
    compare_gradient(golden, "dx", sum);
}

static void compare_multihead_gradients(struct golden *golden, const struct multihead *layer,
                                        const struct multihead_input *input)
{
    struct error error;
    struct multihead_gradients g;
    succeed(golden, multihead_backward(layer, input, needed_array(golden, "dY"), NULL, &g, &error),
            &error);
    compare_d_x(golden, &g);
    compare_weight_gradient(golden, "grad.W_query.weight", &g.w_query);
    compare_weight_gradient(golden, "grad.W_key.weight", &g.w_key);
    compare_weight_gradient(golden, "grad.W_value.weight", &g.w_value);
    if (layer->b_query != NULL) {
        compare_gradient(golden, "grad.W_query.bias", &g.b_query);
        compare_gradient(golden, "grad.W_key.bias", &g.b_key);
        compare_gradient(golden, "grad.W_value.bias", &g.b_value);
    }
    compare_out_projection(golden, &g);
    multihead_gradients_release(&g);
}

/* A layer of one head without biases is also what self_attention_forward() computes. */
static void compare_single_head(struct golden *golden, const struct multihead *layer,
                                const struct tensor *x)
{
    struct error error;
    if (layer->n_heads != 1 || layer->b_query != NULL || layer->b_out != NULL)
        return;
    struct self_attention head = {
        .w_query = layer->w_query,
        .w_key = layer->w_key,
        .w_value = layer->w_value,
        .w_out = layer->w_out,
        .causal = layer->causal,
    };
    struct tensor *out = own(golden);
    succeed(golden, self_attention_forward(&head, x, NULL, out, NULL, &error), &error);
    compare(golden, "Y of a single head", out, needed_array(golden, "Y"), LAYER_TOLERANCE, 0);
}

static void run_multihead(struct golden *golden)
{
    struct error error;
    struct multihead layer = {
        .n_heads = attr_count(golden, "num_heads", 0),
        .w_query = by_layout(golden, needed_array(golden, "W_query.weight")),
        .w_key = by_layout(golden, needed_array(golden, "W_key.weight")),
        .w_value = by_layout(golden, needed_array(golden, "W_value.weight")),
        .b_query = array(golden, "W_query.bias"),
        .b_key = array(golden, "W_key.bias"),
        .b_value = array(golden, "W_value.bias"),
        .w_out = turned(golden, array(golden, "out_proj.weight")),
        .b_out = array(golden, "out_proj.bias"),
        .causal = attr_count(golden, "is_causal", 0) == 1,
        .context_length = attr_count(golden, "context_length", 0),
    };
    assert_int_equal(attr_count(golden, "qkv_bias", 0), layer.b_query != NULL);
    assert_int_equal(attr_count(golden, "out_proj", 0), layer.w_out != NULL);
    assert_int_equal(attr_count(golden, "d_in", 0), layer.w_query->shape[0]);
    assert_int_equal(attr_count(golden, "d_out", 0), layer.w_query->shape[1]);
    struct tensor *x = needed_array(golden, "x");
    struct multihead_input input = {.query = x, .key = x, .value = x};
    struct tensor *out = own(golden), *weights = own(golden);
    succeed(golden, multihead_forward(&layer, &input, NULL, out, weights, &error), &error);
    compare(golden, "Y", out, needed_array(golden, "Y"), LAYER_TOLERANCE, 0);
    compare(golden, "weights", weights, needed_array(golden, "weights"), LAYER_TOLERANCE, 0);
    compare_single_head(golden, &layer, x);
    compare_multihead_gradients(golden, &layer, &input);
}

/* torch/softmax */

static void run_softmax(struct golden *golden)
{
    struct error error;
    struct tensor *x = needed_array(golden, "x");
    struct tensor *want = needed_array(golden, "Y");
    ptrdiff_t dim = (ptrdiff_t)attr_number(golden, "dim", 0);
    struct tensor *y = own(golden);
    succeed(golden, softmax_forward(x, dim, y, &error), &error);
    compare(golden, "Y", y, want, SOFTMAX_TOLERANCE, 0);
    if (starts_with(golden, "neginf")) {
        /* Choice: what attention uses gives zeros where softmax gives NaN for a row of -inf. */
        struct tensor *weights = own(golden);
        bool whole_rows = starts_with(golden, "neginf_all");
        succeed(golden, softmax_weights(x, dim, weights, &error), &error);
        compare(golden, "weights", weights,
                whole_rows ? without_nan_rows(golden, want, NULL) : want, SOFTMAX_TOLERANCE, 0);
    }
    struct tensor *d_y = array(golden, "dY");
    if (d_y == NULL)
        return;
    struct tensor *d_x = own(golden);
    succeed(golden, softmax_backward(y, d_y, dim, d_x, &error), &error);
    compare_gradient(golden, "dx", d_x);
}

/* All folders. */

static const char *golden_root(void)
{
    const char *root = getenv("ATTN_TEST_GOLDEN");
    return root != NULL ? root : "tests/golden";
}

/* Runs every case of a family; at_least is how many the data has had since it was first copied. */
static void run_family(const char *family, void (*run)(struct golden *), size_t at_least)
{
    static struct golden golden; /* too large for some stacks */
    char folder[MAX_PATH], path[MAX_PATH];
    join_path(folder, golden_root(), family);
    DIR *dir = opendir(folder);
    if (dir == NULL)
        fail_msg("%s: can't be opened; set ATTN_TEST_GOLDEN to the golden data", folder);
    size_t n_cases = 0, n_wrong = 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        join_path(path, folder, entry->d_name);
        golden_read(&golden, path, entry->d_name);
        run(&golden);
        check_all_used(&golden);
        n_cases++;
        n_wrong += golden.n_wrong > 0;
        golden_release(&golden);
    }
    closedir(dir);
    print_message("%s: %zu cases run, %zu wrong\n", family, n_cases, n_wrong);
    assert_int_equal(n_wrong, 0);
    assert_true(n_cases >= at_least);
}

static void test_golden__onnx_attention(void **state)
{
    (void)state;
    run_family("onnx", run_onnx, 98);
}

static void test_golden__torch_sdpa(void **state)
{
    (void)state;
    run_family("torch/sdpa", run_sdpa, 72);
}

static void test_golden__torch_mha(void **state)
{
    (void)state;
    run_family("torch/mha", run_mha, 11);
}

static void test_golden__torch_multihead(void **state)
{
    (void)state;
    run_family("torch/multihead", run_multihead, 11);
}

static void test_golden__torch_softmax(void **state)
{
    (void)state;
    run_family("torch/softmax", run_softmax, 12);
}

/* A new folder beside the known families must not go unnoticed. */
static void test_golden__no_unknown_family(void **state)
{
    (void)state;
    static const char *const known[] = {"sdpa", "mha", "multihead", "softmax",
                                        /* through the language, in its own tests: */
                                        "embedding", "gelu", "layernorm"};
    char folder[MAX_PATH];
    join_path(folder, golden_root(), "torch");
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        bool found = entry->d_name[0] == '.';
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            found = found || strcmp(entry->d_name, known[i]) == 0;
        if (!found)
            fail_msg("torch/%s: nobody tests it", entry->d_name);
    }
    closedir(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden__onnx_attention),
        cmocka_unit_test(test_golden__torch_sdpa),
        cmocka_unit_test(test_golden__torch_mha),
        cmocka_unit_test(test_golden__torch_multihead),
        cmocka_unit_test(test_golden__torch_softmax),
        cmocka_unit_test(test_golden__no_unknown_family),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
