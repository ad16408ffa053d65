/* What the heads are ranked by: how far each attends as a pattern that has a name. */
#include "ui/panes/heads/heads_pane_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "files/clock.h"
#include "model/intervene.h"
#include "model/head_ranking.h"
#include "model/model.h"
#include "model/run.h"
#include "show/heat_cell.h"

void heads_ranking_release(struct heads_ranking *ranking)
{
    tensor_release(&ranking->scores);
    tensor_release(&ranking->pattern);
    free(ranking->order);
    free(ranking->places);
    ranking->scores = ranking->pattern = (struct tensor){0};
    ranking->order = ranking->places = NULL;
}

const char *heads_ranking_name(const struct heads_ranking *ranking)
{
    if (ranking->by == HEADS_BY_CHANGE)
        return "change";
    if (ranking->by == HEADS_BY_EFFECT)
        return "ablation";
    return ranking->by == HEADS_BY_NOTHING ? "nothing" : detector_name(ranking->by - 1);
}

const char *heads_ranking_tells(const struct heads_ranking *ranking)
{
    static const char *const tells[DETECTORS] = {
        [DETECT_PREVIOUS] = "weight on the token before",
        [DETECT_CURRENT] = "weight of each token on itself",
        [DETECT_FIRST] = "weight on the first token",
        [DETECT_DUPLICATE] = "weight on earlier places of the token",
        [DETECT_INDUCTION] = "weight on what followed the token before",
        [DETECT_SAME_WORD] = "weight on earlier places of the word",
        [DETECT_PUNCTUATION] = "weight on signs before the token",
        [DETECT_UNIFORM] = "how evenly each token spreads its weight"};
    if (ranking->by == HEADS_BY_CHANGE)
        return "how differently it attends in B than in A";
    if (ranking->by == HEADS_BY_EFFECT)
        return "what cutting does to the probability of";
    return ranking->by == HEADS_BY_NOTHING ? "" : tells[ranking->by - 1];
}

/* The order of the heads by their scores, and the place of each in it. */
static bool put_in_order(struct heads_ranking *ranking, size_t n, struct error *reterr)
{
    ranking->order = calloc(n, sizeof *ranking->order);
    ranking->places = calloc(n, sizeof *ranking->places);
    if (ranking->order == NULL || ranking->places == NULL)
        return error_memory(reterr, "a ranking of heads");
    if (!rank_by_size(ranking->scores.data, n, ranking->order, reterr))
        return false;
    for (size_t place = 0; place < n; place++)
        ranking->places[ranking->order[place]] = place;
    return true;
}

/* Nothing is measured yet: heads_measure_more() goes on from here. */
static bool begin_measuring(struct heads_pane *pane, struct heads_ranking *fresh,
                            struct error *reterr)
{
    const struct model_config *config = &pane->run->model->config;
    if (!tensor_empty(2, (size_t[]){config->n_layers, config->n_heads}, &fresh->scores, reterr))
        return false;
    for (size_t i = 0; i < heads_count(pane); i++)
        fresh->scores.data[i] = NAN;
    return true;
}

static bool begin_effect(struct heads_pane *pane, struct heads_ranking *fresh, struct error *reterr)
{
    fresh->effect.on = EFFECT_PROBABILITY;
    return run_likeliest(pane->run, &fresh->effect.token, reterr) &&
           run_measure(pane->run, &fresh->effect, &fresh->uncut, reterr) &&
           begin_measuring(pane, fresh, reterr);
}

static bool is_detector(unsigned by)
{
    return by > HEADS_BY_NOTHING && by < HEADS_BY_EFFECT;
}

static struct detection detection_of(const struct heads_ranking *ranking)
{
    return (struct detection){.detector = ranking->by - 1, .measure = MEASURE_STRIPE};
}

/* All at once, where that takes no longer than a frame or two; of a long text layer by layer. */
static bool find_scores(struct heads_pane *pane, struct heads_ranking *fresh, struct error *reterr)
{
    enum { AT_ONCE = 1 << 21 }; /* weights */
    const struct detection detection = detection_of(fresh);
    size_t n = run_length(pane->run);
    if (heads_count(pane) * n * n > AT_ONCE)
        return detector_pattern(pane->run, &detection, &fresh->pattern, reterr) &&
               begin_measuring(pane, fresh, reterr);
    fresh->n_measured = heads_count(pane);
    return detector_scores(pane->run, &detection, &fresh->scores, reterr);
}

static bool begin(struct heads_pane *pane, struct heads_ranking *fresh, struct error *reterr)
{
    if (fresh->by == HEADS_BY_EFFECT)
        return begin_effect(pane, fresh, reterr);
    if (fresh->by == HEADS_BY_CHANGE)
        return heads_change(pane->other, pane->run, &pane->alignment, &fresh->scores, reterr);
    return fresh->by == HEADS_BY_NOTHING || find_scores(pane, fresh, reterr);
}

bool heads_rank_again(struct heads_pane *pane, struct error *reterr)
{
    struct heads_ranking *ranking = &pane->ranking;
    struct heads_ranking fresh = {.by = ranking->by, .is_sorted = ranking->is_sorted};
    bool ok = begin(pane, &fresh, reterr);
    if (ok && fresh.by != HEADS_BY_NOTHING)
        ok = put_in_order(&fresh, heads_count(pane), reterr);
    heads_ranking_release(ok ? ranking : &fresh);
    if (ok)
        *ranking = fresh;
    return ok;
}

/* ---- head by head, or layer by layer ---- */

bool heads_is_measuring(const struct heads_pane *pane)
{
    const struct heads_ranking *ranking = &pane->ranking;
    bool is_measured = ranking->by == HEADS_BY_EFFECT || is_detector(ranking->by);
    return pane->run != NULL && is_measured && !ranking->is_stopped &&
           ranking->n_measured < heads_count(pane);
}

static bool cut_next(struct heads_pane *pane, struct error *reterr)
{
    struct heads_ranking *ranking = &pane->ranking;
    size_t n_heads = pane->run->model->config.n_heads;
    size_t head = heads_count(pane) - 1 - ranking->n_measured;
    const struct cut cut = {CUT_HEAD, head / n_heads, head % n_heads};
    struct run *without = run_cut(pane->run, &cut, 1, CUT_ZERO, NULL, reterr);
    double after;
    bool ok = without != NULL && run_measure(without, &ranking->effect, &after, reterr);
    run_free(without);
    if (ok) {
        ranking->scores.data[head] = (float)(after - ranking->uncut);
        ranking->n_measured++;
    }
    return ok;
}

static bool detect_next(struct heads_pane *pane, struct error *reterr)
{
    struct heads_ranking *ranking = &pane->ranking;
    const struct detection detection = detection_of(ranking);
    size_t n_heads = pane->run->model->config.n_heads;
    if (!detector_layer_scores(pane->run, &detection, ranking->n_measured / n_heads,
                               &ranking->pattern, ranking->scores.data + ranking->n_measured,
                               reterr))
        return false;
    ranking->n_measured += n_heads;
    return true;
}

void heads_measure_more(struct heads_pane *pane)
{
    enum { SLICE_MS = 25 };
    struct error error;
    int64_t begin = clock_ms();
    bool ok = true;
    while (ok && heads_is_measuring(pane) && clock_ms() - begin < SLICE_MS)
        ok = pane->ranking.by == HEADS_BY_EFFECT ? cut_next(pane, &error)
                                                 : detect_next(pane, &error);
    free(pane->ranking.order);
    free(pane->ranking.places);
    pane->ranking.order = pane->ranking.places = NULL;
    ok = put_in_order(&pane->ranking, heads_count(pane), &error) && ok;
    pane->is_changed = pane->is_changed || pane->ranking.is_sorted;
    if (!ok) {
        pane->ranking.is_stopped = true;
        heads_say(pane, "%s", error.text);
    }
}

/* ---- asked for by a key ---- */

void heads_rank_by(struct heads_pane *pane, unsigned by)
{
    struct error error;
    unsigned before = pane->ranking.by;
    pane->ranking.by = by;
    pane->ranking.is_sorted = pane->ranking.is_sorted && by != HEADS_BY_NOTHING;
    if (!heads_rank_again(pane, &error)) {
        pane->ranking.by = before;
        heads_say(pane, "%s", error.text);
    }
    pane->is_changed = true;
}

void heads_sort(struct heads_pane *pane)
{
    if (pane->ranking.by == HEADS_BY_NOTHING)
        heads_rank_by(pane, HEADS_BY_NOTHING + 1);
    pane->ranking.is_sorted = pane->ranking.by != HEADS_BY_NOTHING && !pane->ranking.is_sorted;
    if (pane->ranking.is_sorted)
        heads_look_at(pane, pane->ranking.order[0]);
    pane->is_changed = true;
}

bool heads_score_text(const struct heads_pane *pane, size_t head, char ret[NUMBER_TEXT],
                      uint8_t *ret_tint)
{
    const struct heads_ranking *ranking = &pane->ranking;
    if (ranking->scores.data == NULL)
        return false;
    float score = ranking->scores.data[head];
    bool is_effect = ranking->by == HEADS_BY_EFFECT;
    float largest = is_effect ? fabsf(ranking->scores.data[ranking->order[0]]) : 1;
    float share = largest > 0 ? fminf(fabsf(score) / largest, 1) : 0;
    *ret_tint = isnan(score) ? 0 : (uint8_t)lroundf(share * (HEAT_TINTS - 1));
    if (isnan(score))
        (void)snprintf(ret, NUMBER_TEXT, "-");
    else
        number_write(score,
                     (struct number_style){.form = NUMBER_FIXED, .digits = is_effect ? 3 : 2}, ret);
    return true;
}
