/* Grading beside the screen, and the saves that ask for it. See exercise_pane_internal.h. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "show/backend.h"
#include "ui/panes/exercise/exercise_pane_internal.h"

enum {
    STEP_MS = 100,  /* the moving sign */
    SETTLE_MS = 20, /* editors write a file in several steps: then it is looked at */
    RELAY_MS = 150, /* a result is made again when the width has not changed for this time */
    MAX_ARGUMENTS = 10,
};

/* Exit codes of `attn check`. */
enum { CODE_PASSED = 0, CODE_FAILED = 1 };

/* ---- beginning and stopping ---- */

static void begin(struct exercise_pane *pane, enum exercise_pane_job job,
                  const char *const *arguments)
{
    struct error error;
    exercise_pane_stop(pane);
    if (pane->program == NULL)
        exercise_pane_say(pane, STYLE_BAD,
                          "Nothing can be graded: attn does not know its own path.");
    else if (!child_start(&pane->child, pane->program, arguments, &error))
        exercise_pane_say_error(pane, &error);
    else {
        pane->job = job;
        pane->began_ms = -1;
        pane->elapsed_ms = 0;
        doc_clear(&pane->early);
    }
}

void exercise_pane_grade(struct exercise_pane *pane, bool again)
{
    const char *arguments[MAX_ARGUMENTS] = {"attn", "check", "--spans"};
    char cols[24];
    int n = 3;
    if (pane->job == EXERCISE_PANE_STARTS)
        return; /* the files are being made */
    exercise_pane_find_files(pane);
    if (pane->path[0] == '\0') {
        exercise_pane_say(pane, STYLE_NOTE, "There is no file of yours yet: w makes it.");
        return;
    }
    pane->job_cols = pane->result_cols > 0 ? pane->result_cols : pane->width_cols;
    snprintf(cols, sizeof cols, "%zu", pane->job_cols > 0 ? pane->job_cols : 1);
    arguments[n++] = cols;
    arguments[n++] = pane->colour ? "--color=always" : "--color=never";
    if (pane->ascii)
        arguments[n++] = "--ascii";
    if (again)
        arguments[n++] = "--again";
    arguments[n] = pane->path;
    pane->job_at = pane->at;
    pane->job_again = again;
    /* Where it can't be read, check tells why. */
    (void)exercise_pane_read_source(pane, pane->at, &pane->job_source);
    begin(pane, EXERCISE_PANE_GRADES, arguments);
}

void exercise_pane_start(struct exercise_pane *pane)
{
    const char *folder = pane->folder[0] != '\0' ? pane->folder : LEARNER_FOLDER;
    const char *const arguments[] = {"attn", "start", folder, NULL};
    begin(pane, EXERCISE_PANE_STARTS, arguments);
}

void exercise_pane_stop(struct exercise_pane *pane)
{
    child_stop(&pane->child);
    pane->job = EXERCISE_PANE_IDLE;
}

/* ---- while it goes on ---- */

static bool is_early(const struct exercise_pane *pane)
{
    return pane->job == EXERCISE_PANE_GRADES && pane->job_at == pane->at && !pane->job_again &&
           pane->early.n_lines > 0;
}

bool exercise_pane_is_on_shown(const struct exercise_pane *pane)
{
    return pane->is_open && pane->shows_shown && !is_early(pane) &&
           pane->results[pane->at].shown.n_lines > 0;
}

const struct doc *exercise_pane_result_lines(const struct exercise_pane *pane)
{
    if (exercise_pane_is_on_shown(pane))
        return &pane->results[pane->at].shown;
    return is_early(pane) ? &pane->early : &pane->results[pane->at].doc;
}

/* Brings the result into sight, from its first line on. */
static void show_result(struct exercise_pane *pane)
{
    if (pane->job_at != pane->at || pane->job_again)
        return;
    pane->result_scroll = (struct exercise_pane_scroll){0};
    exercise_pane_show(pane, &exercise_result_ops);
}

/* The bytes of what was printed that are the result; what the program shows comes after them. */
static size_t first_page(const struct text *output)
{
    const char *all = text_string(output), *next = strstr(all, "\n" SPANS_NEXT_PAGE);
    return next != NULL ? (size_t)(next - all) + 1 : output->size;
}

/* The bytes of what grading has printed that can be shown before the rest; 0: none are said to be.
 */
static size_t early_bytes(const struct text *output)
{
    const char *all = text_string(output), *more = strstr(all, "\n" SPANS_MORE);
    return more != NULL ? (size_t)(more - all) + 1 : 0;
}

/* Shows what comes first, once it is there. */
static void take_early(struct exercise_pane *pane)
{
    const struct text *output = &pane->child.output;
    if (pane->job != EXERCISE_PANE_GRADES || pane->early.n_lines > 0)
        return;
    if (doc_read(&pane->early, text_string(output), early_bytes(output), NULL) &&
        pane->early.n_lines > 0)
        show_result(pane);
    else
        doc_clear(&pane->early);
}

/* ---- the end of a job ---- */

static int exit_code(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* What it said on standard error, without its blank end. */
static void add_complaint(struct doc *doc, struct text *complaint, enum style style, size_t cols)
{
    const char *text = text_string(complaint);
    while (*text == '\n' || *text == ' ')
        text++;
    if (*text != '\0')
        doc_wrap(doc, style, text, cols > 0 ? cols : 1, 0);
}

/* What a learner can do after a right answer. */
static void add_way_on(const struct exercise_pane *pane, struct doc *doc)
{
    const struct exercises *all = &pane->exercises;
    size_t n_solved = 0;
    for (size_t i = 0; i < all->n; i++)
        n_solved += progress_is_solved(pane->progress, all->items[i]->id);
    doc_end_line(doc);
    if (n_solved == all->n)
        doc_line(doc, STYLE_GOOD, "All %zu exercises are solved.", all->n);
    else if (pane->job_at + 1 < all->n)
        doc_line(doc, STYLE_GOOD, "n goes to the next: %s", all->items[pane->job_at + 1]->title);
    doc_line(doc, STYLE_QUIET, "v shows other ways to write it");
}

static void read_clock(char clock[16])
{
    time_t now = time(NULL);
    struct tm local;
    clock[0] = '\0';
    if (localtime_r(&now, &local) != NULL)
        strftime(clock, 16, "%H:%M:%S", &local);
}

/* Makes the result of what grading printed. */
static void take_result(struct exercise_pane *pane)
{
    struct exercise_pane_result *result = &pane->results[pane->job_at];
    struct child *child = &pane->child;
    struct error error;
    int code = exit_code(child->status);
    bool graded = code == CODE_PASSED || code == CODE_FAILED;
    size_t early = early_bytes(&child->output);
    size_t rest = early > 0 ? early + sizeof SPANS_MORE - 1 : 0;
    size_t end = first_page(&child->output), next = end + sizeof SPANS_NEXT_PAGE - 1;
    const char *output = text_string(&child->output);
    doc_clear(&result->doc);
    doc_clear(&result->shown);
    if ((!doc_read(&result->doc, output, early, &error) ||
         !doc_read(&result->doc, output + rest, end - rest, &error)) &&
        graded)
        doc_line(&result->doc, STYLE_BAD, "%s", error.text);
    if (next < child->output.size &&
        !doc_read(&result->shown, output + next, child->output.size - next, NULL))
        doc_clear(&result->shown);
    if (result->shown.n_lines > 0)
        doc_line(&result->doc, STYLE_QUIET, "s goes to what your program shows of itself");
    add_complaint(&result->doc, &child->complaint, graded ? STYLE_NOTE : STYLE_BAD, pane->job_cols);
    if (code < 0)
        doc_line(&result->doc, STYLE_BAD, "Grading ended by signal %d; Enter tries again.",
                 WTERMSIG(child->status));
    result->verdict = code == CODE_PASSED   ? EXERCISE_PANE_PASSED
                      : code == CODE_FAILED ? EXERCISE_PANE_FAILED
                                            : EXERCISE_PANE_UNGRADED;
    if (!graded && code >= 0 && result->doc.n_lines == 0)
        doc_line(&result->doc, STYLE_BAD, "Grading ended with exit code %d; Enter tries again.",
                 code);
    if (result->verdict == EXERCISE_PANE_PASSED)
        add_way_on(pane, &result->doc);
    result->width_cols = pane->job_cols;
    read_clock(result->clock);
    text_clear(&result->source);
    text_add(&result->source, text_string(&pane->job_source), pane->job_source.size);
}

static void end_grading(struct exercise_pane *pane)
{
    bool told = pane->early.n_lines > 0;
    take_result(pane);
    if (!told)
        show_result(pane);
}

static void end_start(struct exercise_pane *pane)
{
    struct text *complaint = &pane->child.complaint;
    bool ok = exit_code(pane->child.status) == 0;
    exercise_pane_find_files(pane);
    if (ok)
        exercise_pane_say(pane, STYLE_GOOD, "Your files are in %s; o opens this one.",
                          pane->folder);
    else
        exercise_pane_say(pane, STYLE_BAD, "%.*s", (int)strcspn(text_string(complaint), "\n"),
                          complaint->size > 0 ? text_string(complaint)
                                              : "The files could not be made.");
}

static void end_job(struct exercise_pane *pane)
{
    enum exercise_pane_job job = pane->job;
    pane->job = EXERCISE_PANE_IDLE;
    if (job == EXERCISE_PANE_GRADES)
        end_grading(pane);
    else if (job == EXERCISE_PANE_STARTS)
        end_start(pane);
    exercise_pane_refresh(pane);
}

/* ---- saves ---- */

static bool holds(const struct text *text, const char *bytes, size_t size)
{
    return text->size == size && memcmp(text_string(text), bytes, size) == 0;
}

/* False where the file holds what was graded last, or is being graded, or nothing of the learner's.
 */
static bool is_news(const struct exercise_pane *pane, size_t at)
{
    const struct exercise_pane_result *result = &pane->results[at];
    struct text now = {0};
    bool news = true;
    if (!exercise_pane_read_source(pane, at, &now))
        news = at == pane->at; /* grading tells why */
    else if (pane->job == EXERCISE_PANE_GRADES && pane->job_at == at)
        news = !holds(&now, text_string(&pane->job_source), pane->job_source.size);
    else if (result->doc.n_lines > 0)
        news = !holds(&now, text_string(&result->source), result->source.size);
    else
        news = !learner_source_untouched(pane->exercises.items[at], text_string(&now), now.size);
    text_release(&now);
    return news;
}

void exercise_pane_leave_saves(struct exercise_pane *pane)
{
    char name[SAVES_NAME_BYTES];
    while (pane->watches && saves_next(&pane->saves, name))
        if (exercise_pane_exercise_of(pane, name) == pane->at)
            pane->saw_save = true;
}

/* Of the files that were saved, the one that is open is graded; where it is another one, the
 * learner has gone on to that. */
static void look_at_saves(struct exercise_pane *pane)
{
    char name[SAVES_NAME_BYTES];
    struct error error;
    size_t n = pane->exercises.n, other = n;
    bool here = pane->saw_save;
    pane->saw_save = false;
    while (saves_next(&pane->saves, name)) {
        size_t at = exercise_pane_exercise_of(pane, name);
        here = here || at == pane->at;
        other = at < n && at != pane->at && is_news(pane, at) ? at : other;
    }
    exercise_pane_find_files(pane); /* it may be there only now */
    if (!here && other < n && pane->job == EXERCISE_PANE_IDLE) {
        here = exercise_pane_go(pane, other, &error);
        if (!here)
            exercise_pane_say_error(pane, &error);
    }
    if (here && pane->path[0] != '\0' && is_news(pane, pane->at))
        exercise_pane_grade(pane, false);
}

/* Takes in what was saved; the files are looked at a moment later, when the pane is shown. */
static void follow_saves(struct exercise_pane *pane)
{
    struct error error;
    if (!saves_look(&pane->saves, &error))
        exercise_pane_say_error(pane, &error);
    if (pane->saves.gone) {
        exercise_pane_find_files(pane);
        exercise_pane_refresh(pane);
    }
    bool any = pane->saves.n_names > 0 || pane->saw_save;
    if (any && pane->due_ms < 0)
        pane->due_ms = pane->now_ms + SETTLE_MS;
    if (!any || !pane->shown || pane->now_ms < pane->due_ms)
        return;
    pane->due_ms = -1;
    look_at_saves(pane);
}

/* The lines of a result can't be made narrower here: it is graded again, which the compiler's cache
 * makes quick, and which counts as no attempt. */
static void follow_width(struct exercise_pane *pane)
{
    const struct exercise_pane_result *result = &pane->results[pane->at];
    pane->relay_ms = -1;
    if (pane->job == EXERCISE_PANE_IDLE && result->doc.n_lines > 0 &&
        result->width_cols != pane->result_cols && doc_width(&result->doc) > pane->result_cols &&
        !is_news(pane, pane->at))
        exercise_pane_grade(pane, true);
}

/* ---- time ---- */

void exercise_pane_tick(void *state, int64_t now_ms, bool in_view)
{
    struct exercise_pane *pane = state;
    pane->now_ms = now_ms;
    pane->shown = in_view;
    if (!pane->is_open)
        return;
    if (pane->job != EXERCISE_PANE_IDLE) {
        pane->began_ms = pane->began_ms < 0 ? now_ms : pane->began_ms;
        pane->elapsed_ms = now_ms - pane->began_ms;
        if (child_look(&pane->child))
            end_job(pane);
        else
            take_early(pane);
    }
    if (pane->watches)
        follow_saves(pane);
    if (in_view && pane->relay_ms >= 0 && now_ms - pane->relay_ms >= RELAY_MS)
        follow_width(pane);
}

static int sooner(int timeout_ms, int64_t ms)
{
    int at_least_1 = ms < 1 ? 1 : (int)ms;
    return timeout_ms < 0 || at_least_1 < timeout_ms ? at_least_1 : timeout_ms;
}

int exercise_pane_timeout_ms(const void *state)
{
    const struct exercise_pane *pane = state;
    int timeout = -1;
    if (pane->job != EXERCISE_PANE_IDLE)
        timeout = sooner(timeout, STEP_MS);
    if (!pane->shown)
        return timeout;
    if (pane->watches)
        timeout = sooner(timeout, SAVES_POLL_MS);
    if (pane->due_ms >= 0)
        timeout = sooner(timeout, pane->due_ms - pane->now_ms);
    if (pane->relay_ms >= 0)
        timeout = sooner(timeout, pane->relay_ms + RELAY_MS - pane->now_ms);
    return timeout;
}

int exercise_pane_fds(const void *state, int fds[PANE_MAX_FDS])
{
    const struct exercise_pane *pane = state;
    _Static_assert((int)CHILD_FDS <= (int)PANE_MAX_FDS, "room for those of the child");
    for (int i = 0; i < CHILD_FDS; i++)
        fds[i] = pane->job != EXERCISE_PANE_IDLE ? pane->child.fds[i] : -1;
    return CHILD_FDS;
}
