/* Learners' files. Their names and bytes are data and nothing else. */
#ifndef ATTN_JUDGE_CLASS_SUBMISSION_H
#define ATTN_JUDGE_CLASS_SUBMISSION_H

#include "sandbox/limits.h"
#include "assignment/assignment.h"
#include "assignment/class_index.h"
#include "base/text.h"
#include "report/results.h"

struct submission {
    char *
        path; /* as it was given and found; of a file in an archive, the archive's and the file's */
    char *bytes; /* [size] of a file in an archive; else NULL: they are on the disk */
    size_t size;
    const char
        *why_not; /* it is not a .c file, or an archive that can't be opened; NULL: see its bytes */
    char *name;   /* the path as results show it: see result_name() */
    char *student; /* the student's folder, else the student in the file's name, or ""; made safe by
                    * safe_name_copy(). If a class list knows the student, the login there */
    struct caller called; /* the words of safe_name_copy() */
    char *candidates; /* whose it is, the class list does not tell: those who it may be, one login
                       * a line; NULL: it is clear */
    const struct exercise *exercise; /* borrowed; NULL: its name is not an exercise's */
    /* From the file's name: see struct handed_in. */
    unsigned attempt;
    bool is_late;
    int64_t submitted_s;
    const char *time_from; /* what says submitted_s; NULL: unknown */
    int64_t file_time_s;   /* of a file in an archive; else 0: see the disk */
    int64_t recorded_s;    /* by the system's own record; 0: it has none */
};

/* Something handed in that is not graded. */
struct odd_file {
    char *student, *file; /* as results show them */
    const char *why;
};

/* A student's folder with more files than a student may hand in. */
struct crowd {
    char *folder, *last; /* as results show them: the folder, and the last file that is graded */
    size_t n_kept, n_left_out;
};

struct submissions {
    struct submission *items; /* in the order of the names' bytes, each once */
    size_t n, capacity;
    char **left_out; /* names of .c files in folders that fit no exercise, and of students' folders
                      * without a file to grade */
    size_t n_left_out, left_out_capacity;
    size_t n_unlisted; /* further names, which are not in left_out */
    struct odd_file *odd;
    size_t n_odd, odd_capacity;
    struct crowd *crowds;
    size_t n_crowds, crowds_capacity;
};

struct submissions_wanted {
    char *const *paths;
    size_t n_paths;
    const struct exercises *exercises;
    const struct assignment *assignment; /* only its exercises are wanted; NULL: all are */
    const struct students *roster;       /* the class list; or NULL */
    const struct who_rows *who;          /* or NULL */
    const struct exercise *exercise;     /* all files are for this one; NULL: see their names */
    const char *student; /* all files are this student's ("": one unnamed person's); NULL: a folder
                          * in a folder is a student's */
    size_t max_files;    /* in a student's folder, by the order of their names; 0: any number */
};

/* Finds the files in the paths. A path is a file, a folder of files, or a folder with a folder for
 * each student, which may have folders in it. Names are read by handed_in.h. In a folder attn skips
 * files that do not end in .c, names that begin with a dot, and names that fit no exercise or
 * another one than the wanted one. A path that was given itself is kept; its exercise is NULL if
 * its name is not an exercise's. Symbolic links, FIFOs and the like with a .c name are kept, and so
 * is a link in the place of a student's folder: they get a verdict. ERR_FILE when a given path does
 * not exist or a folder can't be read. */
bool submissions_find(const struct submissions_wanted *wanted, struct submissions *ret,
                      struct error *reterr);
/* Keeps only the submissions of the students in one part of the class, see part_of(). A file
 * without a student goes by its own name. */
void submissions_keep_part(struct submissions *submissions, unsigned part, unsigned n);
void submissions_release(struct submissions *submissions);

/* Fills in submitted_s of all. For a student with a time in `times` (a list of its own; or NULL),
 * or else in the class list, it is that; then the system's own record. Without them it comes from
 * the source that the assignment names: the file's time of change; the time of the last commit that
 * touched it, which goes before all others; or its name. LATE without a time means the file's time
 * if that can be one of handing in: if no file that is not LATE was changed too late. Else it
 * counts as just after the due date. 0 if it is not known. Without an assignment it is the file's
 * time of change.
 *
 * git runs in a box of these layers that sees the repository, which a student made, with at most 4
 * s of processor time. A commit's time is what the student's machine wrote. *ret_n_silent
 * files have a repository that gave no answer. ERR_MEMORY. */
struct times_wanted {
    const struct assignment *assignment;   /* or NULL */
    const struct students *times, *roster; /* or NULL */
    const struct limits *limits;
    unsigned layers;
};
bool submissions_note_times(struct submissions *submissions, const struct times_wanted *wanted,
                            size_t *ret_n_silent, struct error *reterr);

/* Was this earlier result made from the bytes that the file holds now, for the exercise as it is
 * now, by this attn? An internal error never counts as current. */
enum staleness { RESULT_IS_CURRENT, FILE_CHANGED, EXERCISE_CHANGED, ATTN_CHANGED, NEVER_GRADED };
enum staleness submission_staleness(const struct submission *submission,
                                    const struct result *earlier, size_t max_bytes);

#endif
