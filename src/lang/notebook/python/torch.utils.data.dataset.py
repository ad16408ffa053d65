"""torch.utils.data.dataset: another name of torch.utils.data."""
from torch.utils.data import *
