/* What a program shows of itself (attn_show.h), beside attn's own numbers. It explains, and decides
 * nothing. */
#ifndef ATTN_JUDGE_SHOWN_H
#define ATTN_JUDGE_SHOWN_H

#include "compile/wire.h"
#include "exercise/fixture.h"
#include "judge/runner.h"
#include "show/matrix.h"

struct shown {
    struct wire_shown *kept; /* attn's copy, in which all is as wire.h says: names are names or "",
                              * there are as many numbers as fit. NULL: nothing is shown */
    size_t n;                /* of kept->items, at most WIRE_SHOWN_MAX */
    bool ended;              /* the program did not come to the end of that case */
};

void shown_release(struct shown *shown); /* may be all zero bytes */

/* Copies what lies in the shared memory once, and makes sense of the copy: whatever it holds, *ret
 * can be shown. False without memory. */
bool shown_take(const volatile struct wire_shown *from, struct shown *ret);
/* Runs a case once more, in a program of its own that is asked to show itself. *ret is empty where
 * that goes wrong. */
void shown_run(const struct runner_plan *plan, const struct fixture *fixture, struct shown *ret);

/* Adds each matrix as a table: beside attn's own of the same name and shape, differences marked;
 * else with the name of attn's that has the same numbers, where one has. */
void shown_show(const struct shown *shown, const struct fixture *fixture,
                const struct show_options *options, struct doc *doc);

#endif
