/* What the files of the player share. All that can fail leaves out as it was only when it runs in
 * player_make(). */
#ifndef ATTN_COURSE_PLAYER_PLAYER_INTERNAL_H
#define ATTN_COURSE_PLAYER_PLAYER_INTERNAL_H

#include "course/player/player.h"

/* player.c */

const struct question *player_question(const struct player *player); /* the page's; or NULL */
/* What is to be answered is shown by the pane. */
bool player_pane_asks(const struct player *player);

typedef bool player_move(struct player *player, const char *text, size_t size, struct doc *out,
                         struct error *reterr);
/* Makes the move: all that it shows comes, or nothing. */
bool player_make(struct player *player, player_move *move, const char *text, size_t size,
                 struct doc *out, struct error *reterr);

/* player_memory.c */

/* Where not ok, says in out what is not remembered, once. */
void player_tell_problem(struct player *player, bool ok, const struct error *error,
                         struct doc *out);
/* That the page was turned to, and the lines that were run since then. */
void player_remember_page(struct player *player, struct doc *out);
/* What happened at the page's question. */
void player_remember_event(struct player *player, enum event_kind kind, const char *detail,
                           unsigned number, struct doc *out);
/* What happened at the page's question in this attempt before becomes its state. */
void player_recall_question(struct player *player, struct doc *out);

/* player_own.c: the lesson's own session */

struct question_sessions player_sessions(struct player *player);
/* Puts "lessons/05-scaling.md:47: " before an error of the lesson itself. Returns false. */
bool player_blame_lesson(const struct player *player, unsigned line, struct error *reterr);
/* Brings the session to where the page begins. */
bool player_lead_own(struct player *player, size_t page, struct error *reterr);
/* Runs what the page shows, from there; out as in page_run(). */
bool player_show_own(struct player *player, size_t page, struct doc *out, struct error *reterr);
/* The cells of the page's question, as long as the page lasts. */
bool player_take_cells(struct player *player, struct error *reterr);
/* Brings the session to where the page was shown: it stands elsewhere when one that the learner
 * wanted to turn to could not be shown. */
bool player_ready_own(struct player *player, struct error *reterr);

/* player_learner.c: the learner's session */

/* A line that is to be remembered with the page. */
void player_log(struct player *player, const char *line, size_t size);
/* True for nothing but blanks, or a comment. */
bool player_says_nothing(const char *line, size_t size);
/* Runs the page's code where it was not run yet; what does not fit the learner's names is told. */
bool player_lead(struct player *player, size_t page, struct doc *out, struct error *reterr);
/* Runs pages [first, end) with what they offer, unseen. All pages before first were reached, and
 * behind it none. */
bool player_lead_past(struct player *player, size_t first, size_t end, struct doc *out,
                      struct error *reterr);
/* A line that was run may be one of them. */
void player_note_typed(struct player *player, const char *line, size_t size);
/* Runs and shows those that were not typed. */
bool player_leave_offer(struct player *player, struct doc *out, struct error *reterr);
/* Runs the lines that made the session. One that does not work any more (a file that is gone) is
 * told, and the others run. */
bool player_replay(struct player *player, const struct text *lines, struct doc *out,
                   struct error *reterr);

/* player_show.c */

bool player_show_page(struct player *player, struct doc *out, struct error *reterr);
bool player_show_markdown(const struct player *player, const struct text *text, struct doc *out,
                          struct error *reterr);
/* The matrix that is filled in, unless the pane shows it. */
bool player_show_matrix(const struct player *player, struct doc *out, struct error *reterr);
/* How the question is answered, or how it goes on. */
bool player_show_way_on(const struct player *player, struct doc *out, struct error *reterr);
/* How the question wants to be answered, with the ways around it. */
void player_write_invitation(const struct player *player, struct text *out);
/* The cell that is asked next, or cells.n. */
size_t player_open_cell(const struct player *player);

/* player_answer.c */

player_move player_answer_move;
/* True when the page asks for an exercise that by now is solved, which then counts. */
bool player_settle_exercise(struct player *player, struct doc *out);

#endif
