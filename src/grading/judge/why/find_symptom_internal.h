/* The table of symptoms. */
#ifndef ATTN_JUDGE_WHY_FIND_SYMPTOM_INTERNAL_H
#define ATTN_JUDGE_WHY_FIND_SYMPTOM_INTERNAL_H

#include "judge/why/find_symptom.h"

struct observing;

struct symptom {
    const char *id;
    enum symptom_stage stage;
    const char *ask, *lesson; /* lesson: as in exercise.yaml, or NULL */
    /* Adds a sentence that says what was observed; false if nothing was. */
    bool (*see)(struct observing *o, struct text *seen);
};

/* The symptoms in the order in which they are looked for: [*ret_n]. Several rows may have the same
 * id. */
const struct symptom *symptoms(size_t *ret_n);

#endif
