/* Functions that make new tensors: constants, random numbers, words, files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "files/npy.h"
#include "graph/node.h"
#include "lang/builtins/builtin.h"
#include "lang/builtins/builtin_internal.h"
#include "lang/builtins/call_internal.h"
#include "lang/builtins/embeddings.h"
#include "lang/builtins/model_value.h"
#include "lang/builtins/notes.h"
#include "model/model.h"
#include "show/labels.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

static bool filled(struct call *call, float number, struct value *ret)
{
    size_t shape[TENSOR_MAX_AXES];
    unsigned n;
    struct tensor value;
    return arg_shape(call, call->rest, call->n_rest, shape, &n) &&
           tensor_full(n, shape, number, &value, call->reterr) && call_input(call, &value, ret);
}

RUN_WITH(zeros, filled, 0)
RUN_WITH(ones, filled, 1)

static bool filled_like(struct call *call, float number, struct value *ret)
{
    struct node *x = arg_node(call, 0);
    struct tensor value;
    if (x == NULL || !tensor_full(x->value.n_axes, x->value.shape, number, &value, call->reterr) ||
        !call_input(call, &value, ret))
        return false;
    for (unsigned axis = 0; axis < x->value.n_axes; axis++)
        node_set_labels(ret->as.node, axis, x->labels[axis]);
    return true;
}

RUN_WITH(zeros_like, filled_like, 0)
RUN_WITH(ones_like, filled_like, 1)

static bool run_full(struct call *call, struct value *ret)
{
    size_t shape[TENSOR_MAX_AXES];
    unsigned n;
    double number;
    struct tensor value;
    return arg_shape(call, &call->args[0], 1, shape, &n) && arg_number(call, 1, 0, &number) &&
           tensor_full(n, shape, (float)number, &value, call->reterr) &&
           call_input(call, &value, ret);
}

static bool run_eye(struct call *call, struct value *ret)
{
    size_t shape[2];
    struct tensor value;
    if (!arg_size(call, 0, 0, &shape[0]) || !arg_size(call, 1, shape[0], &shape[1]) ||
        !tensor_zeros(2, shape, &value, call->reterr))
        return false;
    for (size_t i = 0; i < shape[0] && i < shape[1]; i++)
        value.data[i * shape[1] + i] = 1;
    return call_input(call, &value, ret);
}

/* arange(stop), arange(start, stop), arange(start, stop, step) */
static bool run_arange(struct call *call, struct value *ret)
{
    double start, stop, step;
    if (!arg_number(call, 0, 0, &start) || !arg_number(call, 1, 0, &stop) ||
        !arg_number(call, 2, 1, &step))
        return false;
    if (!arg_given(call, 1)) {
        stop = start;
        start = 0;
    }
    double count = ceil((stop - start) / step);
    if (step == 0 || !isfinite(count))
        return error_set(call->reterr, ERR_RANGE,
                         "arange: start, stop and step must be finite, and step not 0");
    if (count > (double)TENSOR_MAX_SIZE)
        return error_set(call->reterr, ERR_LIMIT,
                         "arange: that is %.3g numbers, and a tensor holds at most %zu", count,
                         (size_t)TENSOR_MAX_SIZE);
    size_t n = count > 0 ? (size_t)count : 0;
    struct tensor value;
    if (!tensor_zeros(1, &n, &value, call->reterr))
        return false;
    for (size_t i = 0; i < n; i++)
        value.data[i] = (float)(start + (double)i * step);
    return call_input(call, &value, ret);
}

/* range(stop), range(start, stop, step): whole numbers, as in Python. */
static bool run_range(struct call *call, struct value *ret)
{
    enum { WHOLE = 1 << 24 }; /* up to here float32 has every whole number */
    ptrdiff_t start, stop, step;
    struct tensor value;
    if (!arg_whole(call, 0, 0, &start) || !arg_whole(call, 1, 0, &stop) ||
        !arg_whole(call, 2, 1, &step))
        return false;
    if (!arg_given(call, 1)) {
        stop = start;
        start = 0;
    }
    if (step == 0)
        return error_set(call->reterr, ERR_RANGE, "range: a step of 0 gets nowhere");
    if (start < -WHOLE || start > WHOLE || stop < -WHOLE || stop > WHOLE)
        return error_set(call->reterr, ERR_RANGE,
                         "range: start and stop must lie within 16777216 of 0");
    ptrdiff_t way = step > 0 ? stop - start : start - stop, stride = step > 0 ? step : -step;
    size_t n = way > 0 ? (size_t)((way - 1) / stride + 1) : 0;
    if (!tensor_zeros(1, &n, &value, call->reterr))
        return false;
    for (size_t i = 0; i < n; i++)
        value.data[i] = (float)(start + (ptrdiff_t)i * step);
    return call_input(call, &value, ret);
}

static bool run_linspace(struct call *call, struct value *ret)
{
    double start, end;
    size_t n;
    struct tensor value;
    if (!arg_number(call, 0, 0, &start) || !arg_number(call, 1, 0, &end) ||
        !arg_size(call, 2, 0, &n) || !tensor_zeros(1, &n, &value, call->reterr))
        return false;
    for (size_t i = 0; i < n; i++)
        value.data[i] =
            (float)(n == 1 ? start : start + (end - start) * (double)i / (double)(n - 1));
    return call_input(call, &value, ret);
}

typedef void draw(struct random *random, size_t count, float *numbers);

static bool drawn(struct call *call, draw *draw_numbers, struct value *ret)
{
    size_t shape[TENSOR_MAX_AXES];
    unsigned n;
    struct tensor value;
    if (!arg_shape(call, call->rest, call->n_rest, shape, &n) ||
        !tensor_zeros(n, shape, &value, call->reterr))
        return false;
    draw_numbers(call_random(call), tensor_size(&value), value.data);
    return call_input(call, &value, ret);
}

RUN_WITH(rand, drawn, random_uniform)
RUN_WITH(randn, drawn, random_normal)

/* randint(high, size) is randint(0, high, size), as in PyTorch: moves the arguments to their
 * places.
 */
static bool place_high_and_size(struct call *call)
{
    struct value *args = call->args;
    if (args[2].kind == VALUE_ABSENT) {
        args[2] = args[1];
        args[1] = (struct value){.kind = VALUE_ABSENT};
    }
    if (args[1].kind == VALUE_ABSENT) {
        args[1] = args[0];
        args[0] = (struct value){.kind = VALUE_ABSENT};
    }
    return (args[1].kind != VALUE_ABSENT && args[2].kind != VALUE_ABSENT) ||
           error_set(call->reterr, ERR_TYPE,
                     "randint: high or size is missing; write randint(0, 10, (3,))");
}

static bool run_randint(struct call *call, struct value *ret)
{
    ptrdiff_t low, high;
    size_t shape[TENSOR_MAX_AXES];
    unsigned n;
    struct tensor value;
    if (!place_high_and_size(call) || !arg_whole(call, 0, 0, &low) ||
        !arg_whole(call, 1, 0, &high) || !arg_shape(call, &call->args[2], 1, shape, &n))
        return false;
    if (low >= high || low < -16777216 || high > 16777216)
        return error_set(call->reterr, ERR_RANGE,
                         "randint: low must be below high, both within 16777216 of 0");
    if (!tensor_zeros(n, shape, &value, call->reterr))
        return false;
    struct random *random = call_random(call);
    for (size_t i = 0, size = tensor_size(&value); i < size; i++)
        value.data[i] = (float)(low + (ptrdiff_t)random_below(random, (uint32_t)(high - low)));
    return call_input(call, &value, ret);
}

static bool run_manual_seed(struct call *call, struct value *ret)
{
    ptrdiff_t seed;
    if (!arg_whole(call, 0, 0, &seed))
        return false;
    if (seed < 0 || seed > 16777216)
        return error_set(call->reterr, ERR_RANGE,
                         "manual_seed: a seed is a whole number from 0 to 16777216");
    random_seed(call_random(call), (uint32_t)seed);
    ret->kind = VALUE_NONE;
    return true;
}

static bool run_array(struct call *call, struct value *ret)
{
    return call_result(call, arg_node(call, 0), ret);
}

/* ---- words ---- */

static bool load_embeddings(struct call *call)
{
    const struct call_context *context = call->context;
    char path[4096];
    if (*context->embeddings != NULL)
        return true;
    if (context->data_dir == NULL)
        return error_set(call->reterr, ERR_FILE,
                         "embed: attn's assets are not found; set ATTN_DATA_DIR to their folder");
    snprintf(path, sizeof path, "%s/assets/embeddings.txt", context->data_dir);
    return embeddings_load(path, context->embeddings, call->reterr);
}

/* Counts the words of a sentence and, where words is not NULL, points at them. */
static size_t split_words(const struct string *text, const char **words, size_t *sizes)
{
    size_t at = 0, n = 0, size;
    const char *word;
    while ((size = embeddings_next_word(text->bytes, text->size, &at, &word)) > 0) {
        if (words != NULL) {
            words[n] = word;
            sizes[n] = size;
        }
        n++;
    }
    return n;
}

static bool words_of(struct call *call, const struct string *text, struct labels **ret)
{
    size_t n = split_words(text, NULL, NULL);
    if (n == 0)
        return error_set(call->reterr, ERR_TYPE, "%s: there is no word in this text",
                         call->builtin->name);
    const char **words = malloc(n * sizeof *words);
    size_t *sizes = malloc(n * sizeof *sizes);
    bool ok = words != NULL && sizes != NULL;
    if (ok) {
        split_words(text, words, sizes);
        ok = labels_new(n, words, sizes, ret, call->reterr);
    } else {
        error_memory(call->reterr, call->builtin->name);
    }
    free(words);
    free(sizes);
    return ok;
}

/* A vector for a word that is not in the table: drawn from its spelling, so always the same. */
static void make_up(const char *word, float *vector)
{
    struct random random;
    uint32_t seed = 2166136261U; /* FNV-1a */
    for (const char *c = word; *c != '\0'; c++)
        seed = (seed ^ (unsigned char)*c) * 16777619U;
    random_seed(&random, seed);
    random_uniform(&random, EMBEDDING_DIM, vector);
}

enum { MADE_UP_NAMED = 8 }; /* words without an embedding that are told by name */

static void note_made_up(struct call *call, struct text *made_up, size_t n)
{
    if (n > MADE_UP_NAMED)
        text_format(made_up, " and %zu more", n - MADE_UP_NAMED);
    struct text *notes = call->context->notes;
    notes->failed = notes->failed || made_up->failed;
    if (n > 0)
        notes_add(call->context->notes,
                  "note: %s %s not in attn's table of embeddings: %s a made-up vector, the same "
                  "every time",
                  text_string(made_up), n == 1 ? "is" : "are", n == 1 ? "it gets" : "each gets");
}

static void fill_vectors(struct call *call, const struct labels *words, float *numbers)
{
    struct text made_up = {0};
    size_t n_made_up = 0;
    for (size_t i = 0; i < labels_count(words); i++) {
        const char *word = labels_name(words, i);
        const float *known = embeddings_find(*call->context->embeddings, word, strlen(word));
        float *vector = numbers + i * EMBEDDING_DIM;
        if (known != NULL) {
            memcpy(vector, known, EMBEDDING_DIM * sizeof *vector);
            continue;
        }
        make_up(word, vector);
        if (n_made_up++ < MADE_UP_NAMED)
            text_format(&made_up, "%s\"%s\"", n_made_up > 1 ? ", " : "", word);
    }
    note_made_up(call, &made_up, n_made_up);
    text_release(&made_up);
}

static bool run_embed(struct call *call, struct value *ret)
{
    const struct string *text;
    struct labels *words;
    struct tensor value;
    if (!arg_text(call, 0, &text) || !load_embeddings(call) || !words_of(call, text, &words))
        return false;
    bool ok = tensor_zeros(2, (size_t[]){labels_count(words), EMBEDDING_DIM}, &value, call->reterr);
    if (ok) {
        fill_vectors(call, words, value.data);
        ok = call_input(call, &value, ret);
    }
    if (ok)
        node_set_labels(ret->as.node, 0, words);
    labels_free(words);
    return ok;
}

static bool run_tokens(struct call *call, struct value *ret)
{
    const struct string *text;
    struct labels *words;
    if (!arg_text(call, 0, &text) || !words_of(call, text, &words))
        return false;
    bool ok = value_labels(words, ret, call->reterr);
    labels_free(words);
    return ok;
}

/* ---- files ---- */

static bool run_load(struct call *call, struct value *ret)
{
    const struct string *path;
    struct tensor value;
    return settings_allow_files(call->context->settings, "load", call->reterr) &&
           arg_text(call, 0, &path) && npy_load(path->bytes, &value, call->reterr) &&
           call_input(call, &value, ret);
}

/* A tensor to a file, a model to a folder. */
static bool run_save(struct call *call, struct value *ret)
{
    const struct string *path;
    if (!settings_allow_files(call->context->settings, "save", call->reterr) ||
        !arg_text(call, 0, &path))
        return false;
    struct model *model = value_as_model(&call->args[1]);
    struct node *x = model == NULL ? arg_node(call, 1) : NULL;
    bool saves = !call->context->settings->no_saves;
    if (model != NULL && saves && !model_save(model, path->bytes, call->reterr))
        return false;
    if (model == NULL && (x == NULL || (saves && !npy_save(path->bytes, &x->value, call->reterr))))
        return false;
    ret->kind = VALUE_NONE;
    return true;
}

#define MAKE "making tensors"

const struct builtin builtins_make[] = {
    {"embed",
     MAKE,
     {"text"},
     "The words of a text as rows of 3 numbers each, labelled with the words.",
     "X = embed(\"Hello shiny sun!\"); X",
     run_embed},
    {"tokens", MAKE, {"text"}, "The words of a text.", "tokens(\"Hello shiny sun!\")", run_tokens},
    {"zeros", MAKE, {"*size"}, "A tensor of zeros.", "zeros(2, 3)", run_zeros},
    {"ones", MAKE, {"*size"}, "A tensor of ones.", "ones(2, 3)", run_ones},
    {"full",
     MAKE,
     {"size", "fill_value"},
     "A tensor of one number.",
     "full((2, 2), -inf)",
     run_full},
    {"zeros_like",
     MAKE,
     {"input"},
     "Zeros in the shape of another tensor.",
     "zeros_like([[1, 2], [3, 4]])",
     run_zeros_like},
    {"ones_like",
     MAKE,
     {"input"},
     "Ones in the shape of another tensor.",
     "ones_like([1, 2, 3])",
     run_ones_like},
    {"eye", MAKE, {"n", "m=None"}, "Ones on the diagonal, zeros elsewhere.", "eye(3)", run_eye},
    {"arange",
     MAKE,
     {"start", "end=None", "step=1"},
     "0, 1, 2, ... up to, not with, the end.",
     "arange(5)",
     run_arange},
    {"range",
     MAKE,
     {"start", "stop=None", "step=1"},
     "Whole numbers for a loop: range(3) is 0, 1, 2; range(1, 4) is 1, 2, 3.",
     "[i * i for i in range(5)]\nx = 1; for i in range(1, 5): x = x * i; x",
     run_range},
    {"linspace",
     MAKE,
     {"start", "end", "steps"},
     "Evenly spaced numbers, both ends included.",
     "linspace(0, 1, 5)",
     run_linspace},
    {"rand",
     MAKE,
     {"*size"},
     "Random numbers, uniform in [0, 1), as PyTorch draws them.",
     "manual_seed(123); rand(2, 3)",
     run_rand},
    {"randn",
     MAKE,
     {"*size"},
     "Random numbers, normal with mean 0 and variance 1.",
     "manual_seed(0); var(randn(1000))",
     run_randn},
    {"randint",
     MAKE,
     {"low=0", "high=None", "size=None"},
     "Random whole numbers from low up to, not with, high.",
     "manual_seed(0); randint(0, 10, (5,))",
     run_randint},
    {"manual_seed",
     MAKE,
     {"seed"},
     "Restarts the random numbers, the same for the same seed.",
     "manual_seed(42); rand(3)",
     run_manual_seed},
    {"array",
     MAKE,
     {"data"},
     "A list as a tensor; lists of typed numbers are tensors already.",
     "array([[1, 2], [3, 4]])",
     run_array},
    {"load",
     MAKE,
     {"path"},
     "Reads a tensor from numpy's .npy format.",
     "save(\"x.npy\", [1, 2, 3]); load(\"x.npy\")",
     run_load},
    {"save",
     MAKE,
     {"path", "input"},
     "Writes a tensor in numpy's .npy format, or a model as a folder.",
     "save(\"x.npy\", eye(2)); load(\"x.npy\")",
     run_save},
};
const size_t n_builtins_make = COUNT_OF(builtins_make);
