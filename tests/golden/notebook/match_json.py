from dataclasses import dataclass
import json, re
@dataclass
class Num: v: float
@dataclass
class Bin:
    op: str
    l: object
    r: object
def ev(e):
    match e:
        case Num(v): return v
        case Bin('+', l, r): return ev(l) + ev(r)
        case Bin(op='*', l=l, r=r): return ev(l) * ev(r)
        case Bin(op, _, _): raise ValueError(f'bad op {op}')
        case [x, *rest] if rest: return ev(x) + ev(rest)
        case [x] | (x,): return ev(x)
        case int() | float() as n: return n
        case {'value': v, **kw}: return v + len(kw)
        case 'zero' | 'null': return 0
        case None: return -1
        case _: return 'unknown'
print(ev(Bin('+', Num(1), Bin('*', Num(2), Num(3)))), ev([1, 2, 3]), ev({'value': 5, 'a': 1}), ev('zero'), ev(None), ev('q'))
try: ev(Bin('-', Num(1), Num(2)))
except ValueError as e: print(e)
token_re = re.compile(r"'s|'t|'re| ?\w+| ?\d+| ?[^\s\w\d]+|\s+(?!\S)|\s+")
print(token_re.findall("Hello, world! It's 2024  ok"), re.sub(r'\s+', ' ', 'a  b\n c'), re.split(r'([,.:;?_!"()\']|--|\s)', 'Hello, world. Is this-- a test?'))
m = re.match(r'(?P<k>\w+)=(?P<v>\d+)', 'lr=10'); print(m.group('k'), m['v'], m.groups(), m.groupdict(), m.span(), re.search('x', 'abc'), re.fullmatch(r'\d+', '12').group())
print([m.start() for m in re.finditer('a', 'banana')], re.sub(r'(\w)(\d)', r'\2\1', 'a1b2'), re.sub('[aeiou]', lambda m: m.group().upper(), 'attention'), re.escape('a.b'), re.IGNORECASE == re.I, re.findall(r'(\w)=(\d)', 'a=1 b=2'))
d = {'name': 'attn', 'layers': [1, 2.5, None, True], 'nested': {'a': 'é"\n'}}
s = json.dumps(d); print(s); print(json.dumps(d, indent=2, sort_keys=True, ensure_ascii=False)); print(json.loads(s) == d, json.loads('[1, {"a": -2.5e3}]'))
try: json.loads('{bad}')
except json.JSONDecodeError as e: print(e)
def http(status):
    match status:
        case 200 | 201: return 'ok'
        case s if 400 <= s < 500: return f'client {s}'
        case _: return 'other'
print([http(s) for s in (200, 404, 500)])
match (1, 2):
    case (0, y): print('y', y)
    case (x, 2): print('x', x)
