/* Does some case see a program that is right but for one kind of numbers? See prove.h.
 *
 * A task promises its result for any numbers. So for each array of floats and each kind of row that
 * a program may get wrong (equal numbers, a rising row, tiny ones, ...) a case is looked for in
 * which a change of just those rows shows in the answer. If no case has such rows, one is drawn
 * with them: if the change shows there, the promise is without a case. */
#include <stdlib.h>
#include <string.h>

#include "exercise/expression.h"
#include "exercise/row_kinds.h"
#include "judge/prove/prove_internal.h"

/* ---- the change ---- */

static bool is_row_array(const struct fixture *fixture, unsigned i)
{
    const struct fixture_array *array = &fixture->arrays[i];
    return array->present && !array->boolean && array->before != NULL && array->n_axes > 0 &&
           array->n_cells > 0;
}

static size_t row_of(const struct fixture *fixture, unsigned i)
{
    const struct fixture_array *array = &fixture->arrays[i];
    return array->shape[array->n_axes - 1];
}

/* Does the answer change by far when the rows of that kind are other ones? False is our own
 * failure. */
static bool sees(struct fixture *fixture, unsigned array, const struct row_kind *kind, bool *ret,
                 struct error *reterr)
{
    struct text statement = {0};
    struct answer answer, right;
    struct error error = {0};
    const char *name = fixture->exercise->arrays[array].name;
    size_t n = is_row_array(fixture, array) ? row_of(fixture, array) : 0;
    *ret = false;
    if (n < kind->least_row || n == 0)
        return true;
    text_format(&statement, "%s = where(", name);
    row_kind_put(&statement, kind->holds, name, n);
    text_format(&statement, ", %s * 3 + arange(%zu) + 1, %s)", name, n, name);
    bool ok = !statement.failed || error_memory(reterr, "a proof");
    if (ok && !fixture_answer_changed(fixture, text_string(&statement), &answer, &error)) {
        ok = error.kind != ERR_MEMORY || error_memory(reterr, "a proof");
    } else if (ok) {
        ok = fixture_right_answer(fixture, &right, reterr);
        if (ok) {
            *ret = fixture_answers_apart(fixture, &answer, &right);
            answer_release(&right);
        }
        answer_release(&answer);
    }
    text_release(&statement);
    return ok;
}

/* ---- a case drawn for it ---- */

/* Draws the case again with rows of that kind; *ret is NULL if no answer is expected then. */
static bool draw_trial(const struct fixture *like, unsigned array, const struct row_kind *kind,
                       const char *data_dir, struct fixture **ret, struct error *reterr)
{
    struct exercise_case trial = *like->source;
    struct text draw = {0};
    struct error error = {0};
    unsigned n = trial.draw.n;
    char **items = calloc(n + 1, sizeof *items);
    unsigned *lines = calloc(n + 1, sizeof *lines);
    *ret = NULL;
    const char *name = like->exercise->arrays[array].name;
    text_format(&draw, "%s = ", name);
    row_kind_put(&draw, kind->draw, name, row_of(like, array));
    bool ok = (items != NULL && lines != NULL && !draw.failed) || error_memory(reterr, "a proof");
    if (ok) {
        for (unsigned i = 0; i < n; i++) {
            items[i] = trial.draw.items[i];
            lines[i] = trial.draw.lines[i];
        }
        items[n] = draw.bytes;
        trial.draw = (struct strings){items, lines, n + 1};
        if (!fixture_draw(like->exercise, &trial, like->repeat, like->seed, NULL, false, data_dir,
                          ret, &error)) {
            *ret = NULL;
            ok = error.kind != ERR_MEMORY || error_memory(reterr, "a proof");
        } else {
            (*ret)->source = like->source;
        }
    }
    text_release(&draw);
    free(items);
    free(lines);
    return ok;
}

static bool prove_promise(const struct exercise *exercise, const struct fixtures *cases,
                          unsigned array, const struct row_kind *kind, const char *data_dir,
                          struct prove_report *report, struct error *reterr)
{
    bool is_seen = false;
    const struct fixture *like = NULL;
    for (size_t i = 0; i < cases->n && !is_seen; i++) {
        if (!sees(cases->items[i], array, kind, &is_seen, reterr))
            return false;
        if (is_row_array(cases->items[i], array) &&
            row_of(cases->items[i], array) >= kind->least_row &&
            (like == NULL || (cases->items[i]->n_cells < 200 &&
                              fixture_size_rank(cases->items[i]) > fixture_size_rank(like))))
            like = cases->items[i];
    }
    struct fixture *trial = NULL;
    bool ok = is_seen || like == NULL || draw_trial(like, array, kind, data_dir, &trial, reterr);
    bool matters = false;
    if (ok && trial != NULL)
        ok = sees(trial, array, kind, &matters, reterr);
    fixture_free(trial);
    report->n_promises += is_seen || matters;
    if (ok && matters)
        prove_fault(report, exercise->path,
                    "no case has %s in %s where the result depends on them; a program that is "
                    "wrong for those alone would pass",
                    kind->words, exercise->arrays[array].name);
    return ok;
}

bool prove_promises(const struct exercise *exercise, uint64_t seed, const char *data_dir,
                    struct prove_report *report, struct error *reterr)
{
    struct fixtures cases = {0};
    bool ok = fixtures_draw(exercise, seed, false, data_dir, &cases, reterr);
    for (unsigned array = 0; ok && array < exercise->n_arrays; array++)
        for (size_t i = 0; ok && !exercise->arrays[array].limited && i < N_ROW_KINDS; i++)
            ok = prove_promise(exercise, &cases, array, &row_kinds[i], data_dir, report, reterr);
    fixtures_release(&cases);
    return ok;
}
