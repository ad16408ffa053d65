/* A key-value cache: see kv_cache.h. */
#include "attention/kv_cache.h"

#include <stdint.h>
#include <string.h>

static bool new_rows(unsigned n_lead, const size_t *lead, size_t capacity, size_t width,
                     struct tensor *ret, struct error *reterr)
{
    size_t shape[TENSOR_MAX_AXES];
    if (n_lead + 2 > TENSOR_MAX_AXES)
        return error_set(reterr, ERR_LIMIT, "key-value cache: at most %d leading axes",
                         TENSOR_MAX_AXES - 2);
    for (unsigned axis = 0; axis < n_lead; axis++)
        shape[axis] = lead[axis];
    shape[n_lead] = capacity;
    shape[n_lead + 1] = width;
    return tensor_zeros(n_lead + 2, shape, ret, reterr);
}

bool kv_cache_init(struct kv_cache *cache, unsigned n_lead, const size_t *lead, size_t capacity,
                   size_t d_k, size_t d_v, struct error *reterr)
{
    struct kv_cache made = {.capacity = capacity};
    bool ok = new_rows(n_lead, lead, capacity, d_k, &made.key, reterr) &&
              new_rows(n_lead, lead, capacity, d_v, &made.value, reterr);
    if (ok)
        *cache = made;
    else
        kv_cache_release(&made);
    return ok;
}

void kv_cache_release(struct kv_cache *cache)
{
    if (cache == NULL)
        return;
    tensor_release(&cache->key);
    tensor_release(&cache->value);
    *cache = (struct kv_cache){0};
}

/* x has the shape of the cache's tensor, with n_new rows. */
static bool check_rows(const struct tensor *cached, const struct tensor *x, size_t n_new,
                       const char *name, struct error *reterr)
{
    struct tensor needed = *cached;
    needed.shape[needed.n_axes - 2] = n_new;
    if (tensor_same_shape(x, &needed))
        return true;
    char left[TENSOR_SHAPE_TEXT], right[TENSOR_SHAPE_TEXT];
    return error_set(reterr, ERR_SHAPE, "key-value cache: the new %s is %s; here it must be %s",
                     name, tensor_shape_text(x, left), tensor_shape_text(&needed, right));
}

static bool check_append(const struct kv_cache *cache, const struct tensor *key,
                         const struct tensor *value, struct error *reterr)
{
    size_t n_new = key->n_axes >= 2 ? key->shape[key->n_axes - 2] : 0;
    if (!check_rows(&cache->key, key, n_new, "key", reterr) ||
        !check_rows(&cache->value, value, n_new, "value", reterr))
        return false;
    if (n_new <= cache->capacity - cache->length)
        return true;
    return error_set(reterr, ERR_LIMIT,
                     "key-value cache: it holds %zu of at most %zu rows, and %zu more do not fit; "
                     "make it larger",
                     cache->length, cache->capacity, n_new);
}

/* Copies the rows of the dense tensor x into cached, from row `at` on, matrix by matrix. */
static void copy_rows(const struct tensor *x, struct tensor *cached, size_t at)
{
    size_t width = x->shape[x->n_axes - 1];
    size_t n_new = x->shape[x->n_axes - 2];
    size_t capacity = cached->shape[cached->n_axes - 2];
    size_t n_numbers = n_new * width;
    size_t size = tensor_size(x);
    for (size_t from = 0, matrix = 0; from < size; from += n_numbers, matrix++)
        memcpy(cached->data + (matrix * capacity + at) * width, x->data + from,
               n_numbers * sizeof *x->data);
}

bool kv_cache_append(struct kv_cache *cache, const struct tensor *key, const struct tensor *value,
                     struct error *reterr)
{
    struct tensor dense_key = {0}, dense_value = {0};
    bool ok = check_append(cache, key, value, reterr) && tensor_dense(key, &dense_key, reterr) &&
              tensor_dense(value, &dense_value, reterr);
    if (ok) {
        copy_rows(&dense_key, &cache->key, cache->length);
        copy_rows(&dense_value, &cache->value, cache->length);
        cache->length += key->shape[key->n_axes - 2];
    }
    tensor_release(&dense_key);
    tensor_release(&dense_value);
    return ok;
}

bool kv_cache_view(const struct kv_cache *cache, struct tensor *ret_key, struct tensor *ret_value,
                   struct error *reterr)
{
    unsigned rows = cache->key.n_axes - 2;
    struct tensor key;
    if (!tensor_slice(&cache->key, rows, 0, cache->length, 1, &key, reterr))
        return false;
    if (!tensor_slice(&cache->value, rows, 0, cache->length, 1, ret_value, reterr)) {
        tensor_release(&key);
        return false;
    }
    *ret_key = key;
    return true;
}

/* Attends to all rows in the cache, of which the first n_past are not new. */
static bool attend_to_all(const struct kv_cache *cache, size_t n_past,
                          const struct attention_input *input, const volatile sig_atomic_t *stop,
                          struct tensor *ret_context, struct tensor *ret_weights,
                          struct error *reterr)
{
    struct tensor key, value;
    if (!kv_cache_view(cache, &key, &value, reterr))
        return false;
    struct attention_input whole = *input;
    whole.key = &key;
    whole.value = &value;
    if (whole.causal_offset < PTRDIFF_MAX - (ptrdiff_t)n_past) /* else every key is open already */
        whole.causal_offset += (ptrdiff_t)n_past;
    bool ok = attention_forward(&whole, stop, ret_context, ret_weights, reterr);
    tensor_release(&key);
    tensor_release(&value);
    return ok;
}

bool kv_cache_attend(struct kv_cache *cache, const struct attention_input *input,
                     const volatile sig_atomic_t *stop, struct tensor *ret_context,
                     struct tensor *ret_weights, struct error *reterr)
{
    size_t n_past = cache->length;
    if (!kv_cache_append(cache, input->key, input->value, reterr))
        return false;
    bool ok = attend_to_all(cache, n_past, input, stop, ret_context, ret_weights, reterr);
    if (!ok)
        cache->length = n_past;
    return ok;
}
