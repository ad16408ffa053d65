/* A run's results as they come: a file beside the json report, whose name has ".partial" added. It
 * is such a report that has no end yet, and each result is in it as soon as it is there; so a kill
 * loses none. When the report itself holds them it is begun anew, and in the end removed. */
#ifndef ATTN_REPORT_PARTIAL_H
#define ATTN_REPORT_PARTIAL_H

#include "report/report.h"

struct partial {
    struct text path;
    int fd; /* -1: there is none, or it could not be written */
};

/* Begins it, empty, for the report at path; head is what the results are of. A link in its place is
 * not followed. Where it can't be written there is none: then the report alone tells of the run. */
void partial_begin(const char *path, const struct results *head, struct partial *ret);
void partial_add(struct partial *partial, const struct result *result);
/* The report holds all of it now. */
void partial_clear(struct partial *partial, const struct results *head);
/* The same, for good: removes the file. */
void partial_end(struct partial *partial);
/* Leaves the file, where there is still one. All zero bytes but for fd -1 are nothing to close. */
void partial_close(struct partial *partial);

/* Reads what is beside the report at path, as report_read_each(), up to where it was cut. That
 * nothing is there, or nothing that can be read, is no failure: *ret_found is false then, there is
 * no *ret, and what was taken is worth nothing. ERR_MEMORY. */
bool partial_read(const char *path, report_take *take, void *context, bool *ret_found,
                  struct results *ret, struct error *reterr);

#endif
