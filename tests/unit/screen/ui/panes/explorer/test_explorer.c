/* ui/panes/explorer: the cursor, the way down, edits and options, as rows of text. */
#include "explorer_testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "show/number.h"

/* ---- tests ---- */

static void starts_with_the_embeddings(void **state)
{
    struct fixture *fixture = *state;
    draw(fixture);
    assert_string_equal(row_text(fixture, 0), "[E] > Q K V > scores > scaled > weights > context");
    assert_string_equal(row_text(fixture, 1), "E from embed(\"Hello shiny sun!\")   3x3");
    assert_string_equal(row_text(fixture, 2), "Hello   0.340  0.220  0.540");
    assert_string_equal(row_text(fixture, 4), "sun     0.290  0.540  0.930");
    assert_string_equal(row_text(fixture, 5), "");
    assert_string_equal(row_text(fixture, 6), "E[\"Hello\", 0] = 0.34   Enter: why");
    assert_string_equal(row_text(fixture, ROWS - 1),
                        "no mask, scaled, temperature 1          v NUMBERS heat lines");
    assert_string_equal(marked(fixture, MARK_REVERSE), "0.340");
}

static void stages_are_the_librarys(void **state)
{
    struct fixture *fixture = *state;
    check_equals(fixture, "context", "attention(E, E, E)");
    check_equals(fixture, "weights", "attention_weights(E, E)");
    type(fixture, "]]]]]");
    assert_shown(fixture, "scores > [scaled] > weights");
    assert_shown(fixture, "Hello   0.263  0.453  0.415");
}

static void cursor_stays_inside(void **state)
{
    struct fixture *fixture = *state;
    type(fixture, "^<____>>>>");
    assert_int_equal(fixture->explorer.row, 2);
    assert_int_equal(fixture->explorer.col, 2);
    assert_string_equal(marked(fixture, MARK_REVERSE), "0.930");
    explorer_request(&fixture->explorer, REQ_TOP, 0);
    assert_int_equal(fixture->explorer.row, 0);
    explorer_request(&fixture->explorer, REQ_PAGE_DOWN, 0);
    assert_int_equal(fixture->explorer.row, 2);
    explorer_wheel(&fixture->explorer, -1);
    assert_int_equal(fixture->explorer.row, 1);
}

/* From context down to the embedding of a word, and back up. */
static void descends_to_an_embedding(void **state)
{
    struct fixture *fixture = *state;
    struct explorer *explorer = &fixture->explorer;
    static const char *const nodes[] = {"context", "weights", "scaled", "scores", "Q", "E"};
    resize(fixture, 30, 80);
    show(fixture, "context");
    type(fixture, "_>\n");
    assert_shown(fixture, "context[\"shiny\", 1] = ");
    assert_shown(fixture, "weights[\"shiny\", \"Hello\"] * V[\"Hello\", 1]");
    assert_non_null(strstr(marked(fixture, MARK_REVERSE), "weights[\"shiny\", \"Hello\"] = 0.27"));
    for (size_t depth = 1; depth <= 6; depth++) {
        assert_int_equal(explorer->depth, depth);
        assert_string_equal(explorer->path[depth - 1].cell.node->name, nodes[depth - 1]);
        assert_string_equal(explorer->pipeline.stages[explorer->stage].name, nodes[depth - 1]);
        type(fixture, "\n");
    }
    assert_int_equal(explorer->depth, 6);
    assert_shown(fixture, "an input: nothing comes before it");
    for (size_t depth = 6; depth > 1; depth--) {
        type(fixture, "~");
        assert_int_equal(explorer->depth, depth - 1);
        assert_string_equal(explorer->pipeline.stages[explorer->stage].name, nodes[depth - 2]);
    }
    type(fixture, "~");
    assert_int_equal(explorer->depth, 0);
    assert_int_equal(explorer->row, 1);
    assert_int_equal(explorer->col, 1);
    assert_false(explorer_request(explorer, REQ_PARENT, 0));
    assert_shown(fixture, "[context]");
}

static void chooses_a_parent(void **state)
{
    struct fixture *fixture = *state;
    show(fixture, "scores");
    type(fixture, "_>>\n_");
    assert_int_equal(fixture->explorer.path[0].choice, 1);
    type(fixture, "\n");
    assert_shown(fixture, "K[\"sun\", 0] = 0.29");
    assert_shown(fixture, "> Q [K] V >");
    explorer_request(&fixture->explorer, REQ_CLOSE, 0);
    assert_int_equal(fixture->explorer.depth, 0);
    assert_shown(fixture, "[scores]");
    assert_false(explorer_request(&fixture->explorer, REQ_CLOSE, 0));
}

static void cells_it_was_made_from_are_lit(void **state)
{
    struct fixture *fixture = *state;
    show(fixture, "scaled");
    type(fixture, "_>\n");
    const char *lit = marked(fixture, MARK_UNDERLINE);
    assert_string_equal(lit, "scores|1.357"); /* the stage, and the cell in its table */
}

static void typed_numbers_are_no_choice(void **state)
{
    struct fixture *fixture = *state;
    show(fixture, "scaled");
    type(fixture, "\n___\n");
    assert_string_equal(fixture->explorer.path[1].cell.node->name, "scores");
}

static void an_edit_repaints_downstream(void **state)
{
    struct fixture *fixture = *state;
    float scaled = number(fixture, "scaled", 0);
    type(fixture, "e0.9");
    assert_shown(fixture, "E[\"Hello\", 0] = 0.9");
    assert_int_equal(fixture->canvas.cursor_row, ROWS - 1);
    type(fixture, "\n");
    assert_close(number(fixture, "E", 0), 0.9, 1e-6);
    assert_shown(fixture, "0.900*");
    /* 1 of Q, K and V each, 5 of scores and of scaled, 9 of weights and of context */
    assert_shown(fixture, "E[\"Hello\", 0] = 0.9: 31 numbers downstream changed,");
    assert_shown(fixture, "u takes it back");
    assert_true(number(fixture, "scaled", 0) > scaled);
    check_equals(fixture, "context", "attention(E, E, E)");
    show(fixture, "scaled");
    assert_shown(fixture, "*");
    assert_shown(fixture, "1 edit");
    type(fixture, "u");
    assert_close(number(fixture, "scaled", 0), scaled, 0);
    assert_not_shown(fixture, "*");
    type(fixture, "u");
    assert_shown(fixture, "nothing was edited yet");
}

/* Changed cells bear a mark without any colour: in tables, heatmaps, among the words, and so do the
 * names of their stages. */
static void changed_cells_are_marked(void **state)
{
    struct fixture *fixture = *state;
    show(fixture, "scaled");
    type(fixture, "_e-1\n");
    assert_shown(fixture, "E > Q K V > scores > [scaled]* > weights* > context*");
    assert_shown(fixture, "6 numbers downstream changed"); /* the rows of "shiny" */
    show(fixture, "weights");
    assert_shown(fixture, "Hello   0.296  0.358  0.345");
    type(fixture, "vv");
    draw(fixture);
    assert_int_equal(row_text(fixture, 4)[strlen(row_text(fixture, 4)) - 1], '*');
    type(fixture, "^");
    draw(fixture);
    assert_null(strchr(row_text(fixture, 3), '*'));
}

/* A number that is cut off would be another one: beside the words a small weight is written with
 * fewer digits, and under the cursor it is exact. */
static void small_weights_are_not_cut_off(void **state)
{
    struct fixture *fixture = *state;
    show(fixture, "scaled");
    type(fixture, "_e-8\n");
    show(fixture, "weights");
    type(fixture, "vv");
    assert_shown(fixture, "weights[\"shiny\", \"Hello\"] = 7.901e-05   Enter: why");
    assert_shown(fixture, "Hello 0.000*");
}

static void edits_are_undone_one_by_one(void **state)
{
    struct fixture *fixture = *state;
    float context = number(fixture, "context", 0);
    type(fixture, "e1\n>e2\n_e3\n");
    assert_shown(fixture, "E[\"shiny\", 1] = 3: ");
    type(fixture, "u");
    assert_shown(fixture, "taken back: E[\"shiny\", 1] = 3; 2 edits are");
    assert_close(number(fixture, "E", 4), 0.34, 1e-6);
    assert_close(number(fixture, "E", 1), 2, 0);
    type(fixture, "u");
    assert_shown(fixture, "1 edit is left");
    check_equals(fixture, "context", "attention(E, E, E)");
    type(fixture, "u");
    assert_shown(fixture, "no edits are left");
    assert_close(number(fixture, "context", 0), context, 0);
    type(fixture, "e0.34\n"); /* what it is */
    assert_shown(fixture, "nothing changes");
    assert_int_equal(fixture->explorer.pipeline.n_edits, 0);
}

/* W_q is no stage; the way down leads to it, and it can be edited there. */
static void a_projection_is_edited_on_the_way_down(void **state)
{
    struct fixture *fixture = *state;
    type(fixture, "H\n");
    show(fixture, "Q");
    type(fixture, "\n\n"); /* the product, of which Q is a part */
    assert_shown(fixture, "(X @ W_q)[\"Hello\", 0] = ");
    type(fixture, "e");
    assert_shown(fixture, "it has no name");
    type(fixture, "_\n");
    assert_shown(fixture, "W_q[0, 0] = ");
    type(fixture, "e9\n");
    assert_shown(fixture, "W_q[0, 0] = 9: ");
    assert_int_equal(fixture->explorer.depth, 3);
    assert_shown(fixture, "9.000"); /* it stays open */
    check_equals(fixture, "output", "multi_head_attention(X, W_q, W_k, W_v, 2, W_o)");
    type(fixture, "~~~");
    assert_shown(fixture, "[Q]*");
}

static void edits_below_leave_the_stages_above(void **state)
{
    struct fixture *fixture = *state;
    float score = number(fixture, "scores", 0);
    show(fixture, "scaled");
    type(fixture, "_e-1\n");
    assert_close(number(fixture, "scores", 0), score, 0);
    assert_close(number(fixture, "scaled", 3), -1, 0);
    check_equals(fixture, "weights", "softmax(scaled, dim=-1)");
    type(fixture, "e7\nuu");
    check_equals(fixture, "context", "attention(E, E, E)");
}

static void only_numbers_are_taken(void **state)
{
    struct fixture *fixture = *state;
    float old = number(fixture, "E", 0);
    type(fixture, "eabc\n");
    assert_shown(fixture, "abc: this is not a number");
    assert_true(fixture->explorer.is_typing); /* it can be mended */
    type(fixture, "$$");
    type(fixture, "e5~\n");
    type(fixture, "$");
    assert_false(fixture->explorer.is_typing);
    type(fixture, "e5");
    type(fixture, "$"); /* empties the field */
    assert_shown(fixture, "cleared; Esc leaves the field");
    assert_true(fixture->explorer.is_typing);
    assert_int_equal(fixture->explorer.field.size, 0);
    type(fixture, "$");
    assert_false(fixture->explorer.is_typing);
    type(fixture, "enan\n");
    assert_shown(fixture, "not a number");
    type(fixture, "$$");
    type(fixture, "e1;reset\n");
    assert_close(number(fixture, "E", 0), old, 0);
    assert_int_equal(fixture->explorer.pipeline.n_edits, 0);
}

static void edits_stay_when_settings_change(void **state)
{
    struct fixture *fixture = *state;
    type(fixture, "e2\nm+");
    assert_close(number(fixture, "E", 0), 2, 0);
    check_equals(fixture, "context",
                 "attention(E, E, E, is_causal=True, scale=1/(sqrt(3)*sqrt(2)))");
    type(fixture, "u");
    assert_close(number(fixture, "E", 0), 0.34, 1e-6);
    check_equals(fixture, "context",
                 "attention(E, E, E, is_causal=True, scale=1/(sqrt(3)*sqrt(2)))");
}

static void an_edit_of_a_stage_that_goes_is_undone(void **state)
{
    struct fixture *fixture = *state;
    type(fixture, "e2\nm");
    show(fixture, "masked");
    type(fixture, "e1\nmm");
    assert_shown(fixture, "1 of the edits did not fit");
    assert_int_equal(fixture->explorer.pipeline.n_edits, 1);
    assert_close(number(fixture, "E", 0), 2, 0);
    check_equals(fixture, "context", "attention(E, E, E)");
}

static void arithmetic_follows_an_edit(void **state)
{
    struct fixture *fixture = *state;
    show(fixture, "scores");
    type(fixture, "\n\n");
    assert_shown(fixture, "Q[\"Hello\", 0] = 0.34");
    type(fixture, "e0.5\n");
    assert_int_equal(fixture->explorer.depth, 2);
    assert_shown(fixture, "Q[\"Hello\", 0] = 0.5");
    type(fixture, "~");
    assert_shown(fixture, "scores[\"Hello\", \"Hello\"] = 0.51");
}

static void masks(void **state)
{
    struct fixture *fixture = *state;
    assert_false(is_stage(fixture, "masked"));
    type(fixture, "m");
    check_equals(fixture, "context", "attention(E, E, E, is_causal=True)");
    assert_shown(fixture, "causal mask");
    show(fixture, "masked");
    assert_shown(fixture, "-inf   -inf");
    type(fixture, "m");
    check_equals(fixture, "context", "attention(E, E, E, attn_mask=arange(3) < 2)");
    assert_shown(fixture, "last word hidden");
    assert_close(number(fixture, "weights", 2), 0, 0);
    type(fixture, "m");
    assert_false(is_stage(fixture, "masked"));
    assert_shown(fixture, "[scaled]"); /* the one before it */
    assert_shown(fixture, "no mask");
}

static void scale_and_temperature(void **state)
{
    struct fixture *fixture = *state;
    type(fixture, "s");
    assert_false(is_stage(fixture, "scaled"));
    check_equals(fixture, "context", "attention(E, E, E, scale=1)");
    assert_shown(fixture, "not scaled");
    type(fixture, "++");
    check_equals(fixture, "context", "attention(E, E, E, scale=0.5)");
    assert_shown(fixture, "temperature 2");
    type(fixture, "s-");
    check_equals(fixture, "weights", "attention_weights(E, E, scale=1/(sqrt(3)*sqrt(2)))");
    type(fixture, "-");
    check_equals(fixture, "context", "attention(E, E, E)");
    assert_close(fixture->explorer.pipeline.options.temperature, 1, 0);
    type(fixture, "----------------");
    assert_shown(fixture, "the temperature goes from 1/64 to 64");
    check_equals(fixture, "weights", "attention_weights(E, E, scale=64/sqrt(3))");
}

static void heads_are_the_librarys(void **state)
{
    struct fixture *fixture = *state;
    static const unsigned heads[] = {2, 3, 4, 6};
    for (size_t i = 0; i < COUNT_OF(heads); i++) {
        char call[128];
        type(fixture, "H\n");
        assert_int_equal(fixture->explorer.pipeline.options.n_heads, heads[i]);
        snprintf(call, sizeof call, "multi_head_attention(X, W_q, W_k, W_v, %u, W_o)", heads[i]);
        check_equals(fixture, "output", call);
        type(fixture, "m");
        snprintf(call, sizeof call,
                 "multi_head_attention(X, W_q, W_k, W_v, %u, W_o, is_causal=True)", heads[i]);
        check_equals(fixture, "output", call);
        type(fixture, "mm");
    }
    show(fixture, "weights");
    type(fixture, "3");
    assert_shown(fixture, "head 3/6");
    assert_int_equal(explorer_ops.bindings[0].request, REQ_OPEN);
    type(fixture, "7");
    assert_shown(fixture, "there is no head 7");
    explorer_request(&fixture->explorer, REQ_HEAD, KEYCODE_DIGIT); /* from the command palette */
    assert_int_equal(fixture->explorer.head, 0);
    type(fixture, "H\nH\nH\nH\n"); /* 8, 12, 16, and one again */
    assert_int_equal(fixture->explorer.pipeline.options.n_heads, 1);
    assert_false(is_stage(fixture, "output"));
    type(fixture, "2");
    assert_shown(fixture, "one head: H makes more");
}

/* H asks how many: a number is taken, nothing is the next one, and what is impossible is said. */
static void heads_are_asked_for(void **state)
{
    struct fixture *fixture = *state;
    const struct pipeline_options *options = &fixture->explorer.pipeline.options;
    type(fixture, "H");
    assert_shown(fixture, "heads (now 1): 1 to 16; Enter alone: 2, Esc cancels");
    type(fixture, "12\n");
    assert_int_equal(options->n_heads, 12);
    assert_shown(fixture, "head 1/12");
    static const char *const wrong[] = {"0\n",  "17\n", "two\n",
                                        "2x\n", "-3\n", "99999999999999999999999\n"};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        type(fixture, "H");
        type(fixture, wrong[i]);
        assert_shown(fixture, "this is not a number of heads; type one from 1 to 16");
        assert_true(fixture->explorer.is_typing); /* it can be mended */
        assert_int_equal(options->n_heads, 12);
        type(fixture, "$$");
        assert_false(fixture->explorer.is_typing);
    }
    type(fixture, "H 5 \n"); /* no step of those that Enter goes through */
    assert_int_equal(options->n_heads, 5);
    check_equals(fixture, "output", "multi_head_attention(X, W_q, W_k, W_v, 5, W_o)");
    type(fixture, "H");
    assert_shown(fixture, "heads (now 5): 1 to 16; Enter alone: 6, Esc cancels");
    type(fixture, "\n");
    assert_int_equal(options->n_heads, 6);
}

static void a_head_is_followed_down_and_edited(void **state)
{
    struct fixture *fixture = *state;
    type(fixture, "H\n");
    show(fixture, "weights");
    type(fixture, "2_>\n");
    assert_shown(fixture, "weights[1, \"shiny\", \"shiny\"] = ");
    type(fixture, "\n\n\n"); /* scaled, scores, Q */
    assert_shown(fixture, "Q[1, \"shiny\", 0] = ");
    assert_int_equal(fixture->explorer.head, 1);
    type(fixture, "e3\n");
    assert_close(number(fixture, "Q", 12), 3, 0);
    check_equals(fixture, "output",
                 "merge_heads(softmax(Q @ K.transpose(-2, -1) / sqrt(3), "
                 "dim=-1) @ V) @ W_o");
}

static void views(void **state)
{
    struct fixture *fixture = *state;
    show(fixture, "weights");
    type(fixture, "_>v");
    assert_shown(fixture, "each row: 0");
    assert_shown(fixture, "[0.376]");
    assert_string_equal(marked(fixture, MARK_REVERSE), "");
    type(fixture, "v");
    draw(fixture);
    assert_string_equal(row_text(fixture, 2),
                        "query                                         key   weight");
    assert_string_equal(row_text(fixture, 4),
                        "shiny ─────────────┼━━━━━━━━━━━━━━━━━━━━━━━━━ shiny 0.376");
    assert_string_equal(marked(fixture, MARK_REVERSE), "shiny|shiny|0.376");
    type(fixture, "v");
    assert_int_equal(fixture->explorer.view, EXPLORE_NUMBERS);
}

/* Lines are drawn for weights; elsewhere v leaves them out, says so, and stays in its stage. */
static void lines_are_for_weights(void **state)
{
    struct fixture *fixture = *state;
    type(fixture, "vv");
    assert_int_equal(fixture->explorer.view, EXPLORE_NUMBERS);
    assert_shown(fixture, "[E]");
    assert_shown(fixture, "lines are drawn for weights: g w goes there");
    show(fixture, "weights");
    type(fixture, "vvm");
    assert_shown(fixture, "[weights]");
    draw(fixture);
    assert_string_equal(row_text(fixture, 3),
                        "Hello ──────────────═════════════════════════ Hello 1");
    assert_non_null(strstr(row_text(fixture, 4), "shiny hidden"));
    assert_null(strstr(row_text(fixture, 4), "━"));
    fixture->ascii = true;
    type(fixture, "__");
    assert_shown(fixture, "sun   -------------+========================= sun   0.3");
    assert_shown(fixture, "... < 0.1  --- < 0.3  === < 0.6  ### more");
}

static const char *stage_shown(struct fixture *fixture)
{
    return fixture->explorer.pipeline.stages[fixture->explorer.stage].name;
}

static void stages_by_their_letters(void **state)
{
    struct fixture *fixture = *state;
    type(fixture, "g");
    assert_shown(fixture, "go to: E Q K V scores scaled weights context  g first row");
    type(fixture, "w");
    assert_string_equal(stage_shown(fixture), "weights");
    type(fixture, "gs");
    assert_string_equal(stage_shown(fixture), "scores");
    type(fixture, "gs");
    assert_string_equal(stage_shown(fixture), "scaled");
    type(fixture, "gz");
    assert_shown(fixture, "no stage begins with that letter");
    assert_string_equal(stage_shown(fixture), "scaled");
    type(fixture, "g$");
    assert_not_shown(fixture, "go to:");
    type(fixture, "G");
    assert_int_equal(fixture->explorer.row, 2);
    type(fixture, "gg");
    assert_int_equal(fixture->explorer.row, 0);
}

static void the_temperature_goes_back_to_one(void **state)
{
    struct fixture *fixture = *state;
    type(fixture, "+++");
    assert_shown(fixture, "temperature 2.83");
    type(fixture, "=");
    assert_close(fixture->explorer.pipeline.options.temperature, 1, 0);
    type(fixture, "-0");
    assert_close(fixture->explorer.pipeline.options.temperature, 1, 0);
}

/* Mask, scale and temperature are seen whatever is said. */
static void messages_hide_no_state(void **state)
{
    struct fixture *fixture = *state;
    type(fixture, "m9");
    assert_shown(fixture, "one head: H makes more");
    assert_shown(fixture, "causal mask, scaled, temperature 1");
    type(fixture, "_");
    assert_not_shown(fixture, "one head");
}

static void a_row_that_adds_up_to_less_says_so(void **state)
{
    struct fixture *fixture = *state;
    show(fixture, "weights");
    type(fixture, "me0.9\n"); /* "Hello" sees itself alone */
    assert_shown(fixture, "weights[\"Hello\", \"Hello\"] = 0.9: the row sums to 0.9;");
    type(fixture, "u");
    assert_shown(fixture, "taken back: weights[\"Hello\", \"Hello\"] = 0.9; no edits");
    type(fixture, "[e5\n");
    assert_not_shown(fixture, "sums to");
}

/* Long arithmetic begins at its beginning, and says how much there is below. */
static void long_arithmetic_begins_at_its_beginning(void **state)
{
    struct fixture *fixture = *state;
    set_words(fixture, 40);
    show(fixture, "weights");
    type(fixture, "\n");
    assert_shown(fixture, "weights[\"aa\", \"aa\"] = ");
    assert_shown(fixture, "PgDn: ");
    assert_not_shown(fixture, "PgUp: ");
    explorer_request(&fixture->explorer, REQ_PAGE_DOWN, 0);
    assert_shown(fixture, "PgUp: 4 more");
    explorer_request(&fixture->explorer, REQ_PAGE_UP, 0);
    assert_not_shown(fixture, "PgUp: ");
    type(fixture, "_"); /* what is chosen is seen */
    assert_shown(fixture, "PgUp: ");
    for (int i = 0; i < 30; i++)
        explorer_request(&fixture->explorer, REQ_PAGE_DOWN, 0);
    assert_not_shown(fixture, "PgDn: ");
}

/* What is more stands on the line above the arithmetic, where it covers no number. */
static void what_is_more_covers_nothing(void **state)
{
    struct fixture *fixture = *state;
    set_words(fixture, 40);
    show(fixture, "weights");
    type(fixture, "\n");
    explorer_request(&fixture->explorer, REQ_PAGE_DOWN, 0);
    draw(fixture);
    int rule = find_row(fixture, "PgUp: 4 more  PgDn: ");
    assert_true(rule > 0);
    assert_non_null(strstr(row_text(fixture, rule), "\xE2\x94\x80\xE2\x94\x80"));
    assert_int_equal(find_row(fixture, "weights[\"aa\", \"aa\"] = "), rule + 1);
}

static void a_long_name_leaves_the_number(void **state)
{
    struct fixture *fixture = *state;
    set_sentence(fixture, "Donaudampfschifffahrtsgesellschaft Rindfleischetikettierung");
    resize(fixture, 20, 40);
    show(fixture, "weights");
    char text[48], wanted[64];
    number_short(number(fixture, "weights", 0), 3, text);
    snprintf(wanted, sizeof wanted, ".. = %s", text);
    assert_shown(fixture, wanted);
}

static void nothing_but_ascii(void **state)
{
    struct fixture *fixture = *state;
    set_sentence(fixture, "caf\xC3\xA9 \xE6\x97\xA5\xE6\x9C\xAC sun");
    fixture->ascii = true;
    type(fixture, "m");
    static const char *const steps[] = {"]", "]", "]", "]", "\n", "\n", "~", "~", "v", "v", "e"};
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        type(fixture, steps[i]);
        draw(fixture);
        for (int row = 0; row < ROWS; row++)
            for (const char *c = row_text(fixture, row); *c != '\0'; c++)
                assert_true((unsigned char)*c < 0x80);
    }
}

static void sentences(void **state)
{
    struct fixture *fixture = *state;
    struct error error;
    set_sentence(fixture, "cat");
    check_equals(fixture, "context", "E");
    type(fixture, "m");
    assert_int_equal(fixture->explorer.pipeline.options.mask, PIPELINE_CAUSAL);
    type(fixture, "m"); /* the only word can't be hidden */
    assert_int_equal(fixture->explorer.pipeline.options.mask, PIPELINE_NO_MASK);
    assert_error(explorer_set_sentence(&fixture->explorer, " ?! ", &error), error, ERR_NAME);
    assert_string_equal(fixture->explorer.pipeline.sentence, "cat");
    char many[400] = "";
    for (size_t i = 0; i < 65; i++)
        memcpy(many + 2 * i, "a ", sizeof "a ");
    assert_error(explorer_set_sentence(&fixture->explorer, many, &error), error, ERR_LIMIT);
    assert_int_equal(node_of(fixture, "E")->value.shape[0], 1);
    set_sentence(fixture, "say \"hi\\n\"; reset");
    assert_int_equal(node_of(fixture, "E")->value.shape[0], 4);
}

static void unknown_words_are_told(void **state)
{
    struct fixture *fixture = *state;
    set_sentence(fixture, "Hello zyx");
    assert_shown(fixture, "\"zyx\" is not in attn's table");
    type(fixture, "]");
    assert_not_shown(fixture, "\"zyx\" is not in attn's table");
}

static void padding_goes_with_the_second_word(void **state)
{
    struct fixture *fixture = *state;
    type(fixture, "mm");
    assert_int_equal(fixture->explorer.pipeline.options.mask, PIPELINE_PADDING);
    set_sentence(fixture, "sun");
    assert_int_equal(fixture->explorer.pipeline.options.mask, PIPELINE_NO_MASK);
}

/* Every cell of 64 x 64 can be reached and is seen, on any pane. */
static void sixty_four_words(void **state)
{
    struct fixture *fixture = *state;
    set_words(fixture, 64);
    type(fixture, "m+");
    check_equals(fixture, "context", "attention(E, E, E, is_causal=True, scale=1/sqrt(6))");
    static const int sizes[][2] = {{20, 60}, {12, 38}, {48, 150}, {6, 20}, {3, 10}, {1, 5}};
    for (size_t s = 0; s < COUNT_OF(sizes); s++) {
        resize(fixture, sizes[s][0], sizes[s][1]);
        fixture->explorer.view = EXPLORE_CHAIN;
        show(fixture, "scores");
        explorer_request(&fixture->explorer, REQ_TOP, 0);
        fixture->explorer.col = 0;
        for (int i = 0; i < 63; i++) { /* of the whole chain, one more leads to another stage */
            type(fixture, "_>");
            if (i % 9 == 0 && sizes[s][0] > 3)
                assert_true(strlen(marked(fixture, MARK_REVERSE)) >=
                            (sizes[s][1] < 150 ? 5U : 2U)); /* 2: a block of the whole chain */
            draw(fixture);
        }
        assert_int_equal(fixture->explorer.row, 63);
        assert_int_equal(fixture->explorer.col, 63);
        for (int i = 0; i < 63; i++)
            type(fixture, "<");
        type(fixture, "\n\nv");
        draw(fixture);
        type(fixture, "~~");
        for (int i = 0; i < 64; i++) {
            if (sizes[s][0] > 11)
                assert_non_null(strpbrk(marked(fixture, MARK_BOLD), "[X"));
            type(fixture, "^>");
        }
        type(fixture, "v");
        draw(fixture);
        type(fixture, "v");
    }
}

/* Scrolling does not move while the cursor does inside of what is seen. */
static void scrolls_at_the_edges(void **state)
{
    struct fixture *fixture = *state;
    set_sentence(fixture, "a b c d e f g h i j k l m n o p q r s t");
    resize(fixture, 12, 60);
    show(fixture, "E");
    for (int i = 0; i < 12; i++)
        type(fixture, "_");
    size_t first = fixture->explorer.first_row;
    assert_true(first > 0);
    type(fixture, "^^");
    assert_int_equal(fixture->explorer.first_row, first);
    draw(fixture);
    assert_string_equal(marked(fixture, MARK_REVERSE) + 5, "");
    resize(fixture, 40, 60);
    assert_int_equal(fixture->explorer.first_row, 0);
}

static void any_size(void **state)
{
    struct fixture *fixture = *state;
    static const char *const keys[] = {"", "]]]]]]", "\n", "\n", "H", "\n", "vv", "~~~~", "e1.5"};
    for (size_t k = 0; k < COUNT_OF(keys); k++) {
        type(fixture, keys[k]);
        for (int rows = 1; rows < 30; rows += rows < 8 ? 1 : 5)
            for (int cols = 1; cols < 120; cols += cols < 8 ? 1 : 13) {
                resize(fixture, rows, cols);
                draw(fixture);
                for (int row = 0; row < rows; row += 2)
                    explorer_click(&fixture->explorer, canvas_area(&fixture->canvas), row, cols / 2,
                                   false);
                draw(fixture);
            }
    }
}

static void clicks(void **state)
{
    struct fixture *fixture = *state;
    click(fixture, "scores", 1, false);
    assert_shown(fixture, "[scores]");
    click(fixture, "1.249", 2, false);
    assert_int_equal(fixture->explorer.row, 1);
    assert_int_equal(fixture->explorer.col, 2);
    click(fixture, "1.357", 0, true);
    assert_int_equal(fixture->explorer.depth, 1);
    click(fixture, "K[\"shiny\", 0] = 0.53", 0, false);
    assert_int_equal(fixture->explorer.path[0].choice, 1);
    click(fixture, "K[\"shiny\", 1] = 0.34", 3, true);
    assert_int_equal(fixture->explorer.depth, 2);
    assert_shown(fixture, "[K]");
    type(fixture, "~~vvv");
    show(fixture, "weights");
    fixture->explorer.view = EXPLORE_WORDS;
    click(fixture, "sun", 0, false);
    assert_int_equal(fixture->explorer.row, 2);
    click(fixture, "shiny 0.", 30, false);
    assert_int_equal(fixture->explorer.row, 2);
    assert_int_equal(fixture->explorer.col, 1);
    struct area area = canvas_area(&fixture->canvas);
    assert_false(explorer_click(&fixture->explorer, area, ROWS - 1, 0, false));
}

static struct node *prompt_node(struct lang *lang, const char *lines, const char *name)
{
    lang_run(lang, lines);
    return lang_node(lang, name);
}

static void shows_a_tensor_of_the_prompt(void **state)
{
    struct fixture *fixture = *state;
    struct lang lang;
    struct error error;
    lang_open(&lang);
    struct node *y = prompt_node(&lang,
                                 "x = [[1, 2], [3, 4]]\nW = [[1, 0], [0, 2]]\n"
                                 "y = exp(x @ W) + softmax(x, dim=-1)",
                                 "y");
    struct text was = {0}, is = {0};
    lang_describe(&lang, &was);
    assert_true(explorer_show_node(&fixture->explorer, y, &error));
    assert_shown(fixture, "[y]");
    assert_shown(fixture, "x W > ");
    check_equals(fixture, "y", "exp(x @ W) + softmax(x, dim=-1)");
    show(fixture, "x");
    type(fixture, "e5\n");
    assert_close(number(fixture, "y", 0), exp(5) + 1 / (1 + exp(-3.0)), 1e-3);
    show(fixture, "y");
    assert_shown(fixture, "*");
    type(fixture, "u");
    assert_close(number(fixture, "y", 0), exp(1) + 1 / (1 + exp(1.0)), 1e-4);
    type(fixture, "m");
    assert_shown(fixture, "this key is for a sentence");
    show(fixture, "x");
    type(fixture, "]]");
    type(fixture, "e1\n"); /* a tensor without a name */
    assert_int_equal(fixture->explorer.pipeline.n_edits, 0);
    lang_describe(&lang, &is);
    assert_string_equal(text_string(&was), text_string(&is));
    text_release(&was);
    text_release(&is);
    lang_close(&lang);
    draw(fixture); /* it holds copies */
    set_sentence(fixture, "Hello sun");
    check_equals(fixture, "context", "attention(E, E, E)");
}

static void shows_tensors_of_any_shape(void **state)
{
    struct fixture *fixture = *state;
    struct lang lang;
    struct error error;
    static const char *const made[] = {
        "a = sqrt(2)",          "a = arange(30) * 2", "a = zeros(0, 3) + 1",
        "a = ones(2, 3, 4, 5)", "a = arange(3) > 1",  "a = randn(300, 200) @ randn(200, 100)",
        "a = X\na = a * 2"};
    lang_open(&lang);
    lang_run(&lang, "X = embed(\"Hello sun\")");
    for (size_t i = 0; i < COUNT_OF(made); i++) {
        struct node *a = prompt_node(&lang, made[i], "a");
        assert_true(explorer_show_node(&fixture->explorer, a, &error));
        for (const char *keys = "__>>\n_\n~vv~v3e2"; *keys != '\0'; keys++) {
            char key[2] = {*keys, '\0'};
            type(fixture, key);
            draw(fixture);
        }
        type(fixture, "\nu");
        draw(fixture);
    }
    lang_close(&lang);
}

static bool show_again(struct fixture *fixture, const char *sentence, struct error *error)
{
    return explorer_set_sentence(&fixture->explorer, sentence, error);
}

static void failed_allocations(void **state)
{
    struct fixture *fixture = *state;
    struct error error;
    struct lang lang;
    struct explorer other;
    show(fixture, "scores");
    type(fixture, "\n");
    fixture->explorer.rows = 0; /* scrolling does without memory */
    assert_reports_failed_allocations(show_again(fixture, "the cat", &error), error);
    check_equals(fixture, "context", "attention(E, E, E)");
    lang_open(&lang);
    struct node *y = prompt_node(&lang, "x = [[1, 2], [3, 4]]\ny = x @ x", "y");
    assert_reports_failed_allocations(explorer_show_node(&fixture->explorer, y, &error), error);
    lang_close(&lang);
    assert_reports_failed_allocations(
        explorer_init(&other, &explorer_plain, testing_data_dir(), NULL, &error), error);
    explorer_release(&other);
}

/* Keys and drawing when any allocation fails: what is shown is what was, or is new, never half. */
static void failed_allocations_at_keys(void **state)
{
    struct fixture *fixture = *state;
    static const char *const keys[] = {"m", "+", "H", "\n", "v", "v", "\n", "_", "\n", "~"};
    for (size_t k = 0; k < COUNT_OF(keys); k++)
        for (long nth = 1; nth < 400; nth += nth < 40 ? 1 : 37) {
            testing_fail_allocation(nth);
            type(fixture, keys[k]);
            testing_fail_allocation(nth % 60 + 1);
            draw(fixture);
            testing_fail_allocation(0);
            draw(fixture);
        }
    show(fixture, "E");
    for (long nth = 1; nth < 300; nth += 3) {
        type(fixture, "e0.7");
        testing_fail_allocation(nth);
        type(fixture, "\n");
        testing_fail_allocation(nth);
        type(fixture, "u");
        testing_fail_allocation(0);
        draw(fixture);
        while (fixture->explorer.pipeline.n_edits > 0)
            type(fixture, "u");
        assert_close(number(fixture, "E", 0), 0.34, 1e-6);
    }
}

static void as_many_edits_as_are_remembered(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < PIPELINE_MAX_EDITS + 2; i++) {
        char keys[16];
        snprintf(keys, sizeof keys, "e%d\n", i);
        type(fixture, keys);
    }
    assert_shown(fixture, "64 edits are remembered");
    assert_close(number(fixture, "E", 0), 63, 0);
    type(fixture, "m");
    assert_close(number(fixture, "E", 0), 63, 0);
    for (int i = 0; i < PIPELINE_MAX_EDITS; i++)
        type(fixture, "u");
    assert_close(number(fixture, "E", 0), 0.34, 1e-6);
    check_equals(fixture, "context", "attention(E, E, E, is_causal=True)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        explorer_unit_test(starts_with_the_embeddings),
        explorer_unit_test(stages_are_the_librarys),
        explorer_unit_test(cursor_stays_inside),
        explorer_unit_test(descends_to_an_embedding),
        explorer_unit_test(chooses_a_parent),
        explorer_unit_test(cells_it_was_made_from_are_lit),
        explorer_unit_test(typed_numbers_are_no_choice),
        explorer_unit_test(an_edit_repaints_downstream),
        explorer_unit_test(changed_cells_are_marked),
        explorer_unit_test(small_weights_are_not_cut_off),
        explorer_unit_test(edits_are_undone_one_by_one),
        explorer_unit_test(a_projection_is_edited_on_the_way_down),
        explorer_unit_test(edits_below_leave_the_stages_above),
        explorer_unit_test(only_numbers_are_taken),
        explorer_unit_test(edits_stay_when_settings_change),
        explorer_unit_test(an_edit_of_a_stage_that_goes_is_undone),
        explorer_unit_test(arithmetic_follows_an_edit),
        explorer_unit_test(masks),
        explorer_unit_test(scale_and_temperature),
        explorer_unit_test(heads_are_the_librarys),
        explorer_unit_test(heads_are_asked_for),
        explorer_unit_test(a_head_is_followed_down_and_edited),
        explorer_unit_test(views),
        explorer_unit_test(lines_are_for_weights),
        explorer_unit_test(nothing_but_ascii),
        explorer_unit_test(sentences),
        explorer_unit_test(unknown_words_are_told),
        explorer_unit_test(padding_goes_with_the_second_word),
        explorer_unit_test(sixty_four_words),
        explorer_unit_test(scrolls_at_the_edges),
        explorer_unit_test(any_size),
        explorer_unit_test(clicks),
        explorer_unit_test(shows_a_tensor_of_the_prompt),
        explorer_unit_test(shows_tensors_of_any_shape),
        explorer_unit_test(failed_allocations),
        explorer_unit_test(failed_allocations_at_keys),
        explorer_unit_test(as_many_edits_as_are_remembered),
        explorer_unit_test(stages_by_their_letters),
        explorer_unit_test(the_temperature_goes_back_to_one),
        explorer_unit_test(messages_hide_no_state),
        explorer_unit_test(a_row_that_adds_up_to_less_says_so),
        explorer_unit_test(long_arithmetic_begins_at_its_beginning),
        explorer_unit_test(what_is_more_covers_nothing),
        explorer_unit_test(a_long_name_leaves_the_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
