/* GPT-2's vocabulary for tests, from tests/golden/bpe/gpt2_merges.u16. */
#ifndef ATTN_TESTS_VOCABULARY_TESTING_H
#define ATTN_TESTS_VOCABULARY_TESTING_H

/* Writes vocab.json and merges.txt as GPT-2 was published into the folder `name` of
 * files_testing.h; their SHA-256 must be those of OpenAI's encoder.json and vocab.bpe. */
void testing_write_gpt2(const char *name);
/* Writes FOLDER/tokenizer.json: the words before and behind are JSON members of the tokenizer and
 * of its model, each with a comma behind. */
void testing_write_gpt2_json(const char *name, const char *members, const char *model_members);

#endif
