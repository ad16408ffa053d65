"""tqdm.auto: the same as tqdm."""
from tqdm import tqdm, trange
