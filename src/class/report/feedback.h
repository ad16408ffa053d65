/* Feedback files: for each student one to read in any editor and one for a browser, without
 * anything of other students. */
#ifndef ATTN_REPORT_FEEDBACK_H
#define ATTN_REPORT_FEEDBACK_H

#include "report/results.h"

/* Makes the folder for feedback, readable only by its owner, if it is missing. ERR_FILE. */
bool feedback_open(const char *folder, struct error *reterr);
/* Writes NAME.txt and NAME.html for each student of the class list and each who handed in, and
 * index.csv, which says whose they are. NAME is the login in a form that every file system can
 * hold, in no other folder, and different for different logins. Existing files are replaced by
 * rename (a link is not followed); only their owner may read new ones. ERR_FILE, ERR_MEMORY. */
bool feedback_write(const char *folder, const struct results *results, struct error *reterr);

#endif
