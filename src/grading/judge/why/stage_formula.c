/* See stage_formula.h. */
#include "judge/why/stage_formula.h"

#include <assert.h>
#include <string.h>

#include "diagnose/search.h"
#include "graph/node.h"

enum { MAX_CHANGES = 16 };

/* ---- the stages as a formula ---- */

static bool read_inputs(const struct fixture *example, struct arena *arena, struct formula *formula,
                        struct error *reterr)
{
    const struct names *names = &example->session->names;
    struct formula_name *inputs = arena_take(arena, (example->n_drawn + 1) * sizeof *inputs);
    if (inputs == NULL)
        return error_memory(reterr, "a formula");
    formula->n_inputs = 0;
    for (size_t i = 0; i < example->n_drawn; i++)
        if (example->drawn[i].kind != VALUE_ABSENT)
            inputs[formula->n_inputs++] = (struct formula_name){
                names->variables[i].name, formula_is_size(&names->variables[i].value)};
    formula->inputs = inputs;
    return true;
}

bool stage_formula_read(const struct fixture *example, struct arena *arena, struct formula *ret,
                        struct error *reterr)
{
    const struct strings *stages = &example->exercise->stages;
    struct formula formula = {.n_steps = stages->n};
    formula.steps = arena_take(arena, (stages->n + 1) * sizeof *formula.steps);
    if (formula.steps == NULL)
        return error_memory(reterr, "a formula");
    for (unsigned i = 0; i < stages->n; i++) {
        struct formula_step *step = &formula.steps[i];
        if (!formula_step_read(arena, stages->items[i], step, reterr))
            return false;
        step->gives_size =
            formula_is_size(names_get(&example->session->names, step->name, step->name_size));
    }
    if (!read_inputs(example, arena, &formula, reterr))
        return false;
    *ret = formula;
    return true;
}

/* ---- changes ---- */

bool stage_formula_answer(struct fixture *fixture, const struct rewrite *const *changes, size_t n,
                          struct answer *ret, struct error *reterr)
{
    struct stage_put puts[MAX_CHANGES];
    assert(n <= MAX_CHANGES);
    for (size_t i = 0; i < n; i++)
        puts[i] = (struct stage_put){.stage = (unsigned)changes[i]->step,
                                     .statement = changes[i]->statement,
                                     .read = changes[i]->read,
                                     .functions = changes[i]->functions};
    return fixture_answer_put(fixture, puts, n, ret, reterr);
}

uint64_t answer_digest(const struct fixture *fixture, const struct answer *answer)
{
    uint64_t digest = SEARCH_DIGEST;
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
        for (size_t k = 0; answer->floats[i] != NULL && k < fixture->arrays[i].n_cells; k++)
            digest = search_digest(digest, answer->floats[i][k]);
    return digest;
}

size_t stage_formula_cost(const struct fixture *fixture)
{
    enum { SMALL = 300 }; /* cells */
    size_t times = fixture->n_cells / SMALL;
    return 1 + times * times;
}

static size_t answered_cells(const struct fixture *fixture, const struct answer *answer)
{
    size_t n = 0;
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
        n += answer->floats[i] != NULL ? fixture->arrays[i].n_cells : 0;
    return n;
}

/* Neighbouring cells share a part where there are more than parts. */
static struct answer_parts compare_parts(const struct fixture *fixture,
                                         const struct answer *answered,
                                         const struct answer *changed)
{
    enum { PARTS = 64 };
    struct answer_parts parts = {.untouched = UINT64_MAX,
                                 .fitting = UINT64_MAX,
                                 .digest = answer_digest(fixture, changed),
                                 .cost = stage_formula_cost(fixture)};
    size_t n = answered_cells(fixture, changed), at = 0;
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
        for (size_t k = 0; changed->floats[i] != NULL && k < fixture->arrays[i].n_cells;
             k++, at++) {
            uint64_t part = UINT64_C(1) << (n <= PARTS ? at : at * PARTS / n);
            float cell = changed->floats[i][k];
            if (memcmp(&cell, &fixture->arrays[i].expected[k], sizeof cell) != 0)
                parts.untouched &= ~part;
            if (!fixture_cells_alike(fixture, i, k, answered->floats[i][k], cell))
                parts.fitting &= ~part;
        }
    return parts;
}

bool stage_formula_parts(struct fixture *fixture, const struct answer *answered,
                         const struct rewrite *const *changes, size_t n, struct answer_parts *ret,
                         struct error *reterr)
{
    struct answer changed;
    struct error error = {0};
    *ret = PARTS_UNKNOWN;
    ret->cost = stage_formula_cost(fixture);
    if (!stage_formula_answer(fixture, changes, n, &changed, &error))
        return !error_is_stop(&error) || error_set(reterr, error.kind, "%s", error.text);
    *ret = compare_parts(fixture, answered, &changed);
    answer_release(&changed);
    return true;
}
