/* A notebook, as the files notebook.c and host.c see it. */
#ifndef ATTN_LANG_NOTEBOOK_NOTEBOOK_INTERNAL_H
#define ATTN_LANG_NOTEBOOK_NOTEBOOK_INTERNAL_H

#include "lang/notebook/machine_internal.h"

struct notebook {
    struct machine machine;
};

/* Hands on what was printed. */
void notebook_hand_on(struct machine *m);

#endif
