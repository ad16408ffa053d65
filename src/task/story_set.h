/* Many stories, batches of them of nearly one length, and the questions that a model is judged by.
 */
#ifndef ATTN_TASK_STORY_SET_H
#define ATTN_TASK_STORY_SET_H

#include "task/story.h"

struct story_set {
    size_t n;        /* stories */
    int32_t *tokens; /* one after the other */
    size_t *begin;   /* (n + 1): story i is tokens[begin[i]..begin[i + 1]) */
    struct story_question *questions;
    size_t *first_question; /* (n + 1): those of story i are questions[first..next first) */
    size_t token_capacity, question_capacity;
};

/* n stories of a seed. The first ones are the same whatever n is. ERR_MEMORY, and as story_draw().
 * On success story_set_release() it. */
bool story_set_draw(const struct grammar *grammar, enum split split, uint64_t seed, size_t n,
                    struct story_set *ret, struct error *reterr);
void story_set_release(struct story_set *set); /* set may be all zero bytes */

/* ---- batches ---- */

/* The stories in an order in which those of a batch have about one length, and batches of all
 * lengths come after each other as drawn. */
struct story_order {
    uint32_t *stories; /* (n_batches, batch_size); stories that fill no batch are left out */
    size_t n_batches, batch_size;
};

/* Pass number `pass` over the set: each has an order of its own. ERR_RANGE where the set has less
 * stories than a batch, ERR_MEMORY. On success story_order_release() it. */
bool story_order_draw(const struct story_set *set, size_t batch_size, uint64_t seed, uint64_t pass,
                      struct story_order *ret, struct error *reterr);
void story_order_release(struct story_order *order); /* order may be all zero bytes */

/* Batch `at` of an order, as wide as its longest story without the end. Shorter ones are filled up
 * with TOKEN_PAD, whose targets are ignored. On success batch_release() it. */
bool story_order_batch(const struct story_set *set, const struct story_order *order, size_t at,
                       struct batch *ret, struct error *reterr);

/* ---- questions ---- */

/* One question of one story of the set. */
struct story_asked {
    size_t story, question; /* the latter in set.questions */
};

struct story_exam {
    struct story_set set;
    struct story_asked *asked;
    size_t n;
};

/* n questions of a kind ("it"), each of another story. Training may hold the stories of
 * SPLIT_TRAINING. ERR_NAME: there is no such kind; ERR_RANGE: it hardly comes. */
bool story_exam_draw(const struct grammar *grammar, enum split split, const char *kind,
                     uint64_t seed, size_t n, struct story_exam *ret, struct error *reterr);
/* n pairs of twins: asked[2 i] and asked[2 i + 1] differ in the cue alone, and so do the answers.
 */
bool story_exam_draw_twins(const struct grammar *grammar, enum split split, uint64_t seed, size_t n,
                           struct story_exam *ret, struct error *reterr);
void story_exam_release(struct story_exam *exam); /* exam may be all zero bytes */

#endif
