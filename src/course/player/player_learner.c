/* The learner's session: what the lesson runs in it, what a page offers to type, and the lines
 * that make it again. */
#include "course/player/player_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "course/lesson/page.h"
#include "lang/syntax/lexer.h"

static const char page_mark[] = "# page "; /* a line of the log: here this page begins */

void player_log(struct player *player, const char *line, size_t size)
{
    if (player->is_review)
        return;
    text_add(&player->logged, line, size);
    if (size == 0 || line[size - 1] != '\n')
        text_char(&player->logged, '\n');
}

/* What the lesson runs may not fit what the learner made of its names. The lesson goes on. */
static bool tell_misfit(const struct player *player, const struct error *error, struct doc *out,
                        struct error *reterr)
{
    char text[sizeof error->text + 200];
    if (error->kind == ERR_INTERRUPTED || error->kind == ERR_MEMORY)
        return error_set(reterr, error->kind, "%s", error->text);
    snprintf(text, sizeof text,
             "With your variables, what the lesson runs here does not work: %s. The page shows it "
             "with its own; lesson %s again starts it with a clean table.",
             error->text, player->lesson->id);
    doc_wrap(out, STYLE_NOTE, text, player->learner.settings.width_cols, 0);
    return true;
}

static bool is_space(char c)
{
    return isspace((unsigned char)c) != 0;
}

bool player_says_nothing(const char *line, size_t size)
{
    size_t i = 0;
    while (i < size && is_space(line[i]))
        i++;
    return i == size || (line[i] == '#' && memchr(line + i, '\n', size - i - 1) == NULL);
}

/* What the lesson runs. */

/* A page's lines on their way into the learner's session. */
struct lead {
    struct player *player;
    size_t at; /* the line under way */
    bool told; /* that one does not fit */
    struct doc *out;
    struct error *reterr;
};

/* A line of the lesson in the learner's session. It may not touch their files. */
static bool run_as_lesson(struct player *player, const char *line, size_t size, struct doc *out,
                          struct error *reterr)
{
    bool before = player->learner.settings.no_files;
    player->learner.settings.no_files = true;
    bool ok = session_run(&player->learner, line, size, out, reterr);
    player->learner.settings.no_files = before;
    return ok;
}

static bool lead_line(void *context, const char *line, size_t size)
{
    struct lead *lead = context;
    struct player *player = lead->player;
    struct doc unseen;
    struct error error;
    if (lead->at++ < player->n_led)
        return true;
    doc_init(&unseen);
    bool ok = run_as_lesson(player, line, size, &unseen, &error);
    doc_release(&unseen);
    bool goes_on = ok || (lead->told && error.kind != ERR_INTERRUPTED && error.kind != ERR_MEMORY);
    if (!goes_on && !tell_misfit(player, &error, lead->out, lead->reterr))
        return false;
    lead->told = lead->told || !ok;
    if (ok && !player_says_nothing(line, size))
        player_log(player, line, size);
    player->n_led++;
    return true;
}

/* Each line is run once, also where a try before was interrupted. What worked is logged, and behind
 * it that the page was reached. */
bool player_lead(struct player *player, size_t page, struct doc *out, struct error *reterr)
{
    const struct page *now = &player->lesson->pages[page];
    struct lead lead = {.player = player, .out = out, .reterr = reterr};
    if (page < player->reached)
        return true;
    for (size_t i = 0; i < now->n_parts; i++)
        if (now->parts[i].kind != PART_PROSE &&
            !code_each_line(&now->parts[i].source, lead_line, &lead))
            return false;
    if (!player->is_review)
        text_format(&player->logged, "%s%s\n", page_mark, now->name);
    player->reached = page + 1;
    player->n_led = 0;
    player->typed = 0;
    return true;
}

/* What a page offers to type. */

/* The same but for blanks. */
static bool same_line(const char *a, size_t a_size, const char *b, size_t b_size)
{
    size_t i = 0, j = 0;
    for (;;) {
        while (i < a_size && is_space(a[i]))
            i++;
        while (j < b_size && is_space(b[j]))
            j++;
        if (i == a_size || j == b_size)
            return i == a_size && j == b_size;
        if (a[i++] != b[j++])
            return false;
    }
}

/* The lines of an offer: which were typed, which are to be run. */
struct offer {
    struct player *player;
    unsigned at; /* the line under way */
    const char *line;
    size_t size;
    bool unseen; /* what is run is not shown */
    struct doc *out;
    struct error *reterr;
};

static bool mark_typed(void *context, const char *line, size_t size)
{
    struct offer *offer = context;
    if (offer->at < 64 && same_line(line, size, offer->line, offer->size))
        offer->player->typed |= (uint64_t)1 << offer->at;
    offer->at++;
    return true;
}

static bool run_untyped(void *context, const char *line, size_t size)
{
    struct offer *offer = context;
    struct player *player = offer->player;
    unsigned at = offer->at++;
    bool typed = at < 64 && (player->typed >> at & 1) != 0;
    struct doc shown;
    struct error error;
    if (typed || player_says_nothing(line, size))
        return true;
    doc_init(&shown);
    bool ok = run_as_lesson(player, line, size, &shown, &error);
    if (ok) {
        player_log(player, line, size);
        player->typed |= at < 64 ? (uint64_t)1 << at : 0; /* when the page fails, not once more */
    }
    if (ok && !offer->unseen) {
        code_show(line, size, player->learner.settings.width_cols, offer->out);
        doc_append(offer->out, &shown, 0);
    }
    doc_release(&shown);
    return ok || tell_misfit(player, &error, offer->out, offer->reterr);
}

static bool was_typed(void *context, const char *line, size_t size)
{
    struct offer *offer = context;
    unsigned at = offer->at++;
    return player_says_nothing(line, size) || (at < 64 && (offer->player->typed >> at & 1) != 0);
}

/* The code offered on the last page that the learner reached, or NULL: on pages before it is done.
 */
static const struct lesson_text *open_offer(const struct player *player)
{
    const struct lesson_text *offer =
        player->reached > 0 ? &player->lesson->pages[player->reached - 1].offer : NULL;
    return offer != NULL && offer->text != NULL ? offer : NULL;
}

void player_note_typed(struct player *player, const char *line, size_t size)
{
    struct offer offer = {.player = player, .line = line, .size = size};
    if (open_offer(player) != NULL)
        (void)code_each_line(open_offer(player), mark_typed, &offer);
}

bool player_is_offering(const struct player *player)
{
    struct offer offer = {.player = (struct player *)player};
    return player->reached == player->page + 1 && open_offer(player) != NULL &&
           !code_each_line(open_offer(player), was_typed, &offer);
}

bool player_leave_offer(struct player *player, struct doc *out, struct error *reterr)
{
    struct offer offer = {.player = player, .out = out, .reterr = reterr};
    if (!code_each_line(open_offer(player), run_untyped, &offer))
        return false;
    player->typed = UINT64_MAX; /* what does not work with the learner's variables is not asked for
                                 * again */
    player_remember_page(player, out);
    return true;
}

/* What the last page offers, for a learner who comes by without seeing it. */
static bool pass_offer(struct player *player, struct doc *out, struct error *reterr)
{
    struct offer offer = {.player = player, .unseen = true, .out = out, .reterr = reterr};
    return open_offer(player) == NULL || code_each_line(open_offer(player), run_untyped, &offer);
}

bool player_lead_past(struct player *player, size_t first, size_t end, struct doc *out,
                      struct error *reterr)
{
    for (size_t i = first; i < end; i++)
        if (!player_lead(player, i, out, reterr) || !pass_offer(player, out, reterr))
            return false;
    return true;
}

/* Opening a lesson where it stopped. */

/* A page's mark in the log: its code was run. */
static void pass_mark(struct player *player, const char *line, size_t size)
{
    char name[PROGRESS_NAME_BYTES];
    size_t mark = sizeof page_mark - 1;
    while (size > 0 && is_space(line[size - 1]))
        size--;
    if (size <= mark || size - mark >= sizeof name || memcmp(line, page_mark, mark) != 0)
        return;
    memcpy(name, line + mark, size - mark);
    name[size - mark] = '\0';
    size_t page = lesson_page(player->lesson, name);
    if (page < player->lesson->n_pages && page >= player->reached) {
        player->reached = page + 1;
        player->typed = 0;
    }
}

bool player_replay(struct player *player, const struct text *lines, struct doc *out,
                   struct error *reterr)
{
    struct doc shown;
    struct error error = {0};
    bool ok = true, open;
    unsigned n_failed = 0;
    doc_init(&shown);
    player->learner.settings.no_saves = true;
    for (size_t at = 0, length; ok && at < lines->size; at += length) {
        length = lexer_line(lines->bytes + at, lines->size - at, &open);
        pass_mark(player, lines->bytes + at, length);
        if (session_run(&player->learner, lines->bytes + at, length, &shown, &error)) {
            player_note_typed(player, lines->bytes + at, length);
        } else {
            ok = error.kind != ERR_INTERRUPTED && error.kind != ERR_MEMORY;
            n_failed++;
        }
        doc_clear(&shown);
    }
    player->learner.settings.no_saves = false;
    doc_release(&shown);
    if (!ok)
        return error_set(reterr, error.kind, "%s", error.text);
    if (n_failed > 0)
        words_show(out, STYLE_NOTE, player->learner.settings.width_cols,
                   "%u of the lines you typed before %s not work any more: %s", n_failed,
                   n_failed == 1 ? "does" : "do", error.text);
    return true;
}
