/* The table format: CSV, a row for each student: see report.h. */
#include <string.h>

#include "report/class_sheet_internal.h"
#include "report/report_internal.h"

static void add_word(struct text *text, const char *word)
{
    report_csv_field(text, word, strlen(word));
    text_char(text, ',');
}

/* title: of the assignment, or NULL. */
static void add_head(struct text *text, const struct class_sheet *sheet, const char *title)
{
    text_put(text, "login,name,email,id,");
    for (size_t i = 0; i < sheet->n_columns; i++)
        add_word(text, sheet->columns[i].exercise);
    text_format(text, "total,max_total,remarks%s\n", title != NULL ? ",assignment" : "");
}

static void add_row(struct text *text, const struct class_sheet *sheet, const struct sheet_row *row,
                    const char *title)
{
    struct text label = {0}, flags = {0};
    const struct student *student = row->student;
    sheet_row_label(row, &label);
    sheet_row_flags(sheet, row, &flags);
    report_csv_field(text, text_string(&label), label.size);
    text_char(text, ',');
    add_word(text, student != NULL ? student->name : "");
    add_word(text, student != NULL ? student->email : "");
    add_word(text, student != NULL ? student->id : "");
    for (size_t i = 0; i < sheet->n_columns; i++) {
        if (row->cells[i] != NULL && row->cells[i]->verdict != VERDICT_UNCLEAR)
            text_format(text, "%.15g", row->cells[i]->score);
        text_char(text, ',');
    }
    if (row->n_unclear == 0)
        text_format(text, "%.15g", row->score);
    text_format(text, ",%.15g,", row->max_score);
    report_csv_field(text, text_string(&flags), flags.size);
    if (title != NULL) {
        text_char(text, ',');
        report_csv_field(text, title, strlen(title));
    }
    text_char(text, '\n');
    text->failed = text->failed || label.failed || flags.failed;
    text_release(&label);
    text_release(&flags);
}

bool report_write_table(const struct results *results, struct text *text, struct error *reterr)
{
    struct class_sheet sheet;
    if (!class_sheet_make(results, &sheet, reterr))
        return false;
    add_head(text, &sheet, results->title);
    for (size_t i = 0; i < sheet.n_rows; i++)
        add_row(text, &sheet, &sheet.rows[i], results->title);
    class_sheet_release(&sheet);
    return report_check(text, reterr);
}
