"""textwrap, as far as cells use it."""


def wrap(text, width=70):
    lines, line = [], ""
    for word in text.split():
        while len(word) > width:
            if line:
                room = width - len(line) - 1
                if room > 0:
                    line, word = line + " " + word[:room], word[room:]
                lines.append(line)
                line = ""
            else:
                lines.append(word[:width])
                word = word[width:]
        if not line:
            line = word
        elif len(line) + 1 + len(word) <= width:
            line += " " + word
        else:
            lines.append(line)
            line = word
    if line:
        lines.append(line)
    return lines


def fill(text, width=70):
    return "\n".join(wrap(text, width))


def shorten(text, width, placeholder=" [...]"):
    words = text.split()
    if len(" ".join(words)) <= width:
        return " ".join(words)
    while words and len(" ".join(words)) + len(placeholder) > width:
        words.pop()
    return " ".join(words) + placeholder if words else placeholder.lstrip()


def dedent(text):
    lines = text.split("\n")
    margins = [line[:len(line) - len(line.lstrip())] for line in lines if line.strip()]
    common = margins[0] if margins else ""
    for margin in margins:
        while not margin.startswith(common):
            common = common[:-1]
    return "\n".join([line[len(common):] if line.strip() else "" for line in lines])


def indent(text, prefix):
    return "".join([prefix + line if line.strip() else line for line in text.splitlines(True)])
