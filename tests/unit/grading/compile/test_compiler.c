/* compile/compiler.h: finding a compiler, and building with gcc and clang in boxes. */
#include "compile_testing.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/array.h"

/* ---- finding ---- */

/* A folder with a script called name that answers --version with `says`; its path in folder. */
static void make_compiler(char folder[64], const char *name, const char *says)
{
    char path[128];
    if (folder[0] == '\0') {
        snprintf(folder, 64, "/tmp/attn-test-XXXXXX");
        assert_non_null(mkdtemp(folder));
        assert_int_equal(chmod(folder, 0755), 0); /* for whoever a box is */
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", says);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0755), 0);
}

static void remove_compiler(const char *folder, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
    rmdir(folder);
}

static void test_compiler__family_and_version_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *says;
        enum compiler_family family;
        bool inits_locals;
    } trials[] = {
        {"echo 'gcc (Debian 12.2.0-14) 12.2.0'; echo 'Copyright Free Software Foundation'",
         COMPILER_GCC, true},
        {"echo 'cc (GCC) 11.4.1 20231218'; echo 'Copyright Free Software Foundation'", COMPILER_GCC,
         false},
        {"echo 'Debian clang version 14.0.6'", COMPILER_CLANG, true},
        {"echo 'Apple clang version 15.0.0 (clang-1500.3.9.4)'", COMPILER_CLANG, true},
        {"test x$1 = x-v && echo 'tcc version 0.9.27 (x86_64 Linux)' || exit 1", COMPILER_TCC,
         false},
        {"echo 'acc 1.0'", COMPILER_OTHER, false},
    };
    for (size_t i = 0; i < COUNT_OF(trials); i++) {
        char folder[64] = "", path[128];
        struct compiler compiler;
        struct error error;
        make_compiler(folder, "acc", trials[i].says);
        snprintf(path, sizeof path, "%s/acc", folder);
        if (!compiler_find(path, &compiler, &error))
            fail_msg("%s", error.text);
        assert_string_equal(compiler.path, path);
        assert_int_equal(compiler.family, trials[i].family);
        assert_int_equal(compiler.inits_locals, trials[i].inits_locals);
        remove_compiler(folder, "acc");
    }
}

static void test_compiler__a_path_and_a_name_and_cc_are_understood(void **state)
{
    (void)state;
    char folder[64] = "", old_path[4096], command[160];
    struct compiler compiler;
    struct error error;
    snprintf(old_path, sizeof old_path, "%s", getenv("PATH"));
    make_compiler(folder, "acc", "echo 'acc 1.0'");
    setenv("PATH", folder, 1);
    assert_true(compiler_find("acc", &compiler, &error));
    assert_string_equal(compiler.version, "acc 1.0");
    setenv("CC", "ccache acc -m64", 1);
    assert_true(compiler_find(NULL, &compiler, &error));
    assert_string_equal(compiler.version, "acc 1.0");
    snprintf(command, sizeof command, "%s/acc -O3", folder);
    setenv("CC", command, 1);
    assert_true(compiler_find(NULL, &compiler, &error));
    setenv("CC", "no-such-compiler", 1);
    assert_error(compiler_find(NULL, &compiler, &error), error, ERR_FILE);
    assert_says(error, "no-such-compiler");
    unsetenv("CC");
    assert_error(compiler_find(NULL, &compiler, &error), error, ERR_FILE); /* none on this PATH */
    assert_says(error, "install");
    setenv("PATH", old_path, 1);
    remove_compiler(folder, "acc");
}

/* A compiler is asked once; a script is asked each time, since another compiler may stand behind
 * it.
 */
static void test_compiler__versions_are_remembered(void **state)
{
    (void)state;
    char folder[64] = "", script[64] = "", path[128], command[200];
    struct compiler compiler, again;
    struct error error;
    make_compiler(folder, "cache", "");
    setenv("XDG_CACHE_HOME", folder, 1);
    if (!compiler_find("gcc", &compiler, &error) && !compiler_find("clang", &compiler, &error))
        skip();
    snprintf(command, sizeof command, "%s/attn/build", folder);
    for (int i = 0; i < 2; i++) {
        assert_true(compiler_find_again(compiler.path, &again, &error));
        assert_string_equal(again.version, compiler.version);
        assert_int_equal(again.family, compiler.family);
        assert_int_equal(again.inits_locals, compiler.inits_locals);
        assert_int_equal(access(command, F_OK), 0);
    }
    make_compiler(script, "acc", "echo 'acc 1.0'");
    snprintf(path, sizeof path, "%s/acc", script);
    assert_true(compiler_find_again(path, &again, &error));
    assert_string_equal(again.version, "acc 1.0");
    make_compiler(script, "acc", "echo 'acc 2.0'");
    assert_true(compiler_find_again(path, &again, &error));
    assert_string_equal(again.version, "acc 2.0");
    unsetenv("XDG_CACHE_HOME");
    remove_compiler(script, "acc");
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0); /* NOLINT: a name of our own */
}

static void test_compiler__what_fails_is_no_compiler(void **state)
{
    (void)state;
    static const char *const scripts[] = {"exit 1", "true", "kill -9 $$"};
    for (size_t i = 0; i < COUNT_OF(scripts); i++) {
        char folder[64] = "", path[128];
        struct compiler compiler = {.path = "untouched"};
        struct error error;
        make_compiler(folder, "acc", scripts[i]);
        snprintf(path, sizeof path, "%s/acc", folder);
        assert_error(compiler_find(path, &compiler, &error), error, ERR_FILE);
        assert_string_equal(compiler.path, "untouched");
        remove_compiler(folder, "acc");
    }
    struct compiler compiler;
    struct error error;
    assert_error(compiler_find("/etc/passwd", &compiler, &error), error, ERR_FILE);
    assert_error(compiler_find("/tmp", &compiler, &error), error, ERR_FILE);
    assert_error(compiler_find("", &compiler, &error) && false, error, ERR_FILE);
}

/* ---- building ---- */

struct trial {
    const char *source;
    enum verdict verdict;
    const char *detail, *plain; /* plain: a part of it, or "" for none at all */
};

static struct runtime make_runtime(const struct compile_request *request)
{
    struct runtime runtime;
    struct error error;
    if (!runtime_build(request, &runtime, &error))
        fail_msg("%s", error.text);
    return runtime;
}

static void assert_builds(const struct compile_request *request, const struct runtime *runtime,
                          const struct trial *trial)
{
    struct build build;
    build_program(request, runtime, "anna.c", trial->source, strlen(trial->source), &build);
    if (build.verdict != trial->verdict || strcmp(build.detail, trial->detail) != 0)
        fail_msg("%s: %s [%s] instead of %s [%s] for: %.200s\n%s", request->compiler->path,
                 verdict_name(build.verdict), build.detail, verdict_name(trial->verdict),
                 trial->detail, trial->source, text_string(&build.messages));
    const char *plain = text_string(&build.plain);
    if (trial->plain[0] == '\0' ? plain[0] != '\0' : strstr(plain, trial->plain) == NULL)
        fail_msg("%s: \"%s\" instead of \"%s\"", request->compiler->path, plain, trial->plain);
    assert_int_equal(build.program_fd >= 0, trial->verdict == VERDICT_PASS);
    assert_null(strstr(text_string(&build.messages), "submission"));
    build_release(&build);
    assert_int_equal(build.program_fd, -1);
}

/* With each compiler. */
static void assert_all_build(struct workshop *workshop, const struct trial *trials, size_t n)
{
    for (unsigned c = 0; c < workshop->n_compilers; c++) {
        struct compile_request request = workshop_request(workshop, c);
        struct runtime runtime = make_runtime(&request);
        for (size_t i = 0; i < n; i++)
            assert_builds(&request, &runtime, &trials[i]);
        runtime_release(&runtime);
    }
}

static void test_compiler__right_files_become_programs(void **state)
{
    (void)state;
    struct workshop workshop;
    static const struct trial trials[] = {
        {FILE_AROUND("weights[0] = scores[0];"), VERDICT_PASS, "", ""},
        {"#include <math.h>\n" FILE_AROUND("weights[0] = expf(scores[0]);"), VERDICT_PASS, "", ""},
        {"#include <stdlib.h>\n" FILE_AROUND("free(malloc(rows));"), VERDICT_PASS, "", ""},
        /* a warning that is nearly always right */
        {FILE_AROUND("weights[0, 1] = 1;"), VERDICT_PASS, "", "x[i * cols + j]"},
    };
    workshop_open(&workshop);
    assert_all_build(&workshop, trials, COUNT_OF(trials));
}

static void test_compiler__a_program_is_a_static_executable(void **state)
{
    (void)state;
    struct workshop workshop;
    const char source[] = FILE_AROUND("weights[0] = scores[0];");
    workshop_open(&workshop);
    for (unsigned c = 0; c < workshop.n_compilers; c++) {
        struct compile_request request = workshop_request(&workshop, c);
        struct runtime runtime = make_runtime(&request);
        struct build build;
        unsigned char head[4] = {0};
        build_program(&request, &runtime, "anna.c", source, sizeof source - 1, &build);
        assert_int_equal(build.verdict, VERDICT_PASS);
        assert_int_equal(pread(build.program_fd, head, 4, 0), 4);
        assert_memory_equal(head, "\177ELF", 4);
        assert_int_equal(write(build.program_fd, "x", 1), -1); /* nobody can change it any more */
        assert_true(build.compile_us > 0 && build.link_us > 0);
        build_release(&build);
        runtime_release(&runtime);
    }
}

static void test_compiler__faults_are_compile_errors(void **state)
{
    (void)state;
    struct workshop workshop;
    static const struct trial trials[] = {
        {FILE_AROUND("for (i = 0; i < rows; i++) weights[i] = 0;"), VERDICT_COMPILE_ERROR, "",
         "Line 3: i is not declared"},
        {SIGNATURE "\n{\nweights[0] = scores[rows + cols]\n}\n", VERDICT_COMPILE_ERROR, "", "a ;"},
        {FILE_AROUND("weights[0] = expf(scores[0]);"), VERDICT_COMPILE_ERROR, "",
         "#include <math.h>"},
        {FILE_AROUND("weights[0] = helper(scores[0]);"), VERDICT_COMPILE_ERROR, "", "helper"},
        {FILE_AROUND("return weights;"), VERDICT_COMPILE_ERROR, "", "void"},
        {"static float f(void) { }\n" FILE_AROUND("weights[0] = f();"), VERDICT_COMPILE_ERROR, "",
         "return"},
        {"void softmax_rows(int rows) { (void)rows; }\n", VERDICT_COMPILE_ERROR, "",
         "exactly as the task says"},
        {"static " FILE_AROUND(""), VERDICT_COMPILE_ERROR, "", "Leave static away"},
        {"const char softmax_rows[] = {1};\n", VERDICT_COMPILE_ERROR, "", "softmax_rows"},
        {SIGNATURE "\n{\n", VERDICT_COMPILE_ERROR, "", "ends too early"},
        {"#include \"/etc/passwd\"\n" FILE_AROUND(""), VERDICT_COMPILE_ERROR, "", "no header"},
        {"__asm__(\".incbin \\\"/etc/passwd\\\"\");\n" FILE_AROUND(""), VERDICT_COMPILE_ERROR, "",
         "no such file"},
    };
    workshop_open(&workshop);
    assert_all_build(&workshop, trials, COUNT_OF(trials));
}

static void test_compiler__faults_that_the_linker_finds_are_link_errors(void **state)
{
    (void)state;
    struct workshop workshop;
    static const struct trial trials[] = {
        {"", VERDICT_LINK_ERROR, "function missing", "no function softmax_rows"},
        {"void softmax_row(int x) { (void)x; }", VERDICT_LINK_ERROR, "function missing",
         "There is one called softmax_row."},
        {"int main(void) { return 0; }\n" FILE_AROUND(""), VERDICT_LINK_ERROR, "main defined",
         "main()"},
        {"void _start(void) { }\n" FILE_AROUND(""), VERDICT_LINK_ERROR, "_start defined", "_start"},
        {"void runner_call(void) { }\n" FILE_AROUND(""), VERDICT_LINK_ERROR, "runner_call defined",
         "runner_call"},
        {"void helper(void);\n" FILE_AROUND("helper();"), VERDICT_LINK_ERROR, "helper missing",
         "helper"},
        {"__attribute__((section(\".interp\"), used)) static const char loader[] = "
         "\"/x\";\n" FILE_AROUND(""),
         VERDICT_LINK_ERROR, "not a static program", ""},
    };
    workshop_open(&workshop);
    assert_all_build(&workshop, trials, COUNT_OF(trials));
}

/* A symbol whose name speaks like a linker. This machine has all that it needs, so the fault is
 * none of attn's, and a batch is not to be stopped by it. */
static void test_compiler__a_forged_complaint_does_not_blame_the_machine(void **state)
{
    (void)state;
    struct workshop workshop;
    static const char source[] = "__asm__(\".data\\n.quad \\\"x\\n/usr/bin/ld: cannot find "
                                 "-lm\\\"\\n.text\");\n" FILE_AROUND("");
    static const char plainer[] =
        "__asm__(\".data\\n.quad \\\"/usr/bin/ld: cannot find -lm\\\"\\n.text\");\n" FILE_AROUND(
            "");
    static const char *const sources[] = {source, plainer};
    workshop_open(&workshop);
    for (unsigned c = 0; c < workshop.n_compilers; c++) {
        struct compile_request request = workshop_request(&workshop, c);
        struct runtime runtime = make_runtime(&request);
        for (size_t i = 0; i < 2; i++) {
            struct build build;
            build_program(&request, &runtime, "anna.c", sources[i], strlen(sources[i]), &build);
            if (build.verdict != VERDICT_LINK_ERROR && build.verdict != VERDICT_COMPILE_ERROR)
                fail_msg("%s [%s]: %s", verdict_name(build.verdict), build.detail,
                         text_string(&build.messages));
            build_release(&build);
        }
        runtime_release(&runtime);
    }
}

/* Compilers that make objects and no static programs. */
static void test_compiler__a_machine_that_links_nothing_is_not_the_learners_fault(void **state)
{
    (void)state;
    static const struct {
        const char *complaint, *detail;
    } trials[] = {
        {"tcc: error: Unknown relocation type for got: 23",
         "this compiler can't link static programs"},
        {"/usr/bin/ld: cannot find -lm: No such file or directory",
         "the static C library is missing"},
    };
    struct workshop workshop;
    workshop_open(&workshop);
    for (size_t i = 0; i < 2; i++) {
        char folder[64] = "", says[512];
        struct compiler compiler = workshop.compilers[0];
        struct build build;
        snprintf(says, sizeof says,
                 "case \"$*\" in *-static*) echo '%s' >&2; exit 1 ;; esac\nexec %s \"$@\"",
                 trials[i].complaint, workshop.compilers[0].path);
        make_compiler(folder, "acc", says);
        snprintf(compiler.path, sizeof compiler.path, "%s/acc", folder);
        struct compile_request request = workshop_request(&workshop, 0);
        request.compiler = &compiler;
        struct runtime runtime = make_runtime(&request);
        build_program(&request, &runtime, "anna.c", FILE_AROUND(""), strlen(FILE_AROUND("")),
                      &build);
        assert_int_equal(build.verdict, VERDICT_INTERNAL_ERROR);
        assert_string_equal(build.detail, trials[i].detail);
        build_release(&build);
        runtime_release(&runtime);
        remove_compiler(folder, "acc");
    }
}

static void test_compiler__limits_of_a_step_are_told_apart(void **state)
{
    (void)state;
    struct workshop workshop;
    struct text bomb = {.bytes = NULL}, flood = {.bytes = NULL};
    text_put(&bomb, "#define X0 ;\n");
    for (int i = 1; i <= 40; i++)
        text_format(&bomb, "#define X%d X%d X%d\n", i, i - 1, i - 1);
    text_put(&bomb, FILE_AROUND("X40"));
    text_put(&flood, "#if __INCLUDE_LEVEL__ < 150\n");
    for (int i = 0; i < 4; i++)
        text_put(&flood, "#pragma message \"0123456789012345678901234567890123456789\"\n");
    text_put(&flood, "#include __FILE__\n#include __FILE__\n#endif\n");
    const struct trial trials[] = {
        {text_string(&bomb), VERDICT_COMPILE_ERROR, "time", "seconds"},
        {text_string(&flood), VERDICT_COMPILE_ERROR, "output", "too many complaints"},
        {"char filled[20 << 20] = {1};\n" FILE_AROUND("weights[0] = filled[rows];"),
         VERDICT_COMPILE_ERROR, "output", "too large"},
    };
    workshop_open(&workshop);
    assert_all_build(&workshop, trials + 1, 2);
    workshop.limits.compile.address_space_bytes = 0; /* time shall end it first */
    workshop.limits.compile.memory_bytes = (size_t)1 << 30;
    for (unsigned c = 0; c < workshop.n_compilers; c++) {
        struct compile_request request = workshop_request(&workshop, c);
        struct runtime runtime = make_runtime(&request); /* which has all its time */
        unsigned usual_ms = workshop.limits.compile.wall_ms;
        workshop.limits.compile.wall_ms = 1500;
        assert_builds(&request, &runtime, &trials[0]);
        workshop.limits.compile.wall_ms = usual_ms;
        runtime_release(&runtime);
    }
    text_release(&bomb);
    text_release(&flood);
}

static void test_compiler__memory_is_limited(void **state)
{
    (void)state;
    struct workshop workshop;
    struct text bomb = {.bytes = NULL};
    workshop_open(&workshop);
    if (!(workshop.layers & LAYER_RLIMITS))
        skip();
    text_put(&bomb, "#define X0 ;\n");
    for (int i = 1; i <= 40; i++)
        text_format(&bomb, "#define X%d X%d X%d\n", i, i - 1, i - 1);
    text_put(&bomb, FILE_AROUND("X40"));
    for (unsigned c = 0; c < workshop.n_compilers; c++) {
        struct compile_request request = workshop_request(&workshop, c);
        struct runtime runtime = make_runtime(&request);
        struct build build;
        workshop.limits.compile.address_space_bytes = (size_t)256 << 20;
        build_program(&request, &runtime, "anna.c", bomb.bytes, bomb.size, &build);
        assert_int_equal(build.verdict, VERDICT_COMPILE_ERROR);
        assert_string_equal(build.detail, "memory");
        build_release(&build);
        runtime_release(&runtime);
        workshop.limits = limits_default;
    }
    text_release(&bomb);
}

/* Words of an error message, or of the source, are not the compiler's own. */
static void test_compiler__quoted_words_do_not_mislead(void **state)
{
    (void)state;
    struct workshop workshop;
    static const struct trial trials[] = {
        {FILE_AROUND("puts(\"out of memory\"), x;"), VERDICT_COMPILE_ERROR, "", "puts"},
        {"#error internal compiler error: out of memory\n" FILE_AROUND(""), VERDICT_COMPILE_ERROR,
         "", ""},
    };
    workshop_open(&workshop);
    assert_all_build(&workshop, trials, COUNT_OF(trials));
}

static void test_compiler__words_are_forbidden_or_asked_for(void **state)
{
    (void)state;
    struct workshop workshop;
    char malloc_word[] = "malloc", for_word[] = "for", why[] = "One pass needs no memory.";
    struct exercise_word forbid = {malloc_word, why}, require = {for_word, why};
    workshop_open(&workshop);
    workshop.exercise.forbid = &forbid;
    workshop.exercise.n_forbid = 1;
    workshop.exercise.require = &require;
    workshop.exercise.n_require = 1;
    static const struct trial trials[] = {
        {"#include <stdlib.h>\n" FILE_AROUND("for (;;) free(malloc(1));"), VERDICT_COMPILE_ERROR,
         "forbidden word", "One pass needs no memory."},
        {FILE_AROUND("/* for */"), VERDICT_COMPILE_ERROR, "missing word",
         "One pass needs no memory."},
        {FILE_AROUND("for (;;) { } /* malloc */"), VERDICT_PASS, "", ""},
        /* what does not compile is told first */
        {FILE_AROUND("malloc"), VERDICT_COMPILE_ERROR, "", "malloc"},
    };
    assert_all_build(&workshop, trials, COUNT_OF(trials));
}

static void test_compiler__a_hostile_file_name_stays_text(void **state)
{
    (void)state;
    struct workshop workshop;
    struct build build;
    const char source[] = FILE_AROUND("x;");
    workshop_open(&workshop);
    struct compile_request request = workshop_request(&workshop, 0);
    struct runtime runtime = make_runtime(&request);
    build_program(&request, &runtime, "-o\x1b[2J; rm *.c", source, sizeof source - 1, &build);
    assert_int_equal(build.verdict, VERDICT_COMPILE_ERROR);
    assert_non_null(strstr(text_string(&build.messages), "-o\\x1B[2J; rm *.c:3:"));
    build_release(&build);
    runtime_release(&runtime);
}

/* Nothing is left open, however a build ends. */
static void test_compiler__descriptors_are_given_back(void **state)
{
    (void)state;
    struct workshop workshop;
    static const char *const sources[] = {FILE_AROUND(""), FILE_AROUND("x;"), ""};
    workshop_open(&workshop);
    struct compile_request request = workshop_request(&workshop, 0);
    struct runtime runtime = make_runtime(&request);
    int before = open("/dev/null", O_RDONLY);
    close(before);
    for (size_t i = 0; i < COUNT_OF(sources); i++) {
        struct build build;
        build_program(&request, &runtime, "anna.c", sources[i], strlen(sources[i]), &build);
        build_release(&build);
        int after = open("/dev/null", O_RDONLY);
        assert_int_equal(after, before);
        close(after);
    }
    runtime_release(&runtime);
}

static void test_compiler__failed_allocations_are_our_own_fault(void **state)
{
    (void)state;
    struct workshop workshop;
    const char source[] = FILE_AROUND("x;"); /* does not get as far as the linker */
    workshop_open(&workshop);
    struct compile_request request = workshop_request(&workshop, 0);
    struct runtime runtime = make_runtime(&request);
    struct build build = {.verdict = VERDICT_INTERNAL_ERROR};
    long nth = 0;
    do {
        testing_fail_allocation(++nth);
        build_program(&request, &runtime, "anna.c", source, sizeof source - 1, &build);
        testing_fail_allocation(0);
        if (build.verdict != VERDICT_INTERNAL_ERROR)
            assert_int_equal(build.verdict, VERDICT_COMPILE_ERROR);
        assert_int_equal(build.program_fd, -1);
        bool done = build.verdict == VERDICT_COMPILE_ERROR && build.plain.size > 0;
        build_release(&build);
        if (done)
            break;
    } while (nth < 200);
    assert_in_range(nth, 2, 199);
    runtime_release(&runtime);
}

int main(void)
{
    unsetenv("CC"); /* which the build sets for itself */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compiler__family_and_version_are_told),
        cmocka_unit_test(test_compiler__a_path_and_a_name_and_cc_are_understood),
        cmocka_unit_test(test_compiler__versions_are_remembered),
        cmocka_unit_test(test_compiler__what_fails_is_no_compiler),
        cmocka_unit_test(test_compiler__right_files_become_programs),
        cmocka_unit_test(test_compiler__a_program_is_a_static_executable),
        cmocka_unit_test(test_compiler__faults_are_compile_errors),
        cmocka_unit_test(test_compiler__faults_that_the_linker_finds_are_link_errors),
        cmocka_unit_test(test_compiler__a_forged_complaint_does_not_blame_the_machine),
        cmocka_unit_test(test_compiler__a_machine_that_links_nothing_is_not_the_learners_fault),
        cmocka_unit_test(test_compiler__limits_of_a_step_are_told_apart),
        cmocka_unit_test(test_compiler__memory_is_limited),
        cmocka_unit_test(test_compiler__quoted_words_do_not_mislead),
        cmocka_unit_test(test_compiler__words_are_forbidden_or_asked_for),
        cmocka_unit_test(test_compiler__a_hostile_file_name_stays_text),
        cmocka_unit_test(test_compiler__descriptors_are_given_back),
        cmocka_unit_test(test_compiler__failed_allocations_are_our_own_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
