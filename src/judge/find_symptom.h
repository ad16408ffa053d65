/* What is wrong with a submission where no formula is: state that is kept, memory, loops that go
 * too far, cells that nobody writes. A symptom is named by what was observed, never by a guess. */
#ifndef ATTN_JUDGE_FIND_SYMPTOM_H
#define ATTN_JUDGE_FIND_SYMPTOM_H

#include "judge/judge.h"
#include "judge/sanitizer_report.h"
#include "judge/symptom_trials.h"

/* When a symptom is looked for. */
enum symptom_stage {
    SYMPTOM_CERTAIN, /* before a mistake in the formula: what is seen needs no formula */
    SYMPTOM_LEFT,    /* when nothing else was named */
    SYMPTOM_FAULT,   /* when the sanitizers have told of a crash */
};

/* All borrowed. */
struct symptom_question {
    const struct judge_setup *setup;
    const struct compile_request *request; /* that the submission was built with */
    const char *file_name, *source;
    size_t size;
    struct case_runner runner; /* one that has run nothing */
    const struct build *build;
    enum verdict verdict;
    const char *detail;                   /* of the verdict; may be "" */
    const struct case_run *runs;          /* [setup->cases.n] */
    const struct fixture *fixture;        /* the case that the verdict rests on, or NULL */
    const struct sanitizer_report *fault; /* SYMPTOM_FAULT: what they told; kind NONE: nothing */
};

struct observing;

struct symptom {
    const char *id;
    enum symptom_stage stage;
    const char *ask, *lesson; /* lesson: as in exercise.yaml, or NULL */
    /* Adds a sentence on what is observed; false where it is not there. */
    bool (*see)(struct observing *o, struct text *seen);
};

/* The symptoms in the order in which they are looked for: [*ret_n]. An id may stand there twice. */
const struct symptom *symptoms(size_t *ret_n);

/* Adds the first symptom of this stage that is observed to ret->ideas; none where none is. False is
 * attn's own failure. */
bool find_symptom(const struct symptom_question *question, enum symptom_stage stage,
                  struct diagnosis *ret, struct error *reterr);

#endif
