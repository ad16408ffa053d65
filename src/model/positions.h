/* Positions that are not learned: sines and cosines that are added, or that turn queries and keys.
 *
 * Both build with a builder (graph/builder.h) and return a node it owns, or NULL. */
#ifndef ATTN_MODEL_POSITIONS_H
#define ATTN_MODEL_POSITIONS_H

#include <stddef.h>

struct builder;
struct node;
struct rope_stretch;

/* A leaf of n x d_model: column 2i is sin(p / 10000^(2i / d_model)), column 2i + 1 the cosine, for
 * positions p from first. Source: Vaswani and others 2017, section 3.5. */
struct node *positions_sinusoidal(struct builder *builder, size_t first, size_t n, size_t d_model);

/* x (..., n, d), d even, with each pair (x[i], x[i + d/2]) turned by the angle p / theta^(2i / d),
 * for positions p from first: x * cos + cat(-x2, x1) * sin. Source: Su and others 2021, in the
 * order of Llama, whose pairs are the two halves.
 *
 * A stretch makes the angles smaller: linear divides all of them by its factor (Chen and others
 * 2023, "Extending Context Window of Large Language Models via Positional Interpolation"). Llama
 * 3.1's divides those of pairs that turn less than slow_turns times in n_before positions, leaves
 * those that turn more than fast_turns times, and goes in a straight line from one to the other
 * between them (transformers, modeling_rope_utils.py, "llama3"). */
struct node *positions_turn(struct builder *builder, struct node *x, size_t first, double theta,
                            const struct rope_stretch *stretch);

#endif
