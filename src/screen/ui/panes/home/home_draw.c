/* Home on the screen: the list, and beside or above it what the chosen line is. */
#include "ui/panes/home/home_internal.h"

#include <string.h>

#include "ui/terminal/scroll.h"

enum {
    LONG_BAR_COLS = 10,
    SHORT_BAR_COLS = 6,
    MINUTES_COLS = 9, /* " 12 min  " */
    STATE_COLS = 21,  /* "done, 10 of 10 right" and a blank */
    ABOUT_COLS = 25,  /* of entries other than lessons: "a sentence, every number" */
    TITLE_COL = 3,
    FOLD_COLS = 2,   /* "+ " before a title that folds, and before those below it */
    TRIED_COLS = 18, /* of an exercise: "tried, 2 attempts" */
    ROOMY_COLS = 72, /* minutes from here on */
    LONG_BAR_FROM_COLS = 80,
    BESIDE_COLS = 110,  /* the chosen line is told beside the list from here on */
    LIST_PERCENT = 66,  /* of the columns then, */
    LIST_MAX_COLS = 96, /* at most */
    GAP = 3,
};

static const char name_line[] = "attn: attention, number by number";

/* For a first visit. Neither line is longer than 56 columns. */
static const char welcome_line[] = "Welcome. attn: attention, number by number";
static const char promise_line[] = "Every number you compute here says where it comes from.";

/* Cut with an ellipsis where it is too long; lines are joined. */
static void draw_cut(struct area area, struct canvas_look look, const char *text, bool ascii)
{
    size_t size = strlen(text), room = area.cols > 0 ? (size_t)area.cols : 0;
    const char *more = ascii ? "~" : "\xE2\x80\xA6";
    if (text_width(text, size) <= room || room == 0) {
        area_text(area, 0, 0, look, text);
        return;
    }
    int col = area_put(area, 0, 0, look, text, text_fit(text, size, room - 1));
    area_text(area, 0, col, look, more);
}

/* ---- places ---- */

static bool is_beside(const struct home *home)
{
    return home->cols >= BESIDE_COLS;
}

/* ---- lines of the list ---- */

/* "######----": questions that were answered right, of all of the lesson. */
static void draw_progress(const struct home_item *item, struct area area, bool ascii)
{
    if (item->n_asked == 0)
        return;
    int full = (int)((unsigned)area.cols * item->n_right / item->n_asked);
    for (int col = 0; col < area.cols; col++)
        area_text(area, 0, col, look_of(col < full ? item->style : STYLE_QUIET),
                  col < full ? (ascii ? "#" : "\xE2\x96\x88") : (ascii ? "-" : "\xE2\x96\x91"));
}

/* The columns after the titles: minutes, bar, state. Returns where they begin. */
static int draw_status(const struct home_item *item, struct area line, int title_cols, bool ascii)
{
    bool roomy = line.cols >= ROOMY_COLS;
    bool has_minutes = item->kind == HOME_LESSON || item->kind == HOME_EXERCISE;
    bool has_bar = item->kind == HOME_LESSON;
    int bar = !has_bar ? 0 : 1 + (line.cols >= LONG_BAR_FROM_COLS ? LONG_BAR_COLS : SHORT_BAR_COLS);
    int minutes = roomy && has_minutes ? MINUTES_COLS : 0;
    int state = has_bar ? STATE_COLS : has_minutes ? TRIED_COLS : ABOUT_COLS;
    int begin = line.cols - 2 - state - bar - minutes;
    begin = begin < TITLE_COL + title_cols ? begin : TITLE_COL + title_cols;
    if (item->state[0] == '\0' && (!roomy || item->minutes == 0))
        return line.cols - 2;
    int col = begin + (has_minutes ? minutes : 1);
    if (minutes > 0 && item->minutes > 0)
        area_format(line, 0, begin, look_of(STYLE_QUIET), "%3u min", item->minutes);
    draw_progress(item, area_part(line, 0, col, 1, bar > 0 ? bar - 1 : 0), ascii);
    col += bar;
    draw_cut(area_part(line, 0, col, 1, line.cols - 2 - col), look_of(item->style), item->state,
             ascii);
    return begin;
}

static void draw_item(const struct home *home, size_t at, struct area line, bool ascii)
{
    const struct home_item *item = &home->items[at];
    bool here = at == home->chosen, is_below = item->fold != at;
    int col = TITLE_COL + (is_below ? FOLD_COLS : 0);
    if (item->kind == HOME_HEADING) {
        draw_cut(area_part(line, 0, col, 1, line.cols - 2 - col), look_of(STYLE_BAD), item->title,
                 ascii);
        return;
    }
    int end = draw_status(item, line, home->title_cols, ascii);
    area_text(line, 0, 1, look_of(STYLE_TITLE), here ? (ascii ? ">" : "\xE2\x96\xB8") : " ");
    if (item->is_fold)
        area_text(line, 0, col, look_of(STYLE_QUIET), item->is_unfolded ? "-" : "+");
    col += item->is_fold ? FOLD_COLS : 0;
    bool is_lesson = item->kind == HOME_LESSON || item->kind == HOME_EXERCISE;
    if (is_lesson)
        col = area_format(line, 0, col, look_of(here ? STYLE_TITLE : STYLE_PLAIN), "%2u  ",
                          item->number);
    draw_cut(area_part(line, 0, col, 1, end - col), look_of(here ? STYLE_TITLE : STYLE_PLAIN),
             item->title, ascii);
    if (here)
        area_choose(line, 0, 0, line.cols - 1);
}

/* ---- what is chosen ---- */

/* "After it you can", before what a lesson or a part gives. */
static const char *lead_of(const struct home_item *item)
{
    bool leads = item->kind == HOME_LESSON || item->kind == HOME_PART;
    return leads && item->gives[0] != '\0' ? "After it you can " : "";
}

/* In one row. */
static void draw_gives(const struct home *home, struct area row, bool ascii)
{
    const struct home_item *item = home_chosen(home);
    struct text text = {0};
    if (item == NULL)
        return;
    text_put(&text, lead_of(item));
    for (const char *c = item->gives; *c != '\0'; c++)
        text_put(&text, *c == '\n' ? "; " : (char[]){*c, '\0'});
    draw_cut(row, look_of(STYLE_QUIET), text_string(&text), ascii);
    text_release(&text);
}

/* What Enter does, as a sentence. */
static const char *enter_of(const struct home_item *item)
{
    if (item->opens != PANE_WANTS_NOTHING)
        return item->is_fold ? "Enter opens it, Right shows what is below it." : "Enter opens it.";
    if (item->kind == HOME_OWN_TEXT)
        return "Enter asks for the text.";
    return item->is_unfolded ? "Enter or Left folds it." : "Enter or Right unfolds it.";
}

/* Beside the list: its title, how far it is, and all that it gives. */
static void draw_detail(const struct home *home, struct area area)
{
    const struct home_item *item = home_chosen(home);
    struct doc doc;
    struct text text = {0};
    size_t cols = area.cols > 0 ? (size_t)area.cols : 1;
    if (item == NULL)
        return;
    doc_init(&doc);
    doc_wrap(&doc, STYLE_TITLE, item->title, cols, 0);
    if (item->state[0] != '\0')
        doc_wrap(&doc, item->style, item->state, cols, 0);
    doc_end_line(&doc);
    bool is_list = strchr(item->gives, '\n') != NULL;
    text_format(&text, "%s%s", lead_of(item), is_list ? "" : item->gives);
    if (text.size > 0)
        doc_wrap(&doc, STYLE_PLAIN, text_string(&text), cols, 0);
    for (const char *line = item->gives; is_list && *line != '\0';) {
        size_t size = strcspn(line, "\n");
        text_clear(&text);
        text_format(&text, "- %.*s", (int)size, line);
        doc_wrap(&doc, STYLE_PLAIN, text_string(&text), cols, 2);
        line += size + (line[size] == '\n');
    }
    doc_end_line(&doc);
    doc_wrap(&doc, STYLE_QUIET, enter_of(item), cols, 0);
    area_doc(area, &doc, 0, 0);
    doc_release(&doc);
    text_release(&text);
}

/* ---- the rows above ---- */

static void draw_field(const struct home *home, struct area row, bool focused)
{
    bool filters = home->asks == HOME_FIELD_FILTER;
    int col = area_text(row, 0, 0, look_of(STYLE_TITLE), filters ? "find: " : "your text: ");
    struct area rest = area_part(row, 0, col, 1, row.cols - col);
    if (filters) {
        struct area count = area_part(row, 0, row.cols - 14, 1, 14);
        area_format(count, 0, 0, look_of(STYLE_QUIET), "%4zu found", home->n_seen);
        rest.cols -= 15;
    }
    field_draw(&home->field, rest,
               filters ? "words of a title; done, open or started" : "words, or a text file's path",
               focused);
}

/* What a key left to say, the field, or what is chosen. */
static void draw_told_row(const struct home *home, struct area row, bool focused, bool ascii)
{
    if (home->leaving_ms != 0)
        area_text(row, 0, 0, look_of(STYLE_TITLE),
                  "q_   leaving attn; more letters would go to the prompt");
    else if (home->typed > 0)
        area_format(row, 0, 0, look_of(STYLE_TITLE),
                    "%u_   Enter opens lesson %u; more of a formula goes to the prompt",
                    home->typed, home->typed);
    else if (home->message[0] != '\0')
        draw_cut(row, look_of(STYLE_NOTE), home->message, ascii);
    else if (home->asks != HOME_FIELD_CLOSED)
        draw_field(home, row, focused);
    else if (!is_beside(home))
        draw_gives(home, row, ascii);
}

/* The name, and how far one is in the whole course: that alone where both have no room. */
static void draw_first_row(const struct home *home, struct area row, bool ascii)
{
    struct text total = {0};
    if (home->count.n_lessons > 0 && !home->is_first)
        course_count_write(&home->count, &total);
    int cols = (int)text_width(text_string(&total), total.size);
    bool both = cols + (int)(sizeof name_line - 1) + GAP <= row.cols;
    if (both || cols == 0)
        area_text(row, 0, 0, look_of(STYLE_TITLE), home->is_first ? welcome_line : name_line);
    draw_cut(area_part(row, 0, both ? row.cols - cols : 0, 1, row.cols),
             look_of(both ? STYLE_QUIET : STYLE_TITLE), text_string(&total), ascii);
    text_release(&total);
}

void home_draw(const void *state, struct area area, bool focused, bool ascii)
{
    const struct home *home = state;
    int head = home_head_rows(home, area.rows), rows = area.rows - head, list_cols = area.cols;
    size_t first = home_first_seen(home, area.rows);
    draw_first_row(home, area_part(area, 0, 2, 1, area.cols - 4), ascii);
    if (home->is_first)
        area_text(area, 1, 2, look_of(STYLE_PLAIN), promise_line);
    draw_told_row(home, area_part(area, home->is_first ? 2 : 1, 2, 1, area.cols - 4), focused,
                  ascii);
    if (is_beside(home) && area.cols == home->cols) {
        list_cols = area.cols * LIST_PERCENT / 100;
        list_cols = list_cols < LIST_MAX_COLS ? list_cols : LIST_MAX_COLS;
        draw_detail(home,
                    area_part(area, head, list_cols + GAP, rows, area.cols - list_cols - GAP - 2));
    }
    struct area list = area_part(area, head, 0, rows, list_cols);
    for (int row = 0; row < rows && first + (size_t)row < home->n_seen; row++)
        draw_item(home, home->seen[first + (size_t)row], area_part(list, row, 0, 1, list_cols),
                  ascii);
    if (home->n_seen == 0)
        area_text(list, 0, TITLE_COL, look_of(STYLE_QUIET),
                  "No lesson and no exercise fits; Backspace takes a letter back, Esc ends.");
    scroll_bar_draw(list, first, home->n_seen, ascii);
    scroll_count_draw(list, first, home->n_seen);
}
