/* Pieces of HTML pages that need nothing but themselves: no file, no network. Private to report/.
 */
#ifndef ATTN_REPORT_HTML_H
#define ATTN_REPORT_HTML_H

#include "base/text.h"

/* Adds words as text or as the value of an attribute in double quotes: whatever they hold, they
 * stay words. What no format can hold is shown as in result_safe_text(). */
void html_words(struct text *text, const char *words);
/* The begin of a page up to its heading, and its end. with_script: its tables can be sorted. */
void html_begin(struct text *text, const char *title, bool with_script);
void html_end(struct text *text, bool with_script);

#endif
