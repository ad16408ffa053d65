/* See train_strip.h. */
#include "cli/train_strip.h"

#include <stdio.h>
#include <unistd.h>

#include "show/backend.h"
#include "show/matrix.h"
#include "train/film_strip.h"

/* Six moments of two heads side by side, each wide enough to see a stripe. */
enum { SVG_COLS = 184 };

static bool print_svg(const struct doc *doc)
{
    struct text svg = {0};
    doc_to_svg(doc, NULL, &svg);
    bool ok = !svg.failed && fwrite(text_string(&svg), 1, svg.size, stdout) == svg.size;
    text_release(&svg);
    return ok;
}

static bool print_strip(const struct doc *doc, const struct settings *settings, bool as_svg)
{
    return as_svg ? print_svg(doc) : print_doc(doc, settings);
}

/* All steps; Ctrl-C ends it with an error, for half a strip would say little. */
static bool show_film(struct film *film, const struct settings *settings, bool as_svg,
                      struct error *reterr)
{
    struct show_options options = settings_show_options(settings);
    struct doc out;
    if (as_svg)
        options = (struct show_options){.width_cols = SVG_COLS, .digits = 4, .colour = true};
    while (!film_is_done(film))
        if (!film_advance(film, reterr))
            return false;
    doc_init(&out);
    bool ok = film_strip_show(film, &options, &out, reterr) &&
              (print_strip(&out, settings, as_svg) ||
               error_set(reterr, ERR_FILE, "standard output can't be written"));
    doc_release(&out);
    return ok;
}

int train_strip(struct film *film, const struct common_options *common, bool as_svg)
{
    struct settings settings = terminal_settings(common, STDOUT_FILENO);
    struct error error;
    interrupt_catch();
    if (show_film(film, &settings, as_svg, &error))
        return finish_output(true) ? EXIT_OK : EXIT_FAILED;
    fprintf(stderr, "attn: train: %s\n", error.text);
    return EXIT_FAILED;
}
