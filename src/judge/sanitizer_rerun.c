/* Explaining a crash: see sanitizer_rerun.h. */
#include "judge/sanitizer_rerun.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "compile/compiler_messages.h"
#include "judge/sanitizer_report.h"
#include "sandbox/memory_file.h"
#include "sandbox/boxed_command.h"
#include "compile/wire.h"

enum {
    MAX_FRAMES = 16,     /* addresses that are looked up where the sanitizers could not */
    LONGEST_QUOTE = 120, /* bytes of a line of source */
    FRAME_BYTES = 24,
};

#define PROGRAM_FILE "program"

/* A piece of advice on its way. */
struct rerun {
    const struct compile_request *request;
    const struct fixture *fixture;
    const char *file_name, *source;
    size_t size;
    struct text printed;                    /* by the program and its sanitizers */
    uint64_t addresses[FIXTURE_MAX_ARRAYS]; /* where its arrays lay; 0: not known */
    struct sanitizer_report fault;
    struct text *advice;
};

/* ---- the case, as advice_main.c reads it ---- */

static unsigned argument_of(const struct exercise *exercise, unsigned array)
{
    const char *name = exercise->arrays[array].name;
    int param = prototype_param(&exercise->prototype, name, strlen(name));
    return param >= 0 ? (unsigned)param : exercise->prototype.n_params;
}

static uint64_t number_bits(const struct param *param, double value)
{
    float number = (float)value;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return param->kind == PARAM_FLOAT ? bits : (uint64_t)value;
}

static void write_array(const struct fixture_array *array, struct text *text)
{
    static const uint32_t nan = 0x7fc00000u;
    if (array->before != NULL)
        text_add(text, array->before, array->n_bytes);
    for (size_t i = 0; array->before == NULL && i < array->n_cells; i++)
        text_add(text, (const char *)&nan, sizeof nan);
}

/* Arrays follow in the order of their arguments. */
static void write_arrays(const struct fixture *fixture, struct text *text)
{
    for (unsigned argument = 0; argument < WIRE_MAX_ARGS; argument++)
        for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
            if (argument_of(fixture->exercise, i) == argument && fixture->arrays[i].present)
                write_array(&fixture->arrays[i], text);
}

static void write_case(const struct fixture *fixture, struct text *text)
{
    const struct exercise *exercise = fixture->exercise;
    struct wire_setup setup = {.slots = {{0, 0, 0}}};
    struct wire_request request = {.nonce = 0};
    for (unsigned i = 0; i < exercise->prototype.n_params; i++)
        request.args[i] = number_bits(&exercise->prototype.params[i], fixture->scalars[i]);
    for (unsigned i = 0; i < exercise->n_arrays; i++) {
        unsigned argument = argument_of(exercise, i);
        setup.slots[argument] = (struct wire_slot){1, 0, fixture->arrays[i].n_bytes};
        request.args[argument] = fixture->arrays[i].present ? 0 : WIRE_NULL;
    }
    text_add(text, (const char *)&setup, sizeof setup);
    text_add(text, (const char *)&request, sizeof request);
    write_arrays(fixture, text);
}

/* The case in a file that can be read from its begin; false where that can't be had. */
static bool open_case(const struct fixture *fixture, struct memory *ret)
{
    struct text text = {.bytes = NULL};
    write_case(fixture, &text);
    bool ok = !text.failed && memory_map(text.size, ret, NULL);
    if (ok)
        memcpy(ret->bytes, text.bytes, text.size);
    text_release(&text);
    return ok;
}

/* ---- running it ---- */

static bool run(struct rerun *rerun, const void *program, size_t size)
{
    struct memory input;
    struct boxed_result step;
    char *argv[] = {PROGRAM_FILE, NULL};
    if (!open_case(rerun->fixture, &input))
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

/* ---- lines that the sanitizers had no symbolizer for ---- */

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

static const char *find_addr2line(void)
{
    static const char *const paths[] = {"/usr/bin/addr2line", "/usr/bin/llvm-addr2line"};
    for (size_t i = 0; i < COUNT_OF(paths); i++)
        if (access(paths[i], X_OK) == 0)
            return paths[i];
    return NULL;
}

/* Puts "FILE:LINE", one after the other from places, behind the frames that lack it. */
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
    char frames[MAX_FRAMES][FRAME_BYTES];
    char *argv[MAX_FRAMES + 4] = {"addr2line", "-e", PROGRAM_FILE};
    const char *path = find_addr2line();
    struct boxed_result step;
    unsigned n = unknown_frames(text_string(&rerun->printed), frames);
    if (n == 0 || path == NULL)
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

/* ---- what the report says ---- */

static void note_address(struct rerun *rerun, unsigned long argument, uint64_t address)
{
    const struct exercise *exercise = rerun->fixture->exercise;
    for (unsigned i = 0; i < exercise->n_arrays; i++)
        if (argument_of(exercise, i) == argument)
            rerun->addresses[i] = address;
}

/* "attn-array ARGUMENT ADDRESS BYTES" */
static void read_addresses(struct rerun *rerun)
{
    static const char mark[] = "attn-array ";
    const char *line = text_string(&rerun->printed);
    while (strncmp(line, mark, strlen(mark)) == 0) {
        char *rest;
        unsigned long argument = strtoul(line + strlen(mark), &rest, 10);
        note_address(rerun, argument, strtoull(rest, NULL, 16));
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
}

/* The exercise's array that the fault's block is, or -1. */
static int array_of_block(const struct rerun *rerun)
{
    const struct sanitizer_report *fault = &rerun->fault;
    for (unsigned i = 0; i < rerun->fixture->exercise->n_arrays; i++)
        if (fault->block_bytes > 0 && rerun->addresses[i] == fault->block)
            return (int)i;
    return -1;
}

static const char *verb_of(const struct sanitizer_report *fault)
{
    return fault->access == ACCESS_READ      ? "read"
           : fault->access == ACCESS_WRITTEN ? "written"
                                             : "used";
}

/* " in line 7", where it is known */
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

static void say_heap(const struct rerun *rerun, struct text *text)
{
    const struct sanitizer_report *fault = &rerun->fault;
    int array = array_of_block(rerun);
    int64_t offset = (int64_t)(fault->address - fault->block);
    char place[256];
    if (array >= 0) {
        text_put(text, bounds_describe(rerun->fixture, (unsigned)array, offset, fault->access,
                                       place, sizeof place));
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

static void say_freed(const struct rerun *rerun, struct text *text)
{
    const struct sanitizer_report *fault = &rerun->fault;
    int array = array_of_block(rerun);
    if (array >= 0) {
        text_format(text, "%s was freed", rerun->fixture->exercise->arrays[array].name);
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

/* Arrays that this case leaves away. */
static void say_null(const struct rerun *rerun, struct text *text)
{
    const struct fixture *fixture = rerun->fixture;
    text_format(text, "a pointer that is NULL was %s", verb_of(&rerun->fault));
    for (unsigned i = 0; i < fixture->exercise->n_arrays; i++)
        if (!fixture->arrays[i].present)
            text_format(text, "; %s is NULL in this case", fixture->exercise->arrays[i].name);
}

/* What the undefined-behaviour sanitizer says, by its first words, and what it means. */
static const struct {
    const char *words, *meaning;
    bool quoted; /* its own words say more, and are put behind the meaning */
} undefined[] = {
    {"signed integer overflow",
     "a calculation in whole numbers went beyond what its type can hold; count with size_t, and "
     "calculate with float",
     true},
    {"negation of", "a whole number can't be negated: its type has no such positive number", true},
    {"division by zero", "a whole number was divided by 0", false},
    {"index ", "an index lies outside of its array", true},
    {"shift exponent", "a number was shifted by more bits than it has, or by fewer than none",
     true},
    {"left shift of", "a number was shifted further than its type can hold", true},
    {"load of misaligned",
     "numbers were read through a pointer to a larger type; an array of float must be read through "
     "a float *",
     false},
    {"store to misaligned",
     "numbers were written through a pointer to a larger type; an array of float must be written "
     "through a float *",
     false},
    {"variable length array bound", "a local array was made with a length below 1", false},
    {"execution reached the end", "a function that should return a value ended without return",
     false},
    {"load of value",
     "a variable holds something that its type does not know. Did it ever get a "
     "value?",
     false},
};

static void say_undefined(const struct sanitizer_report *fault, struct text *text)
{
    const char *meaning = NULL;
    bool quoted = true;
    if (strstr(fault->words, "is outside the range of representable values") != NULL)
        meaning = "a float was turned into a whole number that can't hold it";
    for (size_t i = 0; i < COUNT_OF(undefined) && meaning == NULL; i++) {
        if (strncmp(fault->words, undefined[i].words, strlen(undefined[i].words)) == 0) {
            meaning = undefined[i].meaning;
            quoted = undefined[i].quoted;
        }
    }
    text_put(text, meaning != NULL ? meaning : "");
    if (quoted)
        text_format(text, "%s%s", meaning != NULL ? ": " : "", fault->words);
}

static void say_fault(const struct rerun *rerun, struct text *text)
{
    const struct sanitizer_report *fault = &rerun->fault;
    switch (fault->kind) {
    case FAULT_HEAP:
        say_heap(rerun, text);
        break;
    case FAULT_VARIABLE:
        say_variable(fault, text);
        break;
    case FAULT_FREED:
    case FAULT_DOUBLE_FREE:
        say_freed(rerun, text);
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
        say_null(rerun, text);
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
        say_undefined(fault, text);
        break;
    case FAULT_NONE:
        break;
    }
}

/* ---- the advice ---- */

/* The source's line of that number, without the spaces around it; NULL where there is none. */
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

static void quote_line(unsigned line, const char *begin, size_t size, struct text *text)
{
    text_format(text, "\n%5u | ", line);
    compiler_messages_clean(begin, size < LONGEST_QUOTE ? size : LONGEST_QUOTE, text);
    text_put(text, size < LONGEST_QUOTE ? "" : "...");
}

/* The line that the advice is about: of the access, or where an array was freed. */
static unsigned line_of(const struct sanitizer_report *fault)
{
    return fault->line > 0 ? fault->line : fault->freed_line;
}

static void advise(struct rerun *rerun)
{
    struct text said = {.bytes = NULL}, *advice = rerun->advice;
    unsigned line = line_of(&rerun->fault);
    size_t size;
    const char *begin = source_line(rerun, line, &size);
    say_fault(rerun, &said);
    if (said.size > 0 && !said.failed) {
        if (begin != NULL) {
            text_format(advice, "Line %u of ", line);
            compiler_messages_clean(rerun->file_name, strlen(rerun->file_name), advice);
            text_put(advice, ": ");
        }
        text_add(advice, said.bytes, said.size);
        text_put(advice, said.bytes[said.size - 1] == '?' ? "" : ".");
        if (begin != NULL && size > 0)
            quote_line(line, begin, size, advice);
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
        advise(rerun);
    }
    munmap(program, size);
}

void sanitizer_rerun(const struct compile_request *request, const char *file_name,
                     const char *source, size_t size, const struct fixture *fixture,
                     struct text *advice)
{
    struct compile_request sanitized = *request;
    struct rerun rerun = {.request = request,
                          .fixture = fixture,
                          .file_name = file_name,
                          .source = source,
                          .size = size,
                          .advice = advice};
    struct build build = {.program_fd = -1};
    size_t before = advice->size;
    sanitized.sanitize = true;
    sanitized.use_cache = false;
    sanitized.kept = NULL;
    build_program(&sanitized, NULL, file_name, source, size, &build);
    if (build.verdict == VERDICT_PASS)
        explain(&rerun, build.program_fd);
    text_release(&rerun.printed);
    build_release(&build);
    if (advice->failed)
        text_shrink(advice, before);
}
