/* Failing cases made small enough to look at: see shrink.h. */
#include "judge/shrink.h"

#include <ctype.h>
#include <string.h>

enum { LARGEST_TRIED = 3 }; /* sizes beyond this are no gain worth a try */

struct shrink_search {
    struct case_runner *runner;
    const char *data_dir;
    struct sizes sizes; /* of the best so far, where they differ from the case's own */
    bool simple;
    struct case_run best; /* fixture NULL: nothing is smaller than the failing case yet */
    size_t n_cells;       /* of the best, or of the failing case */
};

/* A size that is a number can be changed; one that is worked out from others can't. */
static bool stands_alone(const char *value)
{
    for (; *value != '\0'; value++)
        if (!isdigit((unsigned char)*value) && *value != '.' && *value != ' ')
            return false;
    return true;
}

static void keep(struct shrink_search *search, const struct case_run *run,
                 const struct sizes *sizes, bool simple)
{
    if (search->best.fixture != NULL) {
        struct fixture *old = search->best.fixture;
        case_run_release(&search->best);
        fixture_free(old);
    }
    search->best = *run;
    search->n_cells = run->fixture->n_cells;
    search->sizes = *sizes;
    search->simple = simple;
}

/* Draws the case with these sizes; keeps it when it still fails and is no larger. */
static bool try_so(struct shrink_search *search, const struct fixture *from,
                   const struct sizes *sizes, bool simple)
{
    struct fixture *fixture;
    struct case_run run;
    if (!fixture_draw(from->exercise, from->source, from->repeat, from->seed, sizes, simple,
                      search->data_dir, &fixture, NULL))
        return false;
    bool smaller = fixture->n_cells < search->n_cells ||
                   (simple && !search->simple && fixture->n_cells == search->n_cells);
    if (smaller && case_runner_run(search->runner, fixture, true, &run, NULL)) {
        if (case_run_is_wrong(&run) && run.verdict != VERDICT_OUT_OF_BOUNDS) {
            keep(search, &run, sizes, simple);
            return true;
        }
        case_run_release(&run);
    }
    fixture_free(fixture);
    return false;
}

static void try_smaller(struct shrink_search *search, const struct fixture *from, const char *name)
{
    struct sizes sizes = search->sizes;
    if (sizes.n == PROTOTYPE_MAX_PARAMS)
        return;
    sizes.names[sizes.n++] = name;
    for (int value = 1; value <= LARGEST_TRIED; value++) {
        sizes.values[sizes.n - 1] = value;
        if (try_so(search, from, &sizes, false))
            return;
    }
}

bool case_shrink(struct case_runner *runner, const struct case_run *failing, const char *data_dir,
                 struct case_run *ret)
{
    const struct fixture *from = failing->fixture;
    struct shrink_search search = {
        .runner = runner, .data_dir = data_dir, .n_cells = from->n_cells};
    for (unsigned i = 0; i < from->source->sizes.n; i++)
        if (stands_alone(from->source->sizes.items[i].value))
            try_smaller(&search, from, from->source->sizes.items[i].name);
    struct sizes sizes = search.sizes;
    try_so(&search, from, &sizes, true);
    if (search.best.fixture == NULL)
        return false;
    *ret = search.best;
    return true;
}
