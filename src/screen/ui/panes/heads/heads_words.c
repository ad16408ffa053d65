/* The words that the model knows: completing one, listing all by kind, marking those it does not
 * know. */
#include "ui/panes/heads/heads_pane_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "files/tokenizer.h"
#include "model/model.h"
#include "model/run.h"
#include "task/grammar.h"
#include "ui/terminal/scroll.h"

const struct grammar *heads_grammar(struct heads_pane *pane, struct error *reterr)
{
    struct heads_words *words = &pane->words;
    if (words->grammar != NULL)
        return words->grammar;
    struct grammar *grammar = calloc(1, sizeof *grammar);
    if (grammar == NULL)
        error_memory(reterr, "a grammar");
    else if (grammar_open(pane->data_dir, "stories", grammar, reterr))
        return words->grammar = grammar;
    free(grammar);
    return NULL;
}

void heads_words_release(struct heads_words *words)
{
    if (words->grammar != NULL)
        grammar_release(words->grammar);
    free(words->grammar);
    words->grammar = NULL;
    doc_release(&words->list);
}

/* ---- completing ---- */

/* Where the word before the cursor begins: letters and digits, or all after a blank. */
static size_t word_begin(const struct field *field)
{
    size_t at = field->cursor;
    while (at > 0 && field->text[at - 1] != ' ' &&
           strchr(".,;:!?()\"", field->text[at - 1]) == NULL)
        at--;
    return at;
}

void heads_complete(struct heads_pane *pane)
{
    struct field *field = &pane->field;
    const struct model *model = pane->base->model;
    struct text rest = {0}, list = {0};
    size_t begin = word_begin(field), size = field->cursor - begin;
    if (field->is_chosen) {
        field->is_chosen = false;
        return;
    }
    if (!known_words_are_there(model) || size == 0) {
        heads_show_words(pane);
        return;
    }
    size_t n = known_words_complete(model, field->text + begin, size, &rest);
    if (n == 1)
        text_char(&rest, ' ');
    if (n == 0) {
        heads_say(pane, "no word that this model knows begins with \"%.*s\"",
                  (int)size_min(size, 40), field->text + begin);
    } else if (rest.size > 0) {
        (void)field_replace(field, field->cursor, rest.bytes, rest.size);
    } else {
        known_words_list(model, field->text + begin, size, &list);
        heads_say(pane, "%s", text_string(&list));
    }
    text_release(&rest);
    text_release(&list);
}

/* ---- the list ---- */

void heads_show_words(struct heads_pane *pane)
{
    struct error error;
    const struct model *model = pane->base->model;
    if (!known_words_are_there(model)) {
        heads_say(pane, model->tokenizer != NULL
                            ? "this model reads every text: its tokens are pieces of words"
                            : "this model has no vocabulary: it reads ids");
        return;
    }
    doc_clear(&pane->words.list);
    known_words_show(model, heads_grammar(pane, &error),
                     (size_t)(pane->cols > 20 ? pane->cols : 20), &pane->words.list);
    pane->words.first = 0;
    pane->words.is_shown = true;
}

/* The rows of the list: all below the text. */
static size_t rows_seen(const struct heads_pane *pane)
{
    int rows = pane->rows - pane->texts_rows - 1 - HEADS_FOOT_ROWS;
    return rows > 1 ? (size_t)rows : 1;
}

bool heads_words_key(struct heads_pane *pane, int key)
{
    struct heads_words *words = &pane->words;
    size_t seen = rows_seen(pane), n = doc_count_lines(&words->list);
    size_t last = n > seen ? n - seen : 0;
    if (key == KEYCODE_DOWN || key == KEYCODE_PAGE_DOWN)
        words->first = size_min(words->first + (key == KEYCODE_DOWN ? 1 : seen), last);
    else if (key == KEYCODE_UP || key == KEYCODE_PAGE_UP)
        words->first -= size_min(words->first, key == KEYCODE_UP ? 1 : seen);
    else {
        words->is_shown = false;
        return key == KEYCODE_ESCAPE || key == KEYCODE_TAB;
    }
    return true;
}

void heads_draw_words(const struct heads_pane *pane, struct area area)
{
    const struct heads_words *words = &pane->words;
    size_t seen = rows_seen(pane), n = doc_count_lines(&words->list);
    struct area below =
        area_part(area, area.rows - HEADS_FOOT_ROWS - 1 - (int)seen, 0, (int)seen + 1, area.cols);
    area_fill(below, look_of(STYLE_PLAIN));
    area_format(below, 0, 0, look_of(STYLE_TITLE), "the words that this model knows, by kind%s",
                n > seen ? "; Up and Down go on" : "");
    area_doc(area_part(below, 1, 0, (int)seen, area.cols), &words->list, words->first, 0);
}

/* ---- unknown words ---- */

size_t heads_mark_unknown(const struct heads_pane *pane, const struct area *area)
{
    const struct field *field = &pane->field;
    const struct model *model = pane->base->model;
    size_t begin = 0, end = 0, n = 0;
    if (model->tokenizer == NULL)
        return 0;
    while (tokenizer_next_unknown(model->tokenizer, field->text, field->size, &begin, &end)) {
        struct text rest = {0};
        bool may_grow = end == field->cursor && end == field->size &&
                        known_words_complete(model, field->text + begin, end - begin, &rest) > 0;
        text_release(&rest);
        if (may_grow)
            continue;
        n++;
        if (area != NULL)
            field_mark_wrapped(field, *area, begin, end);
    }
    return n;
}
