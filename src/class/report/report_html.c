/* The html format: a class on one page, which needs nothing but itself: see report.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/class_tally_internal.h"
#include "report/html_internal.h"
#include "report/report_internal.h"

enum { N_SLOWEST = 15 };

/* ---- cells ---- */

static void add_words(struct text *text, const char *class, const char *words)
{
    text_format(text, "<td class=\"%s\">", class);
    html_words(text, words);
    text_put(text, "</td>");
}

static void add_row_head(struct text *text, const char *words)
{
    text_put(text, "<tr><th scope=\"row\" class=\"name\">");
    html_words(text, words);
    text_put(text, "</th>");
}

static void add_count(struct text *text, size_t n)
{
    text_format(text, "<td class=\"number\">%zu</td>", n);
}

static void add_number(struct text *text, double number)
{
    text_format(text, "<td class=\"number\">%.10g</td>", number);
}

/* With one decimal, from ms or KiB; empty if it is not known. */
static void add_measure(struct text *text, double number, double unit)
{
    if (number > 0)
        text_format(text, "<td class=\"number\" data-sort=\"%.3f\">%.1f</td>", number,
                    number / unit);
    else
        text_put(text, "<td class=\"number\"></td>");
}

static void add_share(struct text *text, double share)
{
    double percent = floor(100 * share);
    text_format(
        text,
        "<td class=\"share\" data-sort=\"%.6f\"><span class=\"bar\" aria-hidden=\"true\"><span "
        "style=\"width:%.0f%%\"></span></span>%.0f %%</td>",
        share, percent, percent);
}

struct head {
    const char *words;
    bool is_number;
};

static void add_head(struct text *text, const struct head *head)
{
    text_put(text, head->is_number ? "<th scope=\"col\" class=\"number\">" : "<th scope=\"col\">");
    html_words(text, head->words);
    text_put(text, "</th>");
}

/* A part of the page, with a table that may be wider than it; its first columns' heads. */
static void begin_table(struct text *text, const char *id, const char *title, const char *caption,
                        const struct head *heads, size_t n_heads)
{
    text_format(text,
                "<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">%s</h2>\n"
                "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-labelledby=\"%s-title\">\n"
                "<table class=\"sortable\">\n<caption>%s</caption>\n<thead><tr>",
                id, id, id, title, id, caption);
    for (size_t i = 0; i < n_heads; i++)
        add_head(text, &heads[i]);
}

static void begin_rows(struct text *text)
{
    text_put(text, "</tr></thead>\n<tbody>\n");
}

static void end_table(struct text *text)
{
    text_put(text, "</tbody>\n</table>\n</div>\n</section>\n");
}

/* ---- the exercises ---- */

static bool add_worst_case(struct text *text, const struct class_sheet *sheet, size_t column,
                           struct error *reterr)
{
    struct class_tallies cases;
    if (!class_tally_failed_cases(sheet, column, &cases, reterr))
        return false;
    text_put(text, "<td class=\"words\">");
    if (cases.n > 0) {
        html_words(text, cases.items[0].name);
        text_format(text, " (%zu)", cases.items[0].n);
    }
    text_put(text, "</td>");
    class_tallies_release(&cases);
    return true;
}

static bool add_exercises(struct text *text, const struct class_sheet *sheet, struct error *reterr)
{
    static const struct head heads[] = {{"Exercise", false},
                                        {"Handed in", true},
                                        {"Missing", true},
                                        {"Pass", true},
                                        {"Pass rate", false},
                                        {"Mean points", false},
                                        {"Case that fails most", false}};
    begin_table(
        text, "exercises", "Exercises",
        "Rates count everyone who should have handed in. The number after a case says in how "
        "many works it was wrong.",
        heads, COUNT_OF(heads));
    begin_rows(text);
    for (size_t i = 0; i < sheet->n_columns; i++) {
        const struct sheet_column *column = &sheet->columns[i];
        double n = column->n > 0 ? (double)column->n : 1;
        add_row_head(text, column->exercise);
        add_count(text, column->n_handed_in);
        add_count(text, column->n - column->n_handed_in);
        add_count(text, column->n_passed);
        add_share(text, (double)column->n_passed / n);
        add_share(text, column->share / n);
        if (!add_worst_case(text, sheet, i, reterr))
            return false;
        text_put(text, "</tr>\n");
    }
    end_table(text);
    return true;
}

/* ---- the mistakes with a name ---- */

static bool add_ideas(struct text *text, const struct results *results, struct error *reterr)
{
    static const struct head heads[] = {
        {"Mistake", false}, {"Exercise", false}, {"Works", true}, {"What to ask", false}};
    struct class_tallies ideas;
    if (!class_tally_ideas(results, &ideas, reterr))
        return false;
    if (ideas.n > 0) {
        begin_table(text, "mistakes", "What the wrong numbers show",
                    "Mistakes that attn knows by name, the most frequent first.", heads,
                    COUNT_OF(heads));
        begin_rows(text);
        for (size_t i = 0; i < ideas.n; i++) {
            add_row_head(text, ideas.items[i].name);
            add_words(text, "name", ideas.items[i].exercise);
            add_count(text, ideas.items[i].n);
            add_words(text, "words", ideas.items[i].say);
            text_put(text, "</tr>\n");
        }
        end_table(text);
    }
    class_tallies_release(&ideas);
    return true;
}

/* ---- the students ---- */

/* The verdict is shown by a class for the colour, by a mark, and in words for readers who hover or
 * listen. */
static void add_result(struct text *text, const struct result *result)
{
    bool passes = result->verdict == VERDICT_PASS, missing = verdict_is_absent(result->verdict);
    text_format(text, "<td class=\"number %s\" data-sort=\"%.10g\" title=\"",
                passes    ? "pass"
                : missing ? "missing"
                          : "fail",
                result->score);
    html_words(text, verdict_sentence(result->verdict));
    if (result->verdict == VERDICT_UNCLEAR)
        text_put(text, "\">unclear");
    else
        text_format(text, "\">%.10g <span class=\"mark\">%s</span>", result->score,
                    passes    ? "\u2713"
                    : missing ? "\u2013"
                              : "\u2717");
    if (result->days_late > 0)
        text_put(text, " <span class=\"tag\">late</span>");
    if (result->is_by_hand)
        text_put(text, " <span class=\"tag\">by hand</span>");
    text_put(text, "</td>");
}

static bool has_class_list(const struct class_sheet *sheet)
{
    return sheet->n_rows > 0 && sheet->rows[0].student != NULL;
}

static void add_student(struct text *text, const struct class_sheet *sheet,
                        const struct sheet_row *row)
{
    struct text label = {0}, flags = {0};
    sheet_row_label(row, &label);
    sheet_row_flags(sheet, row, &flags);
    add_row_head(text, text_string(&label));
    add_words(text, "name", row->student != NULL ? row->student->name : "");
    if (row->n_unclear > 0)
        add_words(text, "number", "unclear");
    else
        add_number(text, row->score);
    add_number(text, row->max_score);
    for (size_t i = 0; i < sheet->n_columns; i++) {
        if (row->cells[i] != NULL)
            add_result(text, row->cells[i]);
        else
            text_put(text, "<td></td>");
    }
    add_count(text, row->n_passed);
    add_measure(text, row->cpu_ms, 1000);
    add_words(text, "words", text_string(&flags));
    text_put(text, "</tr>\n");
    text->failed = text->failed || label.failed || flags.failed;
    text_release(&label);
    text_release(&flags);
}

static void add_students(struct text *text, const struct class_sheet *sheet)
{
    static const struct head first[] = {{"Student", false},
                                        {"Name", false},
                                        {"Total", true},
                                        {"Of", true}},
                             last[] = {{"Pass", true}, {"CPU s", true}, {"Remarks", false}};
    begin_table(text, "students", "Students",
                "Points. \u2713 right in every case, \u2717 not right, \u2013 nothing handed in.",
                first, COUNT_OF(first));
    for (size_t i = 0; i < sheet->n_columns; i++)
        add_head(text, &(struct head){sheet->columns[i].exercise, true});
    for (size_t i = 0; i < COUNT_OF(last); i++)
        add_head(text, &last[i]);
    begin_rows(text);
    for (size_t i = 0; i < sheet->n_rows; i++)
        add_student(text, sheet, &sheet->rows[i]);
    end_table(text);
}

/* ---- other findings ---- */

static void add_verdict(struct text *text, const struct result *result)
{
    struct text verdict = {0};
    report_verdict(result, &verdict);
    add_words(text, "name", text_string(&verdict));
    text->failed = text->failed || verdict.failed;
    text_release(&verdict);
}

static void add_slowest(struct text *text, const struct results *results)
{
    static const struct head heads[] = {{"File", false}, {"Exercise", false},  {"Verdict", false},
                                        {"CPU s", true}, {"Memory MiB", true}, {"Seconds", true}};
    const struct result *slowest[N_SLOWEST];
    size_t n = class_slowest(results, slowest, N_SLOWEST);
    if (n == 0)
        return;
    begin_table(text, "slowest", "Slowest",
                "Processor time of compiling and running; memory that the program held; time from "
                "reading the file to the verdict, with all that waited.",
                heads, COUNT_OF(heads));
    begin_rows(text);
    for (size_t i = 0; i < n; i++) {
        add_row_head(text, result_word(slowest[i]->file));
        add_words(text, "name", result_word(slowest[i]->exercise));
        add_verdict(text, slowest[i]);
        add_measure(text, slowest[i]->cpu_ms, 1000);
        add_measure(text, slowest[i]->memory_kib, 1024);
        add_measure(text, slowest[i]->time_ms, 1000);
        text_put(text, "</tr>\n");
    }
    end_table(text);
}

static void add_similar(struct text *text, const struct likenesses *similar)
{
    static const struct head heads[] = {
        {"Exercise", false}, {"One", false}, {"Other", false}, {"In common", false}};
    if (similar->n == 0)
        return;
    begin_table(text, "similar", "Worth a look side by side",
                "Works that share far more than others for the same exercise do, whatever their "
                "names, comments and layout. It is a hint to look, not a proof of anything: there "
                "are good reasons for two works to be similar.",
                heads, COUNT_OF(heads));
    begin_rows(text);
    for (size_t i = 0; i < similar->n; i++) {
        add_row_head(text, similar->items[i].exercise);
        add_words(text, "name", similar->items[i].a);
        add_words(text, "name", similar->items[i].b);
        add_share(text, similar->items[i].share);
        text_put(text, "</tr>\n");
    }
    end_table(text);
}

static void add_duplicates(struct text *text, const struct results *results)
{
    static const struct head heads[] = {
        {"File", false}, {"Exercise", false}, {"Verdict", false}, {"Counts instead", false}};
    if (report_count(results) == results->n)
        return;
    begin_table(text, "duplicates", "Handed in more than once",
                "These files have no points: another one of the same student and exercise counts.",
                heads, COUNT_OF(heads));
    begin_rows(text);
    for (size_t i = 0; i < results->n; i++) {
        const struct result *result = &results->items[i];
        if (result_counts(result))
            continue;
        add_row_head(text, result_word(result->file));
        add_words(text, "name", result_word(result->exercise));
        add_verdict(text, result);
        add_words(text, "name", result->duplicate_of);
        text_put(text, "</tr>\n");
    }
    end_table(text);
}

static void add_unassigned(struct text *text, const struct results *results)
{
    static const struct head heads[] = {{"File", false}, {"Verdict", false}};
    bool any = false;
    for (size_t i = 0; i < results->n; i++) {
        const struct result *result = &results->items[i];
        if (result_word(result->exercise)[0] != '\0')
            continue;
        if (!any) {
            begin_table(text, "unknown", "For no exercise",
                        "Files whose name does not say what they are for.", heads, COUNT_OF(heads));
            begin_rows(text);
        }
        any = true;
        add_row_head(text, result_word(result->file));
        add_verdict(text, result);
        text_put(text, "</tr>\n");
    }
    if (any)
        end_table(text);
}

/* ---- the totals ---- */

enum { N_TENTHS = 10 };

static int compare_shares(const void *a, const void *b)
{
    const double *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

/* The share of the points that each student has whose points are known; NULL without memory. */
static double *list_shares(const struct class_sheet *sheet, size_t *ret_n)
{
    double *shares = calloc(sheet->n_rows + 1, sizeof *shares);
    *ret_n = 0;
    for (size_t i = 0; shares != NULL && i < sheet->n_rows; i++) {
        const struct sheet_row *row = &sheet->rows[i];
        bool is_of_class = row->student != NULL || !has_class_list(sheet);
        if (is_of_class && row->n_unclear == 0 && row->max_score > 0)
            shares[(*ret_n)++] = row->score / row->max_score;
    }
    if (shares != NULL && *ret_n > 1)
        qsort(shares, *ret_n, sizeof *shares, compare_shares);
    return shares;
}

/* How the totals are spread. */
static bool add_totals(struct text *text, const struct class_sheet *sheet, struct error *reterr)
{
    static const struct head heads[] = {
        {"Share of the points", false}, {"Students", true}, {"Part of the class", false}};
    size_t n, counts[N_TENTHS] = {0};
    double *shares = list_shares(sheet, &n);
    if (shares == NULL)
        return error_memory(reterr, "the report");
    if (n > 1) {
        double median = (shares[(n - 1) / 2] + shares[n / 2]) / 2;
        for (size_t i = 0; i < n; i++) {
            size_t tenth = (size_t)fmax(0, shares[i] * N_TENTHS);
            counts[tenth < N_TENTHS ? tenth : N_TENTHS - 1]++;
        }
        char caption[160];
        snprintf(caption, sizeof caption,
                 "The median is %.0f %% of the points; the lowest share is %.0f %%, the highest "
                 "%.0f %%.",
                 floor(100 * median), floor(100 * shares[0]), floor(100 * shares[n - 1]));
        begin_table(text, "totals", "Totals", caption, heads, COUNT_OF(heads));
        begin_rows(text);
        for (size_t i = N_TENTHS; i-- > 0;) {
            text_format(text, "<tr><th scope=\"row\" data-sort=\"%zu\">%zu to %zu %%</th>", i,
                        i * N_TENTHS, i + 1 < N_TENTHS ? i * N_TENTHS + 9 : 100);
            add_count(text, counts[i]);
            add_share(text, (double)counts[i] / (double)n);
            text_put(text, "</tr>\n");
        }
        end_table(text);
    }
    free(shares);
    return true;
}

/* Exercises that were handed in and that nobody passes. */
static void add_failed_by_all(struct text *text, const struct class_sheet *sheet)
{
    size_t n = 0;
    for (size_t i = 0; i < sheet->n_columns; i++) {
        const struct sheet_column *column = &sheet->columns[i];
        if (column->n_handed_in == 0 || column->n_passed > 0)
            continue;
        text_put(text, n++ == 0 ? "<p>Nobody passes: " : ", ");
        html_words(text, column->exercise);
    }
    text_put(text, n > 0 ? ".</p>\n" : "");
}

static void add_summary(struct text *text, const struct results *results,
                        const struct class_sheet *sheet)
{
    size_t n_files = 0, n_listed = 0;
    for (size_t i = 0; i < sheet->n_rows; i++)
        n_listed += sheet->rows[i].student != NULL;
    size_t n_students = n_listed > 0 ? n_listed : sheet->n_rows,
           n_others = sheet->n_rows - n_students;
    for (size_t i = 0; i < sheet->n_columns; i++)
        n_files += sheet->columns[i].n_handed_in;
    text_format(text,
                "<p class=\"lead\">%zu of %zu works pass: %zu student%s, %zu exercise%s.</p>\n",
                report_count_passed(results), n_files, n_students, n_students == 1 ? "" : "s",
                sheet->n_columns, sheet->n_columns == 1 ? "" : "s");
    if (n_others > 0)
        text_format(text,
                    "<p>%zu more handed in and %s not on the class list, or not clear who.</p>\n",
                    n_others, n_others == 1 ? "is" : "are");
    add_failed_by_all(text, sheet);
    text_format(text,
                "<p class=\"quiet\">Graded in %s isolation. The heads of the tables sort them, "
                "where scripts may run.</p>\n",
                results_isolation(results));
}

bool report_write_html(const struct results *results, struct text *text, struct error *reterr)
{
    struct class_sheet sheet;
    if (!class_sheet_make(results, &sheet, reterr))
        return false;
    html_begin(text, results->title != NULL ? results->title : "The class", true);
    add_summary(text, results, &sheet);
    bool ok = add_totals(text, &sheet, reterr) && add_exercises(text, &sheet, reterr) &&
              add_ideas(text, results, reterr);
    add_students(text, &sheet);
    add_similar(text, &results->similar);
    add_duplicates(text, results);
    add_slowest(text, results);
    add_unassigned(text, results);
    html_end(text, true);
    class_sheet_release(&sheet);
    return ok && report_check(text, reterr);
}
