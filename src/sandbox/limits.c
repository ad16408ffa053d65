/* The limits, and the reason for each: see limits.h. */
#include "sandbox/limits.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"

enum { KIB = 1024, MIB = 1024 * 1024 };

const struct limits limits_default = {
    .compile =
        {
            .wall_ms = 10000,
            .cpu_s = 8,
            .address_space_bytes = (size_t)2048 * MIB,
            .stack_bytes = (size_t)64 * MIB,
            .file_bytes = (size_t)32 * MIB,
            .memory_bytes = (size_t)1024 * MIB,
            .files = 256,
            .processes = 64,
        },
    .run =
        {
            .wall_ms = 10000,
            .cpu_s = 5,
            .address_space_bytes = (size_t)512 * MIB,
            .stack_bytes = (size_t)8 * MIB,
            .file_bytes = 0,
            .memory_bytes = (size_t)384 * MIB,
            .files = 16,
            .processes = 2,
        },
    .sanitizer =
        {
            .wall_ms = 10000,
            .cpu_s = 8,
            .stack_bytes = (size_t)8 * MIB,
            .file_bytes = (size_t)1 * MIB,
            .memory_bytes = (size_t)1024 * MIB,
            .files = 64,
            .processes = 16,
        },
    .case_wall_ms = 2000,
    .submission_wall_ms = 60000,
    .source_bytes = 256 * KIB,
    .object_bytes = (size_t)16 * MIB,
    .program_bytes = (size_t)16 * MIB,
    .text_kept_bytes = 64 * KIB,
    .text_max_bytes = 1 * MIB,
    .max_errors = 20,
    .internal_errors = 3,
};

/* ---- the table ---- */

enum { NAME_COLS = 16, CELL_COLS = 10, CELL_BYTES = 32, LINE_COLS = 92 };

/* How a limit is written down. */
static void seconds(char cell[CELL_BYTES], unsigned ms)
{
    snprintf(cell, CELL_BYTES, "%g s", ms / 1000.0);
}

static void bytes_or(char cell[CELL_BYTES], size_t bytes, const char *zero)
{
    if (bytes == 0)
        snprintf(cell, CELL_BYTES, "%s", zero);
    else if (bytes % MIB == 0)
        snprintf(cell, CELL_BYTES, "%zu MiB", bytes / MIB);
    else
        snprintf(cell, CELL_BYTES, "%zu KiB", (bytes + KIB - 1) / KIB);
}

static void count(char cell[CELL_BYTES], unsigned n)
{
    snprintf(cell, CELL_BYTES, "%u", n);
}

enum unit { UNIT_MS, UNIT_SECONDS, UNIT_BYTES, UNIT_COUNT };

/* The limits that each kind of box has, and why. */
static const struct {
    const char *name;
    size_t offset; /* in struct box_limits, of an unsigned or (UNIT_BYTES) a size_t */
    enum unit unit;
    const char *zero; /* UNIT_BYTES: what 0 means */
    const char *reason;
} box_rows[] = {
    {"wall clock", offsetof(struct box_limits, wall_ms), UNIT_MS, NULL,
     "a program that sleeps, waits or stopped itself uses no CPU time"},
    {"CPU time", offsetof(struct box_limits, cpu_s), UNIT_SECONDS, NULL,
     "then comes SIGXCPU, which a program can ignore, and a second later SIGKILL, which it can't"},
    {"address space", offsetof(struct box_limits, address_space_bytes), UNIT_BYTES, "any",
     "ends what asks for ever more memory; the sanitizers need terabytes of addresses"},
    {"memory", offsetof(struct box_limits, memory_bytes), UNIT_BYTES, "any",
     "by a control group, where this machine lets attn make one: counts all processes of a box"},
    {"stack", offsetof(struct box_limits, stack_bytes), UNIT_BYTES, "any",
     "endless recursion ends here"},
    {"size of a file", offsetof(struct box_limits, file_bytes), UNIT_BYTES, "none",
     "a program under test has nothing to write; it fills no disk"},
    {"open files", offsetof(struct box_limits, files), UNIT_COUNT, NULL,
     "a program under test gets its seven and can't open more"},
    {"processes", offsetof(struct box_limits, processes), UNIT_COUNT, NULL,
     "its first process and the one of attn beside it; a compiler has more"},
};

static void row_cell(const struct box_limits *box, size_t row, char cell[CELL_BYTES])
{
    const char *field = (const char *)box + box_rows[row].offset;
    unsigned number;
    size_t bytes;
    memcpy(&number, field, sizeof number);
    switch (box_rows[row].unit) {
    case UNIT_MS:
        seconds(cell, number);
        break;
    case UNIT_SECONDS:
        seconds(cell, number * 1000);
        break;
    case UNIT_BYTES:
        memcpy(&bytes, field, sizeof bytes);
        bytes_or(cell, bytes, box_rows[row].zero);
        break;
    case UNIT_COUNT:
        count(cell, number);
        break;
    }
}

static void put_row(struct doc *doc, const char *name, const char *const cells[3])
{
    doc_add(doc, STYLE_LABEL, "%-*s", NAME_COLS, name);
    for (unsigned i = 0; i < 3; i++)
        doc_add(doc, STYLE_NUMBER, "%*s", CELL_COLS, cells[i]);
    doc_end_line(doc);
}

static void put_reason(struct doc *doc, const char *reason)
{
    doc_wrap(doc, STYLE_QUIET, reason, LINE_COLS, 4);
}

static void show_boxes(const struct limits *limits, struct doc *doc)
{
    doc_line(doc, STYLE_TITLE, "%-*s%*s%*s%*s", NAME_COLS, "One box", CELL_COLS, "compile",
             CELL_COLS, "run", CELL_COLS, "sanitizer");
    for (size_t i = 0; i < COUNT_OF(box_rows); i++) {
        char compile[CELL_BYTES], run[CELL_BYTES], sanitizer[CELL_BYTES];
        row_cell(&limits->compile, i, compile);
        row_cell(&limits->run, i, run);
        row_cell(&limits->sanitizer, i, sanitizer);
        put_row(doc, box_rows[i].name, (const char *const[]){compile, run, sanitizer});
        put_reason(doc, box_rows[i].reason);
    }
    put_row(doc, "core dump, locked", (const char *const[]){"0", "0", "0"});
    put_reason(doc,
               "memory, message queues and real-time priority too: nothing that outlives a box or "
               "slows others");
}

static void show_one(struct doc *doc, const char *name, const char *cell, const char *reason)
{
    doc_add(doc, STYLE_LABEL, "%-*s", NAME_COLS + 2 * CELL_COLS, name);
    doc_add(doc, STYLE_NUMBER, "%*s", CELL_COLS, cell);
    doc_end_line(doc);
    put_reason(doc, reason);
}

static void show_submission(const struct limits *limits, struct doc *doc)
{
    char cell[CELL_BYTES];
    doc_line(doc, STYLE_TITLE, "One submission");
    seconds(cell, limits->case_wall_ms);
    show_one(doc, "one case", cell, "the largest case of an honest solution takes milliseconds");
    seconds(cell, limits->submission_wall_ms);
    show_one(doc, "everything about it", cell, "no submission may hold up a class for long");
    bytes_or(cell, limits->source_bytes, "any");
    show_one(doc, "its source", cell, "a hundred times what a solution needs");
    bytes_or(cell, limits->object_bytes, "any");
    show_one(doc, "its object file", cell, "a line of C can ask for gigabytes of data");
    bytes_or(cell, limits->program_bytes, "any");
    show_one(doc, "its program", cell, "and be linked to them");
    count(cell, limits->max_errors);
    show_one(doc, "errors of the compiler", cell,
             "the first ones help, the others follow from them");
    bytes_or(cell, limits->text_kept_bytes, "none");
    show_one(doc, "text that is kept", cell, "of the compiler's messages, and of what it prints");
    bytes_or(cell, limits->text_max_bytes, "none");
    show_one(doc, "text until it is ended", cell, "a program that prints for ever is ended early");
    doc_line(doc, STYLE_TITLE, "A batch");
    count(cell, limits->internal_errors);
    show_one(doc, "errors of attn's own", cell,
             "in a row end the batch: then the machine is at fault, not the submissions");
}

void limits_show(const struct limits *limits, struct doc *doc)
{
    show_boxes(limits, doc);
    show_submission(limits, doc);
}
