/* Trainings that are saved, and go on where they were: the same bits as without the break. */
#ifndef ATTN_TRAIN_CHECKPOINT_H
#define ATTN_TRAIN_CHECKPOINT_H

#include "train/training.h"

/* What a training was begun with; what is 0, empty or negative is as the source's recipe has it. */
struct training_plan {
    char task[48];     /* a task, or "stories"; empty with a text */
    char text[1024];   /* a file */
    uint64_t digest;   /* of its bytes when the training was begun; 0: not known */
    uint64_t n_merges; /* of the text's tokens */
    uint64_t seed, n_steps;
    uint64_t n_layers, n_heads, d_model, batch, context;
    double lr, decay, dropout; /* decay: of AdamW's weights */
    bool no_mlp, no_decay;
};

/* Opens the source of a plan, and the training after no step; both are the caller's. ERR_FILE where
 * the text is not the one that the training was begun with. */
bool plan_open(const struct training_plan *plan, const char *data_dir,
               const volatile sig_atomic_t *stop, struct source **ret_source,
               struct training **ret_training, struct error *reterr);

/* Its source alone. */
bool plan_source(const struct training_plan *plan, const char *data_dir, struct source **ret,
                 struct error *reterr);
/* A plan as text, which the caller frees (NULL without memory), and back. False: it is none. */
char *plan_to_text(const struct training_plan *plan);
bool plan_of_text(const char *text, struct training_plan *ret);

/* Writes FOLDER/training.safetensors, whole or not at all. The folder is made where it is not
 * there; what a training that was killed there had half written is removed. ERR_FILE. */
bool checkpoint_save(const struct training *training, const struct training_plan *plan,
                     const char *folder, struct error *reterr);
/* The plan of a checkpoint. ERR_FILE. */
bool checkpoint_plan(const char *folder, struct training_plan *ret, struct error *reterr);
/* Brings a training of that plan to where the checkpoint was. ERR_FILE. */
bool checkpoint_load(struct training *training, const char *folder, struct error *reterr);

#endif
