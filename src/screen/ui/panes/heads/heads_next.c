/* The next word: how it is drawn, and the text that grows by it. */
#include "ui/panes/heads/heads_pane_internal.h"

#include <math.h>

#include "base/array.h"
#include "graph/node.h"
#include "model/model.h"
#include "model/run.h"
#include "tensor/tensor.h"
#include "ui/terminal/scroll.h"

/* ---- words more and less ---- */

/* Shows the text with its tokens from `first` on replaced by n others, 0 or 1. */
static bool show_with(struct heads_pane *pane, size_t first, const float *tokens, size_t n,
                      struct error *reterr)
{
    struct tensor typed;
    if (!tensor_from(1, &n, tokens, &typed, reterr))
        return false;
    struct run *run = heads_run_spliced(pane, first, run_length(pane->base), &typed, reterr);
    tensor_release(&typed);
    bool ok = run != NULL && heads_show_longer(pane, run, reterr);
    run_free(run);
    return ok;
}

void heads_add_next(struct heads_pane *pane, bool likeliest)
{
    struct error error;
    struct sampling how = pane->next.how;
    struct random random = pane->next.random;
    struct text word = {0};
    size_t token, n = run_length(pane->run);
    if (likeliest)
        how.temperature = 0;
    struct node *logits = run_logits(pane->run, &error);
    bool ok = logits != NULL &&
              prediction_draw(&logits->value, n - 1, &how, &random, &token, &error) &&
              show_with(pane, n, &(float){(float)token}, 1, &error);
    if (!ok) {
        heads_say(pane, "%s", error.text);
        return;
    }
    pane->next.random = random;
    pane->next.n_added++;
    model_show_token(pane->run->model, token, &word);
    heads_say(pane, "added \"%s\", %s; u takes it back", text_string(&word),
              likeliest ? "the likeliest" : "as it was drawn");
    text_release(&word);
}

bool heads_remove_next(struct heads_pane *pane)
{
    struct error error;
    if (pane->next.n_added == 0)
        return false;
    if (show_with(pane, run_length(pane->base) - 1, NULL, 0, &error))
        pane->next.n_added--;
    else
        heads_say(pane, "%s", error.text);
    return true;
}

/* ---- dials ---- */

static const double temperatures[] = {0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 1, 1.2, 1.5, 2, 3, 5, 10};
static const double top_ps[] = {0.1, 0.2, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1};

/* The number of a list that comes before or after x. */
static double step(const double *list, size_t n, double x, int by)
{
    size_t at = 0;
    while (at + 1 < n && list[at] < x - 1e-9)
        at++;
    return list[scroll_step(at, by, n)];
}

/* From all to the few likeliest at once, and then one by one. */
static size_t step_top_k(size_t top_k, size_t vocab, int by)
{
    size_t most = vocab > 10 ? 10 : vocab - 1, k = top_k > 0 && top_k <= most ? top_k : most + 1;
    k = scroll_step(k - 1, by, most + 1) + 1;
    return k > most || most == 0 ? 0 : k;
}

void heads_turn_dial(struct heads_pane *pane, int by)
{
    struct heads_next *next = &pane->next;
    switch (next->dial) {
    case HEADS_TEMPERATURE:
        next->how.temperature =
            step(temperatures, COUNT_OF(temperatures), next->how.temperature, by);
        break;
    case HEADS_TOP_K:
        next->how.top_k = step_top_k(next->how.top_k, pane->run->model->config.vocab, by);
        break;
    case HEADS_TOP_P:
        next->how.top_p = step(top_ps, COUNT_OF(top_ps), next->how.top_p, by);
        break;
    case HEADS_SEED:
        next->seed = (uint32_t)scroll_step(next->seed, by, 10000);
        random_seed(&next->random, next->seed);
        break;
    case HEADS_DIALS:
    default:
        break;
    }
    pane->is_changed = true;
}

void heads_next_dial(struct heads_pane *pane)
{
    pane->next.dial = (pane->next.dial + 1) % HEADS_DIALS;
    pane->is_changed = true;
}

void heads_reset_dials(struct heads_pane *pane)
{
    pane->next.how = (struct sampling){.temperature = 1, .top_p = 1};
    pane->is_changed = true;
}

/* What a dial stands at. */
static void write_dial(const struct heads_next *next, enum heads_dial dial, struct text *text)
{
    switch (dial) {
    case HEADS_TEMPERATURE:
        text_format(text, "temperature %g", next->how.temperature);
        break;
    case HEADS_TOP_K:
        text_format(text, next->how.top_k > 0 ? "top-k %zu" : "top-k all", next->how.top_k);
        break;
    case HEADS_TOP_P:
        text_format(text, "top-p %g", next->how.top_p);
        break;
    case HEADS_SEED:
    case HEADS_DIALS:
    default:
        text_format(text, "seed %lu", (unsigned long)next->seed);
        break;
    }
}

void heads_write_dials(const struct heads_pane *pane, struct doc *out)
{
    doc_line(out, STYLE_QUIET, "n draws, N the likeliest");
    for (enum heads_dial dial = 0; dial < HEADS_DIALS; dial++) {
        struct text text = {0};
        bool is_chosen = dial == pane->next.dial;
        write_dial(&pane->next, dial, &text);
        doc_add(out, is_chosen ? STYLE_NAME : STYLE_QUIET, "%s%s", is_chosen ? "> " : "  ",
                text_string(&text));
        if (is_chosen)
            doc_add(out, STYLE_QUIET, "  , .  T");
        doc_end_line(out);
        text_release(&text);
    }
}
