/* See known_words.h. */
#include "model/known_words.h"

#include <stdlib.h>
#include <strings.h>

#include "files/tokenizer.h"
#include "model/model.h"
#include "show/doc.h"
#include "task/grammar.h"

bool known_words_are_there(const struct model *model)
{
    return model->tokenizer != NULL && tokenizer_is_of_words(model->tokenizer);
}

/* ---- words that begin so ---- */

/* Word `id` of the model where it begins so; NULL where it does not. Tokens such as <start>, which
 * nobody means to type, are left out unless begin has their sign. */
static const char *word_beginning(const struct model *model, size_t id, const char *begin,
                                  size_t size, size_t *ret_size)
{
    const char *word = tokenizer_token(model->tokenizer, (uint32_t)id, ret_size);
    bool fits = word != NULL && *ret_size >= size && strncasecmp(word, begin, size) == 0;
    return fits && (word[0] != '<' || size > 0 || *ret_size == 1) ? word : NULL;
}

size_t known_words_complete(const struct model *model, const char *begin, size_t size,
                            struct text *rest)
{
    const char *first = NULL, *word;
    size_t n = 0, same = 0, word_size;
    for (size_t id = 0; known_words_are_there(model) && id < tokenizer_size(model->tokenizer);
         id++) {
        if ((word = word_beginning(model, id, begin, size, &word_size)) == NULL)
            continue;
        if (n++ == 0) {
            first = word;
            same = word_size;
        }
        size_t i = size;
        while (i < same && i < word_size && word[i] == first[i])
            i++;
        same = i;
    }
    if (n > 0)
        text_add(rest, first + size, same - size);
    return n;
}

void known_words_list(const struct model *model, const char *begin, size_t size, struct text *text)
{
    const char *word;
    size_t word_size, n = 0;
    for (size_t id = 0; known_words_are_there(model) && id < tokenizer_size(model->tokenizer); id++)
        if ((word = word_beginning(model, id, begin, size, &word_size)) != NULL) {
            text_put(text, n++ > 0 ? " " : "");
            text_add(text, word, word_size);
        }
}

/* ---- by kind ---- */

/* Marks the token as listed. False where the model does not know the word, or it is listed. */
static bool take(const struct model *model, const char *word, bool *listed)
{
    uint32_t id;
    if (!tokenizer_find(model->tokenizer, word, strlen(word), &id) || listed[id])
        return false;
    return listed[id] = true;
}

/* The words of a class in one of its forms, such as the sounds of animals. */
static void show_form(const struct model *model, const struct grammar *grammar,
                      const struct word_class *words, unsigned form, bool *listed,
                      size_t width_cols, struct doc *out)
{
    struct text text = {0};
    int column = words->column_of[form];
    for (unsigned row = 0; column >= 0 && row < words->n_rows; row++) {
        int32_t token = words->tokens[row * words->n_columns + (unsigned)column];
        if (token >= 0 && take(model, grammar->words[token], listed))
            text_format(&text, "%s%s", text.size > 0 ? " " : "", grammar->words[token]);
    }
    if (text.size > 0) {
        struct text line = {0};
        text_format(&line, form == 0 ? "%s: " : "%s, %s: ", words->name,
                    form == 0 ? "" : grammar->columns[form]);
        text_add(&line, text.bytes, text.size);
        doc_wrap(out, STYLE_PLAIN, text_string(&line), width_cols, 0);
        out->failed = out->failed || line.failed;
        text_release(&line);
    }
    out->failed = out->failed || text.failed;
    text_release(&text);
}

static void show_others(const struct model *model, const bool *listed, bool is_all,
                        size_t width_cols, struct doc *out)
{
    struct text text = {0};
    const char *word;
    size_t size;
    for (size_t id = 0; id < tokenizer_size(model->tokenizer); id++)
        if (!listed[id] && (word = word_beginning(model, id, "", 0, &size)) != NULL) {
            text_put(&text, text.size > 0 ? " " : is_all ? "" : "others: ");
            text_add(&text, word, size);
        }
    doc_wrap(out, STYLE_PLAIN, text_string(&text), width_cols, 0);
    out->failed = out->failed || text.failed;
    text_release(&text);
}

void known_words_show(const struct model *model, const struct grammar *grammar, size_t width_cols,
                      struct doc *out)
{
    bool *listed = calloc(tokenizer_size(model->tokenizer) + 1, sizeof *listed);
    size_t before = doc_count_lines(out);
    if (listed == NULL) {
        out->failed = true;
        return;
    }
    for (unsigned i = 0; grammar != NULL && i < grammar->n_classes; i++)
        for (unsigned form = 0; form < grammar->n_columns; form++)
            show_form(model, grammar, &grammar->classes[i], form, listed, width_cols, out);
    show_others(model, listed, doc_count_lines(out) == before, width_cols, out);
    free(listed);
}
