/* Grading beside the screen, and the saves that ask for it. See workshop_parts.h. */
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
    RELAY_MS = 150, /* so long the result waits for a window that is being dragged */
    MAX_ARGUMENTS = 10,
};

/* Exit codes of `attn check`. */
enum { CODE_PASSED = 0, CODE_FAILED = 1 };

/* ---- beginning and stopping ---- */

static void begin(struct workshop *workshop, enum workshop_job job, const char *const *arguments)
{
    struct error error;
    workshop_stop(workshop);
    if (workshop->program == NULL)
        workshop_say(workshop, STYLE_BAD,
                     "Nothing can be graded: attn does not know its own path.");
    else if (!child_start(&workshop->child, workshop->program, arguments, &error))
        workshop_say_error(workshop, &error);
    else {
        workshop->job = job;
        workshop->began_ms = -1;
        workshop->elapsed_ms = 0;
    }
}

void workshop_grade(struct workshop *workshop, bool again)
{
    const char *arguments[MAX_ARGUMENTS] = {"attn", "check", "--spans"};
    char cols[24];
    int n = 3;
    if (workshop->job == WORKSHOP_STARTS)
        return; /* the files are being made */
    workshop_find_files(workshop);
    if (workshop->path[0] == '\0') {
        workshop_say(workshop, STYLE_NOTE, "There is no file of yours yet: w makes it.");
        return;
    }
    workshop->job_cols = workshop->result_cols > 0 ? workshop->result_cols : workshop->width_cols;
    snprintf(cols, sizeof cols, "%zu", workshop->job_cols > 0 ? workshop->job_cols : 1);
    arguments[n++] = cols;
    arguments[n++] = workshop->colour ? "--color=always" : "--color=never";
    if (workshop->ascii)
        arguments[n++] = "--ascii";
    if (again)
        arguments[n++] = "--again";
    arguments[n] = workshop->path;
    workshop->job_at = workshop->at;
    workshop->job_again = again;
    /* Where it can't be read, check tells why. */
    (void)workshop_read_source(workshop, workshop->at, &workshop->job_source);
    begin(workshop, WORKSHOP_GRADES, arguments);
}

void workshop_start(struct workshop *workshop)
{
    const char *folder = workshop->folder[0] != '\0' ? workshop->folder : WORKSHOP_FOLDER;
    const char *const arguments[] = {"attn", "start", folder, NULL};
    begin(workshop, WORKSHOP_STARTS, arguments);
}

void workshop_stop(struct workshop *workshop)
{
    child_stop(&workshop->child);
    workshop->job = WORKSHOP_IDLE;
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

static bool is_solved(const struct workshop *workshop, const struct exercise *exercise)
{
    return progress_is_solved(workshop->progress, exercise->id);
}

/* What a learner does behind a right answer. */
static void add_way_on(const struct workshop *workshop, struct doc *doc)
{
    const struct exercises *all = &workshop->exercises;
    size_t n_solved = 0;
    for (size_t i = 0; i < all->n; i++)
        n_solved += is_solved(workshop, all->items[i]);
    doc_end_line(doc);
    if (n_solved == all->n)
        doc_line(doc, STYLE_GOOD, "All %zu exercises are solved.", all->n);
    else if (workshop->job_at + 1 < all->n)
        doc_line(doc, STYLE_GOOD, "n goes to the next: %s",
                 all->items[workshop->job_at + 1]->title);
    doc_line(doc, STYLE_QUIET, "Other ways to write it: attn solutions %u",
             all->items[workshop->job_at]->number);
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
static void take_result(struct workshop *workshop)
{
    struct workshop_result *result = &workshop->results[workshop->job_at];
    struct child *child = &workshop->child;
    struct error error;
    int code = exit_code(child->status);
    bool graded = code == CODE_PASSED || code == CODE_FAILED;
    doc_clear(&result->doc);
    if (!doc_read(&result->doc, text_string(&child->output), child->output.size, &error) && graded)
        doc_line(&result->doc, STYLE_BAD, "%s", error.text);
    add_complaint(&result->doc, &child->complaint, graded ? STYLE_NOTE : STYLE_BAD,
                  workshop->job_cols);
    if (code < 0)
        doc_line(&result->doc, STYLE_BAD, "Grading ended by signal %d; Enter tries again.",
                 WTERMSIG(child->status));
    result->verdict = code == CODE_PASSED   ? WORKSHOP_PASSED
                      : code == CODE_FAILED ? WORKSHOP_FAILED
                                            : WORKSHOP_UNGRADED;
    if (!graded && code >= 0 && result->doc.n_lines == 0)
        doc_line(&result->doc, STYLE_BAD, "Grading ended with exit code %d; Enter tries again.",
                 code);
    if (result->verdict == WORKSHOP_PASSED)
        add_way_on(workshop, &result->doc);
    result->width_cols = workshop->job_cols;
    read_clock(result->clock);
    text_clear(&result->source);
    text_add(&result->source, text_string(&workshop->job_source), workshop->job_source.size);
}

static void end_grading(struct workshop *workshop)
{
    take_result(workshop);
    if (workshop->job_at != workshop->at || workshop->job_again)
        return;
    workshop->result_scroll = (struct workshop_scroll){0};
    workshop->wish = WORKSHOP_RESULT;
}

static void end_start(struct workshop *workshop)
{
    struct text *complaint = &workshop->child.complaint;
    bool ok = exit_code(workshop->child.status) == 0;
    workshop_find_files(workshop);
    if (ok)
        workshop_say(workshop, STYLE_GOOD, "Your files are in %s; o opens this one.",
                     workshop->folder);
    else
        workshop_say(workshop, STYLE_BAD, "%.*s", (int)strcspn(text_string(complaint), "\n"),
                     complaint->size > 0 ? text_string(complaint) : "The files could not be made.");
}

static void end_job(struct workshop *workshop)
{
    enum workshop_job job = workshop->job;
    workshop->job = WORKSHOP_IDLE;
    if (job == WORKSHOP_GRADES)
        end_grading(workshop);
    else if (job == WORKSHOP_STARTS)
        end_start(workshop);
    workshop_refresh(workshop);
}

/* ---- saves ---- */

static bool holds(const struct text *text, const char *bytes, size_t size)
{
    return text->size == size && memcmp(text_string(text), bytes, size) == 0;
}

/* False where the file holds what was graded last, or is being graded, or nothing of the learner's.
 */
static bool is_news(const struct workshop *workshop, size_t at)
{
    const struct workshop_result *result = &workshop->results[at];
    const char *starter = workshop->exercises.items[at]->starter;
    struct text now = {0};
    bool news = true;
    if (!workshop_read_source(workshop, at, &now))
        news = at == workshop->at; /* grading tells why */
    else if (workshop->job == WORKSHOP_GRADES && workshop->job_at == at)
        news = !holds(&now, text_string(&workshop->job_source), workshop->job_source.size);
    else if (result->doc.n_lines > 0)
        news = !holds(&now, text_string(&result->source), result->source.size);
    else
        news = !holds(&now, starter, strlen(starter));
    text_release(&now);
    return news;
}

void workshop_leave_saves(struct workshop *workshop)
{
    char name[SAVES_NAME_BYTES];
    while (workshop->watches && saves_next(&workshop->saves, name))
        if (workshop_exercise_of(workshop, name) == workshop->at)
            workshop->saw_save = true;
}

/* Of the files that were saved, the one that is open is graded; where it is another one, the
 * learner has gone on to that. */
static void look_at_saves(struct workshop *workshop)
{
    char name[SAVES_NAME_BYTES];
    struct error error;
    size_t n = workshop->exercises.n, other = n;
    bool here = workshop->saw_save;
    workshop->saw_save = false;
    while (saves_next(&workshop->saves, name)) {
        size_t at = workshop_exercise_of(workshop, name);
        here = here || at == workshop->at;
        other = at < n && at != workshop->at && is_news(workshop, at) ? at : other;
    }
    workshop_find_files(workshop); /* it may be there only now */
    if (!here && other < n && workshop->job == WORKSHOP_IDLE) {
        here = workshop_go(workshop, other, &error);
        if (!here)
            workshop_say_error(workshop, &error);
    }
    if (here && workshop->path[0] != '\0' && is_news(workshop, workshop->at))
        workshop_grade(workshop, false);
}

/* Takes in what was saved; the files are looked at a moment later, when the pane is shown. */
static void follow_saves(struct workshop *workshop)
{
    struct error error;
    if (!saves_look(&workshop->saves, &error))
        workshop_say_error(workshop, &error);
    if (workshop->saves.gone) {
        workshop_find_files(workshop);
        workshop_refresh(workshop);
    }
    bool any = workshop->saves.n_names > 0 || workshop->saw_save;
    if (any && workshop->due_ms < 0)
        workshop->due_ms = workshop->now_ms + SETTLE_MS;
    if (!any || !workshop->shown || workshop->now_ms < workshop->due_ms)
        return;
    workshop->due_ms = -1;
    look_at_saves(workshop);
}

/* The lines of a result can't be made narrower here: it is graded again, which the compiler's cache
 * makes quick, and which counts as no attempt. */
static void follow_width(struct workshop *workshop)
{
    const struct workshop_result *result = &workshop->results[workshop->at];
    workshop->relay_ms = -1;
    if (workshop->job == WORKSHOP_IDLE && result->doc.n_lines > 0 &&
        result->width_cols != workshop->result_cols &&
        doc_width(&result->doc) > workshop->result_cols && !is_news(workshop, workshop->at))
        workshop_grade(workshop, true);
}

/* ---- time ---- */

void workshop_tick(struct workshop *workshop, int64_t now_ms, bool shown)
{
    workshop->now_ms = now_ms;
    workshop->shown = shown;
    if (!workshop->is_open)
        return;
    if (workshop->job != WORKSHOP_IDLE) {
        workshop->began_ms = workshop->began_ms < 0 ? now_ms : workshop->began_ms;
        workshop->elapsed_ms = now_ms - workshop->began_ms;
        if (child_look(&workshop->child))
            end_job(workshop);
    }
    if (workshop->watches)
        follow_saves(workshop);
    if (shown && workshop->relay_ms >= 0 && now_ms - workshop->relay_ms >= RELAY_MS)
        follow_width(workshop);
}

static int sooner(int timeout_ms, int64_t ms)
{
    int at_least_1 = ms < 1 ? 1 : (int)ms;
    return timeout_ms < 0 || at_least_1 < timeout_ms ? at_least_1 : timeout_ms;
}

int workshop_timeout_ms(const struct workshop *workshop)
{
    int timeout = -1;
    if (workshop->job != WORKSHOP_IDLE)
        timeout = sooner(timeout, STEP_MS);
    if (!workshop->shown)
        return timeout;
    if (workshop->watches && workshop->saves.polls_why != NULL)
        timeout = sooner(timeout, SAVES_POLL_MS);
    if (workshop->due_ms >= 0)
        timeout = sooner(timeout, workshop->due_ms - workshop->now_ms);
    if (workshop->relay_ms >= 0)
        timeout = sooner(timeout, workshop->relay_ms + RELAY_MS - workshop->now_ms);
    return timeout;
}

void workshop_fds(const struct workshop *workshop, int fds[WORKSHOP_FDS])
{
    for (int i = 0; i < CHILD_FDS; i++)
        fds[i] = workshop->job != WORKSHOP_IDLE ? workshop->child.fds[i] : -1;
    fds[CHILD_FDS] = workshop->watches ? workshop->saves.fd : -1;
}
