/* Models and trainings of a film, saved: see film.h. */
#include "train/film.h"

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
