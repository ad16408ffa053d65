/* The model of the heads pane, where the pane opens it itself. */
#include "ui/panes/heads/heads_pane.h"

#include <string.h>

#include "model/run.h"
#include "model/shipped.h"
#include "model/text_run.h"

/* The model of what is shown and its graph, else the one that comes with attn. */
static struct model *find_model(struct heads_pane *pane, struct graph **ret_graph,
                                struct error *reterr)
{
    *ret_graph = pane->base != NULL ? pane->base->graph : &pane->graph;
    if (pane->base != NULL)
        return pane->base->model;
    if (pane->model == NULL)
        pane->model = shipped_open(pane->data_dir, reterr);
    return pane->model;
}

bool heads_pane_read(struct heads_pane *pane, const char *text, size_t size, struct error *reterr)
{
    struct graph *graph;
    if (size == 0 && pane->base != NULL)
        return true;
    if (size == 0) {
        text = shipped_example;
        size = strlen(text);
    }
    struct model *model = find_model(pane, &graph, reterr);
    struct run *run = model != NULL ? run_text(graph, model, text, size, reterr) : NULL;
    bool ok = run != NULL && heads_pane_open(pane, run, reterr);
    run_free(run);
    return ok;
}
