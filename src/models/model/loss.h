/* The loss of a model on the next tokens, as a node of the graph: training makes it smaller, and
 * `why` and `grad` look into it. */
#ifndef ATTN_MODEL_LOSS_H
#define ATTN_MODEL_LOSS_H

struct builder;
struct dropout;
struct model;
struct node;

enum { TARGET_IGNORED = -100 }; /* a target that has no loss: PyTorch's ignore_index */

/* The logits of a batch of ids, (batch, n) or (n,), a row for each of its tokens: (batch n, vocab).
 * dropout: forward.h, or NULL. */
struct node *build_batch_logits(struct builder *builder, struct model *model, struct node *ids,
                                const struct dropout *dropout);

/* The mean cross-entropy, in nats, of the tokens that should follow each place of ids: targets, of
 * the same shape, each a token or TARGET_IGNORED. The builder owns the node; NULL, with ERR_SHAPE
 * or ERR_RANGE, if they do not fit. */
struct node *build_model_loss(struct builder *builder, struct model *model, struct node *ids,
                              struct node *targets, const struct dropout *dropout);

#endif
