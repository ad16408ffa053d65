/* Reading lessons: see lesson.h. The file is walked line by line; headings, code of the language
 * and the folded blocks after questions make the structure, all else is prose. */
#include "course/lesson/lesson.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "course/lesson/lesson_yaml_internal.h"
#include "files/file.h"

static const char before_steps[] = "start"; /* in the names of the pages before the first one */

/* The state of reading a file, line by line. */
struct lesson_reader {
    struct lesson *lesson;
    const char *path;
    const char *text;
    size_t size;
    struct error *reterr;

    size_t begin, end, next; /* the current line without its newline; the start of the next */
    unsigned line;           /* its number, from 1 */

    size_t prose; /* where prose that is not handed over yet begins */
    unsigned prose_line;

    struct page *page;  /* under way, or NULL */
    struct step *step;  /* or NULL before the first */
    unsigned n_in_step; /* pages of the step so far that end at no question */
    bool has_title;

    struct question *question; /* whose text is being read, or NULL */
    size_t question_part;      /* the part of the page with which its text begins */
};

static bool fault(const struct lesson_reader *reader, unsigned line, const char *format, ...)
    ERROR_FORMAT(3, 4);

static bool fault(const struct lesson_reader *reader, unsigned line, const char *format, ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_set(reader->reterr, ERR_SYNTAX, "%s:%u: %s", reader->path, line, text);
}

static bool no_memory(const struct lesson_reader *reader)
{
    return error_memory(reader->reterr, reader->path);
}

/* ---- lines ---- */

static bool next_line(struct lesson_reader *reader)
{
    if (reader->next >= reader->size)
        return false;
    const char *start = reader->text + reader->next;
    const char *newline = memchr(start, '\n', reader->size - reader->next);
    reader->begin = reader->next;
    reader->end = newline != NULL ? (size_t)(newline - reader->text) : reader->size;
    reader->next = newline != NULL ? reader->end + 1 : reader->size;
    while (reader->end > reader->begin && strchr(" \t\r", reader->text[reader->end - 1]) != NULL)
        reader->end--;
    reader->line++;
    return true;
}

static bool line_starts(const struct lesson_reader *reader, const char *prefix)
{
    size_t size = strlen(prefix);
    return reader->end - reader->begin >= size &&
           memcmp(reader->text + reader->begin, prefix, size) == 0;
}

static bool line_is(const struct lesson_reader *reader, const char *text)
{
    return line_starts(reader, text) && reader->end - reader->begin == strlen(text);
}

/* The number of backticks that the line begins with, if they are a fence; else 0. */
static size_t fence_size(const struct lesson_reader *reader)
{
    size_t n = 0;
    while (reader->begin + n < reader->end && reader->text[reader->begin + n] == '`')
        n++;
    return n >= 3 ? n : 0;
}

/* Moves to the line that closes a fence of `fence` backticks; *ret_end is the end of the text
 * between. */
static bool skip_block(struct lesson_reader *reader, size_t fence, size_t *ret_end)
{
    unsigned line = reader->line;
    while (next_line(reader))
        if (fence_size(reader) >= fence && reader->end - reader->begin == fence_size(reader)) {
            *ret_end = reader->begin;
            return true;
        }
    return fault(reader, line, "this block of code: it is not closed");
}

static char *copy_text(struct lesson_reader *reader, const char *bytes, size_t size)
{
    char *copy = arena_copy(&reader->lesson->arena, bytes, size);
    if (copy == NULL)
        no_memory(reader);
    return copy;
}

/* ---- names ---- */

bool lesson_slug(const char *heading, size_t size, char name[LESSON_NAME_BYTES])
{
    size_t used = 0;
    for (size_t i = 0; i < size; i++) {
        char c = heading[i];
        bool keeps = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                     (unsigned char)c >= 0x80;
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        else if (c == ' ')
            c = '-';
        else if (!keeps)
            continue;
        if (used + 1 >= LESSON_NAME_BYTES)
            return false;
        name[used++] = c;
    }
    name[used] = '\0';
    return used > 0;
}

/* The heading of the current line, which begins with `signs` signs. */
static bool heading_name(struct lesson_reader *reader, size_t signs, char name[LESSON_NAME_BYTES],
                         char **ret_title)
{
    size_t begin = reader->begin + signs;
    while (begin < reader->end && reader->text[begin] == ' ')
        begin++;
    if (!lesson_slug(reader->text + begin, reader->end - begin, name))
        return fault(reader, reader->line,
                     "a heading names a place: it must have letters and be short");
    *ret_title = copy_text(reader, reader->text + begin, reader->end - begin);
    return *ret_title != NULL;
}

/* ---- pages and their parts ---- */

static bool open_page(struct lesson_reader *reader)
{
    struct lesson *lesson = reader->lesson;
    if (reader->page != NULL)
        return true;
    struct page *pages =
        array_grow(lesson->pages, lesson->n_pages, &lesson->pages_capacity, sizeof *pages);
    if (pages == NULL)
        return no_memory(reader);
    lesson->pages = pages;
    reader->page = &pages[lesson->n_pages++];
    *reader->page = (struct page){.step = reader->step, .line = reader->line};
    return true;
}

static bool add_part(struct lesson_reader *reader, enum part_kind kind, const char *bytes,
                     size_t size, unsigned line)
{
    if (!open_page(reader))
        return false;
    struct page *page = reader->page;
    struct page_part *parts =
        array_grow(page->parts, page->n_parts, &page->capacity, sizeof *parts);
    char *copy = copy_text(reader, bytes, size);
    if (parts != NULL)
        page->parts = parts;
    if (parts == NULL || copy == NULL)
        return no_memory(reader);
    parts[page->n_parts++] = (struct page_part){kind, {copy, line}};
    return true;
}

/* Hands over the prose up to the line under way, which begins something else. */
static bool end_prose(struct lesson_reader *reader)
{
    const char *prose = reader->text + reader->prose;
    size_t size = reader->begin - reader->prose;
    bool ok =
        text_is_blank(prose, size) || add_part(reader, PART_PROSE, prose, size, reader->prose_line);
    reader->prose = reader->next;
    reader->prose_line = reader->line + 1;
    return ok;
}

static void end_page(struct lesson_reader *reader)
{
    struct page *page = reader->page;
    reader->page = NULL;
    if (page == NULL)
        return;
    if (page->question != NULL)
        snprintf(page->name, sizeof page->name, "%s", page->question->name);
    else
        snprintf(page->name, sizeof page->name, "%s/%u",
                 reader->step != NULL ? reader->step->name : before_steps, ++reader->n_in_step);
}

/* ---- questions ---- */

static bool begin_question(struct lesson_reader *reader)
{
    char *title;
    const struct lesson *lesson = reader->lesson;
    struct question *question = arena_take(&reader->lesson->arena, sizeof *question);
    if (question == NULL)
        return no_memory(reader);
    question->line = reader->line;
    if (!heading_name(reader, 3, question->name, &title))
        return false;
    for (size_t i = 0; i < lesson->n_pages; i++)
        if (lesson->pages[i].question != NULL &&
            strcmp(lesson->pages[i].question->name, question->name) == 0)
            return fault(reader, reader->line,
                         "a question called %s stands above already; answers are remembered by "
                         "their names",
                         question->name);
    unsigned line = reader->line;
    size_t heading = reader->begin;
    if (!end_prose(reader) || !open_page(reader))
        return false;
    reader->prose = heading;
    reader->prose_line = line;
    reader->question = question;
    reader->question_part = reader->page->n_parts;
    return true;
}

static bool check_question_ended(const struct lesson_reader *reader)
{
    return reader->question == NULL ||
           fault(reader, reader->question->line,
                 "the question %s has no <details> block with its answer after it",
                 reader->question->name);
}

/* The number that a line of a numbered list begins with, or 0; *ret_mark: the bytes it takes. */
static unsigned item_number(const char *line, size_t *ret_mark)
{
    size_t digits = strspn(line, "0123456789");
    if (digits == 0 || digits > 3 || line[digits] != '.' || line[digits + 1] != ' ')
        return 0;
    *ret_mark = digits + 2;
    return (unsigned)strtoul(line, NULL, 10);
}

/* Adds the option that text begins with: up to the next item, or the end of the list. */
static bool add_option(struct lesson_reader *reader, const char *text, unsigned line)
{
    struct question *question = reader->question;
    size_t n = question->n_options, size = strcspn(text, "\n"), mark;
    while (text[size] == '\n' && text[size + 1] != '\0' && text[size + 1] != '\n' &&
           item_number(text + size + 1, &mark) == 0)
        size += 1 + strcspn(text + size + 1, "\n");
    char *copy = copy_text(reader, text, size);
    if (copy == NULL)
        return false;
    if ((n & (n - 1)) == 0) { /* room for 1, 2, 4, 8, ... */
        struct lesson_text *options =
            arena_take(&reader->lesson->arena, size_max(1, 2 * n) * sizeof *options);
        if (options == NULL)
            return no_memory(reader);
        if (n > 0)
            memcpy(options, question->options, n * sizeof *options);
        question->options = options;
    }
    question->options[question->n_options++] = (struct lesson_text){copy, line};
    return true;
}

/* The items 1., 2., ... of the numbered lists in one part of the question's text. Those in blocks
 * of code do not count. *odd_line is set where an item has another number, unless it is set
 * already. */
static bool find_options(struct lesson_reader *reader, const struct page_part *part,
                         unsigned *odd_line)
{
    unsigned line = part->source.line;
    size_t fence = 0; /* backticks of the block that at lies in */
    for (const char *at = part->source.text; *at != '\0'; line++) {
        size_t mark, ticks = strspn(at, "`");
        unsigned number = fence == 0 ? item_number(at, &mark) : 0;
        if (fence == 0 && ticks >= 3)
            fence = ticks;
        else if (fence > 0 && ticks >= fence)
            fence = 0;
        if (number > 0 && number != reader->question->n_options + 1)
            *odd_line = *odd_line > 0 ? *odd_line : line;
        if (number > 0 && !add_option(reader, at + mark, line))
            return false;
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return true;
}

/* True when the text after the fence begins with info. */
static bool info_starts(const struct lesson_reader *reader, size_t fence, const char *info)
{
    size_t begin = reader->begin + fence, size = strlen(info);
    return reader->end - begin >= size && memcmp(reader->text + begin, info, size) == 0;
}

/* True when that text is info: "attn", "attn type", or another language. */
static bool info_is(const struct lesson_reader *reader, size_t fence, const char *info)
{
    return info_starts(reader, fence, info) && reader->end - reader->begin == fence + strlen(info);
}

/* Moves to the line that closes the folded block; finds the YAML in it. */
static bool find_yaml(struct lesson_reader *reader, struct lesson_piece *ret)
{
    unsigned line = reader->line;
    *ret = (struct lesson_piece){.path = reader->path};
    while (next_line(reader) && !line_starts(reader, "</details>")) {
        size_t fence = fence_size(reader), end = 0;
        if (fence == 0)
            continue;
        if (ret->text != NULL || !info_starts(reader, fence, "yaml"))
            return fault(reader, reader->line,
                         "one block of ```yaml, with the question's answer, is expected here");
        ret->text = reader->text + reader->next;
        ret->lines_above = reader->line;
        if (!skip_block(reader, fence, &end))
            return false;
        ret->size = (size_t)(reader->text + end - ret->text);
    }
    if (!line_starts(reader, "</details>"))
        return fault(reader, line, "this <details> block is not closed with </details>");
    return ret->text != NULL ||
           fault(reader, line, "this <details> block has no block of ```yaml in it");
}

/* Where <details> begins: the question's text is complete. */
static bool end_question(struct lesson_reader *reader)
{
    struct lesson_piece piece = {0};
    struct question *question = reader->question;
    if (question == NULL)
        return fault(reader, reader->line,
                     "a <details> block belongs after a question, which a ### heading opens");
    if (!end_prose(reader))
        return false;
    const struct page *page = reader->page;
    unsigned odd_line = 0;
    for (size_t i = reader->question_part; i < page->n_parts; i++)
        if (page->parts[i].kind == PART_PROSE && !find_options(reader, &page->parts[i], &odd_line))
            return false;
    if (!find_yaml(reader, &piece) ||
        !lesson_read_question(reader->lesson, &piece, question, reader->reterr))
        return false;
    if (question->n_options > 0 && odd_line > 0) /* of other kinds the list is one like any other */
        return fault(reader, odd_line, "options are numbered 1., 2., 3., ...; this is another");
    for (size_t i = reader->question_part; i < page->n_parts; i++)
        question->in_percent =
            question->in_percent || (page->parts[i].kind == PART_PROSE &&
                                     strstr(page->parts[i].source.text, "percent") != NULL);
    reader->prose = reader->next;
    reader->prose_line = reader->line + 1;
    reader->page->question = question;
    reader->question = NULL;
    reader->lesson->n_questions++;
    end_page(reader);
    return true;
}

/* ---- code ---- */

static bool read_code(struct lesson_reader *reader, size_t fence)
{
    bool quiet = info_is(reader, fence, "attn quiet"),
         offered = info_is(reader, fence, "attn type");
    bool runs = quiet || offered || info_is(reader, fence, "attn");
    if (info_starts(reader, fence, "attn") && !runs)
        return fault(reader, reader->line,
                     "code is marked attn, attn type or attn quiet, not otherwise");
    if (runs && !end_prose(reader))
        return false;
    size_t begin = reader->next, end;
    unsigned line = reader->line + 1;
    if (!skip_block(reader, fence, &end))
        return false;
    if (!runs)
        return true;
    reader->prose = reader->next;
    reader->prose_line = reader->line + 1;
    const char *code = reader->text + begin;
    if (!offered)
        return add_part(reader, quiet ? PART_QUIET : PART_CODE, code, end - begin, line);
    if (reader->question != NULL)
        return fault(reader, line,
                     "a question can't hold code that is offered to type; run it, or offer it "
                     "before the question");
    if (!open_page(reader))
        return false;
    reader->page->offer = (struct lesson_text){copy_text(reader, code, end - begin), line};
    if (reader->page->offer.text == NULL)
        return false;
    end_page(reader);
    return true;
}

/* ---- headings ---- */

static bool read_title(struct lesson_reader *reader)
{
    const char *title = reader->lesson->title;
    size_t size = strlen(title);
    const char *heading = reader->text + reader->begin + 2;
    if (reader->has_title || reader->step != NULL)
        return fault(reader, reader->line, "a lesson has one # heading, its title");
    if (reader->end - reader->begin - 2 != size || memcmp(heading, title, size) != 0)
        return fault(reader, reader->line, "the # heading differs from the header's title, %s",
                     title);
    reader->has_title = true;
    return true;
}

static bool begin_step(struct lesson_reader *reader)
{
    struct lesson *lesson = reader->lesson;
    unsigned line = reader->line;
    size_t heading = reader->begin;
    if (!check_question_ended(reader) || !end_prose(reader))
        return false;
    end_page(reader);
    struct step **steps =
        array_grow(lesson->steps, lesson->n_steps, &lesson->steps_capacity, sizeof(struct step *));
    struct step *step = arena_take(&lesson->arena, sizeof *step);
    if (steps != NULL)
        lesson->steps = steps;
    if (steps == NULL || step == NULL)
        return no_memory(reader);
    if (!heading_name(reader, 2, step->name, &step->title))
        return false;
    if (strcmp(step->name, before_steps) == 0)
        return fault(reader, line, "a step can't be called %s; pages before the first step are",
                     before_steps);
    if (lesson_step(lesson, step->name) != NULL)
        return fault(reader, line, "a step called %s stands above already", step->name);
    step->line = line;
    step->first_page = lesson->n_pages;
    steps[lesson->n_steps++] = step;
    reader->step = step;
    reader->n_in_step = 0;
    reader->prose = heading;
    reader->prose_line = line;
    return true;
}

static bool read_line(struct lesson_reader *reader)
{
    size_t fence = fence_size(reader);
    if (fence > 0)
        return read_code(reader, fence);
    if (line_starts(reader, "# "))
        return read_title(reader);
    if (line_starts(reader, "## "))
        return begin_step(reader);
    if (line_starts(reader, "### "))
        return check_question_ended(reader) && begin_question(reader);
    if (line_starts(reader, "<details"))
        return end_question(reader);
    if (line_starts(reader, "#"))
        return fault(reader, reader->line,
                     "a heading has one, two or three #, then a blank; this has not");
    return true;
}

static bool read_body(struct lesson_reader *reader)
{
    while (next_line(reader))
        if (!read_line(reader))
            return false;
    reader->begin = reader->end = reader->next = reader->size;
    if (!check_question_ended(reader) || !end_prose(reader))
        return false;
    end_page(reader);
    if (!reader->has_title)
        return fault(reader, 1, "the title is missing after the header: # %s",
                     reader->lesson->title);
    return reader->lesson->n_steps > 0 ||
           fault(reader, reader->line, "a lesson has steps, each under a ## heading");
}

static bool read_header(struct lesson_reader *reader)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* that some editors begin files with */
    if (reader->size >= 3 && memcmp(reader->text, mark, 3) == 0)
        reader->next = 3;
    if (!next_line(reader) || !line_is(reader, "---"))
        return fault(reader, 1, "a lesson begins with its header, between two lines of ---");
    struct lesson_piece piece = {
        .path = reader->path, .text = reader->text + reader->next, .lines_above = 1};
    while (next_line(reader))
        if (line_is(reader, "---")) {
            piece.size = (size_t)(reader->text + reader->begin - piece.text);
            reader->prose = reader->next;
            reader->prose_line = reader->line + 1;
            return lesson_read_header(reader->lesson, &piece, reader->reterr);
        }
    return fault(reader, 1, "the header is not closed by a second line of ---");
}

static bool parse(const char *path, const char *text, size_t size, bool has_body,
                  struct lesson **ret, struct error *reterr)
{
    struct lesson *lesson = calloc(1, sizeof *lesson);
    if (lesson == NULL)
        return error_memory(reterr, path);
    struct lesson_reader reader = {
        .lesson = lesson, .path = path, .text = text, .size = size, .reterr = reterr};
    const char *name = path_base_name(path), *dot = strrchr(name, '.');
    size_t name_size = dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name);
    error_quote(lesson->file_name, sizeof lesson->file_name, name, name_size);
    lesson->path = copy_text(&reader, path, strlen(path));
    bool ok = lesson->path != NULL;
    if (ok && memchr(text, '\0', size) != NULL)
        ok = fault(&reader, 1, "there is a zero byte in it; it is not text");
    ok = ok && read_header(&reader) && (!has_body || read_body(&reader));
    if (ok)
        *ret = lesson;
    else
        lesson_free(lesson);
    return ok;
}

bool lesson_parse(const char *path, const char *text, size_t size, struct lesson **ret,
                  struct error *reterr)
{
    return parse(path, text, size, true, ret, reterr);
}

static bool read_file(const char *path, bool has_body, struct lesson **ret, struct error *reterr)
{
    struct text text = {0};
    bool ok = file_read_text(path, LESSON_MAX_BYTES, &text, reterr) &&
              parse(path, text_string(&text), text.size, has_body, ret, reterr);
    text_release(&text);
    return ok;
}

bool lesson_read(const char *path, struct lesson **ret, struct error *reterr)
{
    return read_file(path, true, ret, reterr);
}

bool lesson_read_head(const char *path, struct lesson **ret, struct error *reterr)
{
    return read_file(path, false, ret, reterr);
}

void lesson_free(struct lesson *lesson)
{
    if (lesson == NULL)
        return;
    for (size_t i = 0; i < lesson->n_pages; i++)
        free(lesson->pages[i].parts);
    free(lesson->pages);
    free(lesson->steps);
    arena_release(&lesson->arena);
    free(lesson);
}

size_t lesson_page(const struct lesson *lesson, const char *name)
{
    size_t i = 0;
    while (i < lesson->n_pages && strcmp(lesson->pages[i].name, name) != 0)
        i++;
    return i;
}

const struct step *lesson_step(const struct lesson *lesson, const char *name)
{
    for (size_t i = 0; i < lesson->n_steps; i++)
        if (strcmp(lesson->steps[i]->name, name) == 0)
            return lesson->steps[i];
    return NULL;
}

/* The index of page 14, counted from 1 as on the screen; n_pages for a text that is not a page's
 * number. */
static size_t numbered_page(const struct lesson *lesson, const char *number)
{
    size_t page = 0, n_digits = strspn(number, "0123456789");
    if (n_digits == 0 || n_digits > 4 || number[n_digits] != '\0')
        return lesson->n_pages;
    for (; *number != '\0'; number++)
        page = 10 * page + (size_t)(*number - '0');
    return page >= 1 && page <= lesson->n_pages ? page - 1 : lesson->n_pages;
}

size_t lesson_place(const struct lesson *lesson, const char *name)
{
    const struct step *step = lesson_step(lesson, name);
    size_t page = step != NULL ? step->first_page : lesson_page(lesson, name);
    return page < lesson->n_pages ? page : numbered_page(lesson, name);
}

bool lesson_refuse_place(const struct lesson *lesson, const char *name, struct error *reterr)
{
    return error_set(reterr, ERR_NAME,
                     "lesson %s: it has no step called %.60s; name a page: %s#1 to %s#%zu",
                     lesson->id, name, lesson->id, lesson->id, lesson->n_pages);
}

bool lesson_place_error(const struct lesson *lesson, unsigned line, struct error *reterr)
{
    char text[sizeof reterr->text];
    if (reterr == NULL || error_is_stop(reterr))
        return false;
    snprintf(text, sizeof text, "%.200s:%u: %.250s", lesson->path, line, reterr->text);
    return error_set(reterr, reterr->kind, "%s", text);
}
