/* See steps.h. */
#include "lang/session/steps.h"

#include <stdlib.h>

#include "base/array.h"
#include "show/doc.h"

void steps_release(struct steps *steps)
{
    for (size_t i = 0; i < steps->n; i++)
        doc_release(&steps->docs[i]);
    free(steps->docs);
    *steps = (struct steps){.waits = steps->waits};
}

struct doc *steps_add(struct steps *steps)
{
    struct doc *docs = array_grow(steps->docs, steps->n, &steps->capacity, sizeof *docs);
    if (docs == NULL)
        return NULL;
    steps->docs = docs;
    doc_init(&docs[steps->n]);
    return &docs[steps->n++];
}

bool steps_show(struct steps *steps, struct doc *out)
{
    if (steps->next >= steps->n)
        return false;
    do
        doc_append(out, &steps->docs[steps->next++], 0);
    while (!steps->waits && steps->next < steps->n);
    size_t left = steps->n - steps->next;
    if (left > 0)
        doc_line(out, STYLE_QUIET, "      Enter goes on; %zu more step%s", left,
                 left == 1 ? "" : "s");
    else
        steps_release(steps);
    return true;
}
