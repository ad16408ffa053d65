/* Pages for the checks of lessons. */
#ifndef ATTN_COURSE_LESSON_PAGE_INTERNAL_H
#define ATTN_COURSE_LESSON_PAGE_INTERNAL_H

#include "course/lesson/page.h"

/* Runs the page's code in the session and adds all of its parts to out, without those that look (of
 * enum page_look) leaves out; if out is NULL, it only runs the code. */
bool page_run(struct session *session, const struct page *page, unsigned look, struct doc *out,
              unsigned *ret_line, struct error *reterr);

#endif
