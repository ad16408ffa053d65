"""torch.utils.data.dataloader: another name of torch.utils.data."""
from torch.utils.data import *
