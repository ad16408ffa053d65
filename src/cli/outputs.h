/* Where reports go: pairs of --format F and --output FILE, as grade and report take them. */
#ifndef ATTN_CLI_OUTPUTS_H
#define ATTN_CLI_OUTPUTS_H

#include "cli/options.h"
#include "report/anonymous.h"
#include "report/report.h"

enum { MAX_OUTPUTS = 16 };

struct output {
    const struct report_format *format; /* NULL until outputs_check(): not said */
    const char *path;                   /* NULL: standard output */
};

struct outputs {
    struct output items[MAX_OUTPUTS];
    size_t n;
    const char *feedback;  /* the folder for feedback files, or NULL */
    const char *anonymous; /* the file of the key for pseudonyms, or NULL: students have names */
    struct anonymous_key key;
};

/* Rows for --format, --output, --feedback and --anonymous. An --output belongs to the --format
 * before it. */
extern const struct option outputs_table[];

/* Gives those without a format the usual one, and loads the key, which is made where there is none.
 * Ends the program where two go to the same place, or to one that can't be written. */
void outputs_check(const char *command, struct outputs *outputs, const char *usual_format);
/* Takes the names away, where that is wanted. ERR_MEMORY. */
bool outputs_anonymize(const struct outputs *outputs, struct results *results,
                       struct error *reterr);
/* The file that gets json, or NULL. */
const char *outputs_json(const struct outputs *outputs);
/* Writes the files, and the last time the feedback. Then what fails is said on standard error;
 * false then. Whoever reads standard output may be gone: files come first. */
bool outputs_write_files(const struct outputs *outputs, const struct results *results, bool last);
/* Writes what goes to standard output. False when that fails, which is said on standard error. */
bool outputs_print(const struct outputs *outputs, const struct results *results);

/* Reads a whole json report. ERR_FILE. */
bool read_report(const char *path, struct results *ret, struct error *reterr);
/* The same, result by result: see report_read_each(). */
bool read_report_each(const char *path, report_take *take, void *context, struct results *ret,
                      struct error *reterr);

#endif
