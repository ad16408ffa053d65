/* The symptoms of a wrong submission whose formula is right: state that is kept, memory, loops that
 * go too far, cells that are never written. A symptom is named only if it was observed; attn never
 * guesses. */
#ifndef ATTN_JUDGE_WHY_FIND_SYMPTOM_H
#define ATTN_JUDGE_WHY_FIND_SYMPTOM_H

#include "compile/compiler.h"
#include "judge/run/case_runner.h"
#include "judge/why/find_mistake.h"
#include "judge/why/sanitizer_report.h"

/* Of cases that are drawn for no grade. What a program prints among the sanitizers' words could be
 * its inputs: so it is run on such cases where a message could show them. */
enum { PUBLIC_SEED = 0 };

/* The moment at which a symptom is looked for. */
enum symptom_stage {
    SYMPTOM_CERTAIN, /* before mistakes in the formula: it can be seen without the formula */
    SYMPTOM_LEFT,    /* when nothing else was named */
    SYMPTOM_FAULT,   /* after the sanitizers have reported on a crash */
};

/* All borrowed. */
struct symptom_question {
    const struct fixtures *cases; /* of the exercise, drawn from seed */
    const char *data_dir;
    uint64_t seed;
    const struct compile_request *request; /* that the submission was built with */
    const struct runtime *runtime;         /* that it was built with too */
    const char *file_name, *source;
    size_t size;
    struct case_runner runner; /* one that has run nothing */
    const struct build *build;
    enum verdict verdict;
    bool hides_drawn;                     /* only public cases are named */
    const char *detail;                   /* of the verdict; may be "" */
    const struct case_run *runs;          /* [cases->n] */
    const struct fixture *fixture;        /* the case that decided the verdict, or NULL */
    const struct sanitizer_report *fault; /* for SYMPTOM_FAULT: the report; its kind may be NONE */
};

/* Adds the first symptom of this stage that is observed to ret->ideas; adds nothing if none is.
 * False is attn's own failure. */
bool find_symptom(const struct symptom_question *question, enum symptom_stage stage,
                  struct diagnosis *ret, struct error *reterr);

#endif
