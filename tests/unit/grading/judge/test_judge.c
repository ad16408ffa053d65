/* judge/judge.h: from the bytes of a file to a verdict. The hostile corpus and the exercises' own
 * proofs try it on many more files. */
#include "testing.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/array.h"
#include "judge/explain.h"
#include "judge/judge.h"

#define DOT "float dot(size_t n, const float *a, const float *b)\n"

static const char right_dot[] = DOT "{ double s = 0; for (size_t i = 0; i < n; i++)"
                                    " s += (double)a[i] * b[i]; return (float)s; }\n";
static const char added_dot[] = DOT "{ float s = 0; for (size_t i = 0; i < n; i++)"
                                    " s += a[i] + b[i]; return s; }\n";

struct room {
    struct exercise *exercise;
    struct compiler compiler;
    struct judge_setup setup;
};

static int open_room(void **state)
{
    struct room *room = calloc(1, sizeof *room);
    const char *data_dir = getenv("ATTN_DATA_DIR");
    struct error error;
    char path[4096];
    assert_non_null(room);
    snprintf(path, sizeof path, "%s/exercises/01-dot", data_dir);
    if (!exercise_load(path, &room->exercise, &error) ||
        !compiler_find(NULL, &room->compiler, &error))
        fail_msg("%s", error.text);
    const struct judge_plan plan = {.exercise = room->exercise,
                                    .compiler = &room->compiler,
                                    .limits = &limits_default,
                                    .data_dir = data_dir,
                                    .layers = layers_available(NULL),
                                    .seed = 3};
    if (!judge_setup_open(&plan, &room->setup, &error))
        fail_msg("%s", error.text);
    *state = room;
    return 0;
}

static int close_room(void **state)
{
    struct room *room = *state;
    judge_setup_close(&room->setup);
    exercise_free(room->exercise);
    free(room);
    return 0;
}

static struct judgement judged(void **state, const char *source, unsigned options)
{
    struct room *room = *state;
    struct judgement judgement;
    judge_submission(&room->setup, "dot.c", source, strlen(source), options, &judgement);
    return judgement;
}

static void expect(void **state, const char *source, enum verdict verdict, const char *detail)
{
    struct judgement judgement = judged(state, source, 0);
    assert_string_equal(verdict_name(judgement.result.verdict), verdict_name(verdict));
    if (strncmp(judgement.result.detail, detail, strlen(detail)) != 0)
        fail_msg("\"%s\" does not begin with \"%s\"", judgement.result.detail, detail);
    if (verdict != VERDICT_PASS)
        assert_true(judgement.result.score < judgement.result.max_score);
    judgement_release(&judgement);
}

static void right_answers_get_all_points(void **state)
{
    struct room *room = *state;
    struct judgement judgement = judged(state, right_dot, 0);
    assert_int_equal(judgement.result.verdict, VERDICT_PASS);
    assert_close(judgement.result.score, room->exercise->score, 0);
    size_t n_cases = 0; /* the kinds of rows are one result */
    for (unsigned i = 0; i < room->exercise->n_cases; i++)
        n_cases += room->exercise->cases[i].kinds.n > 0 ? 1 : room->exercise->cases[i].repeat;
    assert_true(n_cases < room->setup.cases.n);
    assert_int_equal(judgement.result.n_cases, n_cases);
    for (size_t i = 0; i < judgement.result.n_cases; i++)
        assert_int_equal(judgement.result.cases[i].verdict, VERDICT_PASS);
    assert_null(judgement.fixture);
    judgement_release(&judgement);
}

static void wrong_idea_is_named(void **state)
{
    static const unsigned options[] = {0, JUDGE_SHRINK, JUDGE_EXPLAIN_CRASH, JUDGE_HIDE_DRAWN};
    for (size_t i = 0; i < COUNT_OF(options); i++) {
        struct judgement judgement = judged(state, added_dot, options[i]);
        assert_int_equal(judgement.result.verdict, VERDICT_WRONG_ANSWER);
        assert_int_equal(judgement.result.n_ideas, 1);
        assert_string_equal(judgement.result.ideas[0].id, "added-not-multiplied");
        assert_true(judgement.result.score < judgement.result.max_score);
        judgement_release(&judgement);
    }
}

/* A change of that line makes all cases pass; the changed line itself is nowhere shown. */
static void the_line_of_a_mistake_is_proven(void **state)
{
    struct judgement judgement = judged(state, added_dot, 0);
    assert_int_equal(judgement.result.line, 2);
    assert_non_null(strstr(judgement.result.line_says, "s += a[i] + b[i]"));
    assert_null(strstr(judgement.result.line_says, "a[i] * b[i]"));
    judgement_release(&judgement);
    judgement = judged(state, added_dot, JUDGE_NO_IDEAS);
    assert_int_equal(judgement.result.line, 0);
    judgement_release(&judgement);
    judgement = judged(state, right_dot, 0);
    assert_int_equal(judgement.result.line, 0);
    judgement_release(&judgement);
}

/* What no idea explains is told by where it shows; what the compiler says a line of needs no more.
 */
static void wrong_without_a_name_is_told_by_where(void **state)
{
    static const char doubled[] =
        DOT "{ double s = 0; for (size_t i = 0; i < n; i++)"
            " s += (double)a[i] * b[i]; return (float)(s + (n == 1) + 2 * (n == 1)); }\n";
    static const char warned[] =
        DOT "{ double s = 0, t; for (size_t i = 0; i < n; i++)"
            " s += (double)a[i] * b[i]; return (float)(s + (n == 1) + 2 * (n == 1)); }\n";
    struct judgement judgement = judged(state, doubled, 0);
    assert_int_equal(judgement.result.n_ideas, 0);
    assert_string_equal(text_string(&judgement.where), "Only \"one number each\" is wrong.");
    judgement_release(&judgement);
    judgement = judged(state, warned, 0);
    assert_true(judgement.build.messages.size > 0);
    assert_int_equal(judgement.where.size, 0);
    judgement_release(&judgement);
}

struct heard {
    enum verdict verdict;
    size_t times, n_ideas;
    bool has_case;
};

static void hear(void *context, const struct judgement *judgement)
{
    struct heard *heard = context;
    heard->verdict = judgement->result.verdict;
    heard->n_ideas = judgement->diagnosis.n_ideas;
    heard->has_case = judgement->fixture != NULL;
    heard->times++;
}

/* What explains it is looked for only then. */
static void verdict_is_told_first(void **state)
{
    static const struct {
        const char *source;
        enum verdict verdict;
    } trials[] = {{right_dot, VERDICT_PASS},
                  {added_dot, VERDICT_WRONG_ANSWER},
                  {DOT "{ (void)b; return a[n + 1000000]; }\n", VERDICT_CRASH},
                  {"float dot(\n", VERDICT_COMPILE_ERROR}};
    struct room *room = *state;
    for (size_t i = 0; i < COUNT_OF(trials); i++) {
        struct heard heard = {.times = 0};
        const struct judge_listener listener = {.verdict = hear, .context = &heard};
        room->setup.plan.listener = &listener;
        struct judgement judgement = judged(state, trials[i].source, JUDGE_SHRINK);
        room->setup.plan.listener = NULL;
        assert_int_equal(heard.times, 1);
        assert_int_equal(heard.verdict, trials[i].verdict);
        assert_int_equal(heard.verdict, judgement.result.verdict);
        assert_int_equal(heard.n_ideas, 0);
        assert_false(heard.has_case);
        assert_int_equal(judgement.diagnosis.n_ideas, trials[i].verdict == VERDICT_WRONG_ANSWER ||
                                                          trials[i].verdict == VERDICT_CRASH);
        judgement_release(&judgement);
    }
}

static void ideas_can_be_left_out(void **state)
{
    struct judgement judgement = judged(state, added_dot, JUDGE_NO_IDEAS);
    assert_int_equal(judgement.result.verdict, VERDICT_WRONG_ANSWER);
    assert_int_equal(judgement.result.n_ideas, 0);
    judgement_release(&judgement);
    judgement = judged(state, added_dot, JUDGE_HIDE_DRAWN); /* which leaves out numbers alone */
    assert_true(judgement.result.n_ideas > 0);
    judgement_release(&judgement);
}

/* Wrong from 5 numbers on only: shrinking goes down to what still fails, never below. */
static void failing_case_is_the_smallest(void **state)
{
    static const char source[] = DOT "{ double s = 0; for (size_t i = 0; i < n; i++)"
                                     " s += (double)a[i] * b[i]; return (float)s + (n > 4); }\n";
    struct room *room = *state;
    struct judgement judgement = judged(state, source, JUDGE_SHRINK);
    assert_int_equal(judgement.result.verdict, VERDICT_WRONG_ANSWER);
    assert_non_null(judgement.fixture);
    assert_true(judgement.fixture->scalars[0] > 4);
    for (size_t i = 0; i < room->setup.cases.n; i++)
        if (room->setup.cases.items[i]->scalars[0] > 4)
            assert_true(judgement.fixture->n_cells <= room->setup.cases.items[i]->n_cells);
    assert_close(judgement.difference.got - judgement.difference.expected, 1, 1e-3);
    judgement_release(&judgement);
    judgement = judged(state, added_dot, JUDGE_SHRINK);
    assert_true(judgement.fixture->scalars[0] <= 2); /* adding two numbers differs there already */
    judgement_release(&judgement);
}

static void starter_is_no_attempt(void **state)
{
    struct room *room = *state;
    expect(state, room->exercise->starter, VERDICT_NOT_IMPLEMENTED, "");
    char *spaced = malloc(strlen(room->exercise->starter) + 8);
    assert_non_null(spaced);
    sprintf(spaced, "\r\n\n %s\n", room->exercise->starter);
    expect(state, spaced, VERDICT_NOT_IMPLEMENTED, "");
    free(spaced);
}

static double score_of(void **state, const char *source)
{
    struct judgement judgement = judged(state, source, 0);
    double score = judgement.result.score;
    assert_int_equal(judgement.result.verdict, VERDICT_WRONG_ANSWER);
    judgement_release(&judgement);
    return score;
}

/* Two cases have the answer 0, one the answer -1, one the answer -7.5: each is right by luck for
 * one of these. What is right for short vectors only was worked for. */
static void luck_earns_no_points(void **state)
{
    assert_close(score_of(state, DOT "{ return a[0] == b[0] ? -0.0f : 0.0f; }\n"), 0, 0);
    assert_close(score_of(state, DOT "{ return n == 1 && a == b ? 2 : -1; }\n"), 0, 0);
    assert_close(score_of(state, DOT "{ return -7.5f; }\n"), 0, 0);
    assert_close(score_of(state, DOT "{ return b[n - 1] * 0 + a[0]; }\n"), 0, 0);
    double score = score_of(state, DOT "{ float s = 0; for (size_t i = 0; i < n && i < 4; i++)"
                                       " s += a[i] * b[i]; return s; }\n");
    /* public answers, known by heart */
    assert_close(score_of(state, DOT "{ return n == 1 ? a[0] * b[0] : a[0] == 1 ? -1 : 110; }\n"),
                 0, 0);
    /* of 12 cases those of 3, 1, 4 and 3 numbers, the zeros, and random sizes up to 4 */
    assert_true(score >= 4 && score < 10);
}

static void each_way_to_fail_has_its_verdict(void **state)
{
    expect(state, DOT "{ return n; ", VERDICT_COMPILE_ERROR, "");
    expect(state, "int x;\n", VERDICT_LINK_ERROR, "function missing");
    expect(state, DOT "{ return a[n] + b[0] / 0; }\n", VERDICT_OUT_OF_BOUNDS, "a[");
    expect(state, DOT "{ ((float *)a)[0] = 1 + b[0]; return n; }\n", VERDICT_MODIFIED_INPUTS, "a");
    expect(state, DOT "{ volatile float x = 0; return x / x + a[0] * b[0] * n; }\n",
           VERDICT_NON_FINITE, "");
    expect(state, "#include <stdlib.h>\n" DOT "{ exit(a[0] == b[n - 1] ? 0 : 0); }\n",
           VERDICT_EXITED_EARLY, "exit code 0");
    expect(state, "#include <stdlib.h>\n" DOT "{ if (a != b || n) abort(); return 0; }\n",
           VERDICT_CRASH, "SIGABRT");
}

static void same_inputs_must_give_the_same_bits(void **state)
{
    expect(state,
           "#include <math.h>\n" DOT
           "{ static int calls; double s = 0; for (size_t i = 0; i < n; i++)"
           " s += (double)a[i] * b[i];"
           " return calls++ % 2 ? nextafterf((float)s, 1e30f) : (float)s; }\n",
           VERDICT_WRONG_ANSWER, "nondeterministic");
}

/* Neither has points: all right at first, or wrong in some cases and right each time in others. */
static void what_differs_when_repeated_earns_nothing(void **state)
{
    static const char *const ends[] = {"0", "n > 20"};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        char source[512];
        snprintf(source, sizeof source,
                 "#include <math.h>\n" DOT
                 "{ static int calls; double s = 0; for (size_t i = 0; i < n; i++)"
                 " s += (double)a[i] * b[i]; if (%s) s += 1;"
                 " return n > 10 && calls++ %% 2 ? nextafterf((float)s, 1e30f) : (float)s; }\n",
                 ends[i]);
        struct judgement judgement = judged(state, source, 0);
        assert_int_equal(judgement.result.verdict, VERDICT_WRONG_ANSWER);
        assert_string_equal(judgement.result.detail, "nondeterministic");
        assert_close(judgement.result.score, 0, 0);
        for (size_t j = 0; j < judgement.result.n_cases; j++)
            assert_false(judgement.result.cases[j].earns);
        judgement_release(&judgement);
    }
}

/* Some machines let a program read the processor's counter of ticks even where it was forbidden. */
static bool ticks_can_be_forbidden(void)
{
#if defined(__linux__) && defined(__x86_64__)
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
        (void)*(volatile unsigned long long *)&(unsigned long long){__builtin_ia32_rdtsc()};
        _exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status);
#else
    return false;
#endif
}

/* Right at first. Each is told by what differs between two runs of one case: bits of a clock, slow
 * ones too; where the system put the heap; what is left of the case before. */
static void numbers_may_depend_on_the_inputs_alone(void **state)
{
    static const struct {
        const char *add, *verdict, *detail;
    } kinds[] = {
        {"time(NULL) & 1", "wrong_answer", "nondeterministic"},
        {"time(NULL) / 86400 & 1", "wrong_answer", "nondeterministic"},
        {"clock() / CLOCKS_PER_SEC & 1", "wrong_answer", "nondeterministic"},
        {"seconds() & 1", "wrong_answer", "nondeterministic"},
        {"(size_t)kept_block() >> (12 + n % 16) & 7", "wrong_answer", "nondeterministic"},
        {"last_n(n) % 3", "wrong_answer", "nondeterministic"},
#ifdef __x86_64__
        {"__builtin_ia32_rdtsc() >> 40 & 1", "forbidden_syscall", "rdtsc"},
#endif
    };
    bool ticks = ticks_can_be_forbidden();
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        char source[2048];
        if (strcmp(kinds[i].detail, "rdtsc") == 0 && !ticks)
            continue;
        snprintf(
            source, sizeof source,
            "#define _GNU_SOURCE\n#include <math.h>\n#include <stdlib.h>\n#include <time.h>\n"
            "#include <sys/time.h>\n"
            "static void *kept_block(void) { static void *p; if (!p) p = malloc(99); return p; }"
            "static long seconds(void) { struct timeval t; gettimeofday(&t, NULL);"
            " return t.tv_sec; }"
            "static size_t last_n(size_t n) { static size_t last; size_t was = last;"
            " last = n; return was; }\n" DOT
            "{ (void)seconds; (void)kept_block; (void)last_n; double s = 0;"
            " for (size_t i = 0; i < n; i++) s += (double)a[i] * b[i];"
            " for (int i = %s; i > 0; i--) s *= 1 + 2e-7; return (float)s; }\n",
            kinds[i].add);
        struct judgement judgement = judged(state, source, 0);
        if (strcmp(verdict_name(judgement.result.verdict), kinds[i].verdict) != 0 ||
            strcmp(judgement.result.detail, kinds[i].detail) != 0)
            fail_msg("%s: %s (%s)", kinds[i].add, verdict_name(judgement.result.verdict),
                     judgement.result.detail);
        assert_close(judgement.result.score, 0, 0);
        judgement_release(&judgement);
    }
}

/* A clock goes on within a call, and is of now; what it says may be used for anything but numbers.
 */
static void clocks_go_on_within_a_call(void **state)
{
    expect(state,
           "#include <time.h>\n" DOT
           "{ time_t begin = time(NULL); clock_t used = clock(); struct timespec t, u;"
           " timespec_get(&t, TIME_UTC); double s = 0;"
           " for (size_t i = 0; i < n; i++) s += (double)a[i] * b[i];"
           " timespec_get(&u, TIME_UTC); time_t end = time(NULL);"
           " if (end - begin < 0 || end - begin > 9 || u.tv_sec - t.tv_sec > 9 || clock() < used)"
           " s = -1; return (float)s; }\n",
           VERDICT_PASS, "");
}

/* A buffer that is kept is no leak; one that is lost with each call is. */
static void leaks_are_told_from_buffers(void **state)
{
    expect(state,
           "#include <stdlib.h>\n" DOT
           "{ static float *kept; if (!kept) kept = malloc(4000); double s = 0;"
           " for (size_t i = 0; i < n; i++) { kept[0] = a[i] * 1.0f; s += (double)kept[0] * b[i]; }"
           " return (float)s; }\n",
           VERDICT_PASS, "");
    expect(state,
           "#include <stdlib.h>\n" DOT
           "{ float *lost = calloc(n + 1, 4); double s = 0; for (size_t i = 0; i < n; i++)"
           " { lost[i] = a[i]; s += (double)lost[i] * b[i]; } return (float)s; }\n",
           VERDICT_LEAK, "");
    expect(state,
           "#include <stdlib.h>\n" DOT
           "{ float *freed = calloc(n + 1, 4); double s = 0; for (size_t i = 0; i < n; i++)"
           " { freed[i] = a[i]; s += (double)freed[i] * b[i]; } free(freed); return (float)s; }\n",
           VERDICT_PASS, "");
}

#define SUM                                        \
    "double s = 0; for (size_t i = 0; i < n; i++)" \
    " s += (double)a[i] * b[i]; return (float)s; }\n"

/* In long vectors only, and in every second, third, fourth call. */
static void leaks_of_some_calls_are_leaks(void **state)
{
    static const char *const when[] = {"n > 20", "n == 1", "++calls % 2 == 0", "++calls % 3 == 0",
                                       "++calls % 4 == 0"};
    static const char *const how[] = {"malloc(40)", "calloc(n, 4)", "malloc(300000)",
                                      "realloc(malloc(9), 2000)"};
    for (size_t i = 0; i < COUNT_OF(when); i++)
        for (size_t j = i % 2; j < COUNT_OF(how); j += 2) {
            char source[512];
            snprintf(source, sizeof source,
                     "#include <stdlib.h>\n" DOT "{ static int calls; (void)calls;"
                     " char *volatile lost = NULL; if (%s) lost = %s; if (lost) lost[0] = 1; " SUM,
                     when[i], how[j]);
            expect(state, source, VERDICT_LEAK, "");
        }
}

/* What this process holds hides what a program that ended itself held, if that was less. */
static bool hides_kib(long kib)
{
    struct rusage own;
    assert_int_equal(getrusage(RUSAGE_SELF, &own), 0);
    return own.ru_maxrss >= kib;
}

/* A program that ends by itself has held what it held. */
static void memory_is_known_after_an_end(void **state)
{
    static const struct {
        const char *end;
        enum verdict verdict;
    } ends[] = {{"abort();", VERDICT_CRASH},
                {"exit(0);", VERDICT_EXITED_EARLY},
                {"for (;;) {}", VERDICT_TIME_LIMIT}};
    enum { HELD_MIB = 48 };
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        char source[512];
        snprintf(source, sizeof source,
                 "#include <stdlib.h>\n#include <string.h>\n" DOT
                 "{ (void)n; (void)a; (void)b; char *volatile p = malloc(%d << 20);"
                 " if (p) memset(p, 1, %d << 20); %s return 0; }\n",
                 HELD_MIB, HELD_MIB, ends[i].end);
        struct judgement judgement = judged(state, source, 0);
        assert_int_equal(judgement.result.verdict, ends[i].verdict);
        if (judgement.result.memory_kib > 0 || !hides_kib(HELD_MIB << 10)) {
            assert_true(judgement.result.memory_kib >= HELD_MIB << 10);
            assert_true(judgement.result.memory_kib < (HELD_MIB + 40) << 10);
        }
        judgement_release(&judgement);
    }
}

static void honest_memory_is_no_leak(void **state)
{
    static const char *const ways[] = {
        /* blocks of several sizes, given back in another order */
        "float *p = calloc(n, 4), *q = malloc(17), *r = malloc(n * 300 + 1);"
        " if (!p || !q || !r) abort(); q[0] = r[0] = 1; free(q); free(p); free(r); ",
        /* many blocks */
        "void *p[50]; for (int i = 0; i < 50; i++) p[i] = calloc(1, (size_t)i * 7 + n);"
        " for (int i = 0; i < 50; i++) free(p[(i * 7) % 50]); ",
        /* a table made once */
        "static float *table; if (!table) table = calloc(4096, 4); if (!table) abort(); ",
        /* a buffer that grows */
        "static float *buffer; static size_t room; if (n > room) { room = 2 * n;"
        " buffer = realloc(buffer, room * 4); } if (!buffer) abort(); buffer[n - 1] = 1; ",
        /* a buffer that is made to fit each time */
        "static float *buffer; buffer = realloc(buffer, n * 4); if (!buffer) abort();"
        " buffer[n - 1] = 1; ",
        "static char *kept; free(kept); kept = malloc(n * 33); if (!kept) abort(); kept[0] = 1; ",
        /* a large block, which the C library maps */
        "char *p = malloc(1 << 20); if (!p) abort(); p[9] = 1; free(p); ",
        "void *p = aligned_alloc(64, 64 * n), *q = NULL; if (posix_memalign(&q, 32, n * 4)) "
        "abort();"
        " free(p); free(q); ",
        "printf(\"%zu\\n\", n); ",
    };
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        char source[1024];
        snprintf(source, sizeof source,
                 "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n" DOT "{ %s" SUM,
                 ways[i]);
        expect(state, source, VERDICT_PASS, "");
    }
}

/* Only the bytes beside the array tell of it, and the numbers are wrong as well. The case that is
 * shown is the one where it was seen. */
static void step_that_no_signal_told_is_in_the_message(void **state)
{
    static const char *const steps[] = {"if (n == 5) ((float *)a)[n + 3] = 1;",
                                        "if (n == 3) ((float *)a)[-2] = 1;"};
    static const char *const words[] = {"a[8] was written, 4 past its end; a has 5 numbers (0..4)",
                                        "a[-2] was written, 2 before its begin; a has 3 numbers"};
    struct room *room = *state;
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        char source[512];
        struct error error;
        snprintf(source, sizeof source, DOT "{ %s return b[0] * n + 1; }\n", steps[i]);
        struct judgement judgement = judged(state, source, JUDGE_SHRINK);
        assert_int_equal(judgement.result.verdict, VERDICT_OUT_OF_BOUNDS);
        assert_true(explain_message(room->exercise, &judgement, &error));
        if (strstr(judgement.result.message, words[i]) == NULL)
            fail_msg("%s", judgement.result.message);
        assert_non_null(judgement.fixture);
        assert_close(judgement.fixture->scalars[0], i == 0 ? 5 : 3, 0);
        judgement_release(&judgement);
    }
}

/* In half of the cases what lies behind the array is a NaN that can be read. */
static void reading_beside_is_told_from_a_nan(void **state)
{
    expect(state,
           DOT "{ double s = 0; for (size_t i = 0; i < n + (n == 1); i++) s += (double)a[i] * b[i];"
               " return (float)s; }\n",
           VERDICT_OUT_OF_BOUNDS, "a[1] was read");
}

static void what_it_prints_is_kept(void **state)
{
    struct judgement judgement = judged(
        state, "#include <stdio.h>\n" DOT "{ printf(\"n is %zu\\n\", n); return a[0] + b[0]; }\n",
        0);
    assert_non_null(strstr(text_string(&judgement.printed), "n is "));
    judgement_release(&judgement);
}

/* Wrong in all cases: of those whose inputs stand in exercise.yaml the smallest may be shown. */
static void public_case_is_shown_first(void **state)
{
    struct judgement judgement = judged(state, added_dot, JUDGE_HIDE_DRAWN);
    assert_non_null(judgement.fixture);
    assert_true(judgement.fixture->is_public);
    assert_false(judgement.owns_fixture);
    assert_false(judgement.hides_case);
    judgement_release(&judgement);
}

/* Wrong from 10 numbers on: all cases of that size are drawn. */
static void drawn_case_is_hidden(void **state)
{
    struct judgement judgement =
        judged(state,
               "#include <stdio.h>\n" DOT "{ double s = 0; for (size_t i = 0; i < n; i++)"
               " { s += (double)a[i] * b[i]; printf(\"%g\", (double)a[i]); }"
               " return (float)s + (n > 9); }\n",
               JUDGE_HIDE_DRAWN);
    assert_int_equal(judgement.result.verdict, VERDICT_WRONG_ANSWER);
    assert_true(judgement.hides_case);
    assert_false(judgement.fixture->is_public);
    assert_int_equal(judgement.printed.size, 0);
    assert_true(judgement.n_hidden_bytes > 100);
    assert_close(judgement.difference.got - judgement.difference.expected, 1, 1e-3);
    judgement_release(&judgement);
}

/* An answer to a public case that was made of the inputs of a drawn one is not shown: alone, the
 * program answers otherwise. Where it is the repeats that tell, the answer was right. */
static void public_case_is_shown_as_it_is_alone(void **state)
{
    struct judgement judgement =
        judged(state,
               DOT "{ static float kept; double s = 0; for (size_t i = 0; i < n; i++)"
                   " s += (double)a[i] * b[i]; float answer = (float)s + kept;"
                   " if (n == 6) kept = a[0] + 9; return answer; }\n",
               JUDGE_HIDE_DRAWN);
    assert_int_equal(judgement.result.verdict, VERDICT_WRONG_ANSWER);
    assert_true(judgement.hides_case || judgement.difference.n_different == 0);
    judgement_release(&judgement);
}

/* What the sanitizers' run says comes from numbers that no seed of a grade draws. A program can
 * print whatever the sanitizers do. */
static void crash_report_tells_no_number_of_the_run(void **state)
{
    struct room *room = *state;
    struct judgement judgement =
        judged(state,
               "#include <stdio.h>\n#include <stdlib.h>\n" DOT "{ if (n > 9) { fprintf(stderr,"
               " \"dot.c:3:1: runtime error: %.9g %.9g %.9g\\n\", (double)a[0], (double)a[1], "
               "(double)a[2]);"
               " abort(); } double s = 0; for (size_t i = 0; i < n; i++) s += (double)a[i] * b[i];"
               " return (float)s; }\n",
               JUDGE_HIDE_DRAWN | JUDGE_EXPLAIN_CRASH);
    assert_int_equal(judgement.result.verdict, VERDICT_CRASH);
    assert_true(judgement.hides_case);
    for (size_t i = 0; i < room->setup.cases.n; i++) {
        const struct fixture *fixture = room->setup.cases.items[i];
        const float *a = fixture->arrays[0].before;
        char number[32];
        snprintf(number, sizeof number, "%.9g", (double)a[0]);
        if (!fixture->is_public && strlen(number) > 6 &&
            strstr(text_string(&judgement.crash_report), number) != NULL)
            fail_msg("%s is in %s", number, text_string(&judgement.crash_report));
    }
    judgement_release(&judgement);
    judgement = judged(state,
                       DOT "{ double s = 0; for (size_t i = 0; i < n + (n > 9); i++)"
                           " s += (double)a[i] * b[i]; return (float)s; }\n",
                       JUDGE_HIDE_DRAWN | JUDGE_EXPLAIN_CRASH);
    assert_int_equal(judgement.result.verdict, VERDICT_OUT_OF_BOUNDS);
    assert_non_null(
        strstr(text_string(&judgement.crash_report), "] was read, 1 past its end; a has "));
    judgement_release(&judgement);
}

/* The program builds; to run it there are too few descriptors. */
static void lack_of_descriptors_is_named(void **state)
{
    struct rlimit before, few;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    for (rlim_t n = 12; n <= 40; n++) {
        few = (struct rlimit){n, before.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
        struct judgement judgement = judged(state, right_dot, 0);
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
        bool named =
            strcmp(judgement.result.detail, "too few open files are allowed (ulimit -n)") == 0;
        bool ok = judgement.result.verdict == VERDICT_INTERNAL_ERROR
                      ? named
                      : judgement.result.verdict == VERDICT_PASS;
        if (!ok)
            fail_msg("%u: %s (%s)", (unsigned)n, verdict_name(judgement.result.verdict),
                     judgement.result.detail);
        judgement_release(&judgement);
    }
}

static void crash_leaves_the_other_cases_judged(void **state)
{
    struct room *room = *state;
    struct judgement judgement =
        judged(state,
               "#include <stdlib.h>\n" DOT "{ if (n == 1) abort(); double s = 0;"
               " for (size_t i = 0; i < n; i++) s += (double)a[i] * b[i]; return (float)s; }\n",
               0);
    size_t n_passed = 0;
    for (size_t i = 0; i < judgement.result.n_cases; i++)
        n_passed += judgement.result.cases[i].verdict == VERDICT_PASS;
    assert_int_equal(judgement.result.verdict, VERDICT_CRASH);
    assert_true(n_passed > 0);
    assert_true(n_passed < room->setup.cases.n);
    judgement_release(&judgement);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_answers_get_all_points),
        cmocka_unit_test(wrong_idea_is_named),
        cmocka_unit_test(verdict_is_told_first),
        cmocka_unit_test(the_line_of_a_mistake_is_proven),
        cmocka_unit_test(wrong_without_a_name_is_told_by_where),
        cmocka_unit_test(ideas_can_be_left_out),
        cmocka_unit_test(failing_case_is_the_smallest),
        cmocka_unit_test(starter_is_no_attempt),
        cmocka_unit_test(luck_earns_no_points),
        cmocka_unit_test(each_way_to_fail_has_its_verdict),
        cmocka_unit_test(same_inputs_must_give_the_same_bits),
        cmocka_unit_test(what_differs_when_repeated_earns_nothing),
        cmocka_unit_test(numbers_may_depend_on_the_inputs_alone),
        cmocka_unit_test(clocks_go_on_within_a_call),
        cmocka_unit_test(leaks_are_told_from_buffers),
        cmocka_unit_test(leaks_of_some_calls_are_leaks),
        cmocka_unit_test(memory_is_known_after_an_end),
        cmocka_unit_test(honest_memory_is_no_leak),
        cmocka_unit_test(reading_beside_is_told_from_a_nan),
        cmocka_unit_test(step_that_no_signal_told_is_in_the_message),
        cmocka_unit_test(what_it_prints_is_kept),
        cmocka_unit_test(public_case_is_shown_first),
        cmocka_unit_test(drawn_case_is_hidden),
        cmocka_unit_test(public_case_is_shown_as_it_is_alone),
        cmocka_unit_test(crash_report_tells_no_number_of_the_run),
        cmocka_unit_test(lack_of_descriptors_is_named),
        cmocka_unit_test(crash_leaves_the_other_cases_judged),
    };
    return cmocka_run_group_tests(tests, open_room, close_room);
}
