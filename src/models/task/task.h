/* Tasks that a small transformer learns while one watches: sequences drawn from a seed, whose right
 * answers are known.
 *
 * Sequences are drawn with whole numbers only, so that they are the same on every machine. A hash
 * of the sequence decides which ones are held out: no seed brings one of them into training. */
#ifndef ATTN_TASK_TASK_H
#define ATTN_TASK_TASK_H

#include "base/text.h"
#include "task/batch.h"
#include "task/recipe.h"

enum { TASK_MOST_LENGTHS = 12, TASK_SYMBOL_BYTES = 12, TASK_MOST_WIDTH = 64 };

struct random;
struct task;

/* Lengths count the parts that make a sequence of the task longer: symbols, pairs, the period. */
struct task_lengths {
    unsigned n, items[TASK_MOST_LENGTHS];
};

struct task {
    const char *name;    /* as typed: "induction" */
    const char *summary; /* the skill that the model learns: a sentence */
    const char *shows;   /* what to look for in its heads: a sentence */
    unsigned seconds;    /* of training on an ordinary machine; 0: minutes */
    const char *length;  /* the parts that a length counts: "symbols" */
    unsigned n_tokens;   /* the size of the vocabulary */
    unsigned n_numbers;  /* the first tokens are these numbers, from 0 on */
    const char *signs;   /* the other tokens, with a blank between them */
    unsigned context;    /* the most tokens in an input */
    bool is_causal;      /* a place sees earlier places, else all */
    unsigned width_each; /* an input of length n has n width_each + width_beside tokens */
    unsigned width_beside;
    struct task_lengths trained, untrained;
    unsigned shortest, longest, every; /* the lengths that can be drawn: every second one, ... */
    unsigned percent_held_out;
    struct recipe recipe;
    /* draw fills inputs; answer gives the right targets for any inputs, held out or not. */
    void (*draw)(struct random *random, const struct task *task, unsigned length, int32_t *inputs);
    void (*answer)(const struct task *task, const int32_t *inputs, size_t width, int32_t *targets);
};

/* All tasks, in the order in which they are shown, and their number. */
extern const struct task tasks[];
extern const size_t n_tasks;
/* The task of this name. ERR_NAME suggests the most similar name. */
const struct task *task_find(const char *name, struct error *reterr);

unsigned task_width(const struct task *task, unsigned length);

/* Batch number `number` of the seed. All rows have one width: if the width depends on the length,
 * they have one length, else each its own. ERR_RANGE: the task has no untrained lengths.
 * ERR_MEMORY, ERR_LIMIT. On success batch_release() it. */
bool task_batch(const struct task *task, enum split split, uint64_t seed, uint64_t number,
                size_t n_rows, struct batch *ret, struct error *reterr);
/* The same with all rows of one length. ERR_RANGE if the task does not have this length. */
bool task_batch_of_length(const struct task *task, enum split split, unsigned length, uint64_t seed,
                          uint64_t number, size_t n_rows, struct batch *ret, struct error *reterr);

/* targets[0..width) = the right token at each place, or BATCH_IGNORED. ERR_RANGE if a token is not
 * one of the task's, or there are more than its context holds. */
bool task_answer(const struct task *task, const int32_t *inputs, size_t width, int32_t *targets,
                 struct error *reterr);
/* Whether training never draws this sequence. */
bool task_holds_out(const struct task *task, const int32_t *inputs, size_t width);

/* The symbol of a token: "7", "a", "|"; "." for BATCH_IGNORED. Returns text. */
char *task_symbol(const struct task *task, int32_t token, char text[TASK_SYMBOL_BYTES]);
/* Adds one line without its end: the symbols, each as wide as the widest of the task and a blank,
 * so that answers line up below inputs. */
void task_show(const struct task *task, const int32_t *tokens, size_t width, struct text *out);

#endif
