/* The parts that an exercise promises must exist: see exercise_check_internal.h. Every rule is one
 * function, in the order of the file's keys. */
#include "exercise/exercise_check_internal.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exercise/exercise_internal.h"

enum { MAX_OPTIONS = 8 }; /* of one misconception */

struct exercise_checker {
    struct exercise *exercise;
    struct error *reterr;
};

static bool fault(const struct exercise_checker *checker, unsigned line, const char *format, ...)
    ERROR_FORMAT(3, 4);

/* "FILE:LINE: ...", or "FILE: ..." for line 0. Returns false. */
static bool fault(const struct exercise_checker *checker, unsigned line, const char *format, ...)
{
    char text[360], place[16] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (line > 0)
        snprintf(place, sizeof place, "%u:", line);
    return error_set(checker->reterr, ERR_SYNTAX, "%s:%s %s", checker->exercise->path, place, text);
}

static bool is_name(const char *text)
{
    if (!isalpha((unsigned char)text[0]) && text[0] != '_')
        return false;
    for (; *text != '\0'; text++)
        if (!isalnum((unsigned char)*text) && *text != '_')
            return false;
    return true;
}

/* small-letters-and-hyphens */
static bool is_id(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    return islower((unsigned char)text[0]) && text[strspn(text, letters)] == '\0';
}

/* ---- the exercise itself ---- */

static bool check_name(const struct exercise_checker *checker)
{
    const struct exercise *exercise = checker->exercise;
    char folder[80];
    if (!is_id(exercise->id) || strlen(exercise->id) > 40)
        return fault(checker, 0, "id: small letters, digits and hyphens are expected, at most 40");
    if (exercise->number < 1 || exercise->number > 99)
        return fault(checker, 0, "number: 1 to 99 is expected");
    snprintf(folder, sizeof folder, "%02u-%s", exercise->number, exercise->id);
    return strcmp(folder, exercise->folder_name) == 0 ||
           fault(checker, 0, "the folder of number %u and id %s must be called %s",
                 exercise->number, exercise->id, folder);
}

/* ---- arrays ---- */

static const struct param *find_param(const struct exercise *exercise, const char *name)
{
    int i = prototype_param(&exercise->prototype, name, strlen(name));
    return i >= 0 ? &exercise->prototype.params[i] : NULL;
}

static bool check_role(const struct exercise_checker *checker, const struct exercise_array *array,
                       const struct param *param)
{
    if (param->constant && array->role != ROLE_IN)
        return fault(checker, array->line,
                     "%s is const in the prototype, so its role can only be in", array->name);
    if (!param->constant && array->role == ROLE_IN)
        return fault(checker, array->line,
                     "%s is not const in the prototype, so its role must be out or inout",
                     array->name);
    return !array->optional || array->role == ROLE_IN ||
           fault(checker, array->line, "%s: only an array that is read can be optional",
                 array->name);
}

static bool check_array(const struct exercise_checker *checker, struct exercise_array *array)
{
    struct exercise *exercise = checker->exercise;
    if (array->shape.n > EXERCISE_MAX_AXES)
        return fault(checker, array->line, "%s: a shape has at most %d axes", array->name,
                     EXERCISE_MAX_AXES);
    if (exercise->prototype.returns_float && strcmp(array->name, "result") == 0) {
        array->role = ROLE_OUT;
        return array->shape.n == 0 ||
               fault(checker, array->line, "result is the returned number; its shape is []");
    }
    const struct param *param = find_param(exercise, array->name);
    if (param == NULL || !param_is_pointer(param))
        return fault(checker, array->line, "the prototype has no array called %s", array->name);
    return check_role(checker, array, param);
}

/* Where an array stands among the parameters; the result comes last. */
static unsigned array_place(const struct exercise *exercise, const struct exercise_array *array)
{
    int param = prototype_param(&exercise->prototype, array->name, strlen(array->name));
    return param < 0 ? PROTOTYPE_MAX_PARAMS : (unsigned)param;
}

/* By insertion: there are at most 17. */
static void sort_arrays(struct exercise *exercise)
{
    for (unsigned i = 1; i < exercise->n_arrays; i++) {
        struct exercise_array array = exercise->arrays[i];
        unsigned at = i, place = array_place(exercise, &array);
        for (; at > 0 && place < array_place(exercise, &exercise->arrays[at - 1]); at--)
            exercise->arrays[at] = exercise->arrays[at - 1];
        exercise->arrays[at] = array;
    }
}

/* The returned float need not be written down. */
static bool add_result(const struct exercise_checker *checker)
{
    static const char name[] = "result";
    struct exercise *exercise = checker->exercise;
    if (!exercise->prototype.returns_float || exercise_array(exercise, name) >= 0)
        return true;
    struct exercise_array *arrays =
        arena_take(&exercise->arena, (exercise->n_arrays + 1) * sizeof *arrays);
    char *copy = arena_copy(&exercise->arena, name, strlen(name));
    if (arrays == NULL || copy == NULL)
        return error_memory(checker->reterr, exercise->path);
    memcpy(arrays, exercise->arrays, exercise->n_arrays * sizeof *arrays);
    arrays[exercise->n_arrays++] = (struct exercise_array){.name = copy, .role = ROLE_OUT};
    exercise->arrays = arrays;
    return true;
}

static bool check_arrays(const struct exercise_checker *checker)
{
    struct exercise *exercise = checker->exercise;
    for (unsigned i = 0; i < exercise->n_arrays; i++) {
        struct exercise_array *array = &exercise->arrays[i];
        if (exercise_array(exercise, array->name) != (int)i)
            return fault(checker, array->line, "%s is described twice", array->name);
        if (!check_array(checker, array))
            return false;
    }
    for (unsigned i = 0; i < exercise->prototype.n_params; i++) {
        const struct param *param = &exercise->prototype.params[i];
        if (param_is_pointer(param) && exercise_array(exercise, param->name) < 0)
            return fault(checker, exercise->arrays[0].line,
                         "arrays: the array %s of the prototype is not described", param->name);
    }
    if (!add_result(checker))
        return false;
    sort_arrays(exercise);
    return true;
}

/* ---- stages and expected numbers ---- */

/* Every statement assigns a name, each another one. */
static bool check_assignments(const struct exercise_checker *checker,
                              const struct strings *statements)
{
    for (unsigned i = 0; i < statements->n; i++) {
        const char *name;
        if (statement_target(statements->items[i], &name) == 0)
            return fault(checker, statements->lines[i],
                         "stages: an assignment `name = ...` is expected");
        for (unsigned j = 0; j < i; j++)
            if (statements_assign_same(statements->items[i], statements->items[j]))
                return fault(checker, statements->lines[i],
                             "stages: this name is assigned twice; give each stage a name of its "
                             "own, so that one can be replaced");
    }
    return true;
}

static bool check_expect(const struct exercise_checker *checker)
{
    const struct exercise *exercise = checker->exercise;
    bool seen[PROTOTYPE_MAX_PARAMS + 1] = {false};
    for (unsigned i = 0; i < exercise->n_expect; i++) {
        const struct exercise_expect *expect = &exercise->expect[i];
        int at = exercise_array(exercise, expect->array);
        if (at < 0 || exercise->arrays[at].role == ROLE_IN)
            return fault(
                checker, expect->line,
                "expect: %s is not an array that the function fills (role out or inout, or "
                "result)",
                expect->array);
        if (seen[at])
            return fault(checker, expect->line, "expect: %s is there twice", expect->array);
        seen[at] = true;
    }
    for (unsigned i = 0; i < exercise->n_arrays; i++)
        if (exercise->arrays[i].role != ROLE_IN && !seen[i])
            return fault(checker, exercise->expect[0].line,
                         "expect: the value of %s after the call is missing",
                         exercise->arrays[i].name);
    return true;
}

/* ---- sizes ---- */

bool size_is_range(const char *value, unsigned *ret_low, unsigned *ret_high)
{
    static const char digits[] = "0123456789";
    size_t n_low = strspn(value, digits);
    if (n_low == 0 || n_low > 6 || strncmp(value + n_low, "..", 2) != 0)
        return false;
    const char *high = value + n_low + 2;
    size_t n_high = strspn(high, digits);
    if (n_high == 0 || n_high > 6 || high[n_high] != '\0')
        return false;
    *ret_low = (unsigned)strtoul(value, NULL, 10);
    *ret_high = (unsigned)strtoul(high, NULL, 10);
    return true;
}

/* Does the expression mention this name? */
static bool mentions(const char *expression, const char *name)
{
    for (const char *at = expression; *at != '\0';) {
        size_t size = 0;
        while (isalnum((unsigned char)at[size]) || at[size] == '_')
            size++;
        if (size > 0 && size == strlen(name) && memcmp(at, name, size) == 0)
            return true;
        at += size > 0 ? size : 1;
    }
    return false;
}

/* Does size i need one that comes after it? Then *ret is that one's index. */
static bool needs_later(const struct exercise_sizes *sizes, unsigned i, unsigned *ret)
{
    for (unsigned j = i; j < sizes->n; j++)
        if (mentions(sizes->items[i].value, sizes->items[j].name)) {
            *ret = j;
            return true;
        }
    return false;
}

/* Moves each size after those that its expression needs. */
static bool sort_sizes(const struct exercise_checker *checker, struct exercise_sizes *sizes)
{
    for (unsigned i = 0; i < sizes->n; i++) {
        unsigned later, n_moves = 0;
        while (needs_later(sizes, i, &later)) {
            if (later == i || n_moves++ == sizes->n - i)
                return fault(checker, sizes->items[i].line, "sizes: %s depends on itself",
                             sizes->items[i].name);
            struct exercise_size needed = sizes->items[later];
            memmove(&sizes->items[i + 1], &sizes->items[i], (later - i) * sizeof needed);
            sizes->items[i] = needed;
        }
    }
    return true;
}

static bool check_size(const struct exercise_checker *checker, const struct exercise_size *size)
{
    const struct param *param = find_param(checker->exercise, size->name);
    unsigned low, high;
    if (!is_name(size->name))
        return fault(checker, size->line, "sizes: '%s' can't be a name", size->name);
    if (param != NULL && param_is_pointer(param))
        return fault(checker, size->line, "sizes: %s is an array; arrays get their numbers by draw",
                     size->name);
    if (!size_is_range(size->value, &low, &high))
        return strstr(size->value, "..") == NULL ||
               fault(checker, size->line, "sizes: %s: a range is two whole numbers, such as 2..7",
                     size->name);
    if (param != NULL && param->kind != PARAM_SIZE)
        return fault(checker, size->line, "sizes: %s: only a size_t can be drawn from a range",
                     size->name);
    return low < high ||
           fault(checker, size->line, "sizes: %s: the range %s is empty or holds a single number",
                 size->name, size->value);
}

static bool has_size(const struct exercise_sizes *sizes, const char *name)
{
    for (unsigned i = 0; i < sizes->n; i++)
        if (strcmp(sizes->items[i].name, name) == 0)
            return true;
    return false;
}

static bool check_sizes(const struct exercise_checker *checker, struct exercise_sizes *sizes,
                        unsigned line)
{
    const struct prototype *prototype = &checker->exercise->prototype;
    for (unsigned i = 0; i < sizes->n; i++)
        if (!check_size(checker, &sizes->items[i]))
            return false;
    for (unsigned i = 0; i < prototype->n_params; i++) {
        const struct param *param = &prototype->params[i];
        if (!param_is_pointer(param) && !has_size(sizes, param->name))
            return fault(checker, line, "sizes: %s of the prototype is missing", param->name);
    }
    if (sizes->n > 2 * PROTOTYPE_MAX_PARAMS)
        return fault(checker, line, "sizes: there are at most %d", 2 * PROTOTYPE_MAX_PARAMS);
    return sort_sizes(checker, sizes);
}

/* ---- cases and probes ---- */

/* Rows of every kind are drawn of arrays of floats that the function is given. */
static bool check_kinds(const struct exercise_checker *checker, const struct strings *kinds)
{
    const struct exercise *exercise = checker->exercise;
    for (unsigned i = 0; i < kinds->n; i++) {
        const struct exercise_array *array = NULL;
        for (unsigned j = 0; j < exercise->n_arrays; j++)
            if (strcmp(exercise->arrays[j].name, kinds->items[i]) == 0)
                array = &exercise->arrays[j];
        int param = prototype_param(&exercise->prototype, kinds->items[i], strlen(kinds->items[i]));
        if (array == NULL || array->role == ROLE_OUT || array->shape.n == 0 || param < 0 ||
            exercise->prototype.params[param].kind == PARAM_BOOLS)
            return fault(checker, kinds->lines[i],
                         "kinds: %s is not an input array of floats with an axis", kinds->items[i]);
    }
    return true;
}

static bool check_cases(const struct exercise_checker *checker, struct exercise_case *cases,
                        unsigned n_cases)
{
    for (unsigned i = 0; i < n_cases; i++) {
        struct exercise_case *one = &cases[i];
        if (one->repeat < 1 || one->repeat > 100)
            return fault(checker, one->line, "repeat: 1 to 100 is expected");
        for (unsigned j = 0; j < i; j++)
            if (strcmp(cases[j].name, one->name) == 0)
                return fault(checker, one->line, "the name '%s' is taken, by line %u", one->name,
                             cases[j].line);
        if (!check_sizes(checker, &one->sizes, one->line) || !check_kinds(checker, &one->kinds))
            return false;
    }
    return true;
}

static bool has_stage(const struct exercise *exercise, const char *name)
{
    for (unsigned i = 0; i < exercise->stages.n; i++) {
        const char *target = "";
        size_t size = statement_target(exercise->stages.items[i], &target);
        if (text_equals(target, size, name))
            return true;
    }
    return false;
}

static bool check_probes(const struct exercise_checker *checker)
{
    const struct exercise *exercise = checker->exercise;
    for (unsigned i = 0; i < exercise->n_probes; i++) {
        const struct exercise_case *probe = &exercise->probes[i];
        if (!has_stage(exercise, probe->stage))
            return fault(checker, probe->line, "probes: there is no stage called %s", probe->stage);
    }
    return check_cases(checker, exercise->probes, exercise->n_probes);
}

/* ---- misconceptions ---- */

static bool check_replaced_stages(const struct exercise_checker *checker,
                                  const struct misconception *idea)
{
    const struct strings *stages = &idea->stages;
    if (!check_assignments(checker, stages))
        return false;
    for (unsigned i = 0; i < stages->n; i++) {
        int stage = exercise_stage(checker->exercise, stages->items[i]);
        if (stage >= 0 && strcmp(checker->exercise->stages.items[stage], stages->items[i]) == 0)
            return fault(checker, stages->lines[i],
                         "misconception %s: this is the stage as it should be", idea->id);
        if (stage < 0 && i + 1 == stages->n)
            return fault(checker, stages->lines[i],
                         "misconception %s: this replaces no stage of the exercise", idea->id);
    }
    return true;
}

/* A lesson is named as scaling#variance. */
static bool is_lesson(const char *text)
{
    const char *step = strchr(text, '#');
    return islower((unsigned char)text[0]) && step != NULL && step[1] != '\0';
}

/* Options that let a compiler do more, and no others. */
static bool check_faster_with(const struct exercise_checker *checker,
                              const struct misconception *idea)
{
    const struct strings *options = &idea->faster_with;
    if (options->n == 0)
        return true;
    if (idea->verdict == NULL || strcmp(idea->verdict, verdict_name(VERDICT_TOO_SLOW)) != 0)
        return fault(checker, idea->line,
                     "misconception %s: faster_with needs \"verdict: too_slow\"", idea->id);
    if (options->n > MAX_OPTIONS)
        return fault(checker, idea->line, "misconception %s: faster_with: at most %d options",
                     idea->id, MAX_OPTIONS);
    for (unsigned i = 0; i < options->n; i++)
        if (strncmp(options->items[i], "-f", 2) != 0)
            return fault(checker, options->lines[i],
                         "misconception %s: faster_with: options that begin with -f are expected",
                         idea->id);
    return true;
}

static bool check_misconception(const struct exercise_checker *checker,
                                const struct misconception *idea)
{
    enum verdict verdict;
    if (!is_id(idea->id))
        return fault(checker, idea->line, "id: small letters, digits and hyphens are expected");
    if ((idea->stages.n > 0) == (idea->verdict != NULL))
        return fault(checker, idea->line, "misconception %s: stages or a verdict is expected%s",
                     idea->id, idea->verdict != NULL ? ", not both" : "");
    if (idea->verdict != NULL && !verdict_from_name(idea->verdict, &verdict))
        return fault(checker, idea->line, "misconception %s: there is no verdict %s", idea->id,
                     idea->verdict);
    if (!check_faster_with(checker, idea))
        return false;
    if (!is_lesson(idea->lesson))
        return fault(checker, idea->line,
                     "misconception %s: lesson: its id and a step are expected, such as "
                     "scaling#variance",
                     idea->id);
    return check_replaced_stages(checker, idea);
}

static bool check_misconceptions(const struct exercise_checker *checker)
{
    const struct exercise *exercise = checker->exercise;
    for (unsigned i = 0; i < exercise->n_misconceptions; i++) {
        const struct misconception *idea = &exercise->misconceptions[i];
        for (unsigned j = 0; j < i; j++)
            if (strcmp(exercise->misconceptions[j].id, idea->id) == 0)
                return fault(checker, idea->line, "the id %s is taken, by line %u", idea->id,
                             exercise->misconceptions[j].line);
        if (!check_misconception(checker, idea))
            return false;
    }
    return true;
}

static bool check_speed(const struct exercise_checker *checker)
{
    struct exercise_speed *speed = checker->exercise->speed;
    if (speed == NULL)
        return true;
    if (speed->rounds < 10 || speed->rounds > 1000) /* fewer tell too little: judge/median.h */
        return fault(checker, speed->timed.line, "speed: rounds: 10 to 1000 is expected");
    if (speed->ratio <= 0)
        return fault(checker, speed->timed.line, "speed: ratio: a number above 0 is expected");
    if (strchr(speed->plain, '/') != NULL)
        return fault(checker, speed->timed.line,
                     "speed: plain: the name of a file in the exercise's folder is expected");
    for (unsigned i = 1; i < speed->steps.n; i++)
        if (!(speed->steps.items[i] > speed->steps.items[i - 1]))
            return fault(checker, speed->timed.line,
                         "speed: steps: each is larger than the one before");
    for (unsigned i = 0; i < speed->n_ladder; i++)
        if (strchr(speed->ladder[i].file, '/') != NULL)
            return fault(checker, speed->ladder[i].line,
                         "speed: ladder: file: the name of a file in the proof's folder ladder/ is "
                         "expected");
    return check_sizes(checker, &speed->timed.sizes, speed->timed.line);
}

bool exercise_check(struct exercise *exercise, struct error *reterr)
{
    struct exercise_checker checker = {exercise, reterr};
    return check_name(&checker) && check_arrays(&checker) &&
           check_assignments(&checker, &exercise->stages) && check_expect(&checker) &&
           check_cases(&checker, exercise->cases, exercise->n_cases) && check_probes(&checker) &&
           check_misconceptions(&checker) && check_speed(&checker);
}
