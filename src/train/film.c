/* See film.h. */
#include "train/film.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "train/film_internal.h"

/* ---- how many snapshots ---- */

static size_t between(size_t n, size_t low, size_t high)
{
    return size_min(size_max(n, low), high);
}

/* Three quarters of the bytes are weights, one is moments. */
static void plan_frames(struct film *film, size_t n_steps)
{
    size_t weights = trainer_total(film->training->trainer) * sizeof(float);
    size_t bytes = between(n_steps, 1, FILM_MOST_BYTES / FILM_STEP_BYTES) * FILM_STEP_BYTES;
    bytes = size_max(bytes, FILM_LEAST_BYTES);
    size_t n_frames = between(bytes / 4 * 3 / weights, FILM_LEAST_FRAMES, FILM_MOST_FRAMES);
    size_t n_moments = between(bytes / 4 / (2 * weights), 2, n_frames);
    film->every = size_max((n_steps + n_frames - 2) / (n_frames - 1), 1);
    n_frames = n_steps / film->every + 1;
    film->moments_every = size_max((n_frames + n_moments - 1) / n_moments, 1);
}

/* ---- making and freeing ---- */

static void release_frame(struct film_frame *frame)
{
    free(frame->weights);
    free(frame->moments);
}

static void release_branch(struct film_branch *branch)
{
    for (size_t i = 0; i < branch->n_frames; i++)
        release_frame(&branch->frames[i]);
    free(branch->frames);
    free(branch->losses);
    if (branch->owns_source)
        source_free(branch->source);
}

bool film_new(const struct training_plan *plan, struct source *source, struct training *training,
              const char *data_dir, struct film **ret, struct error *reterr)
{
    struct film *film = calloc(1, sizeof *film);
    if (film == NULL) {
        training_free(training);
        source_free(source);
        return error_memory(reterr, "a film");
    }
    film->training = training;
    film->data_dir = data_dir;
    film->n_branches = 1;
    film->goal = training_count(training);
    film->branches[0] = (struct film_branch){.plan = *plan,
                                             .source = source,
                                             .owns_source = true,
                                             .recipe = training->recipe,
                                             .seed = training->seed,
                                             .begin = film->goal};
    size_t n_steps = training->recipe.n_steps;
    plan_frames(film, n_steps > film->goal ? n_steps - film->goal : 0);
    *ret = film;
    return true;
}

void film_free(struct film *film)
{
    if (film == NULL)
        return;
    training_free(film->training);
    for (size_t i = film->n_branches; i-- > 0;)
        release_branch(&film->branches[i]);
    free(film);
}

/* ---- what there is ---- */

size_t film_count(const struct film_branch *branch)
{
    return branch->begin + branch->n_losses;
}

const struct film_branch *film_newest(const struct film *film)
{
    return &film->branches[film->next];
}

bool film_goes_back(const struct film *film)
{
    return training_count(film->training) < film->goal || film->next != film->current;
}

double film_loss(const struct film *film, size_t branch, size_t step)
{
    const struct film_branch *own = &film->branches[branch];
    while (step <= own->begin && own->parent != (size_t)(own - film->branches))
        own = &film->branches[own->parent];
    bool is_there = step > own->begin && step <= film_count(own);
    return is_there ? (double)own->losses[step - own->begin - 1] : (double)NAN;
}

const struct film_frame *film_frame_at(const struct film *film, size_t branch, size_t step)
{
    const struct film_branch *own = &film->branches[branch];
    for (;;) {
        for (size_t i = own->n_frames; i-- > 0;)
            if (own->frames[i].step <= step)
                return &own->frames[i];
        if (own->parent == (size_t)(own - film->branches))
            return NULL;
        step = size_min(step, own->begin);
        own = &film->branches[own->parent];
    }
}

const struct film_frame *film_frame_after(const struct film *film, size_t branch, size_t step)
{
    const struct film_branch *own = &film->branches[branch];
    if (own->parent != branch && step < own->begin) {
        const struct film_frame *found = film_frame_after(film, own->parent, step);
        size_t end = own->n_frames > 0 ? own->begin : own->begin + 1;
        if (found != NULL && found->step < end)
            return found;
    }
    for (size_t i = 0; i < own->n_frames; i++)
        if (own->frames[i].step > step)
            return &own->frames[i];
    return NULL;
}

const struct film_frame *film_frame_right(const struct film *film, size_t branch, double share)
{
    const struct film_frame *first = film_frame_at(film, branch, film->branches[0].begin);
    const struct film_frame *frame = first;
    while (frame != NULL && frame->held_out.right < share)
        frame = film_frame_after(film, branch, frame->step);
    return frame != first ? frame : NULL;
}

struct model *film_model(const struct film *film, const struct film_frame *frame,
                         struct graph *graph, struct error *reterr)
{
    return trainer_model_of(film->training->trainer, frame->weights, graph, reterr);
}

size_t film_bytes(const struct film *film)
{
    size_t weights = trainer_total(film->training->trainer) * sizeof(float), bytes = sizeof *film;
    for (size_t i = 0; i < film->n_branches; i++) {
        const struct film_branch *branch = &film->branches[i];
        bytes += branch->losses_capacity * sizeof(float) +
                 branch->frames_capacity * sizeof *branch->frames;
        for (size_t at = 0; at < branch->n_frames; at++)
            bytes += weights + (branch->frames[at].moments != NULL ? 2 * weights : 0);
    }
    return bytes;
}

/* ---- adding to it ---- */

bool film_add_loss(struct film_branch *branch, double loss, struct error *reterr)
{
    float *losses = array_grow(branch->losses, branch->n_losses, &branch->losses_capacity,
                               sizeof *branch->losses);
    if (losses == NULL)
        return error_memory(reterr, "a film");
    branch->losses = losses;
    branch->losses[branch->n_losses++] = (float)loss;
    return true;
}

bool film_add_frame(struct film_branch *branch, const struct film_frame *frame,
                    struct error *reterr)
{
    struct film_frame *frames = array_grow(branch->frames, branch->n_frames,
                                           &branch->frames_capacity, sizeof *branch->frames);
    if (frames == NULL)
        return error_memory(reterr, "a film");
    branch->frames = frames;
    branch->frames[branch->n_frames++] = *frame;
    return true;
}

static bool measure(const struct training *training, struct film_frame *frame, struct error *reterr)
{
    return training_score(training, SPLIT_HELD_OUT, FILM_SCORE_BATCHES, &frame->held_out, reterr) &&
           (!training->source->has_untrained ||
            training_score(training, SPLIT_UNTRAINED, FILM_SCORE_BATCHES, &frame->untrained,
                           reterr));
}

/* A snapshot of the training as it is now. */
static bool take_frame(struct film *film, struct film_branch *branch, struct error *reterr)
{
    const struct trainer *trainer = film->training->trainer;
    size_t total = trainer_total(trainer);
    struct film_frame frame = {.step = training_count(film->training)};
    bool with_moments = branch->n_frames % film->moments_every == 0 && frame.step > 0;
    bool ok = measure(film->training, &frame, reterr);
    if (!ok)
        return false;
    frame.weights = calloc(total + 1, sizeof(float));
    frame.moments = with_moments ? calloc(2 * total + 1, sizeof(float)) : NULL;
    ok = (frame.weights != NULL && (!with_moments || frame.moments != NULL)) ||
         error_memory(reterr, "a film");
    if (ok)
        trainer_read(trainer, frame.weights, frame.moments);
    ok = ok && film_add_frame(branch, &frame, reterr);
    if (!ok)
        release_frame(&frame);
    return ok;
}

/* ---- going on ---- */

/* The training takes on what a branch trains with. */
static void adopt(struct film *film, size_t branch)
{
    const struct film_branch *own = &film->branches[branch];
    film->training->source = own->source;
    film->training->recipe = own->recipe;
    film->training->seed = own->seed;
    film->current = branch;
}

/* Whether a snapshot of the step that a branch has reached is due. */
static bool needs_frame(const struct film *film, const struct film_branch *branch)
{
    size_t count = film_count(branch), n = branch->n_frames;
    bool is_due = n == 0 || count % film->every == 0 || count == branch->recipe.n_steps;
    return is_due && (n == 0 || branch->frames[n - 1].step < count);
}

bool film_is_done(const struct film *film)
{
    const struct film_branch *branch = film_newest(film);
    return film_count(branch) >= branch->recipe.n_steps && !needs_frame(film, branch);
}

/* A step that the film has not seen. */
static bool take_step(struct film *film, struct error *reterr)
{
    struct film_branch *branch = &film->branches[film->current];
    if (!film_add_loss(branch, 0, reterr)) /* room for it, before the step */
        return false;
    bool ok = training_step(film->training, reterr);
    if (ok)
        branch->losses[branch->n_losses - 1] = (float)film->training->loss;
    else
        branch->n_losses--;
    film->goal = film_count(branch);
    return ok;
}

bool film_advance(struct film *film, struct error *reterr)
{
    if (film_is_done(film))
        return true;
    if (training_count(film->training) < film->goal)
        return training_step(film->training, reterr);
    if (film->next != film->current)
        adopt(film, film->next);
    struct film_branch *branch = &film->branches[film->current];
    return needs_frame(film, branch) ? take_frame(film, branch, reterr) : take_step(film, reterr);
}

/* ---- branches ---- */

/* Brings the training to the last snapshot of a branch from which it can go on to a step. */
static void go_back(struct film *film, size_t branch, size_t step)
{
    const struct film_branch *own = &film->branches[branch];
    size_t i = own->n_frames;
    while (i-- > 1 && (own->frames[i].step > step || own->frames[i].moments == NULL))
        continue;
    const struct film_frame *frame = &own->frames[i];
    adopt(film, branch);
    trainer_write(film->training->trainer, frame->weights, frame->moments, frame->step);
}

/* A branch that never began is gone once something else is wanted. */
static void drop_unborn(struct film *film)
{
    if (film->branches[film->next].n_frames > 0 || film->next == 0)
        return;
    release_branch(&film->branches[--film->n_branches]);
    film->next = film->current;
}

void film_resume(struct film *film, size_t branch)
{
    const struct film_branch *own = &film->branches[branch];
    if (branch == film->next)
        return;
    drop_unborn(film);
    bool is_there = film->current == branch && training_count(film->training) == film_count(own);
    if (!is_there)
        go_back(film, branch, film_count(own));
    film->next = branch;
    film->goal = film_count(own);
}

/* Which branch has this snapshot: this one, or one that it comes from. */
static size_t branch_of(const struct film *film, size_t branch, const struct film_frame *frame)
{
    const struct film_branch *own = &film->branches[branch];
    for (size_t i = 0; i < own->n_frames; i++)
        if (&own->frames[i] == frame)
            return branch;
    return own->parent == branch ? 0 : branch_of(film, own->parent, frame);
}

/* Adds a word to the name, with a blank before it. */
static void add_to_name(struct film_branch *branch, const char *word, const char *value)
{
    size_t size = strlen(branch->name);
    snprintf(branch->name + size, sizeof branch->name - size, "%s%s%s%s", size > 0 ? " " : "", word,
             value[0] != '\0' ? " " : "", value);
}

static void name_branch(struct film_branch *branch, const struct film_change *change)
{
    char number[32];
    snprintf(number, sizeof number, "%g", change->lr);
    if (change->lr > 0)
        add_to_name(branch, "lr", number);
    snprintf(number, sizeof number, "%llu", (unsigned long long)change->seed);
    if (change->has_seed)
        add_to_name(branch, "seed", number);
    if (change->task[0] != '\0')
        add_to_name(branch, "task", change->task);
    if (branch->name[0] == '\0')
        add_to_name(branch, "the same again", "");
}

/* What the change makes of the parent's plan and recipe. */
static void change_plan(struct film_branch *branch, const struct film_change *change)
{
    struct recipe *recipe = &branch->recipe;
    if (change->lr > 0) {
        recipe->schedule.least_lr *= change->lr / recipe->schedule.lr;
        recipe->schedule.lr = branch->plan.lr = change->lr;
    }
    if (change->has_seed)
        branch->seed = branch->plan.seed = change->seed;
    if (change->task[0] != '\0') {
        snprintf(branch->plan.task, sizeof branch->plan.task, "%s", change->task);
        branch->plan.text[0] = '\0';
    }
    /* The sizes stay those of the model, whatever the other task's own recipe has. */
    branch->plan.n_steps = recipe->n_steps;
    branch->plan.n_layers = recipe->n_layers;
    branch->plan.n_heads = recipe->n_heads;
    branch->plan.d_model = recipe->d_model;
    branch->plan.batch = recipe->batch;
    branch->plan.no_mlp = recipe->d_mlp == 0;
}

/* The source that the changed plan trains from, where that is another one. */
static bool open_changed(const struct film *film, const struct film_change *change,
                         struct film_branch *branch, struct error *reterr)
{
    const struct source *was = branch->source;
    branch->owns_source = change->task[0] != '\0' || change->has_seed;
    if (!branch->owns_source)
        return true;
    if (!plan_source(&branch->plan, film->data_dir, &branch->source, reterr))
        return false;
    if (branch->source->vocab == was->vocab && branch->source->context <= was->context)
        return true;
    error_set(
        reterr, ERR_SHAPE,
        "task %s: tokens %zu, texts up to %zu; the model must have the same: it has %zu and %zu",
        change->task, branch->source->vocab, branch->source->context, was->vocab, was->context);
    source_free(branch->source);
    return false;
}

bool film_fork(struct film *film, size_t branch, const struct film_frame *frame,
               const struct film_change *change, struct error *reterr)
{
    size_t parent = branch_of(film, branch, frame), step = frame->step;
    const struct film_branch *own = &film->branches[parent];
    if (step >= own->recipe.n_steps)
        return error_set(reterr, ERR_RANGE,
                         "no step is left after step %zu; a branch begins at an earlier one", step);
    drop_unborn(film);
    if (film->n_branches == FILM_MAX_BRANCHES)
        return error_set(reterr, ERR_LIMIT, "a film has %d branches at most; this one has all",
                         FILM_MAX_BRANCHES);
    struct film_branch made = {.plan = own->plan,
                               .source = own->source,
                               .recipe = own->recipe,
                               .seed = own->seed,
                               .parent = parent,
                               .begin = step};
    change_plan(&made, change);
    name_branch(&made, change);
    if (!open_changed(film, change, &made, reterr))
        return false;
    go_back(film, parent, step);
    film->next = film->n_branches;
    film->goal = step;
    film->branches[film->n_branches++] = made;
    return true;
}
