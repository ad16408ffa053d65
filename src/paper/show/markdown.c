/* Markdown read by md4c, which reports blocks and spans: see markdown.h; markdown_internal.h
 * declares the functions that lay them out. */
#include "show/markdown_internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/array.h"

enum { WIDTH_COLS_MIN = 20 };

/* ---- characters that are written as names or numbers ---- */

/* A character by its number; U+FFFD where no character has it. */
static void add_code_point(struct text *text, unsigned long code)
{
    utf8proc_uint8_t bytes[4];
    bool known = code >= 0x20 && code <= 0x10FFFF && utf8proc_codepoint_valid((int32_t)code);
    utf8proc_ssize_t size = utf8proc_encode_char(known ? (int32_t)code : 0xFFFD, bytes);
    text_add(text, (const char *)bytes, (size_t)size);
}

/* The entities that prose about numbers needs; all others can be written as numbers or as
 * themselves. */
static const struct {
    const char *name;
    unsigned long code;
} entities[] = {
    {"&amp;", '&'},      {"&lt;", '<'},       {"&gt;", '>'},        {"&quot;", '"'},
    {"&apos;", '\''},    {"&nbsp;", 0xA0},    {"&copy;", 0xA9},     {"&middot;", 0xB7},
    {"&times;", 0xD7},   {"&alpha;", 0x3B1},  {"&beta;", 0x3B2},    {"&gamma;", 0x3B3},
    {"&lambda;", 0x3BB}, {"&mu;", 0x3BC},     {"&pi;", 0x3C0},      {"&sigma;", 0x3C3},
    {"&ndash;", 0x2013}, {"&mdash;", 0x2014}, {"&hellip;", 0x2026}, {"&larr;", 0x2190},
    {"&rarr;", 0x2192},  {"&sum;", 0x2211},   {"&minus;", 0x2212},  {"&radic;", 0x221A},
    {"&infin;", 0x221E}, {"&asymp;", 0x2248}, {"&ne;", 0x2260},     {"&le;", 0x2264},
    {"&ge;", 0x2265},
};

/* "&#955;" or "&#x3bb;": its number, 0xFFFD if it names no character. md4c lets through up to 7
 * digits. */
static unsigned long entity_number(const char *entity, size_t size)
{
    char digits[16] = "";
    bool is_hex = entity[2] == 'x' || entity[2] == 'X';
    size_t begin = is_hex ? 3 : 2;
    if (size < begin + 2 || size - begin - 1 >= sizeof digits)
        return 0xFFFD;
    memcpy(digits, entity + begin, size - begin - 1);
    return strtoul(digits, NULL, is_hex ? 16 : 10);
}

/* "&lt;", "&#955;" or "&#x3bb;" as the character; a name that is not known as it stands. */
static void add_entity(struct text *text, const char *entity, size_t size)
{
    if (size > 2 && entity[1] == '#') {
        add_code_point(text, entity_number(entity, size));
        return;
    }
    for (size_t i = 0; i < COUNT_OF(entities); i++) {
        if (strlen(entities[i].name) == size && memcmp(entities[i].name, entity, size) == 0) {
            add_code_point(text, entities[i].code);
            return;
        }
    }
    text_add(text, entity, size); /* as it stands */
}

/* An address or the like, with the entities in it. */
static void add_attribute(struct text *text, const MD_ATTRIBUTE *attribute)
{
    for (size_t i = 0; attribute->size > 0 && attribute->substr_offsets[i] < attribute->size; i++) {
        const char *part = attribute->text + attribute->substr_offsets[i];
        size_t size = attribute->substr_offsets[i + 1] - attribute->substr_offsets[i];
        if (attribute->substr_types[i] == MD_TEXT_ENTITY)
            add_entity(text, part, size);
        else if (attribute->substr_types[i] == MD_TEXT_NULLCHAR)
            add_code_point(text, 0);
        else
            text_add(text, part, size);
    }
}

/* ---- words with their styles ---- */

/* The style of the words being read. */
static enum style words_style(const struct markdown_printer *printer)
{
    if (printer->n_code > 0)
        return STYLE_NAME;
    return printer->in_title || printer->n_strong > 0 ? STYLE_TITLE : STYLE_PLAIN;
}

/* Gives the text after the last run a style. */
static void close_run(struct markdown_printer *printer, enum style style)
{
    struct markdown_words *words = &printer->words;
    struct style_run *last = words->n_runs > 0 ? &words->runs[words->n_runs - 1] : NULL;
    if (words->text.size == (last != NULL ? last->end : 0))
        return;
    if (last != NULL && last->style == style) {
        last->end = words->text.size;
        return;
    }
    struct style_run *runs =
        array_grow(words->runs, words->n_runs, &words->runs_capacity, sizeof *runs);
    if (runs == NULL) {
        printer->doc->failed = true;
        return;
    }
    words->runs = runs;
    runs[words->n_runs++] = (struct style_run){.end = words->text.size, .style = style};
}

/* A word may begin here: blanks at the start of a line and after others are left out. */
static bool at_gap(const struct markdown_printer *printer)
{
    const struct text *text = &printer->words.text;
    size_t begin = printer->in_table && printer->table.n_cells > 0
                       ? printer->table.cells[printer->table.n_cells - 1].begin
                       : 0;
    return text->size == begin || text->bytes[text->size - 1] == ' ' ||
           text->bytes[text->size - 1] == '\n';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

/* One character, '?' where a terminal can't be trusted with it. Returns its size. */
static size_t add_character(struct text *text, const char *bytes, size_t size)
{
    struct text_character character = text_character(bytes, size);
    text_add(text, character.printable ? bytes : "?", character.printable ? character.size : 1);
    return character.size;
}

/* Prose: blanks in a row are one, and left out at the start. */
static void add_words(struct markdown_printer *printer, const char *bytes, size_t size)
{
    struct text *text = &printer->words.text;
    for (size_t i = 0; i < size && !text->failed;) {
        if (!is_blank(bytes[i])) {
            i += add_character(text, bytes + i, size - i);
            continue;
        }
        if (!at_gap(printer))
            text_char(text, ' ');
        i++;
    }
}

/* A piece of code in prose: every blank is kept. */
static void add_code_words(struct markdown_printer *printer, const char *bytes, size_t size)
{
    struct text *text = &printer->words.text;
    for (size_t i = 0; i < size;) {
        bool blank = is_blank(bytes[i]);
        i += add_character(text, blank ? " " : bytes + i, blank ? 1 : size - i);
    }
}

/* A block of code as it stands; a tab goes to the next multiple of CODE_COLS. */
static void add_code(struct markdown_printer *printer, const char *bytes, size_t size)
{
    struct text *text = &printer->words.text;
    for (size_t i = 0; i < size;) {
        size_t before = text->size;
        if (bytes[i] == '\n') {
            text_char(text, bytes[i++]);
            printer->code_cols = 0;
        } else if (bytes[i] == '\t') {
            size_t cols = CODE_COLS - printer->code_cols % CODE_COLS;
            text_repeat(text, " ", cols);
            printer->code_cols += cols;
            i++;
        } else {
            i += add_character(text, bytes + i, size - i);
            printer->code_cols += text_width(text_string(text) + before, text->size - before);
        }
    }
}

/* ---- emphasis, code and links ---- */

/* Where there is no colour, signs say what only the style would say. */
static void put_sign(struct markdown_printer *printer, const char *sign)
{
    if (printer->options->colour)
        return;
    text_put(&printer->words.text, sign);
    close_run(printer, words_style(printer));
}

/* A short piece of code stays in one line. */
static void leave_code(struct markdown_printer *printer)
{
    struct text *text = &printer->words.text;
    if (!text->failed &&
        line_cols(text, printer->code_begin, text->size) <= line_cols_left(printer) / 2)
        for (size_t i = printer->code_begin; i < text->size; i++)
            if (text->bytes[i] == ' ')
                text->bytes[i] = KEPT_BLANK;
    put_sign(printer, "`");
    printer->n_code--;
}

/* Worth telling: not a place in the same folder, and not what the link's words say already. */
static bool is_news(const struct markdown_printer *printer, const struct text *address)
{
    const struct text *words = &printer->words.text;
    bool said = words->size - printer->link_begin == address->size &&
                (address->size == 0 ||
                 memcmp(words->bytes + printer->link_begin, address->bytes, address->size) == 0);
    return !said && strpbrk(text_string(address), ":/") != NULL;
}

/* The address after the words. */
static void leave_link(struct markdown_printer *printer, const MD_ATTRIBUTE *attribute)
{
    struct text address = {0};
    struct text *words = &printer->words.text;
    add_attribute(&address, attribute);
    if (!address.failed && !words->failed && is_news(printer, &address)) {
        add_words(printer, " ", 1);
        close_run(printer, words_style(printer));
        text_char(words, '(');
        add_words(printer, address.bytes, address.size);
        text_char(words, ')');
        close_run(printer, STYLE_QUIET);
    }
    printer->doc->failed = printer->doc->failed || address.failed;
    text_release(&address);
}

/* ---- what md4c tells ---- */

static int enter_block(MD_BLOCKTYPE type, void *detail, void *context)
{
    struct markdown_printer *printer = context;
    switch (type) {
    case MD_BLOCK_TABLE:
        table_enter(printer, ((MD_BLOCK_TABLE_DETAIL *)detail)->col_count);
        break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        printer->in_title = type == MD_BLOCK_TH;
        table_enter_cell(printer, ((MD_BLOCK_TD_DETAIL *)detail)->align);
        break;
    default:
        block_enter(printer, type, detail);
        break;
    }
    return printer->doc->failed;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *context)
{
    struct markdown_printer *printer = context;
    switch (type) {
    case MD_BLOCK_TABLE:
        table_leave(printer);
        break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        printer->in_title = false;
        table_leave_cell(printer);
        break;
    default:
        block_leave(printer, type, detail);
        break;
    }
    return printer->doc->failed;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *context)
{
    struct markdown_printer *printer = context;
    (void)detail;
    if (type == MD_SPAN_EM || type == MD_SPAN_STRONG) {
        printer->n_strong++;
        if (!printer->in_title)
            put_sign(printer, "*");
    } else if (type == MD_SPAN_CODE) {
        printer->n_code++;
        put_sign(printer, "`");
        printer->code_begin = printer->words.text.size;
    } else if (type == MD_SPAN_A) {
        printer->link_begin = printer->words.text.size;
    }
    return printer->doc->failed;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *context)
{
    struct markdown_printer *printer = context;
    if (type == MD_SPAN_EM || type == MD_SPAN_STRONG) {
        if (!printer->in_title)
            put_sign(printer, "*");
        printer->n_strong--;
    } else if (type == MD_SPAN_CODE) {
        leave_code(printer);
    } else if (type == MD_SPAN_A) {
        leave_link(printer, &((MD_SPAN_A_DETAIL *)detail)->href);
    }
    return printer->doc->failed;
}

static int add_text(MD_TEXTTYPE type, const MD_CHAR *bytes, MD_SIZE size, void *context)
{
    struct markdown_printer *printer = context;
    struct text *text = &printer->words.text;
    if (printer->in_table && printer->table.cut)
        return printer->doc->failed;
    if (printer->in_block_of_code && type == MD_TEXT_CODE) {
        add_code(printer, bytes, size);
        return printer->doc->failed;
    }
    switch (type) {
    case MD_TEXT_CODE:
        add_code_words(printer, bytes, size);
        break;
    case MD_TEXT_NORMAL:
        add_words(printer, bytes, size);
        break;
    case MD_TEXT_SOFTBR:
        add_words(printer, " ", 1);
        break;
    case MD_TEXT_BR:
        text_char(text, '\n');
        break;
    case MD_TEXT_ENTITY:
        add_entity(text, bytes, size);
        break;
    case MD_TEXT_NULLCHAR:
        add_code_point(text, 0);
        break;
    default: /* HTML */
        break;
    }
    if (!printer->in_block_of_code)
        close_run(printer, words_style(printer));
    return printer->doc->failed;
}

/* ---- the text ---- */

/* The text with a newline at its end, and more after it: md4c 0.4.8 looks for the end of a line as
 * in a string, and at what follows a link that the end of the text cuts off. Takes *size to where
 * the text ends now. NULL without memory. */
static char *copy_ended(const char *markdown, size_t *size)
{
    enum { MORE_BYTES = 16 };
    char *copy = malloc(*size + MORE_BYTES);
    if (copy == NULL)
        return NULL;
    if (*size > 0)
        memcpy(copy, markdown, *size);
    memset(copy + *size, '\n', MORE_BYTES - 1);
    copy[*size + MORE_BYTES - 1] = '\0';
    *size += *size > 0 && copy[*size - 1] != '\n';
    return copy;
}

static bool read_all(struct markdown_printer *printer, const char *markdown, size_t size)
{
    const MD_PARSER parser = {.flags = MD_FLAG_TABLES,
                              .enter_block = enter_block,
                              .leave_block = leave_block,
                              .enter_span = enter_span,
                              .leave_span = leave_span,
                              .text = add_text};
    char *copy = size < UINT_MAX / 2 ? copy_ended(markdown, &size) : NULL;
    bool ok = copy != NULL && md_parse(copy, (MD_SIZE)size, &parser, printer) == 0;
    free(copy);
    return ok;
}

void markdown_show(struct doc *doc, const char *markdown, size_t size,
                   const struct show_options *options)
{
    struct markdown_printer *printer = calloc(1, sizeof *printer);
    if (printer == NULL) {
        doc->failed = true;
        return;
    }
    printer->doc = doc;
    printer->options = options;
    printer->width_cols =
        options->width_cols > WIDTH_COLS_MIN ? options->width_cols : WIDTH_COLS_MIN;
    if (doc_count_lines(doc) > doc->n_lines)
        doc_end_line(doc);
    if (!read_all(printer, markdown, size))
        doc->failed = true;
    text_release(&printer->words.text);
    free(printer->words.runs);
    free(printer->table.cells);
    free(printer);
}
