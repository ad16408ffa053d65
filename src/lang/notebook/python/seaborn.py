"""seaborn: accepted and not shown, as matplotlib is."""
import matplotlib.pyplot
from matplotlib.pyplot import _draw

heatmap = lineplot = barplot = histplot = scatterplot = kdeplot = boxplot = clustermap = _draw
pairplot = countplot = displot = violinplot = regplot = color_palette = cubehelix_palette = _draw


def set_theme(*args, **kwargs):
    pass


set = set_style = set_context = set_palette = despine = set_theme
