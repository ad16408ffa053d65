/* attn solutions ID: other ways to write what one has solved. */
#include <limits.h>

#include "cli/practice.h"
#include "exercise/solutions.h"

const char solutions_help[] = "  --all   all that there are, else two\n";

enum { SHOWN = 2 }; /* unless all are asked for */

static bool add_solutions(struct practice *practice, const struct exercise *exercise,
                          struct doc *doc, struct error *reterr)
{
    int n_left;
    bool has_ladder = exercise->speed != NULL && exercise->speed->n_ladder > 0;
    if (has_ladder &&
        !solutions_show_ladder(data_dir(), exercise, practice->settings.width_cols, doc, reterr))
        return false;
    if (has_ladder)
        doc_line(doc, STYLE_QUIET,
                 "How fast they are here, and how fast they could be: attn bench "
                 "attention");
    if (has_ladder && !practice->options.all)
        return doc_check(doc, reterr);
    if (!solutions_show(data_dir(), exercise, practice->options.all ? INT_MAX : SHOWN, doc, &n_left,
                        reterr))
        return false;
    if (n_left > 0)
        doc_line(doc, STYLE_QUIET, "%d more: attn solutions %u --all", n_left, exercise->number);
    return doc_check(doc, reterr);
}

/* Only to who has solved it. */
static bool may_see(struct practice *practice, const struct exercise *exercise,
                    struct error *reterr)
{
    struct exercise_progress done;
    if (!progress_exercise(practice->progress, exercise->id, &done, reterr))
        return false;
    return done.passed ||
           error_set(reterr, ERR_RANGE,
                     "solutions: %s is not solved yet; they are shown once it is. attn hint %u "
                     "helps",
                     exercise->id, exercise->number);
}

static int show(struct practice *practice, const struct exercise *exercise, struct doc *doc)
{
    struct error error;
    if (may_see(practice, exercise, &error) && add_solutions(practice, exercise, doc, &error))
        return EXIT_OK;
    (void)practice_error(&error);
    return EXIT_FAILED;
}

int solutions_main(int argc, char **argv)
{
    struct practice_options options = practice_options(argc, argv, PRACTICE_ALL);
    if (options.argument == NULL)
        usage_error("solutions: of which exercise? attn exercises lists them");
    return practice_show(&options, show);
}
