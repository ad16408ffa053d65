/* What attn asks of the system and POSIX does not name, but for boxes. There are two
 * implementations, of which meson.build takes one: system_linux.c and system_portable.c. */
#ifndef ATTN_SANDBOX_SYSTEM_H
#define ATTN_SANDBOX_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

/* The processors that a process may use, as a system has them. */
struct system_processor_set {
    unsigned long bits[1024 / 8 / sizeof(unsigned long)];
    bool known;
};
/* From now on this process, and all that it starts, stays on the processor that it runs on, where
 * the system can do that: what they take there can be compared. */
void system_stay_on_processor(struct system_processor_set *ret_before);
/* This process may use those processors again. */
void system_leave_processor(const struct system_processor_set *before);
/* Random bytes that nobody can foresee. False with errno set. */
bool system_random(void *bytes, size_t size);
/* Gives memory that was released back, where the C library would keep it: a box that is made later
 * begins as a copy of this process, and what that holds hides how much a program took. */
void system_give_back_memory(void);
/* The most memory that this process has held so far; 0: not known. */
size_t system_peak_bytes(void);
/* Waits until what was written to the file system that holds path outlives a power cut, where the
 * system can do that; else asks it to see to that. False with errno set. */
bool system_sync(const char *path);
/* From now on this process is killed when its parent ends, where the system can do that. */
void system_end_with_parent(void);

/* From now on processes below this one become its children when their parent ends, where the
 * system can do that. */
void system_adopt_orphans(void);
/* Ends all processes below this one, where they became its children, and waits for them. alone:
 * nothing but them is to be seen from here (this is pid 1 of a namespace). */
void system_end_orphans(bool alone);

enum { SYSTEM_PATH_BYTES = 4096 };
/* Where the program of this process lies, to be run again: path or a constant; NULL where that
 * can't be found. called is argv[0], as it was started; for a system that does not tell itself. Ask
 * before the working folder changes. */
const char *system_program_path(const char *called, char path[SYSTEM_PATH_BYTES]);

/* The parts of memory_file.h. Each gives -1 or false, with errno set, where it fails.
 * A file without a name: a descriptor that is closed when a program is executed. */
int system_memory_file(void);
/* Nobody can make it longer or shorter from now on, where the system can promise that. */
bool system_memory_file_keep_size(int fd);
/* Nobody can write to it from now on, where the system can promise that: a new descriptor, at its
 * begin. */
int system_memory_file_read_only(int fd);

#endif
