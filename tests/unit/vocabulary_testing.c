/* GPT-2's vocabulary: see vocabulary_testing.h. What it is made of here is written anew, and not
 * with the code under test. */
#include "vocabulary_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "files/digest.h"
#include "files_testing.h"

enum { N_BYTES = 256, N_MERGES = 50000, N_IDS = N_BYTES + N_MERGES };

struct vocabulary_parts {
    unsigned merges[N_MERGES][2];
    unsigned letters[N_BYTES]; /* code points, by id */
};

static void read_parts(struct vocabulary_parts *parts)
{
    char path[TESTING_PATH];
    size_t size;
    const char *folder = getenv("ATTN_TEST_GOLDEN");
    snprintf(path, sizeof path, "%s/bpe/gpt2_merges.u16", folder != NULL ? folder : "tests/golden");
    char *bytes = testing_read(path, &size);
    assert_int_equal(size, 4 * N_MERGES);
    for (size_t i = 0; i < 2 * N_MERGES; i++)
        parts->merges[i / 2][i % 2] =
            (unsigned char)bytes[2 * i] | (unsigned)(unsigned char)bytes[2 * i + 1] << 8;
    test_free(bytes);
    unsigned id = 0, next = 256;
    for (unsigned byte = 0; byte < N_BYTES; byte++)
        if ((byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte != 0xAD))
            parts->letters[id++] = byte;
    while (id < N_BYTES)
        parts->letters[id++] = next++;
}

/* The letters of a token, each as text or, escaped, as Python's json writes it. */
static void add_token(const struct vocabulary_parts *parts, unsigned id, bool escaped,
                      struct text *text)
{
    if (id >= N_BYTES) {
        add_token(parts, parts->merges[id - N_BYTES][0], escaped, text);
        add_token(parts, parts->merges[id - N_BYTES][1], escaped, text);
        return;
    }
    unsigned letter = parts->letters[id];
    if (letter >= 0x80 && escaped)
        text_format(text, "\\u%04x", letter);
    else if (letter >= 0x80)
        text_format(text, "%c%c", (int)(0xC0 | letter >> 6), (int)(0x80 | (letter & 0x3F)));
    else
        text_format(text, "%s%c", escaped && (letter == '"' || letter == '\\') ? "\\" : "",
                    (int)letter);
}

/* {"!": 0, ...} */
static void add_vocabulary(const struct vocabulary_parts *parts, struct text *text)
{
    for (unsigned id = 0; id < N_IDS; id++) {
        text_put(text, id == 0 ? "{\"" : ", \"");
        add_token(parts, id, true, text);
        text_format(text, "\": %u", id);
    }
    text_format(text, ", \"<|endoftext|>\": %d}", N_IDS);
}

static void write_text(const char *folder, const char *name, const struct text *text,
                       const char *digest)
{
    char path[200], got[DIGEST_TEXT];
    assert_false(text->failed);
    digest_of(text->bytes, text->size, got);
    if (digest != NULL)
        assert_string_equal(got, digest);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    testing_write(path, text->bytes, text->size);
}

void testing_write_gpt2(const char *name)
{
    struct vocabulary_parts *parts = test_malloc(sizeof *parts);
    struct text text = {0};
    read_parts(parts);
    add_vocabulary(parts, &text);
    write_text(name, "vocab.json", &text,
               "196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783");
    text_clear(&text);
    text_put(&text, "#version: 0.2\n");
    for (unsigned i = 0; i < N_MERGES; i++) {
        add_token(parts, parts->merges[i][0], false, &text);
        text_char(&text, ' ');
        add_token(parts, parts->merges[i][1], false, &text);
        text_char(&text, '\n');
    }
    write_text(name, "merges.txt", &text,
               "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5");
    text_release(&text);
    test_free(parts);
}

void testing_write_gpt2_json(const char *name, const char *members, const char *model_members)
{
    struct vocabulary_parts *parts = test_malloc(sizeof *parts);
    struct text text = {0};
    read_parts(parts);
    text_format(&text, "{%s\"model\":{%s\"vocab\":", members, model_members);
    add_vocabulary(parts, &text);
    for (unsigned i = 0; i < N_MERGES; i++) {
        text_put(&text, i == 0 ? ",\"merges\":[\"" : "\",\"");
        add_token(parts, parts->merges[i][0], true, &text);
        text_char(&text, ' ');
        add_token(parts, parts->merges[i][1], true, &text);
    }
    text_put(&text, "\"]}}");
    write_text(name, "tokenizer.json", &text, NULL);
    text_release(&text);
    test_free(parts);
}
