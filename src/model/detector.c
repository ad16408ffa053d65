/* See detector.h. */
#include "model/detector.h"

#include <math.h>
#include <stdlib.h>
#include <utf8proc.h>

#include "files/tokenizer.h"
#include "graph/node.h"
#include "model/pattern.h"
#include "model/run.h"
#include "tensor/tensor.h"

const char *detector_name(enum detector detector)
{
    static const char *const names[DETECTORS] = {"previous",    "current",   "first",
                                                 "duplicate",   "induction", "same word",
                                                 "punctuation", "uniform"};
    return names[detector];
}

/* ---- tokens as words ---- */

/* A token without the space before it. */
struct word {
    const utf8proc_uint8_t *bytes; /* NULL: a model without vocabulary */
    size_t size;
};

static struct word word_of(const struct run *run, size_t i)
{
    size_t size = 0;
    const struct tokenizer *tokenizer = run->model->tokenizer;
    uint32_t id = (uint32_t)tensor_at_position(&run->ids->value, i);
    const char *bytes = tokenizer != NULL ? tokenizer_token(tokenizer, id, &size) : NULL;
    while (bytes != NULL && size > 0 && *bytes == ' ') {
        bytes++;
        size--;
    }
    return (struct word){(const utf8proc_uint8_t *)bytes, size};
}

/* The next letter as a small one, taken off the word; -1 at its end or where it is none. */
static utf8proc_int32_t next_letter(struct word *word)
{
    utf8proc_int32_t letter = -1;
    if (word->size == 0)
        return -1;
    utf8proc_ssize_t size = utf8proc_iterate(word->bytes, (utf8proc_ssize_t)word->size, &letter);
    if (size <= 0)
        return -1;
    word->bytes += size;
    word->size -= (size_t)size;
    return utf8proc_tolower(letter);
}

static bool is_sign(utf8proc_int32_t letter)
{
    utf8proc_category_t category = utf8proc_category(letter);
    return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_SO;
}

/* Signs alone, one at least. */
static bool is_punctuation(struct word word)
{
    if (word.bytes == NULL || word.size == 0)
        return false;
    while (word.size > 0) {
        utf8proc_int32_t letter = next_letter(&word);
        if (letter < 0 || !is_sign(letter))
            return false;
    }
    return true;
}

/* The same letters, one at least, and no signs alone. */
static bool is_same_word(struct word a, struct word b)
{
    if (a.bytes == NULL || a.size == 0 || is_punctuation(a))
        return false;
    while (a.size > 0 && b.size > 0) {
        utf8proc_int32_t letter = next_letter(&a);
        if (letter < 0 || letter != next_letter(&b))
            return false;
    }
    return a.size == b.size;
}

/* ---- patterns ---- */

static bool same_token(const struct run *run, size_t i, size_t j)
{
    return tensor_at_position(&run->ids->value, i) == tensor_at_position(&run->ids->value, j);
}

static bool belongs(const struct run *run, const struct detection *detection, size_t q, size_t k)
{
    switch (detection->detector) {
    case DETECT_PREVIOUS:
        return k + 1 == q;
    case DETECT_CURRENT:
        return k == q;
    case DETECT_FIRST:
        return k == 0;
    case DETECT_DUPLICATE:
        return k < q && same_token(run, q, k);
    case DETECT_INDUCTION:
        return detection->period > 0 ? q + 1 == k + detection->period
                                     : k > 0 && k <= q && same_token(run, q, k - 1);
    case DETECT_SAME_WORD:
        return k < q && is_same_word(word_of(run, q), word_of(run, k));
    case DETECT_PUNCTUATION:
        return k < q && is_punctuation(word_of(run, k));
    default:
        return k <= q;
    }
}

bool detector_pattern(const struct run *run, const struct detection *detection, struct tensor *ret,
                      struct error *reterr)
{
    size_t n = run_length(run);
    if (!run_check_one_text(run, reterr) || !tensor_empty(2, (size_t[]){n, n}, ret, reterr))
        return false;
    for (size_t q = 0; q < n; q++)
        for (size_t k = 0; k < n; k++)
            ret->data[q * n + k] = belongs(run, detection, q, k);
    ret->is_bool = true;
    return true;
}

/* ---- measures ---- */

/* Of the weights and the pattern of one head, n x n. */
static double stripe(const float *weights, const float *pattern, size_t n)
{
    double sum = 0;
    size_t n_rows = 0;
    for (size_t q = 0; q < n; q++) {
        bool has_place = false;
        for (size_t k = 0; k < n; k++) {
            has_place = has_place || pattern[q * n + k] != 0;
            sum += (double)weights[q * n + k] * (double)pattern[q * n + k];
        }
        n_rows += has_place;
    }
    return n_rows > 0 ? sum / (double)n_rows : (double)NAN;
}

static double mul(const float *weights, const float *pattern, size_t n)
{
    double on = 0, all = 0;
    for (size_t i = 0; i < n * n; i++) {
        on += (double)weights[i] * (double)pattern[i];
        all += (double)weights[i];
    }
    return all > 0 ? on / all : (double)NAN;
}

static double evenness(const float *weights, size_t n, bool is_causal)
{
    double sum = 0;
    size_t n_rows = 0;
    for (size_t q = 0; q < n; q++) {
        size_t m = is_causal ? q + 1 : n;
        double entropy = 0;
        for (size_t k = 0; k < n; k++) {
            double a = (double)weights[q * n + k];
            entropy -= a != 0 ? a * log(a) : 0; /* NaN stays NaN */
        }
        if (m < 2)
            continue;
        sum += entropy / log((double)m);
        n_rows++;
    }
    return n_rows > 0 ? sum / (double)n_rows : (double)NAN;
}

static double measured(const struct run *run, const struct detection *detection,
                       const float *weights, const float *pattern)
{
    size_t n = run_length(run);
    if (detection->detector == DETECT_UNIFORM)
        return evenness(weights, n, run->model->config.is_causal);
    return detection->measure == MEASURE_MUL ? mul(weights, pattern, n)
                                             : stripe(weights, pattern, n);
}

bool detector_layer_scores(struct run *run, const struct detection *detection, size_t layer,
                           const struct tensor *pattern, float *ret, struct error *reterr)
{
    size_t n = run_length(run);
    struct tensor weights, dense;
    if (!pattern_of_layer(run, layer, &weights, reterr))
        return false;
    bool ok = tensor_dense(&weights, &dense, reterr);
    tensor_release(&weights);
    if (!ok)
        return false;
    for (size_t head = 0; head < run->model->config.n_heads; head++)
        ret[head] = (float)measured(run, detection, dense.data + head * n * n, pattern->data);
    tensor_release(&dense);
    return true;
}

bool detector_scores(struct run *run, const struct detection *detection, struct tensor *ret,
                     struct error *reterr)
{
    size_t n_layers = run->model->config.n_layers, n_heads = run->model->config.n_heads;
    struct tensor pattern, scores;
    if (!detector_pattern(run, detection, &pattern, reterr))
        return false;
    bool made = tensor_empty(2, (size_t[]){n_layers, n_heads}, &scores, reterr), ok = made;
    for (size_t layer = 0; ok && layer < n_layers; layer++)
        ok = detector_layer_scores(run, detection, layer, &pattern, scores.data + layer * n_heads,
                                   reterr);
    tensor_release(&pattern);
    if (ok)
        *ret = scores;
    else if (made)
        tensor_release(&scores);
    return ok;
}
