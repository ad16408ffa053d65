/* The keys of the heads pane. */
#include "ui/panes/heads/heads_pane_internal.h"

/* The most important first: those are on the key bar of a narrow screen. */
#define OPENS                                                                                   \
    {KEYCODE_ENTER, REQ_OPEN, "open",                                                           \
     "opens the head under the cursor; in it the arithmetic of a number, and goes down in it"}, \
        {'t', REQ_SENTENCE, "text", "types another text in place of this one"},                 \
    {                                                                                           \
        'n', REQ_DRAW_WORD, "next word",                                                        \
            "draws the next word by the probabilities that are shown, and adds it to the text"  \
    }
#define CUTS                                                                                       \
    {'0', REQ_CUT_ZERO, "cut",                                                                     \
     "cuts the head: what it read becomes 0, and all that comes after it is computed again; once " \
     "more puts it back"},                                                                         \
        {'u', REQ_UNDO, "undo",                                                                    \
         "takes back the last drawn word; else puts all heads back that are cut, and "             \
         "the text as it was before tokens were changed"},                                         \
    {                                                                                              \
        'b', REQ_RANK, "rank",                                                                     \
            "ranks the heads by how far they attend as a pattern that has a name, to the token "   \
            "before, say; once more by the next pattern, at last by what cutting each does"        \
    }
#define REST                                                                                       \
    {'o', REQ_SORT, "best first",                                                                  \
     "puts the heads in the order of their ranks, or back in layers"},                             \
        {'c', REQ_COMPARE, "compare",                                                              \
         "types a second text, B, to see beside the first, A, what changes; once more ends that"}, \
        {'a', REQ_STORY, "another story",                                                          \
         "reads another story of those that the model learnt "                                     \
         "from, up to a word that could be known"},                                                \
        {'w', REQ_ADD_WORD, "add word", "types a word that is put at the end of the text"},        \
        {'e', REQ_EDIT, "edit token",                                                              \
         "types another token in place of one; the next word is then marked where it moved"},      \
        {'m', REQ_CUT_MEAN, "mean",                                                                \
         "puts the mean over all positions in the place of what the head read; once more puts it " \
         "back"},                                                                                  \
        {'N', REQ_LIKELIEST_WORD, "likeliest", "adds the likeliest next word to the text"},        \
        {'T', REQ_NEXT_DIAL, "temperature, top-k, ...",                                            \
         "goes to the next of temperature, top-k, top-p and seed, by which the next word is "      \
         "drawn"},                                                                                 \
        {',', REQ_DIAL_DOWN, NULL, "turns it down: temperature, top-k, top-p or seed"},            \
        {'.', REQ_DIAL_UP, NULL, "turns it up"},                                                   \
        {'=', REQ_RESET_DIALS, NULL, "sets temperature, top-k and top-p back"},                    \
        {'i', REQ_CHART, "inside model",                                                           \
         "shows the model's own chart: its layers, what attention and MLP add to the stream, and " \
         "where the head under the cursor is; once more the next word"},                           \
        {'W', REQ_WORDS, "known words", "lists the words that the model knows, by kind"},          \
        {'B', REQ_RANK_BACK, NULL, "ranks the heads by the pattern before"},                       \
        {'p', REQ_PATCH, "from A",                                                                 \
         "in a comparison, puts the head under the cursor, or in one head the place of its "       \
         "query, from A into B"},                                                                  \
        {KEYCODE_UP, REQ_UP, NULL, "goes to the layer before; in one head, to the query above"},   \
        {KEYCODE_DOWN, REQ_DOWN, NULL, "goes to the next layer; in one head, to the query below"}, \
        {KEYCODE_LEFT, REQ_LEFT, NULL, "goes to the head before; in one head, to the key before"}, \
        {KEYCODE_RIGHT, REQ_RIGHT, NULL, "goes to the next head; in one head, to the next key"},   \
        {KEYCODE_PAGE_UP, REQ_PAGE_UP, NULL, "goes up by several layers or queries"},              \
        {KEYCODE_PAGE_DOWN, REQ_PAGE_DOWN, NULL, "goes down by several"},                          \
        {KEYCODE_HOME, REQ_TOP, NULL, "goes to the first layer or query"},                         \
        {KEYCODE_END, REQ_BOTTOM, NULL, "goes to the last one"},                                   \
        {KEYCODE_ESCAPE, REQ_CLOSE, NULL, "closes the arithmetic, then the head"},                 \
    {                                                                                              \
        KEYCODE_NONE, REQ_NONE, NULL, NULL                                                         \
    }
#define OF_ONE                                                                                   \
    {']', REQ_NEXT_HEAD, "[ next head", "shows the next head, as Shift-Right does"},             \
        {'}', REQ_NEXT_LAYER, "{ next layer",                                                    \
         "shows the same head of the next layer, as Shift-Down"},                                \
        {'v', REQ_VIEW, "view", "shows numbers, a heatmap, or words with lines between them"},   \
        {' ', REQ_MARK_HEAD, "mark head",                                                        \
         "marks the head, or takes the mark away: the lines of all marked heads of the layer "   \
         "are drawn over each other"},                                                           \
        {'L', REQ_ALL_LINES, "all lines",                                                        \
         "draws the lines of all words, or only of the word under the cursor"},                  \
        {'s', REQ_HIDE_SINK, "hide sink",                                                        \
         "hides the key that gets most attention, and scales the rest of each row to add up to " \
         "1"},                                                                                   \
        {'d', REQ_BY_LENGTH, "by length",                                                        \
         "shows each weight times the length of its key's value: what it brings"},               \
        {'r', REQ_COLOURS, NULL, "changes what the colours of the heatmap stand for"},           \
        {'-', REQ_ZOOM_OUT, "+ zoom",                                                            \
         "draws the head smaller: half blocks, then the means of 2 x 2 numbers, of 4 x 4, ..."}, \
        {'+', REQ_ZOOM_IN, NULL, "draws it larger, in the end with its numbers"},                \
        {KEYCODE_BACKSPACE, REQ_PARENT, "up",                                                    \
         "comes back up: in the arithmetic, then to all heads"},                                 \
        {'[', REQ_PREVIOUS_HEAD, NULL, "shows the head before, as Shift-Left"},                  \
    {                                                                                            \
        '{', REQ_PREVIOUS_LAYER, NULL, "shows the same head of the layer before, as Shift-Up"    \
    }

/* All keys; and those of the key bar while all heads are shown. */
const struct binding heads_bindings[] = {OPENS, CUTS, OF_ONE, REST};
const struct binding heads_grid_bindings[] = {OPENS, CUTS, REST};

const struct binding heads_typing_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "read it", "accepts what you typed"},
    {KEYCODE_TAB, REQ_NONE, "complete", "completes a word, or lists those that the model knows"},
    {KEYCODE_ESCAPE, REQ_CLOSE, "clear, leave",
     "empties the field; if it is empty, leaves things as they were"},
    {KEYCODE_CTRL_Q, REQ_LEAVE, "leave", NULL},
    {KEYCODE_F1, REQ_SEARCH_HELP, "search help", "searches all help"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};
