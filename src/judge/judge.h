/* The judge: one submission to one exercise, from its bytes to a result.
 *
 * A setup holds what is the same for all submissions to an exercise and is made once; a worker
 * process that was forked from the one that made it can use it too. */
#ifndef ATTN_JUDGE_JUDGE_H
#define ATTN_JUDGE_JUDGE_H

#include "compile/compiler.h"
#include "diagnose/edits.h"
#include "judge/find_misconception.h"
#include "exercise/fixture.h"
#include "judge/shown.h"
#include "report/result.h"

struct judgement;

/* Who wants to know a verdict as soon as it stands, before what explains it is looked for. Told
 * once for each submission, unless attn itself fails. What the judgement holds beside the verdict
 * may still be missing. */
struct judge_listener {
    void (*verdict)(void *context, const struct judgement *judgement);
    void *context;
};

struct judge_plan {
    const struct exercise *exercise; /* this and what follows is borrowed, for the setup's life */
    const struct compiler *compiler;
    const struct limits *limits;
    const char *data_dir;
    const struct edits *edits; /* NULL: read from data_dir when a wrong answer needs them */
    unsigned layers;           /* of enum layer */
    uint64_t seed;
    bool use_cache;            /* what was built before may be used: for one's own code only */
    struct kept_builds *kept;  /* what this process built before is used, and kept; or NULL */
    uint64_t *build_cpu_us;    /* grows by what builds take: see compile_request; or NULL */
    bool links_many;           /* see compile_request */
    struct build_ahead *ahead; /* a build that was begun (build_ahead.h), or NULL */
    const struct judge_listener *listener; /* or NULL */
};

struct judge_setup {
    struct judge_plan plan;
    struct fixtures cases;
    struct runtime runtime;
    struct compiler_hints hints; /* all zero bytes where there is no such file */
    int plain_program_fd;        /* exercises with speed: the plain version; else -1 */
};

bool judge_setup_open(const struct judge_plan *plan, struct judge_setup *ret, struct error *reterr);
void judge_setup_close(struct judge_setup *setup);

/* A result, and what a person at a terminal is shown of a failure. */
struct judgement {
    struct result result;
    struct build build;      /* its messages and its program */
    struct fixture *fixture; /* the failing case, as small as it could be made; or NULL. Borrowed
                              * from the setup unless owns_fixture */
    bool owns_fixture;
    bool hides_case;      /* of that case nothing may be shown but its sizes and one cell */
    struct answer answer; /* what the function answered there; empty when it did not */
    struct difference difference;
    struct diagnosis diagnosis;
    struct text speed;     /* where it stands on the way to the machine's speed; or empty */
    struct text where;     /* no idea: where it goes wrong and where it does not; or empty */
    struct text printed;   /* what the program printed, bounded */
    size_t n_hidden_bytes; /* so many bytes it printed that may not be shown */
    struct shown shown;    /* what the program shows of itself, in the case that is shown, else in
                            * the first one */
    const struct fixture *shown_in; /* that case, borrowed; NULL: nothing is shown */
    struct text show_messages;      /* why it can't show itself: the compiler's words; or empty */
    struct text crash_report;       /* what the sanitizers say, in the exercise's words; or empty */
};

enum judge_option {
    JUDGE_SHRINK = 1 << 0,        /* look for a smaller failing case */
    JUDGE_EXPLAIN_CRASH = 1 << 1, /* the advisory run after a crash or a write out of bounds */
    JUDGE_NO_IDEAS = 1 << 2,      /* as if the exercise knew no misconception */
    /* Numbers that were drawn for this run stay untold, so that nobody can write them into a table:
     * a case is shown in full only when its inputs stand in exercise.yaml. */
    JUDGE_HIDE_DRAWN = 1 << 3,
    JUDGE_SHOW = 1 << 4, /* a file that asks for it shows itself (attn_show.h), after the verdict */
};

/* Judges source[0..size), which the learner knows as file_name. A failure of attn's own is a
 * verdict too, INTERNAL_ERROR. The caller fills in the result's names (result_name()). */
void judge_submission(const struct judge_setup *setup, const char *file_name, const char *source,
                      size_t size, unsigned options, struct judgement *ret);
void judgement_release(struct judgement *judgement);

/* Builds another source as the setup's submissions are built; build_release(ret). */
void judge_build(const struct judge_setup *setup, const char *file_name, const char *source,
                 size_t size, struct build *ret);

#endif
