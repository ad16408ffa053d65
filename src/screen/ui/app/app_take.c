/* See app_internal.h: numbers for the clipboard, and pictures for files. */
#include "ui/app/app_internal.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "files/file.h"
#include "files/png.h"
#include "show/backend.h"

enum {
    NAME_TRIES = 100,  /* attn-weights.svg, attn-weights-2.svg, ... */
    NAME_LETTERS = 40, /* of the pane's name */
};

static void note_error(struct app *app, const struct error *error)
{
    app_notice(app, "%s", error->text);
}

/* ---- the clipboard ---- */

/* The text of a pane that has no table. */
static void copy_text(struct app *app, struct area area)
{
    struct doc doc;
    struct text text = {0};
    struct error error;
    doc_init(&doc);
    area_to_doc(area, &doc);
    doc_to_plain(&doc, &text);
    bool ok = doc_check(&doc, &error) && (!text.failed || error_memory(&error, "copy")) &&
              terminal_copy(app->terminal, text_string(&text), text.size, &error);
    if (ok)
        app_notice(app, "%zu %s copied as text", doc.n_lines, doc.n_lines == 1 ? "line" : "lines");
    else
        note_error(app, &error);
    text_release(&text);
    doc_release(&doc);
}

void app_copy(struct app *app, bool table)
{
    struct pane pane = app->panes[app_active_pane(app)];
    struct text text = {0}, what = {0};
    struct error error;
    bool has = pane.ops->copy != NULL && pane.ops->copy(pane.state, table, &text, &what);
    if (!has && table) {
        copy_text(app, app_pane_area(app, app_active_pane(app)));
    } else if (!has) {
        app_notice(app, "y copies the number under the cursor, and none is here; Y copies "
                        "the text of the pane");
    } else if (text.failed || what.failed) {
        error_memory(&error, "copy");
        note_error(app, &error);
    } else if (!terminal_copy(app->terminal, text_string(&text), text.size, &error)) {
        note_error(app, &error);
    } else {
        app_notice(app, "%s copied%s", text_string(&what), table ? " as TSV" : "");
    }
    text_release(&text);
    text_release(&what);
}

/* ---- files ---- */

static bool exists(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 || errno != ENOENT;
}

/* "weights" for the stage of that name, "lesson" for a lesson; in letters that any folder takes. */
static void write_slug(struct pane pane, struct text *slug)
{
    struct text name = {0};
    if (pane.ops->write_name != NULL)
        pane.ops->write_name(pane.state, &name);
    else if (pane.ops->title != NULL)
        text_put(&name, pane.ops->title);
    for (const char *at = text_string(&name); *at != '\0' && slug->size < NAME_LETTERS; at++)
        if (isalnum((unsigned char)*at) || *at == '_')
            text_char(slug, (char)tolower((unsigned char)*at));
    if (slug->size == 0)
        text_put(slug, "screen");
    text_release(&name);
}

void app_ask_save(struct app *app)
{
    struct app_save *save = &app->save;
    struct text slug = {0};
    *save = (struct app_save){.is_open = true, .pane = app_active_pane(app)};
    write_slug(app->panes[save->pane], &slug);
    for (int i = 1; i <= NAME_TRIES; i++) {
        char number[16] = "";
        if (i > 1)
            snprintf(number, sizeof number, "-%d", i);
        snprintf(save->name.text, sizeof save->name.text, "attn-%s%s.svg", text_string(&slug),
                 number);
        if (!exists(save->name.text))
            break;
    }
    save->name.size = save->name.cursor = strlen(save->name.text);
    text_release(&slug);
}

/* The colours of the screen's theme, as a terminal with all colours shows them. */
static struct svg_colours theme_colours(const struct app *app)
{
    struct theme theme = app->theme;
    struct svg_colours colours;
    theme.n_colours = 1 << 24;
    for (enum style style = STYLE_PLAIN; style < STYLE_COUNT; style++) {
        struct canvas_look look = look_of(style);
        struct paint paint = theme_paint(&theme, &look);
        colours.styles[style] = (uint32_t)paint.front;
        if (style == STYLE_PLAIN)
            colours.ground = (uint32_t)paint.back;
    }
    for (int tint = 0; tint < (int)COUNT_OF(colours.tints); tint++)
        colours.tints[tint] = (uint32_t)theme_tint(&theme, tint);
    return colours;
}

/* SVG becomes PNG if the name asks for it. */
static bool make_png(const char *name, struct text *picture, struct error *reterr)
{
    struct text png = {0};
    if (!text_ends_with(name, ".png"))
        return true;
    bool ok = png_of_svg(text_string(picture), picture->size, &png, reterr);
    text_release(picture);
    *picture = png;
    return ok;
}

/* Draws a pane without the parts that only serve to use it; a picture whole, even if it is
 * scrolled. */
static bool draw_bare(struct app *app, enum pane_id id, struct doc *doc, struct error *reterr)
{
    struct canvas canvas = {0};
    struct pane pane = app->panes[id];
    struct rect rect = app->layout.panes[id];
    bool is_picture = id == PANE_PICTURE;
    int rows = is_picture ? pane.ops->rows_wanted(pane.state, rect.cols) : 0;
    rows = rows > rect.rows ? rows : rect.rows;
    if (!canvas_resize(&canvas, rows < CANVAS_MAX_ROWS ? rows : CANVAS_MAX_ROWS, rect.cols))
        return error_memory(reterr, "save");
    canvas_clear(&canvas);
    if (pane.ops->draw_bare != NULL)
        pane.ops->draw_bare(pane.state, canvas_area(&canvas), app->options.settings.ascii);
    else
        pane.ops->draw(pane.state, canvas_area(&canvas), false, app->options.settings.ascii);
    area_to_doc(area_cropped(canvas_area(&canvas)), doc);
    canvas_release(&canvas);
    return doc_check(doc, reterr);
}

/* The subject of a pane, without the pane's own name: "heat Y". */
static void write_caption(struct pane pane, struct text *caption)
{
    static const char gap[] = "   ";
    struct text title = {0};
    if (pane.ops->write_title != NULL)
        (void)pane.ops->write_title(pane.state, &title);
    const char *whole = text_string(&title), *at = strstr(whole, gap);
    text_put(caption, at != NULL ? at + sizeof gap - 1 : whole);
    caption->failed = caption->failed || title.failed;
    text_release(&title);
}

/* The picture in the form that the name asks for. */
static bool draw_picture(struct app *app, const char *name, struct text *ret, struct error *reterr)
{
    struct doc doc;
    struct text title = {0};
    struct svg_colours colours = theme_colours(app);
    doc_init(&doc);
    if (!draw_bare(app, app->save.pane, &doc, reterr)) {
        doc_release(&doc);
        return false;
    }
    write_caption(app->panes[app->save.pane], &title);
    if (text_ends_with(name, ".txt"))
        doc_to_plain(&doc, ret);
    else
        doc_to_svg_in(&doc, title.size > 0 ? text_string(&title) : NULL, &colours, ret);
    bool ok = doc_check(&doc, reterr) &&
              ((!ret->failed && !title.failed) || error_memory(reterr, "save")) &&
              make_png(name, ret, reterr);
    text_release(&title);
    doc_release(&doc);
    return ok;
}

static void write_picture(struct app *app, const char *name)
{
    struct text bytes = {0};
    struct error error;
    if (!draw_picture(app, name, &bytes, &error)) {
        note_error(app, &error);
    } else if (!file_replace(name, text_string(&bytes), bytes.size, 0666)) {
        app_notice(app, "%s: can't be written: %s", name, strerror(errno));
    } else {
        char *path = realpath(name, NULL);
        app_notice(app, "saved as %s", path != NULL ? path : name);
        free(path);
        app->save.is_open = false;
    }
    text_release(&bytes);
}

/* Enter: writes the file, or asks whether to replace the one that is there. */
static void end_save(struct app *app)
{
    struct app_save *save = &app->save;
    const char *name = save->name.text;
    if (!text_ends_with(name, ".svg") && !text_ends_with(name, ".png") &&
        !text_ends_with(name, ".txt")) {
        app_notice(app, "the name ends in .svg, .png or .txt");
    } else if (exists(name)) {
        save->asks_to_replace = true;
    } else {
        write_picture(app, name);
    }
}

/* The answer to whether the file is replaced: other keys don't count. */
static void answer_replace(struct app *app, int key)
{
    bool yes = key == 'y' || key == 'Y', no = key == 'n' || key == 'N';
    if (yes)
        write_picture(app, app->save.name.text);
    if (yes || no || key == KEYCODE_ESCAPE)
        app->save.asks_to_replace = false; /* n: another name can be typed */
}

bool app_save_key(struct app *app, int key)
{
    struct app_save *save = &app->save;
    if (!save->is_open)
        return false;
    bool gives_up = key == KEYCODE_CTRL_C || (key == KEYCODE_ESCAPE && !save->asks_to_replace);
    if (gives_up && !save->asks_to_replace && save->is_touched && field_clear(&save->name))
        app_notice(app, PANE_CLEARED);
    else if (gives_up || key == KEYCODE_CTRL_Q)
        save->is_open = false;
    else if (save->asks_to_replace)
        answer_replace(app, key);
    else if (key == KEYCODE_ENTER)
        end_save(app);
    else if (field_key(&save->name, key) == FIELD_CHANGED)
        save->is_touched = true;
    return true;
}
