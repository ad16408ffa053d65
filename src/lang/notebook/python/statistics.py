"""statistics, as far as cells use it."""
import math


class StatisticsError(ValueError):
    pass


def _numbers(data, name, least=1):
    data = list(data)
    if len(data) < least:
        raise StatisticsError(f"{name} requires at least {'one data point' if least == 1 else 'two data points'}")
    return data


def _ratio(total, n):
    if isinstance(total, int) and total % n == 0:
        return total // n
    return total / n


def mean(data):
    data = _numbers(data, "mean")
    total = sum(data) if all(isinstance(x, int) for x in data) else math.fsum(data)
    return _ratio(total, len(data))


fmean = mean


def median(data):
    data = sorted(_numbers(data, "median"))
    n = len(data)
    return data[n // 2] if n % 2 else (data[n // 2 - 1] + data[n // 2]) / 2


def mode(data):
    data = _numbers(data, "mode")
    counts = {}
    for x in data:
        counts[x] = counts.get(x, 0) + 1
    return max(counts, key=counts.get)


def _squares(data):
    center = math.fsum(data) / len(data)
    return math.fsum([(x - center) ** 2 for x in data])


def variance(data):
    data = _numbers(data, "variance", 2)
    return _squares(data) / (len(data) - 1)


def pvariance(data):
    data = _numbers(data, "pvariance")
    return _squares(data) / len(data)


def stdev(data):
    return math.sqrt(variance(data))


def pstdev(data):
    return math.sqrt(pvariance(data))
