import math
def pe(n, d):
    """Sinusoids."""
    table = []
    for pos in range(n):
        row = []
        for i in range(0, d, 2):
            angle = pos / (10000 ** (i / d))
            row.extend([math.sin(angle), math.cos(angle)])
        table.append(row)
    return table
for row in pe(4, 6):
    print([round(x, 3) for x in row])
print("%.6f" % sum(map(sum, pe(10, 8))))
print(*(f"{x:+.2e}" for x in pe(2, 4)[1]), sep=" | ")
