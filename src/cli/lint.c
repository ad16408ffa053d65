/* attn lint PATH...: are the lessons sound, do the exercises prove themselves? Each exercise is
 * tried by a process of its own. */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "cli/cli.h"
#include "cli/lint_edits.h"
#include "cli/lint_exercise.h"
#include "cli/lint_lessons.h"
#include "files/file.h"
#include "files/path.h"
#include "show/backend.h"
#include "show/doc.h"

const char lint_help[] =
    "PATH is a lesson's file, an exercise's folder, or a folder of either. A lesson's code must "
    "run,\n"
    "its answers must be right by their own questions, and the wrong ones it foresees wrong. An\n"
    "exercise must read well, tell its known mistakes apart, pass its right solutions and name "
    "its\n"
    "wrong ones, with three seeds.\n\n"
    "  --answers FILE  what the lessons of the folder PATH say to each answer of FILE: a line "
    "with\n"
    "                  the lesson, the question, what was typed, and right, foreseen N, edit IDS,\n"
    "                  unfinished or generic, with tabs between them\n"
    "  --edits         also notes, for a lesson's questions, likely mistakes that have no text\n"
    "  --compiler CC   the compiler, else $CC, cc, gcc, clang or tcc\n"
    "  --jobs N        so many exercises at once\n"
    "  --seed N        the first of the seeds, else 1\n"
    "  --seeds N       so many seeds, else 3\n"
    "  --solutions     only judges an exercise's solutions: what does not depend on the compiler\n"
    "                  was tried with another one\n\n"
    "exit code: 0 proven, 1 there are faults, 2 wrong usage, 3 nothing could be tried\n";

enum {
    MAX_JOBS = 64,
    PATH_BYTES = 4096,
};

struct lint_options {
    struct common_options common;
    const char *compiler, *answers;
    uint64_t seed, n_seeds;
    unsigned jobs;
    bool notes_edits, solutions_only;
};

/* What one exercise came to, as its process tells it. */
struct lint_counts {
    size_t n_faults, n_solutions, n_misconceptions;
};

/* One exercise and the process that tries it. */
struct lint_job {
    char folder[PATH_BYTES];
    pid_t process;
    int pipe;           /* what it writes: counts, then text; -1 when it is closed */
    struct text output; /* bytes of the pipe so far */
    bool done;
};

struct lint_run {
    struct lint_options options;
    struct compiler compiler;
    unsigned layers;
    struct lint_job *jobs;
    size_t n_jobs, capacity;
};

/* ---- options and paths ---- */

/* Takes the options out of argv; what is left after argv[0] are paths. */
static int read_options(int argc, char **argv, struct lint_options *options)
{
    int n_paths = 0;
    *options = (struct lint_options){.seed = 1, .n_seeds = 3, .jobs = 1};
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i], *value;
        if (common_option(argc, argv, &i, &options->common))
            continue;
        if ((value = option_value(argc, argv, &i, "--compiler")) != NULL) {
            options->compiler = value;
        } else if ((value = option_value(argc, argv, &i, "--answers")) != NULL) {
            options->answers = value;
        } else if (strcmp(arg, "--edits") == 0) {
            options->notes_edits = true;
        } else if (strcmp(arg, "--solutions") == 0) {
            options->solutions_only = true;
        } else if ((value = option_value(argc, argv, &i, "--seed")) != NULL) {
            options->seed = option_number(argv[0], "--seed", value, 0, UINT64_C(1) << 31);
        } else if ((value = option_value(argc, argv, &i, "--seeds")) != NULL) {
            options->n_seeds = option_number(argv[0], "--seeds", value, 1, 100);
        } else if ((value = option_value(argc, argv, &i, "--jobs")) != NULL) {
            options->jobs = (unsigned)option_number(argv[0], "--jobs", value, 1, MAX_JOBS);
        } else if (arg[0] == '-' && arg[1] != '\0') {
            unknown_option("lint", lint_help, arg);
        } else {
            argv[++n_paths] = argv[i];
        }
    }
    if (n_paths == 0)
        usage_error("lint: which lessons or exercises? attn lint lessons/ exercises/");
    return n_paths;
}

static bool add_job(struct lint_run *lint, const char *folder, const char *name,
                    struct error *reterr)
{
    struct lint_job *jobs = array_grow(lint->jobs, lint->n_jobs, &lint->capacity, sizeof *jobs);
    if (jobs == NULL)
        return error_memory(reterr, "lint");
    lint->jobs = jobs;
    jobs += lint->n_jobs++;
    *jobs = (struct lint_job){.pipe = -1};
    int size = name != NULL ? snprintf(jobs->folder, sizeof jobs->folder, "%s/%s", folder, name)
                            : snprintf(jobs->folder, sizeof jobs->folder, "%s", folder);
    if (size < 0 || (size_t)size >= sizeof jobs->folder)
        return error_set(reterr, ERR_FILE, "%s: the path is too long", folder);
    while (size > 1 && jobs->folder[size - 1] == '/')
        jobs->folder[--size] = '\0';
    return true;
}

/* What begins with two digits is meant to be an exercise. */
static int is_exercise(const struct dirent *entry)
{
    const char *name = entry->d_name;
    return text_is_digit(name[0]) && text_is_digit(name[1]) && name[2] == '-';
}

/* All exercises of a folder, by name. */
static bool add_folder(struct lint_run *lint, const char *path, struct error *reterr)
{
    struct dirent **names = NULL;
    int n = scandir(path, &names, is_exercise, alphasort);
    bool ok = n > 0 || error_set(reterr, ERR_FILE, "%s: %s", path,
                                 n < 0 ? strerror(errno) : "no exercises are in there");
    for (int i = 0; i < n; i++) {
        ok = ok && add_job(lint, path, names[i]->d_name, reterr);
        free(names[i]);
    }
    free(names);
    return ok;
}

/* ---- one exercise, in a process of its own ---- */

/* The process: tries the exercise and tells what came of it. */
static int try_exercise(const struct lint_run *lint, const char *folder, int pipe)
{
    struct settings settings = terminal_settings(&lint->options.common, 1);
    struct doc doc;
    struct text text = {0};
    struct prove_report report = {.doc = &doc};
    const struct lint_plan plan = {.compiler = &lint->compiler,
                                   .layers = lint->layers,
                                   .solutions_only = lint->options.solutions_only,
                                   .seed = lint->options.seed,
                                   .n_seeds = lint->options.n_seeds};
    doc_init(&doc);
    lint_exercise(&plan, folder, &report);
    struct lint_counts counts = {.n_faults = report.n_faults,
                                 .n_solutions = report.n_right + report.n_wrong,
                                 .n_misconceptions = report.n_misconceptions};
    text_format(&text, "%s: %zu misconceptions, %zu solutions: %s; %zu edits, %zu told apart",
                path_base_name(folder), counts.n_misconceptions, counts.n_solutions,
                counts.n_faults == 0 ? "proven" : "not proven", report.n_edits, report.n_told);
    if (report.n_edits > 0)
        text_format(&text, " (%zu %%)", report.n_told * 100 / report.n_edits);
    if (report.n_excused > 0)
        text_format(&text, ", %zu with a reason", report.n_excused);
    text_char(&text, '\n');
    struct doc lines;
    doc_init(&lines);
    if (counts.n_faults > 0)
        doc_append(&lines, &doc, 2);
    doc_to_ansi(&lines, settings.colours, &text);
    bool ok = !text.failed && !lines.failed && file_write_all(pipe, &counts, sizeof counts) &&
              file_write_all(pipe, text_string(&text), text.size);
    doc_release(&lines);
    doc_release(&doc);
    text_release(&text);
    return ok ? 0 : 1;
}

/* ---- all of them ---- */

static bool start_job(const struct lint_run *lint, struct lint_job *job, struct error *reterr)
{
    int ends[2];
    if (pipe(ends) != 0)
        return error_set(reterr, ERR_FILE, "lint: no pipe: %s", strerror(errno));
    (void)fflush(stdout);
    job->process = fork();
    if (job->process == 0) {
        close(ends[0]);
        _exit(try_exercise(lint, job->folder, ends[1]));
    }
    close(ends[1]);
    job->pipe = ends[0];
    return job->process > 0 || error_set(reterr, ERR_FILE, "lint: no process: %s", strerror(errno));
}

/* Reads what a process wrote; at its end the job is done. */
static void read_job(struct lint_job *job)
{
    char bytes[8192];
    ssize_t size = read(job->pipe, bytes, sizeof bytes);
    if (size > 0) {
        text_add(&job->output, bytes, (size_t)size);
        return;
    }
    if (size < 0 && errno == EINTR)
        return;
    close(job->pipe);
    job->pipe = -1;
    waitpid(job->process, NULL, 0);
    job->done = true;
}

/* Waits until a process under way writes or ends. */
static void wait_for_jobs(struct lint_run *lint)
{
    struct pollfd ready[MAX_JOBS];
    struct lint_job *of[MAX_JOBS];
    nfds_t n = 0;
    for (size_t i = 0; i < lint->n_jobs && n < MAX_JOBS; i++)
        if (lint->jobs[i].pipe >= 0) {
            of[n] = &lint->jobs[i];
            ready[n++] = (struct pollfd){.fd = lint->jobs[i].pipe, .events = POLLIN};
        }
    if (poll(ready, n, -1) <= 0)
        return;
    for (nfds_t i = 0; i < n; i++)
        if (ready[i].revents != 0)
            read_job(of[i]);
}

/* Prints what one exercise came to and adds it up. A process that died is a fault. */
static void report_job(struct lint_job *job, struct lint_counts *total)
{
    struct lint_counts counts = {.n_faults = 1};
    if (job->output.size > sizeof counts) {
        memcpy(&counts, job->output.bytes, sizeof counts);
        (void)fwrite(job->output.bytes + sizeof counts, 1, job->output.size - sizeof counts,
                     stdout);
    } else {
        printf("%s: the process that tried it ended without a word\n", path_base_name(job->folder));
    }
    total->n_faults += counts.n_faults;
    total->n_solutions += counts.n_solutions;
    total->n_misconceptions += counts.n_misconceptions;
    text_release(&job->output);
    (void)fflush(stdout);
}

static bool run_all(struct lint_run *lint, struct lint_counts *ret, struct error *reterr)
{
    size_t started = 0, reported = 0, under_way = 0;
    while (reported < lint->n_jobs) {
        while (started < lint->n_jobs && under_way < lint->options.jobs) {
            if (!start_job(lint, &lint->jobs[started++], reterr))
                return false;
            under_way++;
        }
        wait_for_jobs(lint);
        under_way = 0;
        for (size_t i = 0; i < started; i++)
            under_way += !lint->jobs[i].done;
        while (reported < started && lint->jobs[reported].done)
            report_job(&lint->jobs[reported++], ret);
    }
    return true;
}

static bool prepare(struct lint_run *lint, char **paths, int n_paths, struct error *reterr)
{
    for (int i = 0; i < n_paths; i++) {
        char path[PATH_BYTES + 32];
        snprintf(path, sizeof path, "%s/exercise.yaml", paths[i]);
        if (!(access(path, F_OK) == 0 ? add_job(lint, paths[i], NULL, reterr)
                                      : add_folder(lint, paths[i], reterr)))
            return false;
    }
    if (!compiler_find(lint->options.compiler, &lint->compiler, reterr))
        return false;
    lint->layers = layers_available(NULL);
    return true;
}

/* Checks the lessons among the paths and takes them out; what is left are exercises. */
static bool lint_all_lessons(char **paths, int *n_paths, bool notes_edits, size_t *ret_n_faults,
                             struct error *reterr)
{
    size_t n_lessons = 0;
    int n_left = 0;
    for (int i = 0; i < *n_paths; i++)
        if (!lint_is_lessons(paths[i]))
            paths[n_left++] = paths[i];
        else if (!lint_lessons(paths[i], notes_edits, &n_lessons, ret_n_faults, reterr))
            return false;
    *n_paths = n_left;
    if (n_lessons > 0)
        printf("%zu %s: %zu %s\n", n_lessons, n_lessons == 1 ? "lesson" : "lessons", *ret_n_faults,
               *ret_n_faults == 1 ? "fault" : "faults");
    return true;
}

/* The table of edits, tried in these exercises too. */
static bool lint_table(const struct lint_run *lint, size_t *ret_n_faults, struct error *reterr)
{
    const char **folders = calloc(lint->n_jobs + 1, sizeof *folders);
    if (folders == NULL)
        return error_memory(reterr, "lint");
    for (size_t i = 0; i < lint->n_jobs; i++)
        folders[i] = lint->jobs[i].folder;
    bool ok = lint_edits(folders, lint->n_jobs, ret_n_faults, reterr);
    free(folders);
    return ok;
}

static bool lint_exercises(struct lint_run *lint, char **paths, int n_paths, size_t *ret_n_faults,
                           struct error *reterr)
{
    struct lint_counts total = {0};
    if (n_paths == 0)
        return true;
    if (!prepare(lint, paths, n_paths, reterr) || !lint_table(lint, ret_n_faults, reterr) ||
        !run_all(lint, &total, reterr))
        return false;
    printf("%zu %s, %zu misconceptions, %zu solutions: %zu %s\n", lint->n_jobs,
           lint->n_jobs == 1 ? "exercise" : "exercises", total.n_misconceptions, total.n_solutions,
           total.n_faults, total.n_faults == 1 ? "fault" : "faults");
    *ret_n_faults += total.n_faults;
    return true;
}

static int judge_answers(const char *path, const char *folder)
{
    struct error error;
    if (lint_answers(path, folder, &error))
        return finish_output(true) ? EXIT_OK : EXIT_FAILED;
    print_error(&error, "", 0, NULL, 0);
    return EXIT_UNGRADED;
}

int lint_main(int argc, char **argv)
{
    struct lint_run lint = {0};
    struct error error;
    size_t n_lesson_faults = 0, n_faults = 0;
    int n_paths = read_options(argc, argv, &lint.options);
    if (lint.options.answers != NULL)
        return judge_answers(lint.options.answers, argv[1]);
    bool ok =
        lint_all_lessons(argv + 1, &n_paths, lint.options.notes_edits, &n_lesson_faults, &error) &&
        lint_exercises(&lint, argv + 1, n_paths, &n_faults, &error);
    if (!ok)
        print_error(&error, "", 0, NULL, 0);
    for (size_t i = 0; i < lint.n_jobs; i++)
        text_release(&lint.jobs[i].output);
    free(lint.jobs);
    if (!ok)
        return EXIT_UNGRADED;
    return finish_output(true) && n_lesson_faults + n_faults == 0 ? EXIT_OK : EXIT_FAILED;
}
