/* Trainings and films that are opened inside the running program: the pane owns their film. */
#include "ui/panes/training/training_pane_internal.h"

#include <stdio.h>
#include <string.h>

/* What follows a word and a blank; NULL: the text begins with another word. */
static const char *after(const char *text, const char *word)
{
    size_t size = strlen(word);
    return strncmp(text, word, size) == 0 && text[size] == ' ' ? text + size + 1 : NULL;
}

static bool make_film(const struct training_pane *pane, const struct training_plan *plan,
                      const char *data_dir, struct film **ret, struct error *reterr)
{
    struct source *source;
    struct training *training;
    return plan_open(plan, data_dir, pane->stop, &source, &training, reterr) &&
           film_new(plan, source, training, data_dir, ret, reterr);
}

static bool open_film(const struct training_pane *pane, const char *what, const char *data_dir,
                      struct film **ret, struct error *reterr)
{
    char path[4096];
    struct training_plan plan = {.n_steps = 0};
    const char *film = after(what, "film"), *task = after(what, "task");
    const char *text = after(what, "text");
    if (film != NULL)
        return film_open(film_path(film, data_dir, path, sizeof path), data_dir, pane->stop, ret,
                         reterr);
    size_t capacity = task != NULL ? sizeof plan.task : sizeof plan.text;
    const char *name = task != NULL ? task : text != NULL ? text : "";
    if (strlen(name) >= capacity)
        return error_set(reterr, ERR_LIMIT, "%.40s...: the name is too long", name);
    snprintf(task != NULL ? plan.task : plan.text, capacity, "%s", name);
    return make_film(pane, &plan, data_dir, ret, reterr);
}

bool training_pane_open_own(struct training_pane *pane, const char *what, const char *data_dir,
                            struct error *reterr)
{
    struct film *film;
    struct training_own *own = &pane->own;
    if (own->film != NULL && strcmp(own->what, what) == 0)
        return true;
    if (strlen(what) >= sizeof own->what)
        return error_set(reterr, ERR_LIMIT, "%.40s...: the name is too long", what);
    if (!open_film(pane, what, data_dir, &film, reterr))
        return false;
    training_pane_close(pane);
    own->film = film;
    snprintf(own->what, sizeof own->what, "%s", what);
    const struct training_start start = {
        .film = film,
        .folder = own->folder,
        .is_played = after(what, "film") != NULL,
        .save_every = SIZE_MAX, /* a folder is made where somebody saves, and not before */
        .from_home = true,
        .ret_saved = &own->is_saved,
    };
    bool ok = (film_folder(film, own->folder, sizeof own->folder) ||
               error_set(reterr, ERR_FILE, "there is no free name for a folder here")) &&
              training_pane_open(pane, &start, reterr);
    if (!ok)
        training_pane_close(pane);
    return ok;
}

void training_pane_close(struct training_pane *pane)
{
    struct settings settings = pane->settings;
    struct graph graph = pane->graph; /* models that were opened from here stay in it */
    struct film *film = pane->own.film;
    if (film == NULL)
        return;
    training_pane_ops.release(pane); /* frees the film too */
    training_pane_init(pane, &settings, pane->stop);
    pane->graph = graph;
}
