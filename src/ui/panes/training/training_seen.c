/* Which step is seen, and messages: see training_pane_internal.h. */
#include "ui/panes/training/training_pane_internal.h"

#include <stdarg.h>
#include <stdio.h>

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

bool training_looks_back(const struct training_pane *pane)
{
    return !pane->is_live && pane->step < film_count(&pane->film->branches[pane->branch]);
}
