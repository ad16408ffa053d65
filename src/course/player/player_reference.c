/* The lesson's own session: what its pages run there, and nothing else. */
#include "course/player/player_internal.h"

#include <stdio.h>

#include "course/lesson/page.h"
#include "lang/commands/command.h"

struct question_sessions player_sessions(struct player *player)
{
    return (struct question_sessions){&player->own, &player->learner};
}

bool player_blame_lesson(const struct player *player, unsigned line, struct error *reterr)
{
    char text[sizeof reterr->text];
    if (reterr == NULL || reterr->kind == ERR_INTERRUPTED || reterr->kind == ERR_MEMORY)
        return false;
    snprintf(text, sizeof text, "%.200s:%u: %.250s", player->lesson->path, line, reterr->text);
    return error_set(reterr, reterr->kind, "%s", text);
}

static bool run_offer(struct player *player, const struct page *page, struct error *reterr)
{
    unsigned line = 0;
    return page->offer.text == NULL || code_run(&player->own, &page->offer, NULL, &line, reterr) ||
           player_blame_lesson(player, line, reterr);
}

static bool run_page(struct player *player, size_t i, struct doc *out, struct error *reterr)
{
    unsigned line = 0;
    const struct page *page = &player->lesson->pages[i];
    bool ok = out != NULL && player_pane_asks(player)
                  ? page_run_without_options(&player->own, page, out, &line, reterr)
                  : page_run(&player->own, page, out, &line, reterr);
    return ok || player_blame_lesson(player, line, reterr);
}

static void restart_own(struct player *player)
{
    struct settings settings = player->own.settings;
    const char *data_dir = player->own.data_dir;
    session_release(&player->own);
    session_init(&player->own, command_find, &settings, data_dir, player->stop);
    player->own_pages = 0;
    player->own_is_shown = false;
}

/* Half a page is of no use: on failure the session starts anew. */
bool player_show_own(struct player *player, size_t page, struct doc *out, struct error *reterr)
{
    player->own_is_shown = run_page(player, page, out, reterr);
    if (!player->own_is_shown)
        restart_own(player);
    return player->own_is_shown;
}

bool player_lead_own(struct player *player, size_t page, struct error *reterr)
{
    if (player->own_pages > page || (player->own_pages == page && player->own_is_shown))
        restart_own(player);
    while (player->own_pages < page) {
        size_t i = player->own_pages;
        if (!player->own_is_shown && !player_show_own(player, i, NULL, reterr))
            return false;
        if (!run_offer(player, &player->lesson->pages[i], reterr)) {
            restart_own(player);
            return false;
        }
        player->own_pages++;
        player->own_is_shown = false;
    }
    return true;
}

bool player_take_cells(struct player *player, struct error *reterr)
{
    struct question_sessions sessions = player_sessions(player);
    const struct question *question = player_question(player);
    question_cells_release(&player->cells);
    if (question == NULL || question->kind != QUESTION_MATRIX ||
        question_cells(question, &sessions, &player->cells, reterr))
        return true;
    restart_own(player);
    return player_blame_lesson(player, question->line, reterr);
}

bool player_ready_own(struct player *player, struct error *reterr)
{
    if (player->own_pages == player->page && player->own_is_shown)
        return true;
    return player_lead_own(player, player->page, reterr) &&
           player_show_own(player, player->page, NULL, reterr) && player_take_cells(player, reterr);
}
