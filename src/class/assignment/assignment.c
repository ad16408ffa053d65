/* The keys of assignment.yaml: see assignment.h. */
#include "assignment/assignment.h"

#include <string.h>

#include "base/array.h"
#include "files/clock.h"
#include "files/file.h"
#include "files/yaml.h"
#include "sandbox/limits.h"

enum {
    NEEDED = true,
    OPTIONAL = false,
    FILE_MAX_BYTES = 1 << 20,
    MAX_POINTS = 100000,
    ANY_DAYS = 36500,
    MAX_GRACE_MINUTES = ANY_DAYS * 24 * 60,
};

static bool read_choice(struct yaml *yaml, yaml_value value, const char *const *names, size_t n,
                        const char *wanted, size_t *ret)
{
    char *text;
    if (!yaml_read_text(yaml, value, &text))
        return false;
    for (size_t i = 0; i < n; i++)
        if (strcmp(text, names[i]) == 0) {
            *ret = i;
            return true;
        }
    return yaml_fault(yaml, yaml_line(value), "%s is expected", wanted);
}

static bool read_time_source(struct yaml *yaml, yaml_value value, void *ret)
{
    static const char *const names[] = {
        [TIME_OF_FILE] = "file", [TIME_OF_COMMIT] = "git", [TIME_IN_NAME] = "name"};
    size_t choice = 0;
    if (!read_choice(yaml, value, names, COUNT_OF(names), "file, git or name", &choice))
        return false;
    *(enum time_source *)ret = (enum time_source)choice;
    return true;
}

static bool read_keeps_last(struct yaml *yaml, yaml_value value, void *ret)
{
    static const char *const names[] = {"best", "last"};
    size_t choice = 0;
    if (!read_choice(yaml, value, names, COUNT_OF(names), "best or last", &choice))
        return false;
    *(bool *)ret = choice == 1;
    return true;
}

static bool read_date(struct yaml *yaml, yaml_value value, void *ret)
{
    char *text;
    return yaml_read_text(yaml, value, &text) &&
           (date_read(text, ret) ||
            yaml_fault(yaml, yaml_line(value),
                       "a date is expected, such as 2026-03-01 23:59 +01:00"));
}

static bool read_late(struct yaml *yaml, yaml_value value, void *ret)
{
    struct late_rule *late = ret;
    const struct yaml_field fields[] = {
        {"minutes_of_grace", yaml_read_number, &late->grace_minutes, OPTIONAL},
        {"percent_a_day", yaml_read_number, &late->percent_a_day, OPTIONAL},
        {"days", yaml_read_whole, &late->days, OPTIONAL},
    };
    if (!yaml_read_fields(yaml, value, "the rule for late work", fields, COUNT_OF(fields)))
        return false;
    if (late->grace_minutes > MAX_GRACE_MINUTES)
        return yaml_fault(yaml, yaml_line(value), "minutes_of_grace: at most %d is expected",
                          MAX_GRACE_MINUTES);
    return late->percent_a_day <= 100 ||
           yaml_fault(yaml, yaml_line(value), "percent_a_day: at most 100 is expected");
}

static bool read_files_a_student(struct yaml *yaml, yaml_value value, void *ret)
{
    return yaml_read_whole(yaml, value, ret) &&
           (*(unsigned *)ret > 0 || yaml_fault(yaml, yaml_line(value), "at least 1 is expected"));
}

static bool read_shows(struct yaml *yaml, yaml_value value, void *ret)
{
    struct assignment *assignment = ret;
    const struct yaml_field fields[] = {
        {"inputs", yaml_read_flag, &assignment->shows_inputs, OPTIONAL},
    };
    return yaml_read_fields(yaml, value, "what students see", fields, COUNT_OF(fields));
}

/* ---- points ---- */

static bool read_group_points(struct yaml *yaml, yaml_value key, yaml_value value, void *context)
{
    struct assignment_exercise *one = context;
    enum case_group group;
    char *name;
    if (!yaml_read_text(yaml, key, &name))
        return false;
    if (!case_group_from_name(name, &group))
        return yaml_fault(yaml, yaml_line(key), "%s: basics, stability, sizes or speed is expected",
                          name);
    return yaml_read_number(yaml, value, &one->points[group]);
}

/* One number, or one for each group. */
static bool read_points(struct yaml *yaml, yaml_value value, void *ret)
{
    struct assignment_exercise *one = ret;
    one->by_group = value->type == YAML_MAPPING_NODE;
    bool ok = one->by_group ? yaml_read_pairs(yaml, value, read_group_points, one)
                            : yaml_read_number(yaml, value, &one->points[0]);
    if (ok && assignment_max_points(one) > MAX_POINTS)
        return yaml_fault(yaml, yaml_line(value), "at most %d is expected", MAX_POINTS);
    return ok;
}

static bool read_exercise(struct yaml *yaml, yaml_value value, void *ret)
{
    struct assignment_exercise *one = ret;
    const struct yaml_field fields[] = {
        {"id", yaml_read_text, &one->id, NEEDED},
        {"points", read_points, one, OPTIONAL},
        {"all_or_nothing", yaml_read_flag, &one->all_or_nothing, OPTIONAL},
        {"file", yaml_read_text, &one->file, OPTIONAL},
    };
    one->points[0] = -1; /* as many as the exercise gives */
    one->line = yaml_line(value);
    return yaml_read_fields(yaml, value, "an exercise", fields, COUNT_OF(fields));
}

static bool read_exercises(struct yaml *yaml, yaml_value value, void *ret)
{
    struct assignment *assignment = ret;
    void *items;
    if (!yaml_read_list(yaml, value, read_exercise, sizeof *assignment->exercises, &items,
                        &assignment->n_exercises))
        return false;
    assignment->exercises = items;
    return true;
}

/* ---- the exercises' own rules ---- */

static bool has_cases(const struct exercise *exercise, enum case_group group)
{
    if (group == GROUP_SPEED)
        return exercise->speed != NULL;
    for (unsigned i = 0; i < exercise->n_cases; i++)
        if (exercise->cases[i].group == group)
            return true;
    return false;
}

static bool check_groups(struct yaml *yaml, const struct assignment_exercise *one)
{
    for (int i = 0; one->by_group && i < N_CASE_GROUPS; i++)
        if (one->points[i] > 0 && !has_cases(one->exercise, (enum case_group)i))
            return yaml_fault(yaml, one->line, "points: %s has no cases of the group %s", one->id,
                              case_group_name((enum case_group)i));
    return true;
}

static bool find_exercise(struct yaml *yaml, const struct exercises *exercises,
                          struct assignment_exercise *one)
{
    for (size_t i = 0; i < exercises->n && one->exercise == NULL; i++)
        if (strcmp(exercises->items[i]->id, one->id) == 0)
            one->exercise = exercises->items[i];
    if (one->exercise == NULL) {
        const char *near = exercises_suggest(exercises, one->id);
        return yaml_fault(yaml, one->line, "id: %s: no exercise has this id%s%s%s", one->id,
                          near != NULL ? "; did you mean " : "", near != NULL ? near : "",
                          near != NULL ? "?" : "; attn exercises lists them");
    }
    if (!one->by_group && one->points[0] < 0)
        one->points[0] = one->exercise->score;
    else if (one->by_group && one->points[0] < 0)
        one->points[0] = 0;
    return check_groups(yaml, one);
}

static bool check_exercises(struct yaml *yaml, const struct exercises *exercises,
                            struct assignment *assignment)
{
    yaml->key = NULL;
    for (unsigned i = 0; i < assignment->n_exercises; i++) {
        struct assignment_exercise *one = &assignment->exercises[i];
        for (unsigned j = 0; j < i; j++)
            if (strcmp(assignment->exercises[j].id, one->id) == 0)
                return yaml_fault(yaml, one->line, "id: %s stands twice", one->id);
        if (!find_exercise(yaml, exercises, one))
            return false;
    }
    return true;
}

static bool read_assignment(struct yaml *yaml, yaml_value root, struct assignment *assignment)
{
    const struct yaml_field fields[] = {
        {"title", yaml_read_text, &assignment->title, OPTIONAL},
        {"exercises", read_exercises, assignment, NEEDED},
        {"due", read_date, &assignment->due_s, OPTIONAL},
        {"late", read_late, &assignment->late, OPTIONAL},
        {"time", read_time_source, &assignment->time, OPTIONAL},
        {"duplicates", read_keeps_last, &assignment->keeps_last, OPTIONAL},
        {"shows", read_shows, assignment, OPTIONAL},
        {"files_a_student", read_files_a_student, &assignment->files_a_student, OPTIONAL},
    };
    return yaml_read_fields(yaml, root, "an assignment", fields, COUNT_OF(fields));
}

static bool load(struct assignment *assignment, const char *path, const struct exercises *exercises,
                 struct error *reterr)
{
    struct text text = {0};
    struct yaml yaml;
    yaml_value root;
    assignment->path = arena_copy(&assignment->arena, path, strlen(path));
    if (assignment->path == NULL)
        return error_memory(reterr, "the assignment");
    if (!file_read_text(path, FILE_MAX_BYTES, &text, reterr)) {
        text_release(&text);
        return false;
    }
    bool ok = yaml_open(&yaml, assignment->path, text_string(&text), text.size, &assignment->arena,
                        &root, reterr);
    if (ok) {
        ok = read_assignment(&yaml, root, assignment) &&
             check_exercises(&yaml, exercises, assignment);
        yaml_close(&yaml);
    }
    text_release(&text);
    return ok;
}

bool assignment_load(const char *path, const struct exercises *exercises, struct assignment *ret,
                     struct error *reterr)
{
    /* Without a rule, late work is called late and loses nothing. */
    struct assignment assignment = {.late.days = ANY_DAYS, .files_a_student = limits_default.files};
    if (!load(&assignment, path, exercises, reterr)) {
        assignment_release(&assignment);
        return false;
    }
    *ret = assignment;
    return true;
}

void assignment_release(struct assignment *assignment)
{
    arena_release(&assignment->arena);
    *assignment = (struct assignment){0};
}

const struct assignment_exercise *assignment_find(const struct assignment *assignment,
                                                  const char *id)
{
    for (unsigned i = 0; i < assignment->n_exercises; i++)
        if (strcmp(assignment->exercises[i].id, id) == 0)
            return &assignment->exercises[i];
    return NULL;
}

double assignment_max_points(const struct assignment_exercise *exercise)
{
    double points = 0;
    for (int i = 0; i < N_CASE_GROUPS; i++)
        points += exercise->points[i] > 0 ? exercise->points[i] : 0;
    return points;
}
