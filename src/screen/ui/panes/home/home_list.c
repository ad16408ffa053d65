/* Which lines of home are listed: what is unfolded, or what the filter lets through; and which of
 * them are seen. */
#include "ui/panes/home/home_internal.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "files/file.h"
#include "ui/terminal/scroll.h"

enum { ROOMY_ROWS = 20 }; /* an empty row above the list from here on */

/* ---- the filter ---- */

/* Whether text has the word anywhere, capitals or not. */
static bool holds(const char *text, const char *word, size_t size)
{
    for (; *text != '\0'; text++)
        if (strncasecmp(text, word, size) == 0)
            return true;
    return false;
}

static bool is_word(const char *word, size_t size, const char *wanted)
{
    return strlen(wanted) == size && strncasecmp(word, wanted, size) == 0;
}

/* "done", "open" (not done) and "started" ask how far one is; any other word must be in the title,
 * the name or what it gives. */
static bool fits_word(const struct home_item *item, const char *word, size_t size)
{
    if (is_word(word, size, "done"))
        return item->how_far == HOME_IS_DONE;
    if (is_word(word, size, "started"))
        return item->how_far == HOME_IS_STARTED;
    if (is_word(word, size, "open"))
        return item->how_far != HOME_IS_DONE;
    return holds(item->title, word, size) || holds(item->name, word, size) ||
           holds(item->gives, word, size);
}

static bool fits(const struct home_item *item, const char *words)
{
    static const char blanks[] = " ";
    if (item->kind != HOME_LESSON && item->kind != HOME_EXERCISE)
        return false;
    for (size_t size; *(words += strspn(words, blanks)) != '\0'; words += size) {
        size = strcspn(words, blanks);
        if (!fits_word(item, words, size))
            return false;
    }
    return true;
}

/* ---- places ---- */

const struct home_item *home_chosen(const struct home *home)
{
    return home->chosen < home->n ? &home->items[home->chosen] : NULL;
}

size_t home_place(const struct home *home, size_t item)
{
    size_t place = 0;
    while (place < home->n_seen && home->seen[place] != item)
        place++;
    return place;
}

int home_head_rows(const struct home *home, int rows)
{
    return 2 + (home->is_first ? 1 : 0) + (rows >= ROOMY_ROWS ? 1 : 0);
}

size_t home_first_seen(const struct home *home, int rows)
{
    int head = home_head_rows(home, rows);
    size_t seen = rows > head ? (size_t)(rows - head) : 1, place = home_place(home, home->chosen);
    return scroll_into_view(home->scroll, place < home->n_seen ? place : 0, seen, home->n_seen);
}

/* ---- listing ---- */

static bool is_listed(const struct home *home, size_t i, const char *words)
{
    const struct home_item *item = &home->items[i];
    if (words != NULL)
        return fits(item, words);
    return item->fold == i || home->items[item->fold].is_unfolded;
}

void home_list(struct home *home)
{
    const char *words = home->asks == HOME_FIELD_FILTER ? home->field.text : NULL;
    size_t nearest = home->n;
    home->n_seen = 0;
    for (size_t i = 0; i < home->n; i++) {
        if (!is_listed(home, i, words))
            continue;
        home->seen[home->n_seen++] = i;
        bool can_be_chosen = home->items[i].kind != HOME_HEADING;
        if (can_be_chosen && (i <= home->chosen || nearest == home->n))
            nearest = i;
    }
    if (nearest < home->n)
        home->chosen = nearest;
    home->scroll = home_first_seen(home, home->rows);
}

bool home_own_text_is_file(const struct home *home)
{
    return path_is_file(home->own_text);
}
