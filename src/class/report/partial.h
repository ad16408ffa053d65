/* A run's results as they come: a file beside the json report, whose name has ".partial" added. It
 * is such a report without an end, and each result is in it as soon as it exists; so a kill loses
 * none. When the report itself holds the results, the file is emptied, and finally removed. */
#ifndef ATTN_REPORT_PARTIAL_H
#define ATTN_REPORT_PARTIAL_H

#include "report/report.h"

struct partial {
    struct text path;
    int fd; /* -1: there is no file, or it could not be written */
};

/* Begins an empty one for the report at path; head describes the results. A link in its place is
 * not followed. If it can't be written, there is no file, and only the report shows the run's
 * results. */
void partial_begin(const char *path, const struct results *head, struct partial *ret);
void partial_add(struct partial *partial, const struct result *result);
/* Empties it, because the report now holds all of its results. */
void partial_clear(struct partial *partial, const struct results *head);
/* The same, for good: removes the file. */
void partial_end(struct partial *partial);
/* Leaves the file in place, if there still is one. A struct of zero bytes but for fd -1 has nothing
 * to close. */
void partial_close(struct partial *partial);

/* Reads the file beside the report at path, as report_read_each(), up to where it was cut. It is
 * not an error if the file does not exist or can't be read: then *ret_found is false, *ret is not
 * set, and the results taken so far are worthless. ERR_MEMORY. */
bool partial_read(const char *path, report_take *take, void *context, bool *ret_found,
                  struct results *ret, struct error *reterr);

#endif
