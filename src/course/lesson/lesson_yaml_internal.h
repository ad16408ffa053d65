/* The YAML in a lesson's file: its header, and the answer after each question. Only lesson.c uses
 * it. */
#ifndef ATTN_COURSE_LESSON_LESSON_YAML_INTERNAL_H
#define ATTN_COURSE_LESSON_LESSON_YAML_INTERNAL_H

#include "course/lesson/lesson.h"

/* A piece of a file. */
struct lesson_piece {
    const char *path;
    const char *text;
    size_t size;
    unsigned lines_above;
};

bool lesson_read_header(struct lesson *lesson, const struct lesson_piece *piece,
                        struct error *reterr);
/* Fills all of question but its name, line and options; then checks that it has everything its kind
 * needs, options included. */
bool lesson_read_question(struct lesson *lesson, const struct lesson_piece *piece,
                          struct question *question, struct error *reterr);

#endif
