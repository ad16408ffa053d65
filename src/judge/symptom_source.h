/* Places in a learner's file that a symptom may come from. They are told only beside what was
 * observed, since the words alone prove nothing. */
#ifndef ATTN_JUDGE_SYMPTOM_SOURCE_H
#define ATTN_JUDGE_SYMPTOM_SOURCE_H

#include <stdbool.h>

#include "exercise/prototype.h"

enum { SOURCE_NAME_BYTES = 48 };

/* line 0: there is none. */
struct source_place {
    unsigned line;                /* from 1 */
    char name[SOURCE_NAME_BYTES]; /* of the variable that is concerned; longer ones are cut */
    char limit[SOURCE_NAME_BYTES];
};

/* The first variable that keeps its value from call to call: one that is static, and not const. */
struct source_place source_static(const char *source, size_t size);
/* The first variable that malloc() or a relative gives memory and that is never given to free(). */
struct source_place source_never_freed(const char *source, size_t size);
/* Is a local variable declared without a value, as in `float sum;` or `float row[n];`? */
bool source_has_unset(const char *source, size_t size);
/* The first loop `for (...; name <= limit; ...)` whose limit is a size of the prototype. */
struct source_place source_loop_too_far(const struct prototype *prototype, const char *source,
                                        size_t size);

#endif
