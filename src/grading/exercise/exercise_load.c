/* An exercise from its folder: see exercise.h. */
#include <string.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "files/yaml.h"
#include "exercise/exercise_check_internal.h"
#include "files/file.h"
#include "exercise/exercise.h"

/* ---- exercise schema ---- */

/* From exercise.yaml to a struct exercise: the keys of a file, and the kind of value of each.
 * Private to exercise.c. */

enum { NEEDED = true, OPTIONAL = false };

/* ---- small values ---- */

struct line_text {
    char *text;
    unsigned line;
};

static bool read_line_text(struct yaml *yaml, yaml_value value, void *ret)
{
    struct line_text *item = ret;
    item->line = yaml_line(value);
    return yaml_read_text(yaml, value, &item->text);
}

static bool read_texts(struct yaml *yaml, yaml_value value, void *ret)
{
    struct strings strings;
    void *list;
    if (!yaml_read_list(yaml, value, read_line_text, sizeof(struct line_text), &list, &strings.n))
        return false;
    const struct line_text *items = list;
    strings.items = arena_take(yaml->arena, strings.n * sizeof *strings.items);
    strings.lines = arena_take(yaml->arena, strings.n * sizeof *strings.lines);
    if (strings.items == NULL || strings.lines == NULL)
        return error_memory(yaml->reterr, yaml->path);
    for (unsigned i = 0; i < strings.n; i++) {
        strings.items[i] = items[i].text;
        strings.lines[i] = items[i].line;
    }
    *(struct strings *)ret = strings;
    return true;
}

/* [n_q, d_k], or [] for a single number. */
static bool read_shape(struct yaml *yaml, yaml_value value, void *ret)
{
    bool is_empty = value->type == YAML_SEQUENCE_NODE && yaml_count(value) == 0;
    return is_empty || read_texts(yaml, value, ret);
}

static bool read_role(struct yaml *yaml, yaml_value value, void *ret)
{
    static const char *const names[] = {
        [ROLE_IN] = "in", [ROLE_OUT] = "out", [ROLE_INOUT] = "inout"};
    char *text;
    if (!yaml_read_text(yaml, value, &text))
        return false;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(text, names[i]) == 0) {
            *(enum role *)ret = (enum role)i;
            return true;
        }
    return yaml_fault(yaml, yaml_line(value), "in, out or inout is expected");
}

static bool read_prototype(struct yaml *yaml, yaml_value value, void *ret)
{
    char *text;
    struct error error;
    if (!yaml_read_text(yaml, value, &text))
        return false;
    yaml->key = NULL; /* which the message begins with itself */
    return prototype_parse(text, ret, &error) ||
           yaml_fault(yaml, yaml_line(value), "%s", error.text);
}

static bool read_size(struct yaml *yaml, yaml_value key, yaml_value value, void *context)
{
    struct exercise_sizes *sizes = context;
    struct exercise_size *size = &sizes->items[sizes->n++];
    size->line = yaml_line(key);
    return yaml_read_text(yaml, key, &size->name) && yaml_read_text(yaml, value, &size->value);
}

static bool read_sizes(struct yaml *yaml, yaml_value value, void *ret)
{
    struct exercise_sizes *sizes = ret;
    sizes->items = arena_take(yaml->arena, (yaml_count(value) + 1) * sizeof *sizes->items);
    if (sizes->items == NULL)
        return error_memory(yaml->reterr, yaml->path);
    return yaml_read_pairs(yaml, value, read_size, sizes);
}

/* ---- parts of an exercise: each notes its line and reads its fields ---- */

static bool read_array(struct yaml *yaml, yaml_value value, void *ret)
{
    struct exercise_array *array = ret;
    const struct yaml_field fields[] = {
        {"name", yaml_read_text, &array->name, NEEDED},
        {"shape", read_shape, &array->shape, NEEDED},
        {"role", read_role, &array->role, OPTIONAL},
        {"optional", yaml_read_flag, &array->optional, OPTIONAL},
        {"limited", yaml_read_flag, &array->limited, OPTIONAL},
    };
    array->line = yaml_line(value);
    return yaml_read_fields(yaml, value, "an array", fields, COUNT_OF(fields));
}

static bool read_expect(struct yaml *yaml, yaml_value value, void *ret)
{
    struct exercise_expect *expect = ret;
    const struct yaml_field fields[] = {
        {"array", yaml_read_text, &expect->array, NEEDED},
        {"is", yaml_read_text, &expect->is, NEEDED},
        {"scale", yaml_read_text, &expect->scale, OPTIONAL},
    };
    expect->line = yaml_line(value);
    return yaml_read_fields(yaml, value, "an expected array", fields, COUNT_OF(fields));
}

static bool read_tolerance(struct yaml *yaml, yaml_value value, void *ret)
{
    struct exercise_tolerance *tolerance = ret;
    const struct yaml_field fields[] = {
        {"relative", yaml_read_number, &tolerance->relative, NEEDED},
        {"absolute", yaml_read_number, &tolerance->absolute, NEEDED},
        {"reason", yaml_read_text, &tolerance->reason, NEEDED},
    };
    return yaml_read_fields(yaml, value, "the tolerance", fields, COUNT_OF(fields));
}

static bool read_group(struct yaml *yaml, yaml_value value, void *ret)
{
    char *text;
    return yaml_read_text(yaml, value, &text) &&
           (case_group_from_name(text, ret) ||
            yaml_fault(yaml, yaml_line(value), "basics, stability or sizes is expected"));
}

static bool read_case(struct yaml *yaml, yaml_value value, void *ret)
{
    struct exercise_case *one = ret;
    const struct yaml_field fields[] = {
        {"name", yaml_read_text, &one->name, NEEDED},
        {"group", read_group, &one->group, OPTIONAL},
        {"sizes", read_sizes, &one->sizes, NEEDED},
        {"kinds", read_texts, &one->kinds, OPTIONAL},
        {"draw", read_texts, &one->draw, OPTIONAL},
        {"repeat", yaml_read_whole, &one->repeat, OPTIONAL},
        {"memory_kib", yaml_read_text, &one->memory_kib, OPTIONAL},
    };
    one->repeat = 1;
    one->line = yaml_line(value);
    return yaml_read_fields(yaml, value, "a case", fields, COUNT_OF(fields));
}

static bool read_probe(struct yaml *yaml, yaml_value value, void *ret)
{
    struct exercise_case *probe = ret;
    const struct yaml_field fields[] = {
        {"stage", yaml_read_text, &probe->stage, NEEDED},
        {"name", yaml_read_text, &probe->name, NEEDED},
        {"sizes", read_sizes, &probe->sizes, NEEDED},
        {"draw", read_texts, &probe->draw, OPTIONAL},
        {"repeat", yaml_read_whole, &probe->repeat, OPTIONAL},
    };
    probe->repeat = 1;
    probe->line = yaml_line(value);
    return yaml_read_fields(yaml, value, "a probe", fields, COUNT_OF(fields));
}

static bool read_misconception(struct yaml *yaml, yaml_value value, void *ret)
{
    struct misconception *idea = ret;
    const struct yaml_field fields[] = {
        {"id", yaml_read_text, &idea->id, NEEDED},
        {"stages", read_texts, &idea->stages, OPTIONAL},
        {"verdict", yaml_read_text, &idea->verdict, OPTIONAL},
        {"faster_with", read_texts, &idea->faster_with, OPTIONAL},
        {"ask", yaml_read_text, &idea->ask, NEEDED},
        {"stage", yaml_read_text, &idea->stage, NEEDED},
        {"math", yaml_read_text, &idea->math, NEEDED},
        {"lesson", yaml_read_text, &idea->lesson, NEEDED},
    };
    idea->line = yaml_line(value);
    return yaml_read_fields(yaml, value, "a misconception", fields, COUNT_OF(fields));
}

static bool read_word(struct yaml *yaml, yaml_value value, void *ret)
{
    struct exercise_word *word = ret;
    const struct yaml_field fields[] = {
        {"word", yaml_read_text, &word->word, NEEDED},
        {"say", yaml_read_text, &word->say, NEEDED},
    };
    return yaml_read_fields(yaml, value, "a word", fields, COUNT_OF(fields));
}

static bool read_mutation(struct yaml *yaml, yaml_value value, void *ret)
{
    struct exercise_mutation *mutation = ret;
    const struct yaml_field fields[] = {
        {"edit", yaml_read_text, &mutation->edit, NEEDED},
        {"statement", yaml_read_text, &mutation->statement, OPTIONAL},
        {"reason", yaml_read_text, &mutation->reason, NEEDED},
    };
    mutation->line = yaml_line(value);
    return yaml_read_fields(yaml, value, "a mutation", fields, COUNT_OF(fields));
}

static bool read_rung(struct yaml *yaml, yaml_value value, void *ret)
{
    struct exercise_rung *rung = ret;
    const struct yaml_field fields[] = {
        {"file", yaml_read_text, &rung->file, NEEDED},
        {"title", yaml_read_text, &rung->title, NEEDED},
        {"because", yaml_read_text, &rung->because, NEEDED},
        {"bytes", yaml_read_text, &rung->bytes, NEEDED},
    };
    rung->line = yaml_line(value);
    return yaml_read_fields(yaml, value, "a rung", fields, COUNT_OF(fields));
}

static bool read_ladder(struct yaml *yaml, yaml_value value, void *ret)
{
    struct exercise_speed *speed = ret;
    void *rungs = NULL;
    bool ok =
        yaml_read_list(yaml, value, read_rung, sizeof *speed->ladder, &rungs, &speed->n_ladder);
    speed->ladder = rungs;
    return ok;
}

static bool read_steps(struct yaml *yaml, yaml_value value, void *ret)
{
    struct numbers *steps = ret;
    void *items = NULL;
    bool ok =
        yaml_read_list(yaml, value, yaml_read_number, sizeof *steps->items, &items, &steps->n);
    steps->items = items;
    return ok;
}

static bool read_speed(struct yaml *yaml, yaml_value value, void *ret)
{
    static const char name[] = "speed";
    struct exercise_speed *speed = arena_take(yaml->arena, sizeof *speed);
    char *timed_name = arena_take(yaml->arena, sizeof name);
    if (speed == NULL || timed_name == NULL)
        return error_memory(yaml->reterr, yaml->path);
    const struct yaml_field fields[] = {
        {"plain", yaml_read_text, &speed->plain, NEEDED},
        {"ratio", yaml_read_number, &speed->ratio, NEEDED},
        {"rounds", yaml_read_whole, &speed->rounds, NEEDED},
        {"sizes", read_sizes, &speed->timed.sizes, NEEDED},
        {"draw", read_texts, &speed->timed.draw, OPTIONAL},
        {"reason", yaml_read_text, &speed->reason, NEEDED},
        {"kernel", yaml_read_text, &speed->kernel, OPTIONAL},
        {"steps", read_steps, &speed->steps, OPTIONAL},
        {"ladder", read_ladder, speed, OPTIONAL},
    };
    speed->timed.name = memcpy(timed_name, name, sizeof name);
    speed->timed.repeat = 1;
    speed->timed.group = GROUP_SPEED;
    speed->timed.line = yaml_line(value);
    *(struct exercise_speed **)ret = speed;
    return yaml_read_fields(yaml, value, "speed", fields, COUNT_OF(fields));
}

/* ---- lists of them ---- */

#define LIST_READER(name, read_one, type)                                                 \
    static bool name(struct yaml *yaml, yaml_value value, void *ret)                      \
    {                                                                                     \
        struct list_target *list = ret;                                                   \
        return yaml_read_list(yaml, value, read_one, sizeof(type), list->items, list->n); \
    }

/* The place for a list. */
struct list_target {
    void **items;
    unsigned *n;
};

LIST_READER(read_arrays, read_array, struct exercise_array)

LIST_READER(read_expects, read_expect, struct exercise_expect)

LIST_READER(read_cases, read_case, struct exercise_case)

LIST_READER(read_probes, read_probe, struct exercise_case)

LIST_READER(read_misconceptions, read_misconception, struct misconception)

LIST_READER(read_mutations, read_mutation, struct exercise_mutation)

LIST_READER(read_words, read_word, struct exercise_word)

static bool read_exercise(struct yaml *yaml, yaml_value root, struct exercise *exercise)
{
    void *arrays = NULL, *expect = NULL, *cases = NULL, *probes = NULL, *misconceptions = NULL,
         *forbid = NULL, *require = NULL, *mutations = NULL;
    const struct yaml_field fields[] = {
        {"id", yaml_read_text, &exercise->id, NEEDED},
        {"number", yaml_read_whole, &exercise->number, NEEDED},
        {"title", yaml_read_text, &exercise->title, NEEDED},
        {"minutes", yaml_read_whole, &exercise->minutes, NEEDED},
        {"score", yaml_read_whole, &exercise->score, OPTIONAL},
        {"prototype", read_prototype, &exercise->prototype, NEEDED},
        {"arrays", read_arrays, &(struct list_target){&arrays, &exercise->n_arrays}, NEEDED},
        {"draw", read_texts, &exercise->draw, OPTIONAL},
        {"stages", read_texts, &exercise->stages, NEEDED},
        {"expect", read_expects, &(struct list_target){&expect, &exercise->n_expect}, NEEDED},
        {"tolerance", read_tolerance, &exercise->tolerance, NEEDED},
        {"cases", read_cases, &(struct list_target){&cases, &exercise->n_cases}, NEEDED},
        {"probes", read_probes, &(struct list_target){&probes, &exercise->n_probes}, OPTIONAL},
        {"hints", read_texts, &exercise->hints, NEEDED},
        {"misconceptions", read_misconceptions,
         &(struct list_target){&misconceptions, &exercise->n_misconceptions}, OPTIONAL},
        {"forbid", read_words, &(struct list_target){&forbid, &exercise->n_forbid}, OPTIONAL},
        {"require", read_words, &(struct list_target){&require, &exercise->n_require}, OPTIONAL},
        {"mutations", read_mutations, &(struct list_target){&mutations, &exercise->n_mutations},
         OPTIONAL},
        {"speed", read_speed, &exercise->speed, OPTIONAL},
    };
    exercise->score = 10;
    bool ok = yaml_read_fields(yaml, root, "an exercise", fields, COUNT_OF(fields));
    exercise->arrays = arrays;
    exercise->expect = expect;
    exercise->cases = cases;
    exercise->probes = probes;
    exercise->misconceptions = misconceptions;
    exercise->forbid = forbid;
    exercise->require = require;
    exercise->mutations = mutations;
    return ok;
}

/* Fills in all fields that text[0..size) gives; the strings read lie in exercise->arena.
 * exercise->path is already set. */
static bool exercise_read_yaml(struct exercise *exercise, const char *text, size_t size,
                               struct error *reterr)
{
    struct yaml yaml;
    yaml_value root;
    if (!yaml_open(&yaml, exercise->path, text, size, &exercise->arena, &root, reterr))
        return false;
    bool ok = read_exercise(&yaml, root, exercise);
    yaml_close(&yaml);
    return ok;
}

/* ---- exercise load ---- */

enum { FILE_MAX_BYTES = 1 << 20 }; /* far beyond any exercise; a wrong folder is not read whole */

static char *join_path(struct exercise *exercise, const char *folder, const char *name)
{
    size_t size = strlen(folder) + 1 + strlen(name) + 1;
    char *path = arena_take(&exercise->arena, size);
    if (path != NULL)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

/* All bytes of a file, in the arena and with a NUL after them. */
static bool read_file(struct exercise *exercise, const char *path, char **ret, size_t *ret_size,
                      struct error *reterr)
{
    struct text text = {0};
    if (path == NULL)
        return error_memory(reterr, "an exercise");
    if (access(path, F_OK) != 0)
        return error_set(reterr, ERR_FILE, "%s: %s; an exercise needs this file", path,
                         strerror(errno));
    if (!file_read_text(path, FILE_MAX_BYTES, &text, reterr))
        return false;
    char *copy = arena_copy(&exercise->arena, text_string(&text), text.size);
    *ret_size = text.size;
    text_release(&text);
    if (copy == NULL)
        return error_memory(reterr, path);
    *ret = copy;
    return true;
}

static bool read_part(struct exercise *exercise, const char *name, char **ret, struct error *reterr)
{
    size_t size;
    return read_file(exercise, join_path(exercise, exercise->folder, name), ret, &size, reterr);
}

/* "a/b/04-softmax-rows/" as its folder's path and name. */
static bool name_folder(struct exercise *exercise, const char *folder, struct error *reterr)
{
    size_t size = strlen(folder);
    while (size > 1 && folder[size - 1] == '/')
        size--;
    exercise->folder = arena_copy(&exercise->arena, folder, size);
    if (exercise->folder == NULL)
        return error_memory(reterr, folder);
    const char *name = path_base_name(exercise->folder);
    exercise->folder_name = arena_copy(&exercise->arena, name, strlen(name));
    return exercise->folder_name != NULL || error_memory(reterr, folder);
}

/* softmax-rows as softmax_rows.c */
static bool name_starter(struct exercise *exercise, struct error *reterr)
{
    size_t size = strlen(exercise->id);
    char *name = arena_take(&exercise->arena, size + sizeof ".c");
    if (name == NULL)
        return error_memory(reterr, exercise->path);
    for (size_t i = 0; i < size; i++)
        name[i] = exercise->id[i] == '-' ? '_' : exercise->id[i];
    memcpy(name + size, ".c", sizeof ".c");
    exercise->starter_name = name;
    return true;
}

/* The parts are told apart by their sizes. */
static bool note_digest(struct exercise *exercise, const char *yaml, size_t yaml_size,
                        struct error *reterr)
{
    const char *plain = exercise->plain != NULL ? exercise->plain : "";
    struct text all = {0};
    text_format(&all, "%zu %zu %zu\n", yaml_size, strlen(exercise->starter), strlen(plain));
    text_add(&all, yaml, yaml_size);
    text_put(&all, exercise->starter);
    text_put(&all, plain);
    bool ok = !all.failed || error_memory(reterr, exercise->path);
    if (ok)
        digest_of(text_string(&all), all.size, exercise->digest);
    text_release(&all);
    return ok;
}

static bool load(struct exercise *exercise, const char *folder, struct error *reterr)
{
    char *yaml = NULL;
    size_t size = 0;
    if (!name_folder(exercise, folder, reterr))
        return false;
    exercise->path = join_path(exercise, exercise->folder, "exercise.yaml");
    return read_file(exercise, exercise->path, &yaml, &size, reterr) &&
           exercise_read_yaml(exercise, yaml, size, reterr) && exercise_check(exercise, reterr) &&
           name_starter(exercise, reterr) &&
           read_part(exercise, exercise->starter_name, &exercise->starter, reterr) &&
           read_part(exercise, "task.md", &exercise->task, reterr) &&
           (exercise->speed == NULL ||
            read_part(exercise, exercise->speed->plain, &exercise->plain, reterr)) &&
           note_digest(exercise, yaml, size, reterr);
}

bool exercise_load(const char *folder, struct exercise **ret, struct error *reterr)
{
    struct exercise *exercise = calloc(1, sizeof *exercise);
    if (exercise == NULL)
        return error_memory(reterr, folder);
    if (!load(exercise, folder, reterr)) {
        exercise_free(exercise);
        return false;
    }
    *ret = exercise;
    return true;
}
