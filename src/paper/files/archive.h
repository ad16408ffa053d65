/* A ZIP archive, read into memory: nothing is ever written to a disk. */
#ifndef ATTN_FILES_ARCHIVE_H
#define ATTN_FILES_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct archive_limits {
    size_t file_bytes;  /* of the archive itself */
    size_t n_entries;   /* files and folders in it */
    size_t entry_bytes; /* of one file that is unpacked */
    size_t total_bytes; /* of all that are unpacked */
    unsigned ratio;     /* unpacked to packed, of one file */
};

struct archive_entry {
    char *name;  /* "hw/dot.c": relative, without "..", and with / between its parts */
    char *bytes; /* NULL: it was not wanted, so only its name is known */
    size_t size;
    int64_t time_s; /* of its last change, in this machine's zone; 0: unknown */
};

struct archive {
    struct archive_entry *entries; /* the files, in the order of the archive */
    size_t n;
};

/* Reasons for which the archive is not to blame. */
#define ARCHIVE_NO_MEMORY "not enough memory"
#define ARCHIVE_NO_ZLIB "packed, and this attn was built without zlib"

/* Reads the archive at path, or in bytes[0..size), and unpacks the files whose names wants() wants.
 * On failure *ret_why says why not, and nothing is unpacked: "not a ZIP file", "encrypted", "a link
 * in it", "a name outside of it", "a name twice in it", "too many files in it", "too large when
 * unpacked", "packed in an unknown way", "damaged", "unreadable", "too large", ARCHIVE_NO_MEMORY,
 * ARCHIVE_NO_ZLIB. Links and FIFOs are not opened. */
bool archive_read(const char *path, const struct archive_limits *limits,
                  bool (*wants)(const char *name), struct archive *ret, const char **ret_why);
bool archive_read_bytes(const char *bytes, size_t size, const struct archive_limits *limits,
                        bool (*wants)(const char *name), struct archive *ret, const char **ret_why);
void archive_release(struct archive *archive);

#endif
