/* The formats that gradebooks import: canvas and moodle, both CSV. Each has a row for every student
 * of the class list of whom the points are clear: what is unclear keeps the grade that is there. */
#include <stdio.h>
#include <string.h>

#include "report/class_sheet_internal.h"
#include "report/report_internal.h"

static void add_word(struct text *text, const char *word, char end)
{
    report_csv_field(text, result_word(word), strlen(result_word(word)));
    text_char(text, end);
}

static void add_remarks(struct text *text, const struct class_sheet *sheet,
                        const struct sheet_row *row)
{
    struct text flags = {0};
    sheet_row_flags(sheet, row, &flags);
    text->failed = text->failed || flags.failed;
    add_word(text, text_string(&flags), '\n');
    text_release(&flags);
}

static double most_points(const struct class_sheet *sheet)
{
    double most = 0;
    for (size_t i = 0; i < sheet->n_rows; i++)
        most = sheet->rows[i].max_score > most ? sheet->rows[i].max_score : most;
    return most;
}

/* Canvas finds students by its ID, and the assignment by the name at the head of the column:
 * "Homework 3 (4711)", as it stands in an export. */
static void add_canvas(struct text *text, const struct results *results,
                       const struct class_sheet *sheet)
{
    text_put(text, "Student,ID,SIS Login ID,Section,");
    add_word(text, results->title != NULL ? results->title : "attn", '\n');
    text_format(text, "\"    Points Possible\",,,,%.15g\n", most_points(sheet));
    for (size_t i = 0; i < sheet->n_rows; i++) {
        const struct sheet_row *row = &sheet->rows[i];
        const struct student *student = row->student;
        if (student == NULL || row->n_unclear > 0)
            continue;
        bool has_number = result_word(student->number)[0] != '\0';
        add_word(text, student->name, ',');
        add_word(text, has_number ? student->number : student->id, ',');
        add_word(text, student->is_login_made ? "" : student->login, ',');
        add_word(text, student->section, ',');
        text_format(text, "%.15g\n", row->score);
    }
}

/* Moodle's grading worksheet: it finds students by their participants' numbers. */
static void add_moodle(struct text *text, const struct class_sheet *sheet)
{
    text_put(text,
             "Identifier,\"Full name\",\"ID number\",\"Email address\",Grade,\"Maximum Grade\","
             "\"Feedback comments\"\n");
    for (size_t i = 0; i < sheet->n_rows; i++) {
        const struct sheet_row *row = &sheet->rows[i];
        const struct student *student = row->student;
        char identifier[80] = "";
        if (student == NULL || row->n_unclear > 0)
            continue;
        if (result_word(student->number)[0] != '\0')
            snprintf(identifier, sizeof identifier, "Participant %s", student->number);
        add_word(text, identifier, ',');
        add_word(text, student->name, ',');
        add_word(text, student->id, ',');
        add_word(text, student->email, ',');
        text_format(text, "%.15g,%.15g,", row->score, row->max_score);
        add_remarks(text, sheet, row);
    }
}

bool report_write_canvas(const struct results *results, struct text *text, struct error *reterr)
{
    struct class_sheet sheet;
    if (!class_sheet_make(results, &sheet, reterr))
        return false;
    add_canvas(text, results, &sheet);
    class_sheet_release(&sheet);
    return report_check(text, reterr);
}

bool report_write_moodle(const struct results *results, struct text *text, struct error *reterr)
{
    struct class_sheet sheet;
    if (!class_sheet_make(results, &sheet, reterr))
        return false;
    add_moodle(text, &sheet);
    class_sheet_release(&sheet);
    return report_check(text, reterr);
}
