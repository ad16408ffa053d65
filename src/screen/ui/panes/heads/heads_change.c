/* What the heads pane computes: cuts, texts, the table of one head. */
#include "ui/panes/heads/heads_pane_internal.h"

#include <string.h>

#include "graph/node.h"
#include "model/model.h"
#include "model/intervene.h"
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
        if (pane->cuts[i].how == how && !pane->cuts[i].is_position)
            ret[n++] = (struct cut){
                .part = CUT_HEAD, .layer = pane->cuts[i].layer, .head = pane->cuts[i].head};
    return n;
}

/* The run with all places of the stream that come from the other text. */
static struct run *run_with_places(const struct heads_pane *pane, struct run *run,
                                   struct error *reterr)
{
    struct run *all = run_share(run);
    for (size_t i = 0; all != NULL && i < pane->n_cuts; i++) {
        const struct heads_cut *cut = &pane->cuts[i];
        if (!cut->is_position)
            continue;
        struct run *more = run_patched(all, pane->other, cut->layer, (ptrdiff_t)cut->head, reterr);
        run_free(all);
        all = more;
    }
    return all;
}

/* The run with all heads that come from the other text, and then such places. */
static struct run *run_with_patches(const struct heads_pane *pane, struct run *run,
                                    struct error *reterr)
{
    struct cut cuts[HEADS_MAX_CUTS];
    size_t n = list_cuts(pane, CUT_FROZEN, cuts);
    struct run *heads =
        n > 0 ? run_cut(run, cuts, n, CUT_FROZEN, pane->other, reterr) : run_share(run);
    struct run *all = heads != NULL ? run_with_places(pane, heads, reterr) : NULL;
    run_free(heads);
    return all;
}

/* The run with the pane's cuts; means are those of the run without any. */
static struct run *run_with_cuts(const struct heads_pane *pane, struct run *run,
                                 struct error *reterr)
{
    struct cut cuts[HEADS_MAX_CUTS];
    size_t n = list_cuts(pane, CUT_MEAN, cuts);
    struct run *patched = run_with_patches(pane, run, reterr);
    struct run *means = patched != NULL ? run_cut(patched, cuts, n, CUT_MEAN, NULL, reterr) : NULL;
    struct run *all = NULL;
    n = list_cuts(pane, CUT_ZERO, cuts);
    if (means != NULL)
        all = run_cut(means, cuts, n, CUT_ZERO, NULL, reterr);
    run_free(means);
    run_free(patched);
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

static size_t cut_index(const struct heads_pane *pane, const struct heads_cut *cut)
{
    size_t i = 0;
    while (i < pane->n_cuts &&
           (pane->cuts[i].layer != cut->layer || pane->cuts[i].head != cut->head ||
            pane->cuts[i].is_position != cut->is_position))
        i++;
    return i;
}

const struct heads_cut *heads_find_cut(const struct heads_pane *pane, size_t layer, size_t head)
{
    size_t i = cut_index(pane, &(struct heads_cut){.layer = layer, .head = head});
    return i < pane->n_cuts ? &pane->cuts[i] : NULL;
}

static void remove_cut(struct heads_pane *pane, size_t i)
{
    memmove(&pane->cuts[i], &pane->cuts[i + 1], (--pane->n_cuts - i) * sizeof *pane->cuts);
}

static void toggle(struct heads_pane *pane, struct heads_cut cut)
{
    size_t i = cut_index(pane, &cut);
    bool is_cut = i < pane->n_cuts, is_same = is_cut && pane->cuts[i].how == cut.how;
    if (is_cut)
        remove_cut(pane, i);
    if (!is_same && pane->n_cuts == HEADS_MAX_CUTS) {
        heads_say(pane, "%d heads are cut, the most that can be; u puts all back", HEADS_MAX_CUTS);
        return;
    }
    if (!is_same)
        pane->cuts[pane->n_cuts++] = cut;
    if (!compute(pane) && !is_same)
        pane->n_cuts--;
}

void heads_toggle_cut(struct heads_pane *pane, enum cut_how how)
{
    toggle(pane,
           (struct heads_cut){.layer = pane->look.layer, .head = pane->look.head, .how = how});
}

void heads_toggle_patch(struct heads_pane *pane)
{
    const struct heads_map *map = &pane->map;
    struct heads_cut cut = {.layer = pane->look.layer, .head = pane->look.head, .how = CUT_FROZEN};
    if (pane->other == NULL) {
        heads_say(
            pane,
            "p patches the head under the cursor from a first text: c compares with a second");
        return;
    }
    cut.is_position = pane->is_one && map->is_open && map->row < pane->alignment.n;
    if (cut.is_position)
        cut.head = pane->alignment.pairs[map->row][1];
    toggle(pane, cut);
}

/* What is taken from the other text goes with it. */
static void remove_patches(struct heads_pane *pane)
{
    for (size_t i = pane->n_cuts; i-- > 0;)
        if (pane->cuts[i].how == CUT_FROZEN)
            remove_cut(pane, i);
}

void heads_restore(struct heads_pane *pane)
{
    struct error error;
    struct run *before = pane->before != NULL ? run_share(pane->before) : NULL;
    if (pane->n_cuts == 0 && before == NULL)
        heads_say(
            pane,
            "nothing is changed: 0 and m cut the head under the cursor, e edits a token, n draws "
            "a word");
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

/* Pairs the tokens of both texts anew. */
static bool align(struct heads_pane *pane, struct run *a, struct run *b, struct error *reterr)
{
    struct alignment fresh = {.n = 0};
    if (a != NULL && !alignment_of(a, b, &fresh, reterr))
        return false;
    alignment_release(&pane->alignment);
    pane->alignment = fresh;
    return true;
}

static bool show_run(struct heads_pane *pane, struct run *run, struct error *reterr)
{
    keep_weights(run);
    struct run *cut = run_with_cuts(pane, run, reterr);
    if (cut == NULL || run_logits(run, reterr) == NULL || run_logits(cut, reterr) == NULL) {
        run_free(cut);
        return false;
    }
    if (!align(pane, pane->other, run, reterr)) {
        run_free(cut);
        return false;
    }
    run_free(pane->base);
    run_free(pane->run);
    pane->base = run_share(run);
    pane->run = cut;
    return show_again(pane);
}

bool heads_pane_compare(struct heads_pane *pane, struct run *a, struct error *reterr)
{
    if (a != NULL)
        keep_weights(a);
    if (!align(pane, a, pane->base, reterr))
        return false;
    remove_patches(pane);
    run_free(pane->other);
    pane->other = a != NULL ? run_share(a) : NULL;
    pane->ranking.by = a != NULL ? HEADS_BY_CHANGE : HEADS_BY_NOTHING;
    pane->ranking.is_sorted = pane->ranking.is_sorted && a != NULL;
    pane->map.is_open = pane->is_one && a != NULL;
    pane->map.each = 0;
    return compute(pane);
}

bool heads_show_longer(struct heads_pane *pane, struct run *run, struct error *reterr)
{
    if (!show_run(pane, run, reterr))
        return false;
    run_free(pane->before);
    pane->before = NULL;
    return true;
}

bool heads_pane_open(struct heads_pane *pane, struct run *run, struct error *reterr)
{
    if (!heads_show_longer(pane, run, reterr))
        return false;
    random_seed(&pane->next.random, pane->next.seed);
    pane->next.n_added = 0;
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
