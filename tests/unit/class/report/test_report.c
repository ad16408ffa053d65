/* report/report.h: the formats, files, reading back and merging. That other programs read what is
 * written here is tried by tests/script/test_report.py. */
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "report/report.h"
#include "show/backend.h"

static void add(struct results *results, const char *file, const char *student,
                enum verdict verdict, double score)
{
    struct result result;
    struct error error;
    result_init(&result);
    assert_true(result_name(&result, file, student, "softmax-rows", &error));
    assert_true(result_say(&result, verdict, "", "Look at row 1.", &error));
    result_judge(&result, score, 10);
    result.time_ms = 250;
    assert_true(results_insert(results, results->n, &result, &error));
}

static void add_idea(struct results *results, const char *id)
{
    struct error error;
    assert_true(result_add_idea(&results->items[results->n - 1], id, "Which sum is 1?", &error));
}

static struct results example(void)
{
    struct results results = {.seed = 42};
    text_put(&results.sandbox, "rlimits\nseccomp\n");
    add(&results, "class/anna/softmax_rows.c", "anna", VERDICT_PASS, 10);
    add(&results, "class/bob/softmax_rows.c", "bob", VERDICT_WRONG_ANSWER, 2.5);
    add_idea(&results, "over-columns");
    add(&results, "class/carl/softmax_rows.c", "carl", VERDICT_TIME_LIMIT, 0);
    return results;
}

static struct text written(const struct results *results, const char *format)
{
    struct text text = {0};
    struct error error;
    assert_non_null(report_format(format));
    if (!report_write(report_format(format), results, &text, &error))
        fail_msg("%s", error.text);
    return text;
}

static void assert_holds(const struct text *text, const char *part)
{
    if (strstr(text_string(text), part) == NULL)
        fail_msg("\"%s\" is not in:\n%s", part, text_string(text));
}

static void assert_holds_not(const struct text *text, const char *part)
{
    if (strstr(text_string(text), part) != NULL)
        fail_msg("\"%s\" is in:\n%s", part, text_string(text));
}

static void test_report__formats_are_found_by_name(void **state)
{
    (void)state;
    static const char *const promised[] = {
        "text", "json",  "junit", "tap",    "gradescope", "classroom50",    "autolab",
        "csv",  "table", "html",  "canvas", "moodle",     "moodle_feedback"};
    assert_int_equal(n_report_formats, COUNT_OF(promised));
    for (size_t i = 0; i < n_report_formats; i++)
        assert_non_null(report_format(promised[i]));
    assert_null(report_format("xml"));
    assert_null(report_format(""));
}

/* Reading back. */

static bool read_json(const char *bytes, size_t size, struct results *ret, struct error *reterr)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    rewind(file);
    bool ok = report_read_json("a.json", file, ret, reterr);
    fclose(file);
    return ok;
}

static struct results read_back(const struct text *text)
{
    struct results results = {0};
    struct error error;
    if (!read_json(text_string(text), text->size, &results, &error))
        fail_msg("%s", error.text);
    return results;
}

static void test_report__json_read_and_written_again_is_the_same(void **state)
{
    (void)state;
    struct results results = example();
    results.seed = (UINT64_C(1) << 53) - 1; /* the largest that every JSON reader keeps */
    struct text once = written(&results, "json");
    struct results again = read_back(&once);
    assert_int_equal(again.seed, results.seed);
    assert_int_equal(again.n, 3);
    assert_string_equal(text_string(&again.sandbox), "rlimits\nseccomp\n");
    struct text twice = written(&again, "json");
    assert_string_equal(text_string(&once), text_string(&twice));
    text_release(&once);
    text_release(&twice);
    results_release(&results);
    results_release(&again);
}

static void test_report__what_is_no_report_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *json, *says;
    } files[] = {
        {"", "line 1"},
        {"{\"schema\":\"attn-grade/1\",\"seed\":1", "line 1"},
        {"[]", "an object"},
        {"{}", "schema"},
        {"{\"schema\":\"attn-grade/2\"}", "schema"},
        {"{\"schema\":\"attn-grade/1\",\"seed\":-1}", "seed"},
        {"{\"schema\":\"attn-grade/1\",\"seed\":9007199254740992}", "seed"},
        {"{\"schema\":\"attn-grade/1\",\"seed\":1.5}", "seed"},
        {"{\"schema\":\"attn-grade/1\",\"seed\":1,\"sandbox\":\"x\"}", "sandbox"},
        {"{\"schema\":\"attn-grade/1\",\"seed\":1,\"sandbox\":[1]}", "sandbox"},
        {"{\"schema\":\"attn-grade/1\",\"seed\":1,\"sandbox\":[],\"results\":{}}", "results"},
        {"{\"schema\":\"attn-grade/1\",\"seed\":1,\"sandbox\":[],\"results\":[{}]}",
         "results[0].file"},
    };
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        struct results results = {.seed = 7};
        struct error error;
        assert_error(read_json(files[i].json, strlen(files[i].json), &results, &error), error,
                     ERR_FILE);
        assert_says(error, files[i].says);
        assert_says(error, "a.json");
        assert_int_equal(results.seed, 7); /* untouched */
    }
}

static void test_report__a_cut_json_is_refused_wherever_it_was_cut(void **state)
{
    (void)state;
    struct results results = example();
    struct text text = written(&results, "json");
    for (size_t size = 0; size + 2 < text.size; size++) { /* but for "}\n" */
        struct results cut;
        struct error error;
        assert_error(read_json(text.bytes, size, &cut, &error), error, ERR_FILE);
    }
    text_release(&text);
    results_release(&results);
}

/* Merging. */

static struct results part(const char *sandbox)
{
    struct results results = {.seed = 42};
    text_put(&results.sandbox, sandbox);
    return results;
}

static void must_merge(struct results *results, struct results *from)
{
    struct error error;
    if (!report_merge(results, from, &error))
        fail_msg("%s", error.text);
    assert_int_equal(from->n, 0);
}

static void test_report_merge__puts_the_files_in_order(void **state)
{
    (void)state;
    struct results all = {0}, a = part("rlimits\n"), b = part("rlimits\n");
    add(&a, "c/softmax_rows.c", "c", VERDICT_PASS, 10);
    add(&a, "a/softmax_rows.c", "a", VERDICT_PASS, 10);
    add(&b, "b/softmax_rows.c", "b", VERDICT_CRASH, 0);
    must_merge(&all, &a);
    must_merge(&all, &b);
    assert_int_equal(all.seed, 42);
    assert_int_equal(all.n, 3);
    assert_string_equal(all.items[0].student, "a");
    assert_string_equal(all.items[1].student, "b");
    assert_string_equal(all.items[2].student, "c");
    results_release(&all);
}

static void test_report_merge__the_later_result_counts_but_not_our_failure(void **state)
{
    (void)state;
    struct results all = {0}, a = part(""), b = part("");
    add(&a, "a.c", "", VERDICT_CRASH, 0);
    add(&a, "b.c", "", VERDICT_PASS, 10);
    add(&a, "c.c", "", VERDICT_INTERNAL_ERROR, 0);
    add(&b, "a.c", "", VERDICT_PASS, 10);
    add(&b, "b.c", "", VERDICT_INTERNAL_ERROR, 0);
    add(&b, "c.c", "", VERDICT_INTERNAL_ERROR, 0);
    must_merge(&all, &a);
    must_merge(&all, &b);
    assert_int_equal(all.n, 3);
    assert_int_equal(all.items[0].verdict, VERDICT_PASS);
    assert_int_equal(all.items[1].verdict, VERDICT_PASS);
    assert_int_equal(all.items[2].verdict, VERDICT_INTERNAL_ERROR);
    results_release(&all);
}

static void test_report_merge__one_file_for_two_exercises_is_two(void **state)
{
    (void)state;
    struct results all = {0}, a = part(""), b = part("");
    struct error error;
    add(&a, "a.c", "", VERDICT_PASS, 10);
    add(&b, "a.c", "", VERDICT_CRASH, 0);
    assert_true(result_name(&b.items[0], "a.c", "", "dot", &error));
    must_merge(&all, &a);
    must_merge(&all, &b);
    assert_int_equal(all.n, 2);
    assert_string_equal(all.items[0].exercise, "dot");
    results_release(&all);
}

static void test_report_merge__only_walls_that_stood_everywhere_count(void **state)
{
    (void)state;
    struct results all = {0};
    struct results a = part("namespaces\nrlimits\nseccomp\n");
    struct results b = part("rlimits\nseccomp\n" RESULTS_REDUCED ": without namespaces\n");
    add(&a, "a.c", "", VERDICT_PASS, 10);
    must_merge(&all, &a);
    must_merge(&all, &b);
    assert_string_equal(text_string(&all.sandbox),
                        "rlimits\nseccomp\n" RESULTS_REDUCED ": without namespaces\n");
    results_release(&all);
}

static void test_report_merge__other_seeds_are_refused(void **state)
{
    (void)state;
    struct results a = example(), b = part("");
    struct error error;
    b.seed = 43;
    add(&b, "z.c", "", VERDICT_PASS, 10);
    assert_error(report_merge(&a, &b, &error), error, ERR_RANGE);
    assert_says(error, "42");
    assert_int_equal(a.n, 3);
    assert_int_equal(b.n, 1);
    results_release(&a);
    results_release(&b);
}

static void test_report_merge__without_memory_both_stay(void **state)
{
    (void)state;
    for (long nth = 1; nth < 20; nth++) {
        struct results a = example(), b = part("rlimits\n");
        struct error error;
        add(&b, "z.c", "", VERDICT_PASS, 10);
        testing_fail_allocation(nth);
        bool ok = report_merge(&a, &b, &error);
        bool reached = testing_allocations() >= nth;
        testing_fail_allocation(0);
        assert_int_equal(ok, !reached);
        if (!ok) {
            assert_int_equal(error.kind, ERR_MEMORY);
            assert_int_equal(a.n, 3);
            assert_int_equal(b.n, 1);
        }
        results_release(&a);
        results_release(&b);
        if (ok) {
            assert_true(nth > 1);
            return;
        }
    }
    fail();
}

/* Files. */

static char place[64];

static int enter_place(void **state)
{
    (void)state;
    snprintf(place, sizeof place, "/tmp/attn-report-XXXXXX");
    return mkdtemp(place) == NULL || chdir(place) != 0;
}

static int leave_place(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", place);
    return chdir("/") != 0 || system(command) != 0; /* NOLINT: a name of our own */
}

static void assert_file(const char *path, const char *wanted)
{
    char bytes[100] = "";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    bytes[fread(bytes, 1, sizeof bytes - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(bytes, wanted);
}

static const char *given_words;

static bool write_words(const struct results *results, struct text *text, struct error *reterr)
{
    (void)results;
    (void)reterr;
    text_put(text, given_words);
    return true;
}

static const struct report_format format_of_words = {.name = "words", .write = write_words};

static void must_write(const char *path, const char *text)
{
    struct error error;
    given_words = text;
    if (!report_write_file(path, &format_of_words, NULL, &error))
        fail_msg("%s", error.text);
}

static size_t count_files(void)
{
    FILE *list = popen("ls -A | wc -l", "r"); /* NOLINT: no name in it */
    size_t n = 99;
    assert_int_equal(fscanf(list, "%zu", &n), 1); /* NOLINT */
    pclose(list);
    return n;
}

static void test_report_write_file__replaces_the_whole_and_leaves_nothing(void **state)
{
    (void)state;
    struct stat status;
    must_write("out.json", "first, and long");
    assert_int_equal(chmod("out.json", 0640), 0);
    must_write("out.json", "second");
    assert_file("out.json", "second");
    assert_int_equal(stat("out.json", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    assert_int_equal(count_files(), 1);
}

static void test_report_write_file__a_link_is_replaced_not_followed(void **state)
{
    (void)state;
    must_write("theirs", "untouched");
    assert_int_equal(symlink("theirs", "out.json"), 0);
    must_write("out.json", "ours");
    assert_file("theirs", "untouched");
    assert_file("out.json", "ours");
}

static void test_report_write_file__the_temporary_name_may_be_taken(void **state)
{
    (void)state;
    char taken[64];
    must_write("theirs", "untouched");
    snprintf(taken, sizeof taken, ".attn-%ld-0", (long)getpid());
    assert_int_equal(symlink("theirs", taken), 0);
    must_write("out.json", "ours");
    assert_file("theirs", "untouched");
    assert_file("out.json", "ours");
    assert_int_equal(count_files(), 3);
}

static void test_report_write_file__folders_and_devices_are_refused(void **state)
{
    (void)state;
    static const char *const paths[] = {"folder", "fifo", "to-null", "none/out.json"};
    assert_int_equal(mkdir("folder", 0755), 0);
    assert_int_equal(mkfifo("fifo", 0644), 0);
    assert_int_equal(symlink("/dev/null", "to-null"), 0);
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        struct error error;
        assert_error(report_can_write(paths[i], &error), error, ERR_FILE);
        assert_error(report_write_file(paths[i], &format_of_words, NULL, &error), error, ERR_FILE);
        assert_says(error, paths[i]);
    }
    assert_int_equal(count_files(), 3);
    struct error error;
    assert_true(report_can_write("out.json", &error));
}

/* A result as code of ours might leave it: raw bytes in every word. */
static void make_raw(struct results *results)
{
    static const char raw[] = "\x01\xff]]>&<\"'#\\\n...\n1..9\nok 1\r\n=\xef\xbf\xbf";
    struct result *result = &results->items[0];
    char **const words[] = {&result->file, &result->student, &result->detail, &result->message};
    for (size_t i = 0; i < 4; i++) {
        char *before = *words[i];
        *words[i] = strdup(raw);
        free(before);
    }
}

/* What the formats say. */

static void test_report__text_has_a_line_each_and_counts(void **state)
{
    (void)state;
    struct results results = example();
    struct text text = written(&results, "text");
    assert_holds(&text, "sandbox: rlimits, seccomp\n");
    assert_holds(&text, "over-columns");
    assert_holds(&text, "1 of 3 pass.\n");
    assert_holds_not(&text, "Look at row 1."); /* a class is a line each */
    assert_holds_not(&text, "weak");
    text_release(&text);
    results_release(&results);
}

static void test_report__text_tells_one_learner_everything(void **state)
{
    (void)state;
    struct results results = {0};
    add(&results, "softmax_rows.c", "", VERDICT_WRONG_ANSWER, 0);
    struct text text = written(&results, "text");
    assert_holds(&text, "    | Look at row 1.\n");
    text_release(&text);
    results_release(&results);
}

/* Whoever has the seed can draw the cases. json is the instructor's own. */
static void test_report__no_seed_in_what_students_see(void **state)
{
    (void)state;
    static const char *const seen[] = {"text",        "junit",   "tap",   "csv", "gradescope",
                                       "classroom50", "autolab", "table", "html"};
    struct results results = example();
    results.seed = 7461926530;
    for (size_t i = 0; i < COUNT_OF(seen); i++) {
        struct text text = written(&results, seen[i]);
        assert_holds_not(&text, "7461926530");
        assert_holds_not(&text, "seed");
        text_release(&text);
    }
    results_release(&results);
}

/* GitHub's and Azure's runners take "::" at the first that is no blank of a line, "##[" and
 * "##vso[" anywhere in it. */
static void assert_no_command(const char *format, const struct text *text)
{
    bool holds =
        strstr(text_string(text), "##[") != NULL || strstr(text_string(text), "##vso[") != NULL;
    for (const char *line = text_string(text); *line != '\0' && !holds;) {
        holds = strncmp(line + strspn(line, " \t"), "::", 2) == 0;
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    if (holds)
        fail_msg("%s:\n%s", format, text_string(text));
}

static void test_report__no_line_is_a_command_to_a_runner(void **state)
{
    (void)state;
    static const char words[] = "x\n::error::yours\n  ::set-output name=a::b\n##[error]a\n"
                                "  text ###[warning]b\n##vso[task.complete]\n\n::stop-commands::x";
    for (size_t i = 0; i < n_report_formats; i++) {
        struct results results = {.seed = 1};
        struct error error;
        add(&results, "::error::##[error]dot.c", "::warning::##[x]", VERDICT_COMPILE_ERROR, 0);
        struct result *result = &results.items[0];
        assert_true(result_say(result, VERDICT_COMPILE_ERROR, words, words, &error));
        struct text text = written(&results, report_formats[i].name);
        assert_no_command(report_formats[i].name, &text);
        text_release(&text);
        results_release(&results);
    }
}

static void test_report__text_quotes_each_line_of_a_message(void **state)
{
    (void)state;
    struct results results = {0};
    struct error error;
    add(&results, "dot.c", "", VERDICT_WRONG_ANSWER, 0);
    assert_true(
        result_say(&results.items[0], VERDICT_CRASH, "SIGSEGV", "one\n\n  ::two\n", &error));
    struct text text = written(&results, "text");
    assert_holds(&text, "(dot.c)\n    | one\n    |\n    |   ::two\n\n0 of 1 pass.\n");
    text_release(&text);
    results_release(&results);
}

/* Words of a report that somebody wrote by hand stay on their line too. */
static void test_report__text_has_no_line_that_a_name_begins(void **state)
{
    (void)state;
    struct results results = example();
    make_raw(&results);
    struct text text = written(&results, "text");
    assert_holds(&text, "\\x0a...\\x0a1..9\\x0aok 1");
    assert_holds_not(&text, "\nok 1");
    text_release(&text);
    results_release(&results);
}

static void test_report__weak_walls_mark_every_line(void **state)
{
    (void)state;
    struct results results = example();
    text_put(&results.sandbox, RESULTS_WEAK " accepted: without seccomp\n");
    struct text text = written(&results, "text");
    for (const char *at = strstr(text_string(&text), "\n\n") + 2; at[0] != '\n';
         at = strchr(at, '\n') + 1)
        assert_memory_equal(at, "[weak isolation] ", 17);
    text_release(&text);
    text = written(&results, "csv");
    assert_holds(&text, ",weak,");
    assert_holds_not(&text, ",full,");
    text_release(&text);
    results_release(&results);
}

static void test_report__autolab_ends_in_its_scores(void **state)
{
    (void)state;
    struct results results = example();
    struct text text = written(&results, "autolab");
    const char *last = text_string(&text);
    for (const char *at = last; (at = strchr(at, '\n')) != NULL && at[1] != '\0';)
        last = ++at;
    assert_string_equal(last, "{\"scores\": {\"softmax-rows\": 10.0}}\n"); /* the best of them */
    text_release(&text);
    results_release(&results);
}

static void test_report__csv_takes_no_formula(void **state)
{
    (void)state;
    static const char *const starts[] = {"=", "+", "-", "@"};
    for (size_t i = 0; i < 4; i++) {
        struct results results = {0};
        char name[32], wanted[40];
        snprintf(name, sizeof name, "%scmd|'/c'!A1\".c", starts[i]);
        snprintf(wanted, sizeof wanted, "\n\"'%scmd|'/c'!A1\"\".c\",", starts[i]);
        add(&results, name, "", VERDICT_PASS, 10);
        struct text text = written(&results, "csv");
        assert_holds(&text, wanted);
        text_release(&text);
        results_release(&results);
    }
}

/* The table. */

static struct results example_class(void)
{
    struct error error;
    struct results results = example();
    struct result missing;
    assert_true(students_add(&results.students, "zoe", "Zoe Q", "z@x.org", "=7", &error));
    assert_true(students_add(&results.students, "bob", "Bob \"B\"", "b@x.org", "2", &error));
    assert_true(exercise_order_add(&results.exercises, "softmax-rows", &error));
    assert_true(exercise_order_add(&results.exercises, "dot", &error));
    result_init(&missing);
    assert_true(result_name(&missing, "", "bob", "dot", &error));
    assert_true(result_say(&missing, VERDICT_MISSING, "", "", &error));
    result_judge(&missing, 0, 5);
    assert_true(results_insert(&results, results.n, &missing, &error));
    results.items[1].days_late = 2;
    results.items[2].is_by_hand = true;
    return results;
}

/* The class list's order first, who is not in it after it; the points as written above. */
static void test_report_table__has_a_row_for_each_student(void **state)
{
    (void)state;
    struct results results = example_class();
    struct text text = written(&results, "table");
    assert_string_equal(text_string(&text),
                        "login,name,email,id,\"softmax-rows\",\"dot\",total,max_total,remarks\n"
                        "\"zoe\",\"Zoe Q\",\"z@x.org\",\"'=7\",,,0,0,\"\"\n"
                        "\"bob\",\"Bob \"\"B\"\"\",\"b@x.org\",\"2\",2.5,0,2.5,15,"
                        "\"late: softmax-rows; missing: dot\"\n"
                        "\"anna\",\"\",\"\",\"\",10,,10,10,\"\"\n"
                        "\"carl\",\"\",\"\",\"\",0,,0,10,\"by hand: softmax-rows\"\n");
    text_release(&text);
    results_release(&results);
}

/* Where nobody is named a folder is a person. */
static void test_report_table__of_unnamed_work(void **state)
{
    (void)state;
    struct results results = {0};
    add(&results, "a/softmax_rows.c", "", VERDICT_PASS, 10);
    add(&results, "b/softmax_rows.c", "", VERDICT_WRONG_ANSWER, 1);
    struct text text = written(&results, "table");
    assert_string_equal(text_string(&text),
                        "login,name,email,id,\"softmax-rows\",total,max_total,remarks\n"
                        "\"a/\",\"\",\"\",\"\",10,10,10,\"\"\n"
                        "\"b/\",\"\",\"\",\"\",1,1,10,\"\"\n");
    text_release(&text);
    results_release(&results);
}

static bool is_utf8_text(const struct text *text)
{
    for (size_t at = 0; at < text->size;) {
        struct text_character c = text_character(text->bytes + at, text->size - at);
        if (!c.printable && text->bytes[at] != '\n' && text->bytes[at] != '\t')
            return false;
        at += c.size;
    }
    return true;
}

static void test_report__no_format_passes_on_raw_bytes(void **state)
{
    (void)state;
    struct results results = example();
    make_raw(&results);
    for (size_t i = 0; i < n_report_formats; i++) {
        struct text text = written(&results, report_formats[i].name);
        bool is_archive = strcmp(report_formats[i].name, "moodle_feedback") == 0;
        if (!is_archive && !is_utf8_text(&text))
            fail_msg("%s:\n%s", report_formats[i].name, text_string(&text));
        text_release(&text);
    }
    results_release(&results);
}

static void test_report__nothing_to_report_is_a_report_too(void **state)
{
    (void)state;
    struct results results = {.seed = 1};
    for (size_t i = 0; i < n_report_formats; i++) {
        struct text text = written(&results, report_formats[i].name);
        assert_true(text.size > 0);
        text_release(&text);
    }
    struct text text = written(&results, "tap");
    assert_holds(&text, "\n1..0 # ");
    text_release(&text);
}

/* The class. */

static void test_report_class__shows_rates_ideas_and_the_slowest(void **state)
{
    (void)state;
    struct results results = example();
    struct doc doc;
    struct text text = {0};
    results.items[2].time_ms = 10000;
    doc_init(&doc);
    report_class(&results, 80, true, &doc);
    doc_to_plain(&doc, &text);
    assert_holds(&text, "1 of 3 files pass, of 3 students  (seed 42, full isolation)\n");
    /* Points: (10 + 2.5 + 0) / 30 is 42 %. A third of the bar's 20 columns is 7. */
    assert_holds(&text, "softmax-rows      3     1        42 %  #######-------------\n");
    assert_holds(&text, "    1  over-columns  in softmax-rows\n       Which sum is 1?\n");
    assert_holds(&text, "    1  time_limit    It ran out of time.\n");
    assert_holds(&text, "Slowest to grade\n   10000 ms  time_limit  class/carl/softmax_rows.c\n"
                        "     250 ms  pass  class/anna/softmax_rows.c\n"
                        "     250 ms  wrong_answer  class/bob/softmax_rows.c\n");
    text_release(&text);
    doc_release(&doc);
    results_release(&results);
}

static void test_report_class__shows_who_is_missing_what_is_twice_and_the_cpu(void **state)
{
    (void)state;
    struct results results = example_class();
    struct doc doc;
    struct text text = {0};
    struct error error;
    results.items[2].cpu_ms = 1500;
    results.items[2].memory_kib = 2049;
    add(&results, "class/bob/b_softmax_rows.c", "bob", VERDICT_WRONG_ANSWER, 1);
    assert_true(results_mark_duplicates(&results, DUPLICATES_BY_STUDENT, &error));
    doc_init(&doc);
    report_class(&results, 80, true, &doc);
    doc_to_plain(&doc, &text);
    assert_holds(&text, "1 of 3 files pass, of 4 students");
    assert_holds(&text, "What is missing\n       zoe (Zoe Q): everything\n"
                        "       bob (Bob \"B\"): dot\n");
    assert_holds(&text, "Handed in more than once\n       class/bob/b_softmax_rows.c: "
                        "class/bob/softmax_rows.c counts\n");
    assert_holds(&text, "Slowest to grade\n    1500 ms  of CPU time  time_limit  3 MiB  "
                        "class/carl/softmax_rows.c\n");
    text_release(&text);
    doc_release(&doc);
    results_release(&results);
}

static void test_report_class__without_results(void **state)
{
    (void)state;
    struct results results = {0};
    struct doc doc;
    doc_init(&doc);
    report_class(&results, 80, false, &doc);
    assert_int_equal(doc.n_lines, 1);
    doc_release(&doc);
}

#define in_place(test) cmocka_unit_test_setup_teardown(test, enter_place, leave_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report__formats_are_found_by_name),
        cmocka_unit_test(test_report__json_read_and_written_again_is_the_same),
        cmocka_unit_test(test_report__what_is_no_report_is_refused),
        cmocka_unit_test(test_report__a_cut_json_is_refused_wherever_it_was_cut),
        cmocka_unit_test(test_report_merge__puts_the_files_in_order),
        cmocka_unit_test(test_report_merge__the_later_result_counts_but_not_our_failure),
        cmocka_unit_test(test_report_merge__one_file_for_two_exercises_is_two),
        cmocka_unit_test(test_report_merge__only_walls_that_stood_everywhere_count),
        cmocka_unit_test(test_report_merge__other_seeds_are_refused),
        cmocka_unit_test(test_report_merge__without_memory_both_stay),
        in_place(test_report_write_file__replaces_the_whole_and_leaves_nothing),
        in_place(test_report_write_file__a_link_is_replaced_not_followed),
        in_place(test_report_write_file__the_temporary_name_may_be_taken),
        in_place(test_report_write_file__folders_and_devices_are_refused),
        cmocka_unit_test(test_report__text_has_a_line_each_and_counts),
        cmocka_unit_test(test_report__text_tells_one_learner_everything),
        cmocka_unit_test(test_report__no_seed_in_what_students_see),
        cmocka_unit_test(test_report__no_line_is_a_command_to_a_runner),
        cmocka_unit_test(test_report__text_quotes_each_line_of_a_message),
        cmocka_unit_test(test_report__text_has_no_line_that_a_name_begins),
        cmocka_unit_test(test_report__weak_walls_mark_every_line),
        cmocka_unit_test(test_report__autolab_ends_in_its_scores),
        cmocka_unit_test(test_report__csv_takes_no_formula),
        cmocka_unit_test(test_report_table__has_a_row_for_each_student),
        cmocka_unit_test(test_report_table__of_unnamed_work),
        cmocka_unit_test(test_report__no_format_passes_on_raw_bytes),
        cmocka_unit_test(test_report__nothing_to_report_is_a_report_too),
        cmocka_unit_test(test_report_class__shows_rates_ideas_and_the_slowest),
        cmocka_unit_test(test_report_class__shows_who_is_missing_what_is_twice_and_the_cpu),
        cmocka_unit_test(test_report_class__without_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
