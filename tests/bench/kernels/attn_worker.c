/* libattn as its users meet it: the public functions, results made anew by every call. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention.h"
#include "attention/softmax.h"
#include "base/kept_memory.h"
#include "tensor/elementwise.h"
#include "tensor/matmul.h"
#include "tensor/reduce.h"
#include "worker.h"

static void give_up(const struct error *error)
{
    fprintf(stderr, "attn_worker: %s\n", error->text);
    exit(1);
}

static struct tensor filled(unsigned n_axes, const size_t *shape, unsigned stream)
{
    struct tensor ret;
    struct error error;
    if (!tensor_zeros(n_axes, shape, &ret, &error))
        give_up(&error);
    worker_fill(ret.data, tensor_size(&ret), stream);
    return ret;
}

/* All that any operation here works on. */
struct work {
    struct job *job;
    struct tensor query, key, value, d_context; /* attention; or the operands a, b, c of others */
    struct attention_input input;
    struct tensor context, saved;         /* of the way forward, for the way back */
    struct tensor result;                 /* of the last call */
    struct attention_gradients gradients; /* the same, backwards */
    int code;                             /* which unary, binary or reduction */
    unsigned axes;                        /* that a reduction takes */
    double *precise;                      /* of the reference */
    float *plain;                         /* of the plain loops */
    size_t rows, cols, inner;
};

static void work_release(void *data)
{
    struct work *work = data;
    struct tensor *all[] = {&work->query,   &work->key,   &work->value, &work->d_context,
                            &work->context, &work->saved, &work->result};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tensor_release(all[i]);
    attention_gradients_release(&work->gradients);
    free(work->precise);
    free(work->plain);
    free(work);
}

static struct work *work_new(struct job *job, void (*call)(void *))
{
    struct work *work = calloc(1, sizeof *work);
    if (work == NULL)
        exit(1);
    work->job = job;
    *job = (struct job){.call = call, .release = work_release, .data = work};
    return work;
}

static void show(struct work *work, const struct tensor *result)
{
    work->job->output = result->data;
    work->job->n_output = tensor_size(result);
}

/* ---- attention ---- */

static void forward_call(void *data)
{
    struct work *work = data;
    struct error error;
    tensor_release(&work->result);
    if (!attention_forward(&work->input, NULL, &work->result, NULL, &error))
        give_up(&error);
    show(work, &work->result);
}

static void backward_call(void *data)
{
    struct work *work = data;
    struct error error;
    attention_gradients_release(&work->gradients);
    if (!attention_backward_saved(&work->input, &work->context, &work->saved, &work->d_context,
                                  NULL, &work->gradients, &error))
        give_up(&error);
    show(work, &work->gradients.key);
}

static struct work *attention_new(const struct request *request, struct job *job,
                                  void (*call)(void *))
{
    struct work *work = work_new(job, call);
    size_t heads = request_size(request, "heads", 1), q = request_size(request, "q", 1);
    size_t k = request_size(request, "k", 1), d = request_size(request, "d", 1);
    work->query = filled(4, (size_t[]){1, heads, q, d}, 1);
    work->key = filled(4, (size_t[]){1, heads, k, d}, 2);
    work->value = filled(4, (size_t[]){1, heads, k, d}, 3);
    work->input = (struct attention_input){.query = &work->query,
                                           .key = &work->key,
                                           .value = &work->value,
                                           .causal = request_size(request, "causal", 0) != 0};
    return work;
}

static const char *forward_prepare(const struct request *request, struct job *job)
{
    attention_new(request, job, forward_call);
    return NULL;
}

static const char *backward_prepare(const struct request *request, struct job *job)
{
    struct work *work = attention_new(request, job, backward_call);
    struct error error;
    work->d_context = filled(4, work->query.shape, 4);
    if (!attention_forward_saving(&work->input, NULL, &work->context, &work->saved, &error))
        give_up(&error);
    return NULL;
}

/* ---- what the answer is, in double ---- */

static double dot(const float *a, const float *b, size_t n)
{
    double sum = 0;
    for (size_t c = 0; c < n; c++)
        sum += (double)a[c] * (double)b[c];
    return sum;
}

/* The weights of query i; 0 for the keys that it may not see. */
static void reference_weights(const struct work *work, const float *query, const float *key,
                              size_t i, double *weights)
{
    size_t n_k = work->key.shape[2], d = work->key.shape[3];
    size_t open = work->input.causal && i + 1 < n_k ? i + 1 : n_k;
    double most = -HUGE_VAL, sum = 0;
    for (size_t j = 0; j < open; j++) {
        weights[j] = dot(query, key + j * d, d) / sqrt((double)d);
        most = fmax(most, weights[j]);
    }
    for (size_t j = 0; j < open; j++)
        sum += weights[j] = exp(weights[j] - most);
    for (size_t j = 0; j < n_k; j++)
        weights[j] = j < open ? weights[j] / sum : 0;
}

static void reference_context(const struct work *work, size_t head, size_t i, const double *weights,
                              double *context)
{
    size_t n_k = work->key.shape[2], d = work->key.shape[3];
    const float *value = work->value.data + head * n_k * d;
    double *row = context + (head * work->query.shape[2] + i) * d;
    for (size_t j = 0; j < n_k; j++)
        for (size_t c = 0; c < d; c++)
            row[c] += weights[j] * (double)value[j * d + c];
}

/* What query i adds to the gradient of the keys. */
static void reference_d_key(const struct work *work, size_t head, size_t i, const double *weights,
                            double *d_key)
{
    size_t n_k = work->key.shape[2], d = work->key.shape[3];
    const float *query = work->query.data + (head * work->query.shape[2] + i) * d;
    const float *d_context = work->d_context.data + (head * work->query.shape[2] + i) * d;
    const float *value = work->value.data + head * n_k * d;
    double sum = 0;
    for (size_t j = 0; j < n_k; j++)
        sum += weights[j] * dot(d_context, value + j * d, d);
    for (size_t j = 0; j < n_k; j++) {
        double d_score = weights[j] * (dot(d_context, value + j * d, d) - sum) / sqrt((double)d);
        for (size_t c = 0; c < d; c++)
            d_key[(head * n_k + j) * d + c] += d_score * (double)query[c];
    }
}

static void reference_call(void *data)
{
    struct work *work = data;
    bool backward = work->d_context.data != NULL;
    size_t n_q = work->query.shape[2], n_k = work->key.shape[2], d = work->query.shape[3];
    size_t n_rows = work->query.shape[1] * n_q;
    size_t n = tensor_size(backward ? &work->key : &work->query);
    double *weights = calloc(n_k, sizeof *weights);
    free(work->precise);
    work->precise = calloc(n, sizeof *work->precise);
    if (weights == NULL || work->precise == NULL)
        exit(1);
    for (size_t row = 0; row < n_rows; row++) {
        reference_weights(work, work->query.data + row * d, work->key.data + row / n_q * n_k * d,
                          row % n_q, weights);
        (backward ? reference_d_key : reference_context)(work, row / n_q, row % n_q, weights,
                                                         work->precise);
    }
    free(weights);
    work->job->precise = work->precise;
    work->job->n_output = n;
}

static const char *reference_forward_prepare(const struct request *request, struct job *job)
{
    attention_new(request, job, reference_call);
    return NULL;
}

static const char *reference_backward_prepare(const struct request *request, struct job *job)
{
    struct work *work = attention_new(request, job, reference_call);
    work->d_context = filled(4, work->query.shape, 4);
    return NULL;
}

/* ---- matrix products ---- */

static void matmul_call(void *data)
{
    struct work *work = data;
    struct error error;
    tensor_release(&work->result);
    if (!tensor_matmul(&work->query, &work->key, NULL, &work->result, &error))
        give_up(&error);
    show(work, &work->result);
}

/* (rows, cols); where it is stored the other way round a view of that. */
static struct tensor matrix(size_t rows, size_t cols, bool turned, unsigned stream)
{
    if (!turned)
        return filled(2, (size_t[]){rows, cols}, stream);
    struct tensor stored = filled(2, (size_t[]){cols, rows}, stream);
    struct tensor view = tensor_transpose(&stored, 0, 1);
    tensor_release(&stored);
    return view;
}

static struct work *matmul_new(const struct request *request, struct job *job, void (*call)(void *))
{
    struct work *work = work_new(job, call);
    work->rows = request_size(request, "rows", 1);
    work->cols = request_size(request, "cols", 1);
    work->inner = request_size(request, "inner", 1);
    work->query = matrix(work->rows, work->inner, request_size(request, "ta", 0) != 0, 1);
    work->key = matrix(work->inner, work->cols, request_size(request, "tb", 0) != 0, 2);
    return work;
}

static const char *matmul_prepare(const struct request *request, struct job *job)
{
    matmul_new(request, job, matmul_call);
    return NULL;
}

/* ---- the arithmetic of small calls alone: loops over numbers that lie ready, with sums and
 * exponentials in double as the calls have them ---- */

enum { MOST_COLUMNS = 64 }; /* of a small product */

static void plain_product(const float *a, const float *b, size_t rows, size_t inner, size_t cols,
                          float *c)
{
    double sums[MOST_COLUMNS];
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < cols; j++)
            sums[j] = 0;
        for (size_t p = 0; p < inner; p++)
            for (size_t j = 0; j < cols; j++)
                sums[j] += (double)a[i * inner + p] * (double)b[p * cols + j];
        for (size_t j = 0; j < cols; j++)
            c[i * cols + j] = (float)sums[j];
    }
}

static void plain_matmul_call(void *data)
{
    struct work *work = data;
    plain_product(work->query.data, work->key.data, work->rows, work->inner, work->cols,
                  work->plain);
    work->job->output = work->plain;
    work->job->n_output = work->rows * work->cols;
}

static const char *plain_matmul_prepare(const struct request *request, struct job *job)
{
    struct work *work = matmul_new(request, job, plain_matmul_call);
    work->plain = worker_numbers(work->rows * work->cols, 0);
    return NULL;
}

/* One head. */
static void plain_forward_call(void *data)
{
    struct work *work = data;
    size_t n_q = work->query.shape[2], n_k = work->key.shape[2], d = work->query.shape[3];
    float *weights = work->plain, *context = work->plain + n_q * n_k;
    double scale = 1 / sqrt((double)d), exps[MOST_COLUMNS];
    for (size_t i = 0; i < n_q; i++) {
        float *row = weights + i * n_k, most = -INFINITY;
        double sum = 0;
        for (size_t j = 0; j < n_k; j++) {
            double score = 0;
            for (size_t c = 0; c < d; c++)
                score += (double)work->query.data[i * d + c] * (double)work->key.data[j * d + c];
            row[j] = (float)(score * scale);
            most = row[j] > most ? row[j] : most;
        }
        for (size_t j = 0; j < n_k; j++)
            sum += exps[j] = exp((double)row[j] - (double)most);
        for (size_t j = 0; j < n_k; j++)
            row[j] = (float)(exps[j] / sum);
    }
    plain_product(weights, work->value.data, n_q, n_k, d, context);
    work->job->output = context;
    work->job->n_output = n_q * d;
}

static const char *plain_forward_prepare(const struct request *request, struct job *job)
{
    struct work *work = attention_new(request, job, plain_forward_call);
    size_t n_q = work->query.shape[2], n_k = work->key.shape[2], d = work->query.shape[3];
    work->plain = worker_numbers(n_q * n_k + n_q * d, 0);
    return NULL;
}

/* ---- elementwise, reductions, softmax over n numbers, or (rows, n / rows) ---- */

static void unary_call(void *data)
{
    struct work *work = data;
    struct error error;
    tensor_release(&work->result);
    if (!tensor_unary((enum unary)work->code, &work->query, NULL, &work->result, &error))
        give_up(&error);
    show(work, &work->result);
}

static void binary_call(void *data)
{
    struct work *work = data;
    struct error error;
    tensor_release(&work->result);
    if (!tensor_binary((enum binary)work->code, &work->query, &work->key, NULL, &work->result,
                       &error))
        give_up(&error);
    show(work, &work->result);
}

static void where_call(void *data)
{
    struct work *work = data;
    struct error error;
    tensor_release(&work->result);
    if (!tensor_where(&work->value, &work->query, &work->key, NULL, &work->result, &error))
        give_up(&error);
    show(work, &work->result);
}

static void reduce_call(void *data)
{
    struct work *work = data;
    struct error error;
    tensor_release(&work->result);
    if (!tensor_reduce((enum reduction)work->code, &work->query, work->axes, false, 0, NULL,
                       &work->result, &error))
        give_up(&error);
    show(work, &work->result);
}

static void softmax_call(void *data)
{
    struct work *work = data;
    struct error error;
    tensor_release(&work->result);
    if (!softmax_forward(&work->query, -1, NULL, &work->result, &error))
        give_up(&error);
    show(work, &work->result);
}

static struct work *numbers_new(const struct request *request, struct job *job,
                                void (*call)(void *))
{
    size_t rows = request_size(request, "rows", 1), cols = request_size(request, "cols", 1);
    struct work *work = work_new(job, call);
    work->query = filled(2, (size_t[]){rows, cols}, 1);
    work->code = request_code(request);
    return work;
}

static const char *unary_prepare(const struct request *request, struct job *job)
{
    numbers_new(request, job, unary_call);
    return NULL;
}

static const char *binary_prepare(const struct request *request, struct job *job)
{
    struct work *work = numbers_new(request, job, binary_call);
    work->key = filled(2, work->query.shape, 2);
    return NULL;
}

/* The second operand is one row, repeated. */
static const char *row_prepare(const struct request *request, struct job *job)
{
    struct work *work = numbers_new(request, job, binary_call);
    work->key = filled(1, work->query.shape + 1, 2);
    return NULL;
}

/* The second operand lies column by column. */
static const char *turned_prepare(const struct request *request, struct job *job)
{
    struct work *work = numbers_new(request, job, binary_call);
    work->key = matrix(work->query.shape[0], work->query.shape[1], true, 2);
    return NULL;
}

static const char *where_prepare(const struct request *request, struct job *job)
{
    struct work *work = numbers_new(request, job, where_call);
    struct tensor zero;
    struct error error;
    work->key = filled(2, work->query.shape, 2);
    if (!tensor_scalar(0, &zero, &error) ||
        !tensor_binary(BINARY_GT, &work->query, &zero, NULL, &work->value, &error))
        give_up(&error);
    tensor_release(&zero);
    return NULL;
}

static const char *reduce_last_prepare(const struct request *request, struct job *job)
{
    numbers_new(request, job, reduce_call)->axes = 2;
    return NULL;
}

static const char *reduce_first_prepare(const struct request *request, struct job *job)
{
    numbers_new(request, job, reduce_call)->axes = 1;
    return NULL;
}

static const char *softmax_prepare(const struct request *request, struct job *job)
{
    numbers_new(request, job, softmax_call);
    return NULL;
}

int main(void)
{
    keep_freed_memory(); /* as attn's main() does: a large result is not made anew page by page */
    static const struct operation table[] = {
        {.name = "forward", .prepare = forward_prepare},
        {.name = "backward", .prepare = backward_prepare},
        {.name = "reference_forward", .prepare = reference_forward_prepare},
        {.name = "reference_backward", .prepare = reference_backward_prepare},
        {.name = "gemm", .prepare = matmul_prepare},
        {.name = "plain_forward", .prepare = plain_forward_prepare},
        {.name = "plain_gemm", .prepare = plain_matmul_prepare},
        {.name = "add", .prepare = binary_prepare, .code = BINARY_ADD},
        {.name = "add_row", .prepare = row_prepare, .code = BINARY_ADD},
        {.name = "add_turned", .prepare = turned_prepare, .code = BINARY_ADD},
        {.name = "mul", .prepare = binary_prepare, .code = BINARY_MUL},
        {.name = "exp", .prepare = unary_prepare, .code = UNARY_EXP},
        {.name = "tanh", .prepare = unary_prepare, .code = UNARY_TANH},
        {.name = "where", .prepare = where_prepare},
        {.name = "sum", .prepare = reduce_last_prepare, .code = REDUCE_SUM},
        {.name = "sum_first", .prepare = reduce_first_prepare, .code = REDUCE_SUM},
        {.name = "max", .prepare = reduce_last_prepare, .code = REDUCE_MAX},
        {.name = "max_first", .prepare = reduce_first_prepare, .code = REDUCE_MAX},
        {.name = "mean", .prepare = reduce_last_prepare, .code = REDUCE_MEAN},
        {.name = "mean_first", .prepare = reduce_first_prepare, .code = REDUCE_MEAN},
        {.name = "softmax", .prepare = softmax_prepare},
    };
    return worker_run(table, sizeof table / sizeof *table);
}
