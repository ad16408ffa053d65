/* Playing the film, back and forth in it, branches, saving: see training_pane_internal.h. */
#include "ui/panes/training/training_pane_internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/model.h"

/* ---- back and forth ---- */

static size_t newest_step(const struct training_pane *pane)
{
    return film_count(&pane->film->branches[pane->branch]);
}

static void show_frame(struct training_pane *pane, const struct film_frame *frame)
{
    training_pause(pane);
    pane->is_live = false;
    pane->step = frame->step;
}

void training_scrub_to_end(struct training_pane *pane)
{
    pane->is_playing = false;
    pane->is_stale = true;
    pane->is_live = pane->branch == pane->film->next;
    pane->step = newest_step(pane);
}

void training_scrub_to(struct training_pane *pane, size_t step)
{
    const struct film_frame *frame = film_frame_at(pane->film, pane->branch, step);
    if (frame == NULL)
        return;
    if (frame->step == newest_step(pane))
        training_scrub_to_end(pane);
    else
        show_frame(pane, frame);
}

static bool step_back(struct training_pane *pane)
{
    size_t step = training_step_seen(pane);
    const struct film_frame *frame =
        step > 0 ? film_frame_at(pane->film, pane->branch, step - 1) : NULL;
    if (frame != NULL)
        show_frame(pane, frame);
    return frame != NULL;
}

static bool step_on(struct training_pane *pane)
{
    if (pane->is_live)
        return false;
    const struct film_frame *frame = film_frame_after(pane->film, pane->branch, pane->step);
    bool is_newest = frame == NULL || frame->step == newest_step(pane);
    if (is_newest)
        training_scrub_to_end(pane);
    else
        show_frame(pane, frame);
    return !is_newest;
}

void training_scrub(struct training_pane *pane, int by)
{
    bool ok = true;
    for (int i = 0; ok && i < abs(by); i++)
        ok = by < 0 ? step_back(pane) : step_on(pane);
}

void training_scrub_to_begin(struct training_pane *pane)
{
    while (step_back(pane))
        continue;
}

/* ---- playing ---- */

/* When a step is due, in ms from the start of the film. */
static int64_t due_ms(const struct training_pane *pane, size_t step)
{
    size_t begin = pane->film->branches[0].begin, n = newest_step(pane) - begin;
    return n == 0 ? FILM_PLAY_MS : (int64_t)((double)(step - begin) / (double)n * FILM_PLAY_MS);
}

void training_play(struct training_pane *pane)
{
    size_t step = training_step_seen(pane);
    if (step >= newest_step(pane))
        training_scrub_to_begin(pane);
    step = training_step_seen(pane);
    training_pause(pane);
    pane->is_playing = step < newest_step(pane);
    pane->played_ms = due_ms(pane, step);
    pane->play_ms = 0;
}

/* The last snapshot that is due at this time of the film. */
static const struct film_frame *due_frame(const struct training_pane *pane, int64_t ms)
{
    size_t begin = pane->film->branches[0].begin, n = newest_step(pane) - begin;
    size_t step = begin + (size_t)((double)n * (double)ms / FILM_PLAY_MS);
    return film_frame_at(pane->film, pane->branch, step);
}

void training_play_on(struct training_pane *pane, int64_t now_ms)
{
    enum { LONGEST_MS = 2000 }; /* more went by only where attn was stopped meanwhile */
    int64_t passed = pane->play_ms > 0 ? now_ms - pane->play_ms : 0;
    pane->play_ms = now_ms;
    pane->played_ms += passed < LONGEST_MS ? passed : LONGEST_MS;
    const struct film_frame *frame =
        pane->played_ms < FILM_PLAY_MS ? due_frame(pane, pane->played_ms) : NULL;
    if (frame == NULL) {
        training_scrub_to_end(pane);
    } else if (frame->step != pane->step) {
        pane->step = frame->step;
        pane->is_stale = true;
    }
}

int training_play_timeout_ms(const struct training_pane *pane, int64_t now_ms)
{
    const struct film_frame *next = film_frame_after(pane->film, pane->branch, pane->step);
    int64_t at = next != NULL ? due_ms(pane, next->step) : FILM_PLAY_MS;
    int64_t wait = at - pane->played_ms;
    wait -= pane->play_ms > 0 ? now_ms - pane->play_ms : 0;
    return wait > 0 ? (int)wait + 1 : 0;
}

/* ---- branches ---- */

void training_next_branch(struct training_pane *pane)
{
    if (pane->film->n_branches == 1) {
        training_say(pane, "there is one run; b makes a branch of it");
        return;
    }
    training_pause(pane);
    pane->branch = (pane->branch + 1) % pane->film->n_branches;
    training_scrub_to_end(pane);
}

void training_fork_soon(struct training_pane *pane)
{
    pane->is_forking = true;
    pane->is_fork_seen = false;
    training_say(pane, "making the branch ...");
}

void training_fork(struct training_pane *pane)
{
    struct error error;
    struct film_change change;
    if (!pane->is_fork_seen) {
        pane->is_fork_seen = true;
        return;
    }
    const struct film_frame *frame = training_frame_seen(pane);
    bool ok = film_change_parse(pane->field.text, &change, &error) &&
              (frame != NULL || error_set(&error, ERR_RANGE, "nothing is filmed yet")) &&
              film_fork(pane->film, pane->branch, frame, &change, &error);
    pane->is_forking = false;
    if (!ok) {
        training_say(pane, "%s", error.text);
        return;
    }
    pane->is_typing = false;
    pane->branch = pane->film->next;
    pane->look.is_there = false; /* it may have the number of one that never began */
    pane->message[0] = '\0';
    training_go_on(pane);
}

/* ---- saving ---- */

bool training_save(struct training_pane *pane)
{
    struct error error;
    char folder[4096];
    size_t step = training_step_seen(pane);
    const struct film_frame *frame = pane->is_live ? NULL : training_frame_seen(pane);
    int size = frame == NULL
                   ? snprintf(folder, sizeof folder, "%s", pane->start.folder)
                   : snprintf(folder, sizeof folder, "%s-step-%zu", pane->start.folder, step);
    bool ok = (size >= 0 && size < (int)sizeof folder) ||
              error_set(&error, ERR_FILE, "the folder's name is too long");
    if (!ok || !film_keep(pane->film, frame, folder, &error)) {
        training_say(pane, "%s", error.text);
        return false;
    }
    if (frame == NULL) {
        pane->kept_branches = pane->film->n_branches;
        pane->kept_count = film_count(film_newest(pane->film));
    }
    if (pane->start.ret_saved != NULL)
        *pane->start.ret_saved = true;
    training_say(pane, "saved step %zu in %s; attn view %s shows it", step, folder, folder);
    return true;
}
