/* The line of the learner's file that carries the mistake, proven: one place of the file is changed
 * (repair_rules_internal.h says how), and with that change all cases pass. The changed file is
 * built and run in the same boxes, under the same policy as the file itself; it changes no verdict
 * and no points, and nothing of it but the number of its line is ever shown. */
#ifndef ATTN_JUDGE_REPAIR_FIND_LINE_H
#define ATTN_JUDGE_REPAIR_FIND_LINE_H

#include "compile/compiler.h"
#include "judge/run/case_runner.h"

/* All borrowed. */
struct line_question {
    const struct compile_request *request; /* that the submission was built with */
    const struct runtime *runtime;         /* that it was built with too */
    const char *file_name, *source;
    size_t size;
    struct case_runner runner;   /* one that has run nothing */
    const struct case_run *runs; /* [n_runs] for the verdict; some were answered wrongly */
    size_t n_runs;
    const char *const *names; /* [n_names]: ids of the named mistakes, which the line must fit */
    unsigned n_names;
    unsigned budget_ms; /* of processor time: when it is used up, no further change is tried */
};

/* The line, if line > 0. */
struct line_found {
    unsigned line;
    const char *id;     /* a name for the change that repairs the line: a constant */
    bool names_mistake; /* and for the mistake: it is hardly repaired in another way */
    struct text says;   /* "`a < b`: the comparison ...", without a full stop; in what bytes the
                         * learner's file has */
};
void line_found_release(struct line_found *found); /* all zero bytes are allowed */

/* Looks for it. Nothing is found if the budget runs out, or if the file is too strange to read.
 * False is attn's own failure. */
bool find_line(const struct line_question *question, struct line_found *ret, struct error *reterr);

#endif
