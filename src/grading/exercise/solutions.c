/* See solutions.h. */
#include "exercise/solutions.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "files/file.h"

enum { SOURCE_BYTES = 1024 * 1024 };

static int is_c_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && text_ends_with(entry->d_name, ".c");
}

/* False when it can't be read. */
static bool read_solution(const char *folder, const char *name, struct text *ret)
{
    struct text path = {0};
    struct error ignored;
    text_format(&path, "%s/%s", folder, name);
    bool ok = !path.failed && file_read_text(text_string(&path), SOURCE_BYTES, ret, &ignored);
    text_release(&path);
    return ok;
}

/* "four_sums" is titled "four sums". */
static void show_solution(const char *folder, const char *name, struct doc *doc)
{
    struct text source = {0};
    if (read_solution(folder, name, &source)) {
        for (const char *c = name; *c != '\0' && strcmp(c, ".c") != 0; c++)
            doc_add(doc, STYLE_TITLE, "%c", *c == '_' ? ' ' : *c);
        doc_end_line(doc);
        doc_end_line(doc);
        doc_put(doc, STYLE_PLAIN, text_string(&source), source.size);
        doc_end_line(doc);
    }
    doc->failed = doc->failed || source.failed;
    text_release(&source);
}

bool solutions_read_rung(const char *data_dir, const struct exercise *exercise,
                         const struct exercise_rung *rung, struct text *ret, struct error *reterr)
{
    struct text path = {0};
    text_format(&path, "%s/tests/exercises/%s/ladder/%s", data_dir, exercise->folder_name,
                rung->file);
    bool ok = (!path.failed || error_memory(reterr, "a version")) &&
              file_read_text(text_string(&path), SOURCE_BYTES, ret, reterr);
    text_release(&path);
    return ok;
}

static bool show_rung(const char *data_dir, const struct exercise *exercise, unsigned i,
                      size_t width_cols, struct doc *doc, struct error *reterr)
{
    const struct exercise_rung *rung = &exercise->speed->ladder[i];
    struct text source = {0};
    bool ok = solutions_read_rung(data_dir, exercise, rung, &source, reterr);
    if (ok) {
        doc_line(doc, STYLE_TITLE, "%u. %s", i + 1, rung->title);
        doc_wrap(doc, STYLE_NOTE, rung->because, width_cols, 0);
        doc_end_line(doc);
        doc_put(doc, STYLE_PLAIN, text_string(&source), source.size);
        doc_end_line(doc);
    }
    text_release(&source);
    return ok;
}

bool solutions_show_ladder(const char *data_dir, const struct exercise *exercise, size_t width_cols,
                           struct doc *doc, struct error *reterr)
{
    for (unsigned i = 0; exercise->speed != NULL && i < exercise->speed->n_ladder; i++)
        if (!show_rung(data_dir, exercise, i, width_cols, doc, reterr))
            return false;
    return doc_check(doc, reterr);
}

bool solutions_show(const char *data_dir, const struct exercise *exercise, int most,
                    struct doc *doc, int *ret_left, struct error *reterr)
{
    struct text folder = {0};
    struct dirent **names = NULL;
    text_format(&folder, "%s/tests/exercises/%s/right", data_dir, exercise->folder_name);
    if (folder.failed)
        return error_memory(reterr, "the solutions");
    int n = scandir(text_string(&folder), &names, is_c_file, alphasort);
    bool ok = n >= 0 || error_set(reterr, ERR_FILE, "%s: %s; it came with attn's source",
                                  text_string(&folder), strerror(errno));
    for (int i = 0; i < n; i++) {
        if (i < most)
            show_solution(text_string(&folder), names[i]->d_name, doc);
        free(names[i]);
    }
    if (ok)
        *ret_left = n > most ? n - most : 0;
    free(names);
    text_release(&folder);
    return ok && doc_check(doc, reterr);
}

bool solutions_visit(const char *data_dir, const struct exercise *exercise,
                     bool (*visit)(void *context, const char *name, const struct text *source),
                     void *context, struct error *reterr)
{
    struct text folder = {0};
    struct dirent **names = NULL;
    text_format(&folder, "%s/tests/exercises/%s/right", data_dir, exercise->folder_name);
    bool ok = !folder.failed || error_memory(reterr, "the solutions");
    int n = ok ? scandir(text_string(&folder), &names, is_c_file, alphasort) : 0;
    for (int i = 0; i < n; i++) {
        struct text source = {0};
        if (ok && read_solution(text_string(&folder), names[i]->d_name, &source))
            ok = visit(context, names[i]->d_name, &source);
        text_release(&source);
        free(names[i]);
    }
    free(names);
    text_release(&folder);
    return ok;
}
