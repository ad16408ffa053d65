/* Drawing cases: see fixture.h. The steps are in fixture_sizes.c, fixture_inputs.c and
 * fixture_expected.c. */
#include "exercise/fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "exercise/exercise_check_internal.h"
#include "exercise/fixture_internal.h"
#include "exercise/kept_lines_internal.h"
#include "graph/node.h"
#include "commands/command.h"
#include "tensor/tensor.h"

enum { FIRST_PROBE = 1000, TIMED_CASE = 2000 }; /* cases, probes and the timed case draw apart */

/* The case's own stream of random numbers. */
static uint64_t stream_of(const struct exercise *exercise, const struct exercise_case *source)
{
    for (unsigned i = 0; i < exercise->n_cases; i++)
        if (source == &exercise->cases[i])
            return i;
    for (unsigned i = 0; i < exercise->n_probes; i++)
        if (source == &exercise->probes[i])
            return FIRST_PROBE + i;
    return TIMED_CASE;
}

/* "random sizes 2 (n_q 3, n_k 5)" */
static bool set_name(struct fixture *fixture, const struct text *drawn, struct error *reterr)
{
    struct text name = {0};
    text_put(&name, fixture->source->name);
    if (fixture->source->repeat > 1)
        text_format(&name, " %u", fixture->repeat + 1);
    if (drawn->size > 0)
        text_format(&name, " (%s)", text_string(drawn));
    if (name.failed || drawn->failed) {
        text_release(&name);
        return error_memory(reterr, "a case");
    }
    fixture->name = name.bytes;
    return true;
}

static bool set_memory(struct fixture *fixture, struct error *reterr)
{
    const struct exercise_case *source = fixture->source;
    if (source->memory_kib == NULL)
        return true;
    struct node *node = expression_value(fixture->session, source->memory_kib, reterr);
    double kib = node != NULL && node->value.n_axes == 0 ? (double)node->value.data[0] : -1;
    bool ok = kib >= 1 && kib < 1 << 20;
    if (ok)
        fixture->memory_bytes = (size_t)kib * 1024;
    else if (node != NULL)
        error_set(reterr, ERR_RANGE, "a number from 1 to 1048575 is expected");
    node_free(node);
    return ok || fixture_fault(fixture, source->line, "memory_kib", reterr);
}

static bool draw(struct fixture *fixture, uint64_t seed, const struct sizes *sizes, bool simple,
                 const char *data_dir, struct error *reterr)
{
    const struct settings settings = {.digits = 4, .width_cols = 80, .no_files = true};
    struct text drawn = {0};
    uint64_t state = seed; /* of a stream of numbers which no other case shares */
    state = splitmix_next(&state) + stream_of(fixture->exercise, fixture->source);
    state = splitmix_next(&state) + fixture->repeat;
    uint64_t random = splitmix_next(&state);
    uint32_t manual_seed = (uint32_t)splitmix_next(&random);
    fixture->session = malloc(sizeof *fixture->session);
    if (fixture->session == NULL)
        return error_memory(reterr, "a session");
    session_init(fixture->session, command_find, &settings, data_dir, NULL);
    bool ok = fixture_set_sizes(fixture, sizes, random, &drawn, reterr) &&
              set_name(fixture, &drawn, reterr) && set_memory(fixture, reterr);
    bool sizes_are_public = drawn.size == 0;
    text_release(&drawn);
    if (!ok)
        return false;
    random_seed(&fixture->session->random, manual_seed);
    if (!fixture_set_inputs(fixture, simple, reterr) || !fixture_set_expected(fixture, reterr))
        return false;
    fixture->is_public = fixture->is_public && sizes_are_public;
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
        if (fixture->arrays[i].present)
            fixture->n_cells += fixture->arrays[i].n_cells;
    return true;
}

bool fixture_draw(const struct exercise *exercise, const struct exercise_case *source,
                  unsigned repeat, uint64_t seed, const struct sizes *sizes, bool simple,
                  const char *data_dir, struct fixture **ret, struct error *reterr)
{
    struct error error; /* the author's lines are quoted in it, so one is needed */
    struct fixture *fixture = calloc(1, sizeof *fixture);
    if (fixture == NULL)
        return error_memory(reterr, "a case");
    fixture->exercise = exercise;
    fixture->source = source;
    fixture->repeat = repeat;
    fixture->seed = seed;
    if (!draw(fixture, seed, sizes, simple, data_dir, reterr != NULL ? reterr : &error)) {
        fixture_free(fixture);
        return false;
    }
    *ret = fixture;
    return true;
}

unsigned fixture_size_rank(const struct fixture *fixture)
{
    const struct prototype *prototype = &fixture->exercise->prototype;
    unsigned n = 0;
    for (unsigned a = 0; a < prototype->n_params; a++)
        if (fixture->scalars[a] > 1) {
            n += prototype->n_params;
            for (unsigned b = 0; b < a; b++)
                n += fixture->scalars[b] > 1 && fixture->scalars[a] != fixture->scalars[b];
        }
    return n;
}

bool fixture_draw_alike(const struct fixture *fixture, uint64_t seed, const char *data_dir,
                        struct fixture **ret, struct error *reterr)
{
    const struct exercise_sizes *sizes = &fixture->source->sizes;
    const struct prototype *prototype = &fixture->exercise->prototype;
    struct sizes same = {.n = 0};
    for (unsigned i = 0; i < sizes->n; i++) {
        const struct exercise_size *size = &sizes->items[i];
        unsigned low, high;
        int param = prototype_param(prototype, size->name, strlen(size->name));
        if (param < 0 || !size_is_range(size->value, &low, &high))
            continue;
        same.names[same.n] = size->name;
        same.values[same.n++] = fixture->scalars[param];
    }
    return fixture_draw(fixture->exercise, fixture->source, fixture->repeat, seed, &same, false,
                        data_dir, ret, reterr);
}

bool fixture_draw_speed(const struct exercise *exercise, uint64_t seed, const char *data_dir,
                        struct fixture **ret, struct error *reterr)
{
    return fixture_draw(exercise, &exercise->speed->timed, 0, seed, NULL, false, data_dir, ret,
                        reterr);
}

void fixture_free(struct fixture *fixture)
{
    if (fixture == NULL)
        return;
    for (unsigned i = 0; i < FIXTURE_MAX_ARRAYS; i++) {
        struct fixture_array *array = &fixture->arrays[i];
        free(array->before);
        free(array->expected);
        free(array->allowed);
        node_free(array->node);
    }
    for (size_t i = 0; i < fixture->n_drawn; i++)
        value_release(&fixture->drawn[i]);
    free(fixture->drawn);
    if (fixture->session != NULL)
        session_release(fixture->session);
    free(fixture->session);
    kept_lines_free(fixture->kept);
    free(fixture->reads);
    free(fixture->places);
    free(fixture->name);
    free(fixture);
}

/* ---- all of them ---- */

static bool add_fixture(struct fixtures *fixtures, const struct exercise *exercise,
                        const struct exercise_case *source, unsigned repeat, uint64_t seed,
                        const char *data_dir, struct error *reterr)
{
    struct fixture **items =
        array_grow(fixtures->items, fixtures->n, &fixtures->capacity, sizeof *items);
    if (items == NULL)
        return error_memory(reterr, "the cases");
    fixtures->items = items;
    if (!fixture_draw(exercise, source, repeat, seed, NULL, false, data_dir, &items[fixtures->n],
                      reterr))
        return false;
    fixtures->n++;
    return true;
}

bool fixtures_draw(const struct exercise *exercise, uint64_t seed, bool probes,
                   const char *data_dir, struct fixtures *ret, struct error *reterr)
{
    const struct exercise_case *cases = probes ? exercise->probes : exercise->cases;
    unsigned n_cases = probes ? exercise->n_probes : exercise->n_cases;
    struct fixtures fixtures = {0};
    bool ok = true;
    for (unsigned i = 0; ok && i < n_cases; i++)
        for (unsigned repeat = 0; ok && repeat < cases[i].repeat; repeat++)
            ok = add_fixture(&fixtures, exercise, &cases[i], repeat, seed, data_dir, reterr);
    if (ok)
        *ret = fixtures;
    else
        fixtures_release(&fixtures);
    return ok;
}

void fixtures_release(struct fixtures *fixtures)
{
    for (size_t i = 0; i < fixtures->n; i++)
        fixture_free(fixtures->items[i]);
    free(fixtures->items);
    *fixtures = (struct fixtures){0};
}
