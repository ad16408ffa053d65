/* compile/build_cache_internal.h: what was built before, and when it may be used. */
#include "compile_testing.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "compile/build_cache_internal.h"

/* A cache of this test's own; the folder's path in *state. */
static int open_folder(void **state)
{
    static char folder[64];
    snprintf(folder, sizeof folder, "/tmp/attn-test-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    setenv("XDG_CACHE_HOME", folder, 1);
    *state = folder;
    return 0;
}

static void empty(const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char name[PATH_MAX];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        unlink(name);
    }
    if (folder != NULL)
        closedir(folder);
    rmdir(path);
}

static int close_folder(void **state)
{
    char path[128];
    snprintf(path, sizeof path, "%s/attn/build", (char *)*state);
    chmod(path, 0700);
    empty(path);
    snprintf(path, sizeof path, "%s/attn", (char *)*state);
    empty(path);
    empty(*state);
    unsetenv("XDG_CACHE_HOME");
    return 0;
}

static struct build_key make_key(const char *slot, const char *text)
{
    struct build_key key = {.slot = ""};
    snprintf(key.slot, sizeof key.slot, "%s", slot);
    text_put(&key.text, text);
    return key;
}

static void put(const char *slot, const char *text, const char *said, const char *bytes)
{
    struct build_key key = make_key(slot, text);
    struct text messages = {.bytes = NULL};
    text_put(&messages, said);
    build_cache_put(&key, &messages, bytes, strlen(bytes));
    text_release(&messages);
    build_key_release(&key);
}

/* The bytes that the slot has for the key, with what was said of them; "" when there is no hit. */
static const char *get(const char *slot, const char *text, char found[256])
{
    struct build_key key = make_key(slot, text);
    struct text messages = {.bytes = NULL};
    int fd = -1;
    found[0] = '\0';
    if (build_cache_get(&key, &fd, &messages)) {
        char bytes[128] = "";
        assert_true(pread(fd, bytes, sizeof bytes - 1, 0) >= 0);
        assert_int_equal(write(fd, "x", 1), -1);
        snprintf(found, 256, "%s|%s", bytes, text_string(&messages));
        close(fd);
    } else {
        assert_int_equal(fd, -1);
        assert_int_equal(messages.size, 0);
    }
    text_release(&messages);
    build_key_release(&key);
    return found;
}

static void test_build_cache__a_hit_is_an_equal_key(void **state)
{
    (void)state;
    char found[256];
    assert_string_equal(get("a", "key", found), "");
    put("a", "key", "said", "program");
    assert_string_equal(get("a", "key", found), "program|said");
    assert_string_equal(get("a", "kez", found), "");
    assert_string_equal(get("a", "ke", found), "");
    assert_string_equal(get("a", "keyp", found), "");
    assert_string_equal(get("b", "key", found), "");
}

static void test_build_cache__a_slot_holds_what_was_put_last(void **state)
{
    (void)state;
    char found[256];
    put("a", "key 1", "", "one");
    put("a", "key 2", "", "two");
    put("b", "key 1", "", "other");
    assert_string_equal(get("a", "key 1", found), "");
    assert_string_equal(get("a", "key 2", found), "two|");
    assert_string_equal(get("b", "key 1", found), "other|");
}

static void test_build_cache__nobody_else_can_look_into_it(void **state)
{
    char path[128], slot[140];
    struct stat info;
    put("a", "key", "", "program");
    snprintf(path, sizeof path, "%s/attn/build", (char *)*state);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    snprintf(slot, sizeof slot, "%s/a", path);
    assert_int_equal(stat(slot, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
}

static void test_build_cache__what_others_can_change_is_not_trusted(void **state)
{
    char folder[128], path[140], found[256];
    put("a", "key", "", "program");
    snprintf(folder, sizeof folder, "%s/attn/build", (char *)*state);
    snprintf(path, sizeof path, "%s/a", folder);
    chmod(path, 0622);
    assert_string_equal(get("a", "key", found), "");
    chmod(path, 0600);
    assert_string_equal(get("a", "key", found), "program|");
    chmod(folder, 0777);
    assert_string_equal(get("a", "key", found), "");
    put("b", "key", "", "program");
    chmod(folder, 0700);
    assert_string_equal(get("b", "key", found), "");
    /* a link in a slot's place */
    snprintf(folder, sizeof folder, "%s/attn/build/l", (char *)*state);
    assert_int_equal(symlink(path, folder), 0);
    assert_string_equal(get("l", "key", found), "");
}

static void test_build_cache__a_broken_file_is_no_hit(void **state)
{
    char path[128], found[256];
    unsigned char whole[4096];
    put("a", "key", "said", "program");
    snprintf(path, sizeof path, "%s/attn/build/a", (char *)*state);
    int fd = open(path, O_RDWR);
    ssize_t size = read(fd, whole, sizeof whole);
    assert_in_range(size, 20, sizeof whole - 1);
    for (ssize_t i = 0; i < size; i++) { /* each byte changed */
        unsigned char changed = whole[i] ^ 0x41;
        assert_int_equal(pwrite(fd, &changed, 1, i), 1);
        assert_string_equal(get("a", "key", found), "");
        assert_int_equal(pwrite(fd, &whole[i], 1, i), 1);
    }
    assert_string_equal(get("a", "key", found), "program|said");
    for (ssize_t n = size - 1; n >= 0; n--) { /* cut anywhere */
        assert_int_equal(ftruncate(fd, n), 0);
        assert_string_equal(get("a", "key", found), "");
    }
    close(fd);
}

static void test_build_cache__no_folder_means_no_cache(void **state)
{
    char found[256];
    setenv("XDG_CACHE_HOME", "/dev/null/no/such/folder", 1);
    put("a", "key", "", "program");
    assert_string_equal(get("a", "key", found), "");
    unsetenv("XDG_CACHE_HOME");
    char *home = getenv("HOME"), kept[PATH_MAX];
    snprintf(kept, sizeof kept, "%s", home == NULL ? "" : home);
    unsetenv("HOME");
    put("a", "key", "", "program");
    assert_string_equal(get("a", "key", found), "");
    if (home != NULL)
        setenv("HOME", kept, 1);
    setenv("XDG_CACHE_HOME", *state, 1);
}

/* Two that write and one that reads: what is read is always one of the two, whole. */
static void test_build_cache__writers_at_once_do_no_harm(void **state)
{
    (void)state;
    pid_t writers[2];
    char found[256];
    for (int i = 0; i < 2; i++) {
        writers[i] = fork();
        assert_true(writers[i] >= 0);
        if (writers[i] == 0) {
            for (int j = 0; j < 100; j++)
                put("a", i == 0 ? "zero" : "one", "", i == 0 ? "0" : "1");
            _exit(0);
        }
    }
    for (int j = 0; j < 200; j++) {
        const char *zero = get("a", "zero", found);
        assert_true(zero[0] == '\0' || strcmp(zero, "0|") == 0);
        const char *one = get("a", "one", found);
        assert_true(one[0] == '\0' || strcmp(one, "1|") == 0);
    }
    for (int i = 0; i < 2; i++)
        waitpid(writers[i], NULL, 0);
}

/* ---- as building uses it ---- */

static void build_once(const struct compile_request *request, const struct runtime *runtime,
                       const char *name, const char *source, struct build *ret)
{
    build_program(request, runtime, name, source, strlen(source), ret);
    assert_int_equal(ret->verdict, VERDICT_PASS);
    assert_true(ret->program_fd >= 0);
}

static void test_build_cache__an_unchanged_file_is_not_compiled_again(void **state)
{
    (void)state;
    struct workshop workshop;
    struct runtime runtime;
    struct build first, second;
    struct error error;
    const char source[] = FILE_AROUND("weights[0, 1] = 1;"), other[] = FILE_AROUND("");
    workshop_open(&workshop);
    struct compile_request request = workshop_request(&workshop, 0);
    request.use_cache = true;
    for (int i = 0; i < 2; i++) { /* the second one comes from the cache */
        if (!runtime_build(&request, &runtime, &error))
            fail_msg("%s", error.text);
        assert_true(runtime.object.size > 0);
        if (i == 0)
            runtime_release(&runtime);
    }
    build_once(&request, &runtime, "anna.c", source, &first);
    build_once(&request, &runtime, "anna.c", source, &second);
    assert_true(first.compile_us > 0);
    assert_int_equal(second.compile_us, 0);
    /* a hit says what the build said */
    assert_true(first.messages.size > 0 && first.plain.size > 0);
    assert_string_equal(text_string(&second.messages), text_string(&first.messages));
    assert_string_equal(text_string(&second.plain), text_string(&first.plain));
    build_release(&second);
    build_once(&request, &runtime, "bert.c", source, &second); /* its messages name the file */
    assert_true(second.compile_us > 0);
    build_release(&second);
    build_once(&request, &runtime, "anna.c", other, &second);
    assert_true(second.compile_us > 0);
    build_release(&second);
    build_once(&request, &runtime, "anna.c", source, &second); /* one slot an exercise */
    assert_true(second.compile_us > 0);
    build_release(&second);
    build_release(&first);
    runtime_release(&runtime);
}

/* ---- what one process keeps in memory ---- */

static void test_kept_builds__each_program_is_kept(void **state)
{
    char path[128];
    struct workshop workshop;
    struct runtime runtime;
    struct build first, other, again;
    struct kept_builds kept = {.n = 0};
    struct error error;
    const char source[] = FILE_AROUND("weights[0, 1] = 1;");
    workshop_open(&workshop);
    struct compile_request request = workshop_request(&workshop, 0);
    request.kept = &kept;
    for (int i = 0; i < 2; i++) {
        if (!runtime_build(&request, &runtime, &error))
            fail_msg("%s", error.text);
        assert_int_equal(kept.n, 2); /* the runner, and how it is linked */
        if (i == 0)
            runtime_release(&runtime);
    }
    build_once(&request, &runtime, "anna.c", source, &first);
    build_once(&request, &runtime, "bert.c", FILE_AROUND(""), &other);
    build_once(&request, &runtime, "anna.c", source, &again);
    assert_true(first.compile_us > 0 && other.compile_us > 0);
    assert_int_equal(again.compile_us, 0);
    assert_int_equal(kept.n, 4);
    assert_true(first.messages.size > 0 && first.plain.size > 0);
    assert_string_equal(text_string(&again.messages), text_string(&first.messages));
    assert_string_equal(text_string(&again.plain), text_string(&first.plain));
    assert_int_equal(write(again.program_fd, "x", 1), -1);
    build_release(&again);
    kept_builds_release(&kept);
    build_once(&request, &runtime, "anna.c", source, &again);
    assert_true(again.compile_us > 0);
    build_release(&again);
    build_release(&other);
    build_release(&first);
    kept_builds_release(&kept);
    runtime_release(&runtime);
    snprintf(path, sizeof path, "%s/attn", (char *)*state); /* the one on disk is left alone */
    assert_int_equal(access(path, F_OK), -1);
}

static void test_build_cache__grading_a_class_leaves_it_alone(void **state)
{
    char path[128];
    struct workshop workshop;
    struct runtime runtime;
    struct build build;
    struct error error;
    workshop_open(&workshop);
    struct compile_request request = workshop_request(&workshop, 0);
    if (!runtime_build(&request, &runtime, &error))
        fail_msg("%s", error.text);
    build_once(&request, &runtime, "anna.c", FILE_AROUND(""), &build);
    build_release(&build);
    runtime_release(&runtime);
    snprintf(path, sizeof path, "%s/attn", (char *)*state);
    assert_int_equal(access(path, F_OK), -1);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, open_folder, close_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(test_build_cache__a_hit_is_an_equal_key),
        WITH_FOLDER(test_build_cache__a_slot_holds_what_was_put_last),
        WITH_FOLDER(test_build_cache__nobody_else_can_look_into_it),
        WITH_FOLDER(test_build_cache__what_others_can_change_is_not_trusted),
        WITH_FOLDER(test_build_cache__a_broken_file_is_no_hit),
        WITH_FOLDER(test_build_cache__no_folder_means_no_cache),
        WITH_FOLDER(test_build_cache__writers_at_once_do_no_harm),
        WITH_FOLDER(test_build_cache__an_unchanged_file_is_not_compiled_again),
        WITH_FOLDER(test_kept_builds__each_program_is_kept),
        WITH_FOLDER(test_build_cache__grading_a_class_leaves_it_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
