/* Names of groups of cases: see case_group.h. */
#include "report/case_group.h"

#include <string.h>

static const char *const names[N_CASE_GROUPS] = {
    [GROUP_BASICS] = "basics",
    [GROUP_STABILITY] = "stability",
    [GROUP_SIZES] = "sizes",
    [GROUP_SPEED] = "speed",
};

const char *case_group_name(enum case_group group)
{
    return names[group];
}

bool case_group_from_name(const char *name, enum case_group *ret)
{
    for (int i = 0; i < N_CASE_GROUPS; i++) {
        if (strcmp(names[i], name) == 0) {
            *ret = (enum case_group)i;
            return true;
        }
    }
    return false;
}
