/* The table of formats, and their shared code. Private to report*.c. */
#ifndef ATTN_REPORT_REPORT_INTERNAL_H
#define ATTN_REPORT_REPORT_INTERNAL_H

#include "report/report.h"

/* The formats, in the order in which help lists them, and whether they are for one student;
 * report_NAME.c writes each. A new format is a row here, and its file. */
/* clang-format off */
#define REPORT_FORMATS(each) \
    each(text, false)        \
    each(json, false)        \
    each(junit, false)       \
    each(tap, false)         \
    each(gradescope, true)   \
    each(classroom50, true)  \
    each(autolab, true)      \
    each(csv, false)         \
    each(table, false)       \
    each(canvas, false)      \
    each(moodle, false)      \
    each(moodle_feedback, false) \
    each(html, false)
/* clang-format on */

#define DECLARE(name, is_of_one_student)                                       \
    bool report_write_##name(const struct results *results, struct text *text, \
                             struct error *reterr);
REPORT_FORMATS(DECLARE)
#undef DECLARE

/* As report_put_all(). */
bool report_put_json(const struct results *results, report_put *put, void *context,
                     struct error *reterr);

/* Adds the beginning of a json report, up to the first result. */
void report_begin_json(const struct results *results, struct text *text);
/* As report_read_each(); a report that was cut anywhere after its head is read up to there. */
bool report_read_cut(const char *name, FILE *file, report_take *take, void *context,
                     struct results *ret, struct error *reterr);

/* ERR_MEMORY when the text is incomplete, else true. */
bool report_check(const struct text *text, struct error *reterr);
/* Adds the json and a newline; takes ownership of the reference. NULL is ERR_MEMORY. */
bool report_add_json(struct text *text, json_t *json, size_t flags, struct error *reterr);
/* Gives array one item for each result that counts, made by item(), which returns NULL without
 * memory. Takes ownership of nothing; false without memory. */
bool report_add_items(json_t *array, const struct results *results,
                      json_t *(*item)(const struct result *result));
/* A text as json, made safe. */
json_t *report_string(const char *bytes, size_t size);
json_t *report_words(const char *string);
/* The text that write() adds for a result, as json. */
json_t *report_text(const struct result *result,
                    void (*write)(const struct result *result, struct text *text));
/* The misconceptions' ids, a list. */
json_t *report_idea_list(const struct result *result);

/* "2 more files are duplicates ...: b.c (a.c counts)\n", or nothing. */
void report_duplicates(const struct results *results, struct text *text);
/* Adds lines, each after a mark: text that a learner's program may influence never begins a line,
 * so that a log's reader does not take "::error::" for a command. */
void report_quoted(const char *lines, struct text *text);
/* "softmax-rows (anna/softmax_rows.c)": the title of one result; with the student if there is no
 * file. */
void report_title(const struct result *result, struct text *text);
/* "wrong_answer", or "crash (SIGSEGV)". */
void report_verdict(const struct result *result, struct text *text);
/* Of an unclear work: "unclear whose: bob or carl"; else nothing. */
void report_doubt(const struct result *result, struct text *text);
/* The misconceptions' ids, separated. */
void report_ideas(const struct result *result, const char *separator, struct text *text);
/* Everything that the learner should read: the verdict, the misconceptions' names, the message. */
void report_feedback(const struct result *result, struct text *text);
/* The sandbox on one line: its lines separated by ", ". */
void report_sandbox(const struct results *results, struct text *text);
/* Did it go wrong other than by wrong numbers? */
bool report_is_error(enum verdict verdict);
/* How many results count, and how many of those pass. */
size_t report_count(const struct results *results);
size_t report_count_passed(const struct results *results);
/* The time now, UTC, ISO 8601: "2026-03-01T12:00:00" with `zone` after it. */
void report_time(char text[32], const char *zone);

#endif
