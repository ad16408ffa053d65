/* What the player is at, and how a move is made: see player.h. */
#include "course/player/player_internal.h"

#include "course/lesson/page.h"

const struct page *player_page(const struct player *player)
{
    return &player->lesson->pages[player->page];
}

const struct question *player_question(const struct player *player)
{
    return player_page(player)->question;
}

struct question_sessions player_sessions(struct player *player)
{
    return (struct question_sessions){&player->reference.session, &player->learner.session};
}

bool player_is_asking(const struct player *player)
{
    return player_question(player) != NULL && !player->state.right && !player->state.told;
}

bool player_pane_asks(const struct player *player)
{
    return player->in_pane && player_is_asking(player);
}

bool player_is_offering(const struct player *player)
{
    return player->learner.reached == player->page + 1 && lesson_run_is_offering(&player->learner);
}

size_t player_open_cell(const struct player *player)
{
    size_t i = 0;
    while (i < player->cells.n && i < 64 && (player->state.cells >> i & 1) != 0)
        i++;
    return i;
}

void player_place(const struct player *player, struct text *out)
{
    text_format(out, "%s %zu/%zu", player->lesson->id, player->page + 1, player->lesson->n_pages);
}

bool player_do(struct player *player, player_move *move, struct doc *out, struct error *reterr)
{
    struct doc_end end = doc_end_of(out);
    bool ok = move(player, out, reterr) && doc_check(out, reterr);
    if (!ok)
        doc_take_back(out, &end);
    return ok;
}

bool player_do_text(struct player *player, player_text_move *move, const char *text, size_t size,
                    struct doc *out, struct error *reterr)
{
    struct doc_end end = doc_end_of(out);
    bool ok = move(player, text, size, out, reterr) && doc_check(out, reterr);
    if (!ok)
        doc_take_back(out, &end);
    return ok;
}
