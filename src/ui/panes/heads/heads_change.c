/* What the heads pane computes: cuts, texts, the table of one head. */
#include "ui/panes/heads/heads_pane_internal.h"

#include <string.h>

#include "graph/node.h"
#include "model/model.h"
#include "model/run.h"
#include "tensor/tensor.h"

enum { KEPT_WEIGHTS = 1 << 24 }; /* 64 MiB, and as much for their scores */

/* ---- the explorer ---- */

bool heads_explore(struct heads_pane *pane)
{
    struct explorer *explorer = &pane->explorer;
    struct error error;
    struct node *node = head_node(pane->run, &pane->look, &error);
    enum explorer_view view = explorer->view;
    size_t row = explorer->row, col = explorer->col;
    bool ok = node != NULL && explorer_show_node(explorer, node, &error);
    if (ok) {
        explorer->variable[0] = '\0'; /* it is no name of the prompt */
        explorer->view = view;
        explorer->head = (unsigned)pane->look.head;
        explorer->row = row;
        explorer->col = col;
        explorer_resize(explorer, 0, 0); /* it is told its size again, and where the cursor is */
    } else {
        heads_say(pane, "%s", error.text);
    }
    node_free(node);
    return ok;
}

/* ---- cuts ---- */

/* Those of the pane that are cut so. Returns how many. */
static size_t list_cuts(const struct heads_pane *pane, enum cut_how how,
                        struct cut ret[HEADS_MAX_CUTS])
{
    size_t n = 0;
    for (size_t i = 0; i < pane->n_cuts; i++)
        if (pane->cuts[i].how == how)
            ret[n++] = (struct cut){
                .part = CUT_HEAD, .layer = pane->cuts[i].layer, .head = pane->cuts[i].head};
    return n;
}

/* The run with the pane's cuts; means are those of the run without any. */
static struct run *run_with_cuts(const struct heads_pane *pane, struct run *run,
                                 struct error *reterr)
{
    struct cut cuts[HEADS_MAX_CUTS];
    size_t n = list_cuts(pane, CUT_MEAN, cuts);
    struct run *means = run_cut(run, cuts, n, CUT_MEAN, NULL, reterr), *all = NULL;
    n = list_cuts(pane, CUT_ZERO, cuts);
    if (means != NULL)
        all = run_cut(means, cuts, n, CUT_ZERO, NULL, reterr);
    run_free(means);
    return all;
}

/* What follows from another run. */
static bool show_again(struct heads_pane *pane)
{
    struct error error;
    pane->is_changed = true;
    if (!heads_rank_again(pane, &error))
        heads_say(pane, "%s", error.text);
    return !pane->is_one || heads_explore(pane);
}

/* Computes the run with the cuts as they are now; on failure says so. */
static bool compute(struct heads_pane *pane)
{
    struct error error;
    struct run *run = run_with_cuts(pane, pane->base, &error);
    bool ok = run != NULL && run_logits(run, &error) != NULL;
    if (!ok) {
        run_free(run);
        heads_say(pane, "%s", error.text);
        return false;
    }
    run_free(pane->run);
    pane->run = run;
    return show_again(pane);
}

static size_t cut_index(const struct heads_pane *pane, size_t layer, size_t head)
{
    size_t i = 0;
    while (i < pane->n_cuts && (pane->cuts[i].layer != layer || pane->cuts[i].head != head))
        i++;
    return i;
}

const struct heads_cut *heads_find_cut(const struct heads_pane *pane, size_t layer, size_t head)
{
    size_t i = cut_index(pane, layer, head);
    return i < pane->n_cuts ? &pane->cuts[i] : NULL;
}

static void remove_cut(struct heads_pane *pane, size_t i)
{
    memmove(&pane->cuts[i], &pane->cuts[i + 1], (--pane->n_cuts - i) * sizeof *pane->cuts);
}

void heads_toggle_cut(struct heads_pane *pane, enum cut_how how)
{
    struct heads_cut cut = {.layer = pane->look.layer, .head = pane->look.head, .how = how};
    size_t i = cut_index(pane, cut.layer, cut.head);
    bool is_cut = i < pane->n_cuts, is_same = is_cut && pane->cuts[i].how == how;
    if (is_cut)
        remove_cut(pane, i);
    if (!is_same && pane->n_cuts == HEADS_MAX_CUTS) {
        heads_say(pane, "%d heads are cut, no more can be; u puts all back", HEADS_MAX_CUTS);
        return;
    }
    if (!is_same)
        pane->cuts[pane->n_cuts++] = cut;
    if (!compute(pane) && !is_same)
        pane->n_cuts--;
}

void heads_restore(struct heads_pane *pane)
{
    struct error error;
    struct run *before = pane->before != NULL ? run_share(pane->before) : NULL;
    if (pane->n_cuts == 0 && before == NULL)
        heads_say(pane, "nothing is changed: 0 and m cut the head under the cursor, e a token");
    pane->n_cuts = 0;
    if (before == NULL)
        (void)compute(pane);
    else if (!heads_pane_open(pane, before, &error))
        heads_say(pane, "%s", error.text);
    run_free(before);
}

/* ---- another text ---- */

/* Lets a run keep the weights of all layers, so that going from head to head computes nothing;
 * where they would be many, each is worked out when it is looked at. */
static void keep_weights(struct run *run)
{
    const struct model_config *config = &run->model->config;
    double n = (double)run_length(run), heads = (double)config->n_heads * (double)config->n_layers;
    for (size_t layer = 0; layer < config->n_layers && heads * n * n <= KEPT_WEIGHTS; layer++)
        run->is_open[layer] = true;
}

static bool show_run(struct heads_pane *pane, struct run *run, struct error *reterr)
{
    keep_weights(run);
    struct run *cut = run_with_cuts(pane, run, reterr);
    if (cut == NULL || run_logits(run, reterr) == NULL || run_logits(cut, reterr) == NULL) {
        run_free(cut);
        return false;
    }
    run_free(pane->base);
    run_free(pane->run);
    pane->base = run_share(run);
    pane->run = cut;
    return show_again(pane);
}

bool heads_pane_open(struct heads_pane *pane, struct run *run, struct error *reterr)
{
    if (!show_run(pane, run, reterr))
        return false;
    run_free(pane->before);
    pane->before = NULL;
    return true;
}

bool heads_show_edited(struct heads_pane *pane, struct run *run, struct error *reterr)
{
    struct run *old = run_share(pane->base);
    bool ok = show_run(pane, run, reterr);
    if (ok && pane->before == NULL)
        pane->before = run_share(old);
    run_free(old);
    return ok;
}
