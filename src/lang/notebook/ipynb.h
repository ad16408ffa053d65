/* Files of Jupyter: the code cells of a .ipynb, with what only IPython understands put aside. */
#ifndef ATTN_LANG_NOTEBOOK_IPYNB_H
#define ATTN_LANG_NOTEBOOK_IPYNB_H

#include "base/error.h"
#include "base/text.h"

struct ipynb_cell {
    struct text source;  /* with as many lines as in the file */
    struct text skipped; /* a line for each line that is not run: "line 1: %matplotlib inline"; or
                            empty */
};
struct ipynb {
    struct ipynb_cell *cells; /* code cells, in their order */
    size_t n;
};

/* Reads the JSON of a notebook of format 3 or 4. On failure *ret is empty, and reterr says why. */
bool ipynb_read(const char *json, size_t size, struct ipynb *ret, struct error *reterr);
void ipynb_release(struct ipynb *ipynb);

#endif
