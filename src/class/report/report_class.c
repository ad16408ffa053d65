/* The class at a glance: see report.h. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_internal.h"
#include "report/class_tally_internal.h"

enum {
    N_SLOWEST = 5,
    MAX_IDEAS = 12,
    MAX_PEOPLE = 12,
    BAR_COLS = 20,
    NAME_COLS = 40,
    GAP_COLS = 2
};

static size_t widest_name(const struct class_tallies *tallies)
{
    size_t cols = 0;
    for (size_t i = 0; i < tallies->n; i++) {
        size_t name = text_width(tallies->items[i].name, strlen(tallies->items[i].name));
        cols = name > cols ? name : cols;
    }
    return cols < NAME_COLS ? cols : NAME_COLS;
}

/* A name in this many columns, cut if it is too long. */
static void add_name(struct doc *doc, enum style style, const char *name, size_t cols)
{
    size_t fits = text_fit(name, strlen(name), cols);
    size_t taken = text_width(name, fits);
    doc_put(doc, style, name, fits);
    doc_add(doc, STYLE_PLAIN, "%*s", (int)(cols - taken + GAP_COLS), "");
}

/* The last words of a line. */
static void end_line(struct doc *doc, enum style style, const char *words)
{
    doc_add(doc, style, "%s", words);
    doc_end_line(doc);
}

static void add_bar(struct doc *doc, double share, bool ascii)
{
    size_t full = (size_t)lround(share * BAR_COLS);
    for (size_t i = 0; i < BAR_COLS; i++)
        doc_add(doc, i < full ? STYLE_GOOD : STYLE_QUIET, "%s",
                ascii ? (i < full ? "#" : "-") : (i < full ? "\u2588" : "\u2591"));
}

/* ---- the parts ---- */

static size_t widest_exercise(const struct class_sheet *sheet)
{
    size_t widest = strlen("exercise");
    for (size_t i = 0; i < sheet->n_columns; i++) {
        const char *name = sheet->columns[i].exercise;
        size_t cols = text_width(name, strlen(name));
        widest = cols > widest ? cols : widest;
    }
    return widest < NAME_COLS ? widest : NAME_COLS;
}

static void show_exercises(const struct class_sheet *sheet, bool ascii, struct doc *doc)
{
    size_t cols = widest_exercise(sheet);
    add_name(doc, STYLE_TITLE, "exercise", cols);
    end_line(doc, STYLE_TITLE, "files  pass  mean score");
    for (size_t i = 0; i < sheet->n_columns; i++) {
        const struct sheet_column *column = &sheet->columns[i];
        double n = column->n > 0 ? (double)column->n : 1;
        add_name(doc, STYLE_NAME, column->exercise, cols);
        doc_add(doc, STYLE_NUMBER, "%5zu  %4zu  %8.0f %%  ", column->n_handed_in, column->n_passed,
                100 * column->share / n);
        add_bar(doc, (double)column->n_passed / n, ascii);
        doc_end_line(doc);
    }
}

static void show_idea(const struct class_tally *tally, size_t width_cols, struct doc *doc)
{
    struct text say = {0};
    doc_add(doc, STYLE_NUMBER, "%5zu  ", tally->n);
    doc_add(doc, STYLE_NAME, "%s", tally->name);
    doc_add(doc, STYLE_QUIET, "  in %s", tally->exercise);
    doc_end_line(doc);
    text_add(&say, tally->say, strcspn(tally->say, "\n"));
    doc_wrap(doc, STYLE_PLAIN, text_string(&say), width_cols, 7);
    doc->failed = doc->failed || say.failed;
    text_release(&say);
}

static void show_ideas(const struct results *results, size_t width_cols, struct doc *doc)
{
    struct class_tallies tallies;
    if (!class_tally_ideas(results, &tallies, NULL)) {
        doc->failed = true;
        return;
    }
    if (tallies.n > 0) {
        doc_end_line(doc);
        doc_line(doc, STYLE_TITLE, "What the wrong numbers show");
    }
    for (size_t i = 0; i < tallies.n && i < MAX_IDEAS; i++)
        show_idea(&tallies.items[i], width_cols, doc);
    if (tallies.n > MAX_IDEAS)
        doc_line(doc, STYLE_QUIET, "       and %zu more", tallies.n - MAX_IDEAS);
    class_tallies_release(&tallies);
}

static void show_verdicts(const struct results *results, struct doc *doc)
{
    struct class_tallies tallies;
    if (!class_tally_verdicts(results, &tallies, NULL)) {
        doc->failed = true;
        return;
    }
    size_t cols = widest_name(&tallies);
    doc_end_line(doc);
    doc_line(doc, STYLE_TITLE, "Verdicts");
    for (size_t i = 0; i < tallies.n; i++) {
        doc_add(doc, STYLE_NUMBER, "%5zu  ", tallies.items[i].n);
        add_name(doc, STYLE_NAME, tallies.items[i].name, cols);
        end_line(doc, STYLE_QUIET, tallies.items[i].say);
    }
    class_tallies_release(&tallies);
}

/* The login, and the name if the class list has one. */
static void add_person(struct doc *doc, const struct sheet_row *row)
{
    struct text label = {0};
    sheet_row_label(row, &label);
    doc_add(doc, STYLE_NAME, "%s", text_string(&label));
    if (row->student != NULL && row->student->name[0] != '\0')
        doc_add(doc, STYLE_PLAIN, " (%s)", row->student->name);
    doc->failed = doc->failed || label.failed;
    text_release(&label);
}

static bool has_nothing(const struct class_sheet *sheet, const struct sheet_row *row)
{
    for (size_t i = 0; i < sheet->n_columns; i++)
        if (row->cells[i] != NULL && row->cells[i]->verdict != VERDICT_MISSING)
            return false;
    return row->n_missing > 0 || row->rank != SIZE_MAX;
}

static void show_missing_of(const struct class_sheet *sheet, const struct sheet_row *row,
                            struct doc *doc)
{
    const char *separator = ": ";
    doc_add(doc, STYLE_PLAIN, "       ");
    add_person(doc, row);
    for (size_t i = 0; !has_nothing(sheet, row) && i < sheet->n_columns; i++) {
        if (row->cells[i] == NULL || row->cells[i]->verdict != VERDICT_MISSING)
            continue;
        doc_add(doc, STYLE_PLAIN, "%s%s", separator, sheet->columns[i].exercise);
        separator = ", ";
    }
    end_line(doc, STYLE_PLAIN, has_nothing(sheet, row) ? ": everything" : "");
}

static void show_missing(const struct class_sheet *sheet, struct doc *doc)
{
    size_t n = 0;
    for (size_t i = 0; i < sheet->n_rows; i++) {
        const struct sheet_row *row = &sheet->rows[i];
        if (row->n_missing == 0 && !has_nothing(sheet, row))
            continue;
        if (n++ == 0) {
            doc_end_line(doc);
            doc_line(doc, STYLE_TITLE, "What is missing");
        }
        if (n <= MAX_PEOPLE)
            show_missing_of(sheet, row, doc);
    }
    if (n > MAX_PEOPLE)
        doc_line(doc, STYLE_QUIET, "       and of %zu more students; --format table has all",
                 n - MAX_PEOPLE);
}

static void show_duplicates(const struct results *results, struct doc *doc)
{
    size_t n = results->n - report_count(results), shown = 0;
    if (n == 0)
        return;
    doc_end_line(doc);
    doc_line(doc, STYLE_TITLE, "Handed in more than once");
    for (size_t i = 0; i < results->n && shown < MAX_PEOPLE; i++) {
        const struct result *result = &results->items[i];
        if (result_counts(result))
            continue;
        doc_line(doc, STYLE_PLAIN, "       %s: %s counts", result_word(result->file),
                 result->duplicate_of);
        shown++;
    }
    if (n > shown)
        doc_line(doc, STYLE_QUIET, "       and %zu more", n - shown);
}

static void show_similar(const struct results *results, struct doc *doc)
{
    const struct likenesses *similar = &results->similar;
    if (similar->n == 0)
        return;
    doc_end_line(doc);
    doc_line(doc, STYLE_TITLE, "Worth a look side by side (not a proof of anything)");
    for (size_t i = 0; i < similar->n && i < MAX_PEOPLE; i++)
        doc_line(doc, STYLE_PLAIN, "%5.0f %%  %s: %s and %s", floor(100 * similar->items[i].share),
                 similar->items[i].exercise, similar->items[i].a, similar->items[i].b);
    if (similar->n > MAX_PEOPLE)
        doc_line(doc, STYLE_QUIET, "       and %zu more; --format html has all",
                 similar->n - MAX_PEOPLE);
}

static void show_slowest(const struct results *results, struct doc *doc)
{
    const struct result *slowest[N_SLOWEST];
    size_t n = class_slowest(results, slowest, N_SLOWEST);
    doc_end_line(doc);
    doc_line(doc, STYLE_TITLE, "Slowest to grade");
    for (size_t i = 0; i < n; i++) {
        doc_add(doc, STYLE_NUMBER, "%8.0f ms  ", class_cost_ms(slowest[i]));
        doc_add(doc, STYLE_QUIET, "%s%s  ", slowest[i]->cpu_ms > 0 ? "of CPU time  " : "",
                verdict_name(slowest[i]->verdict));
        if (slowest[i]->memory_kib > 0)
            doc_add(doc, STYLE_QUIET, "%.0f MiB  ", ceil(slowest[i]->memory_kib / 1024));
        end_line(doc, STYLE_PLAIN, result_word(slowest[i]->file));
    }
}

static size_t count_named(const struct class_sheet *sheet)
{
    size_t n = 0;
    for (size_t i = 0; i < sheet->n_rows; i++)
        n += sheet->rows[i].login[0] != '\0';
    return n;
}

static size_t count_files(const struct results *results)
{
    size_t n = 0;
    for (size_t i = 0; i < results->n; i++)
        n += result_counts(&results->items[i]) && !verdict_is_absent(results->items[i].verdict);
    return n;
}

void report_class(const struct results *results, size_t width_cols, bool ascii, struct doc *doc)
{
    struct class_sheet sheet;
    if (!class_sheet_make(results, &sheet, NULL)) {
        doc->failed = true;
        return;
    }
    size_t n_students = count_named(&sheet);
    if (results->title != NULL)
        doc_line(doc, STYLE_TITLE, "%s", results->title);
    doc_add(doc, STYLE_TITLE, "%zu of %zu files pass", report_count_passed(results),
            count_files(results));
    if (n_students > 0)
        doc_add(doc, STYLE_PLAIN, ", of %zu student%s", n_students, n_students == 1 ? "" : "s");
    doc_add(doc, STYLE_QUIET, "  (seed %llu, %s isolation)", (unsigned long long)results->seed,
            results_isolation(results));
    doc_end_line(doc);
    if (results->n > 0) {
        doc_end_line(doc);
        show_exercises(&sheet, ascii, doc);
        show_ideas(results, width_cols, doc);
        show_verdicts(results, doc);
        show_missing(&sheet, doc);
        show_duplicates(results, doc);
        show_similar(results, doc);
        show_slowest(results, doc);
    }
    class_sheet_release(&sheet);
}
