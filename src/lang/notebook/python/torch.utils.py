"""torch.utils: the data that a loop of training takes."""
import torch.utils.data as data
