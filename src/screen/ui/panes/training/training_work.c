/* What the training pane does between the keys: see training_pane_internal.h. */
#include "ui/panes/training/training_pane_internal.h"

#include "files/clock.h"
#include "model/model.h"
#include "model/run.h"

enum {
    SLICE_MS = 20,  /* of training, between two looks at the keys */
    LOOK_MS = 120,  /* from one look at the model to the next, while it trains */
    TELL_MS = 1500, /* the same of what it tells */
    CHECKPOINT_MS = 30000,
};

/* The trainer has the weights of the step that is seen. */
static bool trainer_is_seen(const struct training_pane *pane)
{
    return pane->is_live && !film_goes_back(pane->film);
}

/* ---- looking ---- */

void training_release_look(struct training_pane *pane)
{
    run_free(pane->look.run);
    pane->look.run = NULL;
}

static struct model *model_seen(const struct training_pane *pane, struct graph *graph,
                                struct error *reterr)
{
    const struct film_frame *frame = training_frame_seen(pane);
    if (trainer_is_seen(pane))
        return training_model(pane->film->training, graph, reterr);
    if (frame != NULL)
        return film_model(pane->film, frame, graph, reterr);
    error_set(reterr, ERR_RANGE, "nothing is filmed yet");
    return NULL;
}

/* All that the page needs of the run is computed here, where a key ends it. */
static bool compute(struct run *run, struct error *reterr)
{
    for (size_t layer = 0; layer < run->model->config.n_layers; layer++)
        run->is_open[layer] = true;
    return run_logits(run, reterr) != NULL;
}

static bool tell(struct training_pane *pane, struct model *model, int64_t now_ms,
                 struct error *reterr)
{
    bool is_due = !pane->is_running || now_ms - pane->look.told_ms >= TELL_MS;
    if (!pane->film->training->source->tells_next || !is_due)
        return true;
    struct text told = {0};
    bool ok = probe_tell(&pane->probe, model, pane->stop, &told, reterr);
    if (ok) {
        text_release(&pane->look.told);
        pane->look.told = told;
        pane->look.told_ms = now_ms;
    } else {
        text_release(&told);
    }
    return ok;
}

/* False: a key came, or it can't be done. */
static bool look(struct training_pane *pane, int64_t now_ms, struct error *reterr)
{
    struct model *model = model_seen(pane, &pane->graph, reterr);
    struct run *run = model != NULL ? probe_run(&pane->probe, &pane->graph, model, reterr) : NULL;
    bool ok = run != NULL && compute(run, reterr) && tell(pane, model, now_ms, reterr);
    model_free(model);
    if (!ok) {
        run_free(run);
        return false;
    }
    training_release_look(pane);
    pane->look.run = run;
    return true;
}

static bool look_is_stale(const struct training_pane *pane)
{
    const struct training_look *seen = &pane->look;
    return !seen->is_there || seen->branch != pane->branch ||
           seen->step != training_step_seen(pane);
}

static void refresh(struct training_pane *pane, int64_t now_ms)
{
    struct error error;
    bool is_due = !pane->is_running || !pane->is_live || !pane->look.is_there ||
                  now_ms - pane->look.made_ms >= LOOK_MS;
    if (!look_is_stale(pane) || !is_due)
        return;
    bool ok = look(pane, now_ms, &error);
    if (!ok && error.kind == ERR_INTERRUPTED)
        return;
    if (!ok) {
        training_release_look(pane);
        training_say(pane, "%s", error.text);
    }
    pane->look.is_there = true;
    pane->look.branch = pane->branch;
    pane->look.step = training_step_seen(pane);
    pane->look.made_ms = now_ms;
    pane->is_stale = true;
}

/* ---- training ---- */

void training_pause(struct training_pane *pane)
{
    pane->is_running = pane->is_playing = false;
    pane->is_stale = true;
}

void training_go_on(struct training_pane *pane)
{
    film_resume(pane->film, pane->branch);
    pane->is_playing = false;
    pane->is_live = true;
    pane->is_stale = true;
    pane->is_running = !film_is_done(pane->film);
    pane->run_ms = clock_ms();
    pane->run_step = training_count(pane->film->training);
    if (!pane->is_running)
        training_say(pane, "all %zu steps are taken; Space plays them, b branches from one",
                     film_count(film_newest(pane->film)));
}

/* Saved now and then, so that little is lost where the machine stops. Where that fails it is said,
 * and tried again later. */
static void keep(struct training_pane *pane, int64_t now_ms)
{
    struct error error;
    size_t step = training_count(pane->film->training), every = pane->start.save_every;
    bool is_due = every > 0 ? step < pane->saved_step || step - pane->saved_step >= every
                            : now_ms - pane->saved_ms >= CHECKPOINT_MS;
    if (!is_due || film_goes_back(pane->film))
        return;
    pane->saved_ms = now_ms;
    pane->saved_step = step;
    if (checkpoint_save(pane->film->training, &film_newest(pane->film)->plan, pane->start.folder,
                        &error))
        pane->kept_count = step;
    else
        training_say(pane, "%s", error.text);
}

static void train(struct training_pane *pane, int64_t now_ms)
{
    struct error error;
    bool ok = true;
    while (ok && !*pane->stop && !film_is_done(pane->film) && clock_ms() - now_ms < SLICE_MS)
        ok = film_advance(pane->film, &error);
    if (ok)
        keep(pane, now_ms);
    if (!ok && error.kind != ERR_INTERRUPTED) {
        training_pause(pane);
        training_say(pane, "%s", error.text);
    }
    if (film_is_done(pane->film)) {
        training_pause(pane);
        training_say(pane, "done: all %zu steps; Space plays them, Left looks back, w saves",
                     film_count(film_newest(pane->film)));
    }
}

void training_work(struct training_pane *pane, int64_t now_ms)
{
    if (!pane->is_begun) { /* a frame comes before the first scores, which may take seconds */
        pane->is_begun = true;
        return;
    }
    if (pane->is_running && !*pane->stop)
        train(pane, now_ms);
    if (!*pane->stop) /* else a key comes first */
        refresh(pane, now_ms);
}

bool training_has_work(const struct training_pane *pane)
{
    return pane->is_running || pane->is_forking || look_is_stale(pane);
}
