/* compile/linker_internal.h, and building ahead (compile/build_ahead.h): what saves time between a
 * save and its verdict, and changes no verdict. */
#include "compile_testing.h"

#include "compile/build_ahead.h"
#include "compile/linker_internal.h"

static const char calls_nothing[] = FILE_AROUND("");
/* What the runner itself does not call: it comes from the C library in the last step. */
static const char calls_library[] =
    "#include <math.h>\n#include <stdio.h>\n" FILE_AROUND("weights[0] = powf(scores[0], 3);"
                                                          "printf(\"%f\", (double)scores[1]);");

static struct runtime build_runtime(const struct compile_request *request)
{
    struct runtime runtime;
    struct compile_request many = *request;
    struct error error;
    many.links_many = true;
    if (!runtime_build(&many, &runtime, &error))
        fail_msg("%s", error.text);
    return runtime;
}

static struct build built(const struct compile_request *request, const struct runtime *runtime,
                          const char *source)
{
    struct build build;
    build_program(request, runtime, "anna.c", source, strlen(source), &build);
    return build;
}

/* Links an object without the compiler. */
static bool links(const struct compile_request *request, const struct linker *linker,
                  const char *source)
{
    struct compile_step step = {.run = NULL};
    struct link_step link = {.run = NULL};
    struct boxed_result result;
    struct error error;
    char object[1 << 16];
    uint64_t us = 0;
    int fd = -1;
    if (!compile_step_begin(request, source, strlen(source), &step, &error) ||
        !compile_step_end(&step, &fd, &result, &error))
        fail_msg("%s", error.text);
    ssize_t size = pread(fd, object, sizeof object, 0);
    assert_true(size > 0 && (size_t)size < sizeof object);
    close(fd);
    boxed_result_release(&result);
    linker_begin(linker, request, &link);
    fd = linker_end(&link, request, object, (size_t)size, &us);
    bool ok = fd >= 0 && box_can_run(fd);
    if (fd >= 0)
        close(fd);
    return ok;
}

/* With GNU's linker, and a C library that has static programs. */
static void test_linker__links_without_the_compiler(void **state)
{
    const struct workshop *workshop = *state;
    for (unsigned i = 0; i < workshop->n_compilers; i++) {
        struct compile_request request = workshop_request(workshop, i);
        struct runtime runtime = build_runtime(&request);
        assert_true(linker_is_ready(&runtime.linker));
        assert_true(linker_is_current(&runtime.linker));
        assert_true(links(&request, &runtime.linker, calls_nothing));
        assert_true(links(&request, &runtime.linker, calls_library));
        assert_false(links(&request, &runtime.linker, "int nothing;\n"));
        assert_false(
            links(&request, &runtime.linker, FILE_AROUND("") "int main(void) { return 0; }\n"));
        runtime_release(&runtime);
    }
}

/* Whatever the linker is, the verdict is the compiler's. */
static void test_linker__one_that_fails_changes_no_verdict(void **state)
{
    const struct workshop *workshop = *state;
    struct compile_request request = workshop_request(workshop, 0);
    struct runtime runtime = build_runtime(&request);
    text_clear(&runtime.linker.words);
    text_add(&runtime.linker.words, "/bin/false\0-o\0program", sizeof "/bin/false\0-o\0program");
    struct build build = built(&request, &runtime, calls_library);
    assert_int_equal(build.verdict, VERDICT_PASS);
    assert_true(build.program_fd >= 0);
    build_release(&build);
    build = built(&request, &runtime, "int nothing;\n");
    assert_int_equal(build.verdict, VERDICT_LINK_ERROR);
    assert_string_equal(build.detail, "function missing");
    build_release(&build);
    runtime_release(&runtime);
}

static void test_linker__is_none_of_an_unknown_compiler(void **state)
{
    const struct workshop *workshop = *state;
    struct compile_request request = workshop_request(workshop, 0);
    struct compiler unknown = *request.compiler;
    unknown.family = COMPILER_OTHER;
    request.compiler = &unknown;
    struct runtime runtime = build_runtime(&request);
    assert_false(linker_is_ready(&runtime.linker));
    struct build build = built(&request, &runtime, calls_library);
    assert_int_equal(build.verdict, VERDICT_PASS);
    build_release(&build);
    runtime_release(&runtime);
}

static void test_linker__other_libraries_are_noticed(void **state)
{
    const struct workshop *workshop = *state;
    struct compile_request request = workshop_request(workshop, 0);
    struct runtime runtime = build_runtime(&request);
    assert_non_null(strstr(text_string(&runtime.linker.libraries), "libc.a"));
    runtime.linker.libraries.bytes[runtime.linker.libraries.size - 2] ^= 1; /* a digit of a time */
    assert_false(linker_is_current(&runtime.linker));
    runtime_release(&runtime);
}

/* ---- building ahead ---- */

static void test_build_ahead__is_taken_for_its_text_alone(void **state)
{
    const struct workshop *workshop = *state;
    struct compile_request request = workshop_request(workshop, 0);
    struct runtime runtime = build_runtime(&request);
    struct build_ahead ahead = {.layers = 0};
    build_begin(&request, "anna.c", calls_nothing, sizeof calls_nothing - 1, &ahead);
    assert_non_null(ahead.step.run);
    request.ahead = &ahead;
    struct build build = built(&request, &runtime, calls_library);
    assert_int_equal(build.verdict, VERDICT_PASS);
    assert_non_null(ahead.step.run);
    build_release(&build);
    build = built(&request, &runtime, calls_nothing);
    assert_int_equal(build.verdict, VERDICT_PASS);
    assert_null(ahead.step.run);
    build_release(&build);
    build = built(&request, &runtime, calls_nothing); /* once more, from the begin */
    assert_int_equal(build.verdict, VERDICT_PASS);
    build_release(&build);
    build_give_up(&ahead);
    runtime_release(&runtime);
}

static void test_build_ahead__tells_what_is_wrong(void **state)
{
    const struct workshop *workshop = *state;
    static const char wrong[] = FILE_AROUND("weights[0] = score[0];");
    for (unsigned i = 0; i < workshop->n_compilers; i++) {
        struct compile_request request = workshop_request(workshop, i);
        struct runtime runtime = build_runtime(&request);
        struct build_ahead ahead = {.layers = 0};
        build_begin(&request, "anna.c", wrong, sizeof wrong - 1, &ahead);
        request.ahead = &ahead;
        struct build build = built(&request, &runtime, wrong);
        assert_int_equal(build.verdict, VERDICT_COMPILE_ERROR);
        assert_non_null(strstr(text_string(&build.messages), "anna.c:3"));
        build_release(&build);
        build_give_up(&ahead);
        runtime_release(&runtime);
    }
}

static void test_build_ahead__can_be_given_up(void **state)
{
    const struct workshop *workshop = *state;
    struct compile_request request = workshop_request(workshop, 0);
    struct build_ahead ahead = {.layers = 0};
    build_begin(&request, "anna.c", calls_nothing, sizeof calls_nothing - 1, &ahead);
    build_give_up(&ahead);
    build_give_up(&ahead);
    assert_null(ahead.step.run);
}

int main(void)
{
    static struct workshop workshop;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_linker__links_without_the_compiler, &workshop),
        cmocka_unit_test_prestate(test_linker__one_that_fails_changes_no_verdict, &workshop),
        cmocka_unit_test_prestate(test_linker__is_none_of_an_unknown_compiler, &workshop),
        cmocka_unit_test_prestate(test_linker__other_libraries_are_noticed, &workshop),
        cmocka_unit_test_prestate(test_build_ahead__is_taken_for_its_text_alone, &workshop),
        cmocka_unit_test_prestate(test_build_ahead__tells_what_is_wrong, &workshop),
        cmocka_unit_test_prestate(test_build_ahead__can_be_given_up, &workshop),
    };
    workshop_open(&workshop);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
