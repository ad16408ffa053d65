/* The curves of the training pane: see training_pane_internal.h. */
#include "ui/panes/training/training_pane_internal.h"

#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "show/plot.h"
#include "tensor/tensor.h"

/* Points of all branches, one branch after the other: y[i] is that of point i in the branch that
 * it belongs to, and NaN in the others. */
struct curves {
    size_t n;
    struct tensor x, y[FILM_MAX_BRANCHES];
};

static bool curves_init(struct curves *curves, size_t n_branches, size_t most, struct error *reterr)
{
    *curves = (struct curves){.n = 0};
    bool ok = tensor_full(1, &most, NAN, &curves->x, reterr);
    for (size_t i = 0; ok && i < n_branches; i++)
        ok = tensor_full(1, &most, NAN, &curves->y[i], reterr);
    return ok;
}

static void curves_release(struct curves *curves)
{
    tensor_release(&curves->x);
    for (size_t i = 0; i < FILM_MAX_BRANCHES; i++)
        tensor_release(&curves->y[i]);
}

static void add_point(struct curves *curves, size_t branch, double x, double y)
{
    curves->x.data[curves->n] = (float)x;
    curves->y[branch].data[curves->n++] = (float)y;
}

/* The mean loss of some steps for each of at most n points. */
static void add_losses(struct curves *curves, const struct film_branch *branch, size_t at, size_t n)
{
    n = size_min(n, branch->n_losses);
    for (size_t i = 0; i < n; i++) {
        size_t first = i * branch->n_losses / n, end = (i + 1) * branch->n_losses / n;
        double sum = 0;
        for (size_t step = first; step < end; step++)
            sum += (double)branch->losses[step];
        add_point(curves, at, (double)branch->begin + (double)(first + end) / 2,
                  sum / (double)(end - first));
    }
}

static void add_rights(struct curves *curves, const struct film_branch *branch, size_t at)
{
    for (size_t i = 0; i < branch->n_frames; i++)
        add_point(curves, at, (double)branch->frames[i].step,
                  100 * branch->frames[i].held_out.right);
}

/* The most steps that any branch has, at which both charts end. */
static size_t newest_of_all(const struct film *film)
{
    size_t newest = 0;
    for (size_t i = 0; i < film->n_branches; i++)
        newest = size_max(newest, film_count(&film->branches[i]));
    return newest;
}

static void show(const struct training_pane *pane, const struct curves *curves, struct plot *plot,
                 struct doc *out)
{
    struct show_options options = settings_show_options(&pane->settings);
    options.width_cols = (size_t)pane->layout.left_cols;
    plot->x = &curves->x;
    plot->x_title = "step";
    plot->is_bare = true;
    plot->x_low = (double)pane->film->branches[0].begin;
    plot->x_high = (double)newest_of_all(pane->film);
    plot->has_mark = training_looks_back(pane);
    plot->mark = (double)pane->step;
    plot->n_curves = pane->film->n_branches;
    for (size_t i = 0; i < plot->n_curves; i++)
        plot->curves[i] = (struct plot_curve){
            .y = &curves->y[i], .title = i == 0 ? "the first" : pane->film->branches[i].name};
    plot_show(out, plot, &options);
}

/* The most points that both kinds of curves have. */
static size_t most_points(const struct training_pane *pane)
{
    size_t n_frames = 0, each = 2 * (size_t)pane->layout.left_cols;
    for (size_t i = 0; i < pane->film->n_branches; i++)
        n_frames += pane->film->branches[i].n_frames;
    return size_max(n_frames, each * pane->film->n_branches) + 1;
}

static bool fill_loss(struct training_pane *pane, struct error *reterr)
{
    struct curves curves;
    const struct film *film = pane->film;
    struct plot plot = {.is_log_y = true, .n_lines = (size_t)pane->layout.loss_lines};
    bool ok = curves_init(&curves, film->n_branches, most_points(pane), reterr);
    doc_clear(&pane->loss);
    doc_line(&pane->loss, STYLE_TITLE, "loss, by step");
    for (size_t i = 0; ok && i < film->n_branches; i++)
        add_losses(&curves, &film->branches[i], i, 2 * (size_t)pane->layout.left_cols);
    if (ok)
        show(pane, &curves, &plot, &pane->loss);
    curves_release(&curves);
    return ok && doc_check(&pane->loss, reterr);
}

static bool fill_right(struct training_pane *pane, struct error *reterr)
{
    struct curves curves;
    const struct film *film = pane->film;
    struct plot plot = {.y_high = 100, .n_lines = (size_t)pane->layout.right_lines};
    bool ok = curves_init(&curves, film->n_branches, most_points(pane), reterr);
    doc_clear(&pane->right);
    doc_line(&pane->right, STYLE_TITLE, "%% right, of the held-out ones");
    for (size_t i = 0; ok && i < film->n_branches; i++)
        add_rights(&curves, &film->branches[i], i);
    if (ok)
        show(pane, &curves, &plot, &pane->right);
    curves_release(&curves);
    return ok && doc_check(&pane->right, reterr);
}

bool training_fill_curves(struct training_pane *pane, struct error *reterr)
{
    return fill_loss(pane, reterr) && fill_right(pane, reterr);
}
