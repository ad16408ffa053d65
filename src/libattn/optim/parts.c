/* See parts_internal.h. */
#include "optim/parts_internal.h"

#include "base/size.h"
#include "kernel/threads.h"

/* The cost of a number of a step, in multiply-adds: two divisions, a square root, and seven numbers
 * that go to and from memory. */
static const double multiply_adds_a_number = 16;

struct shared_parts {
    const struct parameter *parameters;
    part_function *run;
    const void *context;
};

static size_t parts_of(const struct parameter *parameter)
{
    return parameter->n / PARTS_NUMBERS + (parameter->n % PARTS_NUMBERS != 0);
}

size_t parts_count(const struct parameter *parameters, size_t n_parameters)
{
    size_t n = 0;
    for (size_t i = 0; i < n_parameters; i++)
        n += parts_of(&parameters[i]);
    return n;
}

static void run_part(void *context, size_t task, float *room)
{
    (void)room;
    const struct shared_parts *shared = context;
    const struct parameter *parameter = shared->parameters;
    size_t part = task;
    for (; part >= parts_of(parameter); parameter++)
        part -= parts_of(parameter);
    size_t begin = part * PARTS_NUMBERS;
    shared->run(shared->context, task, parameter, begin,
                size_min(parameter->n - begin, PARTS_NUMBERS));
}

bool parts_run(const char *what, const struct parameter *parameters, size_t n_parameters,
               part_function *run, const void *context, struct error *reterr)
{
    struct shared_parts shared = {parameters, run, context};
    size_t n_parts = parts_count(parameters, n_parameters);
    struct thread_work work = {
        .what = what,
        .run = run_part,
        .context = &shared,
        .n_tasks = n_parts,
        .n_threads = threads_for(multiply_adds_a_number * PARTS_NUMBERS * (double)n_parts),
    };
    return threads_run(&work, NULL, reterr);
}
