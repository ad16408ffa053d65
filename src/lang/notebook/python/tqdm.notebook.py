"""tqdm.notebook: the same as tqdm."""
from tqdm import tqdm, trange
