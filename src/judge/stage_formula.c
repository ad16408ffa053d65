/* See stage_formula.h. */
#include "judge/stage_formula.h"

#include <assert.h>

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
