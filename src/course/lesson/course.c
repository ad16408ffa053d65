/* See course.h. */
#include "course/lesson/course.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggestion.h"
#include "base/text.h"
#include "base/array.h"
#include "files/file.h"
#include "files/yaml.h"

enum {
    PATH_BYTES = 4096,
    MARK_BYTES = 3, /* "05-" */
    PARTS_MAX_BYTES = 64 * 1024,
};

static const char ending[] = ".md";

static bool is_lesson(const char *name)
{
    return isdigit((unsigned char)name[0]) && isdigit((unsigned char)name[1]) && name[2] == '-' &&
           text_ends_with(name + MARK_BYTES, ending) &&
           strlen(name) - (sizeof ending - 1) < LESSON_NAME_BYTES;
}

static bool add_entry(struct course *course, const char *folder, const char *name,
                      struct error *reterr)
{
    char path[PATH_BYTES];
    struct course_entry *entries =
        array_grow(course->entries, course->n, &course->capacity, sizeof *entries);
    if (entries != NULL)
        course->entries = entries;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return error_set(reterr, ERR_FILE, "%s: the path is too long", folder);
    char *copy = strdup(path);
    if (entries == NULL || copy == NULL) {
        free(copy);
        return error_memory(reterr, "the lessons");
    }
    struct course_entry *entry = &entries[course->n++];
    *entry = (struct course_entry){.number = (unsigned)strtoul(name, NULL, 10), .path = copy};
    memcpy(entry->file_name, name, strlen(name) - (sizeof ending - 1));
    return true;
}

static int by_number(const void *a, const void *b)
{
    const struct course_entry *left = a, *right = b;
    return strcmp(left->file_name, right->file_name);
}

/* ---- parts ---- */

static bool read_part(struct yaml *yaml, yaml_value value, void *ret)
{
    struct course_part *part = ret;
    const struct yaml_field fields[] = {
        {"title", yaml_read_text, &part->title, true},
        {"begins", yaml_read_text, &part->begins, true},
        {"gives", yaml_read_text, &part->gives, true},
    };
    return yaml_read_fields(yaml, value, "a part", fields, COUNT_OF(fields));
}

static bool read_parts(struct yaml *yaml, yaml_value value, void *ret)
{
    struct course *course = ret;
    return yaml_read_list(yaml, value, read_part, sizeof *course->parts, (void **)&course->parts,
                          &course->n_parts);
}

/* Says which lessons each part has. */
static bool place_parts(struct course *course, const char *path, struct error *reterr)
{
    size_t at = 0;
    for (unsigned i = 0; i < course->n_parts; i++) {
        struct course_part *part = &course->parts[i];
        size_t first = at;
        while (first < course->n && strcmp(course->entries[first].id, part->begins) != 0)
            first++;
        if (first == course->n || (i == 0 && first > 0) || (i > 0 && first == at - 1))
            return error_set(reterr, ERR_SYNTAX,
                             "%s: part %u begins with %s, which is not a lesson after those of the "
                             "part before; the first part begins with the first lesson",
                             path, i + 1, part->begins);
        if (i > 0)
            course->parts[i - 1].n = first - course->parts[i - 1].first;
        part->first = first;
        part->n = course->n - first;
        at = first + 1;
    }
    return true;
}

/* All lessons are one part. */
static bool make_one_part(struct course *course, struct error *reterr)
{
    static char title[] = "Lessons", gives[] = "", begins[] = "";
    course->parts = arena_take(&course->arena, sizeof *course->parts);
    if (course->parts == NULL)
        return error_memory(reterr, "the lessons");
    course->parts[0] =
        (struct course_part){.title = title, .gives = gives, .begins = begins, .n = course->n};
    course->n_parts = 1;
    return true;
}

static bool open_parts(struct course *course, const char *folder, struct error *reterr)
{
    char path[PATH_BYTES];
    struct text text = {0};
    struct yaml yaml;
    yaml_value root;
    const struct yaml_field fields[] = {{"parts", read_parts, course, true}};
    if (snprintf(path, sizeof path, "%s/course.yaml", folder) >= (int)sizeof path ||
        !path_is_file(path))
        return course->n == 0 || make_one_part(course, reterr);
    bool ok = file_read_text(path, PARTS_MAX_BYTES, &text, reterr) &&
              yaml_open(&yaml, path, text_string(&text), text.size, &course->arena, &root, reterr);
    if (ok) {
        ok = yaml_read_fields(&yaml, root, "the course", fields, COUNT_OF(fields)) &&
             place_parts(course, path, reterr);
        yaml_close(&yaml);
    }
    text_release(&text);
    return ok;
}

bool course_open(const char *data_dir, struct course *ret, struct error *reterr)
{
    char path[PATH_BYTES];
    struct course course = {0};
    if (data_dir == NULL || snprintf(path, sizeof path, "%s/lessons", data_dir) >= (int)sizeof path)
        return error_set(reterr, ERR_FILE,
                         "the lessons: not found; set ATTN_DATA_DIR to the folder that holds "
                         "lessons/");
    DIR *folder = opendir(path);
    if (folder == NULL)
        return error_set(reterr, ERR_FILE,
                         "%s: %s; set ATTN_DATA_DIR to the folder that holds lessons/", path,
                         strerror(errno));
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(folder)) != NULL;)
        ok = !is_lesson(entry->d_name) || add_entry(&course, path, entry->d_name, reterr);
    closedir(folder);
    if (!ok) {
        course_release(&course);
        return false;
    }
    if (course.n > 0)
        qsort(course.entries, course.n, sizeof *course.entries, by_number);
    for (size_t i = 0; i < course.n; i++)
        course.entries[i].id = course.entries[i].file_name + MARK_BYTES;
    if (!open_parts(&course, path, reterr)) {
        course_release(&course);
        return false;
    }
    *ret = course;
    return true;
}

void course_release(struct course *course)
{
    for (size_t i = 0; i < course->n; i++)
        free(course->entries[i].path);
    free(course->entries);
    arena_release(&course->arena);
    *course = (struct course){0};
}

/* A name without the number before it, which may have changed since: "14-dropout" to "dropout". */
static const char *without_number(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    return digits > 0 && name[digits] == '-' ? name + digits + 1 : name;
}

/* Any writing of the name: "Dot products" is dot-products. */
static bool is_called(const struct course_entry *entry, const char *name)
{
    char slug[LESSON_NAME_BYTES];
    char *end;
    unsigned long number = strtoul(name, &end, 10);
    bool is_number = isdigit((unsigned char)name[0]) && *end == '\0';
    bool has_slug = lesson_slug(name, strlen(name), slug);
    return (is_number && number == entry->number) ||
           (has_slug && strcmp(without_number(slug), entry->id) == 0);
}

/* The only entry whose id begins with name, or NULL. */
static const struct course_entry *begins_with(const struct course *course, const char *name)
{
    const struct course_entry *found = NULL;
    for (size_t i = 0; i < course->n; i++)
        if (strncmp(course->entries[i].id, name, strlen(name)) == 0) {
            if (found != NULL)
                return NULL;
            found = &course->entries[i];
        }
    return found;
}

bool course_find(const struct course *course, const char *name, const struct course_entry **ret,
                 struct error *reterr)
{
    char shown[64];
    struct suggestion suggestion;
    const char *id = without_number(name);
    suggestion_init(&suggestion, id, strlen(id));
    const struct course_entry *found = NULL;
    for (size_t i = 0; i < course->n && found == NULL; i++) {
        suggestion_try(&suggestion, course->entries[i].id);
        if (is_called(&course->entries[i], name))
            found = &course->entries[i];
    }
    if (found == NULL && id[0] != '\0')
        found = begins_with(course, id);
    if (found != NULL) {
        *ret = found;
        return true;
    }
    error_quote(shown, sizeof shown, name, strlen(name));
    if (suggestion.best[0] != '\0')
        return error_set(reterr, ERR_NAME, "lesson %s: there is no such lesson; did you mean %s?",
                         shown, suggestion.best);
    return error_set(reterr, ERR_NAME, "lesson %s: there is no such lesson; lessons lists them",
                     shown);
}

const struct course_entry *course_entry_of(const struct course *course, const char *id)
{
    for (size_t i = 0; i < course->n; i++)
        if (strcmp(course->entries[i].id, id) == 0)
            return &course->entries[i];
    return NULL;
}

const struct course_entry *course_next(const struct course *course, const char *id)
{
    const struct course_entry *entry = course_entry_of(course, id);
    return entry != NULL && entry + 1 < course->entries + course->n ? entry + 1 : NULL;
}
