/* The table of a class: see class_sheet_internal.h. */
#include "report/class_sheet_internal.h"

#include <stdint.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "files/file.h"
#include "report/report_internal.h"

/* ---- rows ---- */

static struct sheet_row row_of(const struct result *result)
{
    const char *file = result_word(result->file);
    return (struct sheet_row){.login = result_word(result->student),
                              .folder = file,
                              .folder_size = (size_t)(path_base_name(file) - file),
                              .rank = SIZE_MAX};
}

static int compare_people(const void *a, const void *b)
{
    const struct sheet_row *left = a, *right = b;
    int order = strcmp(left->login, right->login);
    if (order != 0 || left->login[0] != '\0')
        return order;
    size_t shorter =
        left->folder_size < right->folder_size ? left->folder_size : right->folder_size;
    assert(left->folder != NULL && right->folder != NULL);
    order = memcmp(left->folder, right->folder, shorter);
    return order != 0 ? order
                      : (left->folder_size > right->folder_size) -
                            (left->folder_size < right->folder_size);
}

static int compare_ranks(const void *a, const void *b)
{
    const struct sheet_row *left = a, *right = b;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    return compare_people(a, b);
}

/* The same person's rows: the one of the class list first. */
static int compare_rows(const void *a, const void *b)
{
    int order = compare_people(a, b);
    return order != 0 ? order : compare_ranks(a, b);
}

/* Each person once, in the order of compare_people(). False without memory. */
static bool list_rows(const struct results *results, struct class_sheet *sheet)
{
    size_t n = 0;
    struct sheet_row *rows = calloc(results->students.n + results->n + 1, sizeof *rows);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < results->students.n; i++) {
        const struct student *student = &results->students.items[i];
        rows[n++] = (struct sheet_row){.login = student->login, .student = student, .rank = i};
    }
    for (size_t i = 0; i < results->n; i++)
        rows[n++] = row_of(&results->items[i]);
    if (n > 1)
        qsort(rows, n, sizeof *rows, compare_rows);
    for (size_t i = 0; i < n; i++)
        if (sheet->n_rows == 0 || compare_people(&rows[sheet->n_rows - 1], &rows[i]) != 0)
            rows[sheet->n_rows++] = rows[i];
    sheet->rows = rows;
    return true;
}

/* ---- columns ---- */

static int compare_columns(const void *a, const void *b)
{
    const struct sheet_column *left = a, *right = b;
    return strcmp(left->exercise, right->exercise);
}

static struct sheet_column *find_column(const struct class_sheet *sheet, const char *exercise)
{
    for (size_t i = 0; i < sheet->n_columns; i++) {
        assert(sheet->columns[i].exercise != NULL);
        if (strcmp(sheet->columns[i].exercise, exercise) == 0)
            return &sheet->columns[i];
    }
    return NULL;
}

static bool list_columns(const struct results *results, struct class_sheet *sheet)
{
    size_t n_ordered = results->exercises.n, capacity = n_ordered;
    sheet->columns = calloc(n_ordered + 1, sizeof *sheet->columns);
    if (sheet->columns == NULL)
        return false;
    for (size_t i = 0; i < n_ordered; i++)
        sheet->columns[sheet->n_columns++].exercise = results->exercises.ids[i];
    for (size_t i = 0; i < results->n; i++) {
        const char *exercise = result_word(results->items[i].exercise);
        if (exercise[0] == '\0' || find_column(sheet, exercise) != NULL)
            continue;
        struct sheet_column *columns =
            array_grow(sheet->columns, sheet->n_columns, &capacity, sizeof *columns);
        if (columns == NULL)
            return false;
        sheet->columns = columns;
        columns[sheet->n_columns++] = (struct sheet_column){.exercise = exercise};
    }
    if (sheet->n_columns > n_ordered + 1)
        qsort(sheet->columns + n_ordered, sheet->n_columns - n_ordered, sizeof *sheet->columns,
              compare_columns);
    return true;
}

/* ---- cells ---- */

static bool make_cells(struct class_sheet *sheet)
{
    if (sheet->n_columns > 0 && sheet->n_rows > SIZE_MAX / sheet->n_columns)
        return false;
    sheet->cells = calloc(sheet->n_rows * sheet->n_columns + 1, sizeof(struct result *));
    for (size_t i = 0; sheet->cells != NULL && i < sheet->n_rows; i++)
        sheet->rows[i].cells = sheet->cells + i * sheet->n_columns;
    return sheet->cells != NULL;
}

static void count_in_column(struct sheet_column *column, const struct result *result)
{
    column->n++;
    column->n_handed_in += !verdict_is_absent(result->verdict);
    column->n_passed += result->verdict == VERDICT_PASS;
    column->share += result->max_score > 0 ? result->score / result->max_score : 0;
}

static void count_in_row(struct sheet_row *row, const struct result *result)
{
    row->score += result->is_left_out ? 0 : result->score;
    row->max_score += result->is_left_out ? 0 : result->max_score;
    row->n_passed += result->verdict == VERDICT_PASS;
    row->n_missing += result->verdict == VERDICT_MISSING;
    row->n_unclear += result->verdict == VERDICT_UNCLEAR;
    row->n_late += result->days_late > 0;
    row->n_by_hand += result->is_by_hand;
}

static void fill_cells(const struct results *results, struct class_sheet *sheet)
{
    for (size_t i = 0; i < results->n; i++) {
        const struct result *result = &results->items[i];
        struct sheet_row key = row_of(result);
        struct sheet_row *row =
            bsearch(&key, sheet->rows, sheet->n_rows, sizeof key, compare_people);
        struct sheet_column *column = find_column(sheet, result_word(result->exercise));
        row->cpu_ms += result->cpu_ms;
        if (result->is_unclear)
            row->doubt = result;
        if (column == NULL && result->verdict == VERDICT_BAD_FILE)
            row->odd = result;
        if (column == NULL || !result_counts(result)) {
            row->n_extra++;
            continue;
        }
        const struct result **cell = &row->cells[column - sheet->columns];
        if (*cell != NULL)
            continue; /* a report in which nobody looked for duplicates */
        *cell = result;
        count_in_column(column, result);
        count_in_row(row, result);
    }
}

bool class_sheet_make(const struct results *results, struct class_sheet *ret, struct error *reterr)
{
    *ret = (struct class_sheet){.n_rows = 0};
    if (!list_rows(results, ret) || !list_columns(results, ret) || !make_cells(ret)) {
        class_sheet_release(ret);
        return error_memory(reterr, "the report");
    }
    fill_cells(results, ret);
    if (ret->n_rows > 1)
        qsort(ret->rows, ret->n_rows, sizeof *ret->rows, compare_ranks);
    return true;
}

void class_sheet_release(struct class_sheet *sheet)
{
    free(sheet->rows);
    free(sheet->columns);
    free(sheet->cells);
    *sheet = (struct class_sheet){.n_rows = 0};
}

bool sheet_row_has(const struct sheet_row *row, const struct result *result)
{
    struct sheet_row other = row_of(result);
    return compare_people(row, &other) == 0;
}

/* ---- words ---- */

void sheet_row_label(const struct sheet_row *row, struct text *text)
{
    if (row->login[0] != '\0')
        text_put(text, row->login);
    else
        text_add(text, row->folder, row->folder_size);
}

static bool is_late(const struct result *result)
{
    return result->days_late > 0;
}

static bool is_missing(const struct result *result)
{
    return result->verdict == VERDICT_MISSING;
}

static bool is_unclear(const struct result *result)
{
    return result->verdict == VERDICT_UNCLEAR;
}

static bool is_bad_file(const struct result *result)
{
    return result->verdict == VERDICT_BAD_FILE;
}

static bool is_left_out(const struct result *result)
{
    return result->is_left_out;
}

static bool is_by_hand(const struct result *result)
{
    return result->is_by_hand;
}

void sheet_row_flags(const struct class_sheet *sheet, const struct sheet_row *row,
                     struct text *text)
{
    static const struct {
        const char *word;
        bool (*holds)(const struct result *result);
    } flags[] = {{"late", is_late},       {"missing", is_missing},
                 {"unclear", is_unclear}, {"no file to grade", is_bad_file},
                 {"by hand", is_by_hand}, {"does not count", is_left_out}};
    size_t begin = text->size;
    for (size_t flag = 0; flag < COUNT_OF(flags); flag++) {
        bool first = true;
        for (size_t i = 0; i < sheet->n_columns; i++) {
            if (row->cells[i] == NULL || !flags[flag].holds(row->cells[i]))
                continue;
            text_format(text, "%s%s%s", first && text->size > begin ? "; " : "",
                        first ? flags[flag].word : ", ", first ? ": " : "");
            text_put(text, sheet->columns[i].exercise);
            first = false;
        }
    }
    if (row->odd != NULL)
        text_format(text, "%snot graded: %s (%s)", text->size > begin ? "; " : "",
                    path_base_name(result_word(row->odd->file)), result_word(row->odd->detail));
    if (row->doubt != NULL) {
        text_put(text, text->size > begin ? "; " : "");
        report_doubt(row->doubt, text);
    }
}
