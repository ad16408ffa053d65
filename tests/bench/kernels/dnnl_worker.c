/* oneDNN 2: attention as a batched product, a softmax in place and a product, by the primitives it
 * picks; no causal form. Scores are as large as the library leaves them: all heads at once, or one
 * head at a time where that would be over MOST_SCORES. */
#include <math.h>
#include <oneapi/dnnl/dnnl.h>
#include <stdio.h>
#include <stdlib.h>

#include "worker.h"

#if DNNL_VERSION_MAJOR != 2
#error "this is written for oneDNN 2"
#endif

static const size_t MOST_SCORES = (size_t)1 << 26;

static void must(dnnl_status_t status)
{
    if (status == dnnl_success)
        return;
    fprintf(stderr, "dnnl_worker: oneDNN says %d\n", (int)status);
    exit(1);
}

enum { QUERY, KEY, VALUE, SCORES, CONTEXT, N_OPERANDS };

struct attention {
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    dnnl_primitive_t score, soften, mix;
    float *numbers[N_OPERANDS];
    dnnl_memory_t memory[N_OPERANDS];
    size_t step[N_OPERANDS]; /* numbers of one batch */
    long n_batches;
};

static void execute(const struct attention *a, dnnl_primitive_t primitive, int left, int right,
                    int result)
{
    dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, a->memory[left]},
                                   {DNNL_ARG_DST, a->memory[result]},
                                   {DNNL_ARG_WEIGHTS, a->memory[right]}};
    must(dnnl_primitive_execute(primitive, a->stream, right == SCORES ? 2 : 3, arguments));
}

static void forward_call(void *data)
{
    struct attention *a = data;
    for (long batch = 0; batch < a->n_batches; batch++) {
        for (int i = 0; i < N_OPERANDS; i++)
            must(dnnl_memory_set_data_handle(a->memory[i],
                                             a->numbers[i] + (size_t)batch * a->step[i]));
        execute(a, a->score, QUERY, KEY, SCORES);
        execute(a, a->soften, SCORES, SCORES, SCORES);
        execute(a, a->mix, SCORES, VALUE, CONTEXT);
    }
    must(dnnl_stream_wait(a->stream));
}

static void forward_release(void *data)
{
    struct attention *a = data;
    for (int i = 0; i < N_OPERANDS; i++) {
        dnnl_memory_destroy(a->memory[i]);
        free(a->numbers[i]);
    }
    dnnl_primitive_destroy(a->score);
    dnnl_primitive_destroy(a->soften);
    dnnl_primitive_destroy(a->mix);
    dnnl_stream_destroy(a->stream);
    dnnl_engine_destroy(a->engine);
    free(a);
}

/* (batch, rows, cols), or a view of (batch, cols, rows). */
static dnnl_memory_desc_t layout(size_t batch, size_t rows, size_t cols, bool turned)
{
    dnnl_memory_desc_t ret;
    dnnl_dims_t sizes = {(dnnl_dim_t)batch, (dnnl_dim_t)rows, (dnnl_dim_t)cols};
    must(dnnl_memory_desc_init_by_tag(&ret, 3, sizes, dnnl_f32, turned ? dnnl_acb : dnnl_abc));
    return ret;
}

static dnnl_primitive_t made(const struct attention *a, const void *description, float factor)
{
    dnnl_primitive_attr_t attributes;
    dnnl_primitive_desc_t chosen;
    dnnl_primitive_t ret;
    must(dnnl_primitive_attr_create(&attributes));
    if (factor != 1)
        must(dnnl_primitive_attr_set_output_scales(attributes, 1, 0, &factor));
    must(dnnl_primitive_desc_create(&chosen, description, attributes, a->engine, NULL));
    must(dnnl_primitive_create(&ret, chosen));
    dnnl_primitive_desc_destroy(chosen);
    dnnl_primitive_attr_destroy(attributes);
    return ret;
}

static dnnl_primitive_t product(const struct attention *a, const dnnl_memory_desc_t *left,
                                const dnnl_memory_desc_t *right, const dnnl_memory_desc_t *result,
                                float factor)
{
    dnnl_matmul_desc_t description;
    must(dnnl_matmul_desc_init(&description, left, right, NULL, result));
    return made(a, &description, factor);
}

static void take(struct attention *a, int operand, const dnnl_memory_desc_t *description,
                 size_t step, size_t n_batches, unsigned stream)
{
    a->step[operand] = operand == SCORES ? 0 : step;
    a->numbers[operand] = worker_numbers(operand == SCORES ? step : step * n_batches, stream);
    must(dnnl_memory_create(&a->memory[operand], description, a->engine, a->numbers[operand]));
}

static const char *forward_prepare(const struct request *request, struct job *job)
{
    size_t heads = request_size(request, "heads", 1), q = request_size(request, "q", 1);
    size_t k = request_size(request, "k", 1), d = request_size(request, "d", 1);
    if (request_size(request, "causal", 0) != 0)
        return "no causal form";
    struct attention *a = calloc(1, sizeof *a);
    if (a == NULL)
        return "not enough memory";
    size_t batch = heads * q * k > MOST_SCORES ? 1 : heads;
    a->n_batches = (long)(heads / batch);
    must(dnnl_engine_create(&a->engine, dnnl_cpu, 0));
    must(dnnl_stream_create(&a->stream, a->engine, dnnl_stream_default_flags));
    dnnl_memory_desc_t query = layout(batch, q, d, false), key = layout(batch, d, k, true);
    dnnl_memory_desc_t value = layout(batch, k, d, false), scores = layout(batch, q, k, false);
    take(a, QUERY, &query, batch * q * d, heads / batch, 1);
    take(a, KEY, &key, batch * k * d, heads / batch, 2);
    take(a, VALUE, &value, batch * k * d, heads / batch, 3);
    take(a, SCORES, &scores, batch * q * k, heads / batch, 0);
    take(a, CONTEXT, &query, batch * q * d, heads / batch, 0);
    dnnl_softmax_v2_desc_t softmax;
    must(dnnl_softmax_v2_forward_desc_init(&softmax, dnnl_forward_inference, dnnl_softmax_accurate,
                                           &scores, &scores, 2));
    a->score = product(a, &query, &key, &scores, 1 / sqrtf((float)d));
    a->soften = made(a, &softmax, 1);
    a->mix = product(a, &scores, &value, &query, 1);
    *job = (struct job){.call = forward_call, .release = forward_release, .data = a};
    job->output = a->numbers[CONTEXT];
    job->n_output = heads * q * d;
    return NULL;
}

int main(void)
{
    static const struct operation table[] = {{.name = "forward", .prepare = forward_prepare}};
    return worker_run(table, sizeof table / sizeof *table);
}
