/* Fuzzes the readers of tokenizers. An input without a zero byte is a tokenizer.json, else it is
 * vocab.json, a zero byte, merges.txt. It is refused with a message, or its tokens of the input
 * itself cover it from end to end; and what is saved of it can be opened. */
#include <string.h>

#include "files/tokenizer.h"
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool fine)
{
    if (!fine)
        abort();
}

static void show(const struct text *text)
{
    struct text shown = {0};
    token_show(text_string(text), text->size, false, &shown);
    token_show(text_string(text), text->size, true, &shown);
    text_release(&shown);
}

/* Words have blanks between them. */
static bool is_of_words(const uint8_t *data, size_t size)
{
    static const char word[] = "WordLevel";
    for (size_t at = 0; at + sizeof word - 1 <= size; at++)
        if (memcmp(data + at, word, sizeof word - 1) == 0)
            return true;
    return false;
}

static void check_text(const struct tokenizer *tokenizer, const char *bytes, size_t size,
                       bool has_gaps)
{
    struct tokens tokens = {0};
    struct text text = {0};
    struct error error = {.kind = ERR_NONE};
    size_t at = 0;
    if (tokenizer_encode(tokenizer, bytes, size, &tokens, &error)) {
        for (size_t i = 0; i < tokens.n; i++) {
            const struct token *token = &tokens.items[i];
            check(token->begin <= at || has_gaps);
            check(token->end >= token->begin && token->end >= at && token->end <= size);
            at = token->end;
            check(tokenizer_decode(tokenizer, &token->id, 1, &text, NULL));
        }
        check(at == size || has_gaps);
        show(&text);
    } else {
        check(error.kind != ERR_NONE && strlen(error.text) > 0);
    }
    text_release(&text);
    tokens_release(&tokens);
}

static void remove_file(const char *name)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    (void)unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[300];
    struct tokenizer *tokenizer;
    struct error error = {.kind = ERR_NONE};
    const uint8_t *middle = size > 0 ? memchr(data, 0, size) : NULL;
    if (middle == NULL) {
        fuzz_write(path, "tokenizer.json", data, size);
    } else {
        remove_file("tokenizer.json");
        fuzz_write(path, "vocab.json", data, (size_t)(middle - data));
        fuzz_write(path, "merges.txt", middle + 1, size - (size_t)(middle + 1 - data));
    }
    if (!tokenizer_open(fuzz_folder(), &tokenizer, &error)) {
        check(error.kind != ERR_NONE && strlen(error.text) > 0);
        return 0;
    }
    bool has_gaps = middle == NULL && is_of_words(data, size);
    check_text(tokenizer, (const char *)data, size, has_gaps);
    check_text(tokenizer, "ab aab\xFF\xCC\x81 e\xCC\x81", 12, has_gaps);
    check(tokenizer_save(tokenizer, fuzz_folder(), NULL));
    tokenizer_close(tokenizer);
    check(tokenizer_open(fuzz_folder(), &tokenizer, &error));
    tokenizer_close(tokenizer);
    return 0;
}
