/* --assignment, --roster, --overrides: see class_rules.h. */
#include "cli/class_rules.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

enum { STRANGERS_SHOWN = 5, UNUSED_SHOWN = 5 };

const struct option class_rules_table[] = {
    {OPTION_PATH, "--exercises", "DIR", "your own exercises instead of attn's; or $ATTN_EXERCISES",
     OPTION_SETS(struct class_rules, exercises)},
    {OPTION_PATH, "--assignment", "FILE", "the exercises, points, dates and rules, in YAML",
     OPTION_SETS(struct class_rules, assignment_path)},
    {OPTION_PATH, "--roster", "FILE",
     "the class list, a CSV; students who handed in nothing are reported too",
     OPTION_SETS(struct class_rules, roster_path)},
    {OPTION_PATH, "--overrides", "FILE", "points set by hand, a CSV",
     OPTION_SETS(struct class_rules, overrides_path)},
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
    if (rules->overrides_path != NULL) {
        if (!overrides_load(rules->overrides_path, settling->roster, exercises, &rules->overrides,
                            reterr))
            return false;
        settling->overrides = &rules->overrides;
    }
    return true;
}

void class_rules_say_strangers(const struct students *roster, const struct who *who, size_t n)
{
    const char *before = "";
    size_t n_said = 0;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(who[i].student, before) == 0 || students_find(roster, who[i].student) != NULL)
            continue;
        if (n_said++ < STRANGERS_SHOWN)
            fprintf(stderr, "%s%s",
                    n_said == 1 ? "attn: not on the class list, or not clear who: " : ", ",
                    who[i].student[0] != '\0' ? who[i].student : who[i].file);
        before = who[i].student;
    }
    if (n_said > STRANGERS_SHOWN)
        fprintf(stderr, " and %zu more", n_said - STRANGERS_SHOWN);
    if (n_said > 0)
        fputc('\n', stderr);
}

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
    size_t n_used = 0, n_said = 0;
    for (size_t i = 0; i < results->n; i++)
        n_used += results->items[i].is_by_hand;
    if (n_used >= rules->overrides.n)
        return;
    fputs("attn: points by hand for work that is not there: ", stderr);
    for (size_t i = 0; i < rules->overrides.n && n_said < UNUSED_SHOWN; i++) {
        const struct override *override = &rules->overrides.items[i];
        if (!is_there(results, override))
            fprintf(stderr, "%s%s %s", n_said++ > 0 ? ", " : "", override->student,
                    override->exercise);
    }
    if (rules->overrides.n - n_used > UNUSED_SHOWN)
        fprintf(stderr, " and %zu more", rules->overrides.n - n_used - UNUSED_SHOWN);
    fputc('\n', stderr);
}

void class_rules_release(struct class_rules *rules)
{
    students_release(&rules->roster);
    overrides_release(&rules->overrides);
    assignment_release(&rules->assignment);
    rules->settling = (struct settling){0};
}
