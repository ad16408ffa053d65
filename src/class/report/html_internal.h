/* Pieces of self-contained HTML pages: they need no other file and no network. Private to
 * report/. */
#ifndef ATTN_REPORT_HTML_INTERNAL_H
#define ATTN_REPORT_HTML_INTERNAL_H

#include "base/text.h"

/* Adds words as text or as the value of an attribute in double quotes: whatever they contain, they
 * stay words. Bytes that no format can hold are shown as in result_safe_text(). */
void html_words(struct text *text, const char *words);
/* The beginning of a page up to its heading, and its end. with_script: its tables can be sorted. */
void html_begin(struct text *text, const char *title, bool with_script);
void html_end(struct text *text, bool with_script);

#endif
