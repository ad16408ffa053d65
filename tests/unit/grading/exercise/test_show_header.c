/* exercise/task.h: SHOW with a compiler and a main() of one's own, and where it does
 * nothing.
 */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exercise/task.h"

static const char program[] = "#include \"attn_show.h\"\n"
                              "int main(void)\n"
                              "{\n"
                              "    const float x[6] = {1, 2, 3, 4, 5, 6.5f};\n"
                              "    double total = 0;\n"
                              "    int *none = NULL;\n"
                              "    size_t n = 2;\n"
                              "    SHOW(x, n, 3);\n"
                              "    SHOW(x, 2);\n"
                              "    SHOW(total += 21.5);\n"
                              "    SHOW(none, 1, 2);\n"
                              "    SHOW(n);\n"
                              "    return total > 0;\n"
                              "}\n";

static char folder[64];

static void write_text(const char *name, const struct text *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text_string(text), 1, text->size, file), text->size);
    assert_int_equal(fclose(file), 0);
}

/* Compiles and runs the program with the header; its exit code, and all that it said. */
static int run(enum show_use use, char said[4096])
{
    struct text header = {.bytes = NULL}, source = {.bytes = NULL};
    char command[512];
    snprintf(folder, sizeof folder, "/tmp/attn-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    show_header(use, &header);
    text_put(&source, program);
    write_text(SHOW_HEADER_FILE, &header);
    write_text("own.c", &source);
    text_release(&header);
    text_release(&source);
    snprintf(command, sizeof command,
             "cd %s && { cc -std=c17 -Wall -Wextra -Werror own.c -o own && ./own; code=$?; } 2>&1; "
             "rm -r %s; exit $code",
             folder, folder);
    FILE *pipe = popen(command, "r"); /* NOLINT: names of our own */
    assert_non_null(pipe);
    said[fread(said, 1, 4095, pipe)] = '\0';
    return pclose(pipe) >> 8;
}

static void test_show_header__prints_where_attn_is_not(void **state)
{
    (void)state;
    char said[4096];
    assert_int_equal(run(SHOW_PRINTS, said), 1);
    assert_string_equal(said, "x  2x3\n"
                              "         1         2         3\n"
                              "         4         5       6.5\n"
                              "x  2\n"
                              "         1         2\n"
                              "total += 21.5 = 21.5\n"
                              "none  1x2\n"
                              "n = 2\n");
}

/* Not even what its arguments would do. */
static void test_show_header__does_nothing_where_it_is_graded(void **state)
{
    (void)state;
    char said[4096];
    assert_int_equal(run(SHOW_NOTHING, said), 0);
    assert_string_equal(said, "");
}

static void test_show_header__is_asked_for_by_its_name(void **state)
{
    (void)state;
    assert_true(show_is_asked(program, strlen(program)));
    assert_false(show_is_asked("int x;", 6));
    assert_false(show_is_asked("attn_show.h", 10));
    assert_false(show_is_asked("", 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_show_header__prints_where_attn_is_not),
        cmocka_unit_test(test_show_header__does_nothing_where_it_is_graded),
        cmocka_unit_test(test_show_header__is_asked_for_by_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
