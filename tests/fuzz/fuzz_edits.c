/* Fuzzes the reading of a table of mistakes, and the changes that it makes to a formula. */
#include <stdint.h>
#include <stdlib.h>

#include "diagnose/rewrites.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void change_formula(const struct edits *edits)
{
    static const struct formula_name inputs[] = {
        {"scores", false}, {"value", false}, {"d_k", true}};
    struct arena arena = {0};
    struct rewrites changes = {.n = 0};
    struct formula_step steps[2];
    struct formula formula = {inputs, 3, steps, 2, false};
    if (!formula_step_read(&arena, "weights = softmax(scores / sqrt(d_k), dim=-1)", &steps[0],
                           NULL) ||
        !formula_step_read(&arena, "context = weights @ value", &steps[1], NULL))
        abort();
    for (size_t i = 0; i < formula.n_steps; i++)
        rewrites_add(edits, &formula, i, &changes, NULL);
    for (size_t i = 0; i < changes.n && i < 4; i++) {
        struct rewrites more = {.n = 0};
        rewrites_add_on(edits, &formula, &changes.items[i], &more, NULL);
        rewrites_release(&more);
    }
    rewrites_release(&changes);
    arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct edits edits;
    struct error error;
    if (!edits_read("fuzz.yaml", (const char *)data, size, &edits, &error))
        return 0;
    if (edits.n < 100)
        change_formula(&edits);
    edits_release(&edits);
    return 0;
}
