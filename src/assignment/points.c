/* Points: see points.h. */
#include "assignment/points.h"

#include <math.h>

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
        n += exercise->cases[i].group == group ? exercise->cases[i].repeat : 0;
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

unsigned late_days(const struct assignment *assignment, int64_t submitted_s)
{
    enum { DAY_S = 24 * 60 * 60, MAX_DAYS = 100000 };
    double late_s = (double)(submitted_s - assignment->due_s);
    if (assignment->due_s == 0 || submitted_s == 0 || late_s <= assignment->late.grace_minutes * 60)
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
