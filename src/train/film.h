/* A film of a training: the loss of every step, and snapshots every few steps, which can be looked
 * at and gone on from. Where it goes on from an earlier step with something changed, that is a
 * branch of its own.
 *
 * A snapshot has the model's weights as they were, in float32: they are the bits of a training that
 * was stopped there. What AdamW remembers is twice as large and kept by few of them; to go on from
 * another one the film trains again from the last one before it that has it, which gives the same
 * bits once more. How many snapshots there are follows from the bytes that a step may take. */
#ifndef ATTN_TRAIN_FILM_H
#define ATTN_TRAIN_FILM_H

#include "train/checkpoint.h"

enum {
    FILM_MAX_BRANCHES = 4,
    FILM_STEP_BYTES = 10240,    /* of snapshots, for each step of the plan, */
    FILM_LEAST_BYTES = 2 << 20, /* though at least so many in all, */
    FILM_MOST_BYTES = 64 << 20, /* and at most; */
    FILM_LEAST_FRAMES = 8,      /* but never fewer snapshots, */
    FILM_MOST_FRAMES = 256,     /* or more */
    FILM_SCORE_BATCHES = 2,     /* that a snapshot's scores are the mean of */
    FILM_NAME_BYTES = 64,
};

struct film_frame {
    size_t step;                      /* that were taken before it */
    struct score held_out, untrained; /* n is 0 for what the source has none of */
    float *weights;                   /* as trainer_read() gives them */
    float *moments;                   /* or NULL */
};

/* What is different in a branch; what is 0, empty or not set stays. */
struct film_change {
    double lr;
    bool has_seed; /* of the batches */
    uint64_t seed;
    char task[48];
};

struct film_branch {
    char name[FILM_NAME_BYTES]; /* what is different: "lr 0.01"; of the first: "" */
    struct training_plan plan;
    struct source *source;
    bool owns_source;
    struct recipe recipe;
    uint64_t seed;
    size_t parent, begin; /* goes on from step `begin` of branch `parent`; the first: its own */
    float *losses;        /* of steps begin + 1 to begin + n_losses */
    size_t n_losses, losses_capacity;
    struct film_frame *frames; /* the first is of step begin; a branch that is still gone back to
                                * has none yet */
    size_t n_frames, frames_capacity;
};

struct film {
    struct training *training;
    const char *data_dir; /* borrowed; or NULL */
    size_t every;         /* steps from a snapshot to the next */
    size_t moments_every; /* snapshots from one with moments to the next */
    struct film_branch branches[FILM_MAX_BRANCHES];
    size_t n_branches;
    size_t current; /* whose settings the training has */
    size_t next;    /* the branch that trains once step `goal` is reached: current, or a new one */
    size_t goal;
};

/* The training of a plan, where it is now, with nothing filmed yet. The film takes over source and
 * training, also where it fails. data_dir is for branches that open another source. */
bool film_new(const struct training_plan *plan, struct source *source, struct training *training,
              const char *data_dir, struct film **ret, struct error *reterr);
void film_free(struct film *film); /* may be NULL */

/* The next part of the work: a step, or a snapshot with its scores. Does nothing once
 * film_is_done(). ERR_INTERRUPTED: nothing has changed. */
bool film_advance(struct film *film, struct error *reterr);

/* All steps of the branch that trains are taken, and the last snapshot. */
bool film_is_done(const struct film *film);

/* Steps are taken again that were taken before, to go on behind them. */
bool film_goes_back(const struct film *film);

/* The branch that trains, or will after going back. */
const struct film_branch *film_newest(const struct film *film);

/* Steps that were taken in a branch, those of its parents among them. */
size_t film_count(const struct film_branch *branch);

/* The loss of step `step`, counted from 1, in a branch or the one that it comes from; NaN if that
 * step was not taken. */
double film_loss(const struct film *film, size_t branch, size_t step);

/* The last snapshot at or before this step in the branch or those that it comes from; NULL if no
 * snapshot was taken by then. */
const struct film_frame *film_frame_at(const struct film *film, size_t branch, size_t step);

/* The first one after this step; NULL where there is none. */
const struct film_frame *film_frame_after(const struct film *film, size_t branch, size_t step);

/* The first snapshot of the branch, or of those that it comes from, with at least this share (0 to
 * 1) of the held-out sequences right. NULL: none has it, or the very first one had it already. */
const struct film_frame *film_frame_right(const struct film *film, size_t branch, double share);

/* ---- branches ---- */

/* "lr 1e-2", "seed 5", "task fixed", or several of them. ERR_SYNTAX says what may stand there. */
bool film_change_parse(const char *text, struct film_change *ret, struct error *reterr);

/* A new branch that trains on from snapshot `frame` of a branch. ERR_RANGE after the last step;
 * ERR_LIMIT beyond FILM_MAX_BRANCHES; ERR_NAME; ERR_SHAPE where the model can't take the task. */
bool film_fork(struct film *film, size_t branch, const struct film_frame *frame,
               const struct film_change *change, struct error *reterr);

/* Another branch trains on from its last step. */
void film_resume(struct film *film, size_t branch);

/* The model as it was, for the graph in which it will run. */
struct model *film_model(const struct film *film, const struct film_frame *frame,
                         struct graph *graph, struct error *reterr);

/* Bytes of all that it keeps. */
size_t film_bytes(const struct film *film);

/* ---- film_keep.c ---- */

/* Writes the model of a snapshot, or as it is now (NULL), to a folder as model_save() does; the
 * latter with a checkpoint of the training beside it. ERR_FILE. */
bool film_keep(const struct film *film, const struct film_frame *frame, const char *folder,
               struct error *reterr);

/* Where the film's model is saved unless somebody says where: a folder that is not there yet, named
 * after what is learnt: "induction-model". False where none has room in the path. */
bool film_folder(const struct film *film, char *path, size_t capacity);

/* ---- film_file.c ---- */

/* Where a film lies: one that ships with attn goes by its name, where no file is called so. Returns
 * name, or path[0..capacity). data_dir may be NULL. */
const char *film_path(const char *name, const char *data_dir, char *path, size_t capacity);

/* Writes the first branch to a safetensors file, whole or not at all; where the snapshots would be
 * too many, those at even distances. ERR_FILE. */
bool film_save(const struct film *film, const char *path, struct error *reterr);

/* Opens such a file; nothing is trained. stop and data_dir as for plan_open(). ERR_FILE naming what
 * is wrong in it. */
bool film_open(const char *path, const char *data_dir, const volatile sig_atomic_t *stop,
               struct film **ret, struct error *reterr);

#endif
