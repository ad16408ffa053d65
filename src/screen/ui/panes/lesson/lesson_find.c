/* The search in a lesson: through the lines of the page, then through the other pages of the
 * lesson, which are opened as `lesson ID#PAGE` opens them. See lesson_pane_internal.h. */
#include "ui/panes/lesson/lesson_pane_internal.h"

#include "course/manual/manual.h"

void lesson_pane_open_find(struct lesson_pane *pane)
{
    find_open(&pane->find, pane->scroll, false);
}

/* ---- finding ---- */

static void show_place(struct lesson_pane *pane, size_t n_lines)
{
    lesson_pane_scroll_to(pane, find_scroll(pane->find.place.line, pane->scroll,
                                            lesson_pane_text_rows(pane), n_lines));
}

/* Shows the place of this page that is asked for. False: there is none. */
static bool find_line(struct lesson_pane *pane, enum find_reply where, bool wraps)
{
    struct lesson_pane_lines lines;
    lesson_pane_compose(pane, false, &lines);
    bool found = find_look(&pane->find, &lines.doc, where, wraps);
    size_t n = lines.doc.n_lines;
    doc_release(&lines.doc);
    if (found)
        show_place(pane, n);
    return found;
}

static bool page_has(const struct page *page, const struct find *find)
{
    struct text text = {0};
    struct doc doc;
    doc_init(&doc);
    manual_add_page_text(page, &text);
    doc_put(&doc, STYLE_PLAIN, text_string(&text), text.size);
    doc_end_line(&doc);
    bool has = find_is_in(find, &doc);
    doc_release(&doc);
    text_release(&text);
    return has;
}

/* Asks for the next other page that has the words. */
static bool find_page(struct lesson_pane *pane, bool back)
{
    const struct player *player = pane->tutor->player;
    if (player == NULL || player->is_review)
        return false;
    const struct lesson *lesson = player->lesson;
    for (size_t i = 1; i < lesson->n_pages; i++) {
        size_t at = (player->page + (back ? lesson->n_pages - i : i)) % lesson->n_pages;
        if (!page_has(&lesson->pages[at], &pane->find))
            continue;
        struct text line = {0};
        text_format(&line, "lesson %s#%s", lesson->id, lesson->pages[at].name);
        (void)lesson_pane_ask_for(pane, text_string(&line));
        text_release(&line);
        return true;
    }
    return false;
}

/* While it is typed, the page stays. Around: from the page's other end. */
static void find(struct lesson_pane *pane, enum find_reply where)
{
    bool goes_on = where != FIND_BEGINS;
    if (!find_line(pane, where, false) && goes_on && !find_page(pane, where == FIND_ABOVE) &&
        !find_line(pane, where, true))
        find_miss(&pane->find);
}

bool lesson_pane_clear_find(void *state)
{
    struct lesson_pane *pane = state;
    if (!find_clear(&pane->find))
        return false;
    find(pane, FIND_BEGINS);
    return true;
}

void lesson_pane_find_here(struct lesson_pane *pane)
{
    pane->find.from = pane->find.n = 0;
    if (find_is_open(&pane->find))
        (void)find_line(pane, FIND_BEGINS, false);
}

void lesson_pane_find_again(struct lesson_pane *pane)
{
    struct lesson_pane_lines lines;
    if (!find_is_open(&pane->find))
        return;
    lesson_pane_compose(pane, false, &lines);
    if (find_look_again(&pane->find, &lines.doc))
        show_place(pane, lines.doc.n_lines);
    doc_release(&lines.doc);
}

/* ---- keys and drawing ---- */

/* Keys that scroll leave the marks; any other one ends the search, and does what it does. */
static bool leaves_marks(const struct lesson_pane *pane, int key)
{
    switch (binding_find(lesson_pane_bindings, key)) {
    case REQ_PAGE_UP:
    case REQ_PAGE_DOWN:
        return true;
    case REQ_NONE:
    case REQ_UP:
    case REQ_DOWN:
    case REQ_TOP:
    case REQ_BOTTOM:
        return !lesson_pane_types(pane);
    default:
        return false;
    }
}

bool lesson_pane_find_key(struct lesson_pane *pane, int key)
{
    bool typed = find_types(&pane->find);
    enum find_reply reply = find_key(&pane->find, key);
    if (reply == FIND_IGNORES && !typed && !leaves_marks(pane, key))
        find_close(&pane->find);
    if (reply == FIND_BEGINS || reply == FIND_BELOW || reply == FIND_ABOVE)
        find(pane, reply);
    return reply != FIND_IGNORES;
}

void lesson_pane_draw_find(const struct lesson_pane *pane, const struct doc *lines,
                           struct area area, struct area text, bool focused)
{
    find_mark(&pane->find, lines, pane->scroll, 0, text);
    find_draw(&pane->find,
              area_part(area, area.rows - 1, LESSON_PANE_MARGIN_COLS, 1,
                        area.cols - LESSON_PANE_MARGIN_COLS),
              "words of this lesson", " on this page", "no page has it", focused);
}
