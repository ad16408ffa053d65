/* --assignment, --roster, --teams, --who, --overrides: see class_rules.h. */
#include "cli/class_rules.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "files/file.h"

enum { UNCLEAR_SHOWN = 5, UNUSED_SHOWN = 5 };

const struct option class_rules_table[] = {
    {OPTION_PATH, "--exercises", "DIR", "your own exercises instead of attn's; or $ATTN_EXERCISES",
     OPTION_SETS(struct class_rules, exercises)},
    {OPTION_PATH, "--assignment", "FILE", "the exercises, points, dates and rules, in YAML",
     OPTION_SETS(struct class_rules, assignment_path)},
    {OPTION_PATH, "--roster", "FILE",
     "the class list, a CSV; students who handed in nothing are reported too",
     OPTION_SETS(struct class_rules, roster_path)},
    {OPTION_PATH, "--teams", "FILE", "the teams and their students, a CSV",
     OPTION_SETS(struct class_rules, teams_path)},
    {OPTION_PATH, "--who", "FILE",
     "whose work it is where the class list does not tell: unclear.csv, filled in",
     OPTION_SETS(struct class_rules, who_path)},
    {OPTION_PATH, "--overrides", "FILE", "points set by hand, a CSV",
     OPTION_SETS(struct class_rules, overrides_path)},
    {OPTION_PATH, "--extensions", "FILE", "more time for students or sections, a CSV",
     OPTION_SETS(struct class_rules, extensions_path)},
    {.kind = OPTION_END},
};

bool class_rules_read(struct class_rules *rules, const struct exercises *exercises,
                      struct error *reterr)
{
    struct settling *settling = &rules->settling;
    if (rules->assignment_path != NULL) {
        if (!assignment_load(rules->assignment_path, exercises, &rules->assignment, reterr))
            return false;
        settling->assignment = &rules->assignment;
    }
    if (rules->roster_path != NULL) {
        if (!class_list_load(rules->roster_path, &rules->roster, reterr))
            return false;
        settling->roster = &rules->roster;
    }
    if (rules->times_path != NULL && !class_list_load(rules->times_path, &rules->times, reterr))
        return false;
    if (rules->who_path != NULL) {
        if (settling->roster == NULL)
            return error_set(reterr, ERR_FILE, "--who %s: name the class list too, with --roster",
                             rules->who_path);
        if (!who_rows_load(rules->who_path, settling->roster, &rules->who, reterr))
            return false;
    }
    if (rules->teams_path != NULL) {
        if (settling->roster == NULL)
            return error_set(reterr, ERR_FILE, "--teams %s: name the class list too, with --roster",
                             rules->teams_path);
        if (!teams_load(rules->teams_path, settling->roster, &rules->teams, reterr) ||
            !teams_add_folders(&rules->teams, &rules->who, reterr))
            return false;
        settling->teams = &rules->teams;
    }
    if (rules->extensions_path != NULL) {
        if (!extensions_load(rules->extensions_path, settling->roster, &rules->extensions, reterr))
            return false;
        settling->extensions = &rules->extensions;
    }
    if (rules->overrides_path != NULL) {
        if (!overrides_load(rules->overrides_path, settling->roster, exercises, &rules->overrides,
                            reterr))
            return false;
        settling->overrides = &rules->overrides;
    }
    return true;
}

/* ---- unclear work ---- */

static void say_folders(const struct unclear *unclear)
{
    for (size_t i = 0; i < unclear->n && i < UNCLEAR_SHOWN; i++)
        fprintf(stderr, "%s%s", i == 0 ? "attn: not on the class list, or not clear who: " : ", ",
                unclear->items[i]->student[0] != '\0' ? unclear->items[i]->student
                                                      : result_word(unclear->items[i]->file));
    if (unclear->n > UNCLEAR_SHOWN)
        fprintf(stderr, " and %zu more", unclear->n - UNCLEAR_SHOWN);
    fputc('\n', stderr);
}

/* Where unclear.csv goes, to be freed; NULL without memory. */
static char *unclear_path(const struct outputs *outputs)
{
    struct text path = {0};
    for (size_t i = 0; i < outputs->n && path.size == 0; i++)
        if (outputs->items[i].path != NULL)
            text_format(&path, "%.*sunclear.csv",
                        (int)(path_base_name(outputs->items[i].path) - outputs->items[i].path),
                        outputs->items[i].path);
    if (path.size == 0)
        text_put(&path, "unclear.csv");
    return path.bytes;
}

static void write_unclear(const struct unclear *unclear, const struct students *students,
                          const char *path)
{
    struct who_rows before = {0};
    struct text text = {0};
    struct error error;
    bool ok = access(path, F_OK) != 0 || who_rows_load(path, NULL, &before, &error);
    ok = ok && unclear_write(unclear, students, &before, &text, &error);
    if (ok && !file_replace(path, text_string(&text), text.size, 0600))
        ok = error_set(&error, ERR_FILE, "%s: %s", path, strerror(errno));
    if (ok)
        fprintf(stderr,
                "attn: write their logins into %s (- for somebody who is not of the class), and "
                "give it back with --who %s\n",
                path, path);
    else
        print_error(&error, NULL, 0, NULL, 0);
    who_rows_release(&before);
    text_release(&text);
}

size_t class_rules_say_unclear(const struct results *results, const struct outputs *outputs)
{
    struct unclear unclear;
    struct error error;
    if (!unclear_list(results, &unclear, &error)) {
        print_error(&error, NULL, 0, NULL, 0);
        return 1;
    }
    size_t n = unclear.n;
    char *path = n > 0 ? unclear_path(outputs) : NULL;
    if (n > 0)
        say_folders(&unclear);
    if (path != NULL)
        write_unclear(&unclear, &results->students, path);
    free(path);
    unclear_release(&unclear);
    return n;
}

/* ---- points by hand ---- */

static bool is_there(const struct results *results, const struct override *override)
{
    for (size_t i = 0; i < results->n; i++) {
        const struct result *result = &results->items[i];
        if (result->is_by_hand && strcmp(result_word(result->student), override->student) == 0 &&
            strcmp(result_word(result->exercise), override->exercise) == 0)
            return true;
    }
    return false;
}

void class_rules_say_unused(const struct class_rules *rules, const struct results *results)
{
    size_t n_used = 0, n_said = 0, n_points = 0;
    for (size_t i = 0; i < results->n; i++)
        n_used += results->items[i].is_by_hand;
    for (size_t i = 0; i < rules->overrides.n; i++)
        n_points += isnan(rules->overrides.items[i].points) ? 0 : 1;
    if (n_used >= n_points)
        return;
    fputs("attn: points by hand for work that is not there: ", stderr);
    for (size_t i = 0; i < rules->overrides.n && n_said < UNUSED_SHOWN; i++) {
        const struct override *override = &rules->overrides.items[i];
        if (!isnan(override->points) && !is_there(results, override))
            fprintf(stderr, "%s%s %s", n_said++ > 0 ? ", " : "", override->student,
                    override->exercise);
    }
    if (n_points - n_used > UNUSED_SHOWN)
        fprintf(stderr, " and %zu more", n_points - n_used - UNUSED_SHOWN);
    fputc('\n', stderr);
}

void class_rules_release(struct class_rules *rules)
{
    students_release(&rules->roster);
    students_release(&rules->times);
    who_rows_release(&rules->who);
    overrides_release(&rules->overrides);
    extensions_release(&rules->extensions);
    teams_release(&rules->teams);
    assignment_release(&rules->assignment);
    rules->settling = (struct settling){0};
}
