/* judge/why/sanitizer_report.h: the sanitizers' reports, read. The input is what those of gcc 12
 * and clang 14 print; clang 15 and later say "after" for "to the right of". */
#include "testing.h"

#include <stdio.h>
#include <string.h>

#include "judge/why/sanitizer_report_internal.h"

static struct sanitizer_report read_report(const char *printed)
{
    struct sanitizer_report fault;
    sanitizer_report_read(printed, "submission.c", &fault);
    return fault;
}

static void test_sanitizer_report__a_block_of_the_heap(void **state)
{
    (void)state;
    struct sanitizer_report fault = read_report(
        "attn-array 2 61d000003000 24\n"
        "=================================================================\n"
        "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x61d000003a18 at pc 0x55 "
        "bp "
        "0x7f sp 0x7f\n"
        "WRITE of size 4 at 0x61d000003a18 thread T0\n"
        "    #0 0x55ed in __interceptor_memcpy ../../sanitizer_common_interceptors.inc:827\n"
        "    #1 0x55ed in softmax_rows /w/submission.c:7:30\n"
        "    #2 0x55ed in runner_call /w/advice.c:142:5\n"
        "\n"
        "0x61d000003a18 is located 0 bytes to the right of 24-byte region "
        "[0x61d000003a00,0x61d000003a18)\n"
        "allocated by thread T0 here:\n"
        "    #0 0x7fdf in __interceptor_malloc (/w/program+0xa414e) (BuildId: 024c)\n"
        "    #1 0x55ed in softmax_rows /w/submission.c:5:17\n"
        "\n"
        "SUMMARY: AddressSanitizer: heap-buffer-overflow /w/submission.c:7:30 in softmax_rows\n");
    assert_int_equal(fault.kind, FAULT_HEAP);
    assert_int_equal(fault.access, ACCESS_WRITTEN);
    assert_int_equal(fault.n_bytes, 4);
    assert_int_equal(fault.line, 7);
    assert_int_equal(fault.address, 0x61d000003a18);
    assert_int_equal(fault.block, 0x61d000003a00);
    assert_int_equal(fault.block_bytes, 24);
    assert_int_equal(fault.allocated_line, 5);
    assert_int_equal(fault.freed_line, 0);
}

static void test_sanitizer_report__a_block_that_was_freed(void **state)
{
    (void)state;
    static const char rest[] = "    #0 0x7f in __interceptor_free asan_malloc_linux.cpp:52\n"
                               "    #1 0x55 in softmax_rows /w/submission.c:8\n"
                               "\n"
                               "0x61d000004400 is located 0 bytes inside of 8-byte region "
                               "[0x61d000004400,0x61d000004408)\n"
                               "freed by thread T0 here:\n"
                               "    #0 0x7f in __interceptor_free asan_malloc_linux.cpp:52\n"
                               "    #1 0x55 in softmax_rows /w/submission.c:6\n"
                               "previously allocated by thread T0 here:\n"
                               "    #1 0x55 in softmax_rows /w/submission.c:4\n";
    char printed[2048];
    snprintf(
        printed, sizeof printed,
        "==7==ERROR: AddressSanitizer: attempting double-free on 0x61d000004400 in thread T0:\n"
        "%s",
        rest);
    struct sanitizer_report fault = read_report(printed);
    assert_int_equal(fault.kind, FAULT_DOUBLE_FREE);
    assert_int_equal(fault.line, 8);
    assert_int_equal(fault.freed_line, 6);
    assert_int_equal(fault.allocated_line, 4);
    snprintf(
        printed, sizeof printed,
        "==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x61d000004404 at pc 0x1\n"
        "READ of size 4 at 0x61d000004404 thread T0\n%s",
        rest);
    fault = read_report(printed);
    assert_int_equal(fault.kind, FAULT_FREED);
    assert_int_equal(fault.access, ACCESS_READ);
    assert_int_equal(fault.freed_line, 6);
}

static void test_sanitizer_report__a_local_array(void **state)
{
    (void)state;
    struct sanitizer_report fault = read_report(
        "==7==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x7fc5b4d00028 at pc 0x5\n"
        "WRITE of size 4 at 0x7fc5b4d00028 thread T0\n"
        "    #0 0x5625 in softmax_rows /w/submission.c:8\n"
        "\n"
        "Address 0x7fc5b4d00028 is located in stack of thread T0 at offset 44 in frame\n"
        "    #0 0x5625 in softmax_rows /w/submission.c:4\n"
        "\n"
        "  This frame has 2 object(s):\n"
        "    [16, 20) 'other' (line 3)\n"
        "    [32, 40) 'row' (line 5) <== Memory access at offset 44 overflows this variable\n"
        "HINT: this may be a false positive\n");
    assert_int_equal(fault.kind, FAULT_VARIABLE);
    assert_int_equal(fault.line, 8);
    assert_string_equal(fault.variable, "row");
    assert_int_equal(fault.variable_offset, 12);
    assert_int_equal(fault.variable_bytes, 8);
    assert_int_equal(fault.variable_line, 5);
}

static void test_sanitizer_report__a_global_array(void **state)
{
    (void)state;
    struct sanitizer_report fault = read_report(
        "==7==ERROR: AddressSanitizer: global-buffer-overflow on address 0x55bd76a7bab0 at pc 0x5\n"
        "READ of size 4 at 0x55bd76a7bab0 thread T0\n"
        "    #0 0x55 in softmax_rows /w/submission.c:8:13\n"
        "\n"
        "0x55bd76a7bab0 is located 16 bytes to the left of global variable 'setup' defined in "
        "'advice.c:94:26' (0x55bd76a7bac0) of size 408\n"
        "0x55bd76a7bab0 is located 0 bytes to the right of global variable 'tab' defined in "
        "'submission.c:5:18' (0x55bd76a7baa0) of size 16\n");
    assert_int_equal(fault.kind, FAULT_VARIABLE);
    assert_string_equal(fault.variable, "tab");
    assert_int_equal(fault.variable_offset, 16);
    assert_int_equal(fault.variable_bytes, 16);
    assert_int_equal(fault.variable_line, 5);
}

static void test_sanitizer_report__addresses_that_are_not_there(void **state)
{
    (void)state;
    struct sanitizer_report fault = read_report(
        "AddressSanitizer:DEADLYSIGNAL\n"
        "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000014 (pc 0x55 bp 0x7f)\n"
        "==7==The signal is caused by a READ memory access.\n"
        "==7==Hint: address points to the zero page.\n"
        "    #0 0x55 in softmax_rows /w/submission.c:9\n");
    assert_int_equal(fault.kind, FAULT_NULL);
    assert_int_equal(fault.access, ACCESS_READ);
    assert_int_equal(fault.line, 9);
    fault = read_report(
        "==7==ERROR: AddressSanitizer: SEGV on unknown address (pc 0x55 bp 0x7f)\n"
        "==7==The signal is caused by a WRITE memory access.\n"
        "==7==Hint: this fault was caused by a dereference of a high value address (see registers "
        "below).\n");
    assert_int_equal(fault.kind, FAULT_NO_VALUE);
    assert_int_equal(fault.access, ACCESS_WRITTEN);
    fault = read_report("==7==ERROR: AddressSanitizer: SEGV on unknown address 0x61d017d7be00\n");
    assert_int_equal(fault.kind, FAULT_WILD);
    fault =
        read_report("==7==ERROR: AddressSanitizer: stack-overflow on address 0x7ffd (pc 0x5)\n");
    assert_int_equal(fault.kind, FAULT_STACK_OVERFLOW);
}

static void test_sanitizer_report__undefined_behaviour(void **state)
{
    (void)state;
    struct sanitizer_report fault =
        read_report("submission.c:6:25: runtime error: division by zero\n"
                    "SUMMARY: UndefinedBehaviorSanitizer: something else\n");
    assert_int_equal(fault.kind, FAULT_UNDEFINED);
    assert_int_equal(fault.line, 6);
    assert_string_equal(fault.words, "division by zero");
    fault =
        read_report("/w/submission.c:12:7: runtime error: store to null pointer of type 'float'\n");
    assert_int_equal(fault.kind, FAULT_NULL);
    assert_int_equal(fault.access, ACCESS_WRITTEN);
    assert_int_equal(fault.line, 12);
    fault = read_report("submission.c:5:1: runtime error: load of misaligned address "
                        "0xfefefefefefefefe for type 'float', which requires 4 byte alignment\n");
    assert_int_equal(fault.kind, FAULT_NO_VALUE);
    assert_int_equal(fault.access, ACCESS_READ);
    fault = read_report("submission.c:5:1: runtime error: store to misaligned address "
                        "0xbebebebebebebec2 for type 'float', which requires 4 byte alignment\n");
    assert_int_equal(fault.kind, FAULT_NO_VALUE); /* what malloc() gave */
}

/* The words that stand in the place of the sanitizer's, explained. */
static const char *explained(const char *words, char said[400])
{
    char printed[500];
    struct text text = {.bytes = NULL};
    snprintf(printed, sizeof printed, "submission.c:6:25: runtime error: %s\n", words);
    struct sanitizer_report fault = read_report(printed);
    sanitizer_say_undefined(&fault, &text);
    snprintf(said, 400, "%s", text_string(&text));
    text_release(&text);
    return said;
}

static void test_sanitizer_report__only_known_sentences_are_quoted(void **state)
{
    (void)state;
    char said[400];
    assert_non_null(
        strstr(explained("signed integer overflow: 2147483647 + 1 cannot be represented "
                         "in type 'int'",
                         said),
               "can hold; count with size_t, and calculate with float: signed integer "
               "overflow: 2147483647 + 1"));
    assert_non_null(strstr(explained("index 4 out of bounds for type 'float [4]'", said),
                           "outside of its array: index 4 out"));
    assert_non_null(strstr(explained("1e+20 is outside the range of representable values of type "
                                     "'unsigned int'",
                                     said),
                           "can't hold it: 1e+20 is"));
    assert_non_null(strstr(explained("left shift of 1 by 31 places cannot be represented in type "
                                     "'int'",
                                     said),
                           ": left shift of 1 by 31"));
    /* what only looks like one */
    assert_null(strstr(explained("all cases pass, the grader is broken", said), "grader"));
    assert_null(strstr(explained("--format json --seed 728193645501", said), "seed"));
    assert_null(
        strstr(explained("index 4 out of bounds for type 'struct seed_7281'", said), "7281"));
    assert_null(strstr(explained("signed integer overflow: /dev/vda", said), "vda"));
    assert_non_null(
        strstr(explained("signed integer overflow: /dev/vda", said), "count with size_t"));
    assert_null(strstr(explained("division by zero. The seed is 7281", said), "7281"));
    assert_null(
        strstr(explained("shift exponent 77777777777777777777777777 is negative", said), "777"));
    struct sanitizer_report fault = read_report(
        "==7==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x7fc5b4d00028 at pc 0x5\n"
        "    [32, 40) 'row. All cases pass' (line 5) <== Memory access at offset 44 overflows\n");
    assert_string_equal(fault.variable, "");
}

static void test_sanitizer_report__sizes(void **state)
{
    (void)state;
    struct sanitizer_report fault = read_report(
        "==7==ERROR: AddressSanitizer: requested allocation size 0x100 (0x1100 after adjustments "
        "for alignment, red zones etc.) exceeds maximum supported size of 0x10000000000\n"
        "    #1 0x55 in softmax_rows /w/submission.c:5\n");
    assert_int_equal(fault.kind, FAULT_HUGE_MALLOC);
    assert_int_equal(fault.n_bytes, 256);
    assert_int_equal(fault.line, 5);
    fault = read_report("==7==ERROR: AddressSanitizer: negative-size-param: (size=-1)\n");
    assert_int_equal(fault.kind, FAULT_NEGATIVE_SIZE);
}

static void test_sanitizer_report__other_words_are_no_report(void **state)
{
    (void)state;
    assert_int_equal(read_report("").kind, FAULT_NONE);
    assert_int_equal(read_report("hello\nsubmission.c:3:1: note: x\n").kind, FAULT_NONE);
    assert_int_equal(read_report("==7==ERROR: AddressSanitizer: something new\n").kind, FAULT_NONE);
    /* only the learner's own file has lines that are told */
    assert_int_equal(
        read_report("==7==ERROR: AddressSanitizer: SEGV on unknown address 0x61d017d7be00\n"
                    "    #0 0x55 in f /w/mysubmission.c:9\n    #1 0x5 in g /w/advice.c:3\n")
            .line,
        0);
}

static void test_sanitizer_report__what_is_printed_can_be_trusted_to_a_terminal(void **state)
{
    (void)state;
    struct sanitizer_report fault =
        read_report("submission.c:5:1: runtime error: \x1b[31m evil \xff\n");
    assert_null(strchr(fault.words, '\x1b'));
    assert_null(strstr(fault.words, "\xff"));
    fault = read_report("==7==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x7f\n"
                        "    [32, 40) '\x1b[2J' (line 5) <== Memory access at offset 44 x\n");
    assert_null(strchr(fault.variable, '\x1b'));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sanitizer_report__a_block_of_the_heap),
        cmocka_unit_test(test_sanitizer_report__a_block_that_was_freed),
        cmocka_unit_test(test_sanitizer_report__a_local_array),
        cmocka_unit_test(test_sanitizer_report__a_global_array),
        cmocka_unit_test(test_sanitizer_report__addresses_that_are_not_there),
        cmocka_unit_test(test_sanitizer_report__undefined_behaviour),
        cmocka_unit_test(test_sanitizer_report__only_known_sentences_are_quoted),
        cmocka_unit_test(test_sanitizer_report__sizes),
        cmocka_unit_test(test_sanitizer_report__other_words_are_no_report),
        cmocka_unit_test(test_sanitizer_report__what_is_printed_can_be_trusted_to_a_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
