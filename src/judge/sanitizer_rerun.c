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
#include "judge/sanitizer_explain.h"
#include "judge/slots.h"
#include "sandbox/memory_file.h"
#include "sandbox/boxed_command.h"
#include "compile/wire.h"

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

/* ---- the case, as compile/sanitizer_main.c reads it ---- */

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

/* ---- running it ---- */

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

/* ---- where the arrays lay ---- */

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

/* ---- the explanation ---- */

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
