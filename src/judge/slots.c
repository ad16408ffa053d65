/* The arrays of a case in shared memory: see slots.h. */
#include "judge/slots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAGE_BYTES = 4096,
    CANARY_BYTES = 4096, /* at least, beside an array in its slot */
};

uint64_t slot_bytes(size_t n_bytes)
{
    uint64_t pages = (n_bytes + PAGE_BYTES - 1) / PAGE_BYTES;
    return pages * PAGE_BYTES + CANARY_BYTES;
}

unsigned slots_argument(const struct exercise *exercise, unsigned array)
{
    const struct prototype *prototype = &exercise->prototype;
    const char *name = exercise->arrays[array].name;
    int param = prototype_param(prototype, name, strlen(name));
    return param >= 0 ? (unsigned)param : prototype->n_params;
}

uint64_t slots_scalar(const struct param *param, double value)
{
    float number = (float)value;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return param->kind == PARAM_FLOAT ? bits : (uint64_t)value;
}

static bool is_input(const struct exercise *exercise, unsigned array)
{
    return exercise->arrays[array].role == ROLE_IN;
}

static const struct slot_memory *memory_of(const struct slots *slots, unsigned array)
{
    return is_input(slots->exercise, array) ? &slots->inputs : &slots->outputs;
}

static const struct wire_slot *slot_of(const struct slots *slots, unsigned array)
{
    return &slots->setup.slots[slots_argument(slots->exercise, array)];
}

/* ---- making them ---- */

/* Gives each array its slot; returns the sizes of the two memories. */
static void lay_out(struct slots *slots, const uint64_t *sizes, uint64_t *ret_inputs,
                    uint64_t *ret_outputs)
{
    uint64_t totals[2] = {0, 0};
    for (unsigned i = 0; i < slots->exercise->n_arrays; i++) {
        bool input = is_input(slots->exercise, i);
        slots->setup.slots[slots_argument(slots->exercise, i)] = (struct wire_slot){
            .fd = input ? WIRE_INPUTS : WIRE_OUTPUTS, .offset = totals[input], .n_bytes = sizes[i]};
        totals[input] += sizes[i];
    }
    *ret_inputs = totals[true];
    *ret_outputs = totals[false];
}

static bool slot_memory_init(struct slot_memory *memory, uint64_t n_bytes, struct error *reterr)
{
    if (!memory_map(n_bytes, &memory->shared, reterr))
        return false;
    memory->before = malloc(n_bytes > 0 ? n_bytes : 1);
    return memory->before != NULL || error_memory(reterr, "the arrays of a case");
}

static void slot_memory_release(struct slot_memory *memory)
{
    memory_release(&memory->shared);
    free(memory->before);
    memory->before = NULL;
}

bool slots_init(const struct exercise *exercise, const uint64_t *sizes, bool shows,
                struct slots *ret, struct error *reterr)
{
    const uint64_t shown_bytes = slot_bytes(sizeof(struct wire_shown));
    uint64_t n_inputs, n_outputs;
    *ret = (struct slots){.exercise = exercise, .inputs.shared.fd = -1, .outputs.shared.fd = -1};
    lay_out(ret, sizes, &n_inputs, &n_outputs);
    if (shows) { /* behind all arrays, where nothing is compared */
        ret->setup.shown =
            (struct wire_slot){.fd = WIRE_OUTPUTS, .offset = n_outputs, .n_bytes = shown_bytes};
        n_outputs += shown_bytes;
    }
    return slot_memory_init(&ret->inputs, n_inputs, reterr) &&
           slot_memory_init(&ret->outputs, n_outputs, reterr);
}

void slots_release(struct slots *slots)
{
    slot_memory_release(&slots->inputs);
    slot_memory_release(&slots->outputs);
}

/* ---- before a call ---- */

static void fill_words(unsigned char *bytes, size_t n_bytes, uint32_t word)
{
    for (size_t i = 0; i + sizeof word <= n_bytes; i += sizeof word)
        memcpy(bytes + i, &word, sizeof word);
}

/* Where the array begins in its memory. */
static uint64_t place_of(const struct slots *slots, unsigned array)
{
    return slot_of(slots, array)->offset + slots->offsets[array];
}

static void place_array(struct slots *slots, unsigned array, bool at_end)
{
    const struct fixture_array *a = &slots->fixture->arrays[array];
    slots->offsets[array] = at_end ? slot_of(slots, array)->n_bytes - a->n_bytes : 0;
    unsigned char *bytes = memory_of(slots, array)->before + place_of(slots, array);
    if (a->before != NULL)
        memcpy(bytes, a->before, a->n_bytes);
    else
        fill_words(bytes, a->n_bytes, slots->poison);
}

static void share(struct slot_memory *memory)
{
    if (memory->shared.n_bytes > 0)
        memcpy(memory->shared.bytes, memory->before, memory->shared.n_bytes);
}

void slots_fill(struct slots *slots, const struct fixture *fixture, bool at_end, uint32_t random,
                const float *leftover)
{
    slots->fixture = fixture;
    slots->poison = 0x7fc00000u | (random & 0x1fffffu);
    slots->canary = slots->poison | 0x00200000u;
    if (leftover != NULL)
        memcpy(&slots->poison, leftover, sizeof slots->poison);
    fill_words(slots->inputs.before, slots->inputs.shared.n_bytes, slots->canary);
    fill_words(slots->outputs.before, slots->outputs.shared.n_bytes, slots->canary);
    for (unsigned i = 0; i < slots->exercise->n_arrays; i++)
        if (fixture->arrays[i].present)
            place_array(slots, i, at_end);
    if (slots->setup.shown.fd != 0)
        memset(slots->outputs.before + slots->setup.shown.offset, 0, slots->setup.shown.n_bytes);
    share(&slots->inputs);
    share(&slots->outputs);
}

void slots_request(const struct slots *slots, struct wire_request *request)
{
    for (unsigned i = 0; i < slots->exercise->n_arrays; i++)
        request->args[slots_argument(slots->exercise, i)] =
            slots->fixture->arrays[i].present ? slots->offsets[i] : WIRE_NULL;
}

/* ---- after a call ---- */

/* The byte nearest to the array [begin, end) that differs, of those in its slot beside it. True
 * when there is one; *ret_offset counts from the array's begin. */
static bool beside_changed(const struct slot_memory *memory, const struct wire_slot *slot,
                           size_t begin, size_t end, int64_t *ret_offset)
{
    const unsigned char *now = memory->shared.bytes, *before = memory->before;
    size_t slot_end = slot->offset + slot->n_bytes;
    if (memcmp(now + slot->offset, before + slot->offset, begin - slot->offset) == 0 &&
        memcmp(now + end, before + end, slot_end - end) == 0)
        return false; /* as nearly always, and told at the speed of memcmp() */
    for (size_t at = end; at < slot_end; at++)
        if (now[at] != before[at]) {
            *ret_offset = (int64_t)(at - begin);
            return true;
        }
    for (size_t at = begin; at > slot->offset; at--)
        if (now[at - 1] != before[at - 1]) {
            *ret_offset = -(int64_t)(begin - at + 1);
            return true;
        }
    return false;
}

enum verdict slots_check(const struct slots *slots, char *detail, size_t capacity)
{
    enum verdict verdict = VERDICT_PASS;
    for (unsigned i = 0; i < slots->exercise->n_arrays; i++) {
        const struct slot_memory *memory = memory_of(slots, i);
        const struct fixture_array *a = &slots->fixture->arrays[i];
        size_t begin = a->present ? place_of(slots, i) : slot_of(slots, i)->offset;
        size_t end = a->present ? begin + a->n_bytes : begin;
        int64_t offset;
        if (beside_changed(memory, slot_of(slots, i), begin, end, &offset)) {
            bounds_describe(slots->fixture, i, offset, ACCESS_WRITTEN, detail, capacity);
            return VERDICT_OUT_OF_BOUNDS;
        }
        if (verdict == VERDICT_PASS && is_input(slots->exercise, i) &&
            memcmp(memory->shared.bytes + begin, memory->before + begin, end - begin) != 0) {
            snprintf(detail, capacity, "%s", slots->exercise->arrays[i].name);
            verdict = VERDICT_MODIFIED_INPUTS;
        }
    }
    return verdict;
}

static bool is_poison(const struct slots *slots, const float *cell)
{
    uint32_t bits;
    memcpy(&bits, cell, sizeof bits);
    return bits == slots->poison;
}

void slots_take(const struct slots *slots, struct answer *answer, bool *ret_poisoned)
{
    *ret_poisoned = false;
    for (unsigned i = 0; i < slots->exercise->n_arrays; i++) {
        const struct fixture_array *a = &slots->fixture->arrays[i];
        float *cells = answer->floats[i];
        if (cells == NULL || !a->present)
            continue;
        memcpy(cells, slots->outputs.shared.bytes + place_of(slots, i), a->n_bytes);
        for (size_t j = 0; j < a->n_cells && a->before == NULL; j++)
            *ret_poisoned = *ret_poisoned || is_poison(slots, &cells[j]);
    }
}

const volatile struct wire_shown *slots_shown(const struct slots *slots)
{
    const struct wire_slot *slot = &slots->setup.shown;
    return slot->fd == 0
               ? NULL
               : (const volatile struct wire_shown *)(slots->outputs.shared.bytes + slot->offset);
}

int slots_array(const struct slots *slots, int64_t argument)
{
    for (unsigned i = 0; i < slots->exercise->n_arrays; i++)
        if (argument == (int64_t)slots_argument(slots->exercise, i))
            return (int)i;
    return -1;
}
