/* See app_internal.h: how the screen looks, as the learner chose it. */
#include "ui/app/app_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *nth_theme(int i)
{
    return theme_name((enum theme_id)i);
}

static const char *nth_palette(int i)
{
    return palette_name((enum palette_id)i);
}

static int get_theme(const struct app *app)
{
    return (int)app->theme.id;
}

static int get_palette(const struct app *app)
{
    return (int)app->theme.palette;
}

static void set_theme(struct app *app, int i)
{
    app->theme.id = (enum theme_id)i;
}

static void set_palette(struct app *app, int i)
{
    app->theme.palette = (enum palette_id)i;
}

static const struct knob {
    const char *name; /* at the prompt, and where it is remembered */
    const char *title;
    int n;
    const char *(*value)(int i);
    int (*get)(const struct app *app);
    void (*set)(struct app *app, int i);
} knobs[APP_SETTINGS] = {
    {"theme", "Theme", THEME_COUNT, nth_theme, get_theme, set_theme},
    {"palette", "Colours of heatmaps", PALETTE_COUNT, nth_palette, get_palette, set_palette},
};

static bool turn(struct app *app, const struct knob *knob, const char *value)
{
    for (int i = 0; i < knob->n; i++)
        if (strcmp(value, knob->value(i)) == 0) {
            knob->set(app, i);
            return true;
        }
    return false;
}

bool app_set(struct app *app, const char *name, const char *value, struct error *reterr)
{
    for (size_t i = 0; i < APP_SETTINGS; i++) {
        if (strcmp(name, knobs[i].name) != 0)
            continue;
        struct text values = {0};
        for (int j = 0; j < knobs[i].n; j++)
            text_format(&values, "%s%s", j > 0 ? ", " : "", knobs[i].value(j));
        bool known =
            turn(app, &knobs[i], value) ||
            error_set(reterr, ERR_NAME, "%s %s: there are %s", name, value, text_string(&values));
        text_release(&values);
        terminal_repaint(app->terminal);
        return known && progress_set_setting(app->progress, name, value, reterr);
    }
    return error_set(reterr, ERR_NAME, "%s: there is no such setting", name);
}

/* "15;0": letters 15 on ground 0, as many terminals tell. Grounds 7 and 15 are light. */
static bool ground_is_light(void)
{
    const char *colours = getenv("COLORFGBG");
    const char *ground = colours != NULL ? strrchr(colours, ';') : NULL;
    return ground != NULL && (strcmp(ground, ";7") == 0 || strcmp(ground, ";15") == 0);
}

void app_load_settings(struct app *app)
{
    app->theme.id = ground_is_light() ? THEME_LIGHT : THEME_DARK;
    for (size_t i = 0; i < APP_SETTINGS; i++) {
        struct text value = {0};
        if (progress_setting(app->progress, knobs[i].name, &value))
            (void)turn(app, &knobs[i], text_string(&value)); /* one of a later attn is left */
        text_release(&value);
    }
}

void app_list_settings(const struct app *app, struct home_setting settings[APP_SETTINGS])
{
    for (size_t i = 0; i < APP_SETTINGS; i++) {
        const struct knob *knob = &knobs[i];
        int now = knob->get(app);
        snprintf(settings[i].line, sizeof settings[i].line, "%s %s", knob->name,
                 knob->value((now + 1) % knob->n));
        snprintf(settings[i].label, sizeof settings[i].label, "%s: %s", knob->title,
                 knob->value(now));
    }
}

size_t app_setting_choices(char lines[APP_SETTING_CHOICES][APP_SETTING_BYTES])
{
    size_t n = 0;
    for (size_t i = 0; i < APP_SETTINGS; i++)
        for (int j = 0; j < knobs[i].n && n < APP_SETTING_CHOICES; j++)
            snprintf(lines[n++], APP_SETTING_BYTES, "%s %s", knobs[i].name, knobs[i].value(j));
    return n;
}
