/* From what the judge found to the points of an assignment. */
#ifndef ATTN_ASSIGNMENT_POINTS_H
#define ATTN_ASSIGNMENT_POINTS_H

#include "assignment/assignment.h"
#include "report/result.h"

/* The points of a result, before any are taken off for lateness: all for a pass; for wrong numbers
 * and for what is too slow those of its groups, each in the share of its cases that earn something;
 * 0 for any other verdict. Rounded down to hundredths. */
double assignment_points(const struct assignment_exercise *exercise, const struct result *result);

/* Days that a work is late, 0 when it is in time. A day that has begun counts. */
unsigned late_days(const struct assignment *assignment, int64_t submitted_s);
/* What is left of points after so many days. */
double late_points(const struct late_rule *rule, unsigned days, double points);

#endif
