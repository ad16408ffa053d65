/* What a learner has done, in $XDG_STATE_HOME/attn/progress.db (SQLite). Each event is one
 * transaction; two attn on one file at once are safe. Lessons and exercises share it.
 *
 * A progress that could not be opened can still be used: it remembers nothing, and
 * progress_problem() says why in a sentence for the learner. */
#ifndef ATTN_COURSE_PROGRESS_PROGRESS_H
#define ATTN_COURSE_PROGRESS_PROGRESS_H

#include <stdint.h>

#include "base/text.h"

struct progress;

/* A name of a lesson, a page or a question, with its zero. */
enum { PROGRESS_NAME_BYTES = 128 };

/* path NULL: $XDG_STATE_HOME/attn/progress.db, else ~/.local/state/attn/progress.db; makes the
 * folders. NULL only without memory. */
struct progress *progress_open(const char *path);
void progress_close(struct progress *progress);
const char *progress_problem(const struct progress *progress); /* NULL without a problem */

/* An attempt at an exercise: verdict and misconception are names, misconception may be "". Time is
 * the clock's, in seconds since 1970. */
bool progress_exercise_attempt(struct progress *progress, const char *exercise, const char *verdict,
                               const char *misconception, int64_t time_s, struct error *reterr);
/* Notes that hint n (from 1) was shown. */
bool progress_exercise_hint(struct progress *progress, const char *exercise, unsigned hint,
                            int64_t time_s, struct error *reterr);

struct exercise_progress {
    unsigned n_attempts, n_hints; /* the highest hint shown */
    bool passed;
    int64_t first_pass_s;  /* 0: never */
    char last_verdict[32]; /* "" before the first attempt */
};
/* All zero for an exercise that was never tried. */
bool progress_exercise(struct progress *progress, const char *exercise,
                       struct exercise_progress *ret, struct error *reterr);
/* False also if it can't be read. */
bool progress_is_solved(struct progress *progress, const char *exercise);

/* Whether any lesson was ever begun, or any exercise tried. */
bool progress_has_begun(struct progress *progress, bool *ret, struct error *reterr);

/* A lasting setting, such as the screen's theme; the caller chooses its name. Adds its value to
 * out. False, with out as before, if it was never set or can't be read. */
bool progress_setting(struct progress *progress, const char *name, struct text *out);
/* Replaces the setting's value. */
bool progress_set_setting(struct progress *progress, const char *name, const char *value,
                          struct error *reterr);
/* Sets a text to which other programs add as well: to value if it is still `known`, as this program
 * read it ("" for no text); else keeps the current text and appends `added`. */
bool progress_merge_setting(struct progress *progress, const char *name, const char *known,
                            const char *value, const char *added, struct error *reterr);

#endif
