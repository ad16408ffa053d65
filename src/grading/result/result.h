/* The result of grading one submission; reports are made of results. A result owns its texts. */
#ifndef ATTN_RESULT_RESULT_H
#define ATTN_RESULT_RESULT_H

#include <stdbool.h>
#include <jansson.h>
#include <stdint.h>

#include "base/text.h"
#include "result/safe_text.h"

/* ---- verdict ---- */

/* What the judge can say about a submission, and about one case of it. The names are part of the
 * json format and never change. */

enum verdict {
    VERDICT_PASS,
    VERDICT_WRONG_ANSWER,    /* "not written", "nondeterministic", or "" */
    VERDICT_NON_FINITE,      /* NaN or an infinity where a number is expected */
    VERDICT_MODIFIED_INPUTS, /* an input array differs from attn's copy */
    VERDICT_OUT_OF_BOUNDS,   /* beside an array; the detail says where */
    VERDICT_CRASH,           /* a signal, which is the detail */
    VERDICT_EXITED_EARLY,    /* left before the last answer; exit code 0 included */
    VERDICT_TIME_LIMIT,      /* "wall" or "cpu" */
    VERDICT_MEMORY_LIMIT,
    VERDICT_OUTPUT_LIMIT,      /* printed too much */
    VERDICT_FORBIDDEN_SYSCALL, /* the call's name */
    VERDICT_COMPILE_ERROR,     /* "", "time", "memory", "output", "crash", "forbidden word" */
    VERDICT_LINK_ERROR,        /* "function missing", "main defined", ... */
    VERDICT_LEAK,
    VERDICT_TOO_SLOW,
    VERDICT_NOT_IMPLEMENTED, /* the untouched starter */
    VERDICT_BAD_FILE,        /* "symlink", "not a regular file", "too large", "unreadable", ... */
    VERDICT_INTERNAL_ERROR,  /* attn's own fault, never the learner's */
    VERDICT_MISSING,         /* nothing was handed in */
    VERDICT_UNCLEAR,         /* whether anything was handed in is not known yet; no points, not 0 */
    N_VERDICTS
};

const char *verdict_name(enum verdict verdict);

/* Is it about work that is not there, or not known to be there? */
bool verdict_is_absent(enum verdict verdict);

/* The verdict of that name; false for an unknown name. */
bool verdict_from_name(const char *name, enum verdict *ret);

/* A short plain sentence for a learner: "It ran out of time." */
const char *verdict_sentence(enum verdict verdict);

/* ---- case group ---- */

/* The property that a case tests, so that points can be given for it separately. The names are part
 * of the json format, of exercise.yaml and of assignment.yaml, and never change. */

enum case_group {
    GROUP_BASICS,    /* the formula, on small inputs */
    GROUP_STABILITY, /* numbers that are large, small, equal or masked */
    GROUP_SIZES,     /* other shapes, larger ones, little memory */
    GROUP_SPEED,     /* as fast as required */
    N_CASE_GROUPS
};

const char *case_group_name(enum case_group group);

/* The group of that name; false for an unknown name. */
bool case_group_from_name(const char *name, enum case_group *ret);

struct case_result {
    char *name;
    enum case_group group; /* N_CASE_GROUPS: unknown, in older reports */
    enum verdict verdict;
    double max_abs_error; /* NaN if nothing was compared; written as null */
    bool earns;           /* points come only from these cases: it passed, and not by luck */
};

struct named_idea {
    char *id, *say;
};

/* How the school's system calls whoever handed in, as folders and names of files show it. "" is not
 * known. */
struct caller {
    char *folder; /* the student's folder; of files without one the part of their names that says
                   * who: "wangwei_5104" */
    char *name;   /* "Wei Wang", or a login */
    char *number; /* the system's own for this person: of Moodle's participant, of Canvas's user,
                   * Gradescope's sid */
    char *email;
};

struct result {
    char *file, *student, *exercise; /* UTF-8 made safe; student "" if no student is named */
    char *duplicate_of; /* the file whose points count instead of this one's; "": it counts */
    char *note;       /* why its points changed, for the learner: "2 days late: 20 % less"; or "" */
    char *marks;      /* of its source, to compare it with works of other runs; "": not kept */
    bool is_borrowed; /* all words but these three belong to another result: result_borrow() */
    char *team;       /* of a work that another student of the team handed in: the team; else "" */
    struct caller called;
    bool is_unclear;  /* the class list does not tell whose work it is */
    char *candidates; /* of an unclear work: the logins of those who it may be, one a line */
    /* The origin of the verdict: SHA-256 of the file's bytes and of the exercise, and attn's
     * version. "" if no file was read, and in reports of older versions. */
    char *source_digest, *exercise_digest, *attn_version;
    enum verdict verdict;
    char *detail;            /* "": nothing more to say */
    double score, max_score; /* as they count */
    /* The judge's points, before an assignment's points, a late day or a person changed them. */
    double judged_score, judged_max_score;
    unsigned attempt;    /* dot-2.c is the second; 0: unknown */
    int64_t submitted_s; /* when it was handed in, seconds since 1970 UTC; 0: unknown */
    char *time_from;     /* what says so: "the file's time"; "": not known */
    double days_late;    /* by an assignment's date, whole; 0: in time, or without a date */
    bool is_by_hand;     /* a person set the points */
    bool is_left_out;    /* of a term's assignments: others are better, so it counts in no total */
    double cpu_ms;       /* of compiling and running it; 0: unknown */
    double memory_kib;   /* the most that its program held while it ran; 0: unknown */
    double time_ms;      /* from reading the file to the verdict */
    struct case_result *cases;
    size_t n_cases, cases_capacity;
    struct named_idea *ideas;
    size_t n_ideas, ideas_capacity;
    unsigned line;   /* of the file, on which the mistake lies, by proof; 0: not known */
    char *line_says; /* that line, and what is wrong with it; "": not known */
    char *message;   /* for the learner, plain text of several lines */
};

/* The detail of an internal error for which the machine is not to blame: the file, or the student's
 * folder, is closed to whoever grades. */
#define RESULT_CLOSED "may not be read"

/* False for work that was handed in more than once, except for the one result that has the
 * points. */
bool result_counts(const struct result *result);
void result_init(struct result *result); /* all NULL and 0, verdict INTERNAL_ERROR */
void result_release(struct result *result);

/* A result with the words of another one, which must live longer; duplicate_of, note and marks are
 * its own, and empty. */
struct result result_borrow(const struct result *lender);

/* Fills in the words. Bytes of the file's name that are not UTF-8, control characters and the
 * backslash are shown as \xNN, so that different names stay different; the student's name is that
 * of safe_name_copy() or of a class list. */
bool result_name(struct result *result, const char *file, const char *student, const char *exercise,
                 struct error *reterr);

/* A case that passed earns points: see result_earn_nothing(). */
bool result_add_case(struct result *result, const char *name, enum case_group group,
                     enum verdict verdict, double max_abs_error, struct error *reterr);

/* Takes the points from all cases that passed so far: they passed by luck. */
void result_earn_nothing(struct result *result);
/* Sets the line of the mistake, and what is wrong there. */
bool result_set_line(struct result *result, unsigned line, const char *says, struct error *reterr);
bool result_add_idea(struct result *result, const char *id, const char *say, struct error *reterr);

/* Replaces the marks. ERR_MEMORY. */
bool result_keep_marks(struct result *result, const char *marks, struct error *reterr);

/* Says which file's points count in place of this result's; "" if its own count. ERR_MEMORY. */
bool result_yield_to(struct result *result, const char *file, struct error *reterr);

/* Says whose work it is not clear, and who it may be (logins, one a line). NULL: it is clear. The
 * result is not borrowed. ERR_MEMORY. */
bool result_doubt(struct result *result, const char *candidates, struct error *reterr);

/* Says when it was handed in, and what says so. The result is not borrowed. ERR_MEMORY. */
bool result_set_time(struct result *result, int64_t submitted_s, const char *from,
                     struct error *reterr);

/* Says how the system calls whoever handed in. The result is not borrowed. ERR_MEMORY. */
bool result_set_caller(struct result *result, const struct caller *caller, struct error *reterr);

/* Renames the student. The result is not borrowed. ERR_MEMORY. */
bool result_call(struct result *result, const char *student, struct error *reterr);

/* The same work as that of another student of the team. ERR_MEMORY; then *ret is empty. */
bool result_share(const struct result *result, const char *team, const char *student,
                  struct result *ret, struct error *reterr);
/* Is it such a work, which another student of the team handed in? */
bool result_is_shared(const struct result *result);

/* Sets the judge's points; they count until something changes them. */
void result_judge(struct result *result, double score, double max_score);

/* Adds a sentence to the note, which is made safe. */
bool result_add_note(struct result *result, const char *sentence, struct error *reterr);

/* Replaces verdict, detail and message. */
bool result_say(struct result *result, enum verdict verdict, const char *detail,
                const char *message, struct error *reterr);

/* Fills in the origin of the verdict. */
bool result_set_origin(struct result *result, const char *source_digest,
                       const char *exercise_digest, struct error *reterr);

/* The string, or "" for a field that is not filled in yet. */
const char *result_word(const char *word);

/* The json format: one element of "results". A new reference; NULL without memory. */
json_t *result_to_json(const struct result *result);

/* ERR_FILE if it is not such an element. */
bool result_from_json(const json_t *json, struct result *ret, struct error *reterr);

#endif
