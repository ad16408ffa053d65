/* Which step is seen, and messages: see training_pane_internal.h. */
#include "ui/panes/training/training_pane_internal.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/size.h"

void training_say(struct training_pane *pane, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(pane->message, sizeof pane->message, format, arguments);
    va_end(arguments);
}

size_t training_step_seen(const struct training_pane *pane)
{
    const struct film *film = pane->film;
    if (!pane->is_live)
        return pane->step;
    return film_goes_back(film) ? film->goal : film_count(film_newest(film));
}

const struct film_frame *training_frame_seen(const struct training_pane *pane)
{
    return film_frame_at(pane->film, pane->branch, training_step_seen(pane));
}

bool training_is_film(const struct training_pane *pane)
{
    const struct film_branch *branch = &pane->film->branches[pane->branch];
    if (pane->start.is_played && pane->branch == 0)
        return true;
    return pane->branch == pane->film->next ? film_is_done(pane->film)
                                            : film_count(branch) >= branch->recipe.n_steps;
}

void training_film_span(const struct training_pane *pane, size_t *ret_begin, size_t *ret_end)
{
    const struct film_branch *branch = &pane->film->branches[pane->branch];
    size_t count = film_count(branch);
    *ret_begin = pane->film->branches[0].begin;
    *ret_end = training_is_film(pane) ? count : size_max(count, branch->recipe.n_steps);
}

bool training_is_unsaved(const struct training_pane *pane)
{
    const struct film *film = pane->film;
    return film->n_branches > pane->kept_branches ||
           film_count(film_newest(film)) > pane->kept_count;
}

bool training_looks_back(const struct training_pane *pane)
{
    return !pane->is_live && pane->step < film_count(&pane->film->branches[pane->branch]);
}
