/* The text that is read, on the first rows; and what is typed: another text, a second one to
 * compare with, another token in place of one. */
#include "ui/panes/heads/heads_pane_internal.h"

#include <string.h>

#include "base/size.h"
#include "graph/node.h"
#include "model/run.h"
#include "model/model.h"
#include "show/labels.h"
#include "task/story.h"
#include "tensor/tensor.h"
#include "ui/terminal/scroll.h"

enum { NAME_COLS = 6 }; /* "text: " */

/* ---- the texts ---- */

/* What run_text() would read as this run; without a vocabulary, its ids. */
static bool write_text(const struct run *run, struct text *ret, struct error *reterr)
{
    const struct tensor *ids = &run->ids->value;
    if (run->model->tokenizer != NULL)
        return model_write_text(run->model, ids, ret, reterr);
    for (size_t i = 0; i < tensor_size(ids); i++)
        text_format(ret, "%s%g", i > 0 ? " " : "", (double)tensor_at_position(ids, i));
    return !ret->failed || error_memory(reterr, "a text");
}

/* How many columns of rows a text has, after its name. */
static int text_cols(const struct heads_pane *pane)
{
    return pane->cols > NAME_COLS + 1 ? pane->cols - NAME_COLS : 1;
}

/* A text in the shape of a field, which is what wraps rows; ends that no field holds are cut. */
static struct field field_of_text(const struct text *text)
{
    struct field field;
    field_set(&field, text_string(text), text->size);
    field.cursor = 0;
    field.is_full = false;
    for (size_t i = 0; i < field.size; i++)
        if ((unsigned char)field.text[i] < ' ')
            field.text[i] = ' ';
    return field;
}

static int rows_of_text(const struct heads_pane *pane, const struct text *text)
{
    struct field field = field_of_text(text);
    size_t rows = field_rows(&field, (size_t)text_cols(pane));
    return (int)size_min(rows, (size_t)pane->text_rows);
}

bool heads_fill_texts(struct heads_pane *pane, struct error *reterr)
{
    text_clear(&pane->texts[0]);
    text_clear(&pane->texts[1]);
    bool ok = write_text(pane->base, &pane->texts[0], reterr) &&
              (pane->other == NULL || write_text(pane->other, &pane->texts[1], reterr));
    pane->texts_rows = rows_of_text(pane, &pane->texts[0]);
    if (pane->other != NULL)
        pane->texts_rows += rows_of_text(pane, &pane->texts[1]);
    return ok;
}

/* The bytes in which a text differs from another: whole words, from the first that differs to the
 * last. */
static void find_difference(const struct text *text, const struct text *other, size_t *ret_begin,
                            size_t *ret_end)
{
    const char *a = text_string(text), *b = text_string(other);
    size_t begin = 0, tail = 0, least = size_min(text->size, other->size);
    while (begin < least && a[begin] == b[begin])
        begin++;
    while (tail < least - begin && a[text->size - 1 - tail] == b[other->size - 1 - tail])
        tail++;
    while (begin > 0 && a[begin - 1] != ' ')
        begin--;
    while (tail > 0 && a[text->size - tail] != ' ')
        tail--;
    *ret_begin = begin;
    *ret_end = size_max(text->size - tail, begin);
}

/* A text on its rows, with its name; a mark at the end where the rows do not hold it. */
static void draw_text(const struct heads_pane *pane, struct area area, const char *name,
                      const struct text *text, const struct text *other)
{
    struct field field = field_of_text(text);
    struct area right = area_part(area, 0, NAME_COLS, area.rows, area.cols - NAME_COLS);
    size_t begin = 0, end = 0;
    if (other != NULL)
        find_difference(text, other, &begin, &end);
    area_text(area, 0, 0, look_of(STYLE_NAME), name);
    field_draw_wrapped(&field, right, STYLE_PLAIN, begin, end, false);
    if (field_rows(&field, (size_t)text_cols(pane)) > (size_t)area.rows)
        area_text(right, area.rows - 1, right.cols - 4, look_of(STYLE_QUIET), " ...");
}

/* The field over the rows of the text, and more rows where it needs them. */
static void draw_field(const struct heads_pane *pane, struct area area, int rows, const char *name,
                       bool focused)
{
    size_t needed = field_rows(&pane->field, (size_t)text_cols(pane));
    int most = area.rows / 3 > 1 ? area.rows / 3 : 1;
    rows = (int)size_min(size_max(needed, (size_t)rows), (size_t)most);
    struct area whole = area_part(area, 0, 0, rows, area.cols);
    struct area right = area_part(whole, 0, NAME_COLS, rows, area.cols - NAME_COLS);
    area_fill(whole, look_of(STYLE_PLAIN));
    area_text(whole, 0, 0, look_of(STYLE_NAME), name);
    field_draw_wrapped(&pane->field, right, STYLE_PLAIN, 0, 0, focused);
    (void)heads_mark_unknown(pane, &right);
    if (pane->field.is_chosen)
        area_mark(right, 0, 0, (int)text_width(pane->field.text, pane->field.size), MARK_REVERSE);
    if (pane->field.size == 0)
        area_text(right, 0, 0, look_of(STYLE_QUIET),
                  pane->base->model->tokenizer != NULL ? "words that the model is to read"
                                                       : "ids of tokens, with blanks between them");
}

/* The text around the token that is edited, which is reversed. */
static void draw_strip(const struct heads_pane *pane, struct area line)
{
    enum { BEFORE = 4 };
    size_t n = run_length(pane->base);
    int col = NAME_COLS;
    area_text(line, 0, 0, look_of(STYLE_NAME), "text:");
    for (size_t i = pane->token > BEFORE ? pane->token - BEFORE : 0; i < n && col < line.cols;
         i++) {
        struct text token = {0};
        model_show_token(pane->base->model, (size_t)tensor_at_position(&pane->base->ids->value, i),
                         &token);
        col = area_text(line, 0, col,
                        i == pane->token ? look_marked(STYLE_LABEL, MARK_REVERSE)
                                         : look_of(STYLE_QUIET),
                        text_string(&token)) +
              1;
        text_release(&token);
    }
}

void heads_draw_texts(const struct heads_pane *pane, struct area area, bool focused)
{
    bool types = pane->is_typing && pane->asks != HEADS_ASK_TOKEN;
    const struct text *a = &pane->texts[pane->other != NULL ? 1 : 0], *b = &pane->texts[0];
    int row = rows_of_text(pane, a);
    if (pane->is_typing && pane->asks == HEADS_ASK_TOKEN && pane->other == NULL) {
        draw_strip(pane, area);
        return;
    }
    if (pane->other == NULL && types && pane->asks == HEADS_ASK_TEXT) {
        draw_field(pane, area, row, "text:", focused);
        return;
    }
    bool both = pane->other != NULL || types;
    draw_text(pane, area_part(area, 0, 0, row, area.cols), both ? "A:" : "text:", a,
              pane->other != NULL ? b : NULL);
    if (!both)
        return;
    struct area rest = area_part(area, row, 0, area.rows - row, area.cols);
    if (types)
        draw_field(pane, rest, 1, "B:", focused);
    else
        draw_text(pane, area_part(rest, 0, 0, rows_of_text(pane, b), area.cols), "B:", b, a);
}

/* ---- asking ---- */

/* In one head the key under the cursor; else the token that was edited last. */
static size_t token_of_cursor(const struct heads_pane *pane)
{
    size_t col = pane->map.is_open ? pane->map.col : pane->explorer.col;
    if (pane->map.is_open && pane->other != NULL && col < pane->alignment.n)
        col = pane->alignment.pairs[col][1];
    return pane->is_one ? col : pane->token;
}

void heads_ask(struct heads_pane *pane, enum heads_asks asks, bool adds)
{
    const struct text *text = &pane->texts[0];
    pane->is_typing = true;
    pane->is_touched = false;
    pane->asks = asks;
    pane->field = (struct field){.size = 0};
    pane->token = scroll_step(token_of_cursor(pane), 0, run_length(pane->base));
    if (asks == HEADS_ASK_TOKEN)
        return;
    field_set(&pane->field, text_string(text), text->size);
    pane->field.is_chosen = text->size > 0 && !adds; /* the first letter takes its place */
    if (adds && text->size > 0)
        (void)field_replace(&pane->field, pane->field.cursor, " ", 1);
}

void heads_step_token(struct heads_pane *pane, int by)
{
    pane->token = scroll_step(pane->token, by, run_length(pane->base));
}

/* ---- ids ---- */

static struct run *run_of_ids(struct heads_pane *pane, struct tensor *ids, struct error *reterr)
{
    static const char name[] = "ids";
    struct node *node = node_input(pane->base->graph, ids, name, sizeof name - 1, reterr);
    struct run *run =
        node != NULL ? run_ids(pane->base->graph, pane->base->model, node, reterr) : NULL;
    node_free(node);
    return run;
}

/* The ids of the text as it is, with typed[n_typed] in place of those at [first, end). */
static bool splice(const struct heads_pane *pane, size_t first, size_t end,
                   const struct tensor *typed, struct tensor *ret, struct error *reterr)
{
    const struct tensor *old = &pane->base->ids->value;
    size_t n_typed = tensor_size(typed), n = tensor_size(old) - (end - first) + n_typed;
    if (!tensor_empty(1, &n, ret, reterr))
        return false;
    for (size_t i = 0; i < n; i++)
        ret->data[i] = i < first             ? tensor_at_position(old, i)
                       : i < first + n_typed ? tensor_at_position(typed, i - first)
                                             : tensor_at_position(old, i - n_typed + end - first);
    return true;
}

struct run *heads_run_spliced(struct heads_pane *pane, size_t first, size_t end,
                              const struct tensor *typed, struct error *reterr)
{
    struct tensor ids;
    return splice(pane, first, end, typed, &ids, reterr) ? run_of_ids(pane, &ids, reterr) : NULL;
}

/* ---- words ---- */

/* Whether the token that is edited begins with a blank, which is part of it. */
static bool has_blank(const struct heads_pane *pane)
{
    struct text text = {0};
    struct tensor id;
    struct error error;
    size_t one = 1;
    if (!tensor_empty(1, &one, &id, &error))
        return false;
    id.data[0] = tensor_at_position(&pane->base->ids->value, pane->token);
    bool has = model_decode(pane->base->model, &id, &text, &error) && text.size > 0 &&
               text.bytes[0] == ' ';
    tensor_release(&id);
    text_release(&text);
    return has;
}

/* The ids of what was typed. */
static bool read_typed(const struct heads_pane *pane, struct tensor *ret, struct error *reterr)
{
    struct text text = {0};
    struct labels *labels = NULL;
    if (pane->base->model->tokenizer == NULL)
        return ids_parse(pane->field.text, ret, reterr);
    if (has_blank(pane) && pane->field.text[0] != ' ')
        text_char(&text, ' ');
    text_put(&text, pane->field.text);
    bool ok = (!text.failed || error_memory(reterr, "a token")) &&
              model_encode(pane->base->model, text.bytes, text.size, ret, &labels, reterr);
    labels_free(labels);
    text_release(&text);
    return ok;
}

/* ---- taking it ---- */

/* Of ids that were typed, or of a token in place of one. */
static struct run *run_of_typed_ids(struct heads_pane *pane, struct error *reterr)
{
    struct tensor typed;
    size_t n = run_length(pane->base), first = 0, end = n;
    if (!read_typed(pane, &typed, reterr))
        return NULL;
    if (pane->asks == HEADS_ASK_TOKEN)
        end = (first = pane->token) + 1;
    struct run *run = heads_run_spliced(pane, first, end, &typed, reterr);
    tensor_release(&typed);
    return run;
}

bool heads_take_text(struct heads_pane *pane)
{
    struct error error;
    bool is_token = pane->asks == HEADS_ASK_TOKEN;
    struct run *run = is_token || pane->base->model->tokenizer == NULL
                          ? run_of_typed_ids(pane, &error)
                          : run_text(pane->base->graph, pane->base->model, pane->field.text,
                                     pane->field.size, &error);
    struct run *a = pane->asks == HEADS_ASK_SECOND ? run_share(pane->base) : NULL;
    bool ok = run != NULL && (is_token ? heads_show_edited(pane, run, &error)
                                       : heads_pane_open(pane, run, &error));
    if (ok && a != NULL)
        ok = heads_pane_compare(pane, a, &error);
    run_free(a);
    run_free(run);
    if (!ok)
        heads_say(pane, "%s", error.text);
    return ok;
}

/* ---- stories ---- */

void heads_read_story(struct heads_pane *pane)
{
    struct error error;
    struct story story;
    struct random random;
    struct text text = {0};
    const struct grammar *grammar = heads_grammar(pane, &error);
    random_seed(&random, pane->n_stories);
    bool ok = grammar != NULL && story_draw(grammar, SPLIT_HELD_OUT, &random, &story, &error);
    if (ok) {
        size_t end = story.n_questions > 0
                         ? (size_t)story.questions[story.n_questions - 1].query + 1
                         : story.n_tokens; /* the next word could be known */
        story_show(grammar, story.tokens, end, &text);
        ok = (!text.failed || error_memory(&error, "a story")) &&
             heads_pane_read(pane, text.bytes, text.size, &error);
    }
    text_release(&text);
    if (ok)
        pane->n_stories++;
    else
        heads_say(pane, "%s", error.text);
}
