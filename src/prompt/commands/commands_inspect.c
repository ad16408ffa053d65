/* Looking into runs of models: each shows what the function of its name gives. */
#include <stdio.h>

#include "graph/node.h"
#include "lang/builtins/model_value.h"
#include "commands/command_internal.h"
#include "lang/session/eval.h"
#include "model/intervene.h"
#include "model/lens.h"
#include "model/detector.h"
#include "model/run.h"
#include "model/show_model.h"
#include "model/head_ranking.h"
#include "show/doc.h"
#include "show/heat.h"
#include "show/labels.h"
#include "show/matrix.h"
#include "tensor/tensor.h"

enum {
    HEADS_SHOWN = 12,    /* of a ranking */
    HEADS_IN_TABLE = 16, /* with all their scores */
    PARTS_SHOWN = 12,    /* of a logit */
};

/* ---- ablate ---- */

/* What a run says without some of its parts. */
static bool show_without(struct session *session, const struct statement *statement,
                         struct run *without, struct doc *out, struct error *reterr)
{
    struct value whole;
    if (!expr_eval(session, statement->arguments[0], &whole, reterr))
        return false;
    bool ok = show_prediction_change(value_as_run(&whole), without, session->settings.digits, out,
                                     reterr);
    value_release(&whole);
    return ok;
}

COMMAND(command_ablate)
{
    struct show_options options = settings_show_options(&session->settings);
    struct value value;
    if (!statement_call(session, statement, &value, reterr))
        return false;
    bool ok;
    if (value.kind == VALUE_NODE) {
        doc_line(out, STYLE_QUIET, "what changes when a head is cut, largest first:");
        ok = show_head_ranking(&value.as.node->value, HEADS_SHOWN, &options, out, reterr);
        show_may_not_matter(&options, out);
    } else {
        ok = show_without(session, statement, value_as_run(&value), out, reterr);
    }
    value_release(&value);
    return ok && doc_check(out, reterr);
}

/* ---- heads ---- */

COMMAND(command_heads)
{
    struct show_options options = settings_show_options(&session->settings);
    struct value value;
    if (!statement_call(session, statement, &value, reterr))
        return false;
    bool ok = show_detector_table(&value.as.node->value, value.as.node->labels[0], HEADS_IN_TABLE,
                                  out, reterr);
    show_may_not_matter(&options, out);
    value_release(&value);
    return ok && doc_check(out, reterr);
}

/* ---- what writes a logit ---- */

COMMAND(command_lens)
{
    struct value value, run = {.kind = VALUE_ABSENT};
    if (!statement_call(session, statement, &value, reterr))
        return false;
    bool ok = expr_eval(session, statement->arguments[0], &run, reterr) &&
              show_lens(value_as_run(&run)->model, &value.as.node->value, value.as.node->labels[0],
                        out, reterr);
    value_release(&run);
    value_release(&value);
    return ok;
}

COMMAND(command_contributions)
{
    struct show_options options = settings_show_options(&session->settings);
    struct value value;
    if (!statement_call(session, statement, &value, reterr))
        return false;
    struct node *parts = value.as.node;
    bool ok = show_parts(&parts->value, parts->labels[0], PARTS_SHOWN, &options, out, reterr);
    doc_line(out, STYLE_QUIET, "(the last norm's scale is held at what it is in this run)");
    value_release(&value);
    return ok && doc_check(out, reterr);
}

/* ---- two texts ---- */

/* The statement's expressions as two runs. */
static bool eval_runs(struct session *session, const struct statement *statement,
                      struct run *ret[2], struct error *reterr)
{
    struct value values[3] = {{.kind = VALUE_ABSENT}};
    size_t n = statement->n_arguments;
    bool ok = n <= 3 || error_set(reterr, ERR_TYPE,
                                  "compare: it takes two runs, or a model and "
                                  "two texts");
    for (size_t i = 0; ok && i < n; i++)
        ok = expr_eval(session, statement->arguments[i], &values[i], reterr);
    ok = ok && (values_as_runs(&session->graph, values, n, statement->command->name, ret, reterr) ||
                expr_place_error(statement->arguments[0], reterr));
    for (size_t i = 0; i < 3; i++)
        value_release(&values[i]);
    return ok;
}

/* The tokens that belong together; those that differ are marked. */
static void show_pairs(const struct alignment *alignment, struct run *const runs[2],
                       const struct labels *names, struct doc *out)
{
    for (size_t i = 0; i < alignment->n; i++) {
        const size_t *pair = alignment->pairs[i];
        bool same = tensor_at_position(&runs[0]->ids->value, pair[0]) ==
                    tensor_at_position(&runs[1]->ids->value, pair[1]);
        doc_add(out, same ? STYLE_LABEL : STYLE_CHANGED, "%s%s%s", i ? " " : "",
                labels_name(names, i), same ? "" : "*");
    }
    doc_end_line(out);
    size_t alone[2] = {run_length(runs[0]) - alignment->n, run_length(runs[1]) - alignment->n};
    if (alone[0] + alone[1] > 0)
        doc_line(out, STYLE_QUIET, "tokens without a partner: %zu in the first, %zu in the second",
                 alone[0], alone[1]);
}

/* The change of the weights of the head that changes most. */
static bool show_difference(struct run *const runs[2], const struct alignment *alignment,
                            const struct tensor *changes, const struct show_options *options,
                            struct doc *out, struct error *reterr)
{
    size_t most = 0, n_heads = changes->shape[1];
    for (size_t i = 1; i < tensor_size(changes); i++)
        if (changes->data[i] > changes->data[most])
            most = i;
    const size_t head[2] = {most / n_heads, most % n_heads};
    return show_head_difference(runs, alignment, head, options, out, reterr);
}

static bool show_comparison(struct run *const runs[2], const struct alignment *alignment,
                            const struct show_options *options, struct doc *out,
                            struct error *reterr)
{
    struct tensor changes;
    struct labels *names;
    if (!heads_change(runs[0], runs[1], alignment, &changes, reterr))
        return false;
    bool ok = alignment_labels(alignment, runs[0], runs[1], &names, reterr);
    if (ok) {
        show_pairs(alignment, runs, names, out);
        doc_line(out, STYLE_QUIET, "how differently heads attend, from 0 to 1:");
        ok = show_head_ranking(&changes, HEADS_SHOWN, options, out, reterr) &&
             show_difference(runs, alignment, &changes, options, out, reterr);
        labels_free(names);
    }
    tensor_release(&changes);
    return ok;
}

COMMAND(command_compare)
{
    struct show_options options = settings_show_options(&session->settings);
    struct run *runs[2];
    struct alignment alignment = {.n = 0};
    if (!eval_runs(session, statement, runs, reterr))
        return false;
    bool ok = alignment_of(runs[0], runs[1], &alignment, reterr) &&
              show_comparison(runs, &alignment, &options, out, reterr);
    show_may_not_matter(&options, out);
    alignment_release(&alignment);
    run_free(runs[0]);
    run_free(runs[1]);
    return ok && doc_check(out, reterr);
}

COMMAND(command_patch)
{
    struct show_options options = settings_show_options(&session->settings);
    struct value value;
    if (!statement_call(session, statement, &value, reterr))
        return false;
    bool ok = true;
    if (value.kind == VALUE_NODE) {
        struct node *recovered = value.as.node;
        struct picture picture = {.tensor = &recovered->value,
                                  .labels = recovered->labels,
                                  .id = recovered->id,
                                  .title =
                                      "what comes back of the first text's answer: 1 all, 0 none"};
        heat_show(out, &picture, &options);
    } else {
        ok = show_prediction(value_as_run(&value), -1, HEADS_SHOWN, 1, &options, out, reterr);
    }
    value_release(&value);
    return ok && doc_check(out, reterr);
}
