/* The tables that an instructor keeps: the class list, and points set by hand. */
#ifndef ATTN_ASSIGNMENT_CLASS_LIST_H
#define ATTN_ASSIGNMENT_CLASS_LIST_H

#include "assignment/class_index.h"
#include "assignment/settle_internal.h"
#include "base/error.h"
#include "report/student.h"

/* Reads a class list, a CSV whose first row names its columns, in any order and case; other columns
 * are ignored:
 *
 *   login: login, github, username, user, folder, sis login id
 *   name:  name, student, full name; or first name and last name (surname)
 *   email: email, e-mail, email address
 *   id:    id, student id, id number, sis user id, sid
 *   time:  time, submitted, submission time, submission_timestamp, last modified (submission)
 *
 * and their names in other languages of Moodle, so that exports of Canvas, Moodle, Google Classroom
 * and GitHub work unchanged; their rows of dates and points are left out. A student without a login
 * has the part of the e-mail before the @, or the whole e-mail if two would have the same; in a
 * list without logins and e-mails the name is the login. Logins get the form in which results name
 * students: see safe_name_copy(). ERR_FILE; ERR_SYNTAX "FILE:LINE: ..." if a row has no login, or
 * one that an earlier row has. */
bool class_list_load(const char *path, struct students *ret, struct error *reterr);

/* Reads who handed in what attn could not tell: a CSV with the columns folder and login, as
 * unclear_write() writes it; - is nobody of the class. Rows without a login are left out. A
 * login of the roster (or NULL: any text) may be any name that class_index_find() knows. ERR_FILE;
 * ERR_SYNTAX "FILE:LINE: ...". */
bool who_rows_load(const char *path, const struct students *roster, struct who_rows *ret,
                   struct error *reterr);
void who_rows_release(struct who_rows *who);

/* Results of which the class list does not tell whose they are: one for each folder, or file
 * outside of folders. Borrowed. */
struct unclear {
    const struct results *results;
    const struct result **items;
    size_t n;
};

/* ERR_MEMORY. */
bool unclear_list(const struct results *results, struct unclear *ret, struct error *reterr);
void unclear_release(struct unclear *unclear);
/* Adds a CSV with the columns folder, login, found and candidates: a row for each, without a login,
 * and after them the rows that were filled in before. ERR_MEMORY. */
bool unclear_write(const struct unclear *unclear, const struct students *students,
                   const struct who_rows *before, struct text *text, struct error *reterr);

/* Reads points set by hand: a CSV with the columns student, exercise, points and, if you like,
 * reason and rubric. A row with a reason and no points is a comment; if it names a line of a
 * rubric, it is a comment to that. Students and exercises as results name them; a student of the
 * roster (or NULL) by all names that class_index_find() knows. Later rows replace earlier ones.
 * ERR_FILE; ERR_SYNTAX "FILE:LINE: ...". */
bool overrides_load(const char *path, const struct students *roster,
                    const struct exercises *exercises, struct overrides *ret, struct error *reterr);
void overrides_release(struct overrides *overrides);

/* Reads who has more time: a CSV with the columns student or section (of the roster), due (a
 * moment) or days (on top of the due date), and, if you like, reason. A student is any name that
 * class_index_find() knows; without a roster (NULL) it is that of results, and there are no
 * sections. Of several rows for a student the last one counts. ERR_FILE; ERR_SYNTAX "FILE:LINE:
 * ...". */
bool extensions_load(const char *path, const struct students *roster, struct extensions *ret,
                     struct error *reterr);
void extensions_release(struct extensions *extensions);

/* Reads who works together: a CSV with the columns team and student (a name that class_index_find()
 * knows), as Canvas, Moodle and Gradescope export groups. A row without a team is somebody's who
 * works alone. ERR_FILE; ERR_SYNTAX "FILE:LINE: ...", also if a student is in two teams. */
bool teams_load(const char *path, const struct students *roster, struct teams *ret,
                struct error *reterr);
void teams_release(struct teams *teams);
/* Adds a row for each team that has none: a folder called after it is its first student's.
 * ERR_MEMORY. */
bool teams_add_folders(const struct teams *teams, struct who_rows *who, struct error *reterr);

#endif
