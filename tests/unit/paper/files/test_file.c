/* files/file.h: files written and read whole. */
#include "testing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/file.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/attn-test-file-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder); /* fails, and the group with it, where a test left something */
}

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void holds(const char *path, const char *wanted)
{
    char bytes[64] = "";
    int fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    assert_true(file_read_all(fd, bytes, strlen(wanted)));
    assert_string_equal(bytes, wanted);
    assert_false(file_read_all(fd, bytes, 1));
    assert_int_equal(errno, EIO);
    close(fd);
}

static mode_t mode_of(const char *path)
{
    struct stat stat_;
    assert_int_equal(stat(path, &stat_), 0);
    return stat_.st_mode & 0777;
}

static void replaces_the_whole_and_keeps_the_mode(void **state)
{
    (void)state;
    const char *path = in_folder("a");
    mode_t old = umask(022);
    assert_true(file_replace(path, "first, long", 11, 0600));
    assert_int_equal(mode_of(path), 0600);
    holds(path, "first, long");
    assert_int_equal(chmod(path, 0640), 0);
    assert_true(file_replace(path, "second", 6, 0600));
    assert_int_equal(mode_of(path), 0640);
    holds(path, "second");
    umask(old);
    unlink(path);
}

static void failure_leaves_what_was_there(void **state)
{
    (void)state;
    const char *path = in_folder("a");
    assert_int_equal(mkdir(path, 0700), 0); /* a file can't be renamed over a folder */
    assert_false(file_replace(path, "lost", 4, 0600));
    assert_int_equal(errno, EISDIR);
    assert_int_equal(rmdir(path), 0);
    assert_false(file_replace("/nowhere/at/all", "x", 1, 0600));
    assert_int_equal(errno, ENOENT);
    static char long_path[5000];
    memset(long_path, 'x', sizeof long_path - 1);
    assert_false(file_replace(long_path, "x", 1, 0600));
    assert_int_equal(errno, ENAMETOOLONG);
}

static void link_is_replaced_and_not_followed(void **state)
{
    (void)state;
    char target[128];
    snprintf(target, sizeof target, "%s", in_folder("target"));
    assert_true(file_replace(target, "target", 6, 0600));
    assert_int_equal(symlink(target, in_folder("link")), 0);
    assert_true(file_replace(in_folder("link"), "new", 3, 0600));
    holds(target, "target");
    holds(in_folder("link"), "new");
    unlink(in_folder("link"));
    unlink(target);
}

static void pipe_is_written_and_read_in_pieces(void **state)
{
    (void)state;
    int ends[2];
    char bytes[5] = "";
    assert_int_equal(pipe(ends), 0);
    assert_true(file_write_all(ends[1], "ab", 2));
    assert_true(file_write_all(ends[1], "cd", 2));
    assert_true(file_read_all(ends[0], bytes, 4));
    assert_string_equal(bytes, "abcd");
    int written = ends[1];
    file_close(&ends[1]);
    assert_int_equal(ends[1], -1);
    file_close(&ends[1]);
    assert_false(file_read_all(ends[0], bytes, 1));
    close(ends[0]);
    assert_false(file_write_all(written, "x", 1));
    assert_int_equal(errno, EBADF);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replaces_the_whole_and_keeps_the_mode),
        cmocka_unit_test(failure_leaves_what_was_there),
        cmocka_unit_test(link_is_replaced_and_not_followed),
        cmocka_unit_test(pipe_is_written_and_read_in_pieces),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
