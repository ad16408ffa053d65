/* See train_screen.h. */
#include "cli/train_screen.h"

#include <stdio.h>

#include "cli/opening.h"
#include "cli/train_report.h"
#include "files/path.h"
#include "train/film.h"
#include "ui/panes/training/training_pane.h"

/* ---- on the screen ---- */

/* Whether there is something that no file has yet. */
static bool is_new(const struct film *film, size_t n_before)
{
    return film->n_branches > 1 || film_count(film_newest(film)) > n_before;
}

static bool save(const struct film *film, const struct train_showing *showing, struct error *reterr)
{
    return film_keep(film, NULL, showing->folder, reterr) &&
           (showing->film == NULL || showing->is_played || film_save(film, showing->film, reterr));
}

static void say_saved(const struct film *film, const struct train_showing *showing)
{
    const char *folder = showing->folder;
    if (film_is_done(film))
        printf("saved in %s; look at it with attn view %s\n", folder, folder);
    else
        printf("stopped after %zu steps, and saved; attn train --resume %s goes on\n",
               film_count(film_newest(film)), folder);
    if (showing->film != NULL && !showing->is_played)
        printf("attn train --film %s plays it again\n", showing->film);
}

static void say_left(const struct film *film, const struct train_showing *showing, bool saved)
{
    size_t n = film_count(film_newest(film));
    if (saved)
        printf("left after %zu steps; what w saved is kept, and nothing else\n", n);
    else if (path_is_folder(showing->folder))
        printf("left after %zu steps; what was saved before is in %s\n", n, showing->folder);
    else
        printf("left after %zu steps; nothing was saved\n", n);
}

int train_on_screen(struct film *film, const struct train_showing *showing)
{
    struct error error;
    bool left = false, saved = false;
    size_t n_before = film_count(film_newest(film));
    const struct training_start start = {.film = film,
                                         .folder = showing->folder,
                                         .is_played = showing->is_played,
                                         .save_every = showing->save_every,
                                         .ret_left = &left,
                                         .ret_saved = &saved};
    const struct opening opening = {.options = showing->common, .training = &start};
    bool ok = opening_show_screen(&opening, &error);
    if (ok && left)
        say_left(film, showing, saved);
    else if (ok && is_new(film, n_before)) {
        ok = save(film, showing, &error);
        if (ok)
            say_saved(film, showing);
    }
    if (!ok)
        fprintf(stderr, "attn: train: %s\n", error.text);
    return ok && finish_output(true) ? EXIT_OK : EXIT_FAILED;
}

/* ---- as lines ---- */

static void print_frame(const struct film *film, const struct film_frame *frame)
{
    char loss[32] = "-"; /* before the first step there is none */
    if (frame->step > film->branches[0].begin)
        snprintf(loss, sizeof loss, "%.4f", film_loss(film, 0, frame->step));
    printf("%6zu/%-6u %8s %10.4f %7.1f %%", frame->step, film->branches[0].recipe.n_steps, loss,
           frame->held_out.loss, 100 * frame->held_out.right);
    if (frame->untrained.n > 0)
        printf(" %13.1f %%", 100 * frame->untrained.right);
    printf("\n");
}

static void print_frame_json(const struct film *film, const struct film_frame *frame)
{
    printf("{\"step\": %zu, ", frame->step);
    if (frame->step > film->branches[0].begin) {
        printf("\"loss\": ");
        train_print_number(film_loss(film, 0, frame->step), 6);
        printf(", ");
    }
    printf("\"held_out_loss\": ");
    train_print_number(frame->held_out.loss, 6);
    printf(", \"held_out_right\": %.4f", frame->held_out.right);
    if (frame->untrained.n > 0)
        printf(", \"untrained_right\": %.4f", frame->untrained.right);
    printf("}\n");
}

int train_print_film(const struct film *film, bool json)
{
    const struct film_branch *branch = &film->branches[0];
    if (!json)
        printf("%s, seed %llu: a film; nothing is trained\n"
               "   step           loss   held out     right%s\n",
               branch->source->name, (unsigned long long)branch->seed,
               branch->source->has_untrained ? "  other lengths" : "");
    for (size_t i = 0; i < branch->n_frames; i++)
        (json ? print_frame_json : print_frame)(film, &branch->frames[i]);
    return finish_output(true) ? EXIT_OK : EXIT_FAILED;
}
