/* The search in a lesson: through the lines of the page, then through the other pages of the
 * lesson, which are opened as `lesson ID#PAGE` opens them. See lesson_pane_internal.h. */
#include "ui/panes/lesson/lesson_pane_internal.h"

#include <ctype.h>
#include <string.h>

#include "manual/manual.h"

void lesson_pane_open_find(struct lesson_pane *pane)
{
    pane->find = (struct lesson_pane_find){.is_open = true, .line = SIZE_MAX};
}

/* ---- finding ---- */

/* Where text has these words, capitals or not; SIZE_MAX: nowhere. */
static size_t place_in(const char *text, const char *words)
{
    for (size_t at = 0; text[at] != '\0'; at++) {
        size_t i = 0;
        while (words[i] != '\0' &&
               tolower((unsigned char)text[at + i]) == tolower((unsigned char)words[i]))
            i++;
        if (words[i] == '\0')
            return at;
    }
    return SIZE_MAX;
}

static void add_line(const struct doc *doc, size_t line, struct text *out)
{
    const struct span *spans;
    size_t n = doc_line_spans(doc, line, &spans);
    for (size_t i = 0; i < n; i++)
        text_add(out, doc->text.bytes + spans[i].begin, spans[i].end - spans[i].begin);
}

/* Whether the words begin in a line; they may end in the next one. */
static bool line_has(const struct doc *doc, size_t line, const char *words)
{
    struct text text = {0};
    add_line(doc, line, &text);
    size_t size = text.size;
    if (line + 1 < doc->n_lines) {
        text_char(&text, ' ');
        add_line(doc, line + 1, &text);
    }
    size_t at = place_in(text_string(&text), words);
    text_release(&text);
    return at < size;
}

/* Shows the first line from `from` on that has the words, or the last one before it. False: there
 * is none. */
static bool find_line(struct lesson_pane *pane, size_t from, bool back)
{
    struct lesson_pane_lines lines;
    size_t found = SIZE_MAX;
    lesson_pane_compose(pane, false, &lines);
    size_t n = lines.doc.n_lines;
    for (size_t i = 0; i < n; i++)
        if ((back ? i < from : i >= from) && line_has(&lines.doc, i, pane->find.field.text)) {
            found = i;
            if (!back)
                break;
        }
    doc_release(&lines.doc);
    if (found == SIZE_MAX)
        return false;
    pane->find.line = found;
    lesson_pane_show_lines(pane, found, found + 1);
    return true;
}

static bool page_has(const struct page *page, const char *words)
{
    struct text text = {0};
    manual_add_page_text(page, &text);
    for (size_t i = 0; i < text.size; i++)
        if (text.bytes[i] == '\n')
            text.bytes[i] = ' ';
    bool has = place_in(text_string(&text), words) != SIZE_MAX;
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
        if (!page_has(&lesson->pages[at], pane->find.field.text))
            continue;
        struct text line = {0};
        text_format(&line, "lesson %s#%s", lesson->id, lesson->pages[at].name);
        lesson_pane_ask_for(pane, text_string(&line));
        text_release(&line);
        return true;
    }
    return false;
}

static void find(struct lesson_pane *pane, bool back)
{
    struct lesson_pane_find *search = &pane->find;
    bool is_here = search->line != SIZE_MAX;
    size_t from = !is_here ? pane->scroll : back ? search->line : search->line + 1;
    search->is_missing = false;
    if (text_is_blank(search->field.text, search->field.size) || find_line(pane, from, back) ||
        find_page(pane, back))
        return;
    /* Around: from the page's other end. */
    search->is_missing = !find_line(pane, back ? SIZE_MAX : 0, back);
}

void lesson_pane_find_here(struct lesson_pane *pane)
{
    pane->find.line = SIZE_MAX;
    if (pane->find.is_open && pane->find.field.size > 0)
        (void)find_line(pane, 0, false);
}

/* ---- keys and drawing ---- */

bool lesson_pane_find_key(struct lesson_pane *pane, int key)
{
    switch (key) {
    case KEYCODE_ENTER:
    case KEYCODE_DOWN:
        find(pane, false);
        return true;
    case KEYCODE_UP:
        find(pane, true);
        return true;
    case KEYCODE_ESCAPE:
        pane->find.is_open = false;
        return true;
    default:
        break;
    }
    enum field_change change = field_key(&pane->find.field, key);
    if (change == FIELD_CHANGED) {
        pane->find.line = SIZE_MAX;
        pane->find.is_missing = false;
    }
    return change != FIELD_IGNORED;
}

void lesson_pane_draw_find(const struct lesson_pane *pane, struct area area, struct area text,
                           bool focused)
{
    const struct lesson_pane_find *search = &pane->find;
    struct area row = area_part(area, area.rows - 1, 0, 1, area.cols);
    if (!search->is_open)
        return;
    if (search->line != SIZE_MAX && search->line >= pane->scroll &&
        search->line - pane->scroll < (size_t)text.rows)
        area_choose(text, (int)(search->line - pane->scroll), 0, text.cols);
    area_fill(row, look_of(STYLE_PLAIN));
    int col = area_text(row, 0, LESSON_PANE_MARGIN_COLS, look_of(STYLE_TITLE), "find: ");
    int end = row.cols;
    if (search->is_missing) {
        static const char says[] = " no page has it";
        end -= (int)strlen(says);
        area_text(row, 0, end, look_of(STYLE_NOTE), says);
    }
    field_draw(&search->field, area_part(row, 0, col, 1, end - col), "words of this lesson",
               focused);
}
