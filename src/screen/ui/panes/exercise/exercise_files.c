/* The learner's files: where they are, and the editor. See exercise_pane_internal.h. */
#include <string.h>

#include "files/file.h"
#include "ui/panes/exercise/exercise_pane_internal.h"
#include "ui/terminal/editor.h"

size_t exercise_pane_exercise_of(const struct exercise_pane *pane, const char *file_name)
{
    size_t i = 0;
    while (i < pane->exercises.n &&
           !catalogue_entry_has_file(&pane->exercises.catalogue.entries[i], file_name))
        i++;
    return i;
}

/* Writes the path of the learner's file for exercise `at`. False when it is missing. */
static bool find_file(const struct exercise_pane *pane, size_t at, char path[LEARNER_PATH_BYTES])
{
    struct error error;
    return pane->folder[0] != '\0' &&
           learner_file(&pane->exercises.catalogue.entries[at], pane->folder, path, &error) &&
           path_is_file(path);
}

void exercise_pane_find_files(struct exercise_pane *pane)
{
    struct error error;
    char found[LEARNER_PATH_BYTES];
    if (!learner_folder(&pane->exercises.catalogue, ".", found))
        found[0] = '\0';
    bool is_new = strcmp(found, pane->folder) != 0;
    if (pane->watches && (is_new || pane->saves.gone)) {
        saves_close(&pane->saves);
        pane->watches = false;
    }
    if (is_new)
        memcpy(pane->folder, found, sizeof found);
    if (found[0] != '\0' && !pane->watches) {
        pane->watches = saves_open(pane->folder, &pane->saves, &error);
        if (!pane->watches)
            exercise_pane_say(pane, STYLE_NOTE, "Saves are not noticed (%s); Enter grades.",
                              error.text);
    }
    if (!find_file(pane, pane->at, pane->path))
        pane->path[0] = '\0';
}

bool exercise_pane_read_source(const struct exercise_pane *pane, size_t at, struct text *text)
{
    struct error error;
    char path[LEARNER_PATH_BYTES];
    text_clear(text);
    return find_file(pane, at, path) &&
           file_read_text(path, EXERCISE_PANE_SOURCE_BYTES, text, &error);
}

/* ---- the editor ---- */

void exercise_pane_edit(void *state)
{
    struct exercise_pane *pane = state;
    struct text why = {0};
    if (!editor_run(pane->path, &why))
        exercise_pane_say(pane, STYLE_BAD, "%s", text_string(&why));
    text_release(&why);
}
