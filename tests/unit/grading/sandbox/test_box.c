/* sandbox/box.h: how a program finds itself, how its end is told, what goes in and comes out, and
 * that nothing is left behind. */
#define _GNU_SOURCE
#include "box_testing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sandbox/box_files_internal.h"

enum { PATIENCE_MS = 5000 };

/* ---- how a program finds itself ---- */

static void test_box__a_program_starts_afresh(void **state)
{
    struct deed deed;
    struct sigaction ignored = {.sa_handler = SIG_IGN}, before;
    sigset_t terminated, mask;
    mode_t old = umask(0);
    (void)state;
    sigaction(SIGPIPE, &ignored, &before);
    sigemptyset(&terminated);
    sigaddset(&terminated, SIGTERM);
    sigprocmask(SIG_BLOCK, &terminated, &mask);
    deed_init(&deed, BOX_RUN, all_but(LAYER_SECCOMP), "state", NULL);
    deed_run(&deed);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    sigaction(SIGPIPE, &before, NULL);
    umask(old);
    assert_string_equal(deed.said, "umask 77, folder /, SIGPIPE default, SIGTERM open\n");
    setenv("SECRET", "seed", 1);
    assert_deed_says(BOX_RUN, available, "environment", NULL, "0");
    assert_deed_says(BOX_RUN, available, "input", NULL, "0");
    assert_deed_says(BOX_SANITIZER, available, "state", NULL, "umask 77, folder /");
}

static void test_box__a_program_has_its_descriptors_only(void **state)
{
    struct deed deed;
    const unsigned variants[] = {all_but(LAYER_SECCOMP), LAYER_RLIMITS, 0};
    int kept[40], own = open("/dev/null", O_RDWR);
    (void)state;
    for (size_t i = 0; i < 40; i++) /* not close-on-exec */
        kept[i] = dup(own);
    for (size_t i = 0; i < 3; i++) {
        deed_init(&deed, BOX_RUN, variants[i], "fds", NULL);
        deed.plan.fds[3] = kept[7];
        deed.plan.fds[4] = -1;
        deed.plan.fds[5] = kept[3];
        deed.plan.n_fds = 6;
        deed_run(&deed);
        assert_deed(&deed, deed.said, "0 1 2 3 4 5 ");
        assert_int_equal(strlen(deed.said), 12);
    }
    for (size_t i = 0; i < 40; i++)
        close(kept[i]);
    close(own);
}

/* attn's own descriptors may have any numbers, those of a program's among them. */
static void test_box__works_where_low_descriptors_are_free(void **state)
{
    int status;
    (void)state;
    pid_t pid = fork();
    if (pid == 0) {
        for (int fd = 0; fd < 3; fd++)
            close(fd);
        struct deed deed;
        deed_init(&deed, BOX_RUN, available, "exit", "5");
        deed_run(&deed);
        _exit(deed.end.how == BOX_EXITED && deed.end.code == 5 ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

/* ---- ends ---- */

static void test_box__ends_are_told_apart(void **state)
{
    const unsigned variants[] = {available, all_but(LAYER_NAMESPACES | LAYER_ROOT), 0};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        assert_deed_ends(BOX_RUN, variants[i], "exit", "0", "exited_early exit code 0");
        assert_deed_ends(BOX_RUN, variants[i], "exit", "127", "exited_early exit code 127");
        assert_deed_ends(BOX_RUN, variants[i], "raise", "6", "crash SIGABRT");
        assert_deed_ends(BOX_RUN, variants[i], "raise", "10", "crash SIGUSR1");
        assert_deed_ends(BOX_RUN, variants[i], "raise", "9", "crash SIGKILL");
        assert_deed_ends(BOX_RUN, variants[i], "raise", "15", "crash SIGTERM");
        assert_deed_ends(BOX_RUN, variants[i], "raise", "40", "crash signal 40");
    }
}

static void test_box__failures_are_ours(void **state)
{
    struct deed deed;
    char verdict[128];
    int text = memfd_create("text", MFD_CLOEXEC);
    (void)state;
    assert_int_equal(write(text, "no program\n", 11), 11);
    deed_init(&deed, BOX_RUN, available, "exit", "0");
    deed.plan.program_fd = text;
    deed_run(&deed);
    assert_deed(&deed, deed_verdict(&deed, verdict), "exited_early exit code 126"); /* its own */
    deed_init(&deed, BOX_COMPILE, available, "exit", "0");
    deed.plan.path = "/usr/bin/there-is-no-such-compiler";
    deed_run(&deed);
    assert_deed(&deed, deed_verdict(&deed, verdict), "internal_error the program: No such file");
    close(text);
}

static void test_box__plans_that_make_no_sense_are_refused(void **state)
{
    struct deed deed;
    struct box *box;
    struct error error;
    (void)state;
    deed_init(&deed, BOX_RUN, available, "exit", "0");
    deed.plan.n_fds = 2;
    assert_error(box_start(&deed.plan, &box, &error), error, ERR_RANGE);
    deed_init(&deed, BOX_SANITIZER, available, "exit", "0");
    deed.plan.in[0].name = "../deeds";
    assert_error(box_start(&deed.plan, &box, &error), error, ERR_RANGE);
}

/* ---- files in and out ---- */

static int fetch(unsigned layers, const char *what, size_t max_size)
{
    struct deed deed;
    struct box_file out[2] = {{.name = "nothing", .max_size = 100, .fd = 77},
                              {.name = "out", .max_size = max_size, .fd = 77}};
    deed_init(&deed, BOX_SANITIZER, layers, "out", what);
    deed.plan.out = out;
    deed.plan.n_out = 2;
    deed_run(&deed);
    assert_deed(&deed, deed.said, "ok");
    assert_int_equal(out[0].fd, -1);
    return out[1].fd;
}

static void test_box__files_come_out(void **state)
{
    const unsigned variants[] = {available, all_but(LAYER_ROOT), all_but(LAYER_NAMESPACES), 0};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        char bytes[8] = "";
        int fd = fetch(variants[i], "6", 6);
        assert_true(fd >= 0);
        assert_int_equal(read(fd, bytes, sizeof bytes), 6);
        assert_string_equal(bytes, "oooooo");
        assert_int_equal(write(fd, "x", 1), -1);
        close(fd);
        assert_int_equal(fetch(variants[i], "7", 6), -1);
        /* What the other layers would not let it make. */
        unsigned bare = variants[i] & ~(unsigned)(LAYER_LANDLOCK | LAYER_SECCOMP);
        assert_int_equal(fetch(bare, "folder", 6), -1);
        assert_int_equal(fetch(bare, "link", 5000), -1);
        assert_int_equal(fetch(bare, "pipe", 6), -1);
    }
}

/* Not the program's: a file that it made, and that can't be fetched for want of something else. */
static void test_box__files_that_we_lose_are_our_failure(void **state)
{
    char folder[] = "/tmp/attn-test-XXXXXX", path[64];
    const struct box_file files[] = {{.name = "out", .max_size = 6}, {.name = "none"}};
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    const int fds[] = {full, full};
    unsigned fetched = 7;
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_null(box_files_fetch(folder, files, fds, 2, &fetched));
    assert_int_equal(fetched, 0);
    snprintf(path, sizeof path, "%s/out", folder);
    int out = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(write(out, "o", 1), 1);
    close(out);
    assert_non_null(box_files_fetch(folder, files, fds, 2, &fetched));
    assert_int_equal(fetched, 0);
    box_folder_remove(folder);
    close(full);
}

static void test_box__attn_without_descriptors_says_so(void **state)
{
    struct deed deed;
    struct box *box;
    struct error error;
    struct rlimit before, none;
    struct box_file out = {.name = "out", .max_size = 6};
    char verdict[128];
    (void)state;
    deed_init(&deed, BOX_SANITIZER, available, "out", "6");
    deed.plan.fds[1] = deed.plan.fds[2] = -1;
    deed.plan.out = &out;
    deed.plan.n_out = 1;
    assert_true(box_start(&deed.plan, &box, &error));
    while (!box_ended(box))
        poll(NULL, 0, 1);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = (struct rlimit){0, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
    box_collect(box, &deed.end);
    setrlimit(RLIMIT_NOFILE, &before);
    assert_deed(&deed, deed_verdict(&deed, verdict), "internal_error files: out: Too many open");
    assert_int_equal(out.fd, -1);
}

static void test_box__files_go_in(void **state)
{
    const unsigned variants[] = {available, all_but(LAYER_ROOT), 0};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct deed deed;
        deed_init(&deed, BOX_SANITIZER, variants[i], "show", "note");
        deed.plan.in[deed.plan.n_in++] =
            (struct box_file){.name = "note", .bytes = "ab\n", .size = 3};
        assert_string_equal(deed_run(&deed), "ab\n");
    }
}

/* ---- a compiler ---- */

/* Compiles text; what the compiler said, with the end in *ret_ok. */
static const char *compile(unsigned layers, const char *path, const char *text, struct deed *deed,
                           int *ret_fd)
{
    struct box_file out = {.name = "it.o", .max_size = PROGRAM_BYTES, .fd = -1};
    deed_init(deed, BOX_COMPILE, layers, "", NULL);
    snprintf(deed->words[0], sizeof deed->words[0], "%s", path);
    deed->plan.limits = limits_default.compile;
    deed->plan.path = path;
    deed->plan.argv = (char *[]){deed->words[0], "-c", "-o", "it.o", "it.c", NULL};
    deed->plan.in[0] = (struct box_file){.name = "it.c", .bytes = text, .size = strlen(text)};
    deed->plan.out = &out;
    deed->plan.n_out = 1;
    deed_run(deed);
    *ret_fd = out.fd;
    if (out.fd >= 0)
        close(out.fd);
    return deed->said;
}

static bool compiles(unsigned layers, const char *path, const char *text)
{
    struct deed deed;
    int fd;
    compile(layers, path, text, &deed, &fd);
    if (deed.end.how == BOX_FAILED)
        fail_msg("%s", deed.end.failure);
    return fd >= 0;
}

static void test_box__compilers_work(void **state)
{
    const char *const paths[] = {"/usr/bin/cc", "/usr/bin/gcc", "/usr/bin/clang", "/usr/bin/tcc"};
    const char *const right = "#include <math.h>\n#include <stdio.h>\nint x = 1;\n";
    size_t n = 0;
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        if (access(paths[i], X_OK) != 0)
            continue;
        n++;
        assert_true(compiles(available, paths[i], right));
        assert_true(compiles(0, paths[i], right));
        assert_false(compiles(available, paths[i], "int x = ;\n"));
    }
    assert_true(n > 0);
}

/* The compiler answers where it sees the file; each layer alone hides it. */
static void test_box__compilers_read_no_files_of_others(void **state)
{
    char secret[] = "/tmp/attn-test-XXXXXX", text[200];
    const char *const forms[] = {"#include \"%s\"\n", "__asm__(\".incbin \\\"%s\\\"\");\n",
                                 "#if !__has_include(\"%s\")\n#error no\n#endif\n"};
    (void)state;
    needs(LAYER_NAMESPACES | LAYER_ROOT | LAYER_LANDLOCK);
    int fd = mkstemp(secret);
    assert_int_equal(fchmod(fd, 0644), 0);
    assert_int_equal(write(fd, "int secret;\n", 12), 12);
    close(fd);
    for (size_t i = 0; i < 3; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(text, sizeof text, forms[i], secret);
#pragma GCC diagnostic pop
        assert_true(compiles(all_but(LAYER_ROOT | LAYER_LANDLOCK), "/usr/bin/cc", text));
        assert_false(compiles(all_but(LAYER_LANDLOCK), "/usr/bin/cc", text));
        if (i < 2) /* whether there is a file is no secret to Landlock */
            assert_false(compiles(all_but(LAYER_ROOT), "/usr/bin/cc", text));
    }
    unlink(secret);
    assert_false(compiles(available, "/usr/bin/cc", "#include \"/dev/zero\"\n"));
    assert_false(compiles(available, "/usr/bin/cc", "#include \"/proc/self/environ\"\n"));
}

/* A compiler that somebody keeps in a folder of their own is shown, and not what lies beside it. */
static void test_box__a_compiler_can_lie_anywhere(void **state)
{
    char folder[] = "/tmp/attn-test-XXXXXX", path[64], other[64], text[128];
    (void)state;
    needs(LAYER_NAMESPACES | LAYER_ROOT);
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chmod(folder, 0755), 0);
    snprintf(path, sizeof path, "%s/cc", folder);
    snprintf(other, sizeof other, "%s/other.h", folder);
    for (size_t i = 0; i < 2; i++) {
        const char *bytes = i == 0 ? "#!/bin/sh\nexec /usr/bin/cc \"$@\"\n" : "int other;\n";
        int fd = open(i == 0 ? path : other, O_WRONLY | O_CREAT, 0755);
        assert_int_equal(write(fd, bytes, strlen(bytes)), strlen(bytes));
        close(fd);
    }
    snprintf(text, sizeof text, "#include \"%s\"\n", other);
    assert_true(compiles(available, path, "int x;\n"));
    assert_false(compiles(available, path, text));
    assert_true(compiles(0, path, text));
    unlink(path);
    unlink(other);
    rmdir(folder);
}

/* ---- nothing stays ---- */

/* Whether everybody has closed the other end of a pipe, soon. */
static bool is_closed_soon(int fd)
{
    struct pollfd far = {.fd = fd, .events = POLLIN};
    char byte;
    return poll(&far, 1, PATIENCE_MS) == 1 && read(fd, &byte, 1) == 0;
}

/* Processes that a program leaves behind end with its box: descriptor 3 is a pipe that they hold
 * open, and shows it. */
static void test_box__no_process_stays(void **state)
{
    const unsigned variants[] = {all_but(LAYER_SECCOMP | LAYER_RLIMITS),
                                 all_but(LAYER_SECCOMP | LAYER_RLIMITS | LAYER_NAMESPACES),
                                 LAYER_LANDLOCK & available, 0};
    (void)state;
    for (size_t i = 0; i < 8; i++) {
        struct deed deed;
        int ends[2];
        char verdict[128];
        assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
        deed_init(&deed, BOX_RUN, variants[i / 2], i % 2 == 0 ? "daemon" : "stay", NULL);
        deed.plan.fds[deed.plan.n_fds++] = ends[1];
        deed.plan.limits.wall_ms = 200;
        deed_run(&deed);
        assert_deed(&deed, deed_verdict(&deed, verdict),
                    i % 2 == 0 ? "exited_early exit code 0" : "time_limit wall");
        close(ends[1]);
        assert_true(is_closed_soon(ends[0]));
        close(ends[0]);
    }
}

/* Whatever becomes of attn. */
static void test_box__a_killed_attn_leaves_nothing(void **state)
{
    const unsigned variants[] = {available, all_but(LAYER_SECCOMP | LAYER_RLIMITS),
                                 all_but(LAYER_SECCOMP | LAYER_RLIMITS | LAYER_NAMESPACES)};
    (void)state;
    for (size_t i = 0; i < 12; i++) {
        int ends[2];
        assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
        pid_t parent = fork();
        if (parent == 0) {
            struct deed deed;
            struct box *box;
            deed_init(&deed, BOX_RUN, variants[i % 3], i % 3 == 0 ? "spin" : "stay", NULL);
            deed.plan.fds[1] = deed.plan.fds[2] = deed.plan.fds[3] = ends[1];
            deed.plan.n_fds = 4;
            if (box_start(&deed.plan, &box, NULL))
                pause();
            _exit(1);
        }
        close(ends[1]);
        /* From the very first moment to when it has long been running. */
        nanosleep(&(struct timespec){.tv_nsec = (long)(i / 3) * (long)(i / 3) * 4000000}, NULL);
        kill(parent, SIGKILL);
        assert_int_equal(waitpid(parent, NULL, 0), parent);
        assert_true(is_closed_soon(ends[0]));
        close(ends[0]);
    }
}

static size_t count_entries(const char *path, const char *prefix)
{
    size_t n = 0;
    DIR *folder = opendir(path);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        n += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
    closedir(folder);
    return n;
}

static void test_box__many_boxes_leave_nothing(void **state)
{
    const char *const names[] = {"exit", "raise", "fork", "open", "out"};
    char folder[] = "/tmp/attn-test-XXXXXX";
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chmod(folder, 0755), 0);
    setenv("TMPDIR", folder, 1);
    size_t fds = count_entries("/proc/self/fd", "");
    for (unsigned i = 0; i < 200; i++) {
        struct deed deed;
        bool runs = i % 5 != 4;
        struct box_file out = {.name = "out", .max_size = 100, .fd = -1};
        deed_init(&deed, runs ? BOX_RUN : BOX_SANITIZER, i % 4 == 0 ? 0 : available, names[i % 5],
                  "6");
        if (!runs) {
            deed.plan.out = &out;
            deed.plan.n_out = 1;
        }
        deed_run(&deed);
        if (deed.end.how == BOX_FAILED)
            fail_msg("%s", deed.end.failure);
        if (out.fd >= 0)
            close(out.fd);
    }
    assert_int_equal(count_entries("/proc/self/fd", ""), fds);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    unsetenv("TMPDIR");
    assert_int_equal(rmdir(folder), 0); /* it is empty */
}

static void test_box__many_at_once(void **state)
{
    enum { N = 12 };
    struct deed deeds[N];
    struct box *boxes[N];
    struct box_end end;
    struct error error;
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    (void)state;
    for (int i = 0; i < N; i++) {
        char code[16];
        snprintf(code, sizeof code, "%d", i);
        deed_init(&deeds[i], BOX_RUN, available, i % 3 == 0 ? "spin" : "exit", code);
        deeds[i].plan.fds[1] = deeds[i].plan.fds[2] = nowhere;
        if (!box_start(&deeds[i].plan, &boxes[i], &error))
            fail_msg("%s", error.text);
    }
    for (int i = N - 1; i >= 0; i--) {
        if (i % 3 == 0)
            box_kill(boxes[i]);
        box_collect(boxes[i], &end);
        assert_int_equal(end.how, i % 3 == 0 ? BOX_KILLED : BOX_EXITED);
        assert_int_equal(end.code, i % 3 == 0 ? 0 : i);
    }
    close(nowhere);
}

static void test_box__reports_failed_allocations(void **state)
{
    struct deed deed;
    struct error error;
    struct box *box;
    struct box_end end;
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    (void)state;
    deed_init(&deed, BOX_RUN, available, "exit", "3");
    deed.plan.fds[1] = deed.plan.fds[2] = nowhere;
    assert_reports_failed_allocations(box_start(&deed.plan, &box, &error), error);
    box_collect(box, &end);
    assert_int_equal(end.code, 3);
    close(nowhere);
}

/* ---- layers ---- */

static void test_box__layers_have_names(void **state)
{
    (void)state;
    assert_string_equal(layer_name(LAYER_NAMESPACES), "namespaces");
    assert_string_equal(layer_name(LAYER_UID), "uid");
    for (unsigned bit = 1; bit <= LAYERS_ALL; bit <<= 1)
        assert_string_not_equal(layer_name((enum layer)bit), "?");
}

static void test_box__missing_layers_have_reasons(void **state)
{
    struct text reasons = {0};
    unsigned n = 0;
    (void)state;
    assert_int_equal(layers_available(&reasons), available);
    for (unsigned bit = 1; bit <= LAYERS_ALL; bit <<= 1) {
        bool told =
            reasons.size > 0 && strstr(text_string(&reasons), layer_name((enum layer)bit)) != NULL;
        assert_int_equal(told, (available & bit) == 0);
        n += told;
    }
    for (size_t i = 0; i < reasons.size; i++)
        n -= reasons.bytes[i] == '\n';
    assert_int_equal(n, 0);
    text_release(&reasons);
}

/* As in a container that allows no namespaces: all that is below this process has none. */
static bool lose_namespaces(void)
{
    int fd = -1;
    bool ok = unshare(CLONE_NEWUSER) == 0 &&
              (fd = open("/proc/sys/user/max_user_namespaces", O_WRONLY | O_CLOEXEC)) >= 0 &&
              write(fd, "0", 1) == 1;
    if (fd >= 0)
        close(fd);
    return ok;
}

/* 0: as it should be. */
static int try_without_namespaces(void)
{
    struct deed deed;
    struct text reasons = {0};
    struct box *box;
    struct error error;
    unsigned left = layers_available(&reasons);
    if ((left & (LAYER_NAMESPACES | LAYER_ROOT)) || !(left & LAYER_RLIMITS))
        return 2;
    if (strstr(text_string(&reasons), "\nroot: needs namespaces\n") == NULL)
        return 3;
    text_release(&reasons);
    deed_init(&deed, BOX_RUN, left, "exit", "5");
    deed_run(&deed);
    if (deed.end.how != BOX_EXITED || deed.end.code != 5)
        return 4;
    deed.plan.layers |= LAYER_NAMESPACES;
    return box_start(&deed.plan, &box, &error) || error.kind != ERR_FILE ? 5 : 0;
}

static void test_box__goes_on_without_namespaces(void **state)
{
    int status;
    (void)state;
    needs(LAYER_NAMESPACES);
    pid_t pid = fork();
    if (pid == 0)
        _exit(lose_namespaces() ? try_without_namespaces() : 1);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

/* As old containers answer: that it is not permitted, to a call that they have not heard of. */
static bool lose_clone3(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {.len = 4, .filter = code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

static void test_box__works_in_old_containers(void **state)
{
    int status;
    (void)state;
    pid_t pid = fork();
    if (pid == 0) {
        struct deed deed;
        deed_init(&deed, BOX_RUN, all_but(LAYER_NAMESPACES | LAYER_ROOT), "exit", "5");
        if (!lose_clone3())
            _exit(2);
        deed_run(&deed);
        _exit(deed.end.how == BOX_EXITED && deed.end.code == 5 ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box__a_program_starts_afresh),
        cmocka_unit_test(test_box__a_program_has_its_descriptors_only),
        cmocka_unit_test(test_box__works_where_low_descriptors_are_free),
        cmocka_unit_test(test_box__ends_are_told_apart),
        cmocka_unit_test(test_box__failures_are_ours),
        cmocka_unit_test(test_box__plans_that_make_no_sense_are_refused),
        cmocka_unit_test(test_box__files_come_out),
        cmocka_unit_test(test_box__files_that_we_lose_are_our_failure),
        cmocka_unit_test(test_box__attn_without_descriptors_says_so),
        cmocka_unit_test(test_box__files_go_in),
        cmocka_unit_test(test_box__compilers_work),
        cmocka_unit_test(test_box__compilers_read_no_files_of_others),
        cmocka_unit_test(test_box__a_compiler_can_lie_anywhere),
        cmocka_unit_test(test_box__no_process_stays),
        cmocka_unit_test(test_box__a_killed_attn_leaves_nothing),
        cmocka_unit_test(test_box__many_boxes_leave_nothing),
        cmocka_unit_test(test_box__many_at_once),
        cmocka_unit_test(test_box__reports_failed_allocations),
        cmocka_unit_test(test_box__layers_have_names),
        cmocka_unit_test(test_box__missing_layers_have_reasons),
        cmocka_unit_test(test_box__goes_on_without_namespaces),
        cmocka_unit_test(test_box__works_in_old_containers),
    };
    return run_as_all("box", tests);
}
