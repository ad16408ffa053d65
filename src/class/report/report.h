/* Results in the formats that people, schools and machines read. */
#ifndef ATTN_REPORT_REPORT_H
#define ATTN_REPORT_REPORT_H

#include <stdio.h>

#include "report/results.h"
#include "show/doc.h"

struct report_format {
    const char *name;
    bool is_of_one_student; /* everything in it is one person's work, whatever folder it was in */
    /* For report_write(). */
    bool (*write)(const struct results *results, struct text *text, struct error *reterr);
};
/* Adds the whole report to *text. ERR_MEMORY. */
bool report_write(const struct report_format *format, const struct results *results,
                  struct text *text, struct error *reterr);
/* Gives the report to put() piece by piece: of json only one piece is held at once. False if put()
 * returns false, or with ERR_MEMORY. */
typedef bool report_put(void *context, const char *bytes, size_t size);
bool report_put_all(const struct report_format *format, const struct results *results,
                    report_put *put, void *context, struct error *reterr);
extern const struct report_format report_formats[];
extern const size_t n_report_formats;
const struct report_format *report_format(const char *name); /* NULL for an unknown name */
/* Adds all names of formats, separated by ", " and before the last one by last_joint. */
void report_list_formats(const char *last_joint, struct text *text);

/* A field of a CSV file, always quoted. A spreadsheet takes a field that begins with certain
 * characters for a formula: an apostrophe before it makes it text. */
void report_csv_field(struct text *text, const char *bytes, size_t size);

/* Replaces a file by a report, by rename, so that it is whole at any moment: the old file, or all
 * of the new one. Follows no link, at the temporary name or at path; keeps the mode of an existing
 * file. ERR_FILE if path is a folder, a pipe or a device. */
bool report_write_file(const char *path, const struct report_format *format,
                       const struct results *results, struct error *reterr);

/* Could it be written? The same errors, before anything is done. */
bool report_can_write(const char *path, struct error *reterr);

/* Reads the json format back. name is for messages. ERR_FILE if it is not that format,
 * ERR_MEMORY. */
bool report_read_json(const char *name, FILE *file, struct results *ret, struct error *reterr);
/* The same, result by result, in the order of the file: take() may take ownership of one, else it
 * is released; a failure of take() ends the reading. *ret gets everything but the results. */
typedef bool report_take(void *context, struct result *result, struct error *reterr);
bool report_read_each(const char *name, FILE *file, report_take *take, void *context,
                      struct results *ret, struct error *reterr);
/* Adds the results of from, which is emptied; the order is that of the files' bytes. If a file is
 * in both for the same exercise, the later result, from's, is kept, unless that is an internal
 * error and the earlier one is not. The sandbox becomes that which both had. ERR_RANGE when the
 * seeds differ (the results were drawn differently). On failure both stay as they were. Does not
 * look for duplicates: see results_mark_duplicates(). */
bool report_merge(struct results *results, struct results *from, struct error *reterr);

/* Adds to *text the layers that the sandboxes of both runs had, and those that either of them
 * lacked. */
void report_merge_sandboxes(const struct text *first, const struct text *second, struct text *text);

/* The class at a glance: pass rates by exercise, the most frequent misconceptions, the slowest
 * results. */
void report_class(const struct results *results, size_t width_cols, bool ascii, struct doc *doc);

#endif
