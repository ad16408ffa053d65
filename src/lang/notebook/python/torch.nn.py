"""torch.nn"""
from _torch import Parameter
import torch.nn.functional as functional
