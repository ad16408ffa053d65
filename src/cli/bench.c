/* attn bench grade [FILE]: what a verdict costs beyond the compiler, the linker and one run. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* nftw() */
#endif
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/practice.h"
#include "files/clock.h"
#include "files/file.h"
#include "judge/submission.h"

enum { ROUNDS = 21, PATH_BYTES = 4096, OPEN_FOLDERS = 16 };

static const double promised_ratio = 1.3;

/* One round's wall times, in ms. */
struct round {
    double compile, link, run; /* by themselves: no box, no judging */
    double check;              /* `attn check`, from its start to its verdict */
    double ratio;              /* of it to the others together */
};

struct grade_bench {
    struct exercise *exercise;
    struct compiler compiler;
    struct runtime runtime;
    struct text source;
    char folder[64]; /* for the file that is checked and for its progress; "": none */
    char path[PATH_BYTES];
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

extern char **environ;

/* Runs a program to its end with nothing to read. Returns the wall time until it said something, or
 * ended; -1 when it could not be run. */
static double time_program(const char *path, char *const *argv)
{
    posix_spawn_file_actions_t actions;
    int ends[2], status;
    pid_t pid;
    if (!file_pipe(ends))
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&actions, 0, 3); /* where a runner reads requests */
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    double began_ms = now_ms();
    bool ok = posix_spawn(&pid, path, &actions, NULL, argv, environ) == 0;
    close(ends[1]);
    double took_ms = ok ? first_word_ms(ends[0]) - began_ms : -1;
    close(ends[0]);
    if (ok)
        waitpid(pid, &status, 0);
    posix_spawn_file_actions_destroy(&actions);
    return took_ms;
}

static bool time_by_themselves(struct grade_bench *bench, struct round *round)
{
    const struct compile_request request = {
        .compiler = &bench->compiler, .exercise = bench->exercise, .limits = &limits_default};
    struct build build;
    build_program(&request, &bench->runtime, "bench.c", text_string(&bench->source),
                  bench->source.size, &build);
    char path[32], *argv[] = {"runner", NULL};
    snprintf(path, sizeof path, "/dev/fd/%d", build.program_fd);
    round->compile = (double)build.compile_us / 1e3;
    round->link = (double)build.link_us / 1e3;
    round->run = build.verdict == VERDICT_PASS ? time_program(path, argv) : -1;
    build_release(&build);
    return round->run >= 0;
}

/* Each round writes the source with a line that makes it new, so that nothing built before will do.
 */
static bool run_rounds(struct grade_bench *bench, struct error *reterr)
{
    char *check[] = {"attn", "check", bench->path, NULL};
    for (int i = 0; i < ROUNDS; i++) {
        struct round *round = &bench->rounds[i];
        text_format(&bench->source, "\n/* round %d of %ld */\n", i, (long)getpid());
        if (bench->source.failed ||
            !file_replace(bench->path, bench->source.bytes, bench->source.size, 0600) ||
            !time_by_themselves(bench, round) ||
            (round->check = time_program("/proc/self/exe", check)) < 0)
            return error_set(reterr, ERR_FILE, "bench: %s can't be built or run", bench->path);
        round->ratio = round->check / (round->compile + round->link + round->run);
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
    double run = median(bench, offsetof(struct round, run));
    double check = median(bench, offsetof(struct round, check));
    double ratio = median(bench, offsetof(struct round, ratio));
    printf("%s with %s, medians of %d rounds\n", bench->exercise->id, bench->compiler.version,
           ROUNDS);
    printf("  by themselves   compile %.1f ms + link %.1f ms + run %.1f ms = %.1f ms\n", compile,
           link, run, compile + link + run);
    printf("  attn check      %.1f ms\n", check);
    printf("  ratio           %.2f, limit %.1f\n", ratio, promised_ratio);
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
    if (!submission_read(file, limits_default.source_bytes, &bench->source, &why))
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
    return runtime_build(&request, &bench->runtime, reterr);
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

int bench_main(int argc, char **argv)
{
    char own[PATH_BYTES];
    if (argc < 2 || argc > 3 || strcmp(argv[1], "grade") != 0)
        usage_error("bench: it takes grade and a FILE that solves softmax-rows");
    snprintf(own, sizeof own, "%s/tests/exercises/04-softmax-rows/right/three_loops.c",
             data_dir() != NULL ? data_dir() : ".");
    return grade("softmax-rows", argc == 3 ? argv[2] : own);
}

const char bench_help[] =
    "  grade [FILE]   how long `attn check` takes, against the compiler, the linker and one run "
    "by\n"
    "                 themselves; FILE solves softmax-rows, else a solution is taken that comes\n"
    "                 with attn\n\n"
    "The limit is printed beside what was measured; exit code 1 when it is broken. Times depend "
    "on\n"
    "the machine, and on what else it does: best measure on one that is idle.\n";
