/* The judge: one submission to one exercise, from its bytes to a result.
 *
 * A setup holds what all submissions to an exercise share. It is made once; worker processes that
 * are forked afterwards can use it too. */
#ifndef ATTN_JUDGE_JUDGE_H
#define ATTN_JUDGE_JUDGE_H

#include "compile/compiler.h"
#include "diagnose/edits.h"
#include "exercise/fixture.h"
#include "judge/repair/find_line.h"
#include "judge/why/find_mistake.h"
#include "result/result.h"

struct judgement;

/* Is called once for each submission as soon as the verdict is certain, before attn looks for an
 * explanation; not called if attn itself fails. Apart from the verdict the judgement may still be
 * incomplete. */
struct judge_listener {
    void (*verdict)(void *context, const struct judgement *judgement);
    void *context;
};

struct judge_plan {
    const struct exercise *exercise; /* pointers are borrowed for the setup's life */
    const struct compiler *compiler;
    const struct limits *limits;
    const char *data_dir;
    const struct edits *edits; /* NULL: read from data_dir when a wrong answer needs them */
    unsigned layers;           /* of enum layer */
    uint64_t seed;
    bool use_cache;            /* use earlier builds on disk: only for the user's own code */
    struct kept_builds *kept;  /* earlier builds of this process, used and added to; or NULL */
    uint64_t *build_cpu_us;    /* grows by the time of builds: see compile_request; or NULL */
    bool links_many;           /* see compile_request */
    struct build_ahead *ahead; /* a build that was begun (build_ahead.h), or NULL */
    const struct judge_listener *listener; /* or NULL */
};

struct judge_setup {
    struct judge_plan plan;
    struct fixtures cases;
    struct runtime runtime;
    struct compiler_hints hints; /* all zero bytes if their file is missing */
    int plain_program_fd;        /* the plain version of an exercise with speed; else -1 */
};

bool judge_setup_open(const struct judge_plan *plan, struct judge_setup *ret, struct error *reterr);
void judge_setup_close(struct judge_setup *setup);

struct wire_shown;

/* The matrices that a program shows of itself (attn_show.h). */
struct shown {
    struct wire_shown *kept; /* attn's copy, made safe: names are C names or "", and there are as
                              * many numbers as fit (see wire.h). NULL: nothing is shown */
    size_t n;                /* of kept->items, at most WIRE_SHOWN_MAX */
    bool ended;              /* the program did not come to the end of that case */
};

/* A result, and the parts of an explanation for a person. */
struct judgement {
    struct result result;
    struct build build;      /* its messages and its program */
    struct fixture *fixture; /* the failing case, as small as possible; or NULL. Borrowed from the
                              * setup unless owns_fixture */
    bool owns_fixture;
    bool hides_case;      /* only the sizes and one cell of that case may be shown */
    struct answer answer; /* the function's answer to it; empty if it did not answer */
    struct difference difference;
    struct diagnosis diagnosis;
    struct text speed;      /* how far the program is from the machine's speed; or empty */
    struct line_found line; /* where the mistake lies in the file, if that is proven */
    struct text where;      /* without an idea: where it is wrong and where it is right; or empty */
    struct text printed;    /* the program's output, bounded */
    size_t n_hidden_bytes;  /* of output that may not be shown */
    struct shown shown;     /* the matrices that the program shows, in the case that is shown, else
                             * in the first case */
    const struct fixture *shown_in; /* that case, borrowed; NULL: nothing is shown */
    struct text show_messages;      /* the compiler's messages if it can't show itself; or empty */
    struct text crash_report;       /* the sanitizers' report in the exercise's words; or empty */
    uint64_t explain_ms;            /* what it took to get that report */
    bool is_unexplained;            /* it crashed, and JUDGE_EXPLAIN_CRASH was not given */
};

enum judge_option {
    JUDGE_SHRINK = 1 << 0,        /* look for a smaller failing case */
    JUDGE_EXPLAIN_CRASH = 1 << 1, /* run again with sanitizers after a crash or a bad write */
    JUDGE_NO_IDEAS = 1 << 2,      /* name no misconception, mistake or symptom */
    /* Hide numbers that were drawn for this run, so that nobody can copy them into a table: a case
     * is shown in full only if its inputs stand in exercise.yaml. */
    JUDGE_HIDE_DRAWN = 1 << 3,
    JUDGE_NO_LINE = 1 << 5, /* do not look for the line that carries the mistake */
    JUDGE_SHOW = 1 << 4,    /* let a file that asks for it show its matrices, after the verdict */
};

/* Judges source[0..size), which the learner knows as file_name. A failure of attn's own is the
 * verdict INTERNAL_ERROR. The caller fills in the result's names (result_name()), and calls
 * judgement_release(). */
void judge_submission(const struct judge_setup *setup, const char *file_name, const char *source,
                      size_t size, unsigned options, struct judgement *ret);
void judgement_release(struct judgement *judgement);

/* Builds another source as the setup's submissions are built. The caller calls
 * build_release(ret). */
void judge_build(const struct judge_setup *setup, const char *file_name, const char *source,
                 size_t size, struct build *ret);

#endif
