/* attn bench: grade [FILE] is how long a verdict takes, against `cc -c` and the linking `cc` of the
 * same files; attention and diagnose have files of their own. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* nftw() */
#endif
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/bench_attention.h"
#include "cli/bench_diagnose.h"
#include "cli/practice.h"
#include "compile/arguments.h"
#include "compile/compiler_messages.h"
#include "files/clock.h"
#include "files/file.h"
#include "batch/submission.h"
#include "result/source.h"

enum { ROUNDS = 21, PATH_BYTES = 4096, OPEN_FOLDERS = 16 };

static const double promised_ratio = 1.0, wanted_ratio = 0.8;

/* One round's wall times, in ms. */
struct round {
    double compile, link; /* as one would type them: no box, no judging */
    double check;         /* `attn check`, from its start to its verdict */
    double ratio;         /* of it to the two together */
};

struct grade_bench {
    struct exercise *exercise;
    struct compiler compiler;
    struct runtime runtime;
    struct text source;
    char folder[64];       /* for the files, and for the learner's progress; "": none */
    char path[PATH_BYTES]; /* of the file that is checked */
    struct round rounds[ROUNDS];
};

static double now_ms(void)
{
    return (double)clock_ns() / 1e6;
}

/* Reads what a program prints until it has nothing more to say. Returns when the first of it came,
 * or when it ended where it says nothing. */
static double first_word_ms(int fd)
{
    char bytes[4096];
    double first_ms = 0;
    ssize_t n;
    do {
        n = read(fd, bytes, sizeof bytes);
        if (first_ms == 0)
            first_ms = now_ms();
    } while (n > 0 || (n < 0 && errno == EINTR));
    return first_ms;
}

/* Runs a program to its end in a folder, with nothing to read. Returns the wall time until it said
 * something, or ended (to_end: until it ended); -1 when it could not be run. */
static double time_program(const char *folder, const char *path, const char *const *argv,
                           bool to_end)
{
    int ends[2], status = -1;
    if (!file_pipe(ends))
        return -1;
    assert(path != NULL);
    double began_ms = now_ms();
    pid_t pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_RDWR);
        if (chdir(folder) == 0 && dup2(null, STDIN_FILENO) >= 0 &&
            dup2(ends[1], STDOUT_FILENO) >= 0)
            execv(path, (char *const *)argv);
        _exit(EXIT_UNGRADED);
    }
    close(ends[1]);
    double took_ms = first_word_ms(ends[0]) - began_ms;
    close(ends[0]);
    if (pid > 0)
        waitpid(pid, &status, 0);
    if (to_end)
        took_ms = now_ms() - began_ms;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? took_ms : -1;
}

static bool write_file(const struct grade_bench *bench, const char *name, const struct text *text)
{
    char path[PATH_BYTES];
    return !text->failed && path_join(path, sizeof path, bench->folder, name) &&
           file_replace(path, text_string(text), text->size, 0600);
}

static void leave_out(struct arguments *arguments, const char *word)
{
    unsigned n = 0;
    for (unsigned i = 0; i < arguments->n; i++)
        if (strcmp(arguments->items[i], word) != 0)
            arguments->items[n++] = arguments->items[i];
    arguments->items[n] = NULL;
    arguments->n = n;
}

/* The compiler and the linker with attn's options, on what attn gives them. */
static bool time_by_hand(const struct grade_bench *bench, struct round *round)
{
    const struct compile_request request = {
        .compiler = &bench->compiler, .exercise = bench->exercise, .limits = &limits_default};
    struct arguments arguments;
    arguments_to_compile(&request, &arguments);
    leave_out(&arguments, "-pipe"); /* which nobody types */
    round->compile = time_program(bench->folder, arguments.items[0], arguments.items, true);
    arguments_to_link(&request, &arguments);
    round->link = time_program(bench->folder, arguments.items[0], arguments.items, true);
    return round->compile >= 0 && round->link >= 0;
}

/* Each round writes the source with a line that makes it new, so that nothing built before will do.
 */
static bool run_rounds(struct grade_bench *bench, struct error *reterr)
{
    const char *const check[] = {"attn", "check", bench->path, NULL};
    for (int i = 0; i < ROUNDS; i++) {
        struct round *round = &bench->rounds[i];
        text_format(&bench->source, "\n/* round %d of %ld */\n", i, (long)getpid());
        if (bench->source.failed ||
            !write_file(bench, bench->exercise->starter_name, &bench->source) ||
            !write_file(bench, SUBMISSION_FILE, &bench->source) || !time_by_hand(bench, round) ||
            (round->check = time_program(bench->folder, "/proc/self/exe", check, false)) < 0)
            return error_set(reterr, ERR_FILE, "bench: %s can't be built or run", bench->path);
        round->ratio = round->check / (round->compile + round->link);
    }
    return true;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median over the rounds of the number that lies at this offset in struct round. */
static double median(const struct grade_bench *bench, size_t offset)
{
    double values[ROUNDS];
    for (int i = 0; i < ROUNDS; i++)
        memcpy(&values[i], (const char *)&bench->rounds[i] + offset, sizeof values[i]);
    qsort(values, ROUNDS, sizeof values[0], by_size);
    return values[ROUNDS / 2];
}

static int report(const struct grade_bench *bench)
{
    double compile = median(bench, offsetof(struct round, compile));
    double link = median(bench, offsetof(struct round, link));
    double check = median(bench, offsetof(struct round, check));
    double ratio = median(bench, offsetof(struct round, ratio));
    printf("%s with %s, medians of %d rounds\n", bench->exercise->id, bench->compiler.version,
           ROUNDS);
    printf("  cc -c and cc    %.1f ms + %.1f ms = %.1f ms\n", compile, link, compile + link);
    printf("  attn check      %.1f ms, from the save to the verdict\n", check);
    printf("  ratio           %.2f, limit %.1f, wanted %.1f\n", ratio, promised_ratio,
           wanted_ratio);
    return finish_output(true) && ratio <= promised_ratio ? EXIT_OK : EXIT_FAILED;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    return remove(path);
}

/* The file to check, under the name of its exercise, in a folder of our own under /tmp. All that
 * attn would write elsewhere goes there too, for this program and those that it starts: the
 * learner's progress and caches stay as they are. */
static bool lay_out(struct grade_bench *bench, const char *file, struct error *reterr)
{
    const char *why;
    if (!source_read(file, limits_default.source_bytes, &bench->source, &why))
        return error_set(reterr, ERR_FILE, "%s: %s", file, why);
    snprintf(bench->folder, sizeof bench->folder, "/tmp/attn-bench-XXXXXX");
    if (mkdtemp(bench->folder) == NULL) {
        bench->folder[0] = '\0';
        return error_set(reterr, ERR_FILE, "/tmp: %s", strerror(errno));
    }
    setenv("XDG_STATE_HOME", bench->folder, 1);
    setenv("XDG_CACHE_HOME", bench->folder, 1);
    snprintf(bench->path, sizeof bench->path, "%s/%s", bench->folder,
             bench->exercise->starter_name);
    return true;
}

/* The runner and the header, which go with the file. */
static bool lay_out_runner(const struct grade_bench *bench)
{
    struct text header = {.bytes = NULL};
    prototype_header(&bench->exercise->prototype, &header);
    bool ok = write_file(bench, RUNNER_OBJECT_FILE, &bench->runtime.object) &&
              write_file(bench, HEADER_FILE, &header);
    text_release(&header);
    return ok;
}

static bool prepare(struct grade_bench *bench, const char *exercise, const char *file,
                    struct error *reterr)
{
    struct compile_request request = {.compiler = &bench->compiler, .limits = &limits_default};
    struct catalogue catalogue;
    if (!catalogue_open(data_dir(), NULL, &catalogue, reterr))
        return false;
    bool ok = exercises_find_one(&catalogue, exercise, &bench->exercise, reterr);
    catalogue_release(&catalogue);
    if (!ok || !compiler_find(NULL, &bench->compiler, reterr) || !lay_out(bench, file, reterr))
        return false;
    request.exercise = bench->exercise;
    return runtime_build(&request, &bench->runtime, reterr) &&
           (lay_out_runner(bench) ||
            error_set(reterr, ERR_FILE, "%s: %s", bench->folder, strerror(errno)));
}

static int grade(const char *exercise, const char *file)
{
    struct grade_bench bench = {0};
    struct error error;
    bool ok = prepare(&bench, exercise, file, &error) && run_rounds(&bench, &error);
    int code = ok ? report(&bench) : practice_error(&error);
    if (bench.folder[0] != '\0')
        nftw(bench.folder, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
    text_release(&bench.source);
    runtime_release(&bench.runtime);
    exercise_free(bench.exercise);
    return code;
}

static int diagnose(void)
{
    struct error error;
    bool kept;
    if (!bench_diagnose(&kept, &error))
        return practice_error(&error);
    return finish_output(true) && kept ? EXIT_OK : EXIT_FAILED;
}

static int bench_main(int argc, char **argv)
{
    char own[PATH_BYTES];
    const char *what = options_first_word(argc, argv);
    if (what != NULL && strcmp(what, "attention") == 0)
        return bench_attention(argc, argv);
    /* The others print ASCII without colours in any case. */
    struct common_options ignored = {0};
    size_t n = options_read_table("bench", common_options_table, argc, argv, &ignored);
    if (n == 1 && strcmp(argv[1], "diagnose") == 0)
        return diagnose();
    if (n < 1 || n > 2 || strcmp(argv[1], "grade") != 0)
        usage_error("bench: it takes attention, diagnose, or grade and a FILE that solves "
                    "softmax-rows");
    snprintf(own, sizeof own, "%s/tests/exercises/04-softmax-rows/right/three_loops.c",
             data_dir() != NULL ? data_dir() : ".");
    return grade("softmax-rows", n == 2 ? argv[2] : own);
}

const struct subcommand bench_command = {
    "bench",
    "attention|grade|diagnose",
    "this machine's limits and how near attention comes; how long a verdict takes",
    bench_main,
    bench_attention_table,
    .about =
        "attention [FILE]: what this machine can do at most, and how near attention comes to it: "
        "plain loops, better ones, attn's kernels, and FILE, your fast_attention.c (else the one "
        "of your exercises' folder).\n"
        "grade [FILE]: how long attn check takes from its start to its verdict, beside cc -c and "
        "linking with cc alone. FILE solves softmax-rows; without it, a solution that comes with "
        "attn is taken.\n"
        "diagnose: how long the search for a mistake takes: all edits of a formula, and pairs of "
        "them, on wrong answers that need no program.",
    .notes = "The limit is printed beside each measurement; exit code 1 if it is broken. Times "
             "depend "
             "on the machine, and on what else it does: measure on one that is idle.",
};
