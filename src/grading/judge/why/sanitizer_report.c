/* Reading the sanitizers' reports: see sanitizer_report.h.
 *
 * A report of the address sanitizer begins with "ERROR: AddressSanitizer: KIND ...". Below it stand
 * the stack of the access, then the block or the variable that is concerned, and the stacks of
 * where the block was freed and allocated. One of the undefined-behaviour sanitizer is a line
 * "FILE:LINE:COLUMN: runtime error: WORDS". */
#include "judge/why/sanitizer_report_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "compile/compiler_messages.h"
#include "compile/wire.h"
#include "judge/run/runner.h"
#include "sandbox/boxed_command.h"
#include "sandbox/memory_file.h"

/* ---- reading ---- */

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

/* Reads "BEGIN,END" or "BEGIN, END"; false if the text is not a range. */
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

/* Only a name in C: whatever else stands in its place the program itself has printed. */
static void name_variable(struct sanitizer_report *fault, const char *quoted, size_t size)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    if (size > 0 && size < sizeof fault->variable && strspn(quoted, letters) >= size)
        snprintf(fault->variable, sizeof fault->variable, "%.*s", (int)size, quoted);
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

/* The sentences of the undefined-behaviour sanitizer that attn knows, by gcc and by clang, and what
 * each means. '#' stands for a number, '@' for a type of C's own, '^' for an operator. A program
 * can print whatever it likes in the sanitizer's place; so of a sentence that is not one of these
 * attn repeats no word. */
static const struct undefined {
    const char *sentence, *meaning;
    bool quoted; /* the sentence says more, and is put after the meaning */
} undefined[] = {
    {"signed integer overflow: # ^ # cannot be represented in type '@'",
     "a calculation in whole numbers went beyond what its type can hold; count with size_t, and "
     "calculate with float",
     true},
    {"negation of # cannot be represented in type '@'",
     "a whole number can't be negated: its type has no such positive number", true},
    {"negation of # cannot be represented in type '@'; cast to an unsigned type to negate this "
     "value to itself",
     "a whole number can't be negated: its type has no such positive number", true},
    {"division by zero", "a whole number was divided by 0", false},
    {"division of # by # cannot be represented in type '@'",
     "a whole number can't be divided so: its type can't hold the result", true},
    {"index # out of bounds for type '@'", "an index lies outside of its array", true},
    {"shift exponent # is too large for #-bit type '@'",
     "a number was shifted by more bits than it has", true},
    {"shift exponent # is negative", "a number was shifted by fewer bits than none", true},
    {"left shift of negative value #", "a number below 0 was shifted to the left", true},
    {"left shift of # by # places cannot be represented in type '@'",
     "a number was shifted further than its type can hold", true},
    {"# is outside the range of representable values of type '@'",
     "a float was turned into a whole number that can't hold it", true},
    {"load of misaligned address # for type '@', which requires # byte alignment",
     "numbers were read through a pointer to a larger type; an array of float must be read through "
     "a float *",
     false},
    {"store to misaligned address # for type '@', which requires # byte alignment",
     "numbers were written through a pointer to a larger type; an array of float must be written "
     "through a float *",
     false},
    {"variable length array bound evaluates to non-positive value #",
     "a local array was made with a length below 1", false},
    {"execution reached the end of a value-returning function without returning a value",
     "a function that should return a value ended without return", false},
    {"load of value #, which is not a valid value for type '@'",
     "a variable holds something that its type does not know. Did it ever get a value?", false},
};

/* A number as the sanitizer writes it, moved over; false if the text begins with no number. */
static bool skip_number(const char **at)
{
    enum { LONGEST = 24 };
    size_t size = strspn(*at, "0123456789abcdefx.+-");
    bool is_number = size > 0 && size <= LONGEST && strpbrk(*at, "0123456789") < *at + size;
    if (!is_number && (strncmp(*at, "inf", 3) == 0 || strncmp(*at, "nan", 3) == 0))
        size = 3;
    else if (!is_number && (strncmp(*at, "-inf", 4) == 0 || strncmp(*at, "-nan", 4) == 0))
        size = 4;
    else if (!is_number)
        return false;
    *at += size;
    return true;
}

/* A type of words that are C's own, moved over: names that a program gave could say anything. */
static bool skip_type(const char **at)
{
    static const char *const words[] = {
        "unsigned", "signed", "const", "volatile", "long", "short", "int", "char",
        "float",    "double", "_Bool", "size_t",   "bool", "void",  "aka", "uint32_t",
        "int32_t",  "*",      " ",     "[",        "]",    "("};
    const char *begin = *at;
    while (**at != '\0' && **at != '\'') {
        size_t size = strspn(*at, "0123456789");
        for (size_t i = 0; i < COUNT_OF(words) && size == 0; i++)
            if (strncmp(*at, words[i], strlen(words[i])) == 0)
                size = strlen(words[i]);
        if (size == 0)
            return false;
        *at += size;
    }
    return *at > begin;
}

static bool is_sentence(const char *sentence, const char *words)
{
    for (; *sentence != '\0'; sentence++) {
        bool fits = true;
        if (*sentence == '#')
            fits = skip_number(&words);
        else if (*sentence == '@')
            fits = skip_type(&words);
        else
            fits = *sentence == '^' ? *words != '\0' && strchr("+-*/", *words++) != NULL
                                    : *words++ == *sentence;
        if (!fits)
            return false;
    }
    return *words == '\0';
}

/* Finds the row that the words are, else the one that they begin as; true if they are one whole. */
static bool find_undefined(const char *words, const struct undefined **ret)
{
    for (size_t i = 0; i < COUNT_OF(undefined); i++)
        if (is_sentence(undefined[i].sentence, words)) {
            *ret = &undefined[i];
            return true;
        }
    for (size_t i = 0; i < COUNT_OF(undefined) && *ret == NULL; i++) {
        size_t size = strcspn(undefined[i].sentence, "#@^");
        if (size > 0 && strncmp(words, undefined[i].sentence, size) == 0)
            *ret = &undefined[i];
    }
    return false;
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

/* ---- in the exercise's words ---- */

struct report_context {
    const struct sanitizer_report *fault;
    const struct fixture *fixture;
    const uint64_t *addresses;
};

/* The exercise's array that the fault's block is, or -1. */
static int array_of_block(const struct report_context *e)
{
    const struct sanitizer_report *fault = e->fault;
    for (unsigned i = 0; i < e->fixture->exercise->n_arrays; i++)
        if (fault->block_bytes > 0 && e->addresses[i] == fault->block)
            return (int)i;
    return -1;
}

static const char *verb_of(const struct sanitizer_report *fault)
{
    return fault->access == ACCESS_READ      ? "read"
           : fault->access == ACCESS_WRITTEN ? "written"
                                             : "used";
}

/* " in line 7", when it is known */
static void say_line(const char *before, unsigned line, struct text *text)
{
    if (line > 0)
        text_format(text, "%s line %u", before, line);
}

/* "element 4 of row was read; row has 4 elements (0..3)", or in bytes where that says more. */
static void say_place(const struct sanitizer_report *fault, const char *what, int64_t offset,
                      uint64_t n_bytes, struct text *text)
{
    int64_t element = (int64_t)fault->n_bytes;
    bool whole =
        element > 0 && element <= 8 && n_bytes % (uint64_t)element == 0 && offset % element == 0;
    if (whole)
        text_format(text, "element %" PRId64 " of %s was %s; it has %" PRIu64 " (0..%" PRIu64 ")",
                    offset / element, what, verb_of(fault), n_bytes / (uint64_t)element,
                    n_bytes / (uint64_t)element - 1);
    else
        text_format(text, "byte %" PRId64 " of %s was %s; it has %" PRIu64 " bytes",
                    offset < 0 || (uint64_t)offset >= n_bytes ? offset : (int64_t)n_bytes, what,
                    verb_of(fault), n_bytes);
}

static void say_heap(const struct report_context *e, struct text *text)
{
    const struct sanitizer_report *fault = e->fault;
    int array = array_of_block(e);
    int64_t offset = (int64_t)(fault->address - fault->block);
    char place[256];
    if (array >= 0) {
        text_put(text, bounds_describe(e->fixture, (unsigned)array, offset, fault->access, place,
                                       sizeof place));
    } else if (fault->block_bytes > 0) {
        say_place(fault, "a block of memory", offset, fault->block_bytes, text);
        say_line("; malloc() gave it in", fault->allocated_line, text);
        text_put(text, ". malloc() counts bytes: n numbers need n * sizeof(float)");
    } else {
        text_format(text, "memory beside a block of malloc() was %s", verb_of(fault));
    }
}

static void say_variable(const struct sanitizer_report *fault, struct text *text)
{
    char what[80] = "a local array";
    if (fault->variable[0] != '\0')
        snprintf(what, sizeof what, "%s", fault->variable);
    if (fault->variable_bytes > 0)
        say_place(fault, what, fault->variable_offset, fault->variable_bytes, text);
    else
        text_format(text, "memory beside %s was %s", what, verb_of(fault));
    say_line("; it is declared in", fault->variable_line, text);
}

static void say_freed(const struct report_context *e, struct text *text)
{
    const struct sanitizer_report *fault = e->fault;
    int array = array_of_block(e);
    if (array >= 0) {
        text_format(text, "%s was freed", e->fixture->exercise->arrays[array].name);
        say_line(" in", fault->freed_line, text);
        text_put(text, ". It belongs to the caller: free only what your own malloc() gave");
    } else if (fault->kind == FAULT_DOUBLE_FREE) {
        text_put(text, "the same memory is freed twice");
        say_line(", first in", fault->freed_line, text);
    } else {
        text_format(text, "memory was %s that had been freed", verb_of(fault));
        say_line(" in", fault->freed_line, text);
    }
}

/* Names the arrays that are NULL in this case. */
static void say_null(const struct report_context *e, struct text *text)
{
    const struct fixture *fixture = e->fixture;
    text_format(text, "a pointer that is NULL was %s", verb_of(e->fault));
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
        if (!fixture->arrays[i].present)
            text_format(text, "; %s is NULL in this case", fixture->exercise->arrays[i].name);
}

void sanitizer_say_undefined(const struct sanitizer_report *fault, struct text *text)
{
    const struct undefined *found = NULL;
    bool is_known = find_undefined(fault->words, &found);
    text_put(text,
             found != NULL ? found->meaning : "something was done whose result C does not define");
    if (is_known && found->quoted)
        text_format(text, ": %s", fault->words);
}

/* Adds what went wrong, without its place in the source: "row 3 of weights was written
 * (weights[12]); weights has 3 rows (0..2)". addresses[i] is where array i of the fixture lay, 0
 * when it is not known. Adds nothing for FAULT_NONE. */
static void sanitizer_explain(const struct sanitizer_report *fault, const struct fixture *fixture,
                              const uint64_t *addresses, struct text *text)
{
    const struct report_context context = {fault, fixture, addresses}, *e = &context;
    switch (fault->kind) {
    case FAULT_HEAP:
        say_heap(e, text);
        break;
    case FAULT_VARIABLE:
        say_variable(fault, text);
        break;
    case FAULT_FREED:
    case FAULT_DOUBLE_FREE:
        say_freed(e, text);
        break;
    case FAULT_SCOPE:
        text_format(text, "%s was %s after the { } or the function that it belongs to had ended",
                    fault->variable[0] != '\0' ? fault->variable : "a local variable",
                    verb_of(fault));
        break;
    case FAULT_WRONG_FREE:
        text_put(text, "free() was given an address that malloc() did not return");
        break;
    case FAULT_STACK_OVERFLOW:
        text_put(text, "the stack is full. Does a function call itself without end, or is a local "
                       "array very large?");
        break;
    case FAULT_NULL:
        say_null(e, text);
        break;
    case FAULT_NO_VALUE:
        text_format(text, "a pointer was %s through that never got a value", verb_of(fault));
        break;
    case FAULT_WILD:
        text_format(text,
                    "an address far away from every array was %s. Is an index negative or far too "
                    "large, or a pointer wrong?",
                    verb_of(fault));
        break;
    case FAULT_HUGE_MALLOC:
        text_format(text, "malloc() was asked for %" PRIu64 " bytes. Did a size go below 0?",
                    fault->n_bytes);
        break;
    case FAULT_NEGATIVE_SIZE:
        text_put(text, "a function such as memcpy() was given a size below 0");
        break;
    case FAULT_OVERLAP:
        text_put(text, "memcpy() was given places that overlap; memmove() may copy between them");
        break;
    case FAULT_DIVISION:
        text_put(text, "a whole number was divided by 0");
        break;
    case FAULT_UNDEFINED:
        sanitizer_say_undefined(fault, text);
        break;
    case FAULT_NONE:
        break;
    }
}

/* ---- the run ---- */

enum {
    MAX_FRAMES = 16,     /* addresses that are looked up where the sanitizers could not */
    LONGEST_QUOTE = 120, /* bytes of a line of source */
    FRAME_BYTES = 24,
};

#define PROGRAM_FILE "program"

/* One run, and what came of it. */
struct rerun {
    const struct compile_request *request;
    const struct fixture *fixture;
    const char *file_name, *source;
    size_t size;
    struct text printed;                    /* by the program and its sanitizers */
    uint64_t addresses[FIXTURE_MAX_ARRAYS]; /* where its arrays lay; 0: not known */
    struct sanitizer_report fault;
    struct text *text; /* where the explanation goes */
};

/* ---- the run: the case, as compile/sanitizer_main.c reads it ---- */

/* Adds the case: the setup, the request, then the arrays in the order of their arguments. */
static void write_case(const struct fixture *fixture, struct text *text)
{
    static const uint32_t nan = 0x7fc00000u;
    const struct exercise *exercise = fixture->exercise;
    const struct fixture_array *arrays[WIRE_MAX_ARGS] = {NULL};
    struct wire_setup setup = {.slots = {{0, 0, 0}}};
    struct wire_request request = {.nonce = 0};
    for (unsigned i = 0; i < exercise->prototype.n_params; i++)
        request.args[i] = slots_scalar(&exercise->prototype.params[i], fixture->scalars[i]);
    for (unsigned i = 0; i < exercise->n_arrays; i++) {
        unsigned argument = slots_argument(exercise, i);
        arrays[argument] = &fixture->arrays[i];
        setup.slots[argument] = (struct wire_slot){1, 0, fixture->arrays[i].n_bytes};
        request.args[argument] = fixture->arrays[i].present ? 0 : WIRE_NULL;
    }
    text_add(text, (const char *)&setup, sizeof setup);
    text_add(text, (const char *)&request, sizeof request);
    for (unsigned i = 0; i < WIRE_MAX_ARGS; i++) {
        if (arrays[i] == NULL || !arrays[i]->present)
            continue;
        if (arrays[i]->before != NULL)
            text_add(text, arrays[i]->before, arrays[i]->n_bytes);
        for (size_t j = 0; arrays[i]->before == NULL && j < arrays[i]->n_cells; j++)
            text_add(text, (const char *)&nan, sizeof nan);
    }
}

/* ---- the run: in a box ---- */

/* False when the case could not be given to the program, or the program could not be run. */
static bool run(struct rerun *rerun, const void *program, size_t size)
{
    struct text text = {.bytes = NULL};
    struct memory input;
    struct boxed_result step;
    char *argv[] = {PROGRAM_FILE, NULL};
    write_case(rerun->fixture, &text);
    bool has_input = !text.failed && memory_map(text.size, &input, NULL);
    if (has_input)
        memcpy(input.bytes, text.bytes, text.size);
    text_release(&text);
    if (!has_input)
        return false;
    struct boxed_command plan = {.kind = BOX_SANITIZER,
                                 .limits = rerun->request->limits,
                                 .layers = rerun->request->layers,
                                 .path = "/w/" PROGRAM_FILE,
                                 .argv = argv,
                                 .input = input.fd,
                                 .in = {{.name = PROGRAM_FILE, .bytes = program, .size = size}},
                                 .n_in = 1};
    bool ok = boxed_command_run(&plan, &step, NULL);
    rerun->printed = step.printed;
    step.printed = (struct text){.bytes = NULL};
    boxed_result_release(&step);
    memory_release(&input);
    return ok && !rerun->printed.failed;
}

/* ---- the run: lines that the sanitizers had no symbolizer for ---- */

static const char frame_mark[] = "/" PROGRAM_FILE "+0x";

/* The address in "#1 0x55... (/w/program+0x7012) (BuildId: ...)"; false for other lines. */
static bool unknown_frame(const char *line, uint64_t *ret)
{
    size_t size = strcspn(line, "\n");
    const char *at = strstr(line, frame_mark);
    if (strncmp(line, "    #", 5) != 0 || at == NULL || at >= line + size)
        return false;
    *ret = strtoull(at + strlen(frame_mark), NULL, 16);
    return true;
}

static unsigned unknown_frames(const char *printed, char frames[MAX_FRAMES][FRAME_BYTES])
{
    unsigned n = 0;
    for (const char *line = printed; *line != '\0' && n < MAX_FRAMES;) {
        uint64_t address;
        if (unknown_frame(line, &address))
            snprintf(frames[n++], FRAME_BYTES, "0x%" PRIx64, address);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return n;
}

/* Puts "FILE:LINE", one after the other from places, after the frames that lack it. */
static void name_frames(struct rerun *rerun, const char *places)
{
    struct text named = {.bytes = NULL};
    for (const char *line = text_string(&rerun->printed); *line != '\0';) {
        size_t size = strcspn(line, "\n");
        uint64_t address;
        text_add(&named, line, size);
        if (unknown_frame(line, &address) && *places != '\0') {
            size_t place = strcspn(places, "\n");
            text_char(&named, ' ');
            text_add(&named, places, place);
            places += place + (places[place] == '\n');
        }
        text_char(&named, '\n');
        line += size + (line[size] == '\n');
    }
    if (!named.failed) {
        text_release(&rerun->printed);
        rerun->printed = named;
    } else {
        text_release(&named);
    }
}

/* Looks the frames up in a box, where a program of unknown intent can be read without fear. */
static void look_up_frames(struct rerun *rerun, const void *program, size_t size)
{
    static const char *const paths[] = {"/usr/bin/addr2line", "/usr/bin/llvm-addr2line"};
    char frames[MAX_FRAMES][FRAME_BYTES];
    char *argv[MAX_FRAMES + 4] = {"addr2line", "-e", PROGRAM_FILE};
    struct boxed_result step;
    unsigned n = unknown_frames(text_string(&rerun->printed), frames);
    const char *path = access(paths[0], X_OK) == 0 ? paths[0] : paths[1];
    if (n == 0 || access(path, X_OK) != 0)
        return;
    for (unsigned i = 0; i < n; i++)
        argv[3 + i] = frames[i];
    struct boxed_command plan = {.kind = BOX_COMPILE,
                                 .limits = rerun->request->limits,
                                 .layers = rerun->request->layers,
                                 .path = path,
                                 .argv = argv,
                                 .input = -1,
                                 .in = {{.name = PROGRAM_FILE, .bytes = program, .size = size}},
                                 .n_in = 1};
    if (boxed_command_run(&plan, &step, NULL) && boxed_result_succeeded(&step))
        name_frames(rerun, text_string(&step.printed));
    boxed_result_release(&step);
}

/* ---- the run: where the arrays lay ---- */

/* "attn-array ARGUMENT ADDRESS BYTES" */
static void read_addresses(struct rerun *rerun)
{
    static const char mark[] = "attn-array ";
    const struct exercise *exercise = rerun->fixture->exercise;
    const char *line = text_string(&rerun->printed);
    while (strncmp(line, mark, strlen(mark)) == 0) {
        char *rest;
        unsigned long argument = strtoul(line + strlen(mark), &rest, 10);
        uint64_t address = strtoull(rest, NULL, 16);
        for (unsigned i = 0; i < exercise->n_arrays; i++)
            if (slots_argument(exercise, i) == argument)
                rerun->addresses[i] = address;
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
}

/* ---- the run: the explanation ---- */

/* The source's line of that number, without the spaces around it; NULL when there is no such line.
 */
static const char *source_line(const struct rerun *rerun, unsigned number, size_t *ret_size)
{
    const char *at = rerun->source, *end = at + rerun->size;
    for (unsigned line = 1; line < number && at != NULL; line++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at == NULL ? NULL : at + 1;
    }
    while (at != NULL && at < end && (*at == ' ' || *at == '\t'))
        at++;
    *ret_size = 0;
    while (at != NULL && at + *ret_size < end && strchr("\r\n", at[*ret_size]) == NULL)
        (*ret_size)++;
    return number > 0 ? at : NULL;
}

/* The line that the explanation is about: of the access, or where an array was freed. */
static unsigned line_of(const struct sanitizer_report *fault)
{
    return fault->line > 0 ? fault->line : fault->freed_line;
}

static void write_explanation(struct rerun *rerun)
{
    struct text said = {.bytes = NULL}, *text = rerun->text;
    unsigned line = line_of(&rerun->fault);
    size_t size;
    const char *begin = source_line(rerun, line, &size);
    sanitizer_explain(&rerun->fault, rerun->fixture, rerun->addresses, &said);
    if (said.size > 0 && !said.failed) {
        if (begin != NULL) {
            text_format(text, "Line %u of ", line);
            compiler_messages_clean(rerun->file_name, strlen(rerun->file_name), text);
            text_put(text, ": ");
        }
        text_add(text, said.bytes, said.size);
        text_put(text, said.bytes[said.size - 1] == '?' ? "" : ".");
        if (begin != NULL && size > 0) {
            text_format(text, "\n%5u | ", line);
            compiler_messages_clean(begin, size < LONGEST_QUOTE ? size : LONGEST_QUOTE, text);
            text_put(text, size < LONGEST_QUOTE ? "" : "...");
        }
    }
    text_release(&said);
}

/* Runs the program that a descriptor holds, and reads what it says. */
static void explain(struct rerun *rerun, int program_fd)
{
    struct stat info;
    if (fstat(program_fd, &info) != 0 || info.st_size <= 0)
        return;
    size_t size = (size_t)info.st_size;
    void *program = mmap(NULL, size, PROT_READ, MAP_PRIVATE, program_fd, 0);
    if (program == MAP_FAILED)
        return;
    if (run(rerun, program, size)) {
        sanitizer_report_read(text_string(&rerun->printed), SUBMISSION_FILE, &rerun->fault);
        if (rerun->fault.kind != FAULT_NONE && line_of(&rerun->fault) == 0) {
            look_up_frames(rerun, program, size);
            sanitizer_report_read(text_string(&rerun->printed), SUBMISSION_FILE, &rerun->fault);
        }
        read_addresses(rerun);
        write_explanation(rerun);
    }
    munmap(program, size);
}

void sanitizer_rerun(const struct compile_request *request, const char *file_name,
                     const char *source, size_t size, const struct fixture *fixture,
                     struct text *text, struct sanitizer_report *ret)
{
    struct compile_request sanitized = *request;
    struct rerun rerun = {.request = request,
                          .fixture = fixture,
                          .file_name = file_name,
                          .source = source,
                          .size = size,
                          .text = text};
    struct build build = {.program_fd = -1};
    size_t before = text->size;
    sanitized.sanitize = true;
    sanitized.use_cache = false;
    sanitized.kept = NULL;
    build_program(&sanitized, NULL, file_name, source, size, &build);
    if (build.verdict == VERDICT_PASS)
        explain(&rerun, build.program_fd);
    *ret = rerun.fault;
    text_release(&rerun.printed);
    build_release(&build);
    if (text->failed)
        text_shrink(text, before);
}
