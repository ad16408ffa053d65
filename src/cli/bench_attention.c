/* See bench_attention.h. The versions of exercise 17's ladder and the learner's own file are built
 * and run as `attn check` does it, in boxes; attn's kernels run in this process. */
#include "cli/bench_attention.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/practice.h"
#include "exercise/expression.h"
#include "exercise/solutions.h"
#include "files/file.h"
#include "graph/cost.h"
#include "graph/node.h"
#include "judge/speed.h"
#include "kernel/kernel.h"
#include "kernel/threads.h"
#include "roofline/machine.h"
#include "roofline/roofline.h"
#include "show/backend.h"

static const char exercise_name[] = "fast-attention";

enum {
    DEFAULT_SIZE = 512,
    LEAST_SIZE = 16,
    MOST_SIZE = 4096,
    DEFAULT_WIDTH = 64,
    MOST_WIDTH = 512,
    CACHED_NUMBERS = 1 << 23, /* in the keys of one query: 32 MiB, and as many in the values */
    DEFAULT_SECONDS = 5,
    MOST_SECONDS = 600,
};

struct options {
    struct practice_options practice; /* its argument is FILE */
    size_t n, d, n_threads;
    double seconds;
    const char *svg;
    bool json;
};

struct bench {
    struct options options;
    struct practice practice;
    struct roofline roofline;
    struct text notes; /* sentences on what is not in the picture, each with a newline */
    double share;      /* seconds for one measurement */
};

/* ---- options ---- */

static void take_seconds(const char *command, const struct option *option, const char *value,
                         void *field)
{
    double seconds;
    if (!text_decimal(value, &seconds) || !(seconds > 0 && seconds <= MOST_SECONDS))
        usage_error("%s: %s takes a number above 0, at most %d", command, option->name,
                    MOST_SECONDS);
    *(double *)field = seconds;
}

#define SETS(field) OPTION_SETS(struct options, field)

const struct option bench_attention_table[] = {
    {OPTION_TABLE, .table = common_options_table, SETS(practice.common)},
    {OPTION_NUMBER, "--size", "N", "attention: how many tokens, else 512", SETS(n),
     .low = LEAST_SIZE, .high = MOST_SIZE},
    {OPTION_NUMBER, "--width", "D", "attention: the width of a head, else 64", SETS(d), .low = 1,
     .high = MOST_WIDTH},
    {OPTION_NUMBER, "--threads", "N", "attention: how many threads beside 1, else all",
     SETS(n_threads), .low = 1, .high = 1024},
    {OPTION_OWN, "--seconds", "S", "attention: how long it measures, else 5", SETS(seconds),
     .take = take_seconds},
    {OPTION_TEXT, "--svg", "PICTURE", "attention: writes the roofline as a picture", SETS(svg)},
    {OPTION_FLAG, "--json", NULL, "attention: as numbers, for scripts", SETS(json)},
    {OPTION_TEXT, "--compiler", "CC",
     "attention: the compiler of FILE, else $CC, cc, gcc, clang or tcc", SETS(practice.compiler)},
    {.kind = OPTION_END},
};

static struct options read_options(int argc, char **argv)
{
    struct options options = {.practice = {.seed = 1},
                              .n = DEFAULT_SIZE,
                              .d = DEFAULT_WIDTH,
                              .n_threads = threads_most(),
                              .seconds = DEFAULT_SECONDS};
    size_t n = options_read_table("bench", bench_attention_table, argc - 1, argv + 1, &options);
    if (n > 1)
        usage_error("bench: %s: one file at a time; %s comes before it", argv[3], argv[2]);
    if (n == 1)
        options.practice.argument = argv[2];
    return options;
}

/* ---- this machine, and attn's kernels ---- */

static void note(struct bench *bench, const char *sentence)
{
    text_format(&bench->notes, "%s\n", sentence);
}

/* While what takes seconds goes on, for who waits at a terminal. */
static void say_progress(const char *what)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s%s", what, what[0] != '\0' ? " ..." : "");
}

static bool add_roof(struct bench *bench, size_t n_threads, struct error *reterr)
{
    const struct machine_time how = {.n_threads = n_threads, .seconds = bench->share};
    struct roof *roof = &bench->roofline.roofs[bench->roofline.n_roofs];
    say_progress("this machine's limits");
    roof->n_threads = n_threads;
    if (!machine_peak(&how, &roof->peak, reterr) ||
        !machine_bandwidth(&how, &roof->bandwidth, reterr))
        return false;
    bench->roofline.n_roofs++;
    return true;
}

static struct roofline_point *new_point(struct bench *bench, const char *name)
{
    struct roofline_point *point = &bench->roofline.points[bench->roofline.n_points++];
    *point = (struct roofline_point){.name = name, .roof = &bench->roofline.roofs[0]};
    return point;
}

/* attn's own for one head, on the last roof: each input is read once, the result written once. */
static bool add_kernel(struct bench *bench, const char *name, const char *because, size_t n_q,
                       size_t n_k, struct error *reterr)
{
    const size_t d = bench->options.d;
    const struct roof *roof = &bench->roofline.roofs[bench->roofline.n_roofs - 1];
    const struct machine_time how = {.n_threads = roof->n_threads, .seconds = bench->share};
    struct roofline_point point = {.name = name,
                                   .because = because,
                                   .roof = roof,
                                   .operations = 2 * cost_attention(n_q, n_k, d, d),
                                   .bytes = (double)sizeof(float) *
                                            (2 * (double)(n_q * d) + 2 * (double)(n_k * d))};
    say_progress(name);
    if (!machine_attention(&how, n_q, n_k, d, &point.seconds, reterr))
        return false;
    bench->roofline.points[bench->roofline.n_points++] = point;
    return true;
}

static bool add_kernels(struct bench *bench, struct error *reterr)
{
    const struct options *options = &bench->options;
    const size_t n_cached = CACHED_NUMBERS / options->d;
    static const char one_thread[] =
        "One pass in blocks, with this processor's widest vectors; nearly every step is a "
        "multiply-add.";
    static const char one_query[] =
        "A single query, as when a model writes the next word: every key and value that was kept "
        "is read for one product each.";
    return add_kernel(bench, "attn's kernel", one_thread, options->n, options->n, reterr) &&
           add_kernel(bench, "attn's kernel, one query", one_query, 1, n_cached, reterr);
}

static bool add_threads(struct bench *bench, struct error *reterr)
{
    const struct options *options = &bench->options;
    static const char because[] = "The same work, blocks of queries shared out to threads.";
    if (options->n_threads < 2) {
        note(bench, "There is one thread, so there is no point for several.");
        return true;
    }
    const struct roof *roofs = bench->roofline.roofs;
    if (!add_roof(bench, options->n_threads, reterr))
        return false;
    if (roofs[1].peak < 1.2 * roofs[0].peak)
        note(bench, "Other programs are at work on this machine: the figures for several threads "
                    "say little now.");
    return add_kernel(bench, "attn's kernel, threads", because, options->n, options->n, reterr);
}

/* ---- programs in boxes ---- */

/* What the expression gives over the sizes. */
static bool count_bytes(const struct bench *bench, const char *expression, double *ret,
                        struct error *reterr)
{
    const struct settings settings = {.digits = 4, .width_cols = 80, .no_files = true};
    struct session session;
    char sizes[80];
    session_init(&session, NULL, &settings, NULL, NULL);
    snprintf(sizes, sizeof sizes, "n = %zu; d = %zu", bench->options.n, bench->options.d);
    bool ok = expression_run(&session, sizes, reterr);
    struct node *node = ok ? expression_value(&session, expression, reterr) : NULL;
    if (node != NULL)
        *ret = (double)node->value.data[0];
    node_free(node);
    session_release(&session);
    return node != NULL;
}

/* Times a program that was built. A point is added where its numbers are right. */
static bool time_program(struct bench *bench, const char *name, int program_fd,
                         struct roofline_point *point, struct error *reterr)
{
    const double n = (double)bench->options.n, d = (double)bench->options.d;
    const struct sizes sizes = {.names = {"n", "d"}, .values = {n, d}, .n = 2};
    struct call_time time;
    if (!call_time_measure(&bench->practice.setup, program_fd, &sizes, bench->share, &time, reterr))
        return false;
    if (time.verdict != VERDICT_PASS) {
        text_format(&bench->notes, "%s is not in the picture: %s%s%s\n", name,
                    verdict_sentence(time.verdict), time.detail[0] != '\0' ? " " : "", time.detail);
        return true;
    }
    point->operations =
        2 * cost_attention(bench->options.n, bench->options.n, bench->options.d, bench->options.d);
    point->seconds = 1e-9 * time.best_ns;
    *new_point(bench, name) = *point;
    return true;
}

static bool add_program(struct bench *bench, const char *name, const char *because,
                        const char *bytes, const char *file_name, const struct text *source,
                        struct error *reterr)
{
    struct roofline_point point = {
        .name = name, .because = because, .roof = &bench->roofline.roofs[0]};
    struct build build;
    say_progress(name);
    if (!count_bytes(bench, bytes, &point.bytes, reterr))
        return false;
    judge_build(&bench->practice.setup, file_name, text_string(source), source->size, &build);
    bool ok = true;
    if (build.verdict == VERDICT_PASS)
        ok = time_program(bench, name, build.program_fd, &point, reterr);
    else
        text_format(&bench->notes, "%s is not in the picture: %s\n", name,
                    verdict_sentence(build.verdict));
    build_release(&build);
    return ok;
}

static bool add_ladder(struct bench *bench, struct error *reterr)
{
    const struct exercise *exercise = bench->practice.exercise;
    bool ok = true;
    for (unsigned i = 0; ok && i < exercise->speed->n_ladder; i++) {
        const struct exercise_rung *rung = &exercise->speed->ladder[i];
        struct text source = {0};
        ok = solutions_read_rung(data_dir(), exercise, rung, &source, reterr) &&
             add_program(bench, rung->title, rung->because, rung->bytes, rung->file, &source,
                         reterr);
        text_release(&source);
    }
    return ok;
}

/* What the exercise says of it, which is timed only where nothing but the clock is against it. */
static bool learner_is_right(struct bench *bench, const char *path, const struct text *source)
{
    struct judgement judgement;
    practice_grade(&bench->practice, path, text_string(source), source->size, &judgement);
    enum verdict verdict = judgement.result.verdict;
    bool right = verdict == VERDICT_PASS || verdict == VERDICT_TOO_SLOW;
    if (!right)
        text_format(&bench->notes,
                    "Yours (%s) is not in the picture: %s attn check %s tells more.\n", path,
                    verdict_sentence(verdict), path);
    judgement_release(&judgement);
    return right;
}

/* The file that was said, else that of the exercises' folder; without one that is told. */
static bool add_learner(struct bench *bench, struct error *reterr)
{
    const char *said = bench->options.practice.argument;
    char path[LEARNER_PATH_BYTES];
    struct exercise *exercise = NULL;
    struct text source = {0};
    struct error missing;
    if (said != NULL) {
        snprintf(path, sizeof path, "%s", said);
        if (!practice_read(path, &source, reterr))
            return false;
    } else if (!learner_find(&bench->practice.catalogue, bench->practice.progress, exercise_name,
                             &exercise, path, &missing) ||
               !practice_read(path, &source, &missing)) {
        exercise_free(exercise);
        note(bench, "Yours is not in the picture: there is no fast_attention.c here. attn start "
                    "makes one; attn task 17 says what it asks for.");
        return true;
    }
    exercise_free(exercise);
    say_progress("your fast_attention.c");
    bool ok = !learner_is_right(bench, path, &source) ||
              add_program(bench, "yours", NULL, "16 * n * d", path, &source, reterr);
    text_release(&source);
    return ok;
}

/* Without a compiler there are attn's kernels alone. */
static bool add_programs(struct bench *bench, struct error *reterr)
{
    struct exercise *exercise;
    struct error lack;
    if (!exercises_find_one(&bench->practice.catalogue, exercise_name, &exercise, reterr))
        return false;
    if (!practice_prepare(&bench->practice, &lack)) {
        exercise_free(exercise);
        text_format(&bench->notes, "The versions in C are not in the picture: %s\n", lack.text);
        return true;
    }
    return practice_open_exercise(&bench->practice, exercise, reterr) &&
           add_ladder(bench, reterr) && add_learner(bench, reterr);
}

/* ---- telling ---- */

static json_t *roof_json(const struct roof *roof)
{
    return json_pack("{s:I, s:f, s:f, s:f}", "threads", (json_int_t)roof->n_threads, "peak_gflops",
                     roof->peak / 1e9, "bandwidth_gb_per_s", roof->bandwidth / 1e9,
                     "ridge_operations_per_byte", roof_ridge(roof));
}

static json_t *point_json(const struct roofline_point *point)
{
    double limit = roof_limit(point->roof, roofline_intensity(point));
    return json_pack("{s:s, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:s}", "name", point->name,
                     "threads", (json_int_t)point->roof->n_threads, "operations", point->operations,
                     "bytes", point->bytes, "operations_per_byte", roofline_intensity(point),
                     "seconds", point->seconds, "gflops", roofline_rate(point) / 1e9,
                     "limit_gflops", limit / 1e9, "limited_by",
                     roofline_is_memory_bound(point) ? "memory" : "arithmetic");
}

static bool print_json(const struct bench *bench)
{
    const struct roofline *roofline = &bench->roofline;
    json_t *roofs = json_array(), *points = json_array(), *notes = json_array();
    for (size_t i = 0; i < roofline->n_roofs; i++)
        json_array_append_new(roofs, roof_json(&roofline->roofs[i]));
    for (size_t i = 0; i < roofline->n_points; i++)
        json_array_append_new(points, point_json(&roofline->points[i]));
    const char *text = text_string(&bench->notes);
    for (size_t end; *text != '\0'; text += end + 1) {
        end = strcspn(text, "\n");
        json_array_append_new(notes, json_stringn(text, end));
    }
    json_t *root =
        json_pack("{s:I, s:I, s:o, s:o, s:o}", "words", (json_int_t)bench->options.n, "width",
                  (json_int_t)bench->options.d, "roofs", roofs, "points", points, "notes", notes);
    bool ok =
        root != NULL && json_dumpf(root, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0;
    json_decref(root);
    return ok && putchar('\n') != EOF;
}

static bool write_svg(const struct bench *bench, const struct doc *doc, struct error *reterr)
{
    const char *path = bench->options.svg;
    struct text svg = {0};
    doc_to_svg(doc, NULL, &svg);
    bool ok = !svg.failed || error_memory(reterr, "the picture");
    ok = ok && (file_replace(path, text_string(&svg), svg.size, 0644) ||
                error_set(reterr, ERR_FILE, "bench: %s: %s", path, strerror(errno)));
    text_release(&svg);
    return ok;
}

static bool tell(const struct bench *bench, struct error *reterr)
{
    const struct settings *settings = &bench->practice.settings;
    const struct show_options how = settings_show_options(settings);
    struct doc doc;
    doc_init(&doc);
    roofline_show(&doc, &bench->roofline, &how);
    doc_wrap(&doc, STYLE_NOTE, text_string(&bench->notes), settings->width_cols, 0);
    bool ok =
        doc_check(&doc, reterr) && (bench->options.svg == NULL || write_svg(bench, &doc, reterr));
    bool printed =
        ok && finish_output(bench->options.json ? print_json(bench) : print_doc(&doc, settings));
    doc_release(&doc);
    return !ok || printed || error_set(reterr, ERR_FILE, "bench: its output can't be written");
}

static bool measure(struct bench *bench, struct error *reterr)
{
    bool ok = add_roof(bench, 1, reterr) && add_programs(bench, reterr) &&
              add_kernels(bench, reterr) && add_threads(bench, reterr);
    say_progress("");
    return ok;
}

int bench_attention(int argc, char **argv)
{
    enum { N_MEASUREMENTS = 13 }; /* about so many take turns */
    struct bench bench = {.options = read_options(argc, argv)};
    struct error error;
    char title[120];
    const struct kernel *kernel = kernel_get();
    snprintf(title, sizeof title,
             "Attention on this machine: %zu words, one head of width %zu (%s)", bench.options.n,
             bench.options.d, kernel != NULL ? kernel->name : "plain");
    bench.roofline.title = title;
    bench.share = bench.options.seconds / N_MEASUREMENTS;
    if (!practice_open(&bench.options.practice, &bench.practice, &error))
        return practice_error(&error);
    bool ok = measure(&bench, &error) && tell(&bench, &error);
    int code = ok ? EXIT_OK : practice_error(&error);
    text_release(&bench.notes);
    practice_close(&bench.practice);
    return code;
}
