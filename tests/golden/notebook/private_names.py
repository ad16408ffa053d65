# Names that begin with two underscores belong to their class.
class Account:
    __count = 0

    def __init__(self, balance):
        self.__balance = balance
        Account.__count += 1

    def __fee(self):
        return 0.5

    def withdraw(self, n):
        self.__balance -= n + self.__fee()
        return self

    @property
    def balance(self):
        return self.__balance

    @classmethod
    def count(cls):
        return cls.__count

    def forget(self):
        del self.__balance


class Savings(Account):
    def __fee(self):
        return 100

    def peek(self):
        try:
            return self.__balance
        except AttributeError as error:
            return str(error)


class _Hidden:
    def __init__(self):
        self.__x, self.y = 1, [self.__double(n) for n in (1, 2)]

    def __double(self, n):
        return 2 * n

    def __len__(self):
        return 3


s = Savings(10)
print(s.withdraw(2).balance, s.peek(), Account.count(), vars(s), vars(_Hidden()), len(_Hidden()))
print(s._Account__balance, hasattr(s, "__balance"), [n for n in dir(s) if n.startswith("_Account")], s._Account__fee())
try:
    s.__balance
except AttributeError as error:
    print(error)
s.forget()
print(vars(s))

from collections import Counter
from itertools import compress
import heapq

print(Counter(a=3, b=1) & Counter(a=1, b=2), Counter(a=3, b=1) | Counter(a=1, c=2), Counter("aab") & Counter("bbc"))
print(sum((Counter("the cat".split()) & Counter("the dog the".split())).values()), Counter("ab") <= Counter("aab"))
print(list(compress("abcdef", [1, 0, 1, 0, 1])), "straße".upper(), "ß".title(), "ß".swapcase())
h = [1, 4, 5]
print(heapq.heappushpop(h, 9), heapq.heappushpop(h, 0), heapq.heapreplace(h, 7), sorted(h))
