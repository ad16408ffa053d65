/* Calls of the system that POSIX does not have, except those of boxes. There are two
 * implementations, of which meson.build takes one: system_linux.c and system_portable.c. */
#ifndef ATTN_SANDBOX_SYSTEM_H
#define ATTN_SANDBOX_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

/* The processors that a process may use, in the system's form. */
struct system_processor_set {
    unsigned long bits[1024 / 8 / sizeof(unsigned long)];
    bool known;
};
/* Keeps this process, and all that it starts, on its current processor, if the system can do that:
 * then their times can be compared. */
void system_stay_on_processor(struct system_processor_set *ret_before);
/* Lets this process use those processors again. */
void system_leave_processor(const struct system_processor_set *before);
/* Random bytes that nobody can predict. False with errno set. */
bool system_random(void *bytes, size_t size);
/* Returns released memory to the system, if the C library would keep it: a box that is made later
 * begins as a copy of this process, whose memory would hide how much a program uses. */
void system_give_back_memory(void);
/* The most memory that this process has held so far; 0: unknown. */
size_t system_peak_bytes(void);
/* Waits until everything written to the file system that holds path survives a power cut, if the
 * system can do that; else asks it to write it soon. False with errno set. */
bool system_sync(const char *path);
/* From now on this process is killed when its parent ends, if the system can do that. */
void system_end_with_parent(void);

/* From now on processes below this one become its children when their parent ends, if the system
 * can do that. */
void system_adopt_orphans(void);
/* Ends all processes below this one that became its children, and waits for them. alone: this
 * process sees no other processes (it is pid 1 of a namespace). */
void system_end_orphans(bool alone);

enum { SYSTEM_PATH_BYTES = 4096 };
/* The path of this process's program, to run it again: path or a constant; NULL if it can't be
 * found. called is argv[0], as it was started, for a system that does not say it itself. Ask before
 * the working folder changes. */
const char *system_program_path(const char *called, char path[SYSTEM_PATH_BYTES]);

/* The parts of memory_file.h. Each returns -1 or false on failure, with errno set.
 *
 * A file without a name: a descriptor that is closed when a program is executed. */
int system_memory_file(void);
/* Fixes its length from now on, if the system can guarantee that. */
bool system_memory_file_keep_size(int fd);
/* Makes it read-only from now on, if the system can guarantee that: returns a new descriptor, at
 * its beginning. */
int system_memory_file_read_only(int fd);

#endif
