/* See film.h. */
#include "train/film.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "files/file.h"
#include "graph/graph.h"
#include "train/film_internal.h"
#include "base/size.h"
#include "files/safetensors.h"
#include "tensor/tensor.h"

enum { FILM_FILE_BYTES = 4 << 20 }; /* of snapshots, where these are FILM_LEAST_FRAMES or more */

/* ---- film change ---- */

enum { WORD_BYTES = 64 };

static bool read_lr(const char *word, struct film_change *change)
{
    return text_decimal(word, &change->lr) && change->lr > 0;
}

static bool read_seed(const char *word, struct film_change *change)
{
    char *end;
    change->has_seed = true;
    change->seed = strtoull(word, &end, 10);
    return text_is_digit(word[0]) && *end == '\0' && change->seed <= UINT32_MAX;
}

static bool read_task(const char *word, struct film_change *change)
{
    return snprintf(change->task, sizeof change->task, "%s", word) < (int)sizeof change->task;
}

static const struct part {
    const char *name, *wants;
    bool (*read)(const char *word, struct film_change *change);
} parts[] = {
    {"lr", "a number above 0, as 1e-2", read_lr},
    {"seed", "a whole number, as 5", read_seed},
    {"task", "the name of a task, as fixed", read_task},
};

/* The next word, without the blanks and signs between words. Returns the text after it. */
static const char *next_word(const char *text, char word[WORD_BYTES])
{
    static const char between[] = " \t,=";
    text += strspn(text, between);
    size_t size = strcspn(text, between);
    snprintf(word, WORD_BYTES, "%.*s", (int)size, text);
    return text + size;
}

static const struct part *find_part(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (strcmp(parts[i].name, name) == 0)
            return &parts[i];
    return NULL;
}

bool film_change_parse(const char *text, struct film_change *ret, struct error *reterr)
{
    struct film_change change = {.lr = 0};
    char name[WORD_BYTES], word[WORD_BYTES];
    for (text = next_word(text, name); name[0] != '\0'; text = next_word(text, name)) {
        const struct part *part = find_part(name);
        if (part == NULL)
            return error_set(reterr, ERR_SYNTAX, "%s: it takes lr 1e-2, seed 5 or task fixed",
                             name);
        text = next_word(text, word);
        if (word[0] == '\0' || !part->read(word, &change))
            return error_set(reterr, ERR_SYNTAX, "%s %s: it must be %s", name, word, part->wants);
    }
    *ret = change;
    return true;
}

/* ---- film keep ---- */

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

/* ---- film file ---- */

/* The arrays of a film's file:
 *
 *   losses   (n)                 of each step
 *   steps    (n_frames)          of each snapshot
 *   scores   (n_frames, 6)       loss, share that is right and targets: held out, untrained
 *   weights  (n_frames, total)   as trainer_read() gives them
 *   moments  (2 total)           of the first snapshot, if it is not the beginning
 *
 * and, as text, the plan that the training was begun with. */

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
            return error_set(reterr, ERR_FILE, "%s: is not a film of a training: it has no %s",
                             path, names[i]);
        if (!safetensors_tensor(file, entry, &tensors[i], reterr))
            return false;
    }
    return true;
}

static bool has_shape(const struct tensor *x, unsigned n_axes, size_t first, size_t second)
{
    return x->n_axes == n_axes && x->shape[0] == first && (n_axes == 1 || x->shape[1] == second);
}

/* Whole numbers that go up, and span no more steps than there are losses. */
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

static bool film_add_frame(struct film_branch *branch, const struct film_frame *frame,
                           struct error *reterr);

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

static bool film_add_loss(struct film_branch *branch, double loss, struct error *reterr);

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
    /* The training is set to the step from which it can go on. */
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
                         "%s: is not a film of a training; attn train TASK --film FILE makes one",
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

/* ---- film ---- */

/* ---- how many snapshots ---- */

static size_t between(size_t n, size_t low, size_t high)
{
    return size_min(size_max(n, low), high);
}

/* Three quarters of the bytes are weights, one is moments. */
static void plan_frames(struct film *film, size_t n_steps)
{
    size_t weights = trainer_total(film->training->trainer) * sizeof(float);
    size_t bytes = between(n_steps, 1, FILM_MOST_BYTES / FILM_STEP_BYTES) * FILM_STEP_BYTES;
    bytes = size_max(bytes, FILM_LEAST_BYTES);
    size_t n_frames = between(bytes / 4 * 3 / weights, FILM_LEAST_FRAMES, FILM_MOST_FRAMES);
    size_t n_moments = between(bytes / 4 / (2 * weights), 2, n_frames);
    film->every = size_max((n_steps + n_frames - 2) / (n_frames - 1), 1);
    n_frames = n_steps / film->every + 1;
    film->moments_every = size_max((n_frames + n_moments - 1) / n_moments, 1);
}

/* ---- making and freeing ---- */

static void release_frame(struct film_frame *frame)
{
    free(frame->weights);
    free(frame->moments);
}

static void release_branch(struct film_branch *branch)
{
    for (size_t i = 0; i < branch->n_frames; i++)
        release_frame(&branch->frames[i]);
    free(branch->frames);
    free(branch->losses);
    if (branch->owns_source)
        source_free(branch->source);
}

bool film_new(const struct training_plan *plan, struct source *source, struct training *training,
              const char *data_dir, struct film **ret, struct error *reterr)
{
    struct film *film = calloc(1, sizeof *film);
    if (film == NULL) {
        training_free(training);
        source_free(source);
        return error_memory(reterr, "a film");
    }
    film->training = training;
    film->data_dir = data_dir;
    film->n_branches = 1;
    film->goal = training_count(training);
    film->branches[0] = (struct film_branch){.plan = *plan,
                                             .source = source,
                                             .owns_source = true,
                                             .recipe = training->recipe,
                                             .seed = training->seed,
                                             .begin = film->goal};
    size_t n_steps = training->recipe.n_steps;
    plan_frames(film, n_steps > film->goal ? n_steps - film->goal : 0);
    *ret = film;
    return true;
}

void film_free(struct film *film)
{
    if (film == NULL)
        return;
    training_free(film->training);
    for (size_t i = film->n_branches; i-- > 0;)
        release_branch(&film->branches[i]);
    free(film);
}

/* ---- the film's parts ---- */

size_t film_count(const struct film_branch *branch)
{
    return branch->begin + branch->n_losses;
}

const struct film_branch *film_newest(const struct film *film)
{
    return &film->branches[film->next];
}

bool film_goes_back(const struct film *film)
{
    return training_count(film->training) < film->goal || film->next != film->current;
}

double film_loss(const struct film *film, size_t branch, size_t step)
{
    const struct film_branch *own = &film->branches[branch];
    while (step <= own->begin && own->parent != (size_t)(own - film->branches))
        own = &film->branches[own->parent];
    bool is_there = step > own->begin && step <= film_count(own);
    return is_there ? (double)own->losses[step - own->begin - 1] : (double)NAN;
}

const struct film_frame *film_frame_at(const struct film *film, size_t branch, size_t step)
{
    const struct film_branch *own = &film->branches[branch];
    for (;;) {
        for (size_t i = own->n_frames; i-- > 0;)
            if (own->frames[i].step <= step)
                return &own->frames[i];
        if (own->parent == (size_t)(own - film->branches))
            return NULL;
        step = size_min(step, own->begin);
        own = &film->branches[own->parent];
    }
}

const struct film_frame *film_frame_after(const struct film *film, size_t branch, size_t step)
{
    const struct film_branch *own = &film->branches[branch];
    if (own->parent != branch && step < own->begin) {
        const struct film_frame *found = film_frame_after(film, own->parent, step);
        size_t end = own->n_frames > 0 ? own->begin : own->begin + 1;
        if (found != NULL && found->step < end)
            return found;
    }
    for (size_t i = 0; i < own->n_frames; i++)
        if (own->frames[i].step > step)
            return &own->frames[i];
    return NULL;
}

const struct film_frame *film_frame_right(const struct film *film, size_t branch, double share)
{
    const struct film_frame *first = film_frame_at(film, branch, film->branches[0].begin);
    const struct film_frame *frame = first;
    while (frame != NULL && frame->held_out.right < share)
        frame = film_frame_after(film, branch, frame->step);
    return frame != first ? frame : NULL;
}

struct model *film_model(const struct film *film, const struct film_frame *frame,
                         struct graph *graph, struct error *reterr)
{
    return trainer_model_of(film->training->trainer, frame->weights, graph, reterr);
}

size_t film_bytes(const struct film *film)
{
    size_t weights = trainer_total(film->training->trainer) * sizeof(float), bytes = sizeof *film;
    for (size_t i = 0; i < film->n_branches; i++) {
        const struct film_branch *branch = &film->branches[i];
        bytes += branch->losses_capacity * sizeof(float) +
                 branch->frames_capacity * sizeof *branch->frames;
        for (size_t at = 0; at < branch->n_frames; at++)
            bytes += weights + (branch->frames[at].moments != NULL ? 2 * weights : 0);
    }
    return bytes;
}

/* ---- adding to it ---- */

/* Both add to the end; the branch takes ownership of the frame's memory. */
static bool film_add_loss(struct film_branch *branch, double loss, struct error *reterr)
{
    float *losses = array_grow(branch->losses, branch->n_losses, &branch->losses_capacity,
                               sizeof *branch->losses);
    if (losses == NULL)
        return error_memory(reterr, "a film");
    branch->losses = losses;
    branch->losses[branch->n_losses++] = (float)loss;
    return true;
}

static bool film_add_frame(struct film_branch *branch, const struct film_frame *frame,
                           struct error *reterr)
{
    struct film_frame *frames = array_grow(branch->frames, branch->n_frames,
                                           &branch->frames_capacity, sizeof *branch->frames);
    if (frames == NULL)
        return error_memory(reterr, "a film");
    branch->frames = frames;
    branch->frames[branch->n_frames++] = *frame;
    return true;
}

static bool measure(const struct training *training, struct film_frame *frame, struct error *reterr)
{
    return training_score(training, SPLIT_HELD_OUT, FILM_SCORE_BATCHES, &frame->held_out, reterr) &&
           (!training->source->has_untrained ||
            training_score(training, SPLIT_UNTRAINED, FILM_SCORE_BATCHES, &frame->untrained,
                           reterr));
}

/* A snapshot of the training as it is now. */
static bool take_frame(struct film *film, struct film_branch *branch, struct error *reterr)
{
    const struct trainer *trainer = film->training->trainer;
    size_t total = trainer_total(trainer);
    struct film_frame frame = {.step = training_count(film->training)};
    bool with_moments = branch->n_frames % film->moments_every == 0 && frame.step > 0;
    bool ok = measure(film->training, &frame, reterr);
    if (!ok)
        return false;
    frame.weights = calloc(total + 1, sizeof(float));
    frame.moments = with_moments ? calloc(2 * total + 1, sizeof(float)) : NULL;
    ok = (frame.weights != NULL && (!with_moments || frame.moments != NULL)) ||
         error_memory(reterr, "a film");
    if (ok)
        trainer_read(trainer, frame.weights, frame.moments);
    ok = ok && film_add_frame(branch, &frame, reterr);
    if (!ok)
        release_frame(&frame);
    return ok;
}

/* ---- going on ---- */

/* The training takes on the plan and the recipe of a branch. */
static void adopt(struct film *film, size_t branch)
{
    const struct film_branch *own = &film->branches[branch];
    film->training->source = own->source;
    film->training->recipe = own->recipe;
    film->training->seed = own->seed;
    film->current = branch;
}

/* Whether a snapshot of the step that a branch has reached is due. */
static bool needs_frame(const struct film *film, const struct film_branch *branch)
{
    size_t count = film_count(branch), n = branch->n_frames;
    bool is_due = n == 0 || count % film->every == 0 || count == branch->recipe.n_steps;
    return is_due && (n == 0 || branch->frames[n - 1].step < count);
}

bool film_is_done(const struct film *film)
{
    const struct film_branch *branch = film_newest(film);
    return film_count(branch) >= branch->recipe.n_steps && !needs_frame(film, branch);
}

/* A step that the film has not seen. */
static bool take_step(struct film *film, struct error *reterr)
{
    struct film_branch *branch = &film->branches[film->current];
    if (!film_add_loss(branch, 0, reterr)) /* room for it, before the step */
        return false;
    bool ok = training_step(film->training, reterr);
    if (ok)
        branch->losses[branch->n_losses - 1] = (float)film->training->loss;
    else
        branch->n_losses--;
    film->goal = film_count(branch);
    return ok;
}

bool film_advance(struct film *film, struct error *reterr)
{
    if (film_is_done(film))
        return true;
    if (training_count(film->training) < film->goal)
        return training_step(film->training, reterr);
    if (film->next != film->current)
        adopt(film, film->next);
    struct film_branch *branch = &film->branches[film->current];
    return needs_frame(film, branch) ? take_frame(film, branch, reterr) : take_step(film, reterr);
}

/* ---- branches ---- */

/* Brings the training to the last snapshot of a branch from which it can go on to a step. */
static void go_back(struct film *film, size_t branch, size_t step)
{
    const struct film_branch *own = &film->branches[branch];
    size_t i = own->n_frames;
    while (i-- > 1 && (own->frames[i].step > step || own->frames[i].moments == NULL))
        continue;
    const struct film_frame *frame = &own->frames[i];
    adopt(film, branch);
    trainer_write(film->training->trainer, frame->weights, frame->moments, frame->step);
}

/* A branch that never began is gone once something else is wanted. */
static void drop_unborn(struct film *film)
{
    if (film->branches[film->next].n_frames > 0 || film->next == 0)
        return;
    release_branch(&film->branches[--film->n_branches]);
    film->next = film->current;
}

void film_resume(struct film *film, size_t branch)
{
    const struct film_branch *own = &film->branches[branch];
    if (branch == film->next)
        return;
    drop_unborn(film);
    bool is_there = film->current == branch && training_count(film->training) == film_count(own);
    if (!is_there)
        go_back(film, branch, film_count(own));
    film->next = branch;
    film->goal = film_count(own);
}

/* Which branch has this snapshot: this one, or one that it comes from. */
static size_t branch_of(const struct film *film, size_t branch, const struct film_frame *frame)
{
    const struct film_branch *own = &film->branches[branch];
    for (size_t i = 0; i < own->n_frames; i++)
        if (&own->frames[i] == frame)
            return branch;
    return own->parent == branch ? 0 : branch_of(film, own->parent, frame);
}

/* Adds a word to the name, with a blank before it. */
static void add_to_name(struct film_branch *branch, const char *word, const char *value)
{
    size_t size = strlen(branch->name);
    snprintf(branch->name + size, sizeof branch->name - size, "%s%s%s%s", size > 0 ? " " : "", word,
             value[0] != '\0' ? " " : "", value);
}

static void name_branch(struct film_branch *branch, const struct film_change *change)
{
    char number[32];
    snprintf(number, sizeof number, "%g", change->lr);
    if (change->lr > 0)
        add_to_name(branch, "lr", number);
    snprintf(number, sizeof number, "%llu", (unsigned long long)change->seed);
    if (change->has_seed)
        add_to_name(branch, "seed", number);
    if (change->task[0] != '\0')
        add_to_name(branch, "task", change->task);
    if (branch->name[0] == '\0')
        add_to_name(branch, "the same again", "");
}

/* The parent's plan and recipe after the change. */
static void change_plan(struct film_branch *branch, const struct film_change *change)
{
    struct recipe *recipe = &branch->recipe;
    if (change->lr > 0) {
        recipe->schedule.least_lr *= change->lr / recipe->schedule.lr;
        recipe->schedule.lr = branch->plan.lr = change->lr;
    }
    if (change->has_seed)
        branch->seed = branch->plan.seed = change->seed;
    if (change->task[0] != '\0') {
        snprintf(branch->plan.task, sizeof branch->plan.task, "%s", change->task);
        branch->plan.text[0] = '\0';
    }
    /* The sizes stay those of the model, whatever the other task's own recipe has. */
    branch->plan.n_steps = recipe->n_steps;
    branch->plan.n_layers = recipe->n_layers;
    branch->plan.n_heads = recipe->n_heads;
    branch->plan.d_model = recipe->d_model;
    branch->plan.batch = recipe->batch;
    branch->plan.no_mlp = recipe->d_mlp == 0;
}

/* The source that the changed plan trains from, if it is another one. */
static bool open_changed(const struct film *film, const struct film_change *change,
                         struct film_branch *branch, struct error *reterr)
{
    const struct source *was = branch->source;
    branch->owns_source = change->task[0] != '\0' || change->has_seed;
    if (!branch->owns_source)
        return true;
    if (!plan_source(&branch->plan, film->data_dir, &branch->source, reterr))
        return false;
    if (branch->source->vocab == was->vocab && branch->source->context <= was->context)
        return true;
    error_set(
        reterr, ERR_SHAPE,
        "task %s: tokens %zu, texts up to %zu; the model must have the same: it has %zu and %zu",
        change->task, branch->source->vocab, branch->source->context, was->vocab, was->context);
    source_free(branch->source);
    return false;
}

bool film_fork(struct film *film, size_t branch, const struct film_frame *frame,
               const struct film_change *change, struct error *reterr)
{
    size_t parent = branch_of(film, branch, frame), step = frame->step;
    const struct film_branch *own = &film->branches[parent];
    if (step >= own->recipe.n_steps)
        return error_set(reterr, ERR_RANGE,
                         "no step is left after step %zu; a branch begins at an earlier one", step);
    drop_unborn(film);
    if (film->n_branches == FILM_MAX_BRANCHES)
        return error_set(reterr, ERR_LIMIT, "a film has %d branches at most; this one has all",
                         FILM_MAX_BRANCHES);
    struct film_branch made = {.plan = own->plan,
                               .source = own->source,
                               .recipe = own->recipe,
                               .seed = own->seed,
                               .parent = parent,
                               .begin = step};
    change_plan(&made, change);
    name_branch(&made, change);
    if (!open_changed(film, change, &made, reterr))
        return false;
    go_back(film, parent, step);
    film->next = film->n_branches;
    film->goal = step;
    film->branches[film->n_branches++] = made;
    return true;
}
