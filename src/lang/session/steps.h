/* The statements of the learner's own Python, one by one; and what `step` has still to show: at a
 * terminal, an empty line shows the next step. */
#ifndef ATTN_LANG_SESSION_STEPS_H
#define ATTN_LANG_SESSION_STEPS_H

#include <stdbool.h>
#include <stddef.h>

struct doc;
struct error;
struct notebook_row;
struct session;

struct steps {
    bool waits;       /* an empty line goes on; else all steps are shown at once */
    struct doc *docs; /* one a step */
    size_t n, capacity, next;
};

void steps_release(struct steps *steps); /* none are left; waits stays */
/* A new step, empty, owned by steps; NULL without memory. */
struct doc *steps_add(struct steps *steps);
/* Adds the next step to out, or all if they do not wait, and how many are left. False if no step
 * is left. */
bool steps_show(struct steps *steps, struct doc *out);

/* Runs words, Python, and hands on what each of its statements gave: see notebook.h. What it prints
 * is added to out. */
bool session_observe(struct session *session, const char *words, size_t size,
                     bool (*take)(void *context, const struct notebook_row *row), void *context,
                     struct doc *out, struct error *reterr);

#endif
