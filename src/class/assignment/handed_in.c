/* Names of handed-in files: see handed_in.h. */
#include "assignment/handed_in.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "files/clock.h"
#include "files/file.h"

enum { MAX_GROUPS = 6 };

/* The groups of a form's pattern; 0: the form has no such group, and the student is the text before
 * the match. Of several matches the first one counts, since the student chooses the rest. */
static const struct {
    const char *pattern;
    unsigned student, number, late, time, file;
} forms[N_NAME_FORMS] = {
    /* Blackboard: assignment, login, moment, file. */
    {"_([^_]+)_attempt_([0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{2}-[0-9]{2}-[0-9]{2})_(.+)$", 1, 0, 0, 2,
     3},
    /* Moodle: full name, number, file. */
    {"_([0-9]+)_assignsubmission_file_(.+)$", 0, 1, 0, 0, 2},
    /* Canvas: name, LATE, user, submission, file. */
    {"^([^_]+)(_LATE)?_([0-9]+)_[0-9]+_(.+)$", 1, 3, 2, 0, 4},
};

/* The text around a name in a copy's name. Of several, one after another is left out. */
static const struct {
    const char *pattern;
    unsigned number, file; /* groups */
} copies[N_COPY_FORMS] = {
    {"^(.+) ?\\(([0-9]{1,4})\\)$", 2, 1},
    {"^(.+)[-_][vV]?([0-9]{1,4})$", 2, 1},
    {"^(.+)[ _-]copy$", 0, 1},
    {"^copy of (.+)$", 0, 1},
    {"^(.+)[-_ ]final$", 0, 1},
};

bool name_reader_open(const struct exercises *exercises, const struct assignment *assignment,
                      struct name_reader *ret, struct error *reterr)
{
    struct name_reader reader = {.exercises = exercises, .assignment = assignment};
    bool ok = true;
    for (int i = 0; ok && i < N_NAME_FORMS; i++) {
        ok = regcomp(&reader.forms[i], forms[i].pattern, REG_EXTENDED) == 0;
        reader.n_forms += ok;
    }
    for (int i = 0; ok && i < N_COPY_FORMS; i++) {
        ok = regcomp(&reader.copies[i], copies[i].pattern, REG_EXTENDED | REG_ICASE) == 0;
        reader.n_copies += ok;
    }
    if (!ok) {
        name_reader_close(&reader);
        return error_memory(reterr, "the names of files");
    }
    *ret = reader;
    return true;
}

void name_reader_close(struct name_reader *reader)
{
    for (unsigned i = 0; i < reader->n_forms; i++)
        regfree(&reader->forms[i]);
    for (unsigned i = 0; i < reader->n_copies; i++)
        regfree(&reader->copies[i]);
    reader->n_forms = reader->n_copies = 0;
}

static size_t group_size(const regmatch_t *group)
{
    return group->rm_so >= 0 ? (size_t)(group->rm_eo - group->rm_so) : 0;
}

/* Blackboard's 2026-03-01-21-15-00, in this machine's zone; 0 if it is not a date. */
static int64_t read_moment(const char *digits)
{
    char text[] = "0000-00-00 00:00:00";
    int64_t time_s;
    for (size_t i = 0; text[i] != '\0'; i++)
        text[i] = text[i] == '0' ? digits[i] : text[i];
    return date_read(text, &time_s) ? time_s : 0;
}

/* The place of the system's part of a name; a smaller one is further out. Canvas's form begins with
 * the name; there the end counts, as a number of Blackboard's could be taken for one of
 * Canvas's. */
static regoff_t form_place(const regmatch_t *whole, const regmatch_t *own)
{
    return whole->rm_so > 0 ? whole->rm_so : own->rm_so;
}

/* The outermost form that the file's name has; N_NAME_FORMS if it has no known form. */
static unsigned find_form(const struct name_reader *reader, const char *file,
                          regmatch_t ret[MAX_GROUPS])
{
    unsigned best = N_NAME_FORMS;
    regmatch_t groups[MAX_GROUPS];
    for (unsigned i = 0; i < reader->n_forms; i++) {
        if (regexec(&reader->forms[i], file, MAX_GROUPS, groups, 0) != 0 ||
            (best < N_NAME_FORMS && form_place(&ret[0], &ret[forms[best].file]) <=
                                        form_place(&groups[0], &groups[forms[i].file])))
            continue;
        best = i;
        memcpy(ret, groups, sizeof groups);
    }
    return best;
}

/* Takes off the text that a system wrote around the student's name for the file. *file may become
 * another string, which is to be freed as before. */
static bool take_form(const struct name_reader *reader, char **file, struct handed_in *handed_in)
{
    regmatch_t groups[MAX_GROUPS];
    unsigned form = find_form(reader, *file, groups);
    if (form == N_NAME_FORMS)
        return true;
    regmatch_t whose = groups[forms[form].student], own = groups[forms[form].file];
    if (forms[form].student == 0)
        whose = (regmatch_t){.rm_so = 0, .rm_eo = groups[0].rm_so};
    char *inner = strndup(*file + own.rm_so, group_size(&own));
    handed_in->student = strndup(*file + whose.rm_so, group_size(&whose));
    if (forms[form].number > 0) {
        const regmatch_t *number = &groups[forms[form].number];
        handed_in->number = strndup(*file + number->rm_so, group_size(number));
        if (handed_in->number == NULL)
            return false;
    }
    handed_in->is_late = forms[form].late > 0 && group_size(&groups[forms[form].late]) > 0;
    if (forms[form].time > 0)
        handed_in->submitted_s = read_moment(*file + groups[forms[form].time].rm_so);
    free(*file);
    *file = inner;
    return inner != NULL && handed_in->student != NULL;
}

/* Takes one mark of a copy off; false if the name has no mark, or memory is lacking, and then *file
 * is NULL. */
static bool take_copy(const struct name_reader *reader, char **file, struct handed_in *handed_in)
{
    regmatch_t groups[MAX_GROUPS];
    for (unsigned i = 0; i < reader->n_copies; i++) {
        if (regexec(&reader->copies[i], *file, MAX_GROUPS, groups, 0) != 0)
            continue;
        const regmatch_t *own = &groups[copies[i].file];
        size_t size = group_size(own);
        while (size > 1 && strchr(" -", (*file)[own->rm_so + (regoff_t)size - 1]) != NULL)
            size--;
        if (copies[i].number > 0 && handed_in->attempt == 0)
            handed_in->attempt =
                (unsigned)strtoul(*file + groups[copies[i].number].rm_so, NULL, 10);
        char *inner = strndup(*file + own->rm_so, size);
        free(*file);
        *file = inner;
        return inner != NULL;
    }
    return false;
}

/* name without .c, in any case (systems of old write DOT.C), and without marks of direction. To be
 * freed. */
static char *without_ending(const char *name)
{
    size_t size = strlen(name);
    if (size > 2 && strcasecmp(name + size - 2, ".c") == 0)
        size -= 2;
    return text_copy_undirected(name, size);
}

/* How much of file, which has no .c, stands before the name that an assignment asks for; SIZE_MAX
 * when it is another name. */
static size_t before_asked_name(const char *file, const char *asked)
{
    size_t size = strlen(file), length = asked != NULL ? strlen(asked) : 0;
    length -= length > 2 && strcasecmp(asked + length - 2, ".c") == 0 ? 2 : 0;
    if (length == 0 || length > size || strncasecmp(file + size - length, asked, length) != 0)
        return SIZE_MAX;
    if (length == size)
        return 0;
    char joint = file[size - length - 1];
    return joint == '_' || joint == '-' ? size - length - 1 : SIZE_MAX;
}

/* The exercise that a file's name means, if it may be handed in; and the text before it. */
static const struct exercise *exercise_of(const struct name_reader *reader, const char *file,
                                          size_t *ret_prefix)
{
    const struct assignment *assignment = reader->assignment;
    const char *begin;
    for (unsigned i = 0; assignment != NULL && i < assignment->n_exercises; i++) {
        *ret_prefix = before_asked_name(file, assignment->exercises[i].file);
        if (*ret_prefix != SIZE_MAX)
            return assignment->exercises[i].exercise;
    }
    const struct exercise *found = exercises_find(reader->exercises, file);
    if (found == NULL || (assignment != NULL && assignment_find(assignment, found->id) == NULL))
        return NULL;
    *ret_prefix = exercise_name_prefix(found, file, &begin);
    return found;
}

/* Copies' marks come off until an exercise is found: dot_2.c is dot's, and 04_dot.c is too. */
static bool find_exercise(const struct name_reader *reader, char **file,
                          struct handed_in *handed_in, size_t *ret_prefix)
{
    do
        handed_in->exercise = exercise_of(reader, *file, ret_prefix);
    while (handed_in->exercise == NULL && take_copy(reader, file, handed_in));
    return *file != NULL;
}

bool name_read(const struct name_reader *reader, const char *path, struct handed_in *ret,
               struct error *reterr)
{
    struct handed_in handed_in = {.exercise = NULL};
    size_t prefix = 0;
    char *file = without_ending(path_base_name(path));
    bool ok = file != NULL && take_form(reader, &file, &handed_in) &&
              find_exercise(reader, &file, &handed_in, &prefix);
    if (ok && handed_in.student == NULL) {
        handed_in.student = strndup(file, handed_in.exercise != NULL ? prefix : 0);
        ok = handed_in.student != NULL;
    }
    free(file);
    if (!ok) {
        handed_in_release(&handed_in);
        return error_memory(reterr, "the name of a file");
    }
    *ret = handed_in;
    return true;
}

void handed_in_release(struct handed_in *handed_in)
{
    free(handed_in->student);
    free(handed_in->number);
    *handed_in = (struct handed_in){0};
}

size_t folder_student(const char *folder, const char **ret, size_t *ret_number)
{
    static const char moodle[] = "_assignsubmission_";
    const char *name = path_base_name(folder), *mark = strstr(name, moodle);
    size_t end = mark != NULL ? (size_t)(mark - name) : strlen(name), size = end;
    while (mark != NULL && size > 0 && text_is_digit(name[size - 1]))
        size--;
    bool is_moodle = mark != NULL && size > 1 && name[size - 1] == '_' && size < end;
    *ret = name;
    *ret_number = is_moodle ? end - size : 0;
    return is_moodle ? size - 1 : strlen(name);
}
