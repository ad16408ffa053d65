/* Class lists, as schools' systems write them: see class_list.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "assignment/class_list.h"
#include "assignment/table_internal.h"
#include "base/array.h"
#include "base/text.h"
#include "files/clock.h"
#include "result/safe_text.h"

enum { MAX_STUDENTS = 100000 };

/* ---- columns ---- */

enum { LOGIN, NAME, FIRST_NAME, LAST_NAME, EMAIL, ID, NUMBER, TIME, SECTION, N_COLUMNS };

/* As Canvas, Moodle, Gradescope, Google Classroom and GitHub Classroom write them; Moodle's in its
 * languages. */
static const char *const column_names[N_COLUMNS][TABLE_MAX_NAMES] = {
    [LOGIN] = {"login", "github", "github username", "github_username", "username", "user",
               "folder", "sis login id", "benutzername", "anmeldename", "nom d'utilisateur",
               "nombre de usuario", "nome utente", "nome de usuário", "gebruikersnaam"},
    [NAME] = {"name", "full name", "student", "vollständiger name", "nom complet",
              "nombre completo", "nome completo", "volledige naam"},
    [FIRST_NAME] = {"first name", "firstname", "given name", "vorname", "prénom", "nombre", "nome",
                    "voornaam", "imię", "förnamn", "fornavn", "etunimi", "jméno", "имя", "名"},
    [LAST_NAME] = {"last name", "lastname",       "surname",     "family name", "nachname",
                   "nom",       "nom de famille", "apellido(s)", "apellidos",   "sobrenome",
                   "apelido",   "cognome",        "achternaam",  "nazwisko",    "efternamn",
                   "etternavn", "efternavn",      "sukunimi",    "příjmení",    "фамилия",
                   "姓"},
    [EMAIL] = {"email", "e-mail", "email address", "e-mail address", "e-mail-adresse",
               "adresse de courriel", "adresse e-mail", "courriel", "dirección de correo",
               "correo electrónico", "indirizzo email", "endereço de email", "endereço de e-mail",
               "e-mailadres", "adres e-mail", "e-postadress"},
    [ID] = {"id", "student id", "id number", "sis user id", "number", "sid", "id-nummer",
            "matrikelnummer", "numéro d'identification", "número de id", "codice identificativo",
            "número de identificação", "numer id"},
    [NUMBER] = {"identifier"},
    [SECTION] = {"section", "sections", "group", "groups", "section_name"},
    [TIME] = {"time", "submitted", "submitted at", "submitted_at", "submission time",
              "submission_timestamp", "last modified (submission)", "zuletzt geändert (abgabe)",
              "dernière modification (travail remis)", "última modificación (entrega)",
              "ultima modifica (consegna)"},
};

/* ---- moments ---- */

/* Names of months begin so, in English, German, French, Spanish and Italian. */
static const char *const months[12][5] = {
    {"jan", "ene", "gen"},
    {"feb", "fév", "fev"},
    {"mar", "mär", "mrz"},
    {"apr", "avr", "abr"},
    {"may", "mai", "mag"},
    {"jun", "juin", "giu"},
    {"jul", "juil", "lug"},
    {"aug", "aoû", "ago"},
    {"sep", "set"},
    {"oct", "okt", "ott"},
    {"nov"},
    {"dec", "dez", "déc", "dic"},
};

/* 1 to 12; 0 for another word. */
static int month_of(const char *word, size_t size)
{
    for (int month = 0; month < 12; month++)
        for (size_t i = 0; months[month][i] != NULL; i++)
            if (size >= strlen(months[month][i]) &&
                strncasecmp(word, months[month][i], strlen(months[month][i])) == 0)
                return month + 1;
    return 0;
}

/* The parts of a moment in words, while they are read. */
struct spoken {
    int day, month, year, hour, minute; /* hour: -1 until one was read */
    bool is_am, is_pm;
};

static void read_spoken_number(struct spoken *spoken, const char *at)
{
    char *end;
    long number = strtol(at, &end, 10);
    if (*end == ':' && spoken->hour < 0) {
        spoken->hour = number >= 0 && number < 24 ? (int)number : 24;
        spoken->minute = (int)strtol(end + 1, NULL, 10) % 100;
    } else if (number > 1900 && number < 3000) {
        spoken->year = (int)number;
    } else if (number >= 1 && number <= 31) {
        spoken->day = (int)number;
    }
}

/* "Sunday, 1 March 2026, 9:15 PM", as Moodle writes moments, in this machine's zone. The last name
 * of a month counts: martes is a day before marzo. */
static bool read_spoken_moment(const char *text, int64_t *ret_s)
{
    struct spoken spoken = {.hour = -1};
    for (const char *at = text; *at != '\0';) {
        size_t size = strcspn(at, " ,.");
        int month = month_of(at, size);
        if (text_is_digit(*at))
            read_spoken_number(&spoken, at);
        else if (size == 2 && strncasecmp(at, "pm", 2) == 0)
            spoken.is_pm = true;
        else if (size == 2 && strncasecmp(at, "am", 2) == 0)
            spoken.is_am = true;
        else
            spoken.month = month != 0 ? month : spoken.month;
        at += size;
        at += *at != '\0';
    }
    if (spoken.hour >= 1 && spoken.hour <= 12 && (spoken.is_am || spoken.is_pm))
        spoken.hour = spoken.hour % 12 + (spoken.is_pm ? 12 : 0);
    char plain[40];
    snprintf(plain, sizeof plain, "%04d-%02d-%02d %02d:%02d", spoken.year, spoken.month, spoken.day,
             spoken.hour, spoken.minute);
    return spoken.day > 0 && spoken.month > 0 && spoken.year > 0 && spoken.hour >= 0 &&
           date_read(plain, ret_s);
}

static const char *moment_field(const struct table *table)
{
    for (size_t i = 0; table->at[TIME] == TABLE_NO_COLUMN && i < table->n_head; i++)
        if (text_ends_with(table->head[i], "- Submission Time")) /* of Gradescope's assignment */
            return table_field_at(table, i);
    return table_field(table, TIME);
}

/* Seconds since 1970 UTC; 0 if it is not a time, such as "-". Zones may be UTC, +01:00 or +0100. */
static int64_t moment_in_row(const struct table *table)
{
    char plain[64];
    const char *text = moment_field(table);
    size_t size = strlen(text);
    int64_t time_s;
    if (size < 8 || size + 2 > sizeof plain)
        return 0;
    memcpy(plain, text, size + 1);
    if (text_ends_with(plain, " UTC"))
        memcpy(plain + size - 3, "Z", 2);
    if (strchr("+-", plain[size - 5]) != NULL && plain[size - 6] == ' ') {
        memmove(plain + size - 1, plain + size - 2, 3);
        plain[size - 2] = ':';
    }
    return date_read(plain, &time_s) || read_spoken_moment(text, &time_s) ? time_s : 0;
}

/* ---- the system's own numbers ---- */

static bool is_head(const struct table *table, unsigned column, const char *const *list)
{
    int at = table->at[column];
    bool is = false;
    for (size_t i = 0; at != TABLE_NO_COLUMN && list[i] != NULL; i++)
        is = is || strcasecmp(table->head[at], list[i]) == 0;
    return is;
}

static bool has_head(const struct table *table, const char *name)
{
    bool has = false;
    for (size_t i = 0; i < table->n_head; i++)
        has = has || strcasecmp(table->head[i], name) == 0;
    return has;
}

/* The digits at the end of "Participant 71052", as Moodle writes it in any language; NULL for
 * another text. Numbers of universities, such as s71052, begin with fewer letters. */
static const char *participant_digits(const char *text)
{
    enum { PREFIX_MIN = 5 };
    size_t size = strlen(text), prefix = size;
    while (prefix > 0 && text_is_digit(text[prefix - 1]))
        prefix--;
    bool is_number =
        prefix >= PREFIX_MIN && prefix < size && strcspn(text, "0123456789@") == prefix;
    return is_number ? text + prefix : NULL;
}

/* The number by which the system that wrote the list calls this row's student in the names of
 * folders and files: Canvas's ID, Moodle's participant, which stands in the first column whatever
 * that is called, Gradescope's SID. "" if the list has no such number. */
static const char *number_in_row(const struct table *table)
{
    static const char *const gradescope[] = {"sid", NULL}, *const canvas[] = {"id", NULL};
    bool is_canvas = has_head(table, "student") && is_head(table, ID, canvas) &&
                     (has_head(table, "section") || has_head(table, "sis login id") ||
                      has_head(table, "sis user id"));
    if (is_canvas || is_head(table, ID, gradescope))
        return table_field(table, ID);
    if (has_head(table, "github_username"))
        return "";
    bool is_free = true;
    for (int i = 0; i < N_COLUMNS; i++)
        is_free = is_free && (i == ID || i == NUMBER || table->at[i] != 0);
    const char *digits = is_free ? participant_digits(table_field_at(table, 0)) : NULL;
    return digits != NULL ? digits : "";
}

/* The student's number at the university, or another one; GitHub Classroom calls it an identifier.
 */
static const char *id_in_row(const struct table *table)
{
    const char *id = table_field(table, table->at[ID] != TABLE_NO_COLUMN ? ID : NUMBER);
    return participant_digits(id) == NULL || table->at[ID] > 0 ? id : "";
}

static void write_name(const struct table *table, struct text *text)
{
    const char *first = table_field(table, FIRST_NAME), *last = table_field(table, LAST_NAME);
    text_clear(text);
    if (table->at[NAME] != TABLE_NO_COLUMN)
        text_put(text, table_field(table, NAME));
    else
        text_format(text, "%s%s%s", first, first[0] != '\0' && last[0] != '\0' ? " " : "", last);
}

/* A row without a login has the part of its e-mail before the @; in a list without logins and
 * e-mails, and where the system has a number for the student, the name is the login. A row that has
 * nothing but a number goes by that. */
static void write_login(const struct table *table, const char *name, struct text *text)
{
    const char *login = table_field(table, LOGIN), *email = table_field(table, EMAIL);
    text_clear(text);
    if (login[0] != '\0')
        text_put(text, login);
    else if (email[0] != '\0')
        text_add(text, email, strcspn(email, "@"));
    else if ((table->at[LOGIN] == TABLE_NO_COLUMN && table->at[EMAIL] == TABLE_NO_COLUMN) ||
             number_in_row(table)[0] != '\0' || table->at[NUMBER] != TABLE_NO_COLUMN)
        text_put(text, name[0] != '\0' ? name : table_field_at(table, 0));
}

/* Rows of the system, which belong to no student. Canvas has the points possible, "Manual Posting"
 * in a row without a name, and a test student; Google Classroom has the dates and the points. */
static bool is_of_the_system(const struct table *table, const char *name)
{
    static const char *const words[] = {"manual posting", "date", "points"};
    if (strcasecmp(name, "points possible") == 0 || strcasecmp(name, "student, test") == 0)
        return true;
    if (table_field(table, LOGIN)[0] != '\0' || table_field(table, EMAIL)[0] != '\0' ||
        table_field(table, ID)[0] != '\0' || table_field(table, NUMBER)[0] != '\0')
        return false;
    bool names_alone = table->at[LOGIN] == TABLE_NO_COLUMN && table->at[EMAIL] == TABLE_NO_COLUMN;
    bool is_word = false;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        is_word = is_word || strcasecmp(name, words[i]) == 0;
    return name[0] == '\0' || (is_word && !names_alone);
}

static bool add_row(const struct table *table, struct students *students, struct error *reterr)
{
    struct text name = {0}, written = {0};
    write_name(table, &name);
    write_login(table, text_string(&name), &written);
    char *login = safe_name_copy(text_string(&written));
    size_t before = students->n;
    bool ok = true;
    if (name.failed || written.failed || login == NULL)
        ok = error_memory(reterr, table->csv.name);
    else if (is_of_the_system(table, text_string(&name)))
        ok = true;
    else if (login[0] == '\0')
        ok = table_fault(table, reterr, "this row has no login", "");
    else if (students->n == MAX_STUDENTS)
        ok = table_fault(table, reterr, "a class has at most 100000 students", "");
    else
        ok = students_add(students, login, text_string(&name), table_field(table, EMAIL),
                          id_in_row(table), reterr) &&
             students_set_number(students, number_in_row(table), table_field(table, SECTION),
                                 reterr);
    if (ok && students->n > before) {
        students->items[before].is_login_made = table_field(table, LOGIN)[0] == '\0';
        students->items[before].submitted_s = moment_in_row(table);
    }
    text_release(&name);
    text_release(&written);
    free(login);
    return ok;
}

struct listed {
    const char *login;
    size_t student; /* in the order of the list, so of its line too */
};

static int compare_listed(const void *a, const void *b)
{
    const struct listed *left = a, *right = b;
    int order = strcmp(left->login, right->login);
    return order != 0 ? order : (left->student > right->student) - (left->student < right->student);
}

/* The logins in order, each with its student's number; NULL without memory. */
static struct listed *list_logins(const struct table *table, const struct students *students,
                                  struct error *reterr)
{
    struct listed *listed = calloc(students->n + 1, sizeof *listed);
    if (listed == NULL)
        error_memory(reterr, table->csv.name);
    for (size_t i = 0; listed != NULL && i < students->n; i++)
        listed[i] = (struct listed){students->items[i].login, i};
    if (listed != NULL && students->n > 1)
        qsort(listed, students->n, sizeof *listed, compare_listed);
    return listed;
}

/* lines[i] is that of student i. */
static bool check_logins(struct table *table, const struct students *students,
                         const unsigned *lines, struct error *reterr)
{
    struct listed *listed = list_logins(table, students, reterr);
    bool ok = listed != NULL;
    for (size_t i = 1; ok && i < students->n; i++) {
        if (strcmp(listed[i - 1].login, listed[i].login) == 0) {
            table->csv.line = lines[listed[i].student];
            ok = table_fault(table, reterr, "this login is there already", listed[i].login);
        }
    }
    free(listed);
    return ok;
}

/* A login that was made, and that another student has too: the whole e-mail (ann@a.org, ann@b.org),
 * or the name with the system's number. To be freed; NULL without memory. */
static char *login_apart(const struct student *one)
{
    struct text login = {0};
    bool has_number = result_word(one->number)[0] != '\0';
    if (one->email[0] != '\0')
        text_put(&login, one->email);
    else
        text_format(&login, "%s%s%s", one->login, has_number ? "_" : "", result_word(one->number));
    char *copy = login.failed ? NULL : safe_name_copy(text_string(&login));
    text_release(&login);
    return copy;
}

/* Where logins were made and two came out the same, tells each of the two apart. */
static bool tell_apart(const struct table *table, struct students *students, struct error *reterr)
{
    struct students apart = {0};
    bool *is_shared = calloc(students->n + 1, sizeof *is_shared);
    struct listed *listed = list_logins(table, students, reterr);
    bool ok = listed != NULL && (is_shared != NULL || error_memory(reterr, table->csv.name));
    for (size_t i = 1; ok && i < students->n; i++)
        if (strcmp(listed[i - 1].login, listed[i].login) == 0)
            is_shared[listed[i - 1].student] = is_shared[listed[i].student] = true;
    for (size_t i = 0; ok && i < students->n; i++) {
        const struct student *one = &students->items[i];
        char *login = is_shared[i] && one->is_login_made ? login_apart(one) : strdup(one->login);
        ok = login != NULL ? students_add(&apart, login, one->name, one->email, one->id, reterr) &&
                                 students_set_number(&apart, one->number, one->section, reterr)
                           : error_memory(reterr, table->csv.name);
        if (ok) {
            apart.items[i].is_login_made = one->is_login_made;
            apart.items[i].submitted_s = one->submitted_s;
        }
        free(login);
    }
    students_release(students);
    *students = apart;
    free(is_shared);
    free(listed);
    return ok;
}

/* All rows after the first. */
static bool read_rows(struct table *table, struct students *students, struct error *reterr)
{
    unsigned *lines = NULL;
    size_t capacity = 0;
    bool ok = true, is_there = true;
    while (ok && is_there) {
        unsigned *more = array_grow(lines, students->n, &capacity, sizeof *lines);
        lines = more != NULL ? more : lines;
        ok = (more != NULL || error_memory(reterr, table->csv.name)) &&
             table_next(table, &is_there, reterr);
        if (ok && is_there) {
            lines[students->n] = table->csv.line;
            ok = add_row(table, students, reterr);
        }
    }
    ok = ok && tell_apart(table, students, reterr) && check_logins(table, students, lines, reterr);
    free(lines);
    return ok;
}

bool class_list_load(const char *path, struct students *ret, struct error *reterr)
{
    static const struct table_layout layout = {
        column_names,
        N_COLUMNS,
        {1 << LOGIN | 1 << EMAIL | 1 << NAME | 1 << LAST_NAME | 1 << NUMBER},
        "login, and if you like name, email, id"};
    struct students students = {0};
    struct table table;
    bool ok = table_open(&table, path, &layout, reterr) && read_rows(&table, &students, reterr);
    table_close(&table);
    if (ok)
        *ret = students;
    else
        students_release(&students);
    return ok;
}
