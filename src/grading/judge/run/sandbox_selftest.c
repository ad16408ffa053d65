/* The self-test of the sandbox: see sandbox_selftest.h. One small program does all six things, each
 * in a box of its own. */
#include "judge/run/sandbox_selftest.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/kept_memory.h"
#include "base/size.h"
#include "files/clock.h"
#include "judge/run/runner_internal.h"
#include "sandbox/boxed_command.h"

static const struct selftest_probe probes[SELFTEST_PROBES] = {
    {"fork", VERDICT_FORBIDDEN_SYSCALL, LAYER_SECCOMP},
    {"socket", VERDICT_FORBIDDEN_SYSCALL, LAYER_SECCOMP},
    {"open", VERDICT_FORBIDDEN_SYSCALL, LAYER_SECCOMP},
    {"spin", VERDICT_TIME_LIMIT, LAYER_NAMESPACES}, /* whose end is what ends it for certain */
    {"allocate", VERDICT_MEMORY_LIMIT, LAYER_RLIMITS},
    {"exit", VERDICT_EXITED_EARLY, LAYER_RLIMITS}, /* no layer is against it: any verdict but
                                                    * this is attn's own mistake */
};

/* Its first argument says what to do. Without any layer it does no harm either. */
static const char source[] =
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "#include <sys/socket.h>\n"
    "#include <unistd.h>\n"
    "static char *volatile last; /* so that no compiler leaves the blocks out */\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    const char *what = argc > 1 ? argv[1] : \"\";\n"
    "    if (strcmp(what, \"fork\") == 0 && fork() == 0)\n"
    "        return 0;\n"
    "    if (strcmp(what, \"socket\") == 0)\n"
    "        socket(AF_INET, SOCK_STREAM, 0);\n"
    "    if (strcmp(what, \"open\") == 0)\n"
    "        fopen(\"/etc/passwd\", \"r\");\n"
    "    for (volatile int spin = strcmp(what, \"spin\") == 0; spin;)\n"
    "        ;\n"
    "    for (int i = 0; i < 512 && strcmp(what, \"allocate\") == 0; i++) {\n"
    "        last = malloc(1 << 20);\n"
    "        memset(last, 1, 1 << 20);\n"
    "    }\n"
    "    return 0;\n"
    "}\n";

/* Enough time and memory to see the limits work, and no more: every `attn grade` begins with this.
 * The probes that no time limit is to end end by themselves, even if no layer holds; on a busy
 * machine that takes a while. */
enum { SPIN_MS = 100, OTHERS_MS = 60000 };

/* What the allocating probe gets: several times what this process holds, since of the memory of a
 * program only what goes beyond that is known (see max_rss_bytes() in box_init.c). */
enum { ALLOCATE_LEAST = 32 << 20, ALLOCATE_TIMES = 4 };

/* ---- the program ---- */

static bool build(const struct compiler *compiler, const struct limits *limits, unsigned layers,
                  int *ret_fd, struct error *reterr)
{
    char path[sizeof compiler->path];
    char *argv[] = {path, "-O1", "-fno-lto", "-static", "-o", "probe", "probe.c", NULL};
    struct box_file file = {.name = "probe", .max_size = limits->program_bytes, .fd = -1};
    struct boxed_result step;
    struct boxed_command plan = {
        .kind = BOX_COMPILE,
        .limits = limits,
        .layers = layers,
        .path = compiler->path,
        .argv = argv,
        .input = -1,
        .in = {{.name = "probe.c", .bytes = source, .size = strlen(source)}},
        .n_in = 1,
        .out = &file,
        .n_out = 1,
    };
    memcpy(path, compiler->path, sizeof path); /* clang finds its own parts by that name */
    bool ok = boxed_command_run(&plan, &step, reterr);
    if (ok && (!boxed_result_succeeded(&step) || file.fd < 0)) {
        char line[120];
        const char *lack = build_lack_in(text_string(&step.printed));
        error_quote(line, sizeof line, text_string(&step.printed),
                    strcspn(text_string(&step.printed), "\n"));
        ok = error_set(reterr, ERR_FILE, "the probes: %s made no program of them: %s",
                       compiler->path, lack != NULL ? lack : line);
        if (file.fd >= 0)
            close(file.fd);
    }
    boxed_result_release(&step);
    *ret_fd = file.fd;
    return ok;
}

/* ---- a run ---- */

/* Until it ends, or its time does. */
static void watch(struct box *box, unsigned wall_ms)
{
    int64_t ends_ms = clock_ms() + wall_ms;
    while (!box_ended(box)) {
        struct pollfd fds[] = {{.fd = box_notify_fd(box), .events = POLLIN},
                               {.fd = box_pidfd(box), .events = POLLIN}};
        int64_t left_ms = ends_ms - clock_ms();
        if (left_ms <= 0) {
            box_kill(box);
            return;
        }
        poll(fds, 2, fds[1].fd >= 0 ? (int)left_ms : 2);
        if (fds[0].revents & POLLIN)
            box_forbidden(box);
    }
}

static struct box_limits limits_of(const struct selftest_probe *probe, const struct limits *limits)
{
    struct box_limits ret = limits->run;
    ret.wall_ms = probe->expects == VERDICT_TIME_LIMIT ? SPIN_MS : OTHERS_MS;
    if (probe->expects == VERDICT_MEMORY_LIMIT)
        ret.address_space_bytes =
            size_min(size_max(ALLOCATE_LEAST, ALLOCATE_TIMES * memory_peak_bytes()),
                     limits->run.address_space_bytes);
    return ret;
}

static bool run(const struct selftest_probe *probe, const struct limits *limits, unsigned layers,
                int program_fd, int nowhere, struct selftest_result *ret, struct error *reterr)
{
    char what[16];
    char *argv[] = {"probe", what, NULL};
    struct box_plan plan = {.kind = BOX_RUN,
                            .layers = layers,
                            .limits = limits_of(probe, limits),
                            .program_fd = program_fd,
                            .argv = argv,
                            .fds = {-1, nowhere, nowhere},
                            .n_fds = 3};
    struct box *box;
    struct box_end end;
    snprintf(what, sizeof what, "%s", probe->name);
    if (!box_start(&plan, &box, reterr))
        return false;
    watch(box, plan.limits.wall_ms);
    box_collect(box, &end);
    ret->probe = probe;
    ret->got = box_verdict(&end, &plan.limits, ret->detail, sizeof ret->detail);
    const char *lack = ret->got == VERDICT_INTERNAL_ERROR ? build_lack_in(ret->detail) : NULL;
    return lack == NULL || error_set(reterr, ERR_FILE, "the probe %s can't be run: %s", probe->name,
                                     lack); /* which says nothing about a layer */
}

bool selftest_run(const struct compiler *compiler, const struct limits *limits, unsigned layers,
                  struct selftest_result results[SELFTEST_PROBES], bool *ret_ok,
                  struct error *reterr)
{
    int program_fd;
    bool all_right = true;
    if (!build(compiler, limits, layers, &program_fd, reterr))
        return false;
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    bool ok = nowhere >= 0 || error_set(reterr, ERR_FILE, "/dev/null: %s", strerror(errno));
    for (unsigned i = 0; ok && i < SELFTEST_PROBES; i++) {
        ok = run(&probes[i], limits, layers, program_fd, nowhere, &results[i], reterr);
        all_right = all_right && ok && results[i].got == probes[i].expects;
    }
    if (nowhere >= 0)
        close(nowhere);
    close(program_fd);
    if (ok)
        *ret_ok = all_right;
    return ok;
}
