class P:
    __match_args__ = ('x', 'y')
    def __init__(self, x, y): self.x, self.y = x, y
class Color:
    RED = 1
def f(v):
    match v:
        case -1 | 1.5: return 'number'
        case Color.RED: return 'red'
        case str() as s if s.startswith('a'): return 'a-text ' + s
        case str(s): return 'text ' + s
        case bool(): return 'bool'
        case P(x=0): return 'on y'
        case P(a, P(b, c)): return ('nested', a, b, c)
        case P(a, y=b): return ('p', a, b)
        case []: return 'empty'
        case [1, *rest, 9]: return ('1..9', rest)
        case (a, b) if a == b: return 'pair'
        case [[a, b], *_]: return ('rows', a, b)
        case {'op': 'add', 'args': [l, r]}: return l + r
        case {}: return 'dict'
        case None: return 'none'
        case a: return ('other', a)
for v in (-1, 1.5, 1, 'abc', 'xyz', True, False, P(0, 5), P(1, P(2, 3)), P(4, 5), [], [1, 2, 3, 9], (7, 7), [[1, 2], 3, 4], {'op': 'add', 'args': [2, 3]}, {'z': 1}, None, 3.25, (1, 9)):
    print(f(v))
match = 3
match += 1
print(match, [match, match][0])
def match_(match): return match
print(match_(match=5))
command = 'go north'
match command.split():
    case [action]:
        print(action)
    case [action, obj]:
        print(action, obj)
match 1, 2:
    case a, b: print('tuple', a, b)
for i in range(4):
    match i:
        case 0: continue
        case 2: break
    print('i', i)
