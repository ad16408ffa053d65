/* What a learner does in lessons, in the same file as progress.h, whose rules hold: a progress
 * without a file remembers nothing and every call here succeeds, having found nothing.
 *
 * A play is one way through a lesson, from its first page to its last. It keeps the page where the
 * learner is and the lines that made the session, so that it can go on elsewhere with the same
 * variables. Two attn that play the same lesson at once each write lines of their own; who turned a
 * page last says where the play is.
 *
 * Lessons are named by their files, "05-scaling"; questions as in the lesson. Names and pages of
 * PLAY_PAGE_BYTES or more are ERR_LIMIT. Times are the clock's in seconds since 1970. Each call
 * that writes is one transaction: it is done whole or not at all. The each() of a call may call
 * anything here; nothing is locked meanwhile. */
#ifndef ATTN_COURSE_PROGRESS_ATTEMPTS_H
#define ATTN_COURSE_PROGRESS_ATTEMPTS_H

#include "course/progress/progress.h"
#include "base/text.h"

enum { PLAY_PAGE_BYTES = 128, REVIEW_STEPS = 5 };

struct play {
    int64_t id;  /* 0: nothing is remembered, but its events; all calls succeed */
    int64_t run; /* whose lines are being written */
};

/* A new play of the lesson, at its start. Plays of before are not gone on with from then on, but by
 * another attn that is still at one. */
bool play_begin(struct progress *progress, const char *lesson, int64_t time_s, struct play *ret,
                struct error *reterr);
/* Goes on with the lesson's last play (in which something happened last): its page, "" for the
 * start, and the lines so far, a newline behind each, added to lines. They are copied to a run of
 * their own; a play keeps its last 8 runs. *ret_found is false where there is no play, or the last
 * one is finished: then ret and page stay as they were. From a file that may not be written a play
 * is only read. */
bool play_resume(struct progress *progress, const char *lesson, int64_t time_s, struct play *ret,
                 char page[PLAY_PAGE_BYTES], struct text *lines, bool *ret_found,
                 struct error *reterr);
/* The learner is at page now. lines (any number, a newline behind each, or "") were run on the way
 * there, or on the page. ERR_FILE also where the play went on elsewhere so often that this run was
 * forgotten. */
bool play_turn(struct progress *progress, const struct play *play, const char *page,
               const char *lines, int64_t time_s, struct error *reterr);
bool play_finish(struct progress *progress, const struct play *play, int64_t time_s,
                 struct error *reterr);

enum event_kind {
    EVENT_RIGHT,
    EVENT_WRONG,  /* detail: the answer as typed; number: which foreseen wrong answer it was, from
                   * 1, or 0 */
    EVENT_HINT,   /* number: which, from 1 */
    EVENT_WORKED, /* saw the worked answer */
    EVENT_SKIPPED,
    EVENT_GUESS,      /* detail: a prediction */
    EVENT_REFLECTION, /* detail: the text */
    EVENT_CELL,       /* a cell of a matrix filled rightly; number: which of those asked, from 0 */
    EVENT_COUNT
};
const char *event_name(enum event_kind kind); /* "right", "wrong", ... */

struct event {
    const char *lesson, *question;
    enum event_kind kind;
    const char *detail; /* "" where there is nothing to say */
    unsigned number;
    int64_t took_ms; /* since the question, or what came after it last, was shown */
    int64_t time_s;
    bool is_unjudged; /* a guess, a text or an exercise, which review does not ask */
    bool is_review;   /* asked by review, not by a play */
};

/* Remembers the event, and with it what there is to review: a question that was answered wrongly,
 * skipped, or whose worked answer was seen comes back after a day. In a review a right answer
 * without any of these before it since the question was last shown puts it off by 3, 7, 16 and 35
 * days, then it counts as learned; with one of these it begins at a day again. A hint changes
 * nothing here.
 *
 * A showing is a play, with all its runs, or in reviews the events with less than 6 hours between
 * them. What comes after the right answer in a showing, such as a look at the worked answer,
 * changes neither what there is to review nor the mark. play may be NULL in a review. */
bool progress_event(struct progress *progress, const struct play *play, const struct event *event,
                    struct error *reterr);

/* How well a question is known: by the showing (a play or a review) in which something happened at
 * it last. */
enum mark {
    MARK_NONE,   /* not asked, or not dealt with */
    MARK_MISSED, /* answered wrongly, so far */
    MARK_TOLD,   /* skipped, or the worked answer was seen before the right one was given */
    MARK_HELPED, /* right, after a hint or a wrong answer, or when it had been skipped */
    MARK_ALONE,  /* right at once */
};

struct question_record {
    char question[PLAY_PAGE_BYTES];
    enum mark mark;
    unsigned n_right, n_wrong, n_hints; /* in all, plays and reviews */
    unsigned n_told;                    /* how often skipped or the worked answer seen, in all */
    int64_t took_ms;                    /* in all */
};
/* Calls each() for every question of the lesson that something happened at, in the order in which
 * it first did; stops where it returns false. A question that was only guessed at or written for
 * oneself counts as MARK_ALONE. */
bool progress_questions(struct progress *progress, const char *lesson,
                        bool (*each)(void *context, const struct question_record *record),
                        void *context, struct error *reterr);

/* What happened at a question in this play, to go on in the middle of it. */
struct question_state {
    bool right, told; /* answered (or guessed, or written); the worked answer was seen. What was
                       * skipped is neither: it can still be answered */
    unsigned n_wrong;
    unsigned n_hints; /* the highest hint shown */
    uint64_t cells;   /* bit i: cell i of those asked is filled; cells above 63 are not kept */
};
bool play_question(struct progress *progress, const struct play *play, const char *question,
                   struct question_state *ret, struct error *reterr);

struct lesson_record {
    bool started, finished; /* in any play */
    bool open;              /* there is a play to go on with: the last one is not finished */
    int64_t last_s;         /* when something last happened, in a review too; 0: never */
    int64_t took_ms;        /* in all, plays and reviews */
};
bool progress_lesson(struct progress *progress, const char *lesson, struct lesson_record *ret,
                     struct error *reterr);
/* The lesson to go on with: of those whose last play is not finished the one that was played last;
 * "" when there is none. */
bool progress_last_lesson(struct progress *progress, char lesson[PLAY_PAGE_BYTES],
                          struct error *reterr);

struct review {
    char lesson[PLAY_PAGE_BYTES], question[PLAY_PAGE_BYTES];
    int64_t due_s;
    unsigned step; /* how often it was put off already, below REVIEW_STEPS */
};
/* Calls each() for the questions to review, the longest due first, also those due after time_s
 * where not_yet_due is set; stops where it returns false. */
bool progress_reviews(struct progress *progress, int64_t time_s, bool not_yet_due,
                      bool (*each)(void *context, const struct review *review), void *context,
                      struct error *reterr);

/* All that is remembered, exercises too, as one JSON object: "schema" ("attn-progress/1"), and the
 * lists "attempts" and "hints" (at exercises), "plays" (each with the page and the lines of its
 * last run), "events", "reviews" (what is to be reviewed, when) and "settings". Or as CSV (RFC
 * 4180, in UTC, lines end in a newline), under a line of headings a line for each thing that
 * happened, by time; fields that a spreadsheet would take for a formula begin with an apostrophe.
 * Bytes that are not UTF-8 become U+FFFD. Added to out, on success only. */
bool progress_export_json(struct progress *progress, struct text *out, struct error *reterr);
bool progress_export_csv(struct progress *progress, struct text *out, struct error *reterr);
/* Either of them to a file, which only its owner may read: all of it, or the file is as before.
 * ERR_FILE when it can't be written. */
bool progress_export_file(struct progress *progress, bool csv, const char *path,
                          struct error *reterr);

#endif
