"""os: names that cells look at and never need. No file is reached from here."""
environ = {}
sep = "/"


def getenv(name, default=None):
    return default


def cpu_count():
    return 1
