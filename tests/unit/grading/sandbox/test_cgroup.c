/* sandbox/cgroup_internal.h: groups are made, joined and removed. Limits need controllers, which
 * few machines give away; test_box.c tries them where there are some. */
#define _GNU_SOURCE
#include "testing.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/cgroup_internal.h"

static const struct box_limits no_limits = {.memory_bytes = 0};

/* The folder of this process' own group in version 2, where groups can be made; skips elsewhere. */
static void own_folder(char path[PATH_MAX])
{
    const char *const mounts[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
    char line[PATH_MAX], group[PATH_MAX] = "", procs[PATH_MAX + 16];
    FILE *file = fopen("/proc/self/cgroup", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "0::", 3) == 0)
            snprintf(group, sizeof group, "%.*s", (int)strcspn(line + 3, "\n"), line + 3);
    if (file != NULL)
        fclose(file);
    for (size_t i = 0; i < 2 && group[0] != '\0'; i++) {
        snprintf(path, PATH_MAX, "%.30s%.4000s", mounts[i], strcmp(group, "/") == 0 ? "" : group);
        struct stat status;
        snprintf(procs, sizeof procs, "%s/cgroup.procs", path);
        if (access(procs, W_OK) == 0 && access(path, W_OK) == 0 && stat(path, &status) == 0)
            return;
    }
    print_message("skipped: no control group can be made here\n");
    skip();
}

static bool exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

static void test_cgroup__what_joined_ends_with_it(void **state)
{
    char parent[PATH_MAX], path[PATH_MAX];
    struct cgroup cgroup;
    struct error error;
    int status, ready[2];
    char byte;
    (void)state;
    own_folder(parent);
    if (!cgroup_make(parent, &no_limits, &cgroup, &error))
        fail_msg("%s", error.text);
    snprintf(path, sizeof path, "%s", cgroup.path);
    assert_true(exists(path));
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        const char *failed = cgroup_join(&cgroup);
        if (write(ready[1], "x", 1) != 1 || failed != NULL)
            _exit(1);
        pause();
        _exit(0);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_false(cgroup_ran_out(&cgroup));
    cgroup_remove(&cgroup);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_false(exists(path));
    close(ready[0]);
    close(ready[1]);
}

static void test_cgroup__nothing_stays_where_limits_can_not_be_set(void **state)
{
    char folder[] = "/tmp/attn-test-XXXXXX";
    struct cgroup cgroup;
    struct error error;
    struct box_limits limits = {.memory_bytes = 1 << 20, .processes = 3};
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_error(cgroup_make(folder, &limits, &cgroup, &error), error, ERR_FILE);
    assert_int_equal(rmdir(folder), 0); /* it is empty again */
}

static void test_cgroup__a_reason_is_given_or_a_place(void **state)
{
    char path[PATH_MAX];
    struct error error = {.text = ""};
    (void)state;
    if (cgroup_parent(path, &error))
        assert_true(exists(path));
    else
        assert_says(error, "control group");
}

static void test_cgroup__none_is_nothing_to_remove(void **state)
{
    struct cgroup none = {.path = "", .procs_fd = -1};
    (void)state;
    cgroup_remove(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cgroup__what_joined_ends_with_it),
        cmocka_unit_test(test_cgroup__nothing_stays_where_limits_can_not_be_set),
        cmocka_unit_test(test_cgroup__a_reason_is_given_or_a_place),
        cmocka_unit_test(test_cgroup__none_is_nothing_to_remove),
    };
    return cmocka_run_group_tests_name("cgroup", tests, NULL, NULL);
}
