/* What is typed into the heads pane: a word more, another text, another token in place of one. */
#include "ui/panes/heads/heads_pane_internal.h"

#include <string.h>

#include "graph/node.h"
#include "model/ids.h"
#include "model/model.h"
#include "model/run.h"
#include "model/text_run.h"
#include "show/labels.h"
#include "tensor/tensor.h"
#include "ui/terminal/scroll.h"

/* ---- asking ---- */

/* In one head the key under the cursor; else the token that was edited last. */
static size_t token_of_cursor(const struct heads_pane *pane)
{
    size_t col = pane->map.is_open ? pane->map.col : pane->explorer.col;
    if (pane->map.is_open && pane->other != NULL && col < pane->alignment.n)
        col = pane->alignment.pairs[col][1];
    return pane->is_one ? col : pane->token;
}

void heads_ask(struct heads_pane *pane, enum heads_asks asks)
{
    pane->is_typing = true;
    pane->asks = asks;
    pane->field = (struct field){.size = 0};
    pane->token = scroll_step(token_of_cursor(pane), 0, run_length(pane->base));
}

void heads_step_token(struct heads_pane *pane, int by)
{
    pane->token = scroll_step(pane->token, by, run_length(pane->base));
}

/* ---- ids ---- */

static struct run *run_of_ids(struct heads_pane *pane, struct tensor *ids, struct error *reterr)
{
    static const char name[] = "ids";
    struct node *node = node_input(pane->base->graph, ids, name, sizeof name - 1, reterr);
    struct run *run =
        node != NULL ? run_ids(pane->base->graph, pane->base->model, node, reterr) : NULL;
    node_free(node);
    return run;
}

/* The ids of the text as it is, with typed[n_typed] in place of those at [first, end). */
static bool splice(const struct heads_pane *pane, size_t first, size_t end,
                   const struct tensor *typed, struct tensor *ret, struct error *reterr)
{
    const struct tensor *old = &pane->base->ids->value;
    size_t n_typed = tensor_size(typed), n = tensor_size(old) - (end - first) + n_typed;
    if (!tensor_empty(1, &n, ret, reterr))
        return false;
    for (size_t i = 0; i < n; i++)
        ret->data[i] = i < first             ? tensor_at_position(old, i)
                       : i < first + n_typed ? tensor_at_position(typed, i - first)
                                             : tensor_at_position(old, i - n_typed + end - first);
    return true;
}

static struct run *run_spliced(struct heads_pane *pane, size_t first, size_t end,
                               const struct tensor *typed, struct error *reterr)
{
    struct tensor ids;
    return splice(pane, first, end, typed, &ids, reterr) ? run_of_ids(pane, &ids, reterr) : NULL;
}

/* ---- words ---- */

/* A word stands apart from the text before it; what is no letter and no digit follows it at once.
 */
static bool wants_blank(const struct text *text, const char *typed)
{
    static const char joined[] = " .,;:!?'\")";
    return text->size > 0 && text->bytes[text->size - 1] != ' ' && typed[0] != '\0' &&
           strchr(joined, typed[0]) == NULL;
}

/* The text as it is. */
static bool write_text(const struct heads_pane *pane, struct text *ret, struct error *reterr)
{
    return model_decode(pane->base->model, &pane->base->ids->value, ret, reterr);
}

static struct run *run_of_text(struct heads_pane *pane, struct error *reterr)
{
    struct text text = {0};
    struct run *run = NULL, *base = pane->base;
    bool ok = pane->asks != HEADS_ASK_WORD || write_text(pane, &text, reterr);
    if (wants_blank(&text, pane->field.text))
        text_char(&text, ' ');
    text_put(&text, pane->field.text);
    ok = ok && (!text.failed || error_memory(reterr, "a text"));
    if (ok)
        run = run_text(base->graph, base->model, text.bytes, text.size, reterr);
    text_release(&text);
    return run;
}

/* Whether the token that is edited begins with a blank, which is part of it. */
static bool has_blank(const struct heads_pane *pane)
{
    struct text text = {0};
    struct tensor id;
    struct error error;
    size_t one = 1;
    if (!tensor_empty(1, &one, &id, &error))
        return false;
    id.data[0] = tensor_at_position(&pane->base->ids->value, pane->token);
    bool has = model_decode(pane->base->model, &id, &text, &error) && text.size > 0 &&
               text.bytes[0] == ' ';
    tensor_release(&id);
    text_release(&text);
    return has;
}

/* The ids of what was typed. */
static bool read_typed(const struct heads_pane *pane, struct tensor *ret, struct error *reterr)
{
    struct text text = {0};
    struct labels *labels = NULL;
    if (pane->base->model->tokenizer == NULL)
        return ids_parse(pane->field.text, ret, reterr);
    if (has_blank(pane) && pane->field.text[0] != ' ')
        text_char(&text, ' ');
    text_put(&text, pane->field.text);
    bool ok = (!text.failed || error_memory(reterr, "a token")) &&
              model_encode(pane->base->model, text.bytes, text.size, ret, &labels, reterr);
    labels_free(labels);
    text_release(&text);
    return ok;
}

/* ---- taking it ---- */

/* Of ids that were typed, or of a token in place of one. */
static struct run *run_of_typed_ids(struct heads_pane *pane, struct error *reterr)
{
    struct tensor typed;
    size_t n = run_length(pane->base), first = 0, end = n;
    if (!read_typed(pane, &typed, reterr))
        return NULL;
    if (pane->asks == HEADS_ASK_TOKEN)
        end = (first = pane->token) + 1;
    else if (pane->asks == HEADS_ASK_WORD)
        first = n;
    struct run *run = run_spliced(pane, first, end, &typed, reterr);
    tensor_release(&typed);
    return run;
}

bool heads_take_text(struct heads_pane *pane)
{
    struct error error;
    bool is_token = pane->asks == HEADS_ASK_TOKEN;
    struct run *run = is_token || pane->base->model->tokenizer == NULL
                          ? run_of_typed_ids(pane, &error)
                          : run_of_text(pane, &error);
    struct run *a = pane->asks == HEADS_ASK_SECOND ? run_share(pane->base) : NULL;
    bool ok = run != NULL && (is_token ? heads_show_edited(pane, run, &error)
                                       : heads_pane_open(pane, run, &error));
    if (ok && a != NULL)
        ok = heads_pane_compare(pane, a, &error);
    run_free(a);
    run_free(run);
    if (!ok)
        heads_say(pane, "%s", error.text);
    return ok;
}
