/* See staged_internal.h. */
#include "graph/staged_internal.h"

#include <string.h>

#include "graph/grad.h"
#include "show/number.h"

static struct node *kept_answer(const struct node *node, size_t question)
{
    for (size_t i = 0; i < NODE_KEPT; i++)
        if (node->kept->answers[i].node != NULL && node->kept->answers[i].question == question)
            return node->kept->answers[i].node;
    return NULL;
}

/* Takes the answer over, in place of the oldest one. */
static struct node *keep_answer(const struct node *node, size_t question, struct node *answer)
{
    size_t place = node->kept->n % NODE_KEPT;
    if (answer == NULL)
        return NULL;
    node_free(node->kept->answers[place].node);
    node->kept->answers[place].question = question;
    node->kept->answers[place].node = answer;
    node->kept->n++;
    return answer;
}

struct node *staged_answer(const struct node *node, size_t question, staged_build *build)
{
    struct node *answer = kept_answer(node, question);
    if (answer != NULL)
        return answer;
    struct graph apart = {.last_id = node->id - node->op->n_ids - 1, .stop = node->kept->stop};
    struct builder builder;
    struct error error;
    builder_init(&builder, &apart, &error);
    answer = builder_result(&builder, build(&builder, node, question));
    builder_release(&builder);
    return keep_answer(node, question, answer);
}

struct node *staged_row(struct builder *builder, struct node *x, unsigned n_lead,
                        const size_t *index)
{
    ptrdiff_t cuts[3 * TENSOR_MAX_AXES];
    if (n_lead == 0)
        return x;
    for (unsigned axis = 0; axis < x->value.n_axes; axis++) {
        bool dropped = axis < n_lead;
        cuts[3 * axis] = dropped ? (ptrdiff_t)index[axis] : 0;
        cuts[3 * axis + 1] = dropped ? -1 : (ptrdiff_t)x->value.shape[axis];
        cuts[3 * axis + 2] = 1;
    }
    return build_ints(builder, OP_SLICE, x, 3 * (size_t)x->value.n_axes, cuts, 0);
}

/* ---- explaining ---- */

/* Whether there is an answer; else the explanation says why not. */
static bool was_answered(const struct node *node, const struct node *answer,
                         struct explanation *explanation)
{
    if (answer != NULL)
        return true;
    explanation->stopped = node->kept->stop != NULL && *node->kept->stop;
    explanation->failed = !explanation->stopped;
    return false;
}

/* Says so where the node's number, summed in another order in float32, reads differently. */
static void explain_rounding(const struct node *node, float exact, const size_t *index,
                             struct explanation *explanation)
{
    char own[NUMBER_TEXT], sum[NUMBER_TEXT];
    number_short(tensor_at(&node->value, index), explanation->digits, own);
    number_short(exact, explanation->digits, sum);
    if (strcmp(own, sum) != 0)
        explain_format(explanation, "= %s exactly; %s as it is kept, from sums in float32", sum,
                       own);
}

void staged_explain(const struct node *node, const size_t *index, const struct node *answer,
                    size_t position, struct explanation *explanation)
{
    size_t own[TENSOR_MAX_AXES];
    if (!was_answered(node, answer, explanation))
        return;
    tensor_index_of(&answer->value, position, own);
    answer->op->explain(answer, own, explanation);
    explain_rounding(node, tensor_at(&answer->value, own), index, explanation);
}

void staged_lead_to(const struct node *node, struct node *answer, size_t position,
                    struct explanation *explanation)
{
    struct text line = {0};
    if (!was_answered(node, answer, explanation))
        return;
    text_put(&line, "= ");
    explain_term(explanation, &line, (struct cell){answer, position});
    explain_line(explanation, &line);
    text_release(&line);
}

/* ---- gradients ---- */

bool staged_stand_in(struct builder *builder, const struct node *node,
                     struct node *ret[STAGED_MOST_PARENTS])
{
    bool ok = true;
    for (unsigned p = 0; ok && p < node->n_parents; p++) {
        const struct tensor *x = &node->parents[p]->value;
        ret[p] = build_reshape(builder, node->parents[p], x->n_axes, x->shape);
        ok = ret[p] != NULL;
    }
    return ok;
}

bool staged_gradients(struct builder *builder, struct node *node, struct node *d,
                      struct node *const *wrt, unsigned n, struct node **ret)
{
    builder->failed = builder->failed || node == NULL || d == NULL ||
                      !graph_back(builder->graph, node, d, wrt, n, ret, builder->reterr);
    bool made = !builder->failed;
    for (unsigned i = 0; made && i < n; i++)
        (void)builder_keep(builder, ret[i]);
    return !builder->failed;
}

/* Whether made is such an operation on n parents. */
static bool is_made_of(const struct node *made, enum op_kind kind, const struct op_args *args,
                       unsigned n, struct node *const *parents)
{
    bool is = made->op->kind == kind && made->n_parents == n && made->args.n_ints == args->n_ints &&
              memcmp(&made->args.number, &args->number, sizeof args->number) == 0 &&
              memcmp(made->args.ints, args->ints, args->n_ints * sizeof *args->ints) == 0;
    for (unsigned p = 0; is && p < n; p++)
        is = made->parents[p] == parents[p];
    return is;
}

struct node *staged_back_of(struct builder *builder, struct node *node, enum op_kind kind,
                            struct node *d)
{
    struct node *all[STAGED_MOST_PARENTS];
    unsigned n = node->n_parents;
    memcpy(all, node->parents, n * sizeof(*all));
    if (node->kept->saved.data != NULL)
        all[n++] = node;
    all[n++] = d;
    for (size_t i = builder->n_made; d != NULL && i-- > 0;)
        if (is_made_of(builder->made[i], kind, &node->args, n, all))
            return builder->made[i];
    return build_args(builder, kind, n, all, &node->args);
}
