import math, random
random.seed(0)
xs = [random.gauss(0, 1) for _ in range(1000)]
mean = sum(xs) / len(xs)
var = sum((x - mean) ** 2 for x in xs) / (len(xs) - 1)
print(f"{mean:.6f} {math.sqrt(var):.6f}")
hist = [0] * 8
for x in xs:
    hist[min(7, max(0, int(x + 4)))] += 1
for i, h in enumerate(hist):
    print(f"{i - 4:>3} | {'#' * (h // 10):<40} {h}")
print(random.randint(1, 6), random.choice("abc"), random.sample(range(100), 5), random.random())
l = list(range(10)); random.shuffle(l); print(l, random.uniform(1, 2))
print(round(math.exp(-0.5), 5), math.floor(-2.5), math.ceil(2.1), math.isclose(0.1 + 0.2, 0.3), math.comb(5, 2), math.factorial(10))
