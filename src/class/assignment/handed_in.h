/* Reads the name of a handed-in file: its exercise, student, attempt and time. Schools' systems
 * write their own names around the one that the student chose. */
#ifndef ATTN_ASSIGNMENT_HANDED_IN_H
#define ATTN_ASSIGNMENT_HANDED_IN_H

#include <regex.h>
#include <stdint.h>

#include "assignment/assignment.h"

enum { N_NAME_FORMS = 3, N_COPY_FORMS = 5 };

/* The forms of names, prepared once. */
struct name_reader {
    const struct exercises *exercises;   /* borrowed */
    const struct assignment *assignment; /* borrowed; or NULL: any exercise may be handed in */
    regex_t forms[N_NAME_FORMS], copies[N_COPY_FORMS];
    unsigned n_forms, n_copies; /* those that are ready */
};
/* ERR_MEMORY. */
bool name_reader_open(const struct exercises *exercises, const struct assignment *assignment,
                      struct name_reader *ret, struct error *reterr);
void name_reader_close(struct name_reader *reader);

struct handed_in {
    const struct exercise
        *exercise;    /* NULL: the name fits no exercise, or none of the assignment */
    char *student;    /* "" if the name does not say it */
    char *number;     /* the system's own number of the student; NULL if the name does not say it */
    unsigned attempt; /* dot-2.c: 2; 0 if the name does not say it */
    bool is_late;     /* the system marked it as late */
    int64_t submitted_s; /* seconds since 1970 UTC; 0 if the name does not say it */
};

/* Reads a file's name, or the last part of a path. The forms, as the systems write them:
 *
 *    - Canvas, "Download Submissions": sampleann_LATE_1234_56789_dot-2.c (name, LATE, user,
 *      submission, the student's name for the file, -2 for the second attempt);
 *    - Moodle, "Download all submissions" without folders:
 *      Ann Sample_12345_assignsubmission_file_dot.c;
 *    - Blackboard, "Assignment File Download": hw3_annsample_attempt_2026-03-01-21-15-00_dot.c;
 *    - else anna_dot.c, or the exercise's name alone, as exercises_find() knows it.
 *
 * Additions of browsers and systems to the name of a copy are ignored: "dot-1.c", "dot (1).c", "dot
 * - Copy.c", "Copy of dot.c", "dot_v2.c". ERR_MEMORY. */
bool name_read(const struct name_reader *reader, const char *path, struct handed_in *ret,
               struct error *reterr);
void handed_in_release(struct handed_in *handed_in);

/* The student's name in a folder's name: "Ann Sample" in Moodle's "Ann
 * Sample_12345_assignsubmission_file_", else the folder's own name. [*ret, *ret + result). Of
 * Moodle's folder a "_" and the participant's number follow, which has *ret_number digits; else 0.
 */
size_t folder_student(const char *folder, const char **ret, size_t *ret_number);

#endif
