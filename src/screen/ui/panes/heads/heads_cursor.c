/* The head under the cursor among all, what is said at the bottom, and the rows at the top. */
#include "ui/panes/heads/heads_pane_internal.h"

#include <stdarg.h>
#include <stdio.h>

#include "model/model.h"
#include "model/run.h"

void heads_say(struct heads_pane *pane, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(pane->message, sizeof pane->message, format, arguments);
    va_end(arguments);
}

size_t heads_count(const struct heads_pane *pane)
{
    const struct model_config *config = &pane->run->model->config;
    return config->n_layers * config->n_heads;
}

size_t heads_index(const struct heads_pane *pane)
{
    return pane->look.layer * pane->run->model->config.n_heads + pane->look.head;
}

void heads_look_at(struct heads_pane *pane, size_t head)
{
    size_t n_heads = pane->run->model->config.n_heads;
    pane->look.layer = head / n_heads;
    pane->look.head = head % n_heads;
}

bool heads_has_sink_row(const struct heads_pane *pane)
{
    return pane->is_one || pane->rows >= HEADS_HIGH_ROWS;
}

int heads_top_rows(const struct heads_pane *pane)
{
    return pane->texts_rows + (heads_has_sink_row(pane) ? 2 : 1);
}
