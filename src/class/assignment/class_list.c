/* Class lists and points set by hand: see class_list.h. */
#include "assignment/class_list.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>
#include <errno.h>
#include <stdio.h>
#include <math.h>
#include <strings.h>

#include "base/array.h"
#include "base/text.h"
#include "assignment/class_index.h"
#include "files/clock.h"
#include "files/file.h"
#include "report/report.h"
#include "result/result.h"
#include "result/safe_text.h"

/* ---- csv ---- */

static char find_separator(const char *at, const char *end)
{
    static const char separators[] = {',', ';', '\t'};
    size_t counts[COUNT_OF(separators)] = {0}, best = 0;
    bool quoted = false;
    for (; at < end && (quoted || (*at != '\n' && *at != '\r')); at++) {
        quoted = quoted != (*at == '"');
        for (size_t i = 0; !quoted && i < COUNT_OF(separators); i++)
            counts[i] += *at == separators[i];
    }
    for (size_t i = 1; i < COUNT_OF(separators); i++)
        best = counts[i] > counts[best] ? i : best;
    return separators[best];
}

/* Reads text[0..size), which must live as long. The separator is the one of , ; and tab that the
 * first line has most of. */
static void csv_open(struct csv *csv, const char *name, const char *text, size_t size,
                     struct arena *arena)
{
    static const char mark[] = "\xEF\xBB\xBF";
    *csv =
        (struct csv){.name = name, .at = text, .end = text + size, .next_line = 1, .arena = arena};
    if (size >= 3 && memcmp(text, mark, 3) == 0)
        csv->at += 3;
    csv->separator = find_separator(csv->at, csv->end);
}

static void csv_close(struct csv *csv)
{
    free(csv->fields);
    csv->fields = NULL;
    csv->n_fields = csv->capacity = 0;
}

static bool is_line_end(const struct csv *csv)
{
    return csv->at == csv->end || *csv->at == '\n' || *csv->at == '\r';
}

static void skip_line_end(struct csv *csv)
{
    if (csv->at < csv->end && *csv->at == '\r')
        csv->at++;
    if (csv->at < csv->end && *csv->at == '\n')
        csv->at++;
}

/* The text in quotes; "" in it is one quote. */
static bool read_quoted(struct csv *csv, unsigned *lines, struct text *field, struct error *reterr)
{
    unsigned begin = *lines;
    for (csv->at++; csv->at < csv->end; csv->at++) {
        bool is_double = *csv->at == '"' && csv->at + 1 < csv->end && csv->at[1] == '"';
        if (*csv->at == '"' && !is_double) {
            csv->at++;
            return true;
        }
        *lines += *csv->at == '\n';
        text_char(field, *csv->at);
        csv->at += is_double;
    }
    return error_set(reterr, ERR_SYNTAX, "%s:%u: a quote is not closed", csv->name, begin);
}

static bool read_field(struct csv *csv, unsigned *lines, struct text *field, struct error *reterr)
{
    while (csv->at < csv->end && *csv->at == ' ')
        csv->at++;
    if (csv->at < csv->end && *csv->at == '"' && !read_quoted(csv, lines, field, reterr))
        return false;
    while (!is_line_end(csv) && *csv->at != csv->separator)
        text_char(field, *csv->at++);
    return true;
}

/* The bytes of the blank, or of the mark of a direction, that stands at bytes; 0: another
 * character, or none. */
static size_t blank_size(const char *bytes, size_t size)
{
    utf8proc_int32_t code;
    utf8proc_ssize_t length =
        utf8proc_iterate((const utf8proc_uint8_t *)bytes, (utf8proc_ssize_t)size, &code);
    bool is_blank =
        length > 0 && (code == '\t' || code == 0x061C || code == 0x200E || code == 0x200F ||
                       utf8proc_category(code) == UTF8PROC_CATEGORY_ZS);
    return is_blank ? (size_t)length : 0;
}

static size_t size_without_blanks_at_end(const char *bytes, size_t size)
{
    size_t kept = 0;
    for (size_t at = 0; at < size;) {
        size_t blank = blank_size(bytes + at, size - at);
        at += blank > 0 ? blank : 1;
        kept = blank > 0 ? kept : at;
    }
    return kept;
}

static bool keep_field(struct csv *csv, const struct text *field)
{
    const char *begin = text_string(field);
    size_t size = field->size, blank;
    while ((blank = blank_size(begin, size)) > 0) {
        begin += blank;
        size -= blank;
    }
    size = size_without_blanks_at_end(begin, size);
    char **fields = array_grow(csv->fields, csv->n_fields, &csv->capacity, sizeof *fields);
    char *copy = field->failed ? NULL : arena_copy(csv->arena, begin, size);
    if (fields != NULL)
        csv->fields = fields;
    if (fields == NULL || copy == NULL)
        return false;
    fields[csv->n_fields++] = copy;
    return true;
}

static bool read_row(struct csv *csv, unsigned *lines, struct error *reterr)
{
    struct text field = {0};
    bool ok = true, goes_on = true;
    csv->n_fields = 0;
    while (ok && goes_on) {
        text_clear(&field);
        ok = read_field(csv, lines, &field, reterr) &&
             (keep_field(csv, &field) || error_memory(reterr, csv->name));
        goes_on = csv->at < csv->end && *csv->at == csv->separator;
        csv->at += goes_on;
    }
    text_release(&field);
    skip_line_end(csv);
    return ok;
}

static bool is_empty(const struct csv *csv)
{
    for (size_t i = 0; i < csv->n_fields; i++)
        if (csv->fields[i][0] != '\0')
            return false;
    return true;
}

/* Reads the next row that is not empty. *ret_is_there is false at the end. ERR_SYNTAX "NAME:LINE:
 * ..." for a quote that is not closed; ERR_MEMORY. */
static bool csv_row(struct csv *csv, bool *ret_is_there, struct error *reterr)
{
    *ret_is_there = false;
    while (csv->at < csv->end && !*ret_is_there) {
        unsigned lines = csv->next_line;
        csv->line = lines;
        if (!read_row(csv, &lines, reterr))
            return false;
        csv->next_line = lines + 1;
        *ret_is_there = !is_empty(csv);
    }
    return true;
}

/* The field of that number, "" if the row is shorter. */
static const char *csv_field(const struct csv *csv, size_t i)
{
    return i < csv->n_fields ? csv->fields[i] : "";
}

/* ---- class list ---- */

enum { FILE_MAX_BYTES = 16 << 20, MAX_STUDENTS = 100000, MAX_POINTS = 100000, NO_COLUMN = -1 };

/* ---- a table of which the first row names the columns ---- */

struct column {
    const char *const *names; /* in small letters, the best first; NULL at the end */
    int at;                   /* NO_COLUMN: it is not there */
};

struct table {
    struct text text;
    struct arena arena;
    struct csv csv;
    char **head; /* [n_head], the first row; in the arena */
    size_t n_head;
};

static int find_column(const struct csv *csv, const char *const *names)
{
    for (size_t i = 0; names[i] != NULL; i++)
        for (size_t j = 0; j < csv->n_fields; j++)
            if (strcasecmp(csv->fields[j], names[i]) == 0)
                return (int)j;
    return NO_COLUMN;
}

static bool table_open(struct table *table, const char *path, struct column *columns, size_t n,
                       struct error *reterr)
{
    bool is_there;
    *table = (struct table){.csv.name = path};
    if (!file_read_text(path, FILE_MAX_BYTES, &table->text, reterr))
        return false;
    csv_open(&table->csv, path, text_string(&table->text), table->text.size, &table->arena);
    if (!csv_row(&table->csv, &is_there, reterr))
        return false;
    for (size_t i = 0; i < n; i++)
        columns[i].at = find_column(&table->csv, columns[i].names);
    table->n_head = table->csv.n_fields;
    table->head = arena_take(&table->arena, (table->n_head + 1) * sizeof(char *));
    if (table->head == NULL)
        return error_memory(reterr, path);
    for (size_t i = 0; i < table->n_head; i++)
        table->head[i] = table->csv.fields[i];
    return true;
}

static void table_close(struct table *table)
{
    csv_close(&table->csv);
    text_release(&table->text);
    arena_release(&table->arena);
}

static const char *field(const struct table *table, const struct column *column)
{
    return column->at != NO_COLUMN ? csv_field(&table->csv, (size_t)column->at) : "";
}

static bool fault(const struct table *table, struct error *reterr, const char *what,
                  const char *word)
{
    return error_set(reterr, ERR_SYNTAX, "%s:%u: %s%s%s", table->csv.name, table->csv.line, what,
                     word[0] != '\0' ? ": " : "", word);
}

/* ---- the class list ---- */

enum { LOGIN, NAME, FIRST_NAME, LAST_NAME, EMAIL, ID, NUMBER, TIME, SECTION, N_COLUMNS };

/* As Canvas, Moodle, Gradescope, Google Classroom and GitHub Classroom write them; Moodle's in its
 * languages. */
static const char *const column_names[N_COLUMNS][24] = {
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

static const char *moment_field(const struct table *table, const struct column *columns)
{
    for (size_t i = 0; columns[TIME].at == NO_COLUMN && i < table->n_head; i++)
        if (text_ends_with(table->head[i], "- Submission Time")) /* of Gradescope's assignment */
            return csv_field(&table->csv, i);
    return field(table, &columns[TIME]);
}

/* Seconds since 1970 UTC; 0 if it is not a time, such as "-". Zones may be UTC, +01:00 or +0100. */
static int64_t moment_in_row(const struct table *table, const struct column *columns)
{
    char plain[64];
    const char *text = moment_field(table, columns);
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

static bool is_head(const struct table *table, const struct column *column, const char *const *list)
{
    bool is = false;
    for (size_t i = 0; column->at != NO_COLUMN && list[i] != NULL; i++)
        is = is || strcasecmp(table->head[column->at], list[i]) == 0;
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
static const char *number_in_row(const struct table *table, const struct column *columns)
{
    static const char *const gradescope[] = {"sid", NULL}, *const canvas[] = {"id", NULL};
    bool is_canvas = has_head(table, "student") && is_head(table, &columns[ID], canvas) &&
                     (has_head(table, "section") || has_head(table, "sis login id") ||
                      has_head(table, "sis user id"));
    if (is_canvas || is_head(table, &columns[ID], gradescope))
        return field(table, &columns[ID]);
    if (has_head(table, "github_username"))
        return "";
    bool is_free = true;
    for (int i = 0; i < N_COLUMNS; i++)
        is_free = is_free && (i == ID || i == NUMBER || columns[i].at != 0);
    const char *digits = is_free ? participant_digits(csv_field(&table->csv, 0)) : NULL;
    return digits != NULL ? digits : "";
}

/* The student's number at the university, or another one; GitHub Classroom calls it an identifier.
 */
static const char *id_in_row(const struct table *table, const struct column *columns)
{
    const char *id = field(table, columns[ID].at != NO_COLUMN ? &columns[ID] : &columns[NUMBER]);
    return participant_digits(id) == NULL || columns[ID].at > 0 ? id : "";
}

static void write_name(const struct table *table, const struct column *columns, struct text *text)
{
    const char *first = field(table, &columns[FIRST_NAME]),
               *last = field(table, &columns[LAST_NAME]);
    text_clear(text);
    if (columns[NAME].at != NO_COLUMN)
        text_put(text, field(table, &columns[NAME]));
    else
        text_format(text, "%s%s%s", first, first[0] != '\0' && last[0] != '\0' ? " " : "", last);
}

/* A row without a login has the part of its e-mail before the @; in a list without logins and
 * e-mails, and where the system has a number for the student, the name is the login. A row that has
 * nothing but a number goes by that. */
static void write_login(const struct table *table, const struct column *columns, const char *name,
                        struct text *text)
{
    const char *login = field(table, &columns[LOGIN]), *email = field(table, &columns[EMAIL]);
    text_clear(text);
    if (login[0] != '\0')
        text_put(text, login);
    else if (email[0] != '\0')
        text_add(text, email, strcspn(email, "@"));
    else if ((columns[LOGIN].at == NO_COLUMN && columns[EMAIL].at == NO_COLUMN) ||
             number_in_row(table, columns)[0] != '\0' || columns[NUMBER].at != NO_COLUMN)
        text_put(text, name[0] != '\0' ? name : csv_field(&table->csv, 0));
}

/* Rows of the system, which belong to no student. Canvas has the points possible, "Manual Posting"
 * in a row without a name, and a test student; Google Classroom has the dates and the points. */
static bool is_of_the_system(const struct table *table, const struct column *columns,
                             const char *name)
{
    static const char *const words[] = {"manual posting", "date", "points"};
    if (strcasecmp(name, "points possible") == 0 || strcasecmp(name, "student, test") == 0)
        return true;
    if (field(table, &columns[LOGIN])[0] != '\0' || field(table, &columns[EMAIL])[0] != '\0' ||
        field(table, &columns[ID])[0] != '\0' || field(table, &columns[NUMBER])[0] != '\0')
        return false;
    bool names_alone = columns[LOGIN].at == NO_COLUMN && columns[EMAIL].at == NO_COLUMN;
    bool is_word = false;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        is_word = is_word || strcasecmp(name, words[i]) == 0;
    return name[0] == '\0' || (is_word && !names_alone);
}

static bool add_row(const struct table *table, const struct column *columns,
                    struct students *students, struct error *reterr)
{
    struct text name = {0}, written = {0};
    write_name(table, columns, &name);
    write_login(table, columns, text_string(&name), &written);
    char *login = safe_name_copy(text_string(&written));
    size_t before = students->n;
    bool ok = true;
    if (name.failed || written.failed || login == NULL)
        ok = error_memory(reterr, table->csv.name);
    else if (is_of_the_system(table, columns, text_string(&name)))
        ok = true;
    else if (login[0] == '\0')
        ok = fault(table, reterr, "this row has no login", "");
    else if (students->n == MAX_STUDENTS)
        ok = fault(table, reterr, "a class has at most 100000 students", "");
    else
        ok = students_add(students, login, text_string(&name), field(table, &columns[EMAIL]),
                          id_in_row(table, columns), reterr) &&
             students_set_number(students, number_in_row(table, columns),
                                 field(table, &columns[SECTION]), reterr);
    if (ok && students->n > before) {
        students->items[before].is_login_made = field(table, &columns[LOGIN])[0] == '\0';
        students->items[before].submitted_s = moment_in_row(table, columns);
    }
    text_release(&name);
    text_release(&written);
    free(login);
    return ok;
}

static bool has_who(const struct column *columns)
{
    return columns[LOGIN].at != NO_COLUMN || columns[EMAIL].at != NO_COLUMN ||
           columns[NAME].at != NO_COLUMN || columns[LAST_NAME].at != NO_COLUMN ||
           columns[NUMBER].at != NO_COLUMN;
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
            ok = fault(table, reterr, "this login is there already", listed[i].login);
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
static bool read_rows(struct table *table, const struct column *columns, struct students *students,
                      struct error *reterr)
{
    unsigned *lines = NULL;
    size_t capacity = 0;
    bool ok = true, is_there = true;
    while (ok && is_there) {
        unsigned *more = array_grow(lines, students->n, &capacity, sizeof *lines);
        lines = more != NULL ? more : lines;
        ok = (more != NULL || error_memory(reterr, table->csv.name)) &&
             csv_row(&table->csv, &is_there, reterr);
        if (ok && is_there) {
            lines[students->n] = table->csv.line;
            ok = add_row(table, columns, students, reterr);
        }
    }
    ok = ok && tell_apart(table, students, reterr) && check_logins(table, students, lines, reterr);
    free(lines);
    return ok;
}

bool class_list_load(const char *path, struct students *ret, struct error *reterr)
{
    struct students students = {0};
    struct column columns[N_COLUMNS];
    struct table table;
    for (int i = 0; i < N_COLUMNS; i++)
        columns[i] = (struct column){.names = column_names[i], .at = NO_COLUMN};
    bool ok =
        table_open(&table, path, columns, N_COLUMNS, reterr) &&
        (has_who(columns) ||
         fault(&table, reterr,
               "the first row must name the columns: login, and if you like name, email, id", ""));
    ok = ok && read_rows(&table, columns, &students, reterr);
    table_close(&table);
    if (ok)
        *ret = students;
    else
        students_release(&students);
    return ok;
}

/* ---- who handed in ---- */

enum { WHO_FOLDER, WHO_LOGIN, N_WHO_COLUMNS };

static const char *const who_names[N_WHO_COLUMNS][3] = {
    [WHO_FOLDER] = {"folder", "file"},
    [WHO_LOGIN] = {"login", "student"},
};

/* Without the apostrophe by which report_csv_field() keeps spreadsheets from seeing a formula, and
 * without a slash at the end. To be freed. */
static char *folder_copy(const char *folder)
{
    bool is_marked = folder[0] == '\'' && folder[1] != '\0' && strchr("=+-@", folder[1]) != NULL;
    size_t size = strlen(folder += is_marked);
    return strndup(folder, size > 1 && folder[size - 1] == '/' ? size - 1 : size);
}

static bool add_who(struct who_rows *who, const char *folder, const char *login,
                    struct error *reterr)
{
    struct who_row *items = array_grow(who->items, who->n, &who->capacity, sizeof *items);
    if (items == NULL)
        return error_memory(reterr, "who handed in");
    who->items = items;
    items[who->n] = (struct who_row){folder_copy(folder), strdup(login)};
    who->n++;
    return (items[who->n - 1].folder != NULL && items[who->n - 1].login != NULL) ||
           error_memory(reterr, "who handed in");
}

static bool read_who(const struct table *table, const struct column *columns,
                     const struct class_index *roster, struct who_rows *who, struct error *reterr)
{
    const char *folder = field(table, &columns[WHO_FOLDER]);
    const char *login = field(table, &columns[WHO_LOGIN]);
    bool is_nobody = strcmp(login, "-") == 0 || strcmp(login, "'-") == 0;
    if (login[0] == '\0')
        return true;
    if (folder[0] == '\0')
        return fault(table, reterr, "this row has no folder", "");
    if (is_nobody)
        return add_who(who, folder, "", reterr);
    char *name = safe_name_copy(login);
    const struct student *meant =
        name != NULL && roster != NULL ? class_index_find(roster, name) : NULL;
    bool ok = name != NULL || error_memory(reterr, "who handed in");
    if (ok && roster != NULL && meant == NULL)
        ok = fault(table, reterr,
                   "nobody on the class list has this login, or more than one has; - is for "
                   "somebody who is not of the class",
                   login);
    ok = ok && add_who(who, folder, meant != NULL ? meant->login : name, reterr);
    free(name);
    return ok;
}

bool who_rows_load(const char *path, const struct students *roster, struct who_rows *ret,
                   struct error *reterr)
{
    struct who_rows who = {0};
    struct class_index index = {0};
    struct column columns[N_WHO_COLUMNS];
    struct table table;
    bool is_there = true;
    for (int i = 0; i < N_WHO_COLUMNS; i++)
        columns[i] = (struct column){.names = who_names[i], .at = NO_COLUMN};
    bool ok = table_open(&table, path, columns, N_WHO_COLUMNS, reterr) &&
              ((columns[WHO_FOLDER].at != NO_COLUMN && columns[WHO_LOGIN].at != NO_COLUMN) ||
               fault(&table, reterr, "the first row must name the columns: folder, login", "")) &&
              (roster == NULL || class_index_open(roster, &index, reterr));
    while (ok && is_there) {
        ok = csv_row(&table.csv, &is_there, reterr);
        if (ok && is_there)
            ok = read_who(&table, columns, roster != NULL ? &index : NULL, &who, reterr);
    }
    class_index_close(&index);
    table_close(&table);
    if (ok)
        *ret = who;
    else
        who_rows_release(&who);
    return ok;
}

void who_rows_release(struct who_rows *who)
{
    for (size_t i = 0; i < who->n; i++) {
        free(who->items[i].folder);
        free(who->items[i].login);
    }
    free(who->items);
    *who = (struct who_rows){0};
}

/* ---- unclear work ---- */

static const char *folder_of(const struct result *result)
{
    const char *folder = result_word(result->called.folder);
    return folder[0] != '\0' ? folder : result_word(result->student);
}

static int compare_folders(const void *a, const void *b)
{
    const struct result *left = *(const struct result *const *)a,
                        *right = *(const struct result *const *)b;
    int order = strcmp(folder_of(left), folder_of(right));
    return order != 0 ? order : result_compare(left, right);
}

bool unclear_list(const struct results *results, struct unclear *ret, struct error *reterr)
{
    size_t n = 0;
    const struct result **items = calloc(results->n + 1, sizeof(struct result *));
    if (items == NULL)
        return error_memory(reterr, "the class list");
    for (size_t i = 0; i < results->n; i++)
        if (results->items[i].is_unclear)
            items[n++] = &results->items[i];
    if (n > 1)
        qsort(items, n, sizeof(struct result *), compare_folders);
    *ret = (struct unclear){results, items, 0};
    for (size_t i = 0; i < n; i++)
        if (ret->n == 0 || strcmp(folder_of(items[ret->n - 1]), folder_of(items[i])) != 0)
            items[ret->n++] = items[i];
    return true;
}

void unclear_release(struct unclear *unclear)
{
    free(unclear->items);
    *unclear = (struct unclear){0};
}

static void add_csv_field(struct text *text, const char *word, char end)
{
    report_csv_field(text, word, strlen(word));
    text_char(text, end);
}

/* "dot: pass; softmax-rows: wrong_answer" */
static void add_found(struct text *text, const struct unclear *unclear, const char *folder)
{
    struct text found = {0};
    for (size_t i = 0; i < unclear->results->n; i++) {
        const struct result *one = &unclear->results->items[i];
        const char *exercise = result_word(one->exercise);
        if (one->is_unclear && strcmp(folder_of(one), folder) == 0)
            text_format(&found, "%s%s%s%s", found.size > 0 ? "; " : "", exercise,
                        exercise[0] != '\0' ? ": " : "", verdict_name(one->verdict));
    }
    text->failed = text->failed || found.failed;
    add_csv_field(text, text_string(&found), ',');
    text_release(&found);
}

/* "ann1 (Ann Alm, ann1@example.org, 17); ann2 (...)" */
static void add_candidates(struct text *text, const struct students *students,
                           const char *candidates)
{
    struct text all = {0};
    for (const char *at = candidates; *at != '\0';) {
        size_t size = strcspn(at, "\n");
        struct text login = {0};
        text_add(&login, at, size);
        const struct student *one = students_find(students, text_string(&login));
        text_format(&all, "%s%s", all.size > 0 ? "; " : "", text_string(&login));
        if (one != NULL)
            text_format(&all, " (%s%s%s%s%s)", one->name, one->email[0] != '\0' ? ", " : "",
                        one->email, one->id[0] != '\0' ? ", " : "", one->id);
        text->failed = text->failed || login.failed || all.failed;
        text_release(&login);
        at += size + (at[size] == '\n');
    }
    add_csv_field(text, text_string(&all), '\n');
    text_release(&all);
}

static bool is_listed(const struct unclear *unclear, const char *folder)
{
    bool is = false;
    for (size_t i = 0; i < unclear->n && !is; i++)
        is = strcmp(folder_of(unclear->items[i]), folder) == 0;
    return is;
}

bool unclear_write(const struct unclear *unclear, const struct students *students,
                   const struct who_rows *before, struct text *text, struct error *reterr)
{
    text_put(text, "folder,login,found,candidates\n");
    for (size_t i = 0; i < unclear->n; i++) {
        const struct result *one = unclear->items[i];
        add_csv_field(text, folder_of(one), ',');
        text_put(text, ",");
        add_found(text, unclear, folder_of(one));
        add_candidates(text, students, result_word(one->candidates));
    }
    for (size_t i = 0; i < before->n; i++) {
        const struct who_row *row = &before->items[i];
        if (is_listed(unclear, row->folder))
            continue;
        add_csv_field(text, row->folder, ',');
        add_csv_field(text, row->login[0] != '\0' ? row->login : "-", ',');
        text_put(text, ",\n");
    }
    return !text->failed || error_memory(reterr, "who handed in");
}

/* ---- points set by hand ---- */

enum { STUDENT, EXERCISE, POINTS, REASON, N_OVERRIDE_COLUMNS };

static const char *const override_names[N_OVERRIDE_COLUMNS][4] = {
    [STUDENT] = {"student", "login"},
    [EXERCISE] = {"exercise"},
    [POINTS] = {"points", "score"},
    [REASON] = {"reason", "why", "comment"},
};

static bool read_points(const char *text, double *ret)
{
    char *end;
    errno = 0;
    *ret = strtod(text, &end);
    return text[0] != '\0' && *end == '\0' && errno == 0 && isfinite(*ret) && *ret >= 0 &&
           *ret <= MAX_POINTS && strpbrk(text, "xX") == NULL;
}

static bool set_override(struct override *override, const char *student, const char *exercise,
                         const char *reason, double points)
{
    *override = (struct override){.student = strdup(student),
                                  .exercise = strdup(exercise),
                                  .points = points,
                                  .reason = strdup(reason)};
    return override->student != NULL && override->exercise != NULL && override->reason != NULL;
}

static bool add_override(struct overrides *overrides, const char *student, const char *exercise,
                         const char *reason, double points, struct error *reterr)
{
    struct override *items =
        array_grow(overrides->items, overrides->n, &overrides->capacity, sizeof *items);
    if (items == NULL)
        return error_memory(reterr, "points set by hand");
    overrides->items = items;
    bool ok = set_override(&items[overrides->n++], student, exercise, reason, points);
    return ok || error_memory(reterr, "points set by hand");
}

/* roster: NULL without a class list. student: as safe_name_copy() gives it. */
static bool read_override_of(const struct table *table, const struct column *columns,
                             const char *student, const struct class_index *roster,
                             const struct exercises *exercises, struct overrides *overrides,
                             struct error *reterr)
{
    const char *id = field(table, &columns[EXERCISE]);
    const struct exercise *exercise = exercises_find(exercises, id);
    const struct student *meant = roster != NULL ? class_index_find(roster, student) : NULL;
    double points;
    if (student[0] == '\0')
        return fault(table, reterr, "this row has no student", "");
    if (roster != NULL && meant == NULL)
        return fault(table, reterr, "nobody on the class list has this name, or more than one has",
                     student);
    if (exercise == NULL)
        return fault(table, reterr, "no exercise has this name", id);
    bool is_comment =
        field(table, &columns[POINTS])[0] == '\0' && field(table, &columns[REASON])[0] != '\0';
    points = (double)NAN;
    if (!is_comment && !read_points(field(table, &columns[POINTS]), &points))
        return fault(table, reterr, "points: a number from 0 to 100000 is expected",
                     field(table, &columns[POINTS]));
    return add_override(overrides, meant != NULL ? meant->login : student, exercise->id,
                        field(table, &columns[REASON]), points, reterr);
}

static bool read_override(const struct table *table, const struct column *columns,
                          const struct class_index *roster, const struct exercises *exercises,
                          struct overrides *overrides, struct error *reterr)
{
    char *student = safe_name_copy(field(table, &columns[STUDENT]));
    bool ok = student != NULL
                  ? read_override_of(table, columns, student, roster, exercises, overrides, reterr)
                  : error_memory(reterr, table->csv.name);
    free(student);
    return ok;
}

static void override_release(struct override *override)
{
    free(override->student);
    free(override->exercise);
    free(override->reason);
}

/* Of several rows for the same work the last one stays; then in order. */
static void sort_overrides(struct overrides *overrides)
{
    size_t kept = 0;
    for (size_t i = 0; i < overrides->n; i++) {
        bool is_replaced = false;
        for (size_t j = i + 1; j < overrides->n && !is_replaced; j++)
            is_replaced = override_compare(&overrides->items[i], &overrides->items[j]) == 0;
        if (is_replaced)
            override_release(&overrides->items[i]);
        else
            overrides->items[kept++] = overrides->items[i];
    }
    overrides->n = kept;
    if (kept > 1)
        qsort(overrides->items, kept, sizeof *overrides->items, override_compare);
}

bool overrides_load(const char *path, const struct students *roster,
                    const struct exercises *exercises, struct overrides *ret, struct error *reterr)
{
    struct overrides overrides = {0};
    struct class_index index = {0};
    struct column columns[N_OVERRIDE_COLUMNS];
    struct table table;
    bool is_there = true;
    for (int i = 0; i < N_OVERRIDE_COLUMNS; i++)
        columns[i] = (struct column){.names = override_names[i], .at = NO_COLUMN};
    bool ok =
        table_open(&table, path, columns, N_OVERRIDE_COLUMNS, reterr) &&
        ((columns[STUDENT].at != NO_COLUMN && columns[EXERCISE].at != NO_COLUMN &&
          columns[POINTS].at != NO_COLUMN) ||
         fault(&table, reterr,
               "the first row must name the columns: student, exercise, points, reason", "")) &&
        (roster == NULL || class_index_open(roster, &index, reterr));
    while (ok && is_there) {
        ok = csv_row(&table.csv, &is_there, reterr);
        if (ok && is_there)
            ok = read_override(&table, columns, roster != NULL ? &index : NULL, exercises,
                               &overrides, reterr);
    }
    class_index_close(&index);
    table_close(&table);
    if (!ok) {
        overrides_release(&overrides);
        return false;
    }
    sort_overrides(&overrides);
    *ret = overrides;
    return true;
}

void overrides_release(struct overrides *overrides)
{
    for (size_t i = 0; i < overrides->n; i++)
        override_release(&overrides->items[i]);
    free(overrides->items);
    *overrides = (struct overrides){0};
}

/* ---- more time ---- */

enum { FOR_STUDENT, FOR_SECTION, MORE_DUE, MORE_DAYS, MORE_REASON, N_EXTENSION_COLUMNS };

static const char *const extension_names[N_EXTENSION_COLUMNS][4] = {
    [FOR_STUDENT] = {"student", "login"},
    [FOR_SECTION] = {"section", "group"},
    [MORE_DUE] = {"due", "until"},
    [MORE_DAYS] = {"days", "grace days"},
    [MORE_REASON] = {"reason", "why", "comment"},
};

static bool add_extension(struct extensions *extensions, const char *student,
                          const struct extension *how, struct error *reterr)
{
    struct extension *items =
        array_grow(extensions->items, extensions->n, &extensions->capacity, sizeof *items);
    if (items == NULL)
        return error_memory(reterr, "the extensions");
    extensions->items = items;
    struct extension *added = &items[extensions->n++];
    *added = (struct extension){strdup(student), how->due_s, how->days, strdup(how->reason)};
    return (added->student != NULL && added->reason != NULL) ||
           error_memory(reterr, "the extensions");
}

/* Is it one of the student's sections? Canvas joins them: "A and B"; others by commas. */
static bool is_in_section(const struct student *student, const char *section)
{
    static const char *const joints[] = {" and ", ", ", ",", ";"};
    const char *at = result_word(student->section);
    while (*at != '\0') {
        size_t size = strlen(at), joint = 0;
        for (size_t i = 0; i < COUNT_OF(joints); i++) {
            const char *found = strstr(at, joints[i]);
            if (found != NULL && (size_t)(found - at) < size) {
                size = (size_t)(found - at);
                joint = strlen(joints[i]);
            }
        }
        if (size == strlen(section) && strncmp(at, section, size) == 0)
            return true;
        at += size + joint;
    }
    return strcmp(result_word(student->section), section) == 0;
}

static bool add_to_section(const struct table *table, const struct students *roster,
                           const char *section, const struct extension *how,
                           struct extensions *extensions, struct error *reterr)
{
    size_t n_before = extensions->n;
    bool ok = true;
    for (size_t i = 0; ok && roster != NULL && i < roster->n; i++)
        if (is_in_section(&roster->items[i], section))
            ok = add_extension(extensions, roster->items[i].login, how, reterr);
    if (ok && extensions->n == n_before)
        return fault(table, reterr, "nobody on the class list is in this section", section);
    return ok;
}

static bool read_extension(const struct table *table, const struct column *columns,
                           const struct students *roster, const struct class_index *index,
                           struct extensions *extensions, struct error *reterr)
{
    const char *section = field(table, &columns[FOR_SECTION]),
               *student = field(table, &columns[FOR_STUDENT]),
               *due = field(table, &columns[MORE_DUE]), *days = field(table, &columns[MORE_DAYS]);
    struct extension how = {.reason = (char *)(uintptr_t)field(table, &columns[MORE_REASON])};
    if ((student[0] == '\0') == (section[0] == '\0'))
        return fault(table, reterr, "a row is for a student or for a section", "");
    if (due[0] != '\0' && !date_read(due, &how.due_s))
        return fault(table, reterr, "due: a moment is expected, such as 2026-03-08 23:59", due);
    if (days[0] != '\0' && (!read_points(days, &how.days) || how.days > 1000))
        return fault(table, reterr, "days: a number from 0 to 1000 is expected", days);
    if (due[0] == '\0' && days[0] == '\0')
        return fault(table, reterr, "this row has neither a due date nor days", "");
    if (section[0] != '\0')
        return add_to_section(table, roster, section, &how, extensions, reterr);
    char *name = safe_name_copy(student);
    const struct student *meant =
        name != NULL && index != NULL ? class_index_find(index, name) : NULL;
    bool ok = name != NULL || error_memory(reterr, table->csv.name);
    if (ok && index != NULL && meant == NULL)
        ok = fault(table, reterr, "nobody on the class list has this name, or more than one has",
                   student);
    ok = ok && add_extension(extensions, meant != NULL ? meant->login : name, &how, reterr);
    free(name);
    return ok;
}

static void extension_release(struct extension *extension)
{
    free(extension->student);
    free(extension->reason);
}

/* Of several rows for a student the last one stays; then in order. */
static void sort_extensions(struct extensions *extensions)
{
    size_t kept = 0;
    for (size_t i = 0; i < extensions->n; i++) {
        bool is_replaced = false;
        for (size_t j = i + 1; j < extensions->n && !is_replaced; j++)
            is_replaced = extension_compare(&extensions->items[i], &extensions->items[j]) == 0;
        if (is_replaced)
            extension_release(&extensions->items[i]);
        else
            extensions->items[kept++] = extensions->items[i];
    }
    extensions->n = kept;
    if (kept > 1)
        qsort(extensions->items, kept, sizeof *extensions->items, extension_compare);
}

bool extensions_load(const char *path, const struct students *roster, struct extensions *ret,
                     struct error *reterr)
{
    struct extensions extensions = {0};
    struct class_index index = {0};
    struct column columns[N_EXTENSION_COLUMNS];
    struct table table;
    bool is_there = true;
    for (int i = 0; i < N_EXTENSION_COLUMNS; i++)
        columns[i] = (struct column){.names = extension_names[i], .at = NO_COLUMN};
    bool ok = table_open(&table, path, columns, N_EXTENSION_COLUMNS, reterr) &&
              (((columns[FOR_STUDENT].at != NO_COLUMN || columns[FOR_SECTION].at != NO_COLUMN) &&
                (columns[MORE_DUE].at != NO_COLUMN || columns[MORE_DAYS].at != NO_COLUMN)) ||
               fault(&table, reterr,
                     "the first row must name the columns: student or section, due or days, reason",
                     "")) &&
              (roster == NULL || class_index_open(roster, &index, reterr));
    while (ok && is_there) {
        ok = csv_row(&table.csv, &is_there, reterr);
        if (ok && is_there)
            ok = read_extension(&table, columns, roster, roster != NULL ? &index : NULL,
                                &extensions, reterr);
    }
    class_index_close(&index);
    table_close(&table);
    if (!ok) {
        extensions_release(&extensions);
        return false;
    }
    sort_extensions(&extensions);
    *ret = extensions;
    return true;
}

void extensions_release(struct extensions *extensions)
{
    for (size_t i = 0; i < extensions->n; i++)
        extension_release(&extensions->items[i]);
    free(extensions->items);
    *extensions = (struct extensions){0};
}
