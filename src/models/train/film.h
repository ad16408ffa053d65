/* A film of a training: the loss of every step, and snapshots every few steps, which can be looked
 * at and continued. A continuation from an earlier step with something changed is a branch of its
 * own.
 *
 * A snapshot has the model's weights in float32: they are the bits of a training that was stopped
 * there. AdamW's memory is twice as large, and only few snapshots keep it; to continue from another
 * one, the film trains again from the last snapshot before it that has the memory, which gives the
 * same bits again. The number of snapshots follows from the bytes that a step may take. */
#ifndef ATTN_TRAIN_FILM_H
#define ATTN_TRAIN_FILM_H

#include "train/checkpoint.h"

enum {
    FILM_MAX_BRANCHES = 4,
    FILM_STEP_BYTES = 10240,    /* of snapshots, for each step of the plan, */
    FILM_LEAST_BYTES = 2 << 20, /* though at least this many in total, */
    FILM_MOST_BYTES = 64 << 20, /* and at most this many; */
    FILM_LEAST_FRAMES = 8,      /* but never fewer snapshots, */
    FILM_MOST_FRAMES = 256,     /* or more */
    FILM_SCORE_BATCHES = 2,     /* batches whose mean is a snapshot's score */
    FILM_NAME_BYTES = 64,
};

struct film_frame {
    size_t step;                      /* steps taken before it */
    struct score held_out, untrained; /* n is 0 for sequences that the source does not have */
    float *weights;                   /* as trainer_read() gives them */
    float *moments;                   /* or NULL */
};

/* The differences of a branch; a value that is 0, empty or not set stays. */
struct film_change {
    double lr;
    bool has_seed; /* of the batches */
    uint64_t seed;
    char task[48];
};

struct film_branch {
    char name[FILM_NAME_BYTES]; /* the difference: "lr 0.01"; of the first: "" */
    struct training_plan plan;
    struct source *source;
    bool owns_source;
    struct recipe recipe;
    uint64_t seed;
    size_t parent, begin; /* it continues from step `begin` of branch `parent`; the first: itself */
    float *losses;        /* of steps begin + 1 to begin + n_losses */
    size_t n_losses, losses_capacity;
    struct film_frame *frames; /* the first is of step begin; a branch whose training still goes
                                * back has none yet */
    size_t n_frames, frames_capacity;
};

struct film {
    struct training *training;
    const char *data_dir; /* borrowed; or NULL */
    size_t every;         /* steps from a snapshot to the next */
    size_t moments_every; /* snapshots from one with moments to the next */
    struct film_branch branches[FILM_MAX_BRANCHES];
    size_t n_branches;
    size_t current; /* the branch whose settings the training has */
    size_t next;    /* the branch that trains after step `goal`: current, or a new one */
    size_t goal;
};

/* The film of a plan's training in its current state, with nothing filmed yet. Takes ownership of
 * source and training, also on failure. data_dir is for branches that open another source. */
bool film_new(const struct training_plan *plan, struct source *source, struct training *training,
              const char *data_dir, struct film **ret, struct error *reterr);
void film_free(struct film *film); /* may be NULL */

/* The next part of the work: a step, or a snapshot with its scores. Does nothing once
 * film_is_done(). ERR_INTERRUPTED: nothing has changed. */
bool film_advance(struct film *film, struct error *reterr);

/* True if all steps of the current branch are taken, and its last snapshot. */
bool film_is_done(const struct film *film);

/* True while steps are repeated, to continue after them. */
bool film_goes_back(const struct film *film);

/* The branch that trains, or will after going back. */
const struct film_branch *film_newest(const struct film *film);

/* Steps taken in a branch, including those of its parents. */
size_t film_count(const struct film_branch *branch);

/* The loss of step `step`, counted from 1, in a branch or the one that it comes from; NaN if that
 * step was not taken. */
double film_loss(const struct film *film, size_t branch, size_t step);

/* The last snapshot at or before this step in the branch or those that it comes from; NULL if no
 * snapshot was taken by then. */
const struct film_frame *film_frame_at(const struct film *film, size_t branch, size_t step);

/* The first snapshot after this step, or NULL. */
const struct film_frame *film_frame_after(const struct film *film, size_t branch, size_t step);

/* The first snapshot of the branch, or of those that it comes from, with at least this share (0 to
 * 1) of the held-out sequences right. NULL: none has it, or the very first one already had it. */
const struct film_frame *film_frame_right(const struct film *film, size_t branch, double share);

/* ---- branches ---- */

/* Parses "lr 1e-2", "seed 5", "task fixed", or several of them. ERR_SYNTAX says what is allowed. */
bool film_change_parse(const char *text, struct film_change *ret, struct error *reterr);

/* A new branch that trains on from snapshot `frame` of a branch. ERR_RANGE after the last step;
 * ERR_LIMIT beyond FILM_MAX_BRANCHES; ERR_NAME; ERR_SHAPE if the model can't take the task. */
bool film_fork(struct film *film, size_t branch, const struct film_frame *frame,
               const struct film_change *change, struct error *reterr);

/* Another branch trains on from its last step. */
void film_resume(struct film *film, size_t branch);

/* The model of a snapshot, for the graph in which it will run. */
struct model *film_model(const struct film *film, const struct film_frame *frame,
                         struct graph *graph, struct error *reterr);

/* The bytes of everything that it keeps. */
size_t film_bytes(const struct film *film);

/* ---- film_keep.c ---- */

/* Writes the model of a snapshot, or the current one (NULL), to a folder as model_save() does; the
 * current one with a checkpoint of the training. ERR_FILE. */
bool film_keep(const struct film *film, const struct film_frame *frame, const char *folder,
               struct error *reterr);

/* The default folder for the film's model: a folder that does not exist yet, named after the task
 * or text: "induction-model". False if no name fits in the path. */
bool film_folder(const struct film *film, char *path, size_t capacity);

/* ---- film_file.c ---- */

/* The path of a film: a film that ships with attn can be opened by its name, unless a file has this
 * name. Returns name, or path[0..capacity). data_dir may be NULL. */
const char *film_path(const char *name, const char *data_dir, char *path, size_t capacity);

/* Writes the first branch to a safetensors file, whole or not at all; if there are too many
 * snapshots, writes evenly spaced ones. ERR_FILE. */
bool film_save(const struct film *film, const char *path, struct error *reterr);

/* Opens such a file; nothing is trained. stop and data_dir as for plan_open(). ERR_FILE says what
 * is wrong in it. */
bool film_open(const char *path, const char *data_dir, const volatile sig_atomic_t *stop,
               struct film **ret, struct error *reterr);

#endif
