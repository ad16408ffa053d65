/* See stage_formula.h. */
#include "judge/stage_formula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/node.h"

enum { MAX_STATEMENTS = 8 }; /* functions and one change */

/* ---- the stages as a formula ---- */

static bool is_size_value(const struct value *value)
{
    if (value == NULL || value->kind != VALUE_NODE || value->as.node->value.is_bool ||
        value->as.node->value.n_axes != 0)
        return false;
    double number = (double)tensor_at_position(&value->as.node->value, 0);
    return number >= 1 && number == floor(number);
}

static bool read_inputs(const struct fixture *example, struct arena *arena, struct formula *formula,
                        struct error *reterr)
{
    const struct names *names = &example->session->names;
    struct formula_name *inputs = arena_take(arena, (example->n_drawn + 1) * sizeof *inputs);
    if (inputs == NULL)
        return error_memory(reterr, "a formula");
    for (size_t i = 0; i < example->n_drawn; i++)
        inputs[i] = (struct formula_name){names->variables[i].name,
                                          is_size_value(&names->variables[i].value)};
    formula->inputs = inputs;
    formula->n_inputs = example->n_drawn;
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
            is_size_value(names_get(&example->session->names, step->name, step->name_size));
    }
    if (!read_inputs(example, arena, &formula, reterr))
        return false;
    *ret = formula;
    return true;
}

/* ---- changes ---- */

/* The lines of a change as what replaces a stage. words holds the functions and is cut into lines.
 */
static void replace_stage(const struct rewrite *change, char *words, char *lines[MAX_STATEMENTS],
                          unsigned numbers[MAX_STATEMENTS], struct misconception *ret)
{
    unsigned n = 0;
    for (char *line = strtok_r(words, "\n", &words); line != NULL && n + 1 < MAX_STATEMENTS;
         line = strtok_r(NULL, "\n", &words))
        lines[n++] = line;
    lines[n++] = (char *)(uintptr_t)change->statement;
    memset(numbers, 0, n * sizeof *numbers);
    *ret = (struct misconception){.id = change->edit->id, .stages = {lines, numbers, n}};
}

bool stage_formula_answer(struct fixture *fixture, const struct rewrite *const *changes, size_t n,
                          struct answer *ret, struct error *reterr)
{
    struct misconception ideas[4];
    const struct misconception *list[4] = {NULL};
    char *lines[4][MAX_STATEMENTS], *words[4] = {NULL};
    unsigned numbers[4][MAX_STATEMENTS];
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        words[i] = strdup(changes[i]->functions);
        ok = ok && words[i] != NULL;
        if (words[i] != NULL)
            replace_stage(changes[i], words[i], lines[i], numbers[i], &ideas[i]);
        list[i] = &ideas[i];
    }
    ok = ok ? fixture_answer_under(fixture, list, n, ret, reterr)
            : error_memory(reterr, "a diagnosis");
    for (size_t i = 0; i < n; i++)
        free(words[i]);
    return ok;
}

/* FNV-1a over the bits of the numbers. */
uint64_t answer_digest(const struct fixture *fixture, const struct answer *answer)
{
    uint64_t digest = 0xCBF29CE484222325;
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
        for (size_t k = 0; answer->floats[i] != NULL && k < fixture->arrays[i].n_cells; k++) {
            uint32_t bits;
            memcpy(&bits, &answer->floats[i][k], sizeof bits);
            digest = (digest ^ bits) * 0x100000001B3;
        }
    return digest;
}
