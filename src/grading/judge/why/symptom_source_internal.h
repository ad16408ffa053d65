/* Places in a learner's file that may cause a symptom. They are shown only beside an observation,
 * since the source alone proves nothing. */
#ifndef ATTN_JUDGE_WHY_SYMPTOM_SOURCE_INTERNAL_H
#define ATTN_JUDGE_WHY_SYMPTOM_SOURCE_INTERNAL_H

#include "exercise/prototype.h"

enum { SOURCE_NAME_BYTES = 48 };

/* line 0: no such place was found. */
struct source_place {
    unsigned line;                /* from 1 */
    char name[SOURCE_NAME_BYTES]; /* of the variable; longer names are cut */
    char limit[SOURCE_NAME_BYTES];
};

/* The first variable that keeps its value from call to call: it is static and not const. */
struct source_place source_static(const char *source, size_t size);
/* The first variable that gets memory from malloc() or one of its relatives and is never given to
 * free(). */
struct source_place source_never_freed(const char *source, size_t size);
/* Is a local variable declared without a value, as in `float sum;` or `float row[n];`? */
bool source_has_unset(const char *source, size_t size);
/* The first sign ^ with a number after it, such as `d ^ 0.5` or `x ^ (1 / 2)`: nobody who means
 * bits writes it so in these exercises. */
struct source_place source_power_sign(const char *source, size_t size);
/* The first place where FLT_MIN is a value by itself: what a variable begins with, or what is
 * stored. In fmaxf(sum, FLT_MIN) it is an argument, and does not count. */
struct source_place source_least_positive(const char *source, size_t size);
/* The first loop `for (name = 0; name <= limit; ...)` whose limit is a size of the prototype. */
struct source_place source_loop_too_far(const struct prototype *prototype, const char *source,
                                        size_t size);

#endif
