/* The runner: the program that a learner's function is linked to. It maps the shared memory, then
 * answers request after request by calling the function.
 *
 * It is compiled as one text of wire.h, this file and a generated runner_call(); nothing of attn's
 * own code is in it, and it knows no expected value. From the first call on everything in here may
 * have been changed by the function, so attn believes nothing of it but the bytes of the
 * output arrays. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <malloc.h>
#include <sys/syscall.h>
#endif

#include "compile/wire.h"

/* Calls the learner's function: slots[i] is argument i's array, args[i] its number. */
void runner_call(void *const *arrays, const uint64_t *args);

enum { GUARD_BYTES = 1 << 16, STACK_BYTES = 16 << 20, NULL_BYTES = 4096 };

static struct wire_setup setup;
static unsigned char *places[WIRE_MAX_ARGS]; /* the addresses at which the slots are mapped */
static uint64_t nonce, clock_shift;
/* For a text that holds several forms of the function (judge/repair). */
extern unsigned long attn_variant;
unsigned long attn_variant;
static volatile sig_atomic_t no_memory, no_memory_now; /* at some time; in this call */
static const char *stack_top;
static struct wire_shown *shown; /* NULL: nobody looks */
/* The handler's own stack: the other one may have overflowed. */
static _Alignas(16) unsigned char signal_stack[1 << 14];

#ifdef __linux__
/* read and write without the C library's functions, which a learner's may replace. */
static long system_call(long number, long a, long b, long c)
{
#if defined(__x86_64__) && defined(__GNUC__)
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__) && defined(__GNUC__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
#else
    return syscall(number, a, b, c);
#endif
}

static _Noreturn void leave(int code)
{
    for (;;)
        system_call(SYS_exit_group, code, 0, 0);
}

static long read_some(void *bytes, size_t size)
{
    return system_call(SYS_read, WIRE_REQUESTS, (long)bytes, (long)size);
}

static void put(const struct wire_reply *reply)
{
    system_call(SYS_write, WIRE_REPLIES, (long)reply, sizeof *reply);
}
#else
static _Noreturn void leave(int code)
{
    _exit(code);
}

static long read_some(void *bytes, size_t size)
{
    return read(WIRE_REQUESTS, bytes, size);
}

static void put(const struct wire_reply *reply)
{
    long written = write(WIRE_REPLIES, reply, sizeof *reply);
    (void)written;
}
#endif

static void get(void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        long n = read_some((char *)bytes + done, size - done);
        if (n <= 0)
            leave(0); /* attn is done with us */
        done += (size_t)n;
    }
}

/* Allocations are counted when they fail: a crash right after one is explained by it. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **ret, size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **ret, size_t alignment, size_t size);

static void *noted(void *block, size_t size)
{
    if (block == NULL && size > 0)
        no_memory = no_memory_now = 1;
    return block;
}

void *__wrap_malloc(size_t size)
{
    return noted(__real_malloc(size), size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return noted(__real_calloc(n, size), n > 0 ? size : 0);
}

void *__wrap_realloc(void *old, size_t size)
{
    return noted(__real_realloc(old, size), size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return noted(__real_aligned_alloc(alignment, size), size);
}

int __wrap_posix_memalign(void **ret, size_t alignment, size_t size)
{
    int failure = __real_posix_memalign(ret, alignment, size);
    noted(failure == 0 ? *ret : NULL, size);
    return failure;
}

/* Clocks that are a call's own: between two calls they jump by years, so that numbers that depend
 * on a clock differ when a case is repeated. Within a call they go as they should. */
int __wrap_clock_gettime(clockid_t id, struct timespec *ret);
int __wrap_gettimeofday(struct timeval *ret, void *zone);
int __wrap_timespec_get(struct timespec *ret, int base);
time_t __wrap_time(time_t *ret);
clock_t __wrap_clock(void);

int __wrap_clock_gettime(clockid_t id, struct timespec *ret)
{
    struct timespec now = {0, 0};
#ifdef __linux__
    int failed = system_call(SYS_clock_gettime, (long)id, (long)&now, 0) != 0;
#else
    int failed = clock_gettime(id, &now) != 0;
#endif
    if (failed)
        return -1;
    now.tv_sec += (time_t)(clock_shift >> 34);
    now.tv_nsec += (long)((clock_shift & 0x3fffffffu) % 1000000000u);
    if (now.tv_nsec >= 1000000000) {
        now.tv_nsec -= 1000000000;
        now.tv_sec++;
    }
    if (ret != NULL)
        *ret = now;
    return 0;
}

int __wrap_gettimeofday(struct timeval *ret, void *zone)
{
    struct timespec now;
    (void)zone;
    if (__wrap_clock_gettime(CLOCK_REALTIME, &now) != 0)
        return -1;
    ret->tv_sec = now.tv_sec;
    ret->tv_usec = now.tv_nsec / 1000;
    return 0;
}

int __wrap_timespec_get(struct timespec *ret, int base)
{
    return base == TIME_UTC && __wrap_clock_gettime(CLOCK_REALTIME, ret) == 0 ? base : 0;
}

time_t __wrap_time(time_t *ret)
{
    struct timespec now = {0, 0};
    __wrap_clock_gettime(CLOCK_REALTIME, &now);
    if (ret != NULL)
        *ret = now.tv_sec;
    return now.tv_sec;
}

clock_t __wrap_clock(void)
{
    struct timespec now = {0, 0};
    __wrap_clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (clock_t)now.tv_sec * CLOCKS_PER_SEC + (clock_t)(now.tv_nsec / 1000);
}

/* The slot at whose pages, or at whose guard pages, an address lies. */
static int64_t slot_at(const unsigned char *address)
{
    for (int i = 0; i < WIRE_MAX_ARGS; i++) {
        uintptr_t begin = (uintptr_t)places[i], at = (uintptr_t)address;
        if (places[i] != NULL && at >= begin - GUARD_BYTES &&
            at < begin + setup.slots[i].n_bytes + GUARD_BYTES)
            return i;
    }
    return WIRE_ELSEWHERE;
}

static uint64_t access_of(const void *context)
{
#if defined(__x86_64__) && defined(REG_ERR)
    return ((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2 ? WIRE_WRITTEN : WIRE_READ;
#else
    (void)context;
    return WIRE_TOUCHED;
#endif
}

/* Did it read the processor's counter of ticks, which the box forbids? */
static int reads_ticks(const void *context)
{
#if defined(__x86_64__) && defined(REG_RIP)
    static const unsigned char rdtsc[] = {0x0f, 0x31}, rdtscp[] = {0x0f, 0x01, 0xf9};
    const void *at = (const void *)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    return memcmp(at, rdtsc, sizeof rdtsc) == 0 || memcmp(at, rdtscp, sizeof rdtscp) == 0;
#else
    (void)context;
    return 0;
#endif
}

/* Reports the place to attn. The signal is sent again when this returns, and then ends the
 * program. */
static void on_fault(int signal, siginfo_t *info, void *context)
{
    const unsigned char *address = info->si_addr;
    struct wire_reply reply = {.nonce = nonce,
                               .kind = WIRE_FAULT,
                               .area = slot_at(address),
                               .access = access_of(context),
                               .no_memory = (uint64_t)no_memory};
    (void)signal;
    if (reply.area >= 0)
        reply.offset = address - places[reply.area];
    else if (info->si_code == SI_KERNEL) /* which tells no address */
        reply.area = reads_ticks(context) ? WIRE_TICKS : WIRE_NO_ADDRESS;
    else if ((uintptr_t)address < NULL_BYTES)
        reply.area = WIRE_NEAR_NULL;
    else if ((uintptr_t)stack_top - (uintptr_t)address < STACK_BYTES)
        reply.area = WIRE_STACK;
    put(&reply);
}

/* SHOW of attn_show.h calls this. */
void attn_show_cells(const char *name, const void *cells, int kind, int axes, size_t rows,
                     size_t cols);

static float shown_cell(const void *cells, int kind, size_t i)
{
    switch (kind) {
    case 'd':
        return (float)((const double *)cells)[i];
    case 'b':
        return (float)((const unsigned char *)cells)[i];
    case 'i':
        return (float)((const int *)cells)[i];
    case 'z':
        return (float)((const size_t *)cells)[i];
    default:
        return ((const float *)cells)[i];
    }
}

void attn_show_cells(const char *name, const void *cells, int kind, int axes, size_t rows,
                     size_t cols)
{
    const size_t most = (size_t)1 << 40;
    if (shown == NULL || ++shown->n > WIRE_SHOWN_MAX)
        return;
    struct wire_shown_matrix *matrix = &shown->items[shown->n - 1];
    size_t n_rows = rows < WIRE_SHOWN_SIDE ? rows : WIRE_SHOWN_SIDE;
    size_t n_cols = cols < WIRE_SHOWN_SIDE ? cols : WIRE_SHOWN_SIDE;
    for (size_t i = 0; i + 1 < WIRE_SHOWN_NAME && name[i] != '\0'; i++)
        matrix->name[i] = name[i];
    matrix->axes = (uint64_t)axes;
    matrix->rows = rows;
    matrix->cols = cols;
    matrix->state = WIRE_SHOWN_BEGUN;
    if (cells == NULL || (rows > 0 && cols > most / rows)) {
        matrix->state = cells == NULL ? WIRE_SHOWN_NULL : WIRE_SHOWN_TOO_LARGE;
        return;
    }
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < n_cols; j++)
            matrix->cells[i * n_cols + j] = shown_cell(cells, kind, i * cols + j);
    matrix->state = WIRE_SHOWN_WHOLE;
}

static void catch_faults(void)
{
    stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
    struct sigaction action = {.sa_sigaction = on_fault,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND};
    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}

/* Maps a slot in the middle of pages that may not be touched. */
static unsigned char *map_slot(const struct wire_slot *slot)
{
    unsigned char *room = mmap(NULL, slot->n_bytes + 2 * GUARD_BYTES, PROT_NONE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        leave(125);
    unsigned char *place = mmap(room + GUARD_BYTES, slot->n_bytes, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_FIXED, (int)slot->fd, (off_t)slot->offset);
    if (place == MAP_FAILED)
        leave(125);
    return place;
}

static void map_slots(void)
{
    get(&setup, sizeof setup);
    for (int i = 0; i < WIRE_MAX_ARGS; i++)
        if (setup.slots[i].fd != 0)
            places[i] = map_slot(&setup.slots[i]);
    if (setup.shown.fd != 0)
        shown = (struct wire_shown *)map_slot(&setup.shown);
    close(WIRE_INPUTS);
    close(WIRE_OUTPUTS);
}

#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
/* glibc's own name for it in a static program. A learner's file may define a mallinfo2() that hides
 * a leak, but not this one as well without a clash. */
struct mallinfo2 __libc_mallinfo2(void) __attribute__((weak));
#endif

static uint64_t heap_in_use(void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 info = __libc_mallinfo2 != NULL ? __libc_mallinfo2() : mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

static void answer(void)
{
    struct wire_request request;
    void *arrays[WIRE_MAX_ARGS] = {NULL};
    get(&request, sizeof request);
    nonce = request.nonce;
    clock_shift = request.clock_shift;
    attn_variant = (unsigned long)request.variant;
    for (int i = 0; i < WIRE_MAX_ARGS; i++)
        if (places[i] != NULL && request.args[i] != WIRE_NULL)
            arrays[i] = places[i] + request.args[i];
    no_memory_now = 0;
    if (request.wish != WIRE_NOTHING)
        runner_call(arrays, request.args);
    (void)fflush(stdout);
    struct wire_reply reply = {.nonce = request.nonce,
                               .kind = WIRE_ANSWER,
                               .heap_bytes = heap_in_use(),
                               .no_memory = (uint64_t)no_memory_now};
    put(&reply);
}

int main(void)
{
    char top;
    stack_top = &top;
    catch_faults();
    map_slots();
    for (;;)
        answer();
}
