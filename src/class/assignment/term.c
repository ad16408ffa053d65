/* Several assignments in one gradebook: see term.h. */
#include "assignment/term.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assignment/assignment.h"
#include "assignment/class_list.h"
#include "assignment/settle_internal.h"
#include "base/array.h"
#include "files/file.h"
#include "files/yaml.h"
#include "report/report.h"

/* ---- term.yaml ---- */

enum { FILE_MAX_BYTES = 1 << 20, MAX_GRACE_DAYS = 365, NEEDED = true, OPTIONAL = false };

/* A path in the file, from the folder that the file lies in. */
static bool read_path(struct yaml *yaml, yaml_value value, void *ret)
{
    struct text path = {0};
    char *text;
    if (!yaml_read_text(yaml, value, &text))
        return false;
    if (text[0] != '/')
        text_add(&path, yaml->path, (size_t)(path_base_name(yaml->path) - yaml->path));
    text_put(&path, text);
    char *kept = path.failed ? NULL : arena_copy(yaml->arena, text_string(&path), path.size);
    text_release(&path);
    *(char **)ret = kept;
    return kept != NULL || error_memory(yaml->reterr, "the term");
}

/* "hw1" of "reports/hw1.json". */
static bool name_by_file(struct yaml *yaml, struct term_part *part)
{
    const char *name = path_base_name(part->results);
    size_t size = strlen(name);
    if (text_ends_with(name, ".json") && size > 5)
        size -= 5;
    part->name = arena_copy(yaml->arena, name, size);
    return part->name != NULL || error_memory(yaml->reterr, "the term");
}

static bool read_part(struct yaml *yaml, yaml_value value, void *ret)
{
    struct term_part *part = ret;
    const struct yaml_field fields[] = {
        {"results", read_path, &part->results, NEEDED},
        {"assignment", read_path, &part->rules, NEEDED},
        {"name", yaml_read_text, &part->name, OPTIONAL},
        {"points", yaml_read_number, &part->points, OPTIONAL},
        {"overrides", read_path, &part->overrides, OPTIONAL},
        {"extensions", read_path, &part->extensions, OPTIONAL},
        {"teams", read_path, &part->teams, OPTIONAL},
    };
    part->line = yaml_line(value);
    return yaml_read_fields(yaml, value, "an assignment of the term", fields, COUNT_OF(fields)) &&
           (part->name != NULL || name_by_file(yaml, part));
}

static bool read_parts(struct yaml *yaml, yaml_value value, void *ret)
{
    struct term *term = ret;
    void *items;
    if (!yaml_read_list(yaml, value, read_part, sizeof *term->parts, &items, &term->n_parts))
        return false;
    term->parts = items;
    return true;
}

static bool check_term(struct yaml *yaml, const struct term *term)
{
    yaml->key = NULL;
    for (unsigned i = 0; i < term->n_parts; i++)
        for (unsigned j = 0; j < i; j++)
            if (strcmp(term->parts[i].name, term->parts[j].name) == 0)
                return yaml_fault(yaml, term->parts[i].line,
                                  "name: %s is the name of two assignments", term->parts[i].name);
    if (term->best > term->n_parts)
        return yaml_fault(yaml, 1, "best: at most %u is expected, which is all", term->n_parts);
    return term->grace_days <= MAX_GRACE_DAYS ||
           yaml_fault(yaml, 1, "grace_days: at most %d is expected", MAX_GRACE_DAYS);
}

bool term_load(const char *path, struct term *ret, struct error *reterr)
{
    struct term term = {.path = arena_copy(&term.arena, path, strlen(path))};
    struct text text = {0};
    struct yaml yaml;
    yaml_value root;
    const struct yaml_field fields[] = {
        {"title", yaml_read_text, &term.title, OPTIONAL},
        {"assignments", read_parts, &term, NEEDED},
        {"best", yaml_read_whole, &term.best, OPTIONAL},
        {"grace_days", yaml_read_whole, &term.grace_days, OPTIONAL},
    };
    bool ok = term.path != NULL || error_memory(reterr, "the term");
    ok = ok && file_read_text(path, FILE_MAX_BYTES, &text, reterr);
    if (ok &&
        yaml_open(&yaml, term.path, text_string(&text), text.size, &term.arena, &root, reterr)) {
        ok = yaml_read_fields(&yaml, root, "a term", fields, COUNT_OF(fields)) &&
             check_term(&yaml, &term);
        yaml_close(&yaml);
    } else {
        ok = false;
    }
    text_release(&text);
    if (ok)
        *ret = term;
    else
        term_release(&term);
    return ok;
}

void term_release(struct term *term)
{
    arena_release(&term->arena);
    *term = (struct term){0};
}

/* ---- a part with its rules ---- */

struct part {
    const struct term_part *of;
    struct results results;
    struct assignment assignment;
    struct overrides overrides;
    struct extensions extensions;
    struct teams teams;
};

static void part_release(struct part *part)
{
    results_release(&part->results);
    assignment_release(&part->assignment);
    overrides_release(&part->overrides);
    extensions_release(&part->extensions);
    teams_release(&part->teams);
}

static bool part_read(struct part *part, struct error *reterr)
{
    const char *path = part->of->results;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return error_set(reterr, ERR_FILE, "%s: %s", path, strerror(errno));
    bool ok = report_read_json(path, file, &part->results, reterr);
    fclose(file);
    if (ok && part->results.is_unfinished)
        return error_set(reterr, ERR_FILE,
                         "%s: its run was ended early; finish it with attn grade --resume", path);
    return ok;
}

static bool part_load(struct part *part, const struct students *roster,
                      const struct exercises *exercises, struct error *reterr)
{
    const struct term_part *of = part->of;
    return assignment_load(of->rules, exercises, &part->assignment, reterr) &&
           (of->overrides == NULL ||
            overrides_load(of->overrides, roster, exercises, &part->overrides, reterr)) &&
           (of->extensions == NULL ||
            extensions_load(of->extensions, roster, &part->extensions, reterr)) &&
           (of->teams == NULL || teams_load(of->teams, roster, &part->teams, reterr));
}

static bool part_settle(struct part *part, const struct students *roster,
                        const struct extensions *extensions, struct error *reterr)
{
    const struct settling settling = {.assignment = &part->assignment,
                                      .roster = roster,
                                      .overrides = &part->overrides,
                                      .extensions = extensions,
                                      .teams = part->of->teams != NULL ? &part->teams : NULL,
                                      .is_complete = true};
    return results_settle(&part->results, &settling, reterr);
}

/* ---- a student in a part ---- */

struct standing {
    double score, max_score, days_late;
    size_t n, n_missing, n_passed, n_unclear, n_faults;
    bool is_by_hand;
};

/* Is it the student's work for an exercise, and the one with the points? */
static bool counts_for(const struct result *result, const char *student)
{
    return strcmp(result_word(result->student), student) == 0 && !result->is_unclear &&
           result_word(result->exercise)[0] != '\0' && result_counts(result);
}

static struct standing standing_of(const struct results *results, const char *student)
{
    struct standing standing = {0};
    for (size_t i = 0; i < results->n; i++) {
        const struct result *result = &results->items[i];
        if (!counts_for(result, student))
            continue;
        standing.n++;
        standing.score += result->score;
        standing.max_score += result->max_score;
        standing.days_late = fmax(standing.days_late, result->days_late);
        standing.n_missing += result->verdict == VERDICT_MISSING;
        standing.n_passed += result->verdict == VERDICT_PASS;
        standing.n_unclear += result->verdict == VERDICT_UNCLEAR;
        standing.n_faults += result->verdict == VERDICT_INTERNAL_ERROR;
        standing.is_by_hand = standing.is_by_hand || result->is_by_hand;
    }
    return standing;
}

static enum verdict verdict_of(const struct standing *standing)
{
    if (standing->n_unclear > 0)
        return VERDICT_UNCLEAR;
    if (standing->n_faults > 0)
        return VERDICT_INTERNAL_ERROR;
    if (standing->n_missing == standing->n)
        return VERDICT_MISSING;
    return standing->n_passed == standing->n ? VERDICT_PASS : VERDICT_WRONG_ANSWER;
}

/* ---- the term ---- */

struct book {
    const struct term *term;
    const struct students *roster; /* or NULL */
    struct part *parts;            /* [term->n_parts] */
    const char **students;         /* [n], each once and in order; of the roster or the reports */
    size_t n;
    unsigned *left;  /* [n]: grace days */
    unsigned *spent; /* [n_parts][n]: grace days */
};

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool list_students(struct book *book, struct error *reterr)
{
    size_t most = book->roster != NULL ? book->roster->n : 0, n = 0;
    for (unsigned i = 0; i < book->term->n_parts && book->roster == NULL; i++)
        most += book->parts[i].results.n;
    book->students = calloc(most + 1, sizeof(char *));
    if (book->students == NULL)
        return error_memory(reterr, "the gradebook");
    for (size_t i = 0; book->roster != NULL && i < book->roster->n; i++)
        book->students[n++] = book->roster->items[i].login;
    for (unsigned i = 0; i < book->term->n_parts && book->roster == NULL; i++)
        for (size_t j = 0; j < book->parts[i].results.n; j++)
            book->students[n++] = result_word(book->parts[i].results.items[j].student);
    if (n > 1)
        qsort(book->students, n, sizeof(char *), compare_names);
    for (size_t i = 0; i < n; i++)
        if (book->students[i][0] != '\0' &&
            (book->n == 0 || strcmp(book->students[book->n - 1], book->students[i]) != 0))
            book->students[book->n++] = book->students[i];
    return true;
}

/* The part's own extensions, with days[i] more for student i; to be freed with their items alone:
 * the words are borrowed. ERR_MEMORY. */
static bool extend(const struct book *book, const struct part *part, const unsigned *days,
                   struct extensions *ret, struct error *reterr)
{
    static char reason[] = "Grace days.", none[] = "";
    *ret = (struct extensions){
        .items = calloc(part->extensions.n + book->n + 1, sizeof(struct extension))};
    if (ret->items == NULL)
        return error_memory(reterr, "the gradebook");
    for (size_t i = 0; i < part->extensions.n; i++)
        ret->items[ret->n++] = part->extensions.items[i];
    for (size_t i = 0; i < book->n; i++) {
        const struct extension wanted = {.student = (char *)(uintptr_t)book->students[i],
                                         .days = days[i],
                                         .reason = days[i] > 0 ? reason : none};
        struct extension *own =
            part->extensions.n > 0
                ? bsearch(&wanted, ret->items, part->extensions.n, sizeof wanted, extension_compare)
                : NULL;
        if (own != NULL)
            own->days += days[i];
        else if (days[i] > 0)
            ret->items[ret->n++] = wanted;
    }
    if (ret->n > 1)
        qsort(ret->items, ret->n, sizeof *ret->items, extension_compare);
    return true;
}

static bool settle_with(const struct book *book, struct part *part, const unsigned *days,
                        struct error *reterr)
{
    struct extensions extensions;
    bool ok = extend(book, part, days, &extensions, reterr) &&
              part_settle(part, book->roster, &extensions, reterr);
    free(extensions.items);
    return ok;
}

/* For each student as few of the days that are left as bring the most points. */
static bool spend(struct book *book, struct part *part, unsigned *spent, struct error *reterr)
{
    unsigned *tried = calloc(book->n + 1, sizeof *tried);
    double *most = calloc(book->n + 1, sizeof *most);
    bool ok = (tried != NULL && most != NULL) || error_memory(reterr, "the gradebook");
    double latest = 0; /* days late without any */
    for (unsigned day = 0; ok && day <= book->term->grace_days && day <= latest; day++) {
        for (size_t i = 0; i < book->n; i++)
            tried[i] = day < book->left[i] ? day : book->left[i];
        ok = settle_with(book, part, tried, reterr);
        for (size_t i = 0; ok && i < book->n; i++) {
            struct standing standing = standing_of(&part->results, book->students[i]);
            latest = fmax(latest, standing.days_late);
            if (day > 0 && standing.score <= most[i])
                continue;
            most[i] = standing.score;
            spent[i] = tried[i];
        }
    }
    for (size_t i = 0; ok && i < book->n; i++)
        book->left[i] -= spent[i];
    ok = ok && settle_with(book, part, spent, reterr);
    free(tried);
    free(most);
    return ok;
}

/* The part that is due next after those that are done; parts without a date come last. */
static struct part *next_part(const struct book *book, const bool *is_done)
{
    struct part *next = NULL;
    for (unsigned i = 0; i < book->term->n_parts; i++) {
        struct part *part = &book->parts[i];
        int64_t due_s = part->assignment.due_s;
        if (!is_done[i] && (next == NULL || (due_s != 0 && (next->assignment.due_s == 0 ||
                                                            due_s < next->assignment.due_s))))
            next = part;
    }
    return next;
}

static bool settle_all(struct book *book, struct error *reterr)
{
    bool *is_done = calloc(book->term->n_parts + 1, sizeof *is_done);
    bool ok = is_done != NULL || error_memory(reterr, "the gradebook");
    struct part *part;
    while (ok && (part = next_part(book, is_done)) != NULL) {
        size_t at = (size_t)(part - book->parts);
        is_done[at] = true;
        ok = spend(book, part, book->spent + at * book->n, reterr);
    }
    free(is_done);
    return ok;
}

/* ---- rows ---- */

static bool note_days(const struct standing *standing, unsigned spent, struct result *row,
                      struct error *reterr)
{
    char sentence[80];
    if (spent > 0) {
        snprintf(sentence, sizeof sentence, "%u grace day%s used.", spent, spent == 1 ? "" : "s");
        if (!result_add_note(row, sentence, reterr))
            return false;
    }
    if (standing->days_late <= 0)
        return true;
    snprintf(sentence, sizeof sentence, "%.0f day%s late.", standing->days_late,
             standing->days_late > 1 ? "s" : "");
    return result_add_note(row, sentence, reterr);
}

/* A line for each exercise: "dot: 10 of 10 points". */
static void list_exercises(const struct results *results, const char *student, struct text *text)
{
    for (size_t i = 0; i < results->n; i++) {
        const struct result *result = &results->items[i];
        if (!counts_for(result, student))
            continue;
        text_format(text, "%s: ", result->exercise);
        if (result->verdict == VERDICT_UNCLEAR)
            text_put(text, "not clear yet");
        else
            text_format(text, "%.15g of %.15g points", result->score, result->max_score);
        text_format(text, "%s%s\n", result_word(result->note)[0] != '\0' ? ". " : "",
                    result_word(result->note));
    }
}

static bool add_row(const struct book *book, unsigned at, size_t student, struct results *ret,
                    struct error *reterr)
{
    const struct part *part = &book->parts[at];
    const char *login = book->students[student];
    struct standing standing = standing_of(&part->results, login);
    double scale =
        part->of->points > 0 && standing.max_score > 0 ? part->of->points / standing.max_score : 1;
    struct result row;
    struct text message = {0};
    result_init(&row);
    list_exercises(&part->results, login, &message);
    bool ok = !message.failed || error_memory(reterr, "the gradebook");
    ok = ok && result_name(&row, "", login, part->of->name, reterr) &&
         result_say(&row, verdict_of(&standing), "", text_string(&message), reterr) &&
         note_days(&standing, book->spent[at * book->n + student], &row, reterr);
    result_judge(&row, floor(standing.score * scale * 100 + 1e-6) / 100,
                 standing.max_score * scale);
    row.days_late = standing.days_late;
    row.is_by_hand = standing.is_by_hand;
    ok = ok && results_insert(ret, ret->n, &row, reterr);
    result_release(&row);
    text_release(&message);
    return ok;
}

/* Its share of the points. An unclear part comes before all others, so that it is not left out. */
static double share_of(const struct result *row)
{
    if (row->verdict == VERDICT_UNCLEAR)
        return 2;
    return row->max_score > 0 ? row->score / row->max_score : 0;
}

/* Is a less than b? Of equal shares the one of more points is, which lowers the most that the
 * student can have. */
static bool is_less(const struct result *a, const struct result *b)
{
    double left = share_of(a), right = share_of(b);
    return left < right || (left <= right && a->max_score > b->max_score);
}

/* Of rows[0..n), a student's, all but the best do not count. */
static bool leave_out(struct result *rows, unsigned n, unsigned best, struct error *reterr)
{
    for (unsigned n_out = 0; n_out + best < n; n_out++) {
        struct result *least = NULL;
        for (unsigned i = 0; i < n; i++)
            if (!rows[i].is_left_out && (least == NULL || is_less(&rows[i], least)))
                least = &rows[i];
        least->is_left_out = true;
        if (!result_add_note(least, "Does not count: others are better.", reterr))
            return false;
    }
    return true;
}

static bool write_rows(const struct book *book, struct results *ret, struct error *reterr)
{
    const struct term *term = book->term;
    bool ok = term->title == NULL || results_entitle(ret, term->title, reterr);
    for (unsigned i = 0; ok && i < term->n_parts; i++)
        ok = exercise_order_add(&ret->exercises, term->parts[i].name, reterr);
    for (size_t student = 0; ok && student < book->n; student++) {
        for (unsigned i = 0; ok && i < term->n_parts; i++)
            ok = add_row(book, i, student, ret, reterr);
        if (ok && term->best > 0)
            ok = leave_out(&ret->items[ret->n - term->n_parts], term->n_parts, term->best, reterr);
    }
    return ok && (book->roster == NULL || students_add_all(&ret->students, book->roster, reterr));
}

/* ---- putting it together ---- */

static bool read_book(struct book *book, const struct exercises *exercises,
                      struct students *of_reports, size_t *ret_n_unclear, struct error *reterr)
{
    const struct term *term = book->term;
    bool is_given = book->roster != NULL, ok = true;
    for (unsigned i = 0; ok && i < term->n_parts; i++) {
        book->parts[i].of = &term->parts[i];
        ok = part_read(&book->parts[i], reterr) &&
             students_add_all(of_reports, &book->parts[i].results.students, reterr);
    }
    if (!is_given && of_reports->n > 0)
        book->roster = of_reports;
    for (unsigned i = 0; ok && i < term->n_parts; i++) {
        struct part *part = &book->parts[i];
        ok = part_load(part, book->roster, exercises, reterr) &&
             (!is_given || results_call_by(&part->results, book->roster, NULL, reterr));
        for (size_t j = 0; ok && j < part->results.n; j++)
            *ret_n_unclear += part->results.items[j].is_unclear;
    }
    return ok && list_students(book, reterr);
}

bool term_settle(const struct term *term, const struct students *roster,
                 const struct exercises *exercises, struct results *ret, size_t *ret_n_unclear,
                 struct error *reterr)
{
    struct book book = {
        .term = term, .roster = roster, .parts = calloc(term->n_parts, sizeof *book.parts)};
    struct students of_reports = {0};
    struct results results = {0};
    *ret_n_unclear = 0;
    bool ok = book.parts != NULL || error_memory(reterr, "the gradebook");
    ok = ok && read_book(&book, exercises, &of_reports, ret_n_unclear, reterr);
    if (ok) {
        book.left = calloc(book.n + 1, sizeof *book.left);
        book.spent = calloc(book.n * term->n_parts + 1, sizeof *book.spent);
        ok = (book.left != NULL && book.spent != NULL) || error_memory(reterr, "the gradebook");
    }
    for (size_t i = 0; ok && i < book.n; i++)
        book.left[i] = term->grace_days;
    ok = ok && settle_all(&book, reterr) && write_rows(&book, &results, reterr);
    for (unsigned i = 0; book.parts != NULL && i < term->n_parts; i++)
        part_release(&book.parts[i]);
    students_release(&of_reports);
    free(book.parts);
    free(book.students);
    free(book.left);
    free(book.spent);
    if (ok)
        *ret = results;
    else
        results_release(&results);
    return ok;
}
