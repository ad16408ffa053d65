/* An exercise and its parts: see exercise.h; it is read in exercise_load.c. */
#include "exercise/exercise.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "exercise/exercise_internal.h"

void exercise_free(struct exercise *exercise)
{
    if (exercise == NULL)
        return;
    arena_release(&exercise->arena);
    free(exercise);
}

int exercise_array(const struct exercise *exercise, const char *name)
{
    for (unsigned i = 0; i < exercise->n_arrays; i++)
        if (strcmp(exercise->arrays[i].name, name) == 0)
            return (int)i;
    return -1;
}

size_t statement_target(const char *statement, const char **ret)
{
    const char *name = statement + strspn(statement, " \t");
    size_t size = 0;
    while (isalnum((unsigned char)name[size]) || name[size] == '_')
        size++;
    const char *sign = name + size + strspn(name + size, " \t");
    if (isdigit((unsigned char)name[0]) || sign[0] != '=' || sign[1] == '=')
        return 0;
    *ret = name;
    return size;
}

bool statements_assign_same(const char *a, const char *b)
{
    const char *name_a, *name_b;
    size_t size = statement_target(a, &name_a);
    return size > 0 && size == statement_target(b, &name_b) && memcmp(name_a, name_b, size) == 0;
}

int exercise_stage(const struct exercise *exercise, const char *statement)
{
    for (unsigned i = 0; i < exercise->stages.n; i++)
        if (statements_assign_same(exercise->stages.items[i], statement))
            return (int)i;
    return -1;
}
