/* What the files of the heads pane share. */
#ifndef ATTN_UI_PANES_HEADS_HEADS_PANE_INTERNAL_H
#define ATTN_UI_PANES_HEADS_HEADS_PANE_INTERNAL_H

#include "show/number.h"
#include "ui/panes/heads/heads_pane.h"

enum {
    HEADS_FOOT_ROWS = 1,
    HEADS_HIGH_ROWS = 30, /* of a pane: from here on the sink has a row of its own */
};

/* ---- heads_keys.c ---- */

/* All keys; those of the key bar while all heads are shown; and while something is typed. */
extern const struct binding heads_bindings[], heads_grid_bindings[], heads_typing_bindings[];

/* ---- heads_cursor.c ---- */

/* A message for the bottom line. */
void heads_say(struct heads_pane *pane, const char *format, ...) ERROR_FORMAT(2, 3);
size_t heads_count(const struct heads_pane *pane); /* of all layers */
size_t heads_index(const struct heads_pane *pane); /* of the one under the cursor, layer by layer */
void heads_look_at(struct heads_pane *pane, size_t head); /* the cursor goes there */
/* Whether the sink has a row of its own. */
bool heads_has_sink_row(const struct heads_pane *pane);
/* The rows above the heads: the text that is read, or both of two; what the head under the cursor
 * is; and, where there is room, its sink. */
int heads_top_rows(const struct heads_pane *pane);

/* ---- heads_change.c: what is computed ---- */

/* Takes what is under the cursor from the other text: the head, or in the map the place of the
 * stream; or puts it back. */
void heads_toggle_patch(struct heads_pane *pane);
/* Cuts the head under the cursor, or puts it back where it is cut so already. */
void heads_toggle_cut(struct heads_pane *pane, enum cut_how how);
void heads_restore(struct heads_pane *pane); /* all that are cut, and tokens that were changed */
/* How a head is cut; NULL: it is not. */
const struct heads_cut *heads_find_cut(const struct heads_pane *pane, size_t layer, size_t head);
/* Shows a run as heads_pane_open() does, of a text in which a token was changed, beside the text
 * before that. */
bool heads_show_edited(struct heads_pane *pane, struct run *run, struct error *reterr);
/* Shows the head under the cursor in the explorer, which keeps its view and its cursor. */
bool heads_explore(struct heads_pane *pane);

/* Shows a run as heads_pane_open() does; what is drawn next goes on as before. */
bool heads_show_longer(struct heads_pane *pane, struct run *run, struct error *reterr);

/* ---- heads_text.c: the text, and what is typed ---- */

/* Writes the texts of the runs, as they are shown, and counts their rows. */
bool heads_fill_texts(struct heads_pane *pane, struct error *reterr);
/* The texts, or the field in which one is typed; words that the model does not know are marked. */
void heads_draw_texts(const struct heads_pane *pane, struct area area, bool focused);
/* Opens the field with what is there now; adds: for a word at the end. */
void heads_ask(struct heads_pane *pane, enum heads_asks asks, bool adds);
void heads_step_token(struct heads_pane *pane, int by); /* another one to be edited */
/* Takes what was typed. False: it can't be taken, and a message says why. */
bool heads_take_text(struct heads_pane *pane);
/* A run of the text with the tokens [first, end) replaced by others. */
struct run *heads_run_spliced(struct heads_pane *pane, size_t first, size_t end,
                              const struct tensor *typed, struct error *reterr);
/* Reads another story of the grammar that comes with attn. */
void heads_read_story(struct heads_pane *pane);

/* ---- heads_words.c: the words that the model knows ---- */

/* Goes on with the word before the cursor of the field; where nothing is begun, or several words
 * go on in different ways, says which words there are. */
void heads_complete(struct heads_pane *pane);
/* Shows the list of all words, or says why the model has no such list. */
void heads_show_words(struct heads_pane *pane);
/* A key while the list is shown. False: it closes the list and means what it means otherwise. */
bool heads_words_key(struct heads_pane *pane, int key);
void heads_draw_words(const struct heads_pane *pane, struct area area);
void heads_words_release(struct heads_words *words);
/* The grammar of stories; NULL: it can't be read. */
const struct grammar *heads_grammar(struct heads_pane *pane, struct error *reterr);
/* How many words of the field the model does not know: those are underlined where an area is given,
 * in which field_draw_wrapped() drew it. What is being typed may still become a word. */
size_t heads_mark_unknown(const struct heads_pane *pane, const struct area *area);

/* ---- heads_next.c: the next word ---- */

/* Draws the next word, or takes the likeliest, and puts it at the end of the text. */
void heads_add_next(struct heads_pane *pane, bool likeliest);
/* Takes the last word that was added back. False: none was. */
bool heads_remove_next(struct heads_pane *pane);
/* Turns the dial up or down; the next dial; all of them as they were. */
void heads_turn_dial(struct heads_pane *pane, int by);
void heads_next_dial(struct heads_pane *pane);
void heads_reset_dials(struct heads_pane *pane);
enum { HEADS_DIAL_LINES = HEADS_DIALS + 1 };
/* Adds HEADS_DIAL_LINES lines. */
void heads_write_dials(const struct heads_pane *pane, struct doc *out);

/* ---- heads_chart.c: the model's own chart ---- */

/* Adds lines of its layers, at most `rows` or a few more: at the position of the query under the
 * cursor (of all heads: the last), the length of the stream before each part and of what the part
 * adds; the layer under the cursor is marked, with its norms. */
bool heads_write_chart(struct heads_pane *pane, int rows, struct doc *out, struct error *reterr);

/* ---- heads_ranking.c: what the heads are ranked by ---- */

/* Ranks them by something else. On failure, shows a message and keeps the old ranking. */
void heads_rank_by(struct heads_pane *pane, unsigned by);
void heads_sort(struct heads_pane *pane); /* or back, layer by layer */
/* Ranks them in the run as it is now. */
bool heads_rank_again(struct heads_pane *pane, struct error *reterr);
/* By ablation each head is cut in turn, and of a long text each layer's patterns are looked for in
 * turn: whether some heads are left, and as many more of them as some milliseconds allow. */
bool heads_is_measuring(const struct heads_pane *pane);
void heads_measure_more(struct heads_pane *pane);
/* "induction", and what that is. */
const char *heads_ranking_name(const struct heads_ranking *ranking);
const char *heads_ranking_tells(const struct heads_ranking *ranking);
/* The score of a head as it is shown, and its tint. False: there is none. */
bool heads_score_text(const struct heads_pane *pane, size_t head, char ret[NUMBER_TEXT],
                      uint8_t *ret_tint);
void heads_ranking_release(struct heads_ranking *ranking);

/* ---- heads_grid.c: where each head stands ---- */

/* As many heads as there is room for, the one under the cursor among them. */
void heads_place_grid(struct heads_pane *pane, size_t width_cols, size_t lines,
                      const struct show_options *options);
bool heads_fill_grid(struct heads_pane *pane, const struct show_options *options,
                     struct error *reterr);
/* The rows of the whole grid. */
size_t heads_n_rows(const struct heads_pane *pane);
/* Where the thumbnail of a head stands on the pane. False: it is not seen. */
bool heads_find_thumbnail(const struct heads_pane *pane, size_t head, int *ret_row, int *ret_col);
/* The cursor goes to the head whose thumbnail is at a place of the pane; or as a key asks for.
 * False: there is none. */
bool heads_click_grid(struct heads_pane *pane, int row, int col);
bool heads_move_in_grid(struct heads_pane *pane, enum request request);

/* ---- heads_map.c, heads_map_draw.c: one head drawn small ---- */

bool heads_map_fill(struct heads_pane *pane, struct error *reterr);
void heads_map_release(struct heads_map *map);
size_t heads_map_size(const struct heads_pane *pane); /* the tokens, or pairs of them */
/* False for a request that does not move. */
bool heads_map_move(struct heads_pane *pane, enum request request);
void heads_map_zoom(struct heads_pane *pane, bool out);
/* The mean of rows x cols numbers of a table from [row, col] on; NaN: a mask hides all. */
double heads_map_cell(const struct heads_pane *pane, size_t table, size_t row, size_t col,
                      size_t rows, size_t cols);
double heads_map_highest(const struct heads_pane *pane, size_t table); /* by size */
void heads_map_draw(const struct heads_pane *pane, struct area area, bool ascii);
/* The number under the cursor with all its digits: of two texts their difference. */
bool heads_map_copy(const struct heads_pane *pane, struct text *ret, struct text *what);
/* The numbers under the cursor; what a cell is and the colours mean. */
void heads_map_write_cell(const struct heads_pane *pane, struct text *text);
void heads_map_write_legend(const struct heads_pane *pane, bool ascii, struct text *text);

/* ---- heads_foot.c: the row at the bottom ---- */

/* What is typed, said, cut or seen. */
void heads_draw_foot(const struct heads_pane *pane, struct area line, bool focused, bool ascii);

/* ---- heads_draw.c: what is seen ---- */

/* Lays out what is stale, for the size that the pane has. */
void heads_lay_out(struct heads_pane *pane);
void heads_draw(const void *state, struct area area, bool focused, bool ascii);
/* The part of the pane's area that the explorer has. */
struct area heads_explorer_area(const struct heads_pane *pane, struct area area);

#endif
