/* What the tests of the course share: lessons, a folder for one and for what is remembered, and a
 * picture of a session that does not change when it is made again. */
#ifndef ATTN_TESTS_COURSE_TESTING_H
#define ATTN_TESTS_COURSE_TESTING_H

#include "testing.h"

#include "course/progress/progress.h"
#include "lang/session/session.h"
#include "show/doc.h"

/* Around the answer of a lesson's question, in YAML. */
#define LESSON_ANSWER "<details><summary>Answer</summary>\n\n```yaml\n"
#define LESSON_ANSWER_END "```\n\n</details>\n\n"

/* 13 pages, 9 of them with questions, one of each kind and a guess by options. It draws random
 * numbers on pages and in what it offers to type. scores = [[2, 1], [0, 4]]. */
extern const char course_lesson[];
/* One that is smaller, for tests that judge its answers or plant faults in it: three steps, seven
 * questions of seven kinds, the same scores. */
extern const char small_lesson[];
/* A cell to point at, a mask, a change, a hidden number, and a matrix that makes something; over
 * "Hello shiny sun!". */
extern const char kinds_lesson[];

/* A temporary folder with lessons/02-every.md, which holds course_lesson. */
struct place {
    char folder[64], lesson[128], file[128]; /* the lesson's path, the progress file's */
    struct progress *progress;               /* in that file */
};

void place_open(struct place *place);
void place_close(struct place *place); /* removes all of it */
/* Closes the progress and opens it anew: in its file, or one that remembers nothing. */
void place_reopen(struct place *place, bool remembers);
/* Writes a file, its folders too; name is below the folder. */
void place_write(const struct place *place, const char *name, const char *text);
/* attn's table of mistakes, at its place beside the lessons. */
void place_link_edits(const struct place *place);
/* What an SQL query for one number gives on the file. */
long place_number(const struct place *place, const char *sql);

/* From here on the file does not grow any more, as on a full disk, until it is let. */
void place_fill_disk(const struct place *place);
void place_free_disk(void);

/* All that a session holds, but for addresses: names in the order of their making with their
 * values and labels, what whatif and undo remember, the random stream to come, settings, script. */
void session_describe(const struct session *session, struct text *text);

/* text with the one place where it says `old` saying `new`; to be freed. */
char *text_with(const char *text, const char *old, const char *new);
/* The Doc's lines as plain text, added to out. The test fails when one is wider than width_cols
 * (0: none is too wide), or holds anything but ASCII where ascii is set. */
void doc_check_lines(const struct doc *doc, size_t width_cols, bool ascii, struct text *out);

#endif
