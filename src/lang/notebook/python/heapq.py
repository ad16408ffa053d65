"""heapq, as far as cells use it."""


def heappush(heap, item):
    heap.append(item)
    i = len(heap) - 1
    while i > 0 and heap[i] < heap[(i - 1) // 2]:
        heap[i], heap[(i - 1) // 2] = heap[(i - 1) // 2], heap[i]
        i = (i - 1) // 2


def _sift(heap, i):
    n = len(heap)
    while True:
        least = i
        for child in (2 * i + 1, 2 * i + 2):
            if child < n and heap[child] < heap[least]:
                least = child
        if least == i:
            return
        heap[i], heap[least] = heap[least], heap[i]
        i = least


def heappop(heap):
    last = heap.pop()
    if not heap:
        return last
    first, heap[0] = heap[0], last
    _sift(heap, 0)
    return first


def heapify(heap):
    for i in reversed(range(len(heap) // 2)):
        _sift(heap, i)


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[:n]


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[:n]


def heappushpop(heap, item):
    if heap and heap[0] < item:
        item, heap[0] = heap[0], item
        heapify(heap)
    return item


def heapreplace(heap, item):
    least, heap[0] = heap[0], item
    heapify(heap)
    return least
