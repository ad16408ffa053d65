/* attn solutions ID: other ways to write what one has solved. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/practice.h"
#include "judge/submission.h"

const char solutions_help[] = "  --all   all that there are, else two\n";

enum { SHOWN = 2 }; /* unless all are asked for */

static int is_c_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && text_ends_with(entry->d_name, ".c");
}

/* "four_sums" is titled "four sums". */
static void show_solution(const char *folder, const char *name, struct doc *doc)
{
    struct text path = {0}, source = {0};
    const char *why;
    text_format(&path, "%s/%s", folder, name);
    if (!path.failed &&
        submission_read(text_string(&path), limits_default.source_bytes, &source, &why)) {
        for (const char *c = name; *c != '\0' && strcmp(c, ".c") != 0; c++)
            doc_add(doc, STYLE_TITLE, "%c", *c == '_' ? ' ' : *c);
        doc_end_line(doc);
        doc_end_line(doc);
        doc_put(doc, STYLE_PLAIN, text_string(&source), source.size);
        doc_end_line(doc);
    }
    doc->failed = doc->failed || path.failed || source.failed;
    text_release(&path);
    text_release(&source);
}

static bool add_solutions(struct practice *practice, const struct exercise *exercise,
                          struct doc *doc, struct error *reterr)
{
    struct text folder = {0};
    struct dirent **names = NULL;
    text_format(&folder, "%s/tests/exercises/%s/right", data_dir(), exercise->folder_name);
    if (folder.failed)
        return error_memory(reterr, "the solutions");
    int n = scandir(text_string(&folder), &names, is_c_file, alphasort);
    int n_shown = practice->options.all || n < SHOWN ? n : SHOWN;
    bool ok = n >= 0 || error_set(reterr, ERR_FILE, "%s: %s; it came with attn's source",
                                  text_string(&folder), strerror(errno));
    for (int i = 0; i < n; i++) {
        if (i < n_shown)
            show_solution(text_string(&folder), names[i]->d_name, doc);
        free(names[i]);
    }
    if (n_shown < n)
        doc_line(doc, STYLE_QUIET, "%d more: attn solutions %u --all", n - n_shown,
                 exercise->number);
    free(names);
    text_release(&folder);
    return ok && doc_check(doc, reterr);
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
