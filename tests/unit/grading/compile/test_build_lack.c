/* compile/compiler.h: who is to blame when a build fails for want of something. Each build takes
 * place in a process of its own, whose limits are lowered first. */
#define _GNU_SOURCE
#include "compile_testing.h"

#include <stdlib.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

#ifdef __linux__
#include <sched.h>
#include <sys/prctl.h>
#endif

#define HONEST "#include <math.h>\n" FILE_AROUND("weights[0] = expf(scores[0]);")

enum { ORDINARY_USER = 64999 };

static char starter[] = FILE_AROUND("");

/* What a process without rights came to. */
struct outcome {
    enum verdict verdict;
    char detail[64];
};

static void become_ordinary(void)
{
    if (geteuid() == 0 && (setresgid(ORDINARY_USER, ORDINARY_USER, ORDINARY_USER) != 0 ||
                           setresuid(ORDINARY_USER, ORDINARY_USER, ORDINARY_USER) != 0))
        _exit(1);
#ifdef __linux__
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* its files in /proc are its own again */
#endif
}

/* Builds the source after prepare(context); layers are those of the workshop. */
static struct outcome built_by_child(struct workshop *workshop, const char *source,
                                     bool (*prepare)(const void *context), const void *context)
{
    struct outcome outcome = {.verdict = VERDICT_PASS};
    struct compile_request request = workshop_request(workshop, 0);
    struct runtime runtime;
    struct error error;
    int ends[2];
    workshop->exercise.starter = starter;
    assert_true(runtime_build(&request, &runtime, &error));
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        struct build build;
        if (!prepare(context))
            _exit(2);
        become_ordinary();
        build_program(&request, &runtime, "anna.c", source, strlen(source), &build);
        outcome.verdict = build.verdict;
        memcpy(outcome.detail, build.detail, sizeof outcome.detail);
        _exit(write(ends[1], &outcome, sizeof outcome) != (ssize_t)sizeof outcome);
    }
    int status;
    assert_true(child > 0);
    close(ends[1]);
    ssize_t n = read(ends[0], &outcome, sizeof outcome);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    runtime_release(&runtime);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
        skip();
    assert_int_equal(n, sizeof outcome);
    return outcome;
}

struct lowered {
    __rlimit_resource_t resource;
    rlim_t to;
    const char *detail; /* of the internal error; "": another one would be as good */
};

static bool lower(const void *context)
{
    const struct lowered *lowered = context;
    const struct rlimit limit = {lowered->to, lowered->to};
    return setrlimit(lowered->resource, &limit) == 0;
}

/* A compiler that can't be called is none that says nothing. */
static void no_process_for_a_compiler_is_told(void **state)
{
    static const struct {
        struct lowered lowered;
        const char *said;
    } trials[] = {
        {{RLIMIT_NPROC, 1, ""}, "it can't be started: too few processes are allowed (ulimit -u)"},
        {{RLIMIT_NOFILE, 4, ""}, "it can't be started: too few open files are allowed (ulimit -n)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        struct error error = {.kind = ERR_NONE};
        struct compiler compiler;
        int ends[2], status;
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0) {
            bool ok = lower(&trials[i].lowered);
            become_ordinary();
            if (!ok || compiler_find("cc", &compiler, &error))
                _exit(2);
            _exit(write(ends[1], error.text, sizeof error.text) != (ssize_t)sizeof error.text);
        }
        assert_true(child > 0);
        close(ends[1]);
        ssize_t n = read(ends[0], error.text, sizeof error.text);
        close(ends[0]);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        assert_int_equal(n, sizeof error.text);
        assert_non_null(strstr(error.text, trials[i].said));
    }
}

static void no_limit_blames_the_file(void **state)
{
    (void)state;
    static const struct lowered trials[] = {
        {RLIMIT_NPROC, 1, "too few processes"},
        {RLIMIT_NPROC, 2, ""},
        {RLIMIT_NPROC, 3, ""},
        {RLIMIT_NPROC, 4, ""},
        {RLIMIT_NOFILE, 12, "too few open files"},
        {RLIMIT_NOFILE, 24, ""},
        {RLIMIT_NOFILE, 32, ""},
        {RLIMIT_AS, 30 << 20, ""},
        {RLIMIT_AS, 45 << 20, ""},
        {RLIMIT_AS, 60 << 20, ""},
        {RLIMIT_FSIZE, 1000, ""},
        {RLIMIT_FSIZE, 100000, "files may not be"},
    };
    struct workshop workshop;
    workshop_open(&workshop);
    for (unsigned without = 0; without < 2; without++) {
        if (without == 1)
            workshop.layers &= ~(unsigned)(LAYER_NAMESPACES | LAYER_ROOT | LAYER_UID);
        for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
            struct outcome outcome = built_by_child(&workshop, HONEST, lower, &trials[i]);
            bool ours = outcome.verdict == VERDICT_INTERNAL_ERROR &&
                        strncmp(outcome.detail, trials[i].detail, strlen(trials[i].detail)) == 0;
            if (!ours && (outcome.verdict != VERDICT_PASS || trials[i].detail[0] != '\0'))
                fail_msg("limit %d at %lu: %s (%s)", trials[i].resource,
                         (unsigned long)trials[i].to, verdict_name(outcome.verdict),
                         outcome.detail);
        }
    }
}

/* A disk of a few pages, which only this process and its children see. */
static bool fill_disk(const void *context)
{
#ifdef __linux__
    const char *folder = context;
    return unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("tmpfs", folder, "tmpfs", 0, "size=16k,mode=777") == 0 &&
           setenv("TMPDIR", folder, 1) == 0;
#else
    (void)context;
    return false;
#endif
}

static void full_disk_does_not_blame_the_file(void **state)
{
    (void)state;
    char folder[] = "/tmp/attn-disk-XXXXXX";
    struct workshop workshop;
    workshop_open(&workshop);
    workshop.layers &= ~(unsigned)(LAYER_NAMESPACES | LAYER_ROOT | LAYER_UID);
    assert_non_null(mkdtemp(folder));
    if (geteuid() == 0) {
        struct outcome outcome = built_by_child(&workshop, HONEST, fill_disk, folder);
        if (outcome.verdict != VERDICT_INTERNAL_ERROR ||
            strstr(outcome.detail, "no room is left") == NULL)
            fail_msg("%s (%s)", verdict_name(outcome.verdict), outcome.detail);
    }
    rmdir(folder);
}

static bool change_nothing(const void *context)
{
    return context == NULL;
}

static void assert_compile_error(const struct outcome *outcome)
{
    if (outcome->verdict != VERDICT_COMPILE_ERROR)
        fail_msg("%s (%s)", verdict_name(outcome->verdict), outcome->detail);
}

/* What takes too long, or asks for the words of a machine that lacks something, is still at fault
 * itself. */
static void file_that_wants_too_much_is_to_blame(void **state)
{
    (void)state;
    struct workshop workshop;
    struct text bomb = {.bytes = NULL}, deep = {.bytes = NULL};
    workshop_open(&workshop);
    text_put(&bomb, "#define X0 ;\n");
    for (int i = 1; i <= 40; i++)
        text_format(&bomb, "#define X%d X%d X%d\n", i, i - 1, i - 1);
    text_put(&bomb, FILE_AROUND("X40"));
    workshop.limits.compile.cpu_s = 1;
    struct outcome outcome = built_by_child(&workshop, text_string(&bomb), change_nothing, NULL);
    assert_compile_error(&outcome);
    assert_true(strcmp(outcome.detail, "time") == 0 || strcmp(outcome.detail, "memory") == 0);
    text_put(&deep, "int deep = ");
    for (int i = 0; i < 100000; i++)
        text_char(&deep, '(');
    text_put(&deep, "1;\n" FILE_AROUND(""));
    workshop.limits = limits_default;
    outcome = built_by_child(&workshop, text_string(&deep), change_nothing, NULL);
    assert_compile_error(&outcome);
    outcome =
        built_by_child(&workshop, "#error fork: Resource temporarily unavailable\n" FILE_AROUND(""),
                       change_nothing, NULL);
    assert_compile_error(&outcome);
    text_release(&bomb);
    text_release(&deep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_process_for_a_compiler_is_told),
        cmocka_unit_test(no_limit_blames_the_file),
        cmocka_unit_test(full_disk_does_not_blame_the_file),
        cmocka_unit_test(file_that_wants_too_much_is_to_blame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
