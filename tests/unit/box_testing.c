/* Boxes under test: see box_testing.h. */
#define _GNU_SOURCE
#include "box_testing.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "judge/run/runner_internal.h"

enum { SOMEBODY = 4321 };

static const struct limits *const limits = &limits_default;

unsigned available;
static int deeds_fd = -1; /* the program, built once for all tests */
static char *deeds_bytes;
static size_t deeds_size;

/* ---- a deed ---- */

/* Its processor time ends a deed that does not end by itself, unless a test is about the time that
 * passes: that is short of any number where other programs have the processors. */
enum { USUAL_WALL_MS = 120000 };

void deed_init(struct deed *deed, enum box_kind kind, unsigned layers, const char *name,
               const char *argument)
{
    *deed = (struct deed){.plan = {.kind = kind,
                                   .layers = layers,
                                   .limits = kind == BOX_RUN ? limits->run : limits->sanitizer,
                                   .program_fd = deeds_fd,
                                   .path = "/w/deeds",
                                   .fds = {-1},
                                   .n_fds = 3}};
    deed->plan.limits.wall_ms = USUAL_WALL_MS;
    deed->plan.argv = deed->argv;
    for (unsigned i = 0; i < 3; i++)
        deed->argv[i] = deed->words[i];
    snprintf(deed->words[0], sizeof deed->words[0], "deeds");
    snprintf(deed->words[1], sizeof deed->words[1], "%s", name);
    if (argument != NULL)
        snprintf(deed->words[2], sizeof deed->words[2], "%s", argument);
    if (kind != BOX_RUN)
        deed->plan.in[deed->plan.n_in++] =
            (struct box_file){.name = "deeds", .bytes = deeds_bytes, .size = deeds_size};
}

int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void take_output(int fd, struct deed *deed)
{
    size_t size = strlen(deed->said);
    struct pollfd output = {.fd = fd, .events = POLLIN};
    if (poll(&output, 1, 0) != 1 || size + 1 == sizeof deed->said)
        return;
    ssize_t n = read(fd, deed->said + size, sizeof deed->said - 1 - size);
    if (n > 0)
        deed->said[size + (size_t)n] = '\0';
}

/* Until it ends; after its wall time it is killed. */
static void watch(struct box *box, struct deed *deed, int output)
{
    int64_t ends_ms = now_ms() + deed->plan.limits.wall_ms;
    while (!box_ended(box)) {
        struct pollfd fds[] = {{.fd = box_notify_fd(box), .events = POLLIN},
                               {.fd = box_pidfd(box), .events = POLLIN}};
        if (now_ms() >= ends_ms) {
            box_kill(box);
            return;
        }
        poll(fds, 2, 20);
        if (fds[0].revents & POLLIN)
            box_forbidden(box);
        take_output(output, deed);
    }
}

const char *deed_run(struct deed *deed)
{
    struct box *box;
    struct error error;
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    deed->plan.fds[1] = deed->plan.fds[2] = ends[1];
    if (!box_start(&deed->plan, &box, &error))
        fail_msg("%s", error.text);
    close(ends[1]);
    watch(box, deed, ends[0]);
    box_collect(box, &deed->end);
    take_output(ends[0], deed);
    close(ends[0]);
    return deed->said;
}

const char *deed_verdict(const struct deed *deed, char text[128])
{
    char detail[96];
    enum verdict verdict = box_verdict(&deed->end, &deed->plan.limits, detail, sizeof detail);
    snprintf(text, 128, "%s%s%s", verdict_name(verdict), detail[0] != '\0' ? " " : "", detail);
    return text;
}

void deed_compare(const char *file, int line, const struct deed *deed, const char *got,
                  const char *wanted)
{
    char verdict[128];
    if (strncmp(got, wanted, strlen(wanted)) == 0)
        return;
    print_error("%s %s in box %d behind %#x: \"%s\", not \"%s\"; it said \"%s\", %s\n",
                deed->words[1], deed->words[2], (int)deed->plan.kind, deed->plan.layers, got,
                wanted, deed->said, deed_verdict(deed, verdict));
    _fail(file, line);
}

void deed_says(const char *file, int line, enum box_kind kind, unsigned layers, const char *name,
               const char *argument, const char *wanted)
{
    struct deed deed;
    deed_init(&deed, kind, layers, name, argument);
    deed_run(&deed);
    deed.said[strcspn(deed.said, "\n")] = '\0';
    deed_compare(file, line, &deed, deed.said, wanted);
}

void deed_ends(const char *file, int line, enum box_kind kind, unsigned layers, const char *name,
               const char *argument, const char *wanted)
{
    struct deed deed;
    char verdict[128];
    deed_init(&deed, kind, layers, name, argument);
    deed_run(&deed);
    deed_compare(file, line, &deed, deed_verdict(&deed, verdict), wanted);
}

void needs(unsigned layers)
{
    for (unsigned bit = 1; bit <= LAYERS_ALL; bit <<= 1)
        if ((layers & bit) && !(available & bit)) {
            print_message("skipped: this machine has no %s\n", layer_name((enum layer)bit));
            skip();
        }
}

unsigned all_but(unsigned layers)
{
    return available & ~layers;
}

/* ---- the tests ---- */

/* The program that all tests run, from a compile box that lets its files out. */
static void build_deeds(void)
{
    char path[600];
    struct box_file out = {.name = "deeds", .max_size = PROGRAM_BYTES, .fd = -1};
    struct deed deed;
    struct stat status;
    snprintf(path, sizeof path, "%s/tests/unit/box_deeds.c", getenv("ATTN_DATA_DIR"));
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    static char source[1 << 16];
    size_t size = fread(source, 1, sizeof source, file);
    fclose(file);
    deed_init(&deed, BOX_COMPILE, available, "", NULL);
    deed.plan.limits = limits->compile;
    deed.plan.path = "/usr/bin/cc";
    deed.plan.argv = (char *[]){"/usr/bin/cc", "-O1", "-static", "-w", "-o", "deeds", "it.c", NULL};
    deed.plan.in[0] = (struct box_file){.name = "it.c", .bytes = source, .size = size};
    deed.plan.out = &out;
    deed.plan.n_out = 1;
    deed_run(&deed);
    if (out.fd < 0)
        fail_msg("%s%s", deed.said, deed.end.failure);
    assert_int_equal(fstat(out.fd, &status), 0);
    deeds_fd = out.fd;
    deeds_size = (size_t)status.st_size;
    deeds_bytes = mmap(NULL, deeds_size, PROT_READ, MAP_PRIVATE, deeds_fd, 0);
    assert_true(deeds_bytes != MAP_FAILED);
}

static int set_up(void **state)
{
    (void)state;
    available = layers_available(NULL);
    build_deeds();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    munmap(deeds_bytes, deeds_size);
    close(deeds_fd);
    return 0;
}

static int run_all_as_somebody(const char *name, const struct CMUnitTest *tests, size_t n_tests)
{
    int status;
    (void)fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        if (setgid(SOMEBODY) != 0 || setuid(SOMEBODY) != 0)
            exit(1);
        prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
        exit(_cmocka_run_group_tests(name, tests, n_tests, set_up, tear_down));
    }
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int box_run_tests(const char *name, const struct CMUnitTest *tests, size_t n_tests)
{
    int failed = _cmocka_run_group_tests(name, tests, n_tests, set_up, tear_down);
    if (geteuid() == 0)
        failed += run_all_as_somebody(name, tests, n_tests);
    return failed;
}
