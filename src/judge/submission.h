/* Learners' files, whose names and bytes are data and nothing else. */
#ifndef ATTN_JUDGE_SUBMISSION_H
#define ATTN_JUDGE_SUBMISSION_H

#include "assignment/assignment.h"
#include "base/text.h"
#include "report/result.h"

struct submission {
    char *path;    /* as given and found */
    char *name;    /* the path as results show it: see result_name() */
    char *student; /* the student's folder, else who is named in the file's name, or ""; as
                    * safe_name_copy() has it; where a class list knows who is meant, the login
                    * there */
    const struct exercise *exercise; /* borrowed; NULL: its name is not an exercise's */
    /* What the file's name says: see struct handed_in. */
    unsigned attempt;
    bool is_late;
    int64_t submitted_s;
};

/* A student's folder with more files than one may hand in. */
struct crowd {
    char *folder, *last; /* as results show them: the folder, and the last file that is graded */
    size_t n_kept, n_left_out;
};

struct submissions {
    struct submission *items; /* in the order of the names' bytes, each once */
    size_t n, capacity;
    char **left_out; /* names of .c files in folders that fit no exercise, and of students' folders
                      * that hold nothing to grade */
    size_t n_left_out, left_out_capacity;
    size_t n_unlisted; /* and so many more of them */
    struct crowd *crowds;
    size_t n_crowds, crowds_capacity;
};

struct submissions_wanted {
    char *const *paths;
    size_t n_paths;
    const struct exercises *exercises;
    const struct assignment *assignment; /* whose exercises are wanted; or NULL: all */
    const struct students *roster;       /* whose names are known; or NULL */
    const struct exercise *exercise;     /* what all are for; NULL: what their names say */
    const char
        *student; /* whose all are, "": one person's; NULL: a folder in a folder is a student's */
    size_t max_files; /* in a student's folder, by the order of their names; 0: any number */
};

/* Finds what the paths hold: a file; a folder of files; a folder with a folder for each student,
 * which may have folders in it. Names are read by handed_in.h. Of a folder, files are left out that
 * are no .c, whose name begins with a dot, or whose name fits no exercise or another one than the
 * one wanted; a path given itself stays, with exercise NULL when its name is not an exercise's.
 * Symbolic links, FIFOs and the like with a .c name are kept, so is a link in the place of a
 * student's folder: they get a verdict. ERR_FILE when a given path does not exist or a folder can't
 * be read. */
bool submissions_find(const struct submissions_wanted *wanted, struct submissions *ret,
                      struct error *reterr);
/* Leaves those of the students of a part of the class, see part_of(); a file that is nobody's goes
 * by its own name. */
void submissions_keep_part(struct submissions *submissions, unsigned part, unsigned n);
void submissions_release(struct submissions *submissions);

/* Reads a regular file of at most max_bytes, without following a link, waiting for a FIFO or
 * blocking. On failure *ret_why is "symlink", "not a regular file", "too large", "unreadable",
 * "missing", "NUL byte" or "UTF-16: save it as UTF-8"; or, which is no fault of the file's,
 * SUBMISSION_NO_MEMORY. */
#define SUBMISSION_NO_MEMORY "not enough memory"
bool submission_read(const char *path, size_t max_bytes, struct text *ret, const char **ret_why);

/* Was this earlier result made from what the file holds now, for the exercise as it is now, by this
 * attn? An internal error never was. */
enum staleness { RESULT_IS_CURRENT, FILE_CHANGED, EXERCISE_CHANGED, ATTN_CHANGED, NEVER_GRADED };
enum staleness submission_staleness(const struct submission *submission,
                                    const struct result *earlier, size_t max_bytes);

#endif
