/* Input from the keyboard and the mouse, and the requests that it makes.
 *
 * Keys become requests by tables, one for each pane: the same table feeds the key bar, the help and
 * the palette, so that no key is a secret. */
#ifndef ATTN_UI_TERMINAL_INPUT_H
#define ATTN_UI_TERMINAL_INPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Keys that are not characters; their numbers are above all of Unicode. */
enum key {
    KEYCODE_NONE = 0,
    KEYCODE_CTRL_C = 3,
    KEYCODE_TAB = 9,
    KEYCODE_ENTER = 13,
    KEYCODE_CTRL_Q = 17,
    KEYCODE_ESCAPE = 27,
    KEYCODE_BACKSPACE = 127,
    KEYCODE_UP = 0x200000,
    KEYCODE_DOWN,
    KEYCODE_LEFT,
    KEYCODE_RIGHT,
    KEYCODE_HOME,
    KEYCODE_END,
    KEYCODE_PAGE_UP,
    KEYCODE_PAGE_DOWN,
    KEYCODE_DELETE,
    KEYCODE_BACK_TAB,
    KEYCODE_F1,
    KEYCODE_F2,
    KEYCODE_F6,
    KEYCODE_F9,
    KEYCODE_SHIFT_F6,
    KEYCODE_SHIFT_UP, /* moves the chosen row */
    KEYCODE_SHIFT_DOWN,
    KEYCODE_SHIFT_LEFT,
    KEYCODE_SHIFT_RIGHT,
    KEYCODE_PASTE_END,        /* the end of a pasted text */
    KEYCODE_DIGIT = 0x300000, /* in a binding: any of 1 to 9 */
    KEYCODE_ALT = 0x400000,   /* added to a character that came right after Escape */
};

enum input_kind { INPUT_NONE, INPUT_KEY, INPUT_CLICK, INPUT_WHEEL, INPUT_RESIZE, INPUT_GONE };

struct input {
    enum input_kind kind;
    int key;      /* INPUT_KEY: a code point or enum key */
    int row, col; /* INPUT_CLICK and INPUT_WHEEL: on the screen, from 0 */
    int steps;    /* INPUT_WHEEL: down; negative: up */
    bool is_double;
    bool is_pasted; /* INPUT_KEY: a character, Tab or Enter of a paste, or its end: nobody pressed a
                     * key */
};

/* All requests of keys; panes take their own. */
enum request {
    REQ_NONE,
    /* everywhere */
    REQ_QUIT,
    REQ_HELP,
    REQ_SEARCH_HELP,
    REQ_COMMAND_PALETTE,
    REQ_NEXT_PANE,
    REQ_PREVIOUS_PANE,
    REQ_PROMPT,
    REQ_REDRAW,
    REQ_MOUSE,    /* on, or off */
    REQ_LEAVE,    /* up one level; from home, out of attn */
    REQ_ZOOM,     /* the pane in focus has the whole screen, or gives it back */
    REQ_NARROWER, /* the border between two panes */
    REQ_WIDER,
    REQ_COPY_NUMBER,
    REQ_COPY_TABLE,
    REQ_SAVE_PICTURE,
    REQ_FIND,  /* in the text that is read */
    REQ_CLOSE, /* closes the pane on top: help, palette; or goes back home */
    /* moving */
    REQ_UP,
    REQ_DOWN,
    REQ_LEFT,
    REQ_RIGHT,
    REQ_PAGE_UP,
    REQ_PAGE_DOWN,
    REQ_TOP,
    REQ_BOTTOM,
    REQ_OPEN,   /* Enter */
    REQ_PARENT, /* Backspace */
    /* lessons */
    REQ_NEXT_PAGE,
    REQ_PREVIOUS_PAGE,
    REQ_HINT,
    REQ_SKIP,
    REQ_MOVE_UP,
    REQ_MOVE_DOWN,
    REQ_TOGGLE,
    /* explorer */
    REQ_NEXT_STAGE,
    REQ_PREVIOUS_STAGE,
    REQ_EDIT,
    REQ_UNDO,
    REQ_MASK,
    REQ_SCALE,
    REQ_HOTTER,
    REQ_COLDER,
    REQ_TEMPERATURE_ONE,
    REQ_GO_TO_STAGE, /* the next key names the stage */
    REQ_HEAD,        /* with the digit as its number */
    REQ_HEADS,       /* changes their number */
    REQ_VIEW,        /* numbers, heatmap, words */
    REQ_COLOURS,     /* changes the scale of the heatmap's colours */
    REQ_MARK_HEAD,   /* the shown head: its lines are drawn together with others */
    REQ_ALL_LINES,   /* of all words, or of the word under the cursor */
    REQ_SENTENCE,
    /* heads of a model */
    REQ_NEXT_HEAD,
    REQ_PREVIOUS_HEAD,
    REQ_NEXT_LAYER,
    REQ_PREVIOUS_LAYER,
    REQ_CUT_ZERO,
    REQ_CUT_MEAN,
    REQ_BY_LENGTH,
    REQ_HIDE_SINK,
    REQ_ADD_WORD,
    REQ_DRAW_WORD, /* draws the next word, by its probability; or takes the likeliest */
    REQ_LIKELIEST_WORD,
    REQ_NEXT_DIAL, /* temperature, top-k, top-p, seed; turned down or up; all reset */
    REQ_DIAL_DOWN,
    REQ_DIAL_UP,
    REQ_RESET_DIALS,
    REQ_STORY,
    REQ_CHART, /* of the model's parts */
    REQ_WORDS, /* a list of the words that the model knows */
    REQ_RANK,
    REQ_RANK_BACK,
    REQ_SORT,
    REQ_COMPARE,
    REQ_PATCH,
    REQ_ZOOM_OUT,
    REQ_ZOOM_IN,
    /* a training */
    REQ_PAUSE,
    REQ_BRANCH,
    REQ_NEXT_BRANCH,
    REQ_OPEN_MODEL,
    REQ_SAVE_MODEL,
    REQ_SAVE_AND_LEAVE,
    REQ_LEAVE_UNSAVED,
    /* exercises */
    REQ_EDITOR,
    REQ_CHECK,
    REQ_NEXT_EXERCISE,
    REQ_PREVIOUS_EXERCISE,
    REQ_SHOWN,     /* the matrices that the learner's program shows */
    REQ_WORKSPACE, /* makes the folder for the learner's files */
};

struct binding {
    int key;
    enum request request;
    const char *label; /* in the key bar: "next"; NULL: not in the key bar */
    const char *help;  /* one sentence; NULL: the same as an earlier binding */
};

/* The request of a key in a table that ends with key KEYCODE_NONE. */
enum request binding_find(const struct binding *bindings, int key);
/* "Tab", "Enter", "^C", "+", "F1". Returns text. */
char *key_text(int key, char text[16]);
/* The character of a key in UTF-8, without a NUL. Returns its size; 0 for keys that are not
 * characters. */
enum { KEY_BYTES = 4 };
size_t key_bytes(int key, char bytes[KEY_BYTES]);

#endif
