/* See changed_case.h. */
#include "judge/changed_case.h"

#include "base/text.h"

const char changed_little[] = "X * (1 + (rand(X.shape) - 0.5) / 20)";
const char changed_far_apart[] = "X * 30", changed_to_whole[] = "round(X)";
const char changed_hidden[] = "X & (rand(X.shape[-2], 1) > 0.4)";
const char *const changed_scales[CHANGED_SCALES] = {"X * 3",  "X * 8",   "X * 20",
                                                    "X * 50", "X * 120", "X * 300"};
const char *const changed_steps[CHANGED_STEPS] = {"X * 2",  "X * 4",   "X * 6",  "X * 11",
                                                  "X * 16", "X * 27",  "X * 40", "X * 70",
                                                  "X * 95", "X * 160", "X * 220"};

bool is_float_input(const struct fixture *fixture, unsigned array)
{
    const struct fixture_array *a = &fixture->arrays[array];
    return fixture->exercise->arrays[array].role != ROLE_OUT && a->present && !a->boolean &&
           a->n_cells > 0;
}

/* NAME = RECIPE, for an array. */
static void write_line(const char *name, const char *recipe, struct text *line)
{
    text_format(line, "%s = ", name);
    for (; *recipe != '\0'; recipe++) {
        if (*recipe == 'X')
            text_put(line, name);
        else
            text_char(line, *recipe);
    }
}

bool changed_case(const struct fixture *like, const char *recipe, int only, struct arena *arena,
                  struct exercise_case *ret, struct error *reterr)
{
    const struct exercise *exercise = like->exercise;
    const struct strings *draw = &like->source->draw;
    struct strings lines = {.n = 0};
    size_t most = draw->n + exercise->n_arrays;
    lines.items = arena_take(arena, (most + 1) * sizeof *lines.items);
    lines.lines = arena_take(arena, (most + 1) * sizeof *lines.lines);
    if (lines.items == NULL || lines.lines == NULL)
        return error_memory(reterr, "a case");
    for (; lines.n < draw->n; lines.n++) {
        lines.items[lines.n] = draw->items[lines.n];
        lines.lines[lines.n] = draw->lines[lines.n];
    }
    for (unsigned i = 0; i < exercise->n_arrays; i++) {
        struct text line = {0};
        if (only >= 0 ? i != (unsigned)only : !is_float_input(like, i))
            continue;
        write_line(exercise->arrays[i].name, recipe, &line);
        lines.items[lines.n] =
            line.failed ? NULL : arena_copy(arena, text_string(&line), line.size);
        text_release(&line);
        if (lines.items[lines.n] == NULL)
            return error_memory(reterr, "a case");
        lines.lines[lines.n++] = like->source->line;
    }
    *ret = *like->source;
    ret->draw = lines;
    return true;
}
