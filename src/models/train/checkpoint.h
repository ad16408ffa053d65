/* Saved trainings, which continue where they were: the same bits as without the break. */
#ifndef ATTN_TRAIN_CHECKPOINT_H
#define ATTN_TRAIN_CHECKPOINT_H

#include "train/training.h"

/* The settings with which a training was begun; a value that is 0, empty or negative means that of
 * the source's recipe. */
struct training_plan {
    char task[48];     /* a task, or "stories"; empty with a text */
    char text[1024];   /* a file */
    uint64_t digest;   /* of its bytes when the training was begun; 0: unknown */
    uint64_t n_merges; /* of the text's tokens */
    uint64_t seed, n_steps;
    uint64_t n_layers, n_heads, d_model, batch, context;
    double lr, decay, dropout; /* decay: of AdamW's weights */
    bool no_mlp, no_decay;
};

/* Opens the source of a plan, and the training before its first step; the caller owns both.
 * ERR_FILE if the text is not the one that the training was begun with. */
bool plan_open(const struct training_plan *plan, const char *data_dir,
               const volatile sig_atomic_t *stop, struct source **ret_source,
               struct training **ret_training, struct error *reterr);

/* Opens only its source. */
bool plan_source(const struct training_plan *plan, const char *data_dir, struct source **ret,
                 struct error *reterr);
/* A plan as text, which the caller frees (NULL without memory), and back. False if the text is not
 * a plan. */
char *plan_to_text(const struct training_plan *plan);
bool plan_of_text(const char *text, struct training_plan *ret);

/* Writes FOLDER/training.safetensors, whole or not at all. Makes the folder if it does not exist;
 * removes half-written files of a training that was killed there. ERR_FILE. */
bool checkpoint_save(const struct training *training, const struct training_plan *plan,
                     const char *folder, struct error *reterr);
/* The plan of a checkpoint. ERR_FILE. */
bool checkpoint_plan(const char *folder, struct training_plan *ret, struct error *reterr);
/* Moves a training of that plan to the state of the checkpoint. ERR_FILE. */
bool checkpoint_load(struct training *training, const char *folder, struct error *reterr);

#endif
