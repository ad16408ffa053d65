/* See app_internal.h: how the screen looks, as the learner chose it. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* realpath */
#endif
#include "ui/app/app_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/colour.h"

enum { THEME, PALETTE, MOUSE }; /* rows of knobs */
enum { THEME_AUTO = THEME_COUNT, THEME_VALUES };

static const struct knob {
    const char *name; /* at the prompt, and in the progress file */
    const char *title;
    int n; /* values */
} knobs[APP_SETTINGS] = {
    [THEME] = {"theme", "Theme", THEME_VALUES},
    [PALETTE] = {"palette", "Colours of heatmaps", PALETTE_COUNT},
    [MOUSE] = {"mouse", "Mouse", 2},
};

static const char *value_name(size_t knob, int value)
{
    switch (knob) {
    case THEME:
        return value == THEME_AUTO ? "auto" : theme_name((enum theme_id)value);
    case PALETTE:
        return palette_name((enum palette_id)value);
    default:
        return value != 0 ? "on" : "off";
    }
}

/* How a knob stands. */
static int value_of(const struct app *app, size_t knob)
{
    switch (knob) {
    case THEME:
        return app->theme_is_auto ? (int)THEME_AUTO : (int)app->theme.id;
    case PALETTE:
        return (int)app->theme.palette;
    default:
        return app->mouse;
    }
}

/* "15;0": letters 15 on ground 0, as some terminals say in the environment. Grounds 7 and 15 are
 * light. */
static bool ground_is_light(void)
{
    const char *colours = getenv("COLORFGBG");
    const char *ground = colours != NULL ? strrchr(colours, ';') : NULL;
    return ground != NULL && (strcmp(ground, ";7") == 0 || strcmp(ground, ";15") == 0);
}

void app_follow_background(struct app *app)
{
    int32_t background = terminal_background(app->terminal);
    if (!app->theme_is_auto)
        return;
    bool is_light = background >= 0 ? colour_wants_black((uint32_t)background) : ground_is_light();
    enum theme_id id = is_light ? THEME_LIGHT : THEME_DARK;
    if (id != app->theme.id)
        terminal_repaint(app->terminal);
    app->theme.id = id;
}

/* Sets a knob to the value of that name; false when it has no such value. */
static bool turn(struct app *app, size_t knob, const char *name)
{
    int value = 0;
    while (value < knobs[knob].n && strcmp(name, value_name(knob, value)) != 0)
        value++;
    if (value == knobs[knob].n)
        return false;
    if (knob == THEME) {
        app->theme_is_auto = value == THEME_AUTO;
        if (!app->theme_is_auto)
            app->theme.id = (enum theme_id)value;
        app_follow_background(app);
    } else if (knob == PALETTE) {
        app->theme.palette = (enum palette_id)value;
    } else {
        app->mouse = value != 0;
        terminal_set_mouse(app->terminal, app->mouse);
    }
    return true;
}

bool app_set(struct app *app, const char *name, const char *value, struct error *reterr)
{
    for (size_t i = 0; i < APP_SETTINGS; i++) {
        if (strcmp(name, knobs[i].name) != 0)
            continue;
        struct text values = {0};
        for (int j = 0; j < knobs[i].n; j++)
            text_format(&values, "%s%s", j > 0 ? ", " : "", value_name(i, j));
        bool known = turn(app, i, value) || error_set(reterr, ERR_NAME, "%s %s: there are %s", name,
                                                      value, text_string(&values));
        text_release(&values);
        terminal_repaint(app->terminal);
        return known && progress_set_setting(app->progress, name, value, reterr);
    }
    return error_set(reterr, ERR_NAME, "%s: there is no such setting", name);
}

void app_load_settings(struct app *app)
{
    (void)turn(app, THEME, "auto");
    (void)turn(app, MOUSE, "on");
    for (size_t i = 0; i < APP_SETTINGS; i++) {
        struct text value = {0};
        if (progress_setting(app->progress, knobs[i].name, &value))
            (void)turn(app, i, text_string(&value)); /* one of a later attn is left */
        text_release(&value);
    }
    struct text border = {0};
    if (progress_setting(app->progress, "border", &border)) {
        long steps = strtol(text_string(&border), NULL, 10);
        app->border = labs(steps) <= LAYOUT_MAX_BORDER ? (int)steps : 0;
    }
    text_release(&border);
}

void app_list_settings(const struct app *app, struct home_setting settings[APP_SETTINGS])
{
    for (size_t i = 0; i < APP_SETTINGS; i++) {
        const struct knob *knob = &knobs[i];
        int now = value_of(app, i);
        snprintf(settings[i].line, sizeof settings[i].line, "%s %s", knob->name,
                 value_name(i, (now + 1) % knob->n));
        snprintf(settings[i].label, sizeof settings[i].label, "%s: %s", knob->title,
                 value_name(i, now));
    }
}

size_t app_setting_choices(char lines[APP_SETTING_CHOICES][APP_SETTING_BYTES])
{
    size_t n = 0;
    for (size_t i = 0; i < APP_SETTINGS; i++)
        for (int j = 0; j < knobs[i].n && n < APP_SETTING_CHOICES; j++)
            snprintf(lines[n++], APP_SETTING_BYTES, "%s %s", knobs[i].name, value_name(i, j));
    return n;
}

/* ---- explored tensors ---- */

/* Settings of the progress that are not knobs. */
static const char explored[] = "explored", sentences[] = "sentences";

void app_load_exploration(struct app *app)
{
    struct exploration exploration;
    struct text line = {0}, before = {0};
    if (progress_setting(app->progress, sentences, &before))
        explorer_remember(&app->explorer, text_string(&before));
    exploration_init(&exploration);
    /* One of a later attn, or a sentence that can't be read any more, is left. */
    if (progress_setting(app->progress, explored, &line) &&
        exploration_read(text_string(&line), line.size, &exploration, NULL)) {
        exploration.has_options = true;
        (void)explorer_explore(&app->explorer, &exploration, NULL);
    }
    text_release(&line);
    text_release(&before);
    text_clear(&app->remembered);
    explorer_write_exploration(&app->explorer, &app->remembered);
}

void app_save_exploration(struct app *app)
{
    struct text now = {0}, before = {0};
    explorer_write_exploration(&app->explorer, &now);
    explorer_write_sentences(&app->explorer, &before);
    bool changed = strcmp(text_string(&now), text_string(&app->remembered)) != 0;
    /* If it can't be saved, attn goes on without; progress_problem() has said so. */
    if (changed && !now.failed && !before.failed &&
        progress_set_setting(app->progress, explored, text_string(&now), NULL) &&
        progress_set_setting(app->progress, sentences, text_string(&before), NULL)) {
        text_release(&app->remembered);
        app->remembered = now;
        now = (struct text){0};
    }
    text_release(&now);
    text_release(&before);
}

/* ---- the model ---- */

/* Of the model that was looked into last. */
static const char model_setting[] = "model-folder";

void app_remember_model(struct app *app, const char *folder)
{
    char *path = realpath(folder, NULL);
    /* If it can't be kept, home offers attn's own model; progress_problem() has said why. */
    if (path != NULL)
        (void)progress_set_setting(app->progress, model_setting, path, NULL);
    free(path);
}

void app_last_model(const struct app *app, struct text *folder)
{
    (void)progress_setting(app->progress, model_setting, folder);
}
