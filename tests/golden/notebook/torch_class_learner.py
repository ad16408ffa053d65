"""fast.ai's manner: delegates, store_attr-like, Learner with callbacks, Normalise; nn.Module subclass with __call__ wrappers."""
import re
from functools import partial, reduce, wraps
from itertools import chain
from operator import attrgetter
from types import SimpleNamespace
import torch
from torch import nn, tensor, optim
import torch.nn.functional as F

def flatten(o):
    "Concatenate all collections and items as a generator"
    for item in o:
        if isinstance(item, (list, tuple)): yield from flatten(item)
        else: yield item
print(list(flatten([1, [2, (3, [4])], 5])))

class CancelFitException(Exception): pass
class CancelBatchException(Exception): pass
class CancelEpochException(Exception): pass

class Callback(): order = 0

def run_cbs(cbs, method_nm, learn=None):
    for cb in sorted(cbs, key=attrgetter('order')):
        method = getattr(cb, method_nm, None)
        if method is not None: method(learn)

class CompletionCB(Callback):
    def before_fit(self, learn): self.count = 0
    def after_batch(self, learn): self.count += 1
    def after_fit(self, learn): print(f'Completed {self.count} batches')

class SingleBatchCB(Callback):
    order = 1
    def after_batch(self, learn): raise CancelFitException()

class with_cbs:
    def __init__(self, nm): self.nm = nm
    def __call__(self, f):
        def _f(o, *args, **kwargs):
            try:
                o.callback(f'before_{self.nm}')
                f(o, *args, **kwargs)
                o.callback(f'after_{self.nm}')
            except globals()[f'Cancel{self.nm.title()}Exception']: pass
            finally: o.callback(f'cleanup_{self.nm}')
        return _f

class Learner():
    def __init__(self, model, dls=(0,), loss_func=F.mse_loss, lr=0.1, cbs=None, opt_func=optim.SGD):
        self.model, self.dls, self.loss_func, self.lr, self.opt_func = model, dls, loss_func, lr, opt_func
        self.cbs = list(cbs or [])
    @with_cbs('batch')
    def _one_batch(self):
        self.predict()
        self.callback('after_predict')
        self.get_loss()
        self.callback('after_loss')
        if self.training:
            self.backward()
            self.step()
            self.zero_grad()
    @with_cbs('epoch')
    def _one_epoch(self):
        for self.iter, self.batch in enumerate(self.dl): self._one_batch()
    def one_epoch(self, training):
        self.model.train(training)
        self.dl = self.dls.train if training else self.dls.valid
        self._one_epoch()
    @with_cbs('fit')
    def _fit(self, train, valid):
        for self.epoch in self.epochs:
            if train: self.one_epoch(True)
            if valid:
                with torch.inference_mode(): self.one_epoch(False)
    def fit(self, n_epochs=1, train=True, valid=True, cbs=None, lr=None):
        cbs = list(cbs or [])
        for cb in cbs: self.cbs.append(cb)
        try:
            self.n_epochs = n_epochs
            self.epochs = range(n_epochs)
            if lr is None: lr = self.lr
            if self.opt_func: self.opt = self.opt_func(self.model.parameters(), lr)
            self._fit(train, valid)
        finally:
            for cb in cbs: self.cbs.remove(cb)
    def __getattr__(self, name):
        if name in ('predict','get_loss','backward','step','zero_grad'): return partial(self.callback, name)
        raise AttributeError(name)
    def callback(self, method_nm): run_cbs(self.cbs, method_nm, self)
    @property
    def training(self): return self.model.training

class TrainCB(Callback):
    def __init__(self, n_inp=1): self.n_inp = n_inp
    def predict(self, learn): learn.preds = learn.model(*learn.batch[:self.n_inp])
    def get_loss(self, learn): learn.loss = learn.loss_func(learn.preds, *learn.batch[self.n_inp:])
    def backward(self, learn): learn.loss.backward()
    def step(self, learn): learn.opt.step()
    def zero_grad(self, learn): learn.opt.zero_grad()

class PrintCB(Callback):
    order = 5
    def before_epoch(self, learn): self.tot = self.n = 0
    def after_batch(self, learn):
        n = len(learn.batch[0]); self.tot += learn.loss.item() * n; self.n += n
    def after_epoch(self, learn): print({'train': learn.training, 'epoch': learn.epoch, 'loss': f'{self.tot / self.n:.4f}'})

class SelfAttention2(nn.Module):
    def __init__(self, ni, nheads):
        super().__init__()
        self.nheads = nheads
        self.scale = (ni / nheads) ** 0.5
        self.norm = nn.BatchNorm1d(ni)
        self.qkv = nn.Linear(ni, ni * 3)
        self.proj = nn.Linear(ni, ni)
    def forward(self, inp):
        x = self.norm(inp.transpose(1, 2)).transpose(1, 2)
        x = self.qkv(x)
        x = torch.cat(torch.chunk(x, self.nheads, dim=-1), dim=0)
        q, k, v = torch.chunk(x, 3, dim=-1)
        s = (q @ k.transpose(1, 2)) / self.scale
        x = s.softmax(dim=-1) @ v
        x = torch.cat(torch.chunk(x, self.nheads, dim=0), dim=-1)
        return (inp + self.proj(x)).mean(1)

torch.manual_seed(42)
X = torch.randn(24, 5, 8); Y = X.mean(1)
def batches(x, y, bs): return list(zip(x.split(bs), y.split(bs)))
dls = SimpleNamespace(train=batches(X[:16], Y[:16], 4), valid=batches(X[16:], Y[16:], 8))
learn = Learner(SelfAttention2(8, 2), dls, cbs=[TrainCB(), PrintCB(), CompletionCB()])
learn.fit(3)
learn.fit(1, cbs=[SingleBatchCB()])
print(learn.loss)
print(len(learn.cbs), re.sub(r'([a-z])([A-Z])', r'\1_\2', 'SelfAttention2').lower())
