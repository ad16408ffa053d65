/* Shared by the files of the player: player_state.c is the lowest, player.c the highest. A function
 * that fails may have added to out; the public functions of player.h remove that (doc_keep()). */
#ifndef ATTN_COURSE_PLAYER_PLAYER_INTERNAL_H
#define ATTN_COURSE_PLAYER_PLAYER_INTERNAL_H

#include "course/player/player.h"

/* ---- lesson_run.c: a run that keeps pages ---- */

/* From now on the run keeps the pages that it shows, and goes back without running again.
 * ERR_MEMORY.
 */
bool lesson_run_keep(struct lesson_run *run, struct error *reterr);
/* Whether the page is kept, and can be laid out with `look` (of enum page_look) for the session's
 * settings. */
bool lesson_run_has(const struct lesson_run *run, size_t page, unsigned look);
/* The same for the lines that it offers; true if it offers no lines. */
bool lesson_run_has_offer(const struct lesson_run *run, size_t page);
/* Returns the session to its state after the page, and after its offer if that had run. False if it
 * was never there, or can't go back. */
bool lesson_run_go_back(struct lesson_run *run, size_t page);
/* Brings the session to the beginning of the page: back, or on from its current page. */
bool lesson_run_go_to(struct lesson_run *run, size_t page, struct error *reterr);
/* Runs the page, to which the session was brought, and keeps it. On failure the earlier record of
 * it stays. */
bool lesson_run_take_page(struct lesson_run *run, size_t page, unsigned look, struct error *reterr);

/* ---- player_state.c ---- */

const struct question *player_question(const struct player *player); /* the page's; or NULL */
struct question_sessions player_sessions(struct player *player);
/* True when the pane shows the cells or options to answer. */
bool player_pane_asks(const struct player *player);
/* True when the question's answer is a matrix that is filled in. */
bool player_fills_matrix(const struct player *player);
/* The next cell to fill in, or cells.n. */
size_t player_open_cell(const struct player *player);

/* If ok is false, adds a note with the error to out: the learner's progress was not saved. Each
 * player shows such a note only once. */
void player_tell_problem(struct player *player, bool ok, const struct error *error,
                         struct doc *out);
/* Remembers the page, and the lines that were run since the last time. */
void player_remember_page(struct player *player, struct doc *out);
/* Remembers an event at the page's question. */
void player_remember_event(struct player *player, enum event_kind kind, const char *detail,
                           unsigned number, struct doc *out);
/* The same for a wrong answer: the number of the foreseen answer, from 1, or 0; the named
 * mistake. */
void player_remember_wrong(struct player *player, const char *typed, unsigned foreseen,
                           const char *mistake, struct doc *out);
/* Sets the question's state from earlier events in this attempt. */
void player_recall_question(struct player *player, struct doc *out);

/* ---- player_show.c ---- */

/* Brings the reference session to the shown page. It is elsewhere when a page that the learner
 * wanted to turn to could not be shown. */
bool player_ready_reference(struct player *player, struct error *reterr);
bool player_show_page(struct player *player, struct doc *out, struct error *reterr);
/* The question's right answer after words, which may be "". */
bool player_show_answer(struct player *player, const char *words, struct doc *out,
                        struct error *reterr);
/* Adds the matrix to fill in, unless the pane shows it. */
bool player_show_matrix(const struct player *player, struct doc *out, struct error *reterr);
/* Adds how to answer the question, or how to go on. */
bool player_show_way_on(const struct player *player, struct doc *out, struct error *reterr);
/* Writes how to answer the question, get a hint, or skip it. */
void player_write_invitation(const struct player *player, struct text *out);

/* ---- player_answer.c ---- */

/* Judges text[0..size) as the answer; see player_answer(). */
bool player_judge_text(struct player *player, const char *text, size_t size, struct doc *out,
                       struct error *reterr);
/* Adds the answer of a question that the learner skipped; nothing if it has no answer. */
bool player_tell_skipped(struct player *player, struct doc *out, struct error *reterr);
/* True if the page asks for an exercise that is solved by now: it then counts as answered. */
bool player_settle_exercise(struct player *player, struct doc *out);

#endif
