/* attn lint PATH...: are the lessons sound, do the exercises prove themselves? Each exercise is
 * tried by a process of its own. */
#include <ctype.h>
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
#include "cli/lint_lessons.h"
#include "course/lesson/lesson.h"
#include "exercise/task.h"
#include "files/file.h"
#include "files/path.h"
#include "judge/prove.h"

const char lint_help[] =
    "PATH is a lesson's file, an exercise's folder, or a folder of either. A lesson's code must "
    "run,\n"
    "its answers must be right by their own questions, and the wrong ones it foresees wrong. An\n"
    "exercise must read well, tell its known mistakes apart, pass its right solutions and name "
    "its\n"
    "wrong ones, with three seeds.\n\n"
    "  --compiler CC   the compiler, else $CC, cc, gcc, clang or tcc\n"
    "  --jobs N        so many exercises at once\n"
    "  --seed N        the first of the three seeds, else 1\n\n"
    "exit code: 0 proven, 1 there are faults, 2 wrong usage, 3 nothing could be tried\n";

enum {
    N_SEEDS = 3, /* what holds for one draw of the cases must hold for others */
    MAX_JOBS = 64,
    PATH_BYTES = 4096,
};

struct lint_options {
    struct common_options common;
    const char *compiler;
    uint64_t seed;
    unsigned jobs;
};

/* What one exercise came to, as its process tells it. */
struct counts {
    size_t n_faults, n_solutions, n_misconceptions;
};

/* One exercise and the process that tries it. */
struct work {
    char folder[PATH_BYTES];
    pid_t process;
    int pipe;           /* what it writes: counts, then text; -1 when it is closed */
    struct text output; /* bytes of the pipe so far */
    bool done;
};

struct lint {
    struct lint_options options;
    struct compiler compiler;
    unsigned layers;
    struct work *works;
    size_t n_works, capacity;
};

/* ---- options and paths ---- */

static unsigned long number_option(const char *name, const char *value, unsigned long lowest,
                                   unsigned long highest)
{
    char *end = NULL;
    bool is_number = value != NULL && isdigit((unsigned char)value[0]);
    unsigned long number = is_number ? strtoul(value, &end, 10) : 0;
    if (!is_number || *end != '\0' || number < lowest || number > highest)
        usage_error("lint: %s takes a number from %lu to %lu", name, lowest, highest);
    return number;
}

/* Takes the options out of argv; what is left are paths. */
static int read_options(int argc, char **argv, struct lint_options *options)
{
    int n_paths = 0;
    *options = (struct lint_options){.seed = 1, .jobs = 1};
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (common_option(argc, argv, &i, &options->common))
            continue;
        if (strcmp(arg, "--compiler") == 0) {
            if (value == NULL)
                usage_error("lint: --compiler: a compiler's name must follow");
            options->compiler = argv[++i];
        } else if (strcmp(arg, "--seed") == 0) {
            options->seed = number_option("--seed", value, 0, 1ul << 31);
            i++;
        } else if (strcmp(arg, "--jobs") == 0) {
            options->jobs = (unsigned)number_option("--jobs", value, 1, MAX_JOBS);
            i++;
        } else if (arg[0] == '-' && arg[1] != '\0') {
            usage_error("lint: %s: no such option; attn --help lists them", arg);
        } else {
            argv[n_paths++] = argv[i];
        }
    }
    if (n_paths == 0)
        usage_error("lint: which lessons or exercises? attn lint lessons/ exercises/");
    return n_paths;
}

static bool holds_exercise(const char *folder)
{
    char path[PATH_BYTES + 32];
    snprintf(path, sizeof path, "%s/exercise.yaml", folder);
    return access(path, F_OK) == 0;
}

static bool add_work(struct lint *lint, const char *folder, const char *name, struct error *reterr)
{
    struct work *works = array_grow(lint->works, lint->n_works, &lint->capacity, sizeof *works);
    if (works == NULL)
        return error_memory(reterr, "lint");
    lint->works = works;
    works += lint->n_works++;
    *works = (struct work){.pipe = -1};
    int size = name != NULL ? snprintf(works->folder, sizeof works->folder, "%s/%s", folder, name)
                            : snprintf(works->folder, sizeof works->folder, "%s", folder);
    if (size < 0 || (size_t)size >= sizeof works->folder)
        return error_set(reterr, ERR_FILE, "%s: the path is too long", folder);
    while (size > 1 && works->folder[size - 1] == '/')
        works->folder[--size] = '\0';
    return true;
}

static int by_folder(const void *a, const void *b)
{
    const struct work *left = a, *right = b;
    return strcmp(left->folder, right->folder);
}

/* All exercises of a folder: what begins with two digits is meant to be one. */
static bool add_folder(struct lint *lint, const char *path, struct error *reterr)
{
    DIR *folder = opendir(path);
    size_t n_before = lint->n_works;
    bool ok = true;
    if (folder == NULL)
        return error_set(reterr, ERR_FILE, "%s: %s", path, strerror(errno));
    for (struct dirent *entry; ok && (entry = readdir(folder)) != NULL;) {
        const char *name = entry->d_name;
        if (isdigit((unsigned char)name[0]) && isdigit((unsigned char)name[1]) && name[2] == '-')
            ok = add_work(lint, path, name, reterr);
    }
    closedir(folder);
    if (ok && lint->n_works == n_before)
        return error_set(reterr, ERR_FILE, "%s: no exercises are in there", path);
    if (ok)
        qsort(lint->works + n_before, lint->n_works - n_before, sizeof *lint->works, by_folder);
    return ok;
}

/* ---- one exercise, in a process of its own ---- */

/* The folder of the proof: tests/exercises/NN-name beside exercises/, else attn's own. */
static char *proof_folder(const struct exercise *exercise, char path[PATH_BYTES])
{
    static const char usual[] = "exercises/";
    size_t root = strlen(exercise->folder) - strlen(exercise->folder_name);
    const char *up = "../";
    if (root >= strlen(usual) &&
        memcmp(exercise->folder + root - strlen(usual), usual, strlen(usual)) == 0) {
        root -= strlen(usual);
        up = "";
    }
    int size = snprintf(path, PATH_BYTES, "%.*s%stests/exercises/%s", (int)root, exercise->folder,
                        up, exercise->folder_name);
    bool fits = size > 0 && size < PATH_BYTES;
    if ((!fits || access(path, F_OK) != 0) && data_dir() != NULL)
        snprintf(path, PATH_BYTES, "%s/tests/exercises/%s", data_dir(), exercise->folder_name);
    return path;
}

static void add_fault(struct prove_report *report, const char *what)
{
    report->n_faults++;
    doc_line(report->doc, STYLE_BAD, "%s", what);
}

static void lint_task(const struct exercise *exercise, struct prove_report *report)
{
    struct text task = {0};
    struct error error;
    if (!task_write(exercise, data_dir(), &task, &error))
        add_fault(report, error.text);
    text_release(&task);
}

/* What a misconception says of its lesson, NN-name#step, is there to be read. */
static void lint_lesson(const struct misconception *misconception, struct prove_report *report)
{
    char path[PATH_BYTES], text[PATH_BYTES + 200];
    struct lesson *lesson;
    struct error error;
    const char *place = strchr(misconception->lesson, '#');
    size_t size = strcspn(misconception->lesson, "#");
    snprintf(path, sizeof path, "%s/lessons/%.*s.md", data_dir() != NULL ? data_dir() : ".",
             (int)size, misconception->lesson);
    if (!lesson_read(path, &lesson, &error)) {
        snprintf(text, sizeof text, "%s: lesson: %s", misconception->id, error.text);
        add_fault(report, text);
        return;
    }
    if (place != NULL && lesson_step(lesson, place + 1) == NULL) {
        snprintf(text, sizeof text, "%s: lesson: %.*s has no step %s", misconception->id, (int)size,
                 misconception->lesson, place + 1);
        add_fault(report, text);
    }
    lesson_free(lesson);
}

static void lint_lessons_of(const struct exercise *exercise, struct prove_report *report)
{
    for (unsigned i = 0; i < exercise->n_misconceptions; i++)
        if (exercise->misconceptions[i].lesson != NULL)
            lint_lesson(&exercise->misconceptions[i], report);
}

/* With each of the seeds until one finds faults: further ones would say the same again. */
static void lint_fixtures(const struct lint *lint, const struct exercise *exercise,
                          struct prove_report *report)
{
    struct error error;
    size_t n_before = report->n_faults;
    for (uint64_t i = 0; i < N_SEEDS && report->n_faults == n_before; i++) {
        uint64_t seed = lint->options.seed + i;
        if (!prove_fixtures(exercise, seed, data_dir(), report, &error))
            add_fault(report, error.text);
        if (report->n_faults > n_before)
            doc_line(report->doc, STYLE_QUIET, "(cases drawn with --seed %llu)",
                     (unsigned long long)seed);
    }
}

static bool lint_with_seed(const struct lint *lint, const struct exercise *exercise, uint64_t seed,
                           struct kept_builds *kept, struct prove_report *report,
                           struct error *reterr)
{
    const struct judge_plan plan = {.exercise = exercise,
                                    .compiler = &lint->compiler,
                                    .limits = &limits_default,
                                    .data_dir = data_dir(),
                                    .layers = lint->layers,
                                    .seed = seed,
                                    .kept = kept};
    char proof[PATH_BYTES];
    struct judge_setup setup;
    if (!judge_setup_open(&plan, &setup, reterr))
        return false;
    bool ok = prove_solutions(&setup, proof_folder(exercise, proof), report, reterr);
    judge_setup_close(&setup);
    return ok;
}

static void lint_solutions(const struct lint *lint, const struct exercise *exercise,
                           struct prove_report *report)
{
    struct error error;
    struct kept_builds kept = {.n = 0};
    size_t n_before = report->n_faults;
    for (uint64_t i = 0; i < N_SEEDS && report->n_faults == n_before; i++) {
        struct prove_report one = {.doc = report->doc};
        uint64_t seed = lint->options.seed + i;
        if (!lint_with_seed(lint, exercise, seed, &kept, &one, &error))
            add_fault(&one, error.text);
        report->n_faults += one.n_faults;
        report->n_right = one.n_right; /* the same for all seeds */
        report->n_wrong = one.n_wrong;
        if (one.n_faults > 0)
            doc_line(report->doc, STYLE_QUIET, "(cases drawn with --seed %llu)",
                     (unsigned long long)seed);
    }
    kept_builds_release(&kept);
}

static void lint_exercise(const struct lint *lint, const char *folder, struct prove_report *report)
{
    struct exercise *exercise;
    struct error error;
    if (!exercise_load(folder, &exercise, &error)) {
        add_fault(report, error.text);
        return;
    }
    lint_task(exercise, report);
    lint_lessons_of(exercise, report);
    lint_fixtures(lint, exercise, report);
    lint_solutions(lint, exercise, report);
    report->n_misconceptions = exercise->n_misconceptions;
    exercise_free(exercise);
}

/* The process: tries the exercise and tells what came of it. */
static int work_on(const struct lint *lint, const char *folder, int pipe)
{
    struct settings settings = terminal_settings(&lint->options.common, 1);
    struct doc doc;
    struct text text = {0};
    struct prove_report report = {.doc = &doc};
    doc_init(&doc);
    lint_exercise(lint, folder, &report);
    struct counts counts = {.n_faults = report.n_faults,
                            .n_solutions = report.n_right + report.n_wrong,
                            .n_misconceptions = report.n_misconceptions};
    text_format(&text, "%s: %zu misconceptions, %zu solutions: %s\n", path_base_name(folder),
                counts.n_misconceptions, counts.n_solutions,
                counts.n_faults == 0 ? "proven" : "not proven");
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

static bool start_work(const struct lint *lint, struct work *work, struct error *reterr)
{
    int ends[2];
    if (pipe(ends) != 0)
        return error_set(reterr, ERR_FILE, "lint: no pipe: %s", strerror(errno));
    (void)fflush(stdout);
    work->process = fork();
    if (work->process == 0) {
        close(ends[0]);
        _exit(work_on(lint, work->folder, ends[1]));
    }
    close(ends[1]);
    work->pipe = ends[0];
    return work->process > 0 ||
           error_set(reterr, ERR_FILE, "lint: no process: %s", strerror(errno));
}

/* Reads what a process wrote; at its end the work is done. */
static void read_work(struct work *work)
{
    char bytes[8192];
    ssize_t size = read(work->pipe, bytes, sizeof bytes);
    if (size > 0) {
        text_add(&work->output, bytes, (size_t)size);
        return;
    }
    if (size < 0 && errno == EINTR)
        return;
    close(work->pipe);
    work->pipe = -1;
    waitpid(work->process, NULL, 0);
    work->done = true;
}

/* Waits until a process under way writes or ends. */
static void wait_for_work(struct lint *lint)
{
    struct pollfd ready[MAX_JOBS];
    struct work *of[MAX_JOBS];
    nfds_t n = 0;
    for (size_t i = 0; i < lint->n_works && n < MAX_JOBS; i++)
        if (lint->works[i].pipe >= 0) {
            of[n] = &lint->works[i];
            ready[n++] = (struct pollfd){.fd = lint->works[i].pipe, .events = POLLIN};
        }
    if (poll(ready, n, -1) <= 0)
        return;
    for (nfds_t i = 0; i < n; i++)
        if (ready[i].revents != 0)
            read_work(of[i]);
}

/* Prints what one exercise came to and adds it up. A process that died is a fault. */
static void report_work(struct work *work, struct counts *total)
{
    struct counts counts = {.n_faults = 1};
    if (work->output.size > sizeof counts) {
        memcpy(&counts, work->output.bytes, sizeof counts);
        (void)fwrite(work->output.bytes + sizeof counts, 1, work->output.size - sizeof counts,
                     stdout);
    } else {
        printf("%s: the process that tried it ended without a word\n",
               path_base_name(work->folder));
    }
    total->n_faults += counts.n_faults;
    total->n_solutions += counts.n_solutions;
    total->n_misconceptions += counts.n_misconceptions;
    text_release(&work->output);
    (void)fflush(stdout);
}

static bool run_all(struct lint *lint, struct counts *ret, struct error *reterr)
{
    size_t started = 0, reported = 0, under_way = 0;
    while (reported < lint->n_works) {
        while (started < lint->n_works && under_way < lint->options.jobs) {
            if (!start_work(lint, &lint->works[started++], reterr))
                return false;
            under_way++;
        }
        wait_for_work(lint);
        under_way = 0;
        for (size_t i = 0; i < started; i++)
            under_way += !lint->works[i].done;
        while (reported < started && lint->works[reported].done)
            report_work(&lint->works[reported++], ret);
    }
    return true;
}

static bool prepare(struct lint *lint, char **paths, int n_paths, struct error *reterr)
{
    for (int i = 0; i < n_paths; i++)
        if (!(holds_exercise(paths[i]) ? add_work(lint, paths[i], NULL, reterr)
                                       : add_folder(lint, paths[i], reterr)))
            return false;
    if (!compiler_find(lint->options.compiler, &lint->compiler, reterr))
        return false;
    lint->layers = layers_available(NULL);
    return true;
}

/* Checks the lessons among the paths and takes them out; what is left are exercises. */
static bool lint_all_lessons(char **paths, int *n_paths, size_t *ret_n_faults, struct error *reterr)
{
    size_t n_lessons = 0;
    int n_left = 0;
    for (int i = 0; i < *n_paths; i++)
        if (!lint_is_lessons(paths[i]))
            paths[n_left++] = paths[i];
        else if (!lint_lessons(paths[i], &n_lessons, ret_n_faults, reterr))
            return false;
    *n_paths = n_left;
    if (n_lessons > 0)
        printf("%zu %s: %zu %s\n", n_lessons, n_lessons == 1 ? "lesson" : "lessons", *ret_n_faults,
               *ret_n_faults == 1 ? "fault" : "faults");
    return true;
}

static bool lint_exercises(struct lint *lint, char **paths, int n_paths, size_t *ret_n_faults,
                           struct error *reterr)
{
    struct counts total = {0};
    if (n_paths == 0)
        return true;
    if (!prepare(lint, paths, n_paths, reterr) || !run_all(lint, &total, reterr))
        return false;
    printf("%zu %s, %zu misconceptions, %zu solutions: %zu %s\n", lint->n_works,
           lint->n_works == 1 ? "exercise" : "exercises", total.n_misconceptions, total.n_solutions,
           total.n_faults, total.n_faults == 1 ? "fault" : "faults");
    *ret_n_faults += total.n_faults;
    return true;
}

int lint_main(int argc, char **argv)
{
    struct lint lint = {0};
    struct error error;
    size_t n_lesson_faults = 0, n_faults = 0;
    int n_paths = read_options(argc, argv, &lint.options);
    bool ok = lint_all_lessons(argv, &n_paths, &n_lesson_faults, &error) &&
              lint_exercises(&lint, argv, n_paths, &n_faults, &error);
    if (!ok)
        print_error(&error, "", 0, NULL, 0);
    for (size_t i = 0; i < lint.n_works; i++)
        text_release(&lint.works[i].output);
    free(lint.works);
    if (!ok)
        return EXIT_UNGRADED;
    return finish_output(true) && n_lesson_faults + n_faults == 0 ? EXIT_OK : EXIT_FAILED;
}
