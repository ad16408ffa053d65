/* A notebook, as the files notebook.c and host.c see it. */
#ifndef ATTN_LANG_NOTEBOOK_NOTEBOOK_INTERNAL_H
#define ATTN_LANG_NOTEBOOK_NOTEBOOK_INTERNAL_H

#include "lang/notebook/snapshot_internal.h"

/* The streams of random numbers. */
struct streams {
    struct random python, torch, numpy;
    bool is_python, is_torch, is_numpy; /* they are seeded, or drawn from */
};

struct notebook {
    struct machine machine;
    /* Of a session, while a line is under way: what was before it. */
    bool is_in_line;
    struct snapshot before;
    struct streams streams;
    struct text message; /* of the error that the last cell ended with */
};

/* Keeps what an error says, for notebook_explain(). */
void notebook_keep_message(struct notebook *notebook, struct value error);
/* Hands the printed text on. */
void notebook_hand_on(struct machine *m);

#endif
