/* Exports all that is remembered, for other programs to read. */
#ifndef ATTN_COURSE_PROGRESS_EXPORT_H
#define ATTN_COURSE_PROGRESS_EXPORT_H

#include "course/lesson/course.h"
#include "course/progress/progress.h"

/* One JSON object: "schema" ("attn-progress/1"), "lessons" (of the course, unless that is NULL: how
 * the questions of each went, as lesson_count.h counts them), and the lists "attempts" and "hints"
 * (at exercises), "plays" (the attempts at lessons, each with the page and the lines of its last
 * run), "events", "reviews" (the questions to review, and when) and "settings". Bytes that are not
 * UTF-8 become U+FFFD. Adds to out on success only. */
bool progress_export_json(struct progress *progress, const struct course *course, struct text *out,
                          struct error *reterr);
/* CSV (RFC 4180, in UTC, lines end in a newline): a line of headings, then a line for each event,
 * by time. Fields that a spreadsheet would take for a formula begin with an apostrophe; bytes that
 * are not UTF-8 become U+FFFD. Adds to out on success only. */
bool progress_export_csv(struct progress *progress, struct text *out, struct error *reterr);
/* Writes either of them to a file that only its owner may read (the course only matters for JSON).
 * The file is whole, or as before. ERR_FILE if it can't be written. */
bool progress_export_file(struct progress *progress, const struct course *course, bool csv,
                          const char *path, struct error *reterr);

#endif
