"""The recurrent layers of torch.nn: RNN, LSTM, GRU and their cells. torch.py joins them to torch.nn."""
import _torch
import math
from torch.nn import Module, Parameter, init, functional


def _rnn_step(x, state, parts):
    h = state[0]
    total = functional.linear(x, parts[0], parts[2]) + functional.linear(h, parts[1], parts[3])
    return (_torch.tanh(total),)


def _relu_step(x, state, parts):
    h = state[0]
    total = functional.linear(x, parts[0], parts[2]) + functional.linear(h, parts[1], parts[3])
    return (_torch.relu(total),)


def _lstm_step(x, state, parts):
    h, c = state
    gates = functional.linear(h, parts[1], parts[3]) + functional.linear(x, parts[0], parts[2])
    i, f, g, o = gates.chunk(4, -1)
    c = _torch.sigmoid(f) * c + _torch.sigmoid(i) * _torch.tanh(g)
    return _torch.sigmoid(o) * _torch.tanh(c), c


def _gru_step(x, state, parts):
    h = state[0]
    i_r, i_z, i_n = functional.linear(x, parts[0], parts[2]).chunk(3, -1)
    h_r, h_z, h_n = functional.linear(h, parts[1], parts[3]).chunk(3, -1)
    r = _torch.sigmoid(h_r + i_r)
    z = _torch.sigmoid(h_z + i_z)
    n = _torch.tanh(i_n + h_n * r)
    return ((h - n) * z + n,)


_STEPS = {"RNN_TANH": (1, _rnn_step, 1), "RNN_RELU": (1, _relu_step, 1), "LSTM": (4, _lstm_step, 2),
          "GRU": (3, _gru_step, 1)}  # gates, the step, and how many states it has


class RNNBase(Module):
    def __init__(self, mode, input_size, hidden_size, num_layers=1, bias=True, batch_first=False,
                 dropout=0.0, bidirectional=False, device=None, dtype=None):
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        gates = _STEPS[mode][0] * hidden_size
        self._names = []
        for layer in range(num_layers):
            for end in ("", "_reverse")[:1 + bidirectional]:
                size = input_size if layer == 0 else hidden_size * (1 + bidirectional)
                shapes = {f"weight_ih_l{layer}{end}": (gates, size),
                          f"weight_hh_l{layer}{end}": (gates, hidden_size)}
                if bias:
                    shapes[f"bias_ih_l{layer}{end}"] = (gates,)
                    shapes[f"bias_hh_l{layer}{end}"] = (gates,)
                for name, shape in shapes.items():
                    self.register_parameter(name, Parameter(_torch.empty(shape)))
                self._names.append(list(shapes))
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def flatten_parameters(self):
        pass

    def forward(self, input, hx=None):
        _, step, n_states = _STEPS[self.mode]
        if not isinstance(input, _torch.Tensor):
            raise NotImplementedError("attn's recurrent layers take tensors, not packed sequences")
        if input.dim() not in (2, 3):
            raise RuntimeError(f"{type(self).__name__}: Expected input to be 2-D or 3-D but received "
                               f"{input.dim()}-D tensor")
        if input.size(-1) != self.input_size:
            raise RuntimeError("input.size(-1) must be equal to input_size. Expected "
                               f"{self.input_size}, got {input.size(-1)}")
        is_batched = input.dim() == 3
        x = input if is_batched else input.unsqueeze(1)
        if self.batch_first and is_batched:
            x = x.transpose(0, 1)
        rows = len(self._names)
        if hx is None:
            states = [_torch.zeros(rows, x.size(1), self.hidden_size) for _ in range(n_states)]
        else:
            states = list(hx) if n_states == 2 else [hx]
            if not is_batched:
                states = [state.unsqueeze(1) for state in states]
            want = (rows, x.size(1), self.hidden_size)
            for k, state in enumerate(states):
                if tuple(state.shape) != want:
                    raise RuntimeError(f"Expected hidden{'' if n_states == 1 else f'[{k}]'} size "
                                       f"{want}, got {list(state.shape)}")
        last = [[] for _ in range(n_states)]
        ways = 1 + self.bidirectional
        for layer in range(self.num_layers):
            outputs = []
            for way in range(ways):
                row = layer * ways + way
                parts = [getattr(self, name) for name in self._names[row]]
                parts = parts + [None] * (4 - len(parts))
                state = tuple(one[row] for one in states)
                steps = [None] * x.size(0)
                for t in reversed(range(x.size(0))) if way else range(x.size(0)):
                    state = step(x[t], state, parts)
                    steps[t] = state[0]
                outputs.append(_torch.stack(steps))
                for k in range(n_states):
                    last[k].append(state[k])
            x = outputs[0] if ways == 1 else _torch.cat(outputs, -1)
            if self.dropout > 0 and layer < self.num_layers - 1:
                x = functional.dropout(x, self.dropout, self.training)
        ends = [_torch.stack(one) for one in last]
        if not is_batched:
            x, ends = x.squeeze(1), [one.squeeze(1) for one in ends]
        elif self.batch_first:
            x = x.transpose(0, 1)
        return x, tuple(ends) if n_states == 2 else ends[0]

    def extra_repr(self):
        said = f"{self.input_size}, {self.hidden_size}"
        for name, usual in (("num_layers", 1), ("bias", True), ("batch_first", False), ("dropout", 0.0),
                            ("bidirectional", False)):
            if getattr(self, name) != usual:
                said += f", {name}={getattr(self, name)}"
        return said


class RNN(RNNBase):
    def __init__(self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True,
                 batch_first=False, dropout=0.0, bidirectional=False, device=None, dtype=None):
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'")
        super().__init__("RNN_" + nonlinearity.upper(), input_size, hidden_size, num_layers, bias,
                         batch_first, dropout, bidirectional)
        self.nonlinearity = nonlinearity


class LSTM(RNNBase):
    def __init__(self, *args, **kwargs):
        super().__init__("LSTM", *args, **kwargs)


class GRU(RNNBase):
    def __init__(self, *args, **kwargs):
        super().__init__("GRU", *args, **kwargs)


class _Cell(Module):
    def __init__(self, mode, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__()
        self._mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        gates = _STEPS[mode][0] * hidden_size
        self.weight_ih = Parameter(_torch.empty(gates, input_size))
        self.weight_hh = Parameter(_torch.empty(gates, hidden_size))
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, Parameter(_torch.empty(gates)) if bias else None)
        bound = 1.0 / math.sqrt(hidden_size) if hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def forward(self, input, hx=None):
        _, step, n_states = _STEPS[self._mode]
        if hx is None:
            zeros = _torch.zeros(*input.shape[:-1], self.hidden_size)
            hx = (zeros, zeros)[:n_states]
        elif n_states == 1:
            hx = (hx,)
        ends = step(input, hx, (self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh))
        return ends if n_states == 2 else ends[0]

    def extra_repr(self):
        return f"{self.input_size}, {self.hidden_size}" + ("" if self.bias else ", bias=False")


class RNNCell(_Cell):
    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__("RNN_" + nonlinearity.upper(), input_size, hidden_size, bias)


class LSTMCell(_Cell):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__("LSTM", input_size, hidden_size, bias)


class GRUCell(_Cell):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__("GRU", input_size, hidden_size, bias)
