# A 0 before the width is the fill, whatever the alignment; a fill that is given stays.
for spec in (">03b", "<03", ">05", "^05", "05", "+06", "*>05", " >05", "=+6", "x=6", "#010x", "^09.2f", "08,", "011,", "012,.1f", "010_x", "09,%"):
    print(spec, [format(n, spec) for n in (3, -3, 12345)])
print(f"{3.5:>08.2f}|{'a':>03}|{'a':05}|{'a':<03}|{5:^05}|{True:>03}|{12345.678:>012,.1f}")
print("%05d|%-05d|%5s|%05s|%+05d|%05.1f|%-8.3f|" % (3, 3, "a", "b", 4, 2.5, 1 / 3))

# ascii(), !a and %a
print(ascii("é"), ascii(["ü", "日本", "\U0001f600", "a\n"]), f"{'é'!a:>8}", "%a" % "é", "{!a}".format("ß"))

# locals() and vars() of a function, a class body and the cell
def area(width, height=2, *rest, scale=1, **named):
    total = width * height
    before = dict(locals())
    later = total + scale
    return before, list(vars())


print(area(3), area(1, 4, 5, scale=2, unit="cm"))


def counter(start):
    step = 2

    def add():
        nonlocal start
        start += step
        return sorted(locals().items())
    return add, sorted(name for name in locals())


add, names = counter(5)
print(add(), names)


class Params:
    def __init__(self, lr, steps=3):
        for name, value in locals().items():
            if name != "self":
                setattr(self, name, value)


print(vars(Params(0.5)), "Params" in locals(), "Params" in globals(), [n for n in globals() if "." in n])


class Body:
    a = 1
    b = sorted(n for n in locals() if not n.startswith("__"))


print(Body.b)

# descriptors
class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name
        print("set_name", owner.__name__, name)

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return getattr(instance, self.name, 0)

    def __set__(self, instance, value):
        if value < 0:
            raise ValueError(f"{self.name[1:]} must not be negative")
        setattr(instance, self.name, value)

    def __delete__(self, instance):
        print("deleted", self.name)


class Account:
    balance = Positive()
    limit = Positive()

    def __init__(self, balance):
        self.balance = balance


account = Account(10)
account.limit = 4
try:
    account.balance = -1
except ValueError as error:
    print(error)
print(account.balance, account.limit, account.__dict__, type(Account.limit).__name__)
del account.limit


class Lazy:
    def __init__(self, function):
        self.function = function

    def __get__(self, instance, owner):
        print("computing")
        value = self.function(instance)
        instance.__dict__[self.function.__name__] = value
        return value


class Circle:
    def __init__(self, radius):
        self.radius = radius

    @Lazy
    def area(self):
        return 3 * self.radius ** 2


circle = Circle(2)
print(circle.area, circle.area, circle.__dict__)

# str.translate and str.maketrans
print("a!b".translate({33: None}), "abc".translate({97: "AA", 98: 120}), "hello".translate(str.maketrans("el", "ip")))
print("a-b, c".translate(str.maketrans("abc", "xyz", "-,")), str.maketrans("aé", "bc", "z"), str.maketrans({"a": "b", 66: None}))
print("naïve".translate(str.maketrans({"ï": "i"})))
try:
    str.maketrans("ab", "c")
except ValueError as error:
    print(error)


class Dashes(dict):
    def __missing__(self, key):
        return "-"


print("abc".translate(Dashes({97: "A"})))

import re
print(re.compile("x", re.I | re.M), re.compile("y"), re.compile(r"a b", re.X | re.S))
