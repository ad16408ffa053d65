/* Feedback files: for each student one to read in any editor and one for a browser, with nothing of
 * anybody else. */
#ifndef ATTN_REPORT_FEEDBACK_H
#define ATTN_REPORT_FEEDBACK_H

#include "report/result.h"

/* Can a folder for feedback be there? Makes it, for its owner alone, when it is missing. ERR_FILE.
 */
bool feedback_open(const char *folder, struct error *reterr);
/* Writes NAME.txt and NAME.html for each student of the class list and each who handed in, and
 * index.csv, which says whose they are. NAME is the login as every file system can hold it, in no
 * other folder, and different for different logins. Files are replaced by rename, whatever is there
 * (a link is not followed); nobody but their owner may read new ones. ERR_FILE, ERR_MEMORY. */
bool feedback_write(const char *folder, const struct results *results, struct error *reterr);

#endif
