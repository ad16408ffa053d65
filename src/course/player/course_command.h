/* The commands of the course, and the lines that a learner types, inside or outside a lesson. */
#ifndef ATTN_COURSE_PLAYER_COURSE_COMMAND_H
#define ATTN_COURSE_PLAYER_COURSE_COMMAND_H

#include "course/player/tutor.h"

/* The name of command i, from 0 on; NULL after the last. */
const char *course_command_name(size_t i);
/* The usage of command i ("review, review all") and its summary. False after the last. */
bool course_command_help(size_t i, const char **ret_usage, const char **ret_summary);
/* True if the text after a command's name continues a formula: the name is a variable there. */
bool course_command_in_formula(const char *rest, size_t size);

/* Runs one line: a command of the course, an answer, or lines of the language. Adds its output to
 * out. On failure nothing happened, and places count from line. */
bool tutor_line(struct tutor *tutor, const char *line, size_t size, struct doc *out,
                struct error *reterr);
/* True while a page waits for a text in the learner's own words; a plain sentence is then such a
 * text. */
bool tutor_awaits_text(const struct tutor *tutor);
/* Handles an empty line: it means next, unless a question waits. */
bool tutor_empty_line(struct tutor *tutor, struct doc *out, struct error *reterr);

#endif
