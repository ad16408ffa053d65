/* The heads of a model of stories, asked one by one: how far each looks at who or what is meant
 * when the answer is due, and how many answers are lost when it is cut. */
#ifndef ATTN_TRAIN_HEAD_EXAM_H
#define ATTN_TRAIN_HEAD_EXAM_H

#include "graph/graph.h"
#include "model/cut.h"

struct grammar;
struct model;
struct story_question;
struct tensor;

/* Questions that are counted together: of a kind of the grammar where somebody else could be meant,
 * whose referent is a word of a class; asked at the pronoun itself ("as it was tired , it"), or at
 * a later word. */
struct head_group {
    const char *kind;
    unsigned class; /* in grammar.classes */
    bool at_pronoun;
};

/* Those questions of a group that came among some of its kind, all run as one batch. */
struct head_exam {
    struct story_question *asked;
    size_t n, n_right; /* questions; answers that are the likeliest of all tokens, nothing cut */
    struct graph graph;
    struct run *run; /* (n, width) tokens; NULL where n is 0. Borrows graph: don't move this */
};

/* Draws n_drawn held-out questions of the group's kind, and keeps those of the group: n may be 0.
 * ERR_NAME for a kind that is not there, ERR_SHAPE for a model of other tokens, ERR_MEMORY. On
 * success head_exam_close() it. */
bool head_exam_open(const struct grammar *grammar, struct model *model,
                    const struct head_group *group, uint64_t seed, size_t n_drawn,
                    struct head_exam *ret, struct error *reterr);
void head_exam_close(struct head_exam *exam); /* exam may be all zero bytes */

/* The mean weight, from the token that answers, on all places of the word that is meant: (n_layers,
 * n_heads), each 0 to 1. n must be above 0. */
bool head_exam_looks(struct head_exam *exam, struct tensor *ret, struct error *reterr);
/* How many answers are right with n_cuts heads cut: zeros in the place of their contexts. */
bool head_exam_right_without(struct head_exam *exam, const struct cut *cuts, size_t n_cuts,
                             size_t *ret, struct error *reterr);
/* The same of each head alone: (n_layers, n_heads), in points, 100 of which are all questions:
 * right with all heads minus right without this one. */
bool head_exam_losses(struct head_exam *exam, struct tensor *ret, struct error *reterr);

#endif
