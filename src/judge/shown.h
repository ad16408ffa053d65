/* The matrices that a program shows of itself (attn_show.h), beside attn's own numbers. They
 * explain, and decide nothing. */
#ifndef ATTN_JUDGE_SHOWN_H
#define ATTN_JUDGE_SHOWN_H

#include "compile/wire.h"
#include "exercise/fixture.h"
#include "judge/run/runner.h"
#include "show/matrix.h"

struct shown {
    struct wire_shown *kept; /* attn's copy, made safe: names are C names or "", and there are as
                              * many numbers as fit (see wire.h). NULL: nothing is shown */
    size_t n;                /* of kept->items, at most WIRE_SHOWN_MAX */
    bool ended;              /* the program did not come to the end of that case */
};

#endif
