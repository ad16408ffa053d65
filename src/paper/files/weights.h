/* The weights of a model, as Hugging Face writes them: a folder with model.safetensors, or with
 * shards (model-00001-of-00002.safetensors, ...) and model.safetensors.index.json, which says which
 * shard holds each tensor. Names are looked up over all shards. Source: huggingface/transformers,
 * utils/hub.py, get_checkpoint_shard_files. */
#ifndef ATTN_FILES_WEIGHTS_H
#define ATTN_FILES_WEIGHTS_H

#include "files/safetensors.h"

struct weights;

/* Opens the weights in this folder, or one safetensors file by its path. On success weights_close()
 * it. Errors are those of safetensors_open(), and ERR_FILE: the folder has no weights (the message
 * names what is there instead), a shard is missing or its path leaves the folder, or a tensor is in
 * no shard, in another shard than the index says, or in two. */
bool weights_open(const char *path, struct weights **ret, struct error *reterr);
/* Tensors that were read stay valid. weights may be NULL. */
void weights_close(struct weights *weights);

/* Tensors in all shards, and entry number at: shard by shard, in each in the order of names. */
size_t weights_count(const struct weights *weights);
const struct safetensors_entry *weights_entry_at(const struct weights *weights, size_t at);
/* The entry of this name, or NULL. */
const struct safetensors_entry *weights_find(const struct weights *weights, const char *name);
/* The tensor of this name: see safetensors_tensor(). ERR_NAME if no tensor has this name. */
bool weights_tensor(const struct weights *weights, const char *name, struct tensor *ret,
                    struct error *reterr);

/* Fails with ERR_FILE if a file became shorter since it was opened: tensors that use its bytes then
 * read zeros, or end the program. Ask after computing with them. */
bool weights_are_whole(const struct weights *weights, struct error *reterr);

#endif
