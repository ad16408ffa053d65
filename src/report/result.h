/* What grading one submission came to; what reports are made of. A result owns its texts. */
#ifndef ATTN_REPORT_RESULT_H
#define ATTN_REPORT_RESULT_H

#include <stdbool.h>
#include <jansson.h>
#include <stdint.h>

#include "base/text.h"
#include "report/class_facts.h"
#include "report/parts.h"
#include "report/safe_text.h"
#include "report/student.h"

/* ---- verdict ---- */

/* What the judge can say of a submission, and of one case of it. The names are part of the json
 * format and never change. */

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
    VERDICT_INTERNAL_ERROR,  /* ours, never the learner's */
    VERDICT_MISSING,         /* nothing was handed in */
    N_VERDICTS
};

const char *verdict_name(enum verdict verdict);

/* The verdict of that name; false when there is none. */
bool verdict_from_name(const char *name, enum verdict *ret);

/* A short plain sentence for a learner: "It ran out of time." */
const char *verdict_sentence(enum verdict verdict);

/* ---- case group ---- */

/* What a case tries, so that points can be given for it apart. The names are part of the json
 * format, of exercise.yaml and of assignment.yaml, and never change. */

enum case_group {
    GROUP_BASICS,    /* the formula, on small inputs */
    GROUP_STABILITY, /* numbers that are large, small, equal or masked */
    GROUP_SIZES,     /* other shapes, larger ones, little memory */
    GROUP_SPEED,     /* as fast as is asked for */
    N_CASE_GROUPS
};

const char *case_group_name(enum case_group group);

/* The group of that name; false when there is none. */
bool case_group_from_name(const char *name, enum case_group *ret);

struct case_result {
    char *name;
    enum case_group group; /* N_CASE_GROUPS: not known, in older reports */
    enum verdict verdict;
    double max_abs_error; /* NaN where nothing was compared; written as null */
    bool earns;           /* points come from these cases alone: it passed, and not by luck */
};

struct named_idea {
    char *id, *say;
};

struct result {
    char *file, *student, *exercise; /* UTF-8 made safe; student "" when nobody is named */
    char *duplicate_of; /* the file whose points count in place of this one's; "": it counts */
    char *note;  /* what changed its points, for the learner: "2 days late: 20 % less"; or "" */
    char *marks; /* of its source, to be compared with works of other runs; "": not kept */
    bool is_borrowed; /* all words but those three belong to another result: result_borrow() */
    /* What the verdict was made from: SHA-256 of the file's bytes and of the exercise, and attn's
     * version. "" where nothing was read, and in reports from before there were such. */
    char *source_digest, *exercise_digest, *attn_version;
    enum verdict verdict;
    char *detail;            /* "": nothing more to say */
    double score, max_score; /* as they count */
    /* What the judge gave, before an assignment's points, a late day or a person changed it. */
    double judged_score, judged_max_score;
    unsigned attempt;    /* dot-2.c is the second; 0: not known */
    int64_t submitted_s; /* when it was handed in, seconds since 1970 UTC; 0: not known */
    double days_late;    /* by an assignment's date, whole; 0: in time, or there is no date */
    bool is_by_hand;     /* a person set the points */
    double cpu_ms;       /* of compiling and running it; 0: not known */
    double memory_kib;   /* the most that its program held while it ran; 0: not known */
    double time_ms;      /* from reading the file to the verdict */
    struct case_result *cases;
    size_t n_cases, cases_capacity;
    struct named_idea *ideas;
    size_t n_ideas, ideas_capacity;
    char *message; /* for the learner, plain text of several lines */
};

/* A part of a learner's work was handed in twice: all but one have no points. */
bool result_counts(const struct result *result);
void result_init(struct result *result); /* all NULL and 0, verdict INTERNAL_ERROR */
void result_release(struct result *result);

/* A result with the words of another one, which must live longer; duplicate_of, note and marks are
 * its own, and empty. */
struct result result_borrow(const struct result *lender);

/* Fills in the words. Bytes of the file's name that are not UTF-8, control characters and the
 * backslash are shown as \xNN, so that different names stay different; the student is called as
 * safe_name_copy() or a class list does it. */
bool result_name(struct result *result, const char *file, const char *student, const char *exercise,
                 struct error *reterr);

/* A case that passed earns points: see result_earn_nothing(). */
bool result_add_case(struct result *result, const char *name, enum case_group group,
                     enum verdict verdict, double max_abs_error, struct error *reterr);

/* What passed so far was luck. */
void result_earn_nothing(struct result *result);
bool result_add_idea(struct result *result, const char *id, const char *say, struct error *reterr);

/* Replaces the marks. ERR_MEMORY. */
bool result_keep_marks(struct result *result, const char *marks, struct error *reterr);

/* Calls the student otherwise. The result is not borrowed. ERR_MEMORY. */
bool result_call(struct result *result, const char *student, struct error *reterr);

/* What the judge gives: as it counts, until something changes it. */
void result_judge(struct result *result, double score, double max_score);

/* Adds a sentence to the note, which is made safe. */
bool result_add_note(struct result *result, const char *sentence, struct error *reterr);

/* Replaces verdict, detail and message. */
bool result_say(struct result *result, enum verdict verdict, const char *detail,
                const char *message, struct error *reterr);

/* Fills in what the verdict was made from. */
bool result_set_origin(struct result *result, const char *source_digest,
                       const char *exercise_digest, struct error *reterr);

/* A field that may not be filled in yet, as a string. */
const char *result_word(const char *word);

/* The json format: one element of "results". A new reference; NULL without memory. */
json_t *result_to_json(const struct result *result);

/* ERR_FILE when it is no such element. */
bool result_from_json(const json_t *json, struct result *ret, struct error *reterr);

/* A run's results, in the order of the names. */
struct results {
    uint64_t seed;
    char *title;         /* of the assignment, made safe; NULL where there is none */
    struct text sandbox; /* the layers in force, one a line; and what is missing, one a line that
                          * begins with RESULTS_REDUCED or RESULTS_WEAK */
    struct result *items;
    size_t n, capacity;
    struct students students;        /* the class list, where there is one */
    struct exercise_order exercises; /* those of the assignment or of the catalogue; or none */
    struct likenesses similar;       /* works that look alike, where they were looked for */
    struct parts parts;              /* of the class that these are of */
    bool is_anonymous;               /* what else tells who somebody is has no place in a report */
    bool is_unfinished;              /* the run goes on, or was ended before its end */
};

#define RESULTS_REDUCED "reduced isolation"

#define RESULTS_WEAK "weak isolation"

enum { RESULTS_MAX_SEED_BITS = 53 }; /* what JSON's numbers keep exactly everywhere */

void results_release(struct results *results);

/* Replaces the title by a copy, made safe; "" is none. ERR_MEMORY. */
bool results_entitle(struct results *results, const char *title, struct error *reterr);

/* Takes over a result as element i, before what is there; *result is empty afterwards. */
bool results_insert(struct results *results, size_t i, struct result *result, struct error *reterr);

enum duplicates {
    DUPLICATES_BY_STUDENT = 1 << 0, /* else all results are one person's */
    DUPLICATES_KEEP_LAST = 1 << 1,  /* what was handed in last counts, else the best */
};

/* Lets one result count for each exercise of a student: by the rule, of enum duplicates, the last
 * one or the one with the most points; among equals one that could not be graded, so that it is not
 * taken for settled, then the first in the order. All others are its duplicates. Results that are
 * for no exercise are left alone. ERR_MEMORY. */
bool results_mark_duplicates(struct results *results, unsigned rule, struct error *reterr);

/* "full", "reduced" or "weak". */
const char *results_isolation(const struct results *results);

/* By file, then by exercise, as bytes; what is missing, which has no file, then by student. */
int result_compare(const void *a, const void *b);

#endif
