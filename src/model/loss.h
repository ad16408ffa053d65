/* What a model does not know of the next tokens, as a node of the graph: what training makes
 * smaller, and `why` and `grad` look into. */
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

/* The mean cross-entropy, in nats, of the tokens that should come out at each place of ids:
 * targets, of the same shape, each a token or TARGET_IGNORED. The builder owns the node; NULL, with
 * ERR_SHAPE or ERR_RANGE, where they do not fit. */
struct node *build_model_loss(struct builder *builder, struct model *model, struct node *ids,
                              struct node *targets, const struct dropout *dropout);

#endif
