/* Films as files: see film.h.
 *
 *   losses   (n)                 of each step
 *   steps    (n_frames)          of each snapshot
 *   scores   (n_frames, 6)       loss, share that is right and targets: held out, untrained
 *   weights  (n_frames, total)   as trainer_read() gives them
 *   moments  (2 total)           of the first snapshot, where that is not the beginning
 *
 * and, as text, the plan that the training was begun with. */
#include "train/film_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "files/path.h"
#include "files/safetensors.h"
#include "tensor/tensor.h"

enum { LOSSES, STEPS, SCORES, WEIGHTS, MOMENTS, ARRAYS };
enum { SCORE_NUMBERS = 6 };

static const char *const names[ARRAYS] = {"losses", "steps", "scores", "weights", "moments"};

static size_t total_of(const struct film *film)
{
    return trainer_total(film->training->trainer);
}

/* ---- writing ---- */

/* Every how many snapshots are written, besides the last one. */
static size_t thinning(const struct film *film)
{
    size_t n = film->branches[0].n_frames, weights = total_of(film) * sizeof(float);
    size_t most = size_max(FILM_FILE_BYTES / weights, FILM_LEAST_FRAMES);
    return n > most ? (n + most - 2) / (most - 1) : 1;
}

static bool is_written(const struct film *film, size_t frame)
{
    return frame % thinning(film) == 0 || frame + 1 == film->branches[0].n_frames;
}

static void write_score(const struct score *score, float *numbers)
{
    numbers[0] = (float)score->loss;
    numbers[1] = (float)score->right;
    numbers[2] = (float)score->n;
}

/* The tensors of the film, of the shapes above, all zero. */
static bool make_tensors(const struct film *film, size_t n_frames, struct tensor tensors[ARRAYS],
                         struct error *reterr)
{
    const struct film_branch *branch = &film->branches[0];
    size_t total = total_of(film);
    bool with_moments = branch->frames[0].moments != NULL;
    return tensor_zeros(1, (size_t[]){branch->n_losses}, &tensors[LOSSES], reterr) &&
           tensor_zeros(1, &n_frames, &tensors[STEPS], reterr) &&
           tensor_zeros(2, (size_t[]){n_frames, SCORE_NUMBERS}, &tensors[SCORES], reterr) &&
           tensor_zeros(2, (size_t[]){n_frames, total}, &tensors[WEIGHTS], reterr) &&
           tensor_zeros(1, (size_t[]){with_moments ? 2 * total : 0}, &tensors[MOMENTS], reterr);
}

static void fill_tensors(const struct film *film, struct tensor tensors[ARRAYS])
{
    const struct film_branch *branch = &film->branches[0];
    size_t total = total_of(film), at = 0;
    memcpy(tensors[LOSSES].data, branch->losses, branch->n_losses * sizeof(float));
    if (branch->frames[0].moments != NULL)
        memcpy(tensors[MOMENTS].data, branch->frames[0].moments, 2 * total * sizeof(float));
    for (size_t i = 0; i < branch->n_frames; i++) {
        const struct film_frame *frame = &branch->frames[i];
        if (!is_written(film, i))
            continue;
        tensors[STEPS].data[at] = (float)frame->step;
        write_score(&frame->held_out, tensors[SCORES].data + at * SCORE_NUMBERS);
        write_score(&frame->untrained, tensors[SCORES].data + at * SCORE_NUMBERS + 3);
        memcpy(tensors[WEIGHTS].data + at * total, frame->weights, total * sizeof(float));
        at++;
    }
}

static bool write_tensors(const struct film *film, const struct tensor tensors[ARRAYS],
                          const char *path, struct error *reterr)
{
    struct safetensors_tensor list[ARRAYS];
    char *plan = plan_to_text(&film->branches[0].plan);
    const struct safetensors_text texts[] = {{"film", plan}};
    for (size_t i = 0; i < ARRAYS; i++)
        list[i] = (struct safetensors_tensor){names[i], &tensors[i]};
    bool ok = plan != NULL ? safetensors_write(path, list, ARRAYS, texts, 1, reterr)
                           : error_memory(reterr, "a film");
    free(plan);
    return ok;
}

bool film_save(const struct film *film, const char *path, struct error *reterr)
{
    const struct film_branch *branch = &film->branches[0];
    struct tensor tensors[ARRAYS] = {{.n_axes = 0}};
    size_t n_frames = 0;
    if (branch->n_frames == 0)
        return error_set(reterr, ERR_RANGE, "%s: nothing is filmed yet", path);
    for (size_t i = 0; i < branch->n_frames; i++)
        n_frames += is_written(film, i);
    bool ok = make_tensors(film, n_frames, tensors, reterr);
    if (ok) {
        fill_tensors(film, tensors);
        ok = write_tensors(film, tensors, path, reterr);
    }
    for (size_t i = 0; i < ARRAYS; i++)
        tensor_release(&tensors[i]);
    return ok;
}

/* ---- reading ---- */

static bool is_wrong(const char *path, const char *name, struct error *reterr)
{
    return error_set(reterr, ERR_FILE, "%s: its %s are not those of a film of this model", path,
                     name);
}

static bool read_tensors(const struct safetensors *file, const char *path,
                         struct tensor tensors[ARRAYS], struct error *reterr)
{
    for (size_t i = 0; i < ARRAYS; i++) {
        const struct safetensors_entry *entry = safetensors_find(file, names[i]);
        if (entry == NULL)
            return error_set(reterr, ERR_FILE, "%s: is no film of a training: it has no %s", path,
                             names[i]);
        if (!safetensors_tensor(file, entry, &tensors[i], reterr))
            return false;
    }
    return true;
}

static bool has_shape(const struct tensor *x, unsigned n_axes, size_t first, size_t second)
{
    return x->n_axes == n_axes && x->shape[0] == first && (n_axes == 1 || x->shape[1] == second);
}

/* Whole numbers that go up, and end where the losses do. */
static bool steps_are_sound(const struct tensor tensors[ARRAYS])
{
    const float *steps = tensors[STEPS].data;
    size_t n = tensor_size(&tensors[STEPS]), n_losses = tensor_size(&tensors[LOSSES]);
    const float most = 16777216; /* whole numbers up to here have a float32 of their own */
    for (size_t i = 0; i < n; i++)
        if (!(steps[i] >= 0 && steps[i] < most && steps[i] == floorf(steps[i])) ||
            (i > 0 && steps[i] <= steps[i - 1]))
            return false;
    return n > 0 && (size_t)(steps[n - 1] - steps[0]) <= n_losses;
}

static bool check_tensors(const struct film *film, const char *path,
                          const struct tensor tensors[ARRAYS], struct error *reterr)
{
    size_t total = total_of(film);
    size_t n = tensors[STEPS].n_axes == 1 ? tensors[STEPS].shape[0] : 0;
    if (tensors[LOSSES].n_axes != 1 || !steps_are_sound(tensors))
        return is_wrong(path, names[STEPS], reterr);
    bool begins = tensors[STEPS].data[0] == 0;
    if (!has_shape(&tensors[SCORES], 2, n, SCORE_NUMBERS))
        return is_wrong(path, names[SCORES], reterr);
    if (!has_shape(&tensors[WEIGHTS], 2, n, total))
        return is_wrong(path, names[WEIGHTS], reterr);
    return has_shape(&tensors[MOMENTS], 1, begins ? 0 : 2 * total, 0) ||
           is_wrong(path, names[MOMENTS], reterr);
}

static struct score read_score(const float *numbers)
{
    return (struct score){.loss = (double)numbers[0],
                          .right = (double)numbers[1],
                          .n = numbers[2] > 0 ? (size_t)fminf(numbers[2], 1e9F) : 0};
}

static float *copy_numbers(const float *numbers, size_t n)
{
    float *copy = malloc((n + 1) * sizeof *copy);
    if (copy != NULL)
        memcpy(copy, numbers, n * sizeof *copy);
    return copy;
}

static bool take_frames(struct film *film, const struct tensor tensors[ARRAYS],
                        struct error *reterr)
{
    size_t total = total_of(film);
    bool ok = true;
    for (size_t i = 0; ok && i < tensors[STEPS].shape[0]; i++) {
        const float *scores = tensors[SCORES].data + i * SCORE_NUMBERS;
        bool with_moments = i == 0 && tensor_size(&tensors[MOMENTS]) > 0;
        struct film_frame frame = {.step = (size_t)tensors[STEPS].data[i],
                                   .held_out = read_score(scores),
                                   .untrained = read_score(scores + 3)};
        frame.weights = copy_numbers(tensors[WEIGHTS].data + i * total, total);
        frame.moments = with_moments ? copy_numbers(tensors[MOMENTS].data, 2 * total) : NULL;
        ok = (frame.weights != NULL && (!with_moments || frame.moments != NULL)) ||
             error_memory(reterr, "a film");
        ok = ok && film_add_frame(&film->branches[0], &frame, reterr);
        if (!ok) {
            free(frame.weights);
            free(frame.moments);
        }
    }
    return ok;
}

static bool take_tensors(struct film *film, const struct tensor tensors[ARRAYS],
                         struct error *reterr)
{
    struct film_branch *branch = &film->branches[0];
    bool ok = take_frames(film, tensors, reterr);
    for (size_t i = 0; ok && i < tensors[LOSSES].shape[0]; i++)
        ok = film_add_loss(branch, (double)tensors[LOSSES].data[i], reterr);
    if (!ok)
        return false;
    branch->begin = branch->frames[0].step;
    film->goal = film_count(branch);
    /* The training stands where it can go on from. */
    trainer_write(film->training->trainer, branch->frames[0].weights, branch->frames[0].moments,
                  branch->begin);
    return true;
}

/* The film of a plan, without anything filmed. */
static bool open_plan(const struct safetensors *file, const char *path, const char *data_dir,
                      const volatile sig_atomic_t *stop, struct film **ret, struct error *reterr)
{
    struct training_plan plan;
    struct source *source;
    struct training *training;
    if (!plan_of_text(safetensors_metadata(file, "film"), &plan))
        return error_set(reterr, ERR_FILE,
                         "%s: is no film of a training; attn train TASK --film FILE makes one",
                         path);
    return plan_open(&plan, data_dir, stop, &source, &training, reterr) &&
           film_new(&plan, source, training, data_dir, ret, reterr);
}

bool film_open(const char *path, const char *data_dir, const volatile sig_atomic_t *stop,
               struct film **ret, struct error *reterr)
{
    struct safetensors *file;
    struct tensor found[ARRAYS] = {{.n_axes = 0}}, tensors[ARRAYS] = {{.n_axes = 0}};
    struct film *film = NULL;
    if (!safetensors_open(path, &file, reterr))
        return false;
    bool ok = open_plan(file, path, data_dir, stop, &film, reterr) &&
              read_tensors(file, path, found, reterr);
    for (size_t i = 0; ok && i < ARRAYS; i++)
        ok = tensor_dense(&found[i], &tensors[i], reterr);
    ok = ok && check_tensors(film, path, tensors, reterr) && take_tensors(film, tensors, reterr) &&
         safetensors_is_whole(file, reterr);
    for (size_t i = 0; i < ARRAYS; i++) {
        tensor_release(&found[i]);
        tensor_release(&tensors[i]);
    }
    safetensors_close(file);
    if (ok)
        *ret = film;
    else
        film_free(film);
    return ok;
}

const char *film_path(const char *name, const char *data_dir, char *path, size_t capacity)
{
    bool is_shipped =
        strchr(name, '/') == NULL && !path_is_file(name) && data_dir != NULL &&
        snprintf(path, capacity, "%s/assets/films/%s.film", data_dir, name) < (int)capacity &&
        path_is_file(path);
    return is_shipped ? path : name;
}
