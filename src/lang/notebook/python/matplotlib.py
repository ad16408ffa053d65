"""matplotlib: see matplotlib.pyplot."""
rcParams = {}
__version__ = "3.6.3"


def use(*args, **kwargs):
    pass


def rc(*args, **kwargs):
    pass


class cm:
    @staticmethod
    def get_cmap(*args):
        return None
