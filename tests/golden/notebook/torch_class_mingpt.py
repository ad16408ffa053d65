"""minGPT: CfgNode, a Trainer with callbacks, and NewGELU."""
import math, json, sys
from ast import literal_eval
from collections import defaultdict
import torch
import torch.nn as nn
from torch.nn import functional as F
from torch.utils.data import Dataset
from torch.utils.data.dataloader import DataLoader

class CfgNode:
    def __init__(self, **kwargs):
        self.__dict__.update(kwargs)
    def __str__(self):
        return self._str_helper(0)
    def _str_helper(self, indent):
        parts = []
        for k, v in self.__dict__.items():
            if isinstance(v, CfgNode):
                parts.append("%s:\n" % k)
                parts.append(v._str_helper(indent + 1))
            else:
                parts.append("%s: %s\n" % (k, v))
        parts = [' ' * (indent * 4) + p for p in parts]
        return "".join(parts)
    def to_dict(self):
        return { k: v.to_dict() if isinstance(v, CfgNode) else v for k, v in self.__dict__.items() }
    def merge_from_dict(self, d):
        self.__dict__.update(d)
    def merge_from_args(self, args):
        for arg in args:
            keyval = arg.split('=')
            assert len(keyval) == 2, "expecting each override arg to be of form --arg=value, got %s" % arg
            key, val = keyval
            try:
                val = literal_eval(val)
            except ValueError:
                pass
            assert key[:2] == '--'
            key = key[2:]
            keys = key.split('.')
            obj = self
            for k in keys[:-1]:
                obj = getattr(obj, k)
            leaf_key = keys[-1]
            assert hasattr(obj, leaf_key), f"{key} is not an attribute that exists in the config"
            print("command line overwriting config attribute %s with %s" % (key, val))
            setattr(obj, leaf_key, val)

class NewGELU(nn.Module):
    def forward(self, x):
        return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))

class SortDataset(Dataset):
    def __init__(self, split, length=4, num_digits=3):
        assert split in {'train', 'test'}
        self.split, self.length, self.num_digits = split, length, num_digits
    def __len__(self):
        return 40
    def get_vocab_size(self):
        return self.num_digits
    def get_block_size(self):
        return self.length * 2 - 1
    def __getitem__(self, idx):
        while True:
            inp = torch.randint(self.num_digits, size=(self.length,), dtype=torch.long)
            if torch.rand(1).item() < 0.5:
                if inp.unique().nelement() > self.length // 2:
                    continue
            break
        sol = torch.sort(inp)[0]
        cat = torch.cat((inp, sol), dim=0)
        x = cat[:-1].clone()
        y = cat[1:].clone()
        y[:self.length-1] = -1
        return x, y

class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.ln_1 = nn.LayerNorm(config.n_embd)
        self.key = nn.Linear(config.n_embd, config.n_embd)
        self.query = nn.Linear(config.n_embd, config.n_embd)
        self.value = nn.Linear(config.n_embd, config.n_embd)
        self.n_head = config.n_head
        self.register_buffer("mask", torch.tril(torch.ones(config.block_size, config.block_size)).view(1, 1, config.block_size, config.block_size))
        self.ln_2 = nn.LayerNorm(config.n_embd)
        self.mlp = nn.ModuleDict(dict(
            c_fc    = nn.Linear(config.n_embd, 4 * config.n_embd),
            c_proj  = nn.Linear(4 * config.n_embd, config.n_embd),
            act     = NewGELU(),
            dropout = nn.Dropout(config.resid_pdrop),
        ))
        m = self.mlp
        self.mlpf = lambda x: m.dropout(m.c_proj(m.act(m.c_fc(x))))
    def attn(self, x):
        B, T, C = x.size()
        k = self.key(x).view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        q = self.query(x).view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = self.value(x).view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.mask[:,:,:T,:T] == 0, float('-inf'))
        y = F.softmax(att, dim=-1) @ v
        return y.transpose(1, 2).contiguous().view(B, T, C)
    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlpf(self.ln_2(x))

class GPT(nn.Module):
    @staticmethod
    def get_default_config():
        C = CfgNode()
        C.n_layer, C.n_head, C.n_embd = 1, 2, 12
        C.vocab_size = None
        C.block_size = None
        C.resid_pdrop = 0.1
        return C
    def __init__(self, config):
        super().__init__()
        assert config.vocab_size is not None
        self.block_size = config.block_size
        self.tok_emb = nn.Embedding(config.vocab_size, config.n_embd)
        self.pos_emb = nn.Parameter(torch.zeros(1, config.block_size, config.n_embd))
        self.blocks = nn.Sequential(*[Block(config) for _ in range(config.n_layer)])
        self.head = nn.Linear(config.n_embd, config.vocab_size, bias=False)
    def configure(self):
        decay, no_decay = set(), set()
        whitelist = (torch.nn.Linear, )
        blacklist = (torch.nn.LayerNorm, torch.nn.Embedding)
        for mn, m in self.named_modules():
            for pn, p in m.named_parameters(recurse=False):
                fpn = '%s.%s' % (mn, pn) if mn else pn
                if pn.endswith('bias'):
                    no_decay.add(fpn)
                elif pn.endswith('weight') and isinstance(m, whitelist):
                    decay.add(fpn)
                elif pn.endswith('weight') and isinstance(m, blacklist):
                    no_decay.add(fpn)
        no_decay.add('pos_emb')
        param_dict = {pn: p for pn, p in self.named_parameters()}
        inter_params = decay & no_decay
        union_params = decay | no_decay
        assert len(inter_params) == 0
        assert len(param_dict.keys() - union_params) == 0, "parameters %s were not separated" % (str(param_dict.keys() - union_params), )
        return torch.optim.AdamW([
            {"params": [param_dict[pn] for pn in sorted(list(decay))], "weight_decay": 0.1},
            {"params": [param_dict[pn] for pn in sorted(list(no_decay))], "weight_decay": 0.0},
        ], lr=3e-3, betas=(0.9, 0.95))
    def forward(self, idx, targets=None):
        x = self.tok_emb(idx) + self.pos_emb[:, :idx.size(1)]
        logits = self.head(self.blocks(x))
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
        return logits, loss

class Trainer:
    def __init__(self, config, model, train_dataset):
        self.config, self.model, self.train_dataset = config, model, train_dataset
        self.callbacks = defaultdict(list)
        self.iter_num = 0
    def add_callback(self, onevent: str, callback):
        self.callbacks[onevent].append(callback)
    def trigger_callbacks(self, onevent: str):
        for callback in self.callbacks.get(onevent, []):
            callback(self)
    def run(self):
        model, config = self.model, self.config
        self.optimizer = model.configure()
        loader = DataLoader(self.train_dataset, shuffle=True, pin_memory=False, batch_size=config.batch_size, num_workers=0)
        model.train()
        data_iter = iter(loader)
        while True:
            try:
                batch = next(data_iter)
            except StopIteration:
                data_iter = iter(loader)
                batch = next(data_iter)
            x, y = [t.to('cpu') for t in batch]
            logits, self.loss = model(x, y)
            model.zero_grad(set_to_none=True)
            self.loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), config.grad_norm_clip)
            self.optimizer.step()
            self.trigger_callbacks('on_batch_end')
            self.iter_num += 1
            if config.max_iters is not None and self.iter_num >= config.max_iters:
                break

torch.manual_seed(3407)
C = CfgNode()
C.model = GPT.get_default_config()
C.trainer = CfgNode(batch_size=16, max_iters=7, grad_norm_clip=1.0)
ds = SortDataset('train')
C.model.vocab_size = ds.get_vocab_size()
C.model.block_size = ds.get_block_size()
C.merge_from_args(["--model.n_embd=8", "--trainer.max_iters=6"])
print(C)
print(json.dumps(C.to_dict(), indent=2))
model = GPT(C.model)
t = Trainer(C.trainer, model, ds)
def batch_end_callback(trainer):
    if trainer.iter_num % 2 == 0:
        print(f"iter {trainer.iter_num}; train loss {trainer.loss.item():.5f}")
t.add_callback('on_batch_end', batch_end_callback)
t.run()
model.eval()
with torch.no_grad():
    inp = torch.tensor([[0, 2, 1, 0]])
    logits, _ = model(inp)
    print(logits[0].softmax(-1))
