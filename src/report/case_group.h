/* What a case tries, so that points can be given for it apart. The names are part of the json
 * format, of exercise.yaml and of assignment.yaml, and never change. */
#ifndef ATTN_REPORT_CASE_GROUP_H
#define ATTN_REPORT_CASE_GROUP_H

#include <stdbool.h>

enum case_group {
    GROUP_BASICS,    /* the formula, on small inputs */
    GROUP_STABILITY, /* numbers that are large, small, equal or masked */
    GROUP_SIZES,     /* other shapes, larger ones, little memory */
    GROUP_SPEED,     /* as fast as is asked for */
    N_CASE_GROUPS
};

const char *case_group_name(enum case_group group);
/* The group of that name; false when there is none. */
bool case_group_from_name(const char *name, enum case_group *ret);

#endif
