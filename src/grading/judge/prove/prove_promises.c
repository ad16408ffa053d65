/* Does some case see a program that is right but for one kind of numbers? See prove.h.
 *
 * A task promises its result for any numbers. So for each array of floats and each kind of row that
 * a program may get wrong (equal numbers, a rising row, tiny ones, ...) a case is looked for in
 * which a change of just those rows shows in the answer. If no case has such rows, one is drawn
 * with them: if the change shows there, the promise is without a case. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "exercise/expression.h"
#include "judge/prove/prove_internal.h"

/* A kind of rows. In the texts X is the array and N the length of its rows. */
struct promise {
    const char *words;  /* "rows of equal numbers" */
    const char *holds;  /* for each row, with the last axis kept */
    const char *draw;   /* makes rows of that kind */
    unsigned least_row; /* the shortest row that can be one */
};

static const struct promise promises[] = {
    {"rows of equal numbers", "max(X, dim=-1, keepdim=True) == min(X, dim=-1, keepdim=True)",
     "X = X * 0 + 1.5", 2},
    {"rows that rise from number to number",
     "sum(X[..., 1:] > X[..., :N-1], dim=-1, keepdim=True) == N - 1", "X = X * 0 + arange(N) / 4",
     3},
    {"rows that fall from number to number",
     "sum(X[..., 1:] < X[..., :N-1], dim=-1, keepdim=True) == N - 1", "X = X * 0 - arange(N) / 4",
     3},
    {"rows of numbers below 0", "max(X, dim=-1, keepdim=True) < 0", "X = -abs(X) - 0.5", 1},
    {"rows of numbers above 0", "min(X, dim=-1, keepdim=True) > 0", "X = abs(X) + 0.5", 1},
    {"rows of zeros", "max(abs(X), dim=-1, keepdim=True) == 0", "X = X * 0", 1},
    {"rows of numbers below 0.001",
     "(max(abs(X), dim=-1, keepdim=True) < 0.001) & (max(abs(X), dim=-1, keepdim=True) > 0)",
     "X = X * 0.0001", 1},
    {"rows of numbers below 1e-12",
     "(max(abs(X), dim=-1, keepdim=True) < 1e-12) & (max(abs(X), dim=-1, keepdim=True) > 0)",
     "X = X * 1e-13", 1},
    {"rows of numbers below 1e-37",
     "(max(abs(X), dim=-1, keepdim=True) < 1e-37) & (max(abs(X), dim=-1, keepdim=True) > 0)",
     "X = X * 1e-20 * 1e-19", 1},
    {"rows with numbers above 100", "max(abs(X), dim=-1, keepdim=True) > 100", "X = X * 1000", 1},
    {"rows with numbers above 1e6", "max(abs(X), dim=-1, keepdim=True) > 1e6", "X = X * 1e8", 1},
    {"rows with numbers above 1e18", "max(abs(X), dim=-1, keepdim=True) > 1e18", "X = X * 1e20", 1},
};

/* ---- the change ---- */

/* Adds the text with X and N put in. */
static void put_in(struct text *out, const char *words, const char *name, size_t n)
{
    for (const char *at = words; *at != '\0'; at++) {
        if (*at == 'X')
            text_put(out, name);
        else if (*at == 'N')
            text_format(out, "%zu", n);
        else
            text_char(out, *at);
    }
}

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
static bool sees(struct fixture *fixture, unsigned array, const struct promise *promise, bool *ret,
                 struct error *reterr)
{
    struct text statement = {0};
    struct answer answer, right;
    struct error error = {0};
    const char *name = fixture->exercise->arrays[array].name;
    size_t n = is_row_array(fixture, array) ? row_of(fixture, array) : 0;
    *ret = false;
    if (n < promise->least_row || n == 0)
        return true;
    text_format(&statement, "%s = where(", name);
    put_in(&statement, promise->holds, name, n);
    text_format(&statement, ", %s + arange(%zu) + 1, %s)", name, n, name);
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
static bool draw_trial(const struct fixture *like, unsigned array, const struct promise *promise,
                       const char *data_dir, struct fixture **ret, struct error *reterr)
{
    struct exercise_case trial = *like->source;
    struct text draw = {0};
    struct error error = {0};
    unsigned n = trial.draw.n;
    char **items = calloc(n + 1, sizeof *items);
    unsigned *lines = calloc(n + 1, sizeof *lines);
    *ret = NULL;
    put_in(&draw, promise->draw, like->exercise->arrays[array].name, row_of(like, array));
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
                          unsigned array, const struct promise *promise, const char *data_dir,
                          struct prove_report *report, struct error *reterr)
{
    bool is_seen = false;
    const struct fixture *like = NULL;
    for (size_t i = 0; i < cases->n && !is_seen; i++) {
        if (!sees(cases->items[i], array, promise, &is_seen, reterr))
            return false;
        if (is_row_array(cases->items[i], array) &&
            row_of(cases->items[i], array) >= promise->least_row &&
            (like == NULL || (cases->items[i]->n_cells < 200 &&
                              fixture_size_rank(cases->items[i]) > fixture_size_rank(like))))
            like = cases->items[i];
    }
    struct fixture *trial = NULL;
    bool ok = is_seen || like == NULL || draw_trial(like, array, promise, data_dir, &trial, reterr);
    bool matters = false;
    if (ok && trial != NULL)
        ok = sees(trial, array, promise, &matters, reterr);
    fixture_free(trial);
    report->n_promises += is_seen || matters;
    if (ok && matters)
        prove_fault(report, exercise->path,
                    "no case has %s in %s where the result depends on them; a program that is "
                    "wrong for those alone would pass",
                    promise->words, exercise->arrays[array].name);
    return ok;
}

bool prove_promises(const struct exercise *exercise, uint64_t seed, const char *data_dir,
                    struct prove_report *report, struct error *reterr)
{
    struct fixtures cases = {0};
    bool ok = fixtures_draw(exercise, seed, false, data_dir, &cases, reterr);
    for (unsigned array = 0; ok && array < exercise->n_arrays; array++)
        for (size_t i = 0; ok && i < COUNT_OF(promises); i++)
            ok = prove_promise(exercise, &cases, array, &promises[i], data_dir, report, reterr);
    fixtures_release(&cases);
    return ok;
}
