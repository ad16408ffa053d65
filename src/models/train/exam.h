/* Tests a model of stories: questions whose answers the grammar knows, in stories that training
 * never sees. */
#ifndef ATTN_TRAIN_EXAM_H
#define ATTN_TRAIN_EXAM_H

#include <signal.h>
#include <stdint.h>

#include "base/error.h"
#include "graph/graph.h"
#include "model/intervene.h"
#include "train/source.h"

struct doc;
struct graph;
struct model;
struct run;
struct text;
struct grammar;
struct tensor;
struct story_question;

/* ---- probe ---- */

/* A sequence that training never draws, on which a model is watched while it learns, and the
 * model's predictions for it. */

enum { PROBE_MOST = 32 };

struct probe {
    size_t n; /* tokens */
    int32_t inputs[PROBE_MOST], targets[PROBE_MOST];
};

/* The first held-out sequence of the source, or its first PROBE_MOST tokens. */
bool probe_draw(struct source *source, struct probe *ret, struct error *reterr);

/* A run of it, with the names of the tokens. NULL on failure. */
struct run *probe_run(const struct probe *probe, struct graph *graph, struct model *model,
                      struct error *reterr);

/* Adds three lines: the tokens, the right answer at each place, the model's answer there, and how
 * many are right. */
bool probe_show(const struct probe *probe, struct run *run, struct doc *out, struct error *reterr);

/* Adds the model's continuation of the first tokens of the probe, for a source whose targets are
 * the next tokens; the same tokens are drawn each time. */
bool probe_tell(const struct probe *probe, struct model *model, const volatile sig_atomic_t *stop,
                struct text *ret, struct error *reterr);

/* Of n questions, how often the answer is the likeliest of all tokens, and how often it is likelier
 * than the rival: the wrong one of the two possible tokens. */
struct exam_result {
    size_t n, right, beats_rival;
};

/* Asks n questions of a kind of the grammar, from held-out pairs of words. ERR_NAME for an unknown
 * kind. ERR_SHAPE: the model's vocabulary is not the grammar's. */
bool exam_run(const struct grammar *grammar, struct model *model, const char *kind, uint64_t seed,
              size_t n, struct exam_result *ret, struct error *reterr);

/* Asks n pairs of questions in stories that differ in one word before the question, and so in its
 * answer; a pair is right if both are. */
bool exam_run_twins(const struct grammar *grammar, struct model *model, uint64_t seed, size_t n,
                    struct exam_result *ret, struct error *reterr);

/* ---- head exam ---- */

/* Tests the heads of a model of stories one by one: how much each looks at the referent when the
 * answer is due, and how many answers are lost when it is cut. */

/* Questions that are counted together: those of a kind of the grammar in which another referent is
 * possible, and whose referent is a word of a class; asked at the pronoun itself ("as it was tired
 * , it"), or at a later word. */
struct head_group {
    const char *kind;
    unsigned class; /* in grammar.classes */
    bool at_pronoun;
};

/* The questions of a group among a number of drawn ones of its kind, all run as one batch. */
struct head_exam {
    struct story_question *asked;
    size_t n,
        n_right; /* questions; answers that are the likeliest of all tokens, without any cut */
    struct graph graph;
    struct run *run; /* (n, width) tokens; NULL if n is 0. Borrows graph: don't move this */
};

/* Draws n_drawn held-out questions of the group's kind, and keeps those of the group: n may be 0.
 * ERR_NAME for an unknown kind, ERR_SHAPE for a model of other tokens, ERR_MEMORY. On success
 * head_exam_close() it. */
bool head_exam_open(const struct grammar *grammar, struct model *model,
                    const struct head_group *group, uint64_t seed, size_t n_drawn,
                    struct head_exam *ret, struct error *reterr);
void head_exam_close(struct head_exam *exam); /* exam may be all zero bytes */

/* The mean weight, from the token that answers, on all places of the referent's word: (n_layers,
 * n_heads), each 0 to 1. n must be above 0. */
bool head_exam_looks(struct head_exam *exam, struct tensor *ret, struct error *reterr);

/* How many answers are right with n_cuts heads cut: zeros in place of their contexts. */
bool head_exam_right_without(struct head_exam *exam, const struct cut *cuts, size_t n_cuts,
                             size_t *ret, struct error *reterr);

/* The answers lost by cutting each head alone: (n_layers, n_heads), in points, 100 of which are all
 * questions: right with all heads minus right without this one. */
bool head_exam_losses(struct head_exam *exam, struct tensor *ret, struct error *reterr);

#endif
