import re
text = "Hello, world. Is this-- a test? é12 and 3.5"
print([t for t in re.split(r'([,.:;?_!"()\']|--|\s)', text) if t.strip()])
print(re.findall(r"\d+\.?\d*", text), re.sub(r"\s+", "_", text), re.sub(r"(\w)(\w)", r"\2\1", "abcd"))
print(re.sub(r'\s+([,.?!"()\'])', r"\1", "Hello , world . Yes ?"), re.split(",", "a,b,c", 1), re.escape("a.b"))
m = re.search(r"(?P<key>\w+)=(\d+)", "x key=42 y")
print(m, m.group(), m.group(1), m["key"], m.groups(), m.span(), m.start(2), m.groupdict())
print(re.match("b", "abc"), re.fullmatch("a.c", "abc"), bool(re.search("B", "abc", re.IGNORECASE)))
word = re.compile(r"[a-z]+")
print(word.findall("one two"), [m.span() for m in word.finditer("one two")], word.sub(lambda m: m.group().upper(), "a1b"))
print(re.findall(r"(a)(b)", "abab"), re.split(r"\s*", "a b") if False else "", re.sub("a*", "-", "baac"))
print({"a": 1}.keys() >= {"a"}, {"a": 1}.keys() & {"b"}, {"a": 1, "b": 2}.keys() - {"a"}, {"a": 1}.items() == {("a", 1)})
try:
    re.compile("(")
except Exception as e:
    print("refused")
