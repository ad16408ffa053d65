/* The proof of an exercise (`attn lint exercises/`): its right solutions pass, its starter fails,
 * each wrong solution fails and gets its name, and its cases see every mistake. */
#ifndef ATTN_JUDGE_PROVE_PROVE_H
#define ATTN_JUDGE_PROVE_PROVE_H

#include "diagnose/edits.h"
#include "judge/judge.h"

struct prove_report {
    struct doc *doc; /* a line for each fault: "FILE: what happened; what must be" */
    size_t n_faults;
    size_t n_right, n_wrong, n_misconceptions; /* tried; files add up over several calls */
    size_t n_promises;                         /* see prove_promises() */
    size_t n_edits, n_told, n_excused;         /* see prove_mutations() */
};

/* Checks that the cases of this seed tell each misconception from the right answer and from every
 * other misconception, that they keep the rules of docs/exercises.md, and that the probes can be
 * drawn. A mistake of the author is a fault; false is attn's own failure. */
bool prove_fixtures(const struct exercise *exercise, uint64_t seed, const char *data_dir,
                    struct prove_report *report, struct error *reterr);
/* Checks that a case sees each kind of numbers for which a program may be wrong: rows of equal,
 * rising, falling, tiny and large numbers in each array of floats, if the result depends on them at
 * all (report->n_promises). */
bool prove_promises(const struct exercise *exercise, uint64_t seed, const char *data_dir,
                    struct prove_report *report, struct error *reterr);
/* Checks that each edit that changes the result, at each place in the stages, fails a case. An edit
 * changes nothing if its numbers are right in fresh cases too: with other sizes, with numbers far
 * apart and with whole numbers. report->n_edits edits change something; n_told of them fail a case,
 * n_excused have a reason in exercise->mutations, and the others are faults. */
bool prove_mutations(const struct exercise *exercise, const struct edits *edits, uint64_t seed,
                     const char *data_dir, struct prove_report *report, struct error *reterr);
/* Raises uses[i], of uses [edits->n], to what edit i does in the exercise's cases. False is attn's
 * own failure. */
bool prove_uses(const struct exercise *exercise, const struct edits *edits, uint64_t seed,
                const char *data_dir, enum edit_use *uses, struct error *reterr);
/* Grades the starter and all files of the folder tests/exercises/NN-name/ (proof_folder). False is
 * attn's own failure; an INTERNAL_ERROR of the judge is one. */
bool prove_solutions(const struct judge_setup *setup, const char *proof_folder,
                     struct prove_report *report, struct error *reterr);

#endif
