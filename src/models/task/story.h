/* Stories drawn from a grammar, with the questions in them whose answers are known. */
#ifndef ATTN_TASK_STORY_H
#define ATTN_TASK_STORY_H

#include "base/text.h"
#include "task/batch.h"
#include "task/grammar.h"

struct random;

enum { STORY_MOST_QUESTIONS = 32 };

/* After tokens[..query], which token comes next? Places count from 0, the token at the start; -1:
 * no such place. */
struct story_question {
    unsigned form;  /* in grammar.questions */
    int32_t answer; /* tokens[query + 1] */
    int32_t rival;  /* the wrong one of the two possible tokens */
    int16_t query;
    int16_t referent;     /* where the referent was last named, up to query */
    int16_t alternative;  /* the same for the alternative */
    int16_t pronoun, cue; /* if the question needs them */
    int16_t attractor;    /* the last noun before the query, if it suggests the rival */
};

struct story {
    int32_t tokens[GRAMMAR_MOST_TOKENS]; /* from TOKEN_START to TOKEN_END */
    unsigned n_tokens;
    struct story_question questions[STORY_MOST_QUESTIONS]; /* in the order of their places */
    unsigned n_questions;
};

/* A story of the split: for SPLIT_TRAINING it contains no two words of a held-out pair; for
 * SPLIT_HELD_OUT words that are drawn together are such pairs. ERR_RANGE for SPLIT_UNTRAINED, and
 * if no story could be made: all tries were too long, or broke a condition. */
bool story_draw(const struct grammar *grammar, enum split split, struct random *random,
                struct story *ret, struct error *reterr);

/* Two stories that differ, up to a question, only in its cue, and have different answers there:
 * ret[i].questions[*ret_question]. ret[0] takes the first choice of the rule `twins`. ERR_RANGE
 * also if the grammar has no twins. */
bool story_draw_twins(const struct grammar *grammar, enum split split, struct random *random,
                      struct story ret[2], unsigned *ret_question, struct error *reterr);

/* Adds the words with a blank between them, without the tokens at the ends and the padding. */
void story_show(const struct grammar *grammar, const int32_t *tokens, size_t n, struct text *out);

/* ---- story set ---- */

/* Many stories, batches of stories of similar length, and the questions that a model is judged
 * by. */

struct story_set {
    size_t n;        /* stories */
    int32_t *tokens; /* one after the other */
    size_t *begin;   /* (n + 1): story i is tokens[begin[i]..begin[i + 1]) */
    struct story_question *questions;
    size_t *first_question; /* (n + 1): those of story i are
                             * questions[first_question[i]..first_question[i + 1]) */
    size_t token_capacity, question_capacity;
};

/* n stories of a seed. The first ones are the same whatever n is. ERR_MEMORY, and as story_draw().
 * On success story_set_release() it. */
bool story_set_draw(const struct grammar *grammar, enum split split, uint64_t seed, size_t n,
                    struct story_set *ret, struct error *reterr);
void story_set_release(struct story_set *set); /* set may be all zero bytes */

/* ---- batches ---- */

/* The stories in an order in which those of a batch have about the same length, and batches of all
 * lengths follow each other at random. */
struct story_order {
    uint32_t *stories; /* (n_batches, batch_size); stories that do not fill a batch are left out */
    size_t n_batches, batch_size;
};

/* Pass number `pass` over the set; each pass has its own order. ERR_RANGE if the set has fewer
 * stories than a batch, ERR_MEMORY. On success story_order_release() it. */
bool story_order_draw(const struct story_set *set, size_t batch_size, uint64_t seed, uint64_t pass,
                      struct story_order *ret, struct error *reterr);
void story_order_release(struct story_order *order); /* order may be all zero bytes */

/* Batch `at` of an order, as wide as its longest story without the end. Shorter ones are padded
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

/* n questions of a kind ("it"), each of another story. Training may use the stories of
 * SPLIT_TRAINING. ERR_NAME for an unknown kind; ERR_RANGE if it is too rare. */
bool story_exam_draw(const struct grammar *grammar, enum split split, const char *kind,
                     uint64_t seed, size_t n, struct story_exam *ret, struct error *reterr);

/* n pairs of twins: asked[2 i] and asked[2 i + 1] differ only in the cue, and so their answers
 * differ. */
bool story_exam_draw_twins(const struct grammar *grammar, enum split split, uint64_t seed, size_t n,
                           struct story_exam *ret, struct error *reterr);
void story_exam_release(struct story_exam *exam); /* exam may be all zero bytes */

#endif
