/* Settling: see settle_internal.h. */
#include "assignment/settle_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assignment/class_index.h"
#include "base/array.h"

/* ---- points ---- */

static double rounded_down(double points)
{
    return floor(points * 100 + 1e-6) / 100;
}

static bool may_earn_a_part(enum verdict verdict)
{
    return verdict == VERDICT_WRONG_ANSWER || verdict == VERDICT_NON_FINITE ||
           verdict == VERDICT_TOO_SLOW;
}

/* All cases that an exercise has in a group, whether they were run or not. */
static unsigned count_cases(const struct exercise *exercise, enum case_group group)
{
    unsigned n = group == GROUP_SPEED && exercise->speed != NULL ? 1 : 0;
    for (unsigned i = 0; i < exercise->n_cases; i++)
        n += exercise->cases[i].group == group ? exercise_case_results(&exercise->cases[i]) : 0;
    return n;
}

static unsigned count_earned(const struct result *result, enum case_group group)
{
    unsigned n = 0;
    for (size_t i = 0; i < result->n_cases; i++)
        n += result->cases[i].group == group && result->cases[i].earns;
    return n;
}

static double points_of_group(const struct assignment_exercise *exercise,
                              const struct result *result, enum case_group group)
{
    unsigned n_all = count_cases(exercise->exercise, group);
    unsigned n_earned = count_earned(result, group);
    return n_all > 0 ? exercise->points[group] * fmin(1, (double)n_earned / (double)n_all) : 0;
}

double assignment_points(const struct assignment_exercise *exercise, const struct result *result)
{
    double points = 0;
    if (result->verdict == VERDICT_PASS)
        return assignment_max_points(exercise);
    if (exercise->all_or_nothing || !may_earn_a_part(result->verdict))
        return 0;
    if (!exercise->by_group)
        return result->judged_max_score > 0
                   ? rounded_down(exercise->points[0] * result->judged_score /
                                  result->judged_max_score)
                   : 0;
    for (int i = 0; i < N_CASE_GROUPS; i++)
        points += points_of_group(exercise, result, (enum case_group)i);
    return rounded_down(points);
}

unsigned late_days(const struct assignment *assignment, int64_t due_s, int64_t submitted_s)
{
    enum { DAY_S = 24 * 60 * 60, MAX_DAYS = 100000 };
    double late_s = (double)(submitted_s - due_s);
    if (due_s == 0 || submitted_s == 0 || late_s <= assignment->late.grace_minutes * 60)
        return 0;
    return (unsigned)fmin(ceil(late_s / DAY_S), MAX_DAYS);
}

double late_points(const struct late_rule *rule, unsigned days, double points)
{
    if (days == 0)
        return points;
    double share = 1 - rule->percent_a_day * days / 100;
    return days > rule->days || share <= 0 ? 0 : rounded_down(points * share);
}

/* ---- settle ---- */

/* ---- who is who ---- */

/* Whom a result called so far is called from now on. */
struct new_names {
    const struct class_call *calls; /* [n], of the results */
    char **old;                     /* [n], their names so far */
    size_t n;
};

static const char *called_by(void *context, const char *name)
{
    const struct new_names *names = context;
    for (size_t i = 0; i < names->n; i++)
        if (names->old[i] != NULL && strcmp(names->old[i], name) == 0)
            return names->calls[i].name;
    return NULL;
}

/* Reports of older versions do not say how the system called somebody; there it is the student's
 * name. */
static struct caller caller_of(const struct result *result)
{
    struct caller caller = result->called;
    bool is_said = result_word(caller.name)[0] != '\0' || result_word(caller.folder)[0] != '\0';
    if (!is_said)
        caller.folder = caller.name = result->student;
    return caller;
}

static bool take_names(struct results *results, const struct class_call *calls,
                       struct new_names *names, struct error *reterr)
{
    bool ok = true;
    for (size_t i = 0; ok && i < names->n; i++) {
        struct result *result = &results->items[i];
        if (verdict_is_absent(result->verdict) || result_is_shared(result))
            continue;
        names->old[i] = strdup(result_word(result->student));
        ok = names->old[i] != NULL && result_call(result, calls[i].name, reterr) &&
             result_doubt(result, calls[i].candidates, reterr);
    }
    return ok && likenesses_call(&results->similar, called_by, names, reterr);
}

bool results_call_by(struct results *results, const struct students *roster,
                     const struct who_rows *who, struct error *reterr)
{
    size_t n = results->n;
    struct class_call *calls = calloc(n + 1, sizeof *calls);
    struct caller *callers = calloc(n + 1, sizeof *callers);
    struct new_names names = {.calls = calls, .old = calloc(n + 1, sizeof(char *)), .n = n};
    bool ok = calls != NULL && callers != NULL && names.old != NULL;
    for (size_t i = 0; ok && i < n; i++) {
        if (!result_is_shared(&results->items[i]))
            callers[i] = caller_of(&results->items[i]);
        calls[i].caller = &callers[i];
    }
    ok = ok && class_calls_settle(roster, who, calls, n, reterr) &&
         take_names(results, calls, &names, reterr);
    for (size_t i = 0; names.old != NULL && i < n; i++)
        free(names.old[i]);
    free(names.old);
    class_calls_release(calls, n);
    free(callers);
    return ok || error_memory(reterr, "the class list");
}

/* ---- points ---- */

/* What says when it was handed in. Not the moment: that could show who it was. */
static bool note_source(struct result *result, struct error *reterr)
{
    char sentence[120];
    if (result_word(result->time_from)[0] == '\0')
        return true;
    snprintf(sentence, sizeof sentence, "This is by %s.", result->time_from);
    return result_add_note(result, sentence, reterr);
}

static bool note_lateness(struct result *result, const struct late_rule *rule, unsigned days,
                          struct error *reterr)
{
    char sentence[120];
    const char *plural = days == 1 ? "" : "s";
    if (days > rule->days)
        snprintf(sentence, sizeof sentence, "%u day%s late, after the last day: no points.", days,
                 plural);
    else if (rule->percent_a_day > 0)
        snprintf(sentence, sizeof sentence, "%u day%s late: %.4g %% less.", days, plural,
                 rule->percent_a_day * days < 100 ? rule->percent_a_day * days : 100);
    else
        snprintf(sentence, sizeof sentence, "%u day%s late.", days, plural);
    return result_add_note(result, sentence, reterr) && note_source(result, reterr);
}

int extension_compare(const void *a, const void *b)
{
    const struct extension *left = a, *right = b;
    return strcmp(left->student, right->student);
}

/* The student's own due date. *ret is the row that says so, or NULL. */
static int64_t due_of(const struct settling *settling, const struct result *result,
                      const struct extension **ret)
{
    enum { DAY_S = 24 * 60 * 60 };
    const struct extensions *extensions = settling->extensions;
    const struct extension wanted = {.student = result->student};
    int64_t due_s = settling->assignment->due_s;
    *ret =
        extensions != NULL && result->student != NULL && extensions->n > 0
            ? bsearch(&wanted, extensions->items, extensions->n, sizeof wanted, extension_compare)
            : NULL;
    if (*ret == NULL || due_s == 0)
        return due_s;
    due_s = (*ret)->due_s != 0 ? (*ret)->due_s : due_s;
    return due_s + (int64_t)((*ret)->days * DAY_S);
}

/* Said only where it makes a difference. */
static bool note_extension(struct result *result, const struct extension *extension,
                           struct error *reterr)
{
    return result_add_note(result, "In time by an extension.", reterr) &&
           (extension->reason[0] == '\0' || result_add_note(result, extension->reason, reterr));
}

static bool settle_points(const struct settling *settling, struct result *result,
                          struct error *reterr)
{
    const struct assignment *assignment = settling->assignment;
    const struct extension *extension;
    const struct assignment_exercise *exercise =
        assignment_find(assignment, result_word(result->exercise));
    if (exercise == NULL) {
        result->score = result->max_score = 0;
        return result_word(result->exercise)[0] == '\0' ||
               result_add_note(result, "No part of this assignment.", reterr);
    }
    int64_t due_s = due_of(settling, result, &extension);
    unsigned days = late_days(assignment, due_s, result->submitted_s);
    unsigned before = late_days(assignment, assignment->due_s, result->submitted_s);
    result->days_late = days;
    result->max_score = assignment_max_points(exercise);
    result->score = late_points(&assignment->late, days, assignment_points(exercise, result));
    bool is_unknown =
        assignment->due_s != 0 && result->submitted_s == 0 && assignment->time != TIME_IN_NAME;
    if (is_unknown && !result_add_note(result, "When it was handed in is not known.", reterr))
        return false;
    if (days == 0)
        return before == 0 || note_extension(result, extension, reterr);
    return note_lateness(result, &assignment->late, days, reterr);
}

static bool settle_each(struct results *results, const struct settling *settling,
                        struct error *reterr)
{
    for (size_t i = 0; i < results->n; i++) {
        struct result *result = &results->items[i];
        free(result->note);
        result->note = NULL;
        result->days_late = 0;
        result->is_by_hand = false;
        result->score = result->judged_score;
        result->max_score = result->judged_max_score;
        if (result_is_shared(result) &&
            !result_add_note(result, "Handed in for the team by another of its students.", reterr))
            return false;
        if (settling->assignment != NULL && !settle_points(settling, result, reterr))
            return false;
    }
    return true;
}

/* ---- teams ---- */

int team_member_compare(const void *a, const void *b)
{
    const struct team_member *left = a, *right = b;
    return strcmp(left->student, right->student);
}

/* The team of a student, or NULL. */
static const char *team_of(const struct teams *teams, const char *student)
{
    const struct team_member wanted = {.student = (char *)student};
    const struct team_member *found =
        student != NULL && teams->n > 0
            ? bsearch(&wanted, teams->items, teams->n, sizeof wanted, team_member_compare)
            : NULL;
    return found != NULL ? found->team : NULL;
}

/* Takes out the rows of an earlier settling. */
static void drop_rows(struct results *results, bool (*is_dropped)(const struct result *result))
{
    size_t kept = 0;
    for (size_t i = 0; i < results->n; i++) {
        if (is_dropped(&results->items[i]))
            result_release(&results->items[i]);
        else
            results->items[kept++] = results->items[i];
    }
    results->n = kept;
}

static bool share_one(struct results *results, size_t at, const struct teams *teams,
                      const char *team, struct error *reterr)
{
    for (size_t i = 0; i < teams->n; i++) {
        const struct team_member *member = &teams->items[i];
        struct result shared;
        if (strcmp(member->team, team) != 0 ||
            strcmp(member->student, results->items[at].student) == 0)
            continue;
        bool ok = result_share(&results->items[at], team, member->student, &shared, reterr) &&
                  results_insert(results, results->n, &shared, reterr);
        result_release(&shared);
        if (!ok)
            return false;
    }
    return true;
}

static bool is_of_two_teams(const void *context, const char *a, const char *b)
{
    const char *left = team_of(context, a), *right = team_of(context, b);
    return left == NULL || right == NULL || strcmp(left, right) != 0;
}

/* What one student of a team handed in is the work of the others as well. Similar works of one team
 * need no look. */
static bool share_works(struct results *results, const struct teams *teams, struct error *reterr)
{
    drop_rows(results, result_is_shared);
    for (size_t i = 0, n = results->n; i < n; i++) {
        const char *team = team_of(teams, results->items[i].student);
        if (team != NULL && !results->items[i].is_unclear &&
            !share_one(results, i, teams, team, reterr))
            return false;
    }
    likenesses_filter(&results->similar, is_of_two_teams, teams);
    return true;
}

/* ---- missing work ---- */

static bool is_absent(const struct result *result)
{
    return verdict_is_absent(result->verdict);
}

/* The names that a class and its work have, each once and in order. Borrowed. */
struct names {
    const char **items;
    size_t n, capacity;
};

static bool add_name(struct names *names, const char *name)
{
    const char **items = array_grow(names->items, names->n, &names->capacity, sizeof(const char *));
    if (items == NULL)
        return false;
    names->items = items;
    items[names->n++] = name;
    return true;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort_names(struct names *names)
{
    size_t kept = 0;
    if (names->n > 1)
        qsort(names->items, names->n, sizeof(const char *), compare_names);
    for (size_t i = 0; i < names->n; i++)
        if (kept == 0 || strcmp(names->items[kept - 1], names->items[i]) != 0)
            names->items[kept++] = names->items[i];
    names->n = kept;
}

/* Those who should have handed in: the roster, else those who did, by name. */
static bool list_students(const struct results *results, const struct settling *settling,
                          struct names *ret)
{
    bool ok = true;
    if (settling->roster != NULL) {
        for (size_t i = 0; ok && i < settling->roster->n; i++)
            ok = add_name(ret, settling->roster->items[i].login);
    } else {
        for (size_t i = 0; ok && i < results->n; i++)
            ok = add_name(ret, result_word(results->items[i].student));
    }
    sort_names(ret);
    return ok;
}

static bool list_exercises(const struct results *results, const struct settling *settling,
                           struct names *ret)
{
    bool ok = true;
    if (settling->assignment != NULL) {
        for (unsigned i = 0; ok && i < settling->assignment->n_exercises; i++)
            ok = add_name(ret, settling->assignment->exercises[i].id);
    } else {
        for (size_t i = 0; ok && i < results->n; i++)
            ok = result_word(results->items[i].exercise)[0] == '\0' ||
                 add_name(ret, results->items[i].exercise);
        sort_names(ret);
    }
    return ok;
}

struct work {
    const char *student, *exercise;
};

static int compare_work(const void *a, const void *b)
{
    const struct work *left = a, *right = b;
    int order = strcmp(left->student, right->student);
    return order != 0 ? order : strcmp(left->exercise, right->exercise);
}

/* The work that is there, in order; NULL without memory. */
static struct work *list_work(const struct results *results)
{
    struct work *work = calloc(results->n + 1, sizeof *work);
    for (size_t i = 0; work != NULL && i < results->n; i++)
        work[i] = (struct work){result_word(results->items[i].student),
                                result_word(results->items[i].exercise)};
    if (work != NULL && results->n > 1)
        qsort(work, results->n, sizeof *work, compare_work);
    return work;
}

static double points_for(const struct results *results, const struct settling *settling,
                         const char *exercise)
{
    if (settling->assignment != NULL)
        return assignment_max_points(assignment_find(settling->assignment, exercise));
    for (size_t i = 0; i < results->n; i++)
        if (strcmp(result_word(results->items[i].exercise), exercise) == 0)
            return results->items[i].max_score;
    return 0;
}

static bool add_missing(struct results *results, const struct work *work, double max_score,
                        struct error *reterr)
{
    struct result missing;
    result_init(&missing);
    bool ok = result_name(&missing, "", work->student, work->exercise, reterr) &&
              result_say(&missing, VERDICT_MISSING, "", verdict_sentence(VERDICT_MISSING), reterr);
    result_judge(&missing, 0, max_score);
    ok = ok && results_insert(results, results->n, &missing, reterr);
    result_release(&missing);
    return ok;
}

/* Adds the work that is missing. */
static bool add_all_missing(struct results *results, const struct settling *settling,
                            const struct names *students, const struct names *exercises,
                            const struct work *there, size_t n_there, struct error *reterr)
{
    for (size_t i = 0; i < students->n; i++) {
        for (size_t j = 0; j < exercises->n; j++) {
            const struct work wanted = {students->items[i], exercises->items[j]};
            if (bsearch(&wanted, there, n_there, sizeof wanted, compare_work) == NULL &&
                !add_missing(results, &wanted, points_for(results, settling, exercises->items[j]),
                             reterr))
                return false;
        }
    }
    return true;
}

static bool complete(struct results *results, const struct settling *settling, struct error *reterr)
{
    struct names students = {0}, exercises = {0};
    size_t n_there = results->n;
    if (!settling->is_complete || (settling->roster == NULL && settling->assignment == NULL))
        return true;
    struct work *there = list_work(results);
    bool ok = there != NULL && list_students(results, settling, &students) &&
              list_exercises(results, settling, &exercises);
    if (!ok)
        error_memory(reterr, "the results");
    ok = ok && add_all_missing(results, settling, &students, &exercises, there, n_there, reterr);
    free(students.items);
    free(exercises.items);
    free(there);
    return ok;
}

/* ---- work that may be there ---- */

static int compare_rows(const void *a, const void *b)
{
    const struct result *left = *(struct result *const *)a, *right = *(struct result *const *)b;
    int order = strcmp(result_word(left->student), result_word(right->student));
    return order != 0 ? order : strcmp(result_word(left->exercise), result_word(right->exercise));
}

/* The rows of missing work, in order; NULL without memory. */
static struct result **list_missing(struct results *results, size_t *ret_n)
{
    struct result **rows = calloc(results->n + 1, sizeof *rows);
    *ret_n = 0;
    for (size_t i = 0; rows != NULL && i < results->n; i++)
        if (results->items[i].verdict == VERDICT_MISSING)
            rows[(*ret_n)++] = &results->items[i];
    if (rows != NULL && *ret_n > 1)
        qsort(rows, *ret_n, sizeof *rows, compare_rows);
    return rows;
}

/* The student's missing work for the exercise ("": for any) may be this one. */
static bool may_be(struct result **rows, size_t n, const char *student, const char *exercise,
                   const struct result *work, struct error *reterr)
{
    size_t at = 0, end = n;
    while (at < end) {
        size_t middle = at + (end - at) / 2;
        if (strcmp(result_word(rows[middle]->student), student) < 0)
            at = middle + 1;
        else
            end = middle;
    }
    bool ok = true;
    for (; ok && at < n && strcmp(result_word(rows[at]->student), student) == 0; at++) {
        struct text detail = {0}, message = {0};
        if (exercise[0] != '\0' && strcmp(result_word(rows[at]->exercise), exercise) != 0)
            continue;
        const char *file = result_word(work->file), *before = result_word(rows[at]->detail);
        text_format(&detail, "%s%s%s", before, before[0] != '\0' ? ", " : "", file);
        text_put(&message, work->is_unclear
                               ? "Something was handed in that may be this student's.\n"
                               : "The files that were handed in may not be read.\n");
        ok = !detail.failed && !message.failed &&
             result_say(rows[at], VERDICT_UNCLEAR, text_string(&detail), text_string(&message),
                        reterr);
        text_release(&detail);
        text_release(&message);
    }
    return ok;
}

static bool is_closed(const struct result *result)
{
    return result->verdict == VERDICT_INTERNAL_ERROR &&
           strcmp(result_word(result->detail), RESULT_CLOSED) == 0;
}

bool results_doubt_missing(struct results *results, struct error *reterr)
{
    size_t n;
    struct result **rows = list_missing(results, &n);
    bool ok = rows != NULL;
    for (size_t i = 0; ok && i < results->n && n > 0; i++) {
        const struct result *work = &results->items[i];
        const char *exercise = result_word(work->exercise);
        if (is_closed(work))
            ok = may_be(rows, n, result_word(work->student), exercise, work, reterr);
        for (const char *at = work->is_unclear ? result_word(work->candidates) : "";
             ok && *at != '\0';) {
            size_t size = strcspn(at, "\n");
            char *login = strndup(at, size);
            ok = login != NULL && may_be(rows, n, login, exercise, work, reterr);
            free(login);
            at += size + (at[size] == '\n');
        }
    }
    free(rows);
    return ok || error_memory(reterr, "the results");
}

/* ---- points set by hand ---- */

int override_compare(const void *a, const void *b)
{
    const struct override *left = a, *right = b;
    int order = strcmp(left->student, right->student);
    if (order == 0)
        order = strcmp(left->exercise, right->exercise);
    if (order == 0)
        order = (isnan(left->points) != 0) - (isnan(right->points) != 0);
    return order != 0 ? order : strcmp(result_word(left->rubric), result_word(right->rubric));
}

static bool override_one(struct result *result, const struct override *override,
                         struct error *reterr)
{
    char sentence[64];
    if (isnan(override->points)) {
        struct text comment = {0};
        const char *rubric = result_word(override->rubric);
        text_format(&comment, "%s%s%s", rubric, rubric[0] != '\0' ? ": " : "", override->reason);
        bool ok = !comment.failed ? result_add_note(result, text_string(&comment), reterr)
                                  : error_memory(reterr, "a comment");
        text_release(&comment);
        return ok;
    }
    result->score = override->points;
    result->is_by_hand = true;
    snprintf(sentence, sizeof sentence, "Set to %.15g by hand%s", override->points,
             override->reason[0] != '\0' ? ":" : ".");
    return result_add_note(result, sentence, reterr) &&
           (override->reason[0] == '\0' || result_add_note(result, override->reason, reterr));
}

/* overrides->items are sorted: points come before comments. */
static bool override_all(struct results *results, const struct overrides *overrides,
                         struct error *reterr)
{
    for (size_t i = 0; overrides != NULL && i < results->n; i++) {
        struct result *result = &results->items[i];
        const struct override wanted = {.student = (char *)(uintptr_t)result_word(result->student),
                                        .exercise =
                                            (char *)(uintptr_t)result_word(result->exercise),
                                        .points = -1}; /* before all of this work */
        size_t at = 0, end = result_counts(result) ? overrides->n : 0;
        while (at < end) {
            size_t middle = at + (end - at) / 2;
            if (override_compare(&overrides->items[middle], &wanted) < 0)
                at = middle + 1;
            else
                end = middle;
        }
        for (; result_counts(result) && at < overrides->n; at++) {
            const struct override *found = &overrides->items[at];
            if (strcmp(found->student, wanted.student) != 0 ||
                strcmp(found->exercise, wanted.exercise) != 0)
                break;
            if (!override_one(result, found, reterr))
                return false;
        }
    }
    return true;
}

/* ---- the whole ---- */

bool results_settle(struct results *results, const struct settling *settling, struct error *reterr)
{
    struct students students = {0};
    if (settling->roster != NULL) {
        if (!students_add_all(&students, settling->roster, reterr)) {
            students_release(&students);
            return false;
        }
        students_release(&results->students);
        results->students = students;
    }
    const char *title = settling->assignment != NULL ? settling->assignment->title : NULL;
    if (title != NULL && !results_entitle(results, title, reterr))
        return false;
    drop_rows(results, is_absent);
    if (settling->teams != NULL && !share_works(results, settling->teams, reterr))
        return false;
    unsigned rule = DUPLICATES_BY_STUDENT;
    if (settling->assignment != NULL && settling->assignment->keeps_last)
        rule |= DUPLICATES_KEEP_LAST;
    return settle_each(results, settling, reterr) && complete(results, settling, reterr) &&
           results_doubt_missing(results, reterr) &&
           results_mark_duplicates(results, rule, reterr) &&
           override_all(results, settling->overrides, reterr);
}
