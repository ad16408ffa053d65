"""torch.utils.data: sets of examples, and the batches that are drawn from them."""
import _torch


class Dataset:
    def __getitem__(self, index):
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")


class IterableDataset(Dataset):
    pass


class ConcatDataset(Dataset):
    def __init__(self, datasets):
        self.datasets = list(datasets)
        self.cumulative_sizes = []
        for dataset in self.datasets:
            before = self.cumulative_sizes[-1] if self.cumulative_sizes else 0
            self.cumulative_sizes.append(before + len(dataset))

    def __len__(self):
        return self.cumulative_sizes[-1]

    def __getitem__(self, index):
        if index < 0:
            index += len(self)
        before = 0
        for dataset, end in zip(self.datasets, self.cumulative_sizes):
            if index < end:
                return dataset[index - before]
            before = end
        raise IndexError("list index out of range")


# ---- the order of examples ----


class Sampler:
    def __init__(self, data_source):
        pass


def _generator():
    generator = _torch.Generator()
    generator.manual_seed(_torch._draw_seed())
    return generator


class SequentialSampler(Sampler):
    def __init__(self, data_source):
        self.data_source = data_source

    def __iter__(self):
        return iter(range(len(self.data_source)))

    def __len__(self):
        return len(self.data_source)


class RandomSampler(Sampler):
    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        if replacement or num_samples is not None:
            raise NotImplementedError("attn's RandomSampler draws each example once; see WeightedRandomSampler")
        self.data_source = data_source
        self.generator = generator

    def __iter__(self):
        generator = _generator() if self.generator is None else self.generator
        yield from _torch.randperm(len(self.data_source), generator=generator).tolist()

    def __len__(self):
        return len(self.data_source)


class SubsetRandomSampler(Sampler):
    def __init__(self, indices, generator=None):
        self.indices = indices
        self.generator = generator

    def __iter__(self):
        for i in _torch.randperm(len(self.indices), generator=self.generator):
            yield self.indices[i]

    def __len__(self):
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    def __init__(self, weights, num_samples, replacement=True, generator=None):
        self.weights = _torch.as_tensor(weights, dtype=_torch.float64)
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self):
        drawn = _torch.multinomial(self.weights, self.num_samples, self.replacement, generator=self.generator)
        yield from drawn.tolist()

    def __len__(self):
        return self.num_samples


class BatchSampler(Sampler):
    def __init__(self, sampler, batch_size, drop_last):
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self):
        batch = []
        for i in self.sampler:
            batch.append(i)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch

    def __len__(self):
        n = len(self.sampler)
        return n // self.batch_size if self.drop_last else (n + self.batch_size - 1) // self.batch_size


class TensorDataset(Dataset):
    def __init__(self, *tensors):
        assert all(tensors[0].size(0) == tensor.size(0) for tensor in tensors), \
            "Size mismatch between tensors"
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self):
        return self.tensors[0].size(0)


class Subset(Dataset):
    def __init__(self, dataset, indices):
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, index):
        return self.dataset[self.indices[index]]

    def __len__(self):
        return len(self.indices)


def random_split(dataset, lengths, generator=None):
    lengths = list(lengths)
    if abs(sum(lengths) - 1) < 1e-9 and sum(lengths) <= 1 + 1e-9 and len(dataset) != 1:
        lengths = [int(len(dataset) * share) for share in lengths]
        for i in range(len(dataset) - sum(lengths)):
            lengths[i % len(lengths)] += 1
    if sum(lengths) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = _torch.randperm(sum(lengths), generator=generator).tolist()
    parts, at = [], 0
    for length in lengths:
        parts.append(Subset(dataset, order[at:at + length]))
        at += length
    return parts


def default_collate(batch):
    first = batch[0]
    if isinstance(first, _torch.Tensor):
        return _torch.stack(batch, 0)
    if isinstance(first, float):
        return _torch.tensor(batch, dtype=_torch.float64)
    if isinstance(first, int):
        return _torch.tensor(batch)
    if isinstance(first, str):
        return batch
    if isinstance(first, dict):
        return {key: default_collate([example[key] for example in batch]) for key in first}
    if isinstance(first, (tuple, list)):
        columns = [default_collate(list(column)) for column in zip(*batch)]
        return columns
    raise TypeError("default_collate: batch must contain tensors, numbers, dicts or lists; found "
                    f"{type(first)}")


class DataLoader:
    def __init__(self, dataset, batch_size=1, shuffle=False, sampler=None, batch_sampler=None,
                 num_workers=0, collate_fn=None, pin_memory=False, drop_last=False, generator=None,
                 **options):
        if batch_size is not None and batch_size <= 0:
            raise ValueError("batch_size should be a positive integer value, but got "
                             f"batch_size={batch_size}")
        self.dataset = dataset
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.num_workers = num_workers
        self.collate_fn = default_collate if collate_fn is None else collate_fn
        self.drop_last = drop_last
        self.generator = generator

    def __len__(self):
        if self.batch_sampler is not None:
            return len(self.batch_sampler)
        n = len(self.dataset) if self.sampler is None else len(self.sampler)
        return n // self.batch_size if self.drop_last else (n + self.batch_size - 1) // self.batch_size

    def _order(self):
        if self.sampler is not None:
            return list(self.sampler)
        n = len(self.dataset)
        if not self.shuffle:
            return range(n)
        generator = self.generator
        if generator is None:
            generator = _torch.Generator()
            generator.manual_seed(_torch._draw_seed())
        return _torch.randperm(n, generator=generator).tolist()

    def __iter__(self):
        _torch._draw_seed(self.generator)
        if isinstance(self.dataset, IterableDataset):
            batch = []
            for example in self.dataset:
                batch.append(example)
                if len(batch) == self.batch_size:
                    yield self.collate_fn(batch)
                    batch = []
            if batch and not self.drop_last:
                yield self.collate_fn(batch)
            return
        if self.batch_sampler is not None:
            for batch in self.batch_sampler:
                yield self.collate_fn([self.dataset[i] for i in batch])
            return
        batch = []
        for i in self._order():
            batch.append(self.dataset[i])
            if len(batch) == self.batch_size:
                yield self.collate_fn(batch)
                batch = []
        if batch and not self.drop_last:
            yield self.collate_fn(batch)
