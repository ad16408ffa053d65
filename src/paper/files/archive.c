/* Reading ZIP archives: see archive.h. The format is PKWARE's APPNOTE.TXT: a directory at
 * the end says where each file begins. Every number in it comes from whoever made the archive, so
 * each is compared with what is there before it is used. zlib unpacks; libzip, which could read the
 * rest too, brings libcrypto along, and the loader would need longer for that at every start of
 * attn than for all other libraries. */
#include "files/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef ATTN_HAS_ZLIB
#include <zlib.h>
#endif

#include "base/text.h"

enum {
    END_BYTES = 22,
    COMMENT_MAX = 0xFFFF,
    DIRECTORY_BYTES = 46,
    LOCAL_BYTES = 30,
    STORED = 0,
    DEFLATED = 8,
    ENCRYPTED = 1 << 0,     /* a flag */
    SMALL_BYTES = 64 << 10, /* up to here any ratio may be */
    UNIX_TYPE = 0170000,    /* of the mode in the upper half of the attributes */
    UNIX_LINK = 0120000,
    UNIX_FILE = 0100000,
    UNIX_FOLDER = 0040000
};

/* An archive while it is read. */
struct reader {
    const unsigned char *bytes;
    size_t size;
    const struct archive_limits *limits;
    size_t n_unpacked; /* bytes so far */
    const char *why;   /* NULL: all is well so far */
};

/* What the directory says of a file. */
struct listed {
    unsigned flags, method, time, date, mode;
    uint32_t crc;
    size_t packed, unpacked, local, name_size;
    const unsigned char *name;
};

static bool refuse(struct reader *reader, const char *why)
{
    reader->why = why;
    return false;
}

static unsigned two(const unsigned char *bytes)
{
    return (unsigned)bytes[0] | (unsigned)bytes[1] << 8;
}

static uint32_t four(const unsigned char *bytes)
{
    return (uint32_t)two(bytes) | (uint32_t)two(bytes + 2) << 16;
}

static bool begins_with(const unsigned char *bytes, char third, char fourth)
{
    return bytes[0] == 'P' && bytes[1] == 'K' && bytes[2] == third && bytes[3] == fourth;
}

/* The record at the end; NULL if no record fits. A comment may follow it. */
static const unsigned char *find_end(const struct reader *reader)
{
    for (size_t back = END_BYTES; back <= reader->size && back <= END_BYTES + COMMENT_MAX; back++) {
        const unsigned char *at = reader->bytes + reader->size - back;
        if (begins_with(at, 5, 6) && two(at + 20) == back - END_BYTES)
            return at;
    }
    return NULL;
}

/* ---- names ---- */

/* The name with / between its parts, to be freed; NULL, with the reason, if it leads out of
 * the archive. */
static char *name_of(struct reader *reader, const struct listed *listed)
{
    char *name = memchr(listed->name, '\0', listed->name_size) == NULL
                     ? strndup((const char *)listed->name, listed->name_size)
                     : NULL;
    bool is_inside = name != NULL && name[0] != '\0' && strlen(name) == listed->name_size;
    for (char *at = name; at != NULL && *at != '\0'; at++)
        *at = *at == '\\' ? '/' : *at;
    if (is_inside)
        is_inside = name[0] != '/' && !(name[1] == ':' && name[2] == '/');
    for (const char *at = name; is_inside && at != NULL && *at != '\0';) {
        size_t size = strcspn(at, "/");
        is_inside = !(size == 2 && at[0] == '.' && at[1] == '.');
        at += size + (at[size] == '/');
    }
    if (is_inside)
        return name;
    free(name);
    refuse(reader, "a name outside of it");
    return NULL;
}

/* In this machine's zone; 0 if it is not a date. */
static int64_t time_of(const struct listed *listed)
{
    struct tm parts = {.tm_year = (int)(listed->date >> 9) + 80,
                       .tm_mon = (int)(listed->date >> 5 & 15) - 1,
                       .tm_mday = (int)(listed->date & 31),
                       .tm_hour = (int)(listed->time >> 11),
                       .tm_min = (int)(listed->time >> 5 & 63),
                       .tm_sec = (int)(listed->time & 31) * 2,
                       .tm_isdst = -1};
    bool is_date = parts.tm_mon >= 0 && parts.tm_mon < 12 && parts.tm_mday > 0;
    time_t moment = is_date ? mktime(&parts) : -1;
    return moment > 0 ? (int64_t)moment : 0;
}

/* ---- unpacking ---- */

#ifdef ATTN_HAS_ZLIB
static bool inflate_all(const unsigned char *packed, size_t size, char *ret, size_t wanted)
{
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)packed,
                       .avail_in = (unsigned)size,
                       .next_out = (unsigned char *)ret,
                       .avail_out = (unsigned)wanted};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return false;
    int code = inflate(&stream, Z_FINISH);
    bool ok = code == Z_STREAM_END && stream.total_out == wanted;
    inflateEnd(&stream);
    return ok;
}

static bool has_sum(const char *bytes, size_t size, uint32_t sum)
{
    return crc32(crc32(0, NULL, 0), (const unsigned char *)bytes, (unsigned)size) == sum;
}
#else
static bool inflate_all(const unsigned char *packed, size_t size, char *ret, size_t wanted)
{
    (void)packed, (void)size, (void)ret, (void)wanted;
    return false;
}

static bool has_sum(const char *bytes, size_t size, uint32_t sum)
{
    (void)bytes, (void)size, (void)sum;
    return true;
}
#endif

static bool is_known_method(struct reader *reader, const struct listed *listed)
{
    if (listed->flags & ENCRYPTED)
        return refuse(reader, "encrypted");
    if (listed->method == STORED)
        return listed->packed == listed->unpacked || refuse(reader, "damaged");
    if (listed->method != DEFLATED)
        return refuse(reader, "packed in an unknown way");
#ifdef ATTN_HAS_ZLIB
    return true;
#else
    return refuse(reader, ARCHIVE_NO_ZLIB);
#endif
}

static bool is_within_limits(struct reader *reader, const struct listed *listed)
{
    const struct archive_limits *limits = reader->limits;
    bool is_bomb =
        listed->unpacked > SMALL_BYTES && listed->unpacked / limits->ratio > listed->packed;
    if (listed->unpacked > limits->entry_bytes || is_bomb ||
        listed->unpacked > limits->total_bytes - reader->n_unpacked)
        return refuse(reader, "too large when unpacked");
    reader->n_unpacked += listed->unpacked;
    return true;
}

/* The packed bytes; NULL if they are not all there. */
static const unsigned char *packed_of(const struct reader *reader, const struct listed *listed)
{
    if (listed->local > reader->size || reader->size - listed->local < LOCAL_BYTES)
        return NULL;
    const unsigned char *local = reader->bytes + listed->local;
    size_t before = (size_t)LOCAL_BYTES + two(local + 26) + two(local + 28);
    bool is_there = begins_with(local, 3, 4) && reader->size - listed->local >= before &&
                    reader->size - listed->local - before >= listed->packed;
    return is_there ? local + before : NULL;
}

static bool unpack(struct reader *reader, const struct listed *listed, struct archive_entry *entry)
{
    const unsigned char *packed = packed_of(reader, listed);
    if (packed == NULL)
        return refuse(reader, "damaged");
    if (!is_known_method(reader, listed) || !is_within_limits(reader, listed))
        return false;
    entry->bytes = calloc(listed->unpacked + 1, 1);
    if (entry->bytes == NULL)
        return refuse(reader, ARCHIVE_NO_MEMORY);
    entry->size = listed->unpacked;
    if (listed->method == STORED)
        memcpy(entry->bytes, packed, listed->packed);
    else if (!inflate_all(packed, listed->packed, entry->bytes, listed->unpacked))
        return refuse(reader, "damaged");
    return has_sum(entry->bytes, entry->size, listed->crc) || refuse(reader, "damaged");
}

/* ---- the directory ---- */

/* The directory's record at *at, which it goes past. */
static bool read_listed(struct reader *reader, size_t *at, size_t end, struct listed *ret)
{
    const unsigned char *bytes = reader->bytes + *at;
    if (end - *at < DIRECTORY_BYTES || !begins_with(bytes, 1, 2))
        return refuse(reader, "damaged");
    size_t size = (size_t)DIRECTORY_BYTES + two(bytes + 28) + two(bytes + 30) + two(bytes + 32);
    if (end - *at < size)
        return refuse(reader, "damaged");
    *ret = (struct listed){.flags = two(bytes + 8),
                           .method = two(bytes + 10),
                           .time = two(bytes + 12),
                           .date = two(bytes + 14),
                           .crc = four(bytes + 16),
                           .packed = four(bytes + 20),
                           .unpacked = four(bytes + 24),
                           .name_size = two(bytes + 28),
                           .mode = bytes[5] == 3 ? two(bytes + 40) : 0,
                           .local = four(bytes + 42),
                           .name = bytes + DIRECTORY_BYTES};
    *at += size;
    return true;
}

static bool take(struct reader *reader, const struct listed *listed,
                 bool (*wants)(const char *name), struct archive *archive)
{
    unsigned type = listed->mode & UNIX_TYPE;
    char *name = name_of(reader, listed);
    if (name == NULL)
        return false;
    if (type == UNIX_LINK || (type != 0 && type != UNIX_FILE && type != UNIX_FOLDER)) {
        free(name);
        return refuse(reader, "a link in it");
    }
    if (text_ends_with(name, "/")) {
        free(name);
        return true;
    }
    struct archive_entry *entry = &archive->entries[archive->n++];
    *entry = (struct archive_entry){.name = name, .time_s = time_of(listed)};
    return !wants(name) || unpack(reader, listed, entry);
}

static int compare_names(const void *a, const void *b)
{
    const char *const *left = a, *const *right = b;
    return strcmp(*left, *right);
}

/* Two files of one name: programs disagree about which of them is meant. */
static bool check_names(struct reader *reader, const struct archive *archive)
{
    const char **names = calloc(archive->n + 1, sizeof(char *));
    if (names == NULL)
        return refuse(reader, ARCHIVE_NO_MEMORY);
    for (size_t i = 0; i < archive->n; i++)
        names[i] = archive->entries[i].name;
    if (archive->n > 1)
        qsort(names, archive->n, sizeof(char *), compare_names);
    bool ok = true;
    for (size_t i = 1; i < archive->n && ok; i++)
        ok = strcmp(names[i - 1], names[i]) != 0;
    free(names);
    return ok || refuse(reader, "a name twice in it");
}

static bool read_all(struct reader *reader, bool (*wants)(const char *name),
                     struct archive *archive)
{
    const unsigned char *end = find_end(reader);
    if (end == NULL)
        return refuse(reader, "not a ZIP file");
    size_t n = two(end + 10), size = four(end + 12), at = four(end + 16);
    size_t until = (size_t)(end - reader->bytes);
    if (n == 0xFFFF || n > reader->limits->n_entries)
        return refuse(reader, "too many files in it");
    if (at > until || size > until - at)
        return refuse(reader, "damaged");
    archive->entries = calloc(n + 1, sizeof *archive->entries);
    if (archive->entries == NULL)
        return refuse(reader, ARCHIVE_NO_MEMORY);
    for (size_t i = 0; i < n; i++) {
        struct listed listed;
        if (!read_listed(reader, &at, until, &listed) || !take(reader, &listed, wants, archive))
            return false;
    }
    return check_names(reader, archive);
}

bool archive_read_bytes(const char *bytes, size_t size, const struct archive_limits *limits,
                        bool (*wants)(const char *name), struct archive *ret, const char **ret_why)
{
    struct reader reader = {.bytes = (const unsigned char *)bytes, .size = size, .limits = limits};
    struct archive archive = {0};
    if (!read_all(&reader, wants, &archive)) {
        archive_release(&archive);
        *ret_why = reader.why;
        return false;
    }
    *ret = archive;
    return true;
}

/* The bytes of a regular file, to be freed; NULL, with the reason. */
static char *read_file(const char *path, size_t max, size_t *ret_size, const char **ret_why)
{
    struct stat here;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    *ret_why = "unreadable";
    bool ok = fd >= 0 && fstat(fd, &here) == 0 && S_ISREG(here.st_mode);
    if (ok && (uintmax_t)here.st_size > max) {
        *ret_why = "too large";
        ok = false;
    }
    size_t size = ok ? (size_t)here.st_size : 0, got = 0;
    char *bytes = ok ? malloc(size + 1) : NULL;
    if (ok && bytes == NULL)
        *ret_why = ARCHIVE_NO_MEMORY;
    while (bytes != NULL && got < size) {
        ssize_t n = read(fd, bytes + got, size - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        got += (size_t)n;
    }
    if (fd >= 0)
        close(fd);
    if (bytes != NULL && got < size) {
        free(bytes);
        return NULL;
    }
    *ret_size = got;
    return bytes;
}

bool archive_read(const char *path, const struct archive_limits *limits,
                  bool (*wants)(const char *name), struct archive *ret, const char **ret_why)
{
    size_t size;
    char *bytes = read_file(path, limits->file_bytes, &size, ret_why);
    bool ok = bytes != NULL && archive_read_bytes(bytes, size, limits, wants, ret, ret_why);
    free(bytes);
    return ok;
}

void archive_release(struct archive *archive)
{
    for (size_t i = 0; i < archive->n; i++) {
        free(archive->entries[i].name);
        free(archive->entries[i].bytes);
    }
    free(archive->entries);
    *archive = (struct archive){0};
}
