/* Models and trainings of a film, saved: see film.h. */
#include "train/film.h"

#include <stdio.h>

#include "files/path.h"
#include "graph/graph.h"

bool film_keep(const struct film *film, const struct film_frame *frame, const char *folder,
               struct error *reterr)
{
    const struct film_branch *branch = film_newest(film);
    struct graph graph = {.last_id = 0};
    bool goes_on = frame == NULL && !film_goes_back(film);
    if (frame == NULL && film_goes_back(film)) /* the training is not there yet */
        frame = film_frame_at(film, film->next, film->goal);
    struct model *model = frame != NULL ? film_model(film, frame, &graph, reterr)
                                        : training_model(film->training, &graph, reterr);
    bool ok = model != NULL &&
              (!goes_on || checkpoint_save(film->training, &branch->plan, folder, reterr)) &&
              model_save(model, folder, reterr);
    model_free(model);
    return ok;
}

bool film_folder(const struct film *film, char *path, size_t capacity)
{
    const char *name = path_base_name(film->training->source->name);
    for (unsigned i = 1; i < 10000; i++) {
        int size = snprintf(path, capacity, i == 1 ? "%.60s-model" : "%.60s-model-%u", name, i);
        if (size < 0 || (size_t)size >= capacity)
            return false;
        if (!path_is_folder(path) && !path_is_file(path))
            return true;
    }
    return false;
}
