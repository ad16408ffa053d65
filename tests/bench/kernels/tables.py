"""Tables that are printed row by row, as wide as a terminal of 80 columns, or as JSON at the end."""
import json
import math
import textwrap


class Column:
    def __init__(self, key, heading, width, form="{}"):
        self.key, self.heading, self.width, self.form = key, heading, width, form

    def cell(self, row):
        value = row.get(self.key)
        return ("-" if value is None else self.form.format(value)).rjust(self.width)


def rate(key, heading=None):
    """A number of three or four digits, such as GFLOP/s."""
    return Column(key, heading or key, 7, "{:.1f}")


class Report:
    def __init__(self, as_json):
        self.as_json = as_json
        self.machine = {}
        self.tables = []
        self.columns = []
        self.notes = []

    def say(self, text=""):
        """A line of a table, or a sentence, which is folded."""
        if not self.as_json:
            print(text if len(text) <= 80 else textwrap.fill(text, 80, subsequent_indent="  "), flush=True)

    def begin(self, name, title, columns):
        self.tables.append({"name": name, "title": title, "rows": [], "notes": []})
        self.columns = columns
        self.say()
        self.say(title)
        self.say("".join(column.heading.rjust(column.width) for column in columns))

    def row(self, row):
        self.tables[-1]["rows"].append(row)
        self.say("".join(column.cell(row) for column in self.columns))

    def note(self, text):
        """Once below the table, however often it is said."""
        notes = self.tables[-1]["notes"]
        if text not in notes:
            notes.append(text)

    def end(self):
        for text in self.tables[-1]["notes"]:
            self.say(f"  {text}")

    def finish(self):
        if self.as_json:
            print(json.dumps({"machine": self.machine, "tables": self.tables}, indent=1))


def exponent(points):
    """p of y ~ x^p through the points (x, y): the slope of the least squares line of the logarithms."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mean_x, mean_y = (sum(axis) / len(logs) for axis in zip(*logs))
    return (sum((x - mean_x) * (y - mean_y) for x, y in logs) /
            sum((x - mean_x) ** 2 for x, _ in logs))
