/* Feedback files: see feedback.h. */
#include "report/feedback.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "files/digest.h"
#include "files/file.h"
#include "report/class_sheet_internal.h"
#include "report/html_internal.h"
#include "report/report_internal.h"
#include "sandbox/system.h"

enum { NAME_MAX_SHOWN = 160, NAME_BYTES = 64, MARK_DIGITS = 12, PATH_BYTES = 4096 };

/* ---- names of files ---- */

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || text_is_digit(c) ||
           (c != '\0' && strchr("._-@+", c) != NULL);
}

/* Names that mean something else, with any ending, on Windows; and the index. */
static bool is_reserved(const char *name)
{
    static const char *const reserved[] = {"con", "prn", "aux", "nul", "com", "lpt", "index"};
    size_t size = strcspn(name, ".");
    if (size == 4 && text_is_digit(name[3]))
        size = 3;
    for (size_t i = 0; i < COUNT_OF(reserved); i++)
        if (strlen(reserved[i]) == size && strncasecmp(name, reserved[i], size) == 0)
            return true;
    return false;
}

/* Does it end as a name with a mark does? */
static bool looks_marked(const char *name)
{
    size_t size = strlen(name);
    return size > MARK_DIGITS && name[size - MARK_DIGITS - 1] == '-' &&
           strspn(name + size - MARK_DIGITS, "0123456789abcdef") == MARK_DIGITS;
}

/* A name that can't stay as it is gets a mark, made from all of the login; and so does one that
 * looks as if it had one. So different logins never meet. */
/* Adds that name. is_shared: another login differs from it by upper and lower case alone. */
static void feedback_file_name(const char *login, bool is_shared, struct text *text)
{
    size_t begin = text->size, size = strlen(login);
    if (is_reserved(login) || size == 0)
        text_char(text, '_');
    for (size_t i = 0; i < size && i < NAME_BYTES; i++) {
        bool at_end =
            (i == 0 && strchr(".-", login[i]) != NULL) || (i + 1 == size && login[i] == '.');
        text_char(text, is_plain(login[i]) && !at_end ? login[i] : '_');
    }
    bool as_it_is =
        text->size - begin == size && strncmp(text_string(text) + begin, login, size) == 0;
    if (as_it_is && !is_shared && !looks_marked(login))
        return;
    char digest[DIGEST_TEXT];
    digest_of(login, size, digest);
    text_format(text, "-%.*s", MARK_DIGITS, digest);
}

/* ---- the student's text ---- */

/* Whose work it is, for the head. */
static void add_whose(struct text *text, const struct sheet_row *row)
{
    if (row->student != NULL && row->student->name[0] != '\0')
        text_format(text, "%s (", row->student->name);
    sheet_row_label(row, text);
    if (row->student != NULL && row->student->name[0] != '\0')
        text_char(text, ')');
}

/* "8 of 10 points", or that this is not known. */
static void add_points(struct text *text, double score, double max_score, bool is_unclear)
{
    if (is_unclear)
        text_format(text, "not clear yet, of %.15g points", max_score);
    else
        text_format(text, "%.15g of %.15g points", score, max_score);
}

/* An unclear result is said without its details, which name the files of others. */
static void add_what_to_read(struct text *text, const struct result *result)
{
    if (result->verdict == VERDICT_UNCLEAR)
        text_format(text, "%s\n", verdict_sentence(result->verdict));
    else
        report_feedback(result, text);
}

static void write_text_result(struct text *text, const struct result *result)
{
    struct text words = {0};
    text_format(text, "\n%s: ", result_word(result->exercise));
    add_points(text, result->score, result->max_score, result->verdict == VERDICT_UNCLEAR);
    text_char(text, '\n');
    if (result_word(result->file)[0] != '\0')
        text_format(text, "    file: %s\n", result->file);
    add_what_to_read(&words, result);
    report_quoted(text_string(&words), text);
    text->failed = text->failed || words.failed;
    text_release(&words);
}

static bool is_extra(const struct sheet_row *row, const struct result *result)
{
    return sheet_row_has(row, result) &&
           (!result_counts(result) || result_word(result->exercise)[0] == '\0');
}

static void write_text_extra(struct text *text, const struct result *result)
{
    text_format(text, "\n%s: no points: ", result_word(result->file));
    if (!result_counts(result))
        text_format(text, "%s counts\n", result->duplicate_of);
    else
        text_format(text, "%s\n", verdict_sentence(result->verdict));
}

static bool write_text(const struct results *results, const struct class_sheet *sheet,
                       const struct sheet_row *row, struct text *text)
{
    struct text all = {0};
    add_whose(&all, row);
    if (results->title != NULL)
        text_format(&all, "\n%s", results->title);
    text_put(&all, "\n");
    add_points(&all, row->score, row->max_score, row->n_unclear > 0);
    text_put(&all, "\n");
    for (size_t i = 0; i < sheet->n_columns; i++)
        if (row->cells[i] != NULL)
            write_text_result(&all, row->cells[i]);
    for (size_t i = 0; row->n_extra > 0 && i < results->n; i++)
        if (is_extra(row, &results->items[i]))
            write_text_extra(&all, &results->items[i]);
    result_safe_text(text, text_string(&all), all.size, true);
    text->failed = text->failed || all.failed;
    text_release(&all);
    return !text->failed;
}

static void write_html_result(struct text *text, const struct result *result)
{
    struct text words = {0};
    text_put(text, "<h2>");
    html_words(text, result_word(result->exercise));
    text_put(text, ": ");
    add_points(text, result->score, result->max_score, result->verdict == VERDICT_UNCLEAR);
    text_put(text, "</h2>\n");
    if (result_word(result->file)[0] != '\0') {
        text_put(text, "<p class=\"quiet\">");
        html_words(text, result->file);
        text_put(text, "</p>\n");
    }
    add_what_to_read(&words, result);
    text_put(text, "<pre>");
    html_words(text, text_string(&words));
    text_put(text, "</pre>\n");
    text->failed = text->failed || words.failed;
    text_release(&words);
}

static void write_html_extra(struct text *text, const struct result *result)
{
    text_put(text, "<p>");
    html_words(text, result_word(result->file));
    text_put(text, ": no points: ");
    html_words(text,
               result_counts(result) ? verdict_sentence(result->verdict) : result->duplicate_of);
    text_put(text, result_counts(result) ? "</p>\n" : " counts.</p>\n");
}

static bool write_html(const struct results *results, const struct class_sheet *sheet,
                       const struct sheet_row *row, struct text *text)
{
    struct text whose = {0};
    add_whose(&whose, row);
    html_begin(text, text_string(&whose), false);
    if (results->title != NULL) {
        text_put(text, "<p class=\"lead\">");
        html_words(text, results->title);
        text_put(text, "</p>\n");
    }
    text_put(text, "<p class=\"lead\">");
    add_points(text, row->score, row->max_score, row->n_unclear > 0);
    text_put(text, "</p>\n");
    for (size_t i = 0; i < sheet->n_columns; i++)
        if (row->cells[i] != NULL)
            write_html_result(text, row->cells[i]);
    for (size_t i = 0; row->n_extra > 0 && i < results->n; i++)
        if (is_extra(row, &results->items[i]))
            write_html_extra(text, &results->items[i]);
    html_end(text, false);
    text->failed = text->failed || whose.failed;
    text_release(&whose);
    return !text->failed;
}

/* ---- the folder ---- */

static bool cannot(const char *path, const char *why, struct error *reterr)
{
    char name[NAME_MAX_SHOWN];
    return error_set(reterr, ERR_FILE, "--feedback %s: can't be written: %s",
                     error_quote(name, sizeof name, path, strlen(path)), why);
}

bool feedback_open(const char *folder, struct error *reterr)
{
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        return cannot(folder, strerror(errno), reterr);
    if (!path_is_folder(folder))
        return cannot(folder, "it is not a folder", reterr);
    return access(folder, W_OK | X_OK) == 0 || cannot(folder, strerror(errno), reterr);
}

static bool write_file(const char *folder, const char *name, const char *ending,
                       const struct text *bytes, struct error *reterr)
{
    char path[PATH_BYTES];
    struct text file = {0};
    text_format(&file, "%s%s", name, ending);
    bool ok = !file.failed && !bytes->failed ? true : error_memory(reterr, "the feedback");
    if (ok && !path_join(path, sizeof path, folder, text_string(&file)))
        ok = cannot(folder, "its name is too long", reterr);
    ok = ok && (file_replace_one_of_many(path, text_string(bytes), bytes->size, 0600) ||
                cannot(path, strerror(errno), reterr));
    text_release(&file);
    return ok;
}

static void add_index_word(struct text *text, const char *word, const char *ending)
{
    struct text whole = {0};
    text_format(&whole, "%s%s", word, ending);
    report_csv_field(text, text_string(&whole), whole.size);
    text_char(text, ',');
    text->failed = text->failed || whole.failed;
    text_release(&whole);
}

static void add_to_index(struct text *index, const struct sheet_row *row, const char *label,
                         const char *name)
{
    const struct student *student = row->student;
    add_index_word(index, label, "");
    add_index_word(index, student != NULL ? student->name : "", "");
    add_index_word(index, student != NULL ? student->email : "", "");
    add_index_word(index, student != NULL ? student->id : "", "");
    add_index_word(index, name, ".txt");
    add_index_word(index, name, ".html");
    if (row->n_unclear == 0)
        text_format(index, "%.15g", row->score);
    text_format(index, ",%.15g\n", row->max_score);
}

static bool write_student(const char *folder, const struct results *results,
                          const struct class_sheet *sheet, const struct sheet_row *row,
                          bool is_shared, struct text *index, struct error *reterr)
{
    struct text label = {0}, name = {0}, text = {0}, page = {0};
    sheet_row_label(row, &label);
    feedback_file_name(text_string(&label), is_shared, &name);
    bool ok = !label.failed && !name.failed && write_text(results, sheet, row, &text) &&
              write_html(results, sheet, row, &page);
    ok = ok ? write_file(folder, text_string(&name), ".txt", &text, reterr) &&
                  write_file(folder, text_string(&name), ".html", &page, reterr)
            : error_memory(reterr, "the feedback");
    add_to_index(index, row, text_string(&label), text_string(&name));
    text_release(&label);
    text_release(&name);
    text_release(&text);
    text_release(&page);
    return ok;
}

/* ---- logins that some file systems take for the same ---- */

static int compare_logins(const void *a, const void *b)
{
    return strcasecmp(*(const char *const *)a, *(const char *const *)b);
}

/* The logins, in the order of compare_logins(); NULL without memory. */
static const char **sort_logins(const struct class_sheet *sheet)
{
    const char **logins = calloc(sheet->n_rows + 1, sizeof(const char *));
    for (size_t i = 0; logins != NULL && i < sheet->n_rows; i++)
        logins[i] = sheet->rows[i].login;
    if (logins != NULL && sheet->n_rows > 1)
        qsort(logins, sheet->n_rows, sizeof(const char *), compare_logins);
    return logins;
}

static bool is_shared(const char *const *logins, size_t n, const char *login)
{
    const char *const *found = bsearch(&login, logins, n, sizeof(const char *), compare_logins);
    size_t at = found != NULL ? (size_t)(found - logins) : 0;
    return found != NULL && ((at > 0 && strcasecmp(logins[at - 1], login) == 0) ||
                             (at + 1 < n && strcasecmp(logins[at + 1], login) == 0));
}

bool feedback_write(const char *folder, const struct results *results, struct error *reterr)
{
    struct class_sheet sheet;
    struct text index = {0};
    if (!feedback_open(folder, reterr) || !class_sheet_make(results, &sheet, reterr))
        return false;
    const char **logins = sort_logins(&sheet);
    bool ok = logins != NULL || error_memory(reterr, "the feedback");
    text_put(&index, "login,name,email,id,text,html,total,max_total\n");
    for (size_t i = 0; ok && i < sheet.n_rows; i++) {
        const struct sheet_row *row = &sheet.rows[i];
        ok = write_student(folder, results, &sheet, row,
                           is_shared(logins, sheet.n_rows, row->login), &index, reterr);
    }
    ok = ok && write_file(folder, "index", ".csv", &index, reterr) &&
         (system_sync(folder) || cannot(folder, strerror(errno), reterr));
    free(logins);
    text_release(&index);
    class_sheet_release(&sheet);
    return ok;
}

/* ---- Moodle's feedback ---- */

/* A ZIP file while it is made: its files, stored and not packed, and its directory. */
struct packing {
    struct text files, directory;
    unsigned n;
};

static void add_number(struct text *text, uint32_t number, int n_bytes)
{
    for (int i = 0; i < n_bytes; i++)
        text_char(text, (char)(number >> (8 * i) & 0xFF));
}

/* CRC-32 as ZIP has it (ISO 3309). */
static uint32_t sum_of(const struct text *text)
{
    uint32_t sum = 0xFFFFFFFF;
    for (size_t i = 0; i < text->size; i++) {
        sum ^= (unsigned char)text->bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320 : 0);
    }
    return ~sum;
}

static void add_packed(struct packing *packing, const char *name, const struct text *bytes)
{
    enum { UTF8_NAME = 1 << 11, VERSION = 20, DAY_1980_01_01 = 1 << 5 | 1 };
    uint32_t sum = sum_of(bytes), size = (uint32_t)bytes->size;
    uint32_t name_size = (uint32_t)strlen(name), at = (uint32_t)packing->files.size;
    struct text *both[] = {&packing->files, &packing->directory};
    text_put(&packing->files, "PK\3\4");
    text_put(&packing->directory, "PK\1\2");
    add_number(&packing->directory, VERSION, 2);
    for (size_t i = 0; i < COUNT_OF(both); i++) {
        add_number(both[i], VERSION, 2);
        add_number(both[i], UTF8_NAME, 2);
        add_number(both[i], 0, 4); /* stored; no time of day */
        add_number(both[i], DAY_1980_01_01, 2);
        add_number(both[i], sum, 4);
        add_number(both[i], size, 4);
        add_number(both[i], size, 4);
        add_number(both[i], name_size, 4); /* and nothing extra */
    }
    add_number(&packing->directory, 0, 4); /* no comment, the first disk */
    add_number(&packing->directory, 0, 2); /* no attributes */
    add_number(&packing->directory, 0, 4);
    add_number(&packing->directory, at, 4);
    text_put(&packing->files, name);
    text_put(&packing->directory, name);
    text_add(&packing->files, text_string(bytes), bytes->size);
    packing->files.failed = packing->files.failed || bytes->failed;
    packing->n++;
}

static void end_packing(struct packing *packing, struct text *text)
{
    text_add(text, text_string(&packing->files), packing->files.size);
    text_add(text, text_string(&packing->directory), packing->directory.size);
    text_put(text, "PK\5\6");
    add_number(text, 0, 4);
    add_number(text, packing->n, 2);
    add_number(text, packing->n, 2);
    add_number(text, (uint32_t)packing->directory.size, 4);
    add_number(text, (uint32_t)packing->files.size, 4);
    add_number(text, 0, 2);
    text->failed = text->failed || packing->files.failed || packing->directory.failed;
    text_release(&packing->files);
    text_release(&packing->directory);
}

/* The student's folder as Moodle's download called it; "" if that is not known. */
static void add_moodle_folder(struct text *text, const struct results *results,
                              const struct sheet_row *row)
{
    static const char mark[] = "_assignsubmission_";
    const struct student *student = row->student;
    for (size_t i = 0; i < results->n; i++) {
        const struct result *result = &results->items[i];
        const char *folder = result_word(result->called.folder);
        if (sheet_row_has(row, result) && strstr(folder, mark) != NULL) {
            text_put(text, folder);
            return;
        }
    }
    if (student == NULL || result_word(student->number)[0] == '\0')
        return;
    for (const char *at = student->name; *at != '\0'; at++)
        if (strchr("&<>\"`|':\\/", *at) == NULL)
            text_char(text, *at == '_' ? ' ' : *at);
    text_format(text, "_%s%sfile_", student->number, mark);
}

/* What "Upload multiple feedback files in a zip" takes: a folder for each student, with the page.
 */
bool report_write_moodle_feedback(const struct results *results, struct text *text,
                                  struct error *reterr)
{
    struct class_sheet sheet;
    struct packing packing = {.n = 0};
    bool ok = class_sheet_make(results, &sheet, reterr);
    if (!ok)
        return false;
    for (size_t i = 0; ok && i < sheet.n_rows; i++) {
        struct text folder = {0}, page = {0};
        add_moodle_folder(&folder, results, &sheet.rows[i]);
        bool is_known =
            folder.size > 0 && sheet.rows[i].student != NULL && sheet.rows[i].n_unclear == 0;
        text_put(&folder, "/feedback.html");
        ok = !is_known || write_html(results, &sheet, &sheet.rows[i], &page);
        ok = ok && !folder.failed;
        if (ok && is_known)
            add_packed(&packing, text_string(&folder), &page);
        text_release(&folder);
        text_release(&page);
    }
    end_packing(&packing, text);
    class_sheet_release(&sheet);
    return ok ? report_check(text, reterr) : error_memory(reterr, "the feedback");
}
