/* Mapped files that become shorter: see map_guard.h.
 *
 * A page behind the end of a mapped file raises SIGBUS with BUS_ADRERR. A page of zeros is laid
 * over it, and the instruction runs again. Any other SIGBUS ends the program, as it would without
 * us. */
#include "cli/map_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static uintptr_t page_size;
static volatile sig_atomic_t was_hit;
static volatile sig_atomic_t *stops[2];

static bool lay_zeros(void *address)
{
    void *page = (char *)address - (uintptr_t)address % page_size;
    int zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    bool ok =
        zeros >= 0 && mmap(page, page_size, PROT_READ, MAP_FIXED | MAP_PRIVATE, zeros, 0) == page;
    if (zeros >= 0)
        close(zeros);
    return ok;
}

static void on_bus_error(int signal_number, siginfo_t *info, void *context)
{
    int problem = errno;
    (void)context;
    if (info->si_code == BUS_ADRERR && lay_zeros(info->si_addr))
        was_hit = *stops[0] = *stops[1] = 1;
    else
        signal(signal_number, SIG_DFL); /* the instruction runs again, and ends the program */
    errno = problem;
}

void map_guard_install(volatile sig_atomic_t *stop, volatile sig_atomic_t *other_stop)
{
    struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_RESTART};
    page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    stops[0] = stop;
    stops[1] = other_stop;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

bool map_guard_check(struct error *reterr)
{
    if (!was_hit)
        return true;
    was_hit = 0;
    return error_set(reterr, ERR_FILE,
                     "a file that is mapped: it became shorter while it was read, and numbers are "
                     "missing; copy it again and load it again");
}
