/* What the files of the application share: its state, and who does what. See app.h. */
#ifndef ATTN_UI_APP_APP_INTERNAL_H
#define ATTN_UI_APP_APP_INTERNAL_H

#include "ui/app/app.h"

enum {
    APP_BAR_KEYS = 48,
    APP_SETTINGS = 2,
    APP_SETTING_BYTES = 32,
    APP_SETTING_CHOICES = THEME_COUNT + PALETTE_COUNT,
};

struct app {
    struct app_options options;
    struct terminal *terminal;
    struct canvas canvas;
    struct theme theme;
    struct layout layout;
    struct progress *progress;
    struct tutor tutor;
    struct console console;
    struct lesson_pane lesson;
    struct explorer explorer;
    struct home home;
    struct exercise_pane exercise;
    enum view view;
    enum view came_from; /* where Escape leads from an exercise */
    enum pane_id focus;
    struct help help;
    struct command_palette command_palette;
    enum pane_id overlay; /* PANE_HELP or PANE_COMMAND_PALETTE where one is open, else PANE_COUNT */
    int console_rows;     /* so high that what the last line gave would be seen whole */
    bool page_is_stale;   /* it was laid out for another width */
    bool page_is_turned;  /* and it is another one than the pane has */
    bool quits;

    struct bar_key {
        int col, end, key;
    } bar[APP_BAR_KEYS]; /* what a click on the key bar presses */
    size_t n_bar;
    const struct session *followed; /* whose newest tensor the explorer shows; only compared */
    uint64_t followed_id;           /* that tensor's; 0: there was none */
    struct home_setting settings[APP_SETTINGS];
    char setting_lines[APP_SETTINGS][APP_SETTING_BYTES];
};

/* app.c */

/* The keys that a pane obeys; those that work everywhere for PANE_COUNT. */
const struct binding *app_bindings(enum pane_id pane);
extern const struct binding app_bindings_everywhere[];
/* While something is typed into a pane: its letters are no keys. */
extern const struct binding app_bindings_typing[];

/* app_draw.c */

void app_draw(struct app *app);
struct area app_pane_area(struct app *app, enum pane_id pane);

/* app_view.c */

/* Fits everything to the terminal's size, the view and the focus. */
void app_lay_out(struct app *app);
/* Whether the view has this pane, perhaps only when it has the focus. */
bool app_has_pane(const struct app *app, enum pane_id pane);
void app_show_view(struct app *app, enum view view);
/* The lesson's page anew: in another width, or turned. */
void app_open_page(struct app *app, bool is_turned);
void app_say_error(struct app *app, const struct error *error);
/* Runs a line as if it were typed, and shows what it gives. */
void app_do_line(struct app *app, const char *line, bool from_lesson);
/* False, and told, where there is none of that name. */
bool app_open_exercise(struct app *app, const char *name);
/* The exercise that the lesson's page asks for and that is not solved yet; or NULL. */
const char *app_asked_exercise(const struct app *app);
void app_open_chosen(struct app *app); /* of the home screen */
void app_open_help(struct app *app, bool searches);
void app_open_command_palette(struct app *app);

/* app_follow.c */

/* The explorer lets go of the session of the prompt: before a line that may end it. */
void app_stop_following(struct app *app);
/* The explorer takes it up again, and shows its newest tensor where there is a new one. */
void app_follow(struct app *app);

/* app_words.c */

/* Does what a line of ui/asides.h says, and help on them. False when it is none. */
bool app_do_word(struct app *app, const char *line);

/* app_settings.c */

/* Sets "theme" to "dark", say, and remembers it. ERR_NAME for what there is not. */
bool app_set(struct app *app, const char *name, const char *value, struct error *reterr);
/* As they were remembered; else what suits the terminal. */
void app_load_settings(struct app *app);
/* For the home screen, as they are now. */
void app_list_settings(struct app *app);
/* All lines that set something. Returns how many. */
size_t app_setting_choices(char lines[APP_SETTING_CHOICES][APP_SETTING_BYTES]);

/* app_input.c */

void app_handle(struct app *app, const struct input *input);
/* Does what the exercise pane asks for: the editor, another pane in sight. */
void app_do_exercise_request(struct app *app);

#endif
