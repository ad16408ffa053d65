/* The model of the heads pane, where the pane opens it itself. */
#include "ui/panes/heads/heads_pane.h"

#include <string.h>

#include "base/size.h"
#include "graph/node.h"
#include "model/model.h"
#include "model/run.h"
#include "model/shipped.h"
#include "tensor/tensor.h"

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

/* Of a model that does not know the words of the example: its first tokens in their order. */
static struct run *run_first_ids(struct graph *graph, struct model *model, struct error *reterr)
{
    enum { MOST = 16 };
    static const char name[] = "ids";
    struct tensor ids;
    size_t n = size_min(MOST, size_min(model->config.vocab, model->config.n_positions));
    if (!tensor_empty(1, &n, &ids, reterr))
        return NULL;
    for (size_t i = 0; i < n; i++)
        ids.data[i] = (float)i;
    struct node *node = node_input(graph, &ids, name, sizeof name - 1, reterr);
    struct run *run = node != NULL ? run_ids(graph, model, node, reterr) : NULL;
    node_free(node);
    return run;
}

bool heads_pane_view(struct heads_pane *pane, const char *folder, struct error *reterr)
{
    struct graph *graph = &pane->graph;
    struct model *model =
        folder[0] != '\0' ? model_open(folder, reterr) : shipped_open(pane->data_dir, reterr);
    struct run *run = NULL;
    if (model != NULL)
        run = run_text(graph, model, shipped_example, strlen(shipped_example), reterr);
    if (model != NULL && run == NULL)
        run = run_first_ids(graph, model, reterr);
    bool ok = run != NULL && heads_pane_open(pane, run, reterr);
    run_free(run);
    model_free(model);
    return ok;
}
