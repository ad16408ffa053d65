/* Reading the sanitizers' reports: see sanitizer_report.h.
 *
 * A report of the address sanitizer begins with "ERROR: AddressSanitizer: KIND ...". Below it stand
 * the stack of the access, then the block or the variable that is concerned, and the stacks of
 * where the block was freed and allocated. One of the undefined-behaviour sanitizer is a line
 * "FILE:LINE:COLUMN: runtime error: WORDS". */
#include "judge/sanitizer_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

enum { LINE_BYTES = 512 };

/* What the address sanitizer calls a fault, after its own name. */
static const struct {
    const char *words;
    enum fault_kind kind;
} kinds[] = {
    {"heap-buffer-overflow", FAULT_HEAP},
    {"heap-use-after-free", FAULT_FREED},
    {"stack-buffer-overflow", FAULT_VARIABLE},
    {"stack-buffer-underflow", FAULT_VARIABLE},
    {"dynamic-stack-buffer-overflow", FAULT_VARIABLE},
    {"global-buffer-overflow", FAULT_VARIABLE},
    {"stack-use-after-scope", FAULT_SCOPE},
    {"stack-use-after-return", FAULT_SCOPE},
    {"attempting double-free", FAULT_DOUBLE_FREE},
    {"attempting free on address which was not malloc", FAULT_WRONG_FREE},
    {"stack-overflow", FAULT_STACK_OVERFLOW},
    {"SEGV", FAULT_WILD},
    {"BUS", FAULT_WILD},
    {"FPE", FAULT_DIVISION},
    {"requested allocation size", FAULT_HUGE_MALLOC},
    {"negative-size-param", FAULT_NEGATIVE_SIZE},
    {"memcpy-param-overlap", FAULT_OVERLAP},
};

/* Which stack the lines belong to. */
enum part { PART_ACCESS, PART_FREED, PART_ALLOCATED, PART_OTHER };

struct report_reader {
    struct sanitizer_report *fault;
    const char *file;
    enum part part;
};

static uint64_t number_after(const char *line, const char *words, int base)
{
    const char *at = strstr(line, words);
    return at == NULL ? 0 : strtoull(at + strlen(words), NULL, base);
}

/* The line number after "/FILE:" or " FILE:" or "'FILE:", or 0. */
static unsigned line_in_file(const char *line, const char *file)
{
    size_t size = strlen(file);
    for (const char *at = strstr(line, file); at != NULL; at = strstr(at + 1, file))
        if ((at == line || strchr("/ '", at[-1]) != NULL) && at[size] == ':')
            return (unsigned)strtoul(at + size + 1, NULL, 10);
    return 0;
}

/* "    #1 0x... in softmax_rows /w/submission.c:7:30": the first one in the file counts. */
static void take_frame(struct report_reader *reader, const char *line)
{
    struct sanitizer_report *fault = reader->fault;
    unsigned *places[] = {[PART_ACCESS] = &fault->line,
                          [PART_FREED] = &fault->freed_line,
                          [PART_ALLOCATED] = &fault->allocated_line};
    if (reader->part != PART_OTHER && *places[reader->part] == 0)
        *places[reader->part] = line_in_file(line, reader->file);
}

/* Reads "BEGIN,END" or "BEGIN, END"; false when that is no range. */
static bool read_range(const char *text, int base, uint64_t *ret_begin, uint64_t *ret_end)
{
    char *comma, *rest;
    *ret_begin = strtoull(text, &comma, base);
    if (comma == text || *comma != ',')
        return false;
    *ret_end = strtoull(comma + 1, &rest, base);
    return rest != comma + 1 && *ret_end >= *ret_begin;
}

/* "0x... is located 0 bytes to the right of 24-byte region [0x61d000003a00,0x61d000003a18)" */
static void take_block(struct sanitizer_report *fault, const char *line)
{
    static const char mark[] = "-byte region [";
    const char *at = strstr(line, mark);
    uint64_t begin, end;
    if (at != NULL && read_range(at + strlen(mark), 16, &begin, &end)) {
        fault->block = begin;
        fault->block_bytes = end - begin;
    }
}

static void name_variable(struct sanitizer_report *fault, const char *quoted, size_t size)
{
    error_quote(fault->variable, sizeof fault->variable, quoted, size);
}

/* "    [32, 40) 'row' (line 5) <== Memory access at offset 40 overflows this variable" */
static void take_local(struct sanitizer_report *fault, const char *line)
{
    static const char mark[] = "<== Memory access at offset ";
    uint64_t begin, end;
    const char *range = strchr(line, '['), *open = strchr(line, '\'');
    const char *close = open == NULL ? NULL : strchr(open + 1, '\'');
    if (strstr(line, mark) == NULL || range == NULL || close == NULL ||
        !read_range(range + 1, 10, &begin, &end))
        return;
    name_variable(fault, open + 1, (size_t)(close - open - 1));
    fault->variable_bytes = end - begin;
    fault->variable_offset = (int64_t)(number_after(line, mark, 10) - begin);
    fault->variable_line = (unsigned)number_after(line, "(line ", 10);
}

/* "0x... is located 0 bytes to the right of global variable 'tab' defined in
 * 'submission.c:5:18' (0x55c8fe7f44a0) of size 16" */
static void take_global(struct report_reader *reader, const char *line)
{
    struct sanitizer_report *fault = reader->fault;
    const char *open = strstr(line, " variable '"), *close;
    unsigned declared = line_in_file(line, reader->file);
    if (open == NULL || declared == 0 || fault->variable[0] != '\0')
        return;
    open += strlen(" variable '");
    close = strchr(open, '\'');
    if (close == NULL)
        return;
    name_variable(fault, open, (size_t)(close - open));
    fault->variable_bytes = number_after(line, " of size ", 10);
    fault->variable_offset = (int64_t)(fault->address - number_after(line, "' (", 16));
    fault->variable_line = declared;
}

static void take_details(struct report_reader *reader, const char *line)
{
    struct sanitizer_report *fault = reader->fault;
    if (strncmp(line, "READ of size ", 13) == 0 || strncmp(line, "WRITE of size ", 14) == 0) {
        fault->access = *line == 'R' ? ACCESS_READ : ACCESS_WRITTEN;
        fault->n_bytes = number_after(line, " of size ", 10);
    } else if (strstr(line, "caused by a READ memory access") != NULL) {
        fault->access = ACCESS_READ;
    } else if (strstr(line, "caused by a WRITE memory access") != NULL) {
        fault->access = ACCESS_WRITTEN;
    } else if (strstr(line, "address points to the zero page") != NULL) {
        fault->kind = FAULT_NULL;
    } else if (strstr(line, "dereference of a high value address") != NULL) {
        fault->kind = FAULT_NO_VALUE;
    } else if (strstr(line, "is located in stack of thread") != NULL ||
               strncmp(line, "SUMMARY:", 8) == 0) {
        reader->part = PART_OTHER;
    } else if (strncmp(line, "freed by thread", 15) == 0) {
        reader->part = PART_FREED;
    } else if (strstr(line, "allocated by thread") != NULL) {
        reader->part = PART_ALLOCATED;
    } else if (strncmp(line, "    #", 5) == 0) {
        take_frame(reader, line);
    } else {
        take_block(fault, line);
        take_local(fault, line);
        take_global(reader, line);
    }
}

/* "==1==ERROR: AddressSanitizer: KIND on address 0x..."; false for other lines. */
static bool begin_address_report(struct report_reader *reader, const char *line)
{
    const char *words = strstr(line, "ERROR: AddressSanitizer: ");
    struct sanitizer_report *fault = reader->fault;
    if (words == NULL)
        return false;
    words += strlen("ERROR: AddressSanitizer: ");
    for (size_t i = 0; i < COUNT_OF(kinds) && fault->kind == FAULT_NONE; i++)
        if (strncmp(words, kinds[i].words, strlen(kinds[i].words)) == 0)
            fault->kind = kinds[i].kind;
    fault->address = number_after(words, "address ", 16);
    if (fault->kind == FAULT_HUGE_MALLOC)
        fault->n_bytes = number_after(words, "size ", 16);
    return fault->kind != FAULT_NONE;
}

/* Locals and what malloc() gives are filled with a byte pattern, so that a pointer that never got a
 * value points there. */
static bool names_pattern(const char *words)
{
    return strstr(words, "0xfefefefe") != NULL || strstr(words, "0xaaaaaaaa") != NULL ||
           strstr(words, "0xbebebebe") != NULL;
}

static bool begin_undefined_report(struct report_reader *reader, const char *line)
{
    static const char mark[] = ": runtime error: ";
    struct sanitizer_report *fault = reader->fault;
    const char *words = strstr(line, mark);
    if (words == NULL)
        return false;
    words += strlen(mark);
    error_quote(fault->words, sizeof fault->words, words, strlen(words));
    fault->kind = strstr(words, "null pointer") != NULL ? FAULT_NULL
                  : names_pattern(words)                ? FAULT_NO_VALUE
                                                        : FAULT_UNDEFINED;
    fault->access = strncmp(words, "load", 4) == 0    ? ACCESS_READ
                    : strncmp(words, "store", 5) == 0 ? ACCESS_WRITTEN
                                                      : ACCESS_UNKNOWN;
    fault->line = line_in_file(line, reader->file);
    return true;
}

void sanitizer_report_read(const char *printed, const char *file, struct sanitizer_report *ret)
{
    struct report_reader reader = {.fault = ret, .file = file, .part = PART_ACCESS};
    char line[LINE_BYTES];
    *ret = (struct sanitizer_report){.kind = FAULT_NONE};
    while (*printed != '\0') {
        size_t size = strcspn(printed, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(size < sizeof line ? size : sizeof line),
                 printed);
        printed += size + (printed[size] == '\n');
        if (ret->kind != FAULT_NONE)
            take_details(&reader, line);
        else if (begin_undefined_report(&reader, line))
            return;
        else
            begin_address_report(&reader, line);
    }
}
