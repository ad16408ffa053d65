/* Shared by the files of the application: its state, and their functions. See app.h. */
#ifndef ATTN_UI_APP_APP_INTERNAL_H
#define ATTN_UI_APP_APP_INTERNAL_H

#include "ui/app/app.h"
#include "shell/shell.h"
#include "ui/app/layout.h"
#include "ui/panes/exercise/exercise_pane.h"
#include "ui/panes/explorer/explorer.h"
#include "ui/panes/heads/heads_pane.h"
#include "ui/panes/help/command_palette.h"
#include "ui/panes/help/help.h"
#include "ui/panes/home/home.h"
#include "ui/panes/lesson/lesson_pane.h"
#include "ui/panes/picture/picture.h"
#include "ui/panes/prompt/prompt.h"
#include "ui/panes/training/training_pane.h"
#include "ui/terminal/field.h"
#include "ui/terminal/terminal.h"

enum {
    APP_BAR_KEYS = 48,
    APP_SETTINGS = 3,
    APP_SETTING_BYTES = 32,
    APP_SETTING_CHOICES = THEME_COUNT + 1 + PALETTE_COUNT + 2,
};

struct app {
    struct app_options options;
    struct terminal *terminal;
    struct canvas canvas;
    struct theme theme;
    bool theme_is_auto; /* it follows the terminal's background */
    bool mouse;         /* the learner wants clicks and the wheel to go to attn */
    struct layout layout;
    struct progress *progress;
    struct tutor tutor;

    struct pane panes[PANE_COUNT]; /* the table of panes: what they do, and the states below */
    struct home home;
    struct lesson_pane lesson;
    struct picture_pane picture;
    struct explorer explorer;
    struct exercise_pane exercise;
    struct heads_pane heads;
    struct training_pane training;
    struct prompt prompt;
    struct help help;
    const struct pane_ops *help_panes[PANE_COUNT + 1]; /* which help borrows */
    struct command_palette command_palette;

    enum view view;
    enum view came_from; /* where Escape leads from an exercise */
    enum pane_id focus;
    enum pane_id focus_told; /* the pane that was last notified of the focus */
    enum pane_id overlay;    /* the pane that lies over the others; PANE_COUNT: none */
    int prompt_rows;         /* rows in which the whole result of the last line would fit */
    bool zoomed;             /* the pane in focus has the whole screen */
    int border;              /* how far the border between two panes is moved: layout.h */
    char notice[200];        /* in place of the key bar until the next key; "": no notice */
    bool is_drawn;           /* a frame stands on the screen */
    bool quits;
    bool may_quit; /* ^C was the last key: another one leaves attn */

    /* The name of a file that is being asked for, in place of the key bar. */
    struct app_save {
        bool is_open;
        bool asks_to_replace; /* a file has this name: y replaces it */
        bool is_touched;      /* something was typed: it is not the name that attn proposed */
        enum pane_id pane;    /* the pane whose picture it is */
        struct field name;
    } save;

    struct bar_key {
        int col, end, key;
    } bar[APP_BAR_KEYS]; /* the keys that a click on the key bar presses */
    size_t n_bar;
    const struct session
        *followed;        /* the session whose newest tensor the explorer shows; only compared */
    uint64_t followed_id; /* the id of that tensor; 0: there was no tensor */
    enum pane_id side;    /* beside a lesson: PANE_PICTURE, or PANE_EXPLORER in its place */
    bool keeps_explorer;  /* the learner asked for it: it stays until the page is left */
    /* The last drawings of the lesson that the picture and the explorer know. */
    unsigned drawn_lesson;                       /* the tutor's count of lessons; 0: no lesson */
    size_t drawn_page;                           /* the page; the count of pages after the last */
    unsigned n_page_drawings;                    /* the reference session's count */
    unsigned n_typed_drawings, n_typed_matrices; /* those of the learner's session */
    struct text remembered;                      /* the exploration as it was last saved */
    struct text kept_lines;                      /* of last time, as they were read then */
    struct text restored;                        /* those that worked */
    bool is_of_training; /* the model whose heads are shown is that of the training's step */
};

/* ---- app_keys.c ---- */

/* The keys that work in every pane, as help lists them. */
extern const struct pane_ops app_everywhere;

/* The pane that the keys go to. */
enum pane_id app_active_pane(const struct app *app);
/* Shows a notice in place of the key bar, until the next key. */
void app_notice(struct app *app, const char *format, ...) ERROR_FORMAT(2, 3);
/* Shows an error in the pane in focus, or at the prompt if that pane does not show errors
 * itself. */
void app_say_error(struct app *app, const struct error *error);

/* ---- app_draw.c ---- */

/* Draws all panes on the canvas, and paints it. */
void app_draw(struct app *app);
/* A player_announce whose context is the app. Where nothing was drawn yet, so that the screen would
 * be blank until the page has run, draws the page without its numbers. */
void app_draw_announced(void *context, const struct lesson *lesson, size_t page);
struct area app_pane_area(struct app *app, enum pane_id pane);

/* ---- app_view.c ---- */

/* Fits everything to the terminal's size, the view and the focus. */
void app_lay_out(struct app *app);
/* The input of the layout, besides the screen's size, with the focus on this pane. */
struct layout_input app_layout_input(const struct app *app, enum pane_id focus);
/* Moves the border between two panes by this many steps, and remembers it. */
void app_move_border(struct app *app, int steps);
/* Whether the view has this pane, perhaps only when it has the focus. */
bool app_has_pane(const struct app *app, enum pane_id pane);
void app_show_view(struct app *app, enum view view);
/* Reads the lists of home, or only the part that its first frame needs. */
void app_load_home(struct app *app, bool is_brief);
/* Shows a message and returns false if no exercise has that name. */
bool app_open_exercise(struct app *app, const char *name);

/* ---- app_line.c ---- */

/* Runs a line as if it were typed, and shows its output: in the lesson's pane, if it came from
 * there, or at the prompt. False on failure. */
bool app_run_line(struct app *app, const char *line, bool from_lesson);
void app_open_lesson(struct app *app, const char *name);
/* Shows the lesson that is open, or opens the one to continue. */
void app_go_on(struct app *app);
/* Puts text into the prompt, which has the focus then. */
void app_put_in_prompt(struct app *app, const char *text);

/* ---- app_help.c ---- */

/* Opens the keys of the pane in focus, or the search in all help. */
void app_open_help_entry(struct app *app, const char *name); /* opens the page of an entry */
void app_open_help(struct app *app, bool searches);
void app_open_command_palette(struct app *app);

/* ---- app_follow.c ---- */

/* The explorer lets go of the prompt's session: call it before a line that may end the session. */
void app_stop_following(struct app *app);
/* The explorer follows the session again, and shows its newest tensor if it is new. */
void app_follow(struct app *app);
/* The last drawing of the lesson's page, of its step before, or of the learner on this page becomes
 * the picture beside the text; a page of another step begins without a picture. The explorer gets
 * the matrices, to show them on request. */
void app_follow_drawings(struct app *app);
/* The pane that Tab leads to from a lesson: the picture, or the explorer if the page has no picture
 * or the explorer has replaced it. */
enum pane_id app_side(const struct app *app);
/* Opens the number under the picture's cursor in the explorer, in the picture's place. */
void app_open_number(struct app *app);

/* ---- app_take.c: copying and saving ---- */

/* Puts the number under the cursor, or the whole table, into the clipboard. */
void app_copy(struct app *app, bool table);
/* Asks for the name of a file to save the content of the pane in focus. */
void app_ask_save(struct app *app);
/* Handles a key for the name that is being asked for; the screen is as it was drawn last. False if
 * no name is. */
bool app_save_key(struct app *app, int key);

/* ---- app_keep.c ---- */

/* Remembers the lines that made the names of the prompt outside lessons, up to 64 KiB of them. If
 * another attn kept lines meanwhile, those stay, and the new ones of this one follow them. */
void app_keep_lines(struct app *app);
/* Runs them again, at the start; the prompt shows the result. */
void app_restore_lines(struct app *app);

/* ---- app_commands.c ---- */

/* Runs a shell command; context is a struct app. */
void app_run_command(void *context, struct shell_line *line);

/* ---- app_model.c ---- */

/* Opens the heads of the model that is open, else of attn's own: on a text of size bytes, or with 0
 * bytes as they were left. */
void app_open_model(struct app *app, const char *text, size_t size);
/* Opens the heads of the model in a folder, or with "" of attn's own, on an example. */
void app_view_model(struct app *app, const char *folder);

/* ---- app_training.c ---- */

/* Opens "task NAME", "text PATH" or "film NAME" in place of the open one; shows the open one if it
 * is the same. */
void app_open_training(struct app *app, const char *what);
/* Goes home from a training that was opened here, which ends it. */
void app_leave_training(struct app *app);

/* ---- app_settings.c ---- */

/* Sets "theme" to "dark", say, and remembers it. ERR_NAME for an unknown name or value. */
bool app_set(struct app *app, const char *name, const char *value, struct error *reterr);
/* If nobody chose a theme: sets the one that suits the background, as far as it is known by now. */
void app_follow_background(struct app *app);
/* Loads the remembered settings, the border among them; else those that suit the terminal. */
void app_load_settings(struct app *app);
/* The current settings for the home screen: lines that set the next value. */
void app_list_settings(const struct app *app, struct home_setting settings[APP_SETTINGS]);
/* Restores, or remembers, the last explored sentence with its options, and the sentences before
 * it. */
void app_load_exploration(struct app *app);
void app_save_exploration(struct app *app);
/* All lines that set something. Returns how many. */
size_t app_setting_choices(char lines[APP_SETTING_CHOICES][APP_SETTING_BYTES]);

/* Home offers this folder's model from now on. */
void app_remember_model(struct app *app, const char *folder);
/* Adds the folder that is remembered, if any. */
void app_last_model(const struct app *app, struct text *folder);

/* ---- app_input.c ---- */

/* Handles a key, a click, the wheel, or the end of the input; then fulfils the panes' requests. */
void app_handle(struct app *app, const struct input *input);
/* Fulfils the panes' requests. */
void app_do_requests(struct app *app);

#endif
