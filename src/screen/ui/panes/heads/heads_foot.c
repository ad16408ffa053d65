/* The row below the heads: what is typed, said, cut or seen. */
#include "ui/panes/heads/heads_pane_internal.h"

#include "graph/node.h"
#include "model/model.h"
#include "model/run.h"

/* How far it has come with the heads, behind column `col`. */
static void draw_progress(const struct heads_pane *pane, struct area line, int col)
{
    const struct heads_ranking *ranking = &pane->ranking;
    size_t n = heads_count(pane);
    area_format(line, 0, col, look_of(STYLE_NOTE), "; %zu/%zu%s", ranking->n_measured, n,
                ranking->is_stopped ? " stopped" : " Esc stops");
}

/* By ablation: the token too. */
static int draw_effect(const struct heads_pane *pane, struct area line)
{
    const struct heads_ranking *ranking = &pane->ranking;
    struct text token = {0};
    model_show_token(pane->run->model, ranking->effect.token, &token);
    int col = area_format(line, 0, 0, look_of(STYLE_QUIET), "by ablation: %s \"%s\"",
                          heads_ranking_tells(ranking), text_string(&token));
    text_release(&token);
    return col;
}

/* What the heads are ranked by. */
static void draw_ranking(const struct heads_pane *pane, struct area line)
{
    const struct heads_ranking *ranking = &pane->ranking;
    bool is_open = ranking->by != HEADS_BY_CHANGE && ranking->n_measured < heads_count(pane);
    int col = ranking->by == HEADS_BY_EFFECT
                  ? draw_effect(pane, line)
                  : area_format(line, 0, 0, look_of(STYLE_QUIET), "by %s: %s%s",
                                heads_ranking_name(ranking), heads_ranking_tells(ranking),
                                is_open ? "" : "; 0 tells if it matters");
    if (is_open)
        draw_progress(pane, line, col);
}

/* The heads that are seen, where others are not. */
static void draw_part(const struct heads_pane *pane, struct area line)
{
    const struct heads_layout *layout = &pane->layout;
    size_t n_heads = pane->run->model->config.n_heads, n_rows = heads_n_rows(pane);
    if (pane->ranking.by != HEADS_BY_NOTHING)
        draw_ranking(pane, line);
    else if (layout->n_layers == n_rows && layout->n_heads == n_heads)
        area_text(line, 0, 0, look_of(STYLE_QUIET),
                  "rows: queries, columns: keys; 0 dark, 1 bright, by the root of the weight");
    else
        area_format(line, 0, 0, look_of(STYLE_QUIET),
                    "layers %zu to %zu of %zu, heads %zu to %zu of %zu; the arrows go on",
                    layout->first_layer, layout->first_layer + layout->n_layers - 1, n_rows,
                    layout->first_head, layout->first_head + layout->n_heads - 1, n_heads);
}

static void put_cut(struct text *text, const struct heads_cut *cut, const char *before)
{
    static const char *const how[] = {
        [CUT_ZERO] = "0", [CUT_MEAN] = "mean", [CUT_FROZEN] = "from A"};
    text_format(text, cut->is_position ? "%sinto L%zu at %zu %s" : "%sL%zuH%zu %s", before,
                cut->layer, cut->head, how[cut->how]);
}

static void draw_map_legend(const struct heads_pane *pane, struct area line, bool ascii)
{
    struct text text = {0};
    heads_map_write_legend(pane, ascii, &text);
    area_text(line, 0, 0, look_of(STYLE_QUIET), text_string(&text));
    text_release(&text);
}

/* "cut: L5H1 0, L3H2 mean; u puts them back". */
static void draw_cut_list(const struct heads_pane *pane, struct area line)
{
    struct text text = {0};
    text_put(&text, "cut: ");
    for (size_t i = 0; i < pane->n_cuts; i++)
        put_cut(&text, &pane->cuts[i], i > 0 ? ", " : "");
    text_put(&text, "; u puts back");
    area_text(line, 0, 0, look_of(STYLE_CHANGED), text_string(&text));
    text_release(&text);
}

/* The token that is edited: 3 "sat" */
static int draw_token(const struct heads_pane *pane, struct area line)
{
    struct text token = {0};
    model_show_token(pane->base->model,
                     (size_t)tensor_at_position(&pane->base->ids->value, pane->token), &token);
    int col = area_format(line, 0, 0, look_of(STYLE_NAME), "token %zu", pane->token);
    col = area_text(line, 0, col + 1, look_marked(STYLE_LABEL, MARK_REVERSE), text_string(&token));
    text_release(&token);
    return area_text(line, 0, col, look_of(STYLE_NAME), ": ");
}

/* What stands at the bottom while a text is typed. */
static void draw_typing(const struct heads_pane *pane, struct area line)
{
    size_t n = heads_mark_unknown(pane, NULL);
    if (n > 0)
        area_format(line, 0, 0, look_of(STYLE_BAD),
                    "unknown words: %zu (underlined); Tab after a blank lists the known ones", n);
    else
        area_text(line, 0, 0, look_of(STYLE_QUIET),
                  pane->base->model->tokenizer != NULL
                      ? "Enter reads it; Tab completes a word, or lists the known ones by kind"
                      : "Enter reads it");
}

static void draw_token_field(const struct heads_pane *pane, struct area line, bool focused)
{
    int col = draw_token(pane, line);
    field_draw(&pane->field, area_part(line, 0, col, 1, line.cols - col),
               "the token in its place; Up and Down choose another", focused);
}

/* The field of a token (its message stands above it), a message, what is cut, or what is seen. */
void heads_draw_foot(const struct heads_pane *pane, struct area line, bool focused, bool ascii)
{
    if (pane->is_typing && pane->asks == HEADS_ASK_TOKEN) {
        draw_token_field(pane, line, focused);
    } else if (pane->message[0] != '\0') {
        area_text(line, 0, 0, look_of(STYLE_NOTE), pane->message);
    } else if (pane->is_typing) {
        draw_typing(pane, line);
    } else if (pane->n_cuts > 0) {
        draw_cut_list(pane, line);
    } else if (pane->is_one && pane->map.is_open) {
        draw_map_legend(pane, line, ascii);
    } else if (!pane->is_one) {
        draw_part(pane, line);
    }
}
