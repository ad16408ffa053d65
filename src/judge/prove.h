/* The proof of an exercise: its right solutions pass, its starter fails, each wrong solution fails
 * and is named, and no fixture is weak. `attn lint exercises/`. */
#ifndef ATTN_JUDGE_PROVE_H
#define ATTN_JUDGE_PROVE_H

#include "diagnose/edits.h"
#include "judge/judge.h"

struct prove_report {
    struct doc *doc; /* a line for each fault: "FILE: what happened; what must be" */
    size_t n_faults;
    size_t n_right, n_wrong,
        n_misconceptions;              /* that were tried; files add up over several calls */
    size_t n_edits, n_told, n_excused; /* see prove_mutations() */
};

/* Checks that the cases of this seed tell each misconception from the right answer and from every
 * other misconception, that they keep the rules of docs/exercises.md, and that the probes can be
 * drawn. What the author got wrong is a fault; false is attn's own failure. */
bool prove_fixtures(const struct exercise *exercise, uint64_t seed, const char *data_dir,
                    struct prove_report *report, struct error *reterr);
/* Does each edit that changes what comes out fail a case, at each place in the stages? An edit
 * whose numbers are right in fresh cases of other sizes too, of numbers far apart and of whole
 * ones, is no change. report->n_edits edits do change something, n_told of them fail a case, and
 * n_excused have a reason in exercise->mutations; the others are faults. */
bool prove_mutations(const struct exercise *exercise, const struct edits *edits, uint64_t seed,
                     const char *data_dir, struct prove_report *report, struct error *reterr);
/* Notes in uses [edits->n] what each edit does in the exercise's cases, where that is more than
 * what is noted. False is our own failure. */
bool prove_uses(const struct exercise *exercise, const struct edits *edits, uint64_t seed,
                const char *data_dir, enum edit_use *uses, struct error *reterr);
/* Grades all files of the folder tests/exercises/NN-name/ (proof_folder), and the starter. False is
 * our own failure, an INTERNAL_ERROR of the judge among them. */
bool prove_solutions(const struct judge_setup *setup, const char *proof_folder,
                     struct prove_report *report, struct error *reterr);

#endif
