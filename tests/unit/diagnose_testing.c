/* See diagnose_testing.h. */
#include "diagnose_testing.h"

#include <string.h>

const struct formula_name testing_inputs[6] = {{"query", false},  {"key", false}, {"value", false},
                                               {"scores", false}, {"n_q", true},  {"d_k", true}};

struct formula testing_formula(struct arena *arena, const char *const *steps)
{
    struct formula formula = {.inputs = testing_inputs, .n_inputs = 6};
    struct error error;
    while (steps[formula.n_steps] != NULL)
        formula.n_steps++;
    formula.steps = arena_take(arena, (formula.n_steps + 1) * sizeof *formula.steps);
    assert_non_null(formula.steps);
    for (size_t i = 0; i < formula.n_steps; i++) {
        if (!formula_step_read(arena, steps[i], &formula.steps[i], &error))
            fail_msg("%s: %s", steps[i], error.text);
        formula.steps[i].gives_size = strchr("dn", steps[i][0]) != NULL && steps[i][1] == '_';
    }
    return formula;
}

struct edits testing_edits(const char *lines)
{
    struct edits edits;
    struct error error;
    struct text text = {0};
    text_put(&text, "edits:\n");
    text_put(&text, lines);
    if (!edits_read("table.yaml", text_string(&text), text.size, &edits, &error))
        fail_msg("%s", error.text);
    text_release(&text);
    return edits;
}
