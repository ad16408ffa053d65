/* Stories drawn from a grammar, with the questions in them whose answers are known. */
#ifndef ATTN_TASK_STORY_H
#define ATTN_TASK_STORY_H

#include "base/text.h"
#include "task/batch.h"
#include "task/grammar.h"

enum { STORY_MOST_QUESTIONS = 32 };

struct random;

/* After tokens[..query], which token comes next? Places count from 0, the token at the start; -1:
 * there is no such place. */
struct story_question {
    unsigned form;  /* in grammar.questions */
    int32_t answer; /* tokens[query + 1] */
    int32_t rival;  /* the wrong one of the two that are possible */
    int16_t query;
    int16_t referent;     /* where who or what is meant was last named, up to query */
    int16_t alternative;  /* the same of who or what is not meant */
    int16_t pronoun, cue; /* where the question needs them */
    int16_t attractor;    /* the last noun before the query, where it asks for the rival */
};

struct story {
    int32_t tokens[GRAMMAR_MOST_TOKENS]; /* from TOKEN_START to TOKEN_END */
    unsigned n_tokens;
    struct story_question questions[STORY_MOST_QUESTIONS]; /* in the order of their places */
    unsigned n_questions;
};

/* A story of the split: for SPLIT_TRAINING no two words of a held-out pair are in it; for
 * SPLIT_HELD_OUT words that are drawn together are such pairs. ERR_RANGE for SPLIT_UNTRAINED, and
 * where no story can be told: all tries were too long, or broke a condition. */
bool story_draw(const struct grammar *grammar, enum split split, struct random *random,
                struct story *ret, struct error *reterr);

/* Two stories that differ, up to a question, in its cue alone, and have different answers there:
 * ret[i].questions[*ret_question]. ret[0] takes the first choice of the rule `twins`. ERR_RANGE
 * also where the grammar has no twins. */
bool story_draw_twins(const struct grammar *grammar, enum split split, struct random *random,
                      struct story ret[2], unsigned *ret_question, struct error *reterr);

/* Adds the words with a blank between them; those at the ends, and what pads, are left out. */
void story_show(const struct grammar *grammar, const int32_t *tokens, size_t n, struct text *out);

#endif
