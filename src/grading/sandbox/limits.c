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
            .wall_ms = 60000, /* for 8 s of CPU time on a machine that is busy with other things */
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
    .submission_wall_ms = 150000,
    .explain_wall_ms = 3000,
    .source_bytes = 256 * KIB,
    .object_bytes = (size_t)16 * MIB,
    .program_bytes = (size_t)16 * MIB,
    .text_kept_bytes = 64 * KIB,
    .text_max_bytes = 1 * MIB,
    .max_errors = 20,
    .internal_errors = 3,
    .files = 200,
};

const char *limit_write_bytes(size_t bytes, char text[LIMIT_TEXT])
{
    if (bytes % MIB == 0)
        snprintf(text, LIMIT_TEXT, "%zu MiB", bytes / MIB);
    else
        snprintf(text, LIMIT_TEXT, "%zu KiB", (bytes + KIB - 1) / KIB);
    return text;
}

/* ---- the table ---- */

enum { NAME_COLS = 16, CELL_COLS = 10, LINE_COLS = 92 };

enum unit { UNIT_MS, UNIT_SECONDS, UNIT_BYTES, UNIT_COUNT };

struct limit_row {
    const char *name;
    size_t offset; /* in struct box_limits or struct limits: an unsigned, for UNIT_BYTES a size_t */
    enum unit unit;
    const char *zero; /* UNIT_BYTES: what 0 means */
    const char *reason;
};

/* The limits that each kind of box has, and why. */
static const struct limit_row box_rows[] = {
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

/* What stands below "One submission" and "A batch". */
static const struct limit_row submission_rows[] = {
    {"one case", offsetof(struct limits, case_wall_ms), UNIT_MS, NULL,
     "the largest case of an honest solution takes milliseconds"},
    {"everything about it", offsetof(struct limits, submission_wall_ms), UNIT_MS, NULL,
     "no submission may hold up a class for long"},
    {"why it crashes", offsetof(struct limits, explain_wall_ms), UNIT_MS, NULL,
     "for each file of a class, at least twenty; many crashes in a row can't take half an hour"},
    {"its source", offsetof(struct limits, source_bytes), UNIT_BYTES, "any",
     "a hundred times what a solution needs"},
    {"its object file", offsetof(struct limits, object_bytes), UNIT_BYTES, "any",
     "a line of C can ask for gigabytes of data"},
    {"its program", offsetof(struct limits, program_bytes), UNIT_BYTES, "any",
     "and be linked to them"},
    {"errors of the compiler", offsetof(struct limits, max_errors), UNIT_COUNT, NULL,
     "the first ones help, the others follow from them"},
    {"text that is kept", offsetof(struct limits, text_kept_bytes), UNIT_BYTES, "none",
     "of the compiler's messages, and of what it prints"},
    {"text until it is ended", offsetof(struct limits, text_max_bytes), UNIT_BYTES, "none",
     "a program that prints for ever is ended early"},
};
static const struct limit_row batch_rows[] = {
    {"errors of attn's own", offsetof(struct limits, internal_errors), UNIT_COUNT, NULL,
     "in a row end the batch: then the machine is at fault, not the submissions"},
    {"files of one student", offsetof(struct limits, files), UNIT_COUNT, NULL,
     "eleven for each exercise; a folder with a hundred thousand may not hold up the class. The "
     "first "
     "by name are graded, the others are left out, and that is said"},
};

/* A limit as it is written down; limits is what the row's offset counts from. */
static void add_cell(struct doc *doc, const void *limits, const struct limit_row *row)
{
    const char *field = (const char *)limits + row->offset;
    char cell[LIMIT_TEXT];
    unsigned number;
    size_t bytes;
    memcpy(&number, field, sizeof number);
    if (row->unit == UNIT_MS || row->unit == UNIT_SECONDS) {
        snprintf(cell, sizeof cell, "%g s", row->unit == UNIT_MS ? number / 1000.0 : number);
    } else if (row->unit == UNIT_COUNT) {
        snprintf(cell, sizeof cell, "%u", number);
    } else {
        memcpy(&bytes, field, sizeof bytes);
        if (bytes == 0)
            snprintf(cell, sizeof cell, "%s", row->zero);
        else
            limit_write_bytes(bytes, cell);
    }
    doc_add(doc, STYLE_NUMBER, "%*s", CELL_COLS, cell);
}

static void end_row(struct doc *doc, const char *reason)
{
    doc_end_line(doc);
    doc_wrap(doc, STYLE_QUIET, reason, LINE_COLS, 4);
}

static void show_rows(const struct limits *limits, const struct limit_row *rows, size_t n,
                      struct doc *doc)
{
    for (size_t i = 0; i < n; i++) {
        doc_add(doc, STYLE_LABEL, "%-*s", NAME_COLS + 2 * CELL_COLS, rows[i].name);
        add_cell(doc, limits, &rows[i]);
        end_row(doc, rows[i].reason);
    }
}

void limits_show(const struct limits *limits, struct doc *doc)
{
    doc_line(doc, STYLE_TITLE, "%-*s%*s%*s%*s", NAME_COLS, "One box", CELL_COLS, "compile",
             CELL_COLS, "run", CELL_COLS, "sanitizer");
    for (size_t i = 0; i < COUNT_OF(box_rows); i++) {
        doc_add(doc, STYLE_LABEL, "%-*s", NAME_COLS, box_rows[i].name);
        add_cell(doc, &limits->compile, &box_rows[i]);
        add_cell(doc, &limits->run, &box_rows[i]);
        add_cell(doc, &limits->sanitizer, &box_rows[i]);
        end_row(doc, box_rows[i].reason);
    }
    doc_add(doc, STYLE_LABEL, "%-*s", NAME_COLS, "core dump, locked");
    doc_add(doc, STYLE_NUMBER, "%*s%*s%*s", CELL_COLS, "0", CELL_COLS, "0", CELL_COLS, "0");
    end_row(doc,
            "memory, message queues and real-time priority too: nothing that outlives a box or "
            "slows others");
    doc_line(doc, STYLE_TITLE, "One submission");
    show_rows(limits, submission_rows, COUNT_OF(submission_rows), doc);
    doc_line(doc, STYLE_TITLE, "A batch");
    show_rows(limits, batch_rows, COUNT_OF(batch_rows), doc);
}
