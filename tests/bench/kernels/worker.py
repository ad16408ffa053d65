"""What the workers in Python share; worker.h says what they answer."""
import resource
import sys
import time

import numpy


def mixed(number):
    number = (number * 0x9E3779B1) & 0xFFFFFFFF
    number ^= number >> 15
    number = (number * 0x85EBCA77) & 0xFFFFFFFF
    return number ^ number >> 13


def numbers(shape, stream):
    """worker_fill() in numpy."""
    n = int(numpy.prod(shape))
    bits = mixed((numpy.arange(n, dtype=numpy.uint64) + mixed(stream)) & 0xFFFFFFFF) >> 8
    uniform = bits.astype(numpy.float32) * numpy.float32(2.0 ** -24) - numpy.float32(0.5)
    return (uniform * numpy.float32(3.4641016)).reshape(shape)


def calls(call, n, by_wall):
    wall, processor = time.perf_counter_ns(), time.process_time_ns()
    for _ in range(n):
        result = call()
    processor, wall = time.process_time_ns() - processor, time.perf_counter_ns() - wall
    return (wall if by_wall or processor < 1e6 else processor) / n, result


def timed_round(call, budget, by_wall):
    """The fewest nanoseconds a call took, and what it gave: round_ns() of worker.c."""
    begin = time.perf_counter_ns()
    best, result = calls(call, 1, by_wall)
    if best >= budget and not by_wall:
        return best, result
    n = int(1e5 / (best + 1)) + 1 if best < 1e5 else 1
    spent = 0
    while spent < budget and time.perf_counter_ns() - begin < 10 * budget or not spent:
        sample, result = calls(call, n, by_wall)
        best = min(best, sample) if spent else sample
        spent += best * n
    return best, result


class Jobs:
    def __init__(self, operations):
        self.operations = operations
        self.jobs = {}
        self.results = {}

    def prepare(self, number, operation, *pairs):
        request = {key: int(value) for key, value in (pair.split("=") for pair in pairs)}
        if operation not in self.operations:
            return "no such operation"
        self.jobs[number] = self.operations[operation](request), request.get("threads", 1) != 1
        return "ok"

    def round(self, number, seconds):
        call, by_wall = self.jobs[number]
        best, self.results[number] = timed_round(call, float(seconds) * 1e9, by_wall)
        return f"{best:.1f}"

    def output(self, number):
        return numpy.asarray(self.results[number], dtype=numpy.float32).ravel()

    def check(self, number):
        flat = self.output(number)
        return f"{flat[0]:.9g} {flat[len(flat) // 2]:.9g} {flat[-1]:.9g} {len(flat)}"

    def write(self, number, *path):
        self.output(number).tofile(" ".join(path))
        return "ok"

    def memory(self):
        return str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)

    def drop(self):
        self.jobs.clear()
        self.results.clear()
        return "ok"


def run(operations):
    jobs = Jobs(operations)
    for line in sys.stdin:
        word, *arguments = line.split()
        try:
            answer = getattr(jobs, word)(*arguments)
        except Exception as error:  # pylint: disable=broad-except # the driver names it and goes on
            answer = "no " + " ".join(f"{type(error).__name__}: {error}".split())[:200]
        print(answer, flush=True)
