/* Does one size stand where another belongs? Seen from outside: the numbers are right wherever the
 * two are equal, whatever the others are, and not where they differ. */
#ifndef ATTN_JUDGE_SYMPTOM_SIZES_H
#define ATTN_JUDGE_SYMPTOM_SIZES_H

#include "judge/case_runner.h"

enum size_outcome { SIZES_NOT_DRAWN, SIZES_RIGHT, SIZES_WRONG, SIZES_BEYOND };

/* All borrowed. */
struct sizes_question {
    const struct fixtures *cases; /* one of them is drawn again with other sizes */
    const char *data_dir;
    uint64_t seed;
    const struct case_runner *runner; /* a model of what runs them; it runs nothing */
};

/* Two parameters of the prototype, each with values at which it goes wrong. */
struct size_mistake {
    unsigned one, other;
    double one_value, other_value; /* an example */
    bool goes_beyond;              /* in the example an index goes beyond an array */
    bool one_is_too_large;         /* it does so only where `one` is the larger */
};

/* Runs the submission on cases of other sizes. False: no two sizes fit, or *reterr. */
bool find_size_mistake(const struct sizes_question *question, struct size_mistake *ret,
                       struct error *reterr);

#endif
