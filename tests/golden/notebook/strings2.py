print("=" * 20)
name, n = "Attention", 3
print("Layer {:02d}: {:<12}|{:>8.3f}".format(n, name, 3.14159))
print(f"{name:^20}|{name[:4]:.>10}|{n:>+5d}|{1e-3:.1e}|{0.000123:g}|{1e6:,.0f}")
print(f"{name!r:>15} {n:b} {255:#06x} {'yes' if n else 'no'} {[f'{i}' for i in range(n)]}")
print("a\tb".expandtabs(4) if hasattr("", "expandtabs") else "a   b")
print("Hello"[1:-1:2], "hello"[::-1].title(), " ".join(reversed("a b c".split())))
print("%-10s|%5.1f%%|%03d" % ("acc", 93.456, 7), "%s" % [1, 2], "%s=%s" % ("a", None))
import string
print(string.ascii_lowercase[:5], string.digits, "abc".isidentifier(), "x1".isalnum())
s = "the quick brown fox"
print({w: len(w) for w in s.split()}, max(s.split(), key=len), s.count("o"), s.index("q"), s.title())
print("\n".join(f"{i:2d} {'*' * i}" for i in range(1, 4)))
print(repr("a\\b\n"), 'single \'quoted\'', "uni \u2192", len("→"), "→".encode if 0 else "")
print(str(3.0), str(1e21), repr(0.1 + 0.7), 1e-4, 0.00001, 123456.789e3, 2.0 ** 70, 10 ** 15, float(10 ** 15))
