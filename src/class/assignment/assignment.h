/* An assignment as an instructor wrote it: assignment.yaml. docs/instructors.md has its keys.
 *
 * An assignment owns everything that its pointers reach, except exercises, until
 * assignment_release(). */
#ifndef ATTN_ASSIGNMENT_ASSIGNMENT_H
#define ATTN_ASSIGNMENT_ASSIGNMENT_H

#include <stdint.h>

#include "base/arena.h"
#include "exercise/exercises.h"

/* The points of an exercise: for each group of cases, or for the whole exercise. */
struct assignment_exercise {
    const struct exercise *exercise; /* borrowed */
    char *id;
    char *file;                   /* the name of the file to hand in; NULL: the exercise's name */
    double points[N_CASE_GROUPS]; /* by_group; else points[0] is for everything */
    bool by_group;
    bool all_or_nothing; /* a pass, or no points */
    unsigned line;
};

/* Where the time of handing in is read. */
enum time_source { TIME_OF_FILE, TIME_OF_COMMIT, TIME_IN_NAME };

/* Part of the earned points that is lost per day; a day that has begun counts. */
struct late_rule {
    double grace_minutes, percent_a_day;
    unsigned days; /* the most days late; after that there are no points */
};

struct assignment {
    char *title;
    struct assignment_exercise *exercises;
    unsigned n_exercises;
    int64_t due_s; /* seconds since 1970 UTC; 0: no date */
    struct late_rule late;
    enum time_source time;
    bool keeps_last;   /* of work that is handed in twice; else the best */
    bool shows_inputs; /* messages may have the drawn inputs of a failing case */
    unsigned files_a_student;
    char *path; /* of the file, for messages */
    struct arena arena;
};

/* Reads the file. exercises must live as long. ERR_FILE; ERR_SYNTAX "FILE:LINE: KEY: ..." if the
 * YAML, a key or an exercise is at fault. */
bool assignment_load(const char *path, const struct exercises *exercises, struct assignment *ret,
                     struct error *reterr);
void assignment_release(struct assignment *assignment);

/* The entry for an exercise, by id; NULL when the exercise is not part of the assignment. */
const struct assignment_exercise *assignment_find(const struct assignment *assignment,
                                                  const char *id);
/* The most points for an exercise. */
double assignment_max_points(const struct assignment_exercise *exercise);

#endif
