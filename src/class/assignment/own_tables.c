/* The tables that an instructor keeps beside the class list: who handed in what attn could not
 * tell, points set by hand, more time, and teams. See class_list.h. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "assignment/class_index.h"
#include "assignment/class_list.h"
#include "assignment/table_internal.h"
#include "base/array.h"
#include "base/text.h"
#include "files/clock.h"
#include "report/report.h"
#include "result/result.h"
#include "result/safe_text.h"

enum { MAX_POINTS = 100000 };

/* ---- reading ---- */

/* What rows are read with, and into. */
struct reading {
    const struct students *roster;   /* or NULL */
    const struct class_index *index; /* of it */
    const struct exercises *exercises;
    void *into;
};

static bool read_table(const char *path, const struct table_layout *layout, table_row *row,
                       struct reading *reading, struct error *reterr)
{
    struct class_index index = {0};
    bool ok = reading->roster == NULL || class_index_open(reading->roster, &index, reterr);
    reading->index = reading->roster != NULL ? &index : NULL;
    ok = ok && table_each(path, layout, row, reading, reterr);
    class_index_close(&index);
    return ok;
}

/* The student as results name them, to be freed; NULL with an error. With a class list, name is any
 * that class_index_find() knows. */
static char *read_student(const struct table *table, const struct reading *reading,
                          const char *name, struct error *reterr)
{
    char *safe = safe_name_copy(name), *login = safe;
    if (safe != NULL && safe[0] == '\0') {
        table_fault(table, reterr, "this row has no student", "");
        free(safe);
        return NULL;
    }
    if (safe != NULL && reading->index != NULL) {
        const struct student *meant = class_index_find(reading->index, safe);
        free(safe);
        if (meant == NULL) {
            table_fault(table, reterr,
                        "nobody on the class list has this name, or more than one has", name);
            return NULL;
        }
        login = strdup(meant->login);
    }
    if (login == NULL)
        error_memory(reterr, table->csv.name);
    return login;
}

/* ---- who handed in ---- */

enum { WHO_FOLDER, WHO_LOGIN, N_WHO_COLUMNS };

static const char *const who_names[N_WHO_COLUMNS][TABLE_MAX_NAMES] = {
    [WHO_FOLDER] = {"folder", "file"},
    [WHO_LOGIN] = {"login", "student"},
};

/* Without the apostrophe by which report_csv_field() keeps spreadsheets from seeing a formula, and
 * without a slash at the end. To be freed. */
static char *folder_copy(const char *folder)
{
    bool is_marked = folder[0] == '\'' && folder[1] != '\0' && strchr("=+-@", folder[1]) != NULL;
    size_t size = strlen(folder += is_marked);
    return strndup(folder, size > 1 && folder[size - 1] == '/' ? size - 1 : size);
}

static bool add_who(struct who_rows *who, const char *folder, const char *login,
                    struct error *reterr)
{
    struct who_row *items = array_grow(who->items, who->n, &who->capacity, sizeof *items);
    if (items == NULL)
        return error_memory(reterr, "who handed in");
    who->items = items;
    items[who->n] = (struct who_row){folder_copy(folder), strdup(login)};
    who->n++;
    return (items[who->n - 1].folder != NULL && items[who->n - 1].login != NULL) ||
           error_memory(reterr, "who handed in");
}

static bool read_who(void *context, const struct table *table, struct error *reterr)
{
    const struct reading *reading = context;
    const char *folder = table_field(table, WHO_FOLDER), *login = table_field(table, WHO_LOGIN);
    if (login[0] == '\0')
        return true;
    if (folder[0] == '\0')
        return table_fault(table, reterr, "this row has no folder", "");
    if (strcmp(login, "-") == 0 || strcmp(login, "'-") == 0)
        return add_who(reading->into, folder, "", reterr);
    char *student = read_student(table, reading, login, reterr);
    bool ok = student != NULL && add_who(reading->into, folder, student, reterr);
    free(student);
    return ok;
}

bool who_rows_load(const char *path, const struct students *roster, struct who_rows *ret,
                   struct error *reterr)
{
    static const struct table_layout layout = {
        who_names, N_WHO_COLUMNS, {1 << WHO_FOLDER, 1 << WHO_LOGIN}, "folder, login"};
    struct who_rows who = {0};
    struct reading reading = {.roster = roster, .into = &who};
    bool ok = read_table(path, &layout, read_who, &reading, reterr);
    if (ok)
        *ret = who;
    else
        who_rows_release(&who);
    return ok;
}

void who_rows_release(struct who_rows *who)
{
    for (size_t i = 0; i < who->n; i++) {
        free(who->items[i].folder);
        free(who->items[i].login);
    }
    free(who->items);
    *who = (struct who_rows){0};
}

/* ---- unclear work ---- */

static const char *folder_of(const struct result *result)
{
    const char *folder = result_word(result->called.folder);
    return folder[0] != '\0' ? folder : result_word(result->student);
}

static int compare_folders(const void *a, const void *b)
{
    const struct result *left = *(const struct result *const *)a,
                        *right = *(const struct result *const *)b;
    int order = strcmp(folder_of(left), folder_of(right));
    return order != 0 ? order : result_compare(left, right);
}

bool unclear_list(const struct results *results, struct unclear *ret, struct error *reterr)
{
    size_t n = 0;
    const struct result **items = calloc(results->n + 1, sizeof(struct result *));
    if (items == NULL)
        return error_memory(reterr, "the class list");
    for (size_t i = 0; i < results->n; i++)
        if (results->items[i].is_unclear)
            items[n++] = &results->items[i];
    if (n > 1)
        qsort(items, n, sizeof(struct result *), compare_folders);
    *ret = (struct unclear){results, items, 0};
    for (size_t i = 0; i < n; i++)
        if (ret->n == 0 || strcmp(folder_of(items[ret->n - 1]), folder_of(items[i])) != 0)
            items[ret->n++] = items[i];
    return true;
}

void unclear_release(struct unclear *unclear)
{
    free(unclear->items);
    *unclear = (struct unclear){0};
}

static void add_csv_field(struct text *text, const char *word, char end)
{
    report_csv_field(text, word, strlen(word));
    text_char(text, end);
}

/* "dot: pass; softmax-rows: wrong_answer" */
static void add_found(struct text *text, const struct unclear *unclear, const char *folder)
{
    struct text found = {0};
    for (size_t i = 0; i < unclear->results->n; i++) {
        const struct result *one = &unclear->results->items[i];
        const char *exercise = result_word(one->exercise);
        if (one->is_unclear && strcmp(folder_of(one), folder) == 0)
            text_format(&found, "%s%s%s%s", found.size > 0 ? "; " : "", exercise,
                        exercise[0] != '\0' ? ": " : "", verdict_name(one->verdict));
    }
    text->failed = text->failed || found.failed;
    add_csv_field(text, text_string(&found), ',');
    text_release(&found);
}

/* "ann1 (Ann Alm, ann1@example.org, 17); ann2 (...)" */
static void add_candidates(struct text *text, const struct students *students,
                           const char *candidates)
{
    struct text all = {0};
    for (const char *at = candidates; *at != '\0';) {
        size_t size = strcspn(at, "\n");
        struct text login = {0};
        text_add(&login, at, size);
        const struct student *one = students_find(students, text_string(&login));
        text_format(&all, "%s%s", all.size > 0 ? "; " : "", text_string(&login));
        if (one != NULL)
            text_format(&all, " (%s%s%s%s%s)", one->name, one->email[0] != '\0' ? ", " : "",
                        one->email, one->id[0] != '\0' ? ", " : "", one->id);
        text->failed = text->failed || login.failed || all.failed;
        text_release(&login);
        at += size + (at[size] == '\n');
    }
    add_csv_field(text, text_string(&all), '\n');
    text_release(&all);
}

static bool is_listed(const struct unclear *unclear, const char *folder)
{
    bool is = false;
    for (size_t i = 0; i < unclear->n && !is; i++)
        is = strcmp(folder_of(unclear->items[i]), folder) == 0;
    return is;
}

bool unclear_write(const struct unclear *unclear, const struct students *students,
                   const struct who_rows *before, struct text *text, struct error *reterr)
{
    text_put(text, "folder,login,found,candidates\n");
    for (size_t i = 0; i < unclear->n; i++) {
        const struct result *one = unclear->items[i];
        add_csv_field(text, folder_of(one), ',');
        text_put(text, ",");
        add_found(text, unclear, folder_of(one));
        add_candidates(text, students, result_word(one->candidates));
    }
    for (size_t i = 0; i < before->n; i++) {
        const struct who_row *row = &before->items[i];
        if (is_listed(unclear, row->folder))
            continue;
        add_csv_field(text, row->folder, ',');
        add_csv_field(text, row->login[0] != '\0' ? row->login : "-", ',');
        text_put(text, ",\n");
    }
    return !text->failed || error_memory(reterr, "who handed in");
}

/* ---- points set by hand ---- */

enum { STUDENT, EXERCISE, POINTS, REASON, RUBRIC, N_OVERRIDE_COLUMNS };

static const char *const override_names[N_OVERRIDE_COLUMNS][TABLE_MAX_NAMES] = {
    [STUDENT] = {"student", "login"},
    [EXERCISE] = {"exercise"},
    [POINTS] = {"points", "score"},
    [REASON] = {"reason", "why", "comment"},
    [RUBRIC] = {"rubric", "criterion", "rubric line"},
};

static bool read_points(const char *text, double *ret)
{
    return text_decimal(text, ret) && *ret >= 0 && *ret <= MAX_POINTS;
}

static void override_release(struct override *override)
{
    free(override->student);
    free(override->exercise);
    free(override->reason);
    free(override->rubric);
}

static bool read_override(void *context, const struct table *table, struct error *reterr)
{
    const struct reading *reading = context;
    struct overrides *overrides = reading->into;
    const char *id = table_field(table, EXERCISE), *points = table_field(table, POINTS),
               *reason = table_field(table, REASON), *rubric = table_field(table, RUBRIC);
    struct override override = {.points = (double)NAN};
    override.student = read_student(table, reading, table_field(table, STUDENT), reterr);
    if (override.student == NULL)
        return false;
    const struct exercise *exercise = exercises_find(reading->exercises, id);
    bool ok = exercise != NULL || table_fault(table, reterr, "no exercise has this name", id);
    bool has_points = points[0] != '\0', is_comment = !has_points && reason[0] != '\0';
    if (ok && !is_comment && !(has_points && read_points(points, &override.points)))
        ok = table_fault(table, reterr, "points: a number from 0 to 100000 is expected", points);
    if (ok && rubric[0] != '\0' && !is_comment)
        ok = table_fault(table, reterr,
                         "a line of a rubric has a reason, and leaves the points as they are",
                         rubric);
    if (ok) {
        override.exercise = strdup(exercise->id);
        override.reason = strdup(reason);
        override.rubric = strdup(rubric);
        struct override *items =
            array_grow(overrides->items, overrides->n, &overrides->capacity, sizeof *items);
        ok = (items != NULL && override.exercise != NULL && override.reason != NULL &&
              override.rubric != NULL) ||
             error_memory(reterr, "points set by hand");
        overrides->items = items != NULL ? items : overrides->items;
    }
    if (ok)
        overrides->items[overrides->n++] = override;
    else
        override_release(&override);
    return ok;
}

/* Of several rows for the same work the last one stays; then in order. */
static void sort_overrides(struct overrides *overrides)
{
    size_t kept = 0;
    for (size_t i = 0; i < overrides->n; i++) {
        bool is_replaced = false;
        for (size_t j = i + 1; j < overrides->n && !is_replaced; j++)
            is_replaced = override_compare(&overrides->items[i], &overrides->items[j]) == 0;
        if (is_replaced)
            override_release(&overrides->items[i]);
        else
            overrides->items[kept++] = overrides->items[i];
    }
    overrides->n = kept;
    if (kept > 1)
        qsort(overrides->items, kept, sizeof *overrides->items, override_compare);
}

bool overrides_load(const char *path, const struct students *roster,
                    const struct exercises *exercises, struct overrides *ret, struct error *reterr)
{
    static const struct table_layout layout = {override_names,
                                               N_OVERRIDE_COLUMNS,
                                               {1 << STUDENT, 1 << EXERCISE, 1 << POINTS},
                                               "student, exercise, points, reason"};
    struct overrides overrides = {0};
    struct reading reading = {.roster = roster, .exercises = exercises, .into = &overrides};
    if (!read_table(path, &layout, read_override, &reading, reterr)) {
        overrides_release(&overrides);
        return false;
    }
    sort_overrides(&overrides);
    *ret = overrides;
    return true;
}

void overrides_release(struct overrides *overrides)
{
    for (size_t i = 0; i < overrides->n; i++)
        override_release(&overrides->items[i]);
    free(overrides->items);
    *overrides = (struct overrides){0};
}

/* ---- more time ---- */

enum { FOR_STUDENT, FOR_SECTION, MORE_DUE, MORE_DAYS, MORE_REASON, N_EXTENSION_COLUMNS };

static const char *const extension_names[N_EXTENSION_COLUMNS][TABLE_MAX_NAMES] = {
    [FOR_STUDENT] = {"student", "login"},
    [FOR_SECTION] = {"section", "group"},
    [MORE_DUE] = {"due", "until"},
    [MORE_DAYS] = {"days", "grace days"},
    [MORE_REASON] = {"reason", "why", "comment"},
};

static bool add_extension(struct extensions *extensions, const char *student,
                          const struct extension *how, struct error *reterr)
{
    struct extension *items =
        array_grow(extensions->items, extensions->n, &extensions->capacity, sizeof *items);
    if (items == NULL)
        return error_memory(reterr, "the extensions");
    extensions->items = items;
    struct extension *added = &items[extensions->n++];
    *added = (struct extension){strdup(student), how->due_s, how->days, strdup(how->reason)};
    return (added->student != NULL && added->reason != NULL) ||
           error_memory(reterr, "the extensions");
}

/* Is it one of the student's sections? Canvas joins them: "A and B"; others by commas. */
static bool is_in_section(const struct student *student, const char *section)
{
    static const char *const joints[] = {" and ", ", ", ",", ";"};
    const char *at = result_word(student->section);
    while (*at != '\0') {
        size_t size = strlen(at), joint = 0;
        for (size_t i = 0; i < COUNT_OF(joints); i++) {
            const char *found = strstr(at, joints[i]);
            if (found != NULL && (size_t)(found - at) < size) {
                size = (size_t)(found - at);
                joint = strlen(joints[i]);
            }
        }
        if (size == strlen(section) && strncmp(at, section, size) == 0)
            return true;
        at += size + joint;
    }
    return strcmp(result_word(student->section), section) == 0;
}

static bool add_to_section(const struct table *table, const struct students *roster,
                           const char *section, const struct extension *how,
                           struct extensions *extensions, struct error *reterr)
{
    size_t n_before = extensions->n;
    bool ok = true;
    for (size_t i = 0; ok && roster != NULL && i < roster->n; i++)
        if (is_in_section(&roster->items[i], section))
            ok = add_extension(extensions, roster->items[i].login, how, reterr);
    if (ok && extensions->n == n_before)
        return table_fault(table, reterr, "nobody on the class list is in this section", section);
    return ok;
}

static bool read_extension(void *context, const struct table *table, struct error *reterr)
{
    const struct reading *reading = context;
    const char *section = table_field(table, FOR_SECTION),
               *student = table_field(table, FOR_STUDENT), *due = table_field(table, MORE_DUE),
               *days = table_field(table, MORE_DAYS);
    struct extension how = {.reason = (char *)(uintptr_t)table_field(table, MORE_REASON)};
    if ((student[0] == '\0') == (section[0] == '\0'))
        return table_fault(table, reterr, "a row is for a student or for a section", "");
    if (due[0] != '\0' && !date_read(due, &how.due_s))
        return table_fault(table, reterr, "due: a moment is expected, such as 2026-03-08 23:59",
                           due);
    if (days[0] != '\0' && (!read_points(days, &how.days) || how.days > 1000))
        return table_fault(table, reterr, "days: a number from 0 to 1000 is expected", days);
    if (due[0] == '\0' && days[0] == '\0')
        return table_fault(table, reterr, "this row has neither a due date nor days", "");
    if (section[0] != '\0')
        return add_to_section(table, reading->roster, section, &how, reading->into, reterr);
    char *login = read_student(table, reading, student, reterr);
    bool ok = login != NULL && add_extension(reading->into, login, &how, reterr);
    free(login);
    return ok;
}

static void extension_release(struct extension *extension)
{
    free(extension->student);
    free(extension->reason);
}

/* Of several rows for a student the last one stays; then in order. */
static void sort_extensions(struct extensions *extensions)
{
    size_t kept = 0;
    for (size_t i = 0; i < extensions->n; i++) {
        bool is_replaced = false;
        for (size_t j = i + 1; j < extensions->n && !is_replaced; j++)
            is_replaced = extension_compare(&extensions->items[i], &extensions->items[j]) == 0;
        if (is_replaced)
            extension_release(&extensions->items[i]);
        else
            extensions->items[kept++] = extensions->items[i];
    }
    extensions->n = kept;
    if (kept > 1)
        qsort(extensions->items, kept, sizeof *extensions->items, extension_compare);
}

bool extensions_load(const char *path, const struct students *roster, struct extensions *ret,
                     struct error *reterr)
{
    static const struct table_layout layout = {
        extension_names,
        N_EXTENSION_COLUMNS,
        {1 << FOR_STUDENT | 1 << FOR_SECTION, 1 << MORE_DUE | 1 << MORE_DAYS},
        "student or section, due or days, reason"};
    struct extensions extensions = {0};
    struct reading reading = {.roster = roster, .into = &extensions};
    if (!read_table(path, &layout, read_extension, &reading, reterr)) {
        extensions_release(&extensions);
        return false;
    }
    sort_extensions(&extensions);
    *ret = extensions;
    return true;
}

void extensions_release(struct extensions *extensions)
{
    for (size_t i = 0; i < extensions->n; i++)
        extension_release(&extensions->items[i]);
    free(extensions->items);
    *extensions = (struct extensions){0};
}

/* ---- teams ---- */

enum { TEAM, MEMBER, N_TEAM_COLUMNS };

/* As Canvas's, Moodle's and Gradescope's lists of groups call them, too. */
static const char *const team_names[N_TEAM_COLUMNS][TABLE_MAX_NAMES] = {
    [TEAM] = {"team", "team name", "group", "group name", "group_name"},
    [MEMBER] = {"student", "login", "login_id", "sis login id", "username", "github", "email",
                "email address", "id", "user_id", "name", "full name"},
};

static bool read_team(void *context, const struct table *table, struct error *reterr)
{
    const struct reading *reading = context;
    struct teams *teams = reading->into;
    const char *team = table_field(table, TEAM);
    if (team[0] == '\0') /* somebody who works alone */
        return true;
    struct team_member *items = array_grow(teams->items, teams->n, &teams->capacity, sizeof *items);
    if (items == NULL)
        return error_memory(reterr, "the teams");
    teams->items = items;
    struct team_member member = {
        .student = read_student(table, reading, table_field(table, MEMBER), reterr)};
    if (member.student == NULL)
        return false;
    member.team = safe_name_copy(team);
    items[teams->n++] = member;
    if (member.team == NULL)
        return error_memory(reterr, "the teams");
    for (size_t i = 0; i + 1 < teams->n; i++)
        if (strcmp(items[i].student, member.student) == 0)
            return table_fault(table, reterr, "this student is in a team already", member.student);
    return true;
}

bool teams_load(const char *path, const struct students *roster, struct teams *ret,
                struct error *reterr)
{
    static const struct table_layout layout = {
        team_names, N_TEAM_COLUMNS, {1 << TEAM, 1 << MEMBER}, "team, student"};
    struct teams teams = {0};
    struct reading reading = {.roster = roster, .into = &teams};
    if (!read_table(path, &layout, read_team, &reading, reterr)) {
        teams_release(&teams);
        return false;
    }
    if (teams.n > 1)
        qsort(teams.items, teams.n, sizeof *teams.items, team_member_compare);
    *ret = teams;
    return true;
}

bool teams_add_folders(const struct teams *teams, struct who_rows *who, struct error *reterr)
{
    for (size_t i = 0; i < teams->n; i++) {
        bool is_there = false;
        for (size_t j = 0; j < who->n && !is_there; j++)
            is_there = strcmp(who->items[j].folder, teams->items[i].team) == 0;
        if (!is_there && !add_who(who, teams->items[i].team, teams->items[i].student, reterr))
            return false;
    }
    return true;
}

void teams_release(struct teams *teams)
{
    for (size_t i = 0; i < teams->n; i++) {
        free(teams->items[i].student);
        free(teams->items[i].team);
    }
    free(teams->items);
    *teams = (struct teams){0};
}
