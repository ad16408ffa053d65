/* Running one case: the program is asked, and its answer is compared. The same case can be run
 * again, with smaller sizes, and with other numbers. */
#ifndef ATTN_JUDGE_RUN_CASE_RUNNER_H
#define ATTN_JUDGE_RUN_CASE_RUNNER_H

#include "base/arena.h"
#include "exercise/fixture.h"
#include "judge/run/runner.h"

struct case_run {
    struct fixture *fixture; /* borrowed; NULL: it was not tried */
    bool at_end;             /* see runner.h */
    bool answered;           /* answer and difference hold */
    bool unwritten;          /* cells of the answer still hold attn's poison */
    bool refused_memory;     /* malloc() returned NULL in the call: a hint */
    struct answer answer;
    struct difference difference;
    enum verdict verdict;
    char detail[DETAIL_BYTES];
    uint64_t heap_bytes, spent_ns; /* see struct runner_outcome */
};

void case_run_release(struct case_run *run); /* all zero bytes are allowed */
/* Did it answer, and are its numbers wrong? */
bool case_run_is_wrong(const struct case_run *run);

/* Runs cases in one program, which is started when it is needed, and again after it ended. */
struct case_runner {
    const struct exercise *exercise;
    struct runner_plan plan;
    struct runner *runner; /* NULL: no program is running */
    unsigned n_starts;
    uint64_t variant;      /* see runner_choose_variant(); 0 as a rule */
    uint64_t memory_bytes; /* the most that a program held, of those that ended; 0: not known */
    struct text *printed; /* gets what the program prints, up to limits->text_kept_bytes; or NULL */
};

/* The plan has no room for arrays yet: call runner_plan_fit(&runner->plan, ...) for each fixture
 * that will be run. The program's output is dropped until runner->printed is set. exercise and
 * limits are borrowed. */
void case_runner_init(struct case_runner *runner, const struct exercise *exercise,
                      const struct limits *limits, unsigned layers, int program_fd);
void case_runner_release(struct case_runner *runner);
/* Starts the program, unless it is running, so that the system makes it ready while the caller does
 * something else. False is attn's own failure. */
bool case_runner_start(struct case_runner *runner, struct error *reterr);
/* Runs one case and overwrites *ret. False is attn's own failure; *ret then holds nothing. */
bool case_runner_run(struct case_runner *runner, struct fixture *fixture, bool at_end,
                     struct case_run *ret, struct error *reterr);

/* ---- again: the same inputs must give the same bits each time, and no call may keep memory ----
 */

#define NONDETERMINISTIC "nondeterministic" /* the detail of such a WRONG_ANSWER */

/* The result of the repeats: PASS, or a verdict that weighs more than the one before. */
struct repeat_finding {
    enum verdict verdict;
    char detail[DETAIL_BYTES];
};

/* Are the answers the same bit for bit? All NaNs count as the same. */
bool answers_same(const struct fixture *fixture, const struct answer *a, const struct answer *b);

/* Runs all cases that were answered several times more, in the reverse order. The program of runner
 * must not have been started yet: a new one lies elsewhere in memory, so that numbers which depend
 * on that differ. A case that was right and does not give the same again gets WRONG_ANSWER with
 * NONDETERMINISTIC; one that ends the program gets that verdict. False is attn's own failure. */
bool cases_repeat(struct case_runner *runner, struct case_run *runs, size_t n,
                  struct repeat_finding *ret, struct error *reterr);
/* The same for one case, which is run once more. */
bool case_repeat(struct case_runner *runner, struct case_run *run, struct repeat_finding *ret,
                 struct error *reterr);

/* ---- smaller ---- */

/* Draws a case whose numbers are wrong again, with smaller sizes and rounder numbers, as long as
 * the program's answer stays wrong. True when it found a smaller one: *ret replaces `failing`, and
 * its fixture is the caller's to free. False: there is no smaller one. */
bool case_shrink(struct case_runner *runner, const struct case_run *failing, const char *data_dir,
                 struct case_run *ret);

/* ---- with other numbers ---- */

/* Recipes that change the numbers of an array, which is called X in them. changed_little moves the
 * numbers a little, so that large ones stay large and zeros stay small; changed_far_apart makes
 * exponentials too large; changed_to_whole makes many numbers equal. */
extern const char changed_little[], changed_far_apart[], changed_to_whole[];
/* Recipes with larger and larger factors, to find out from which size on a result is NaN or
 * infinite. */
enum { CHANGED_SCALES = 6 };
extern const char *const changed_scales[CHANGED_SCALES];
/* Factors between those: two explanations of a NaN may begin at different ones. */
enum { CHANGED_STEPS = 11 };
extern const char *const changed_steps[CHANGED_STEPS];
/* For an array of booleans: makes some of its rows False throughout. */
extern const char changed_hidden[];

/* Is the array one of floats that the function reads? */
bool is_float_input(const struct fixture *fixture, unsigned array);
/* The case of a fixture with the recipe applied to all float inputs, or (only >= 0) to one array,
 * which must be present. The new lines lie in the arena. */
bool changed_case(const struct fixture *like, const char *recipe, int only, struct arena *arena,
                  struct exercise_case *ret, struct error *reterr);

#endif
