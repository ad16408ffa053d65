/* The source of a training's batches: a task, stories made by a grammar, or a user's own text. */
#ifndef ATTN_TRAIN_SOURCE_H
#define ATTN_TRAIN_SOURCE_H

#include "task/batch.h"
#include "task/recipe.h"

struct source;
struct tokenizer;

/* One kind of source. */
struct source_class {
    /* Batch number `number` of the seed. On success batch_release() it. */
    bool (*batch)(struct source *source, enum split split, uint64_t seed, uint64_t number,
                  size_t n_rows, struct batch *ret, struct error *reterr);
    void (*free)(struct source *source);
};

struct source {
    const struct source_class *class;
    char name[48];
    size_t vocab;
    size_t context;              /* the most tokens in an input */
    bool is_causal;              /* a place sees earlier places, else all */
    bool tells_next;             /* the targets are the next tokens, of a text that goes on */
    bool has_untrained;          /* it has lengths that training never draws */
    struct tokenizer *tokenizer; /* of its tokens; owned */
    ptrdiff_t first_token, last_token;
    uint64_t digest;      /* of the bytes of a text; 0: not a text */
    struct recipe recipe; /* used unless another one is given */
};

/* The task of that name (task/task.h). ERR_NAME. */
bool source_task(const char *name, struct source **ret, struct error *reterr);
enum { SOURCE_STORIES = 180000 }; /* the stories of a training, each used about three times */

/* The stories of DATA_DIR/assets/stories/stories.yaml, n of them, drawn from the seed. */
bool source_stories(const char *data_dir, uint64_t seed, size_t n, struct source **ret,
                    struct error *reterr);
/* The text of a file; n_merges 0: its bytes are the tokens, else they and n_merges merges. */
bool source_text(const char *path, size_t n_merges, size_t context, struct source **ret,
                 struct error *reterr);
void source_free(struct source *source); /* may be NULL */

#endif
