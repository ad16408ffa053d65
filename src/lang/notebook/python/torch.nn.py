"""torch.nn: modules, and the layers that cells use."""
import _torch
import math
from collections import OrderedDict
from _torch import Parameter
import torch.nn.functional as functional
import torch.nn.init as init

F = functional


class _Handle:
    """What a register_...hook() gives back."""

    def __init__(self, hooks, hook):
        self.hooks = hooks
        self.id = max(hooks, default=-1) + 1
        hooks[self.id] = hook

    def remove(self):
        self.hooks.pop(self.id, None)


class _IncompatibleKeys:
    """What load_state_dict() gives back: two lists, as attributes and as a pair."""

    def __init__(self, missing_keys, unexpected_keys):
        self.missing_keys = missing_keys
        self.unexpected_keys = unexpected_keys

    def __iter__(self):
        return iter((self.missing_keys, self.unexpected_keys))

    def __getitem__(self, index):
        return (self.missing_keys, self.unexpected_keys)[index]

    def __len__(self):
        return 2

    def __repr__(self):
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return (f"_IncompatibleKeys(missing_keys={self.missing_keys}, "
                f"unexpected_keys={self.unexpected_keys})")


def _indented(text):
    return text.replace("\n", "\n  ")


class Module:
    def __init__(self, *args, **kwargs):
        d = self.__dict__
        d["training"] = True
        d["_parameters"] = OrderedDict()
        d["_buffers"] = OrderedDict()
        d["_non_persistent_buffers_set"] = set()
        d["_modules"] = OrderedDict()
        d["_forward_hooks"] = OrderedDict()
        d["_forward_pre_hooks"] = OrderedDict()

    def __call__(self, *args, **kwargs):
        d = self.__dict__
        if "_forward_hooks" not in d or not (d["_forward_hooks"] or d["_forward_pre_hooks"]):
            return self.forward(*args, **kwargs)
        for hook in list(d["_forward_pre_hooks"].values()):
            changed = hook(self, args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
        result = self.forward(*args, **kwargs)
        for hook in list(d["_forward_hooks"].values()):
            changed = hook(self, args, result)
            if changed is not None:
                result = changed
        return result

    def forward(self, *input):
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function')

    # ---- attributes ----

    def __getattr__(self, name):
        d = self.__dict__
        for group in ("_parameters", "_buffers", "_modules"):
            if group in d and name in d[group]:
                return d[group][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name, value):
        d = self.__dict__
        if isinstance(value, Parameter):
            if "_parameters" not in d:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name)
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            if "_modules" not in d:
                raise AttributeError("cannot assign module before Module.__init__() call")
            if name not in d["_modules"]:
                self._forget(name)
            d["_modules"][name] = value
        elif "_parameters" in d and name in d["_parameters"]:
            if value is not None:
                raise TypeError(f"cannot assign '{_type_name(value)}' as parameter '{name}' "
                                "(torch.nn.Parameter or None expected)")
            d["_parameters"][name] = None
        elif "_modules" in d and name in d["_modules"]:
            if value is not None:
                raise TypeError(f"cannot assign '{_type_name(value)}' as child module '{name}' "
                                "(torch.nn.Module or None expected)")
            d["_modules"][name] = None
        elif "_buffers" in d and name in d["_buffers"]:
            if value is not None and not isinstance(value, _torch.Tensor):
                raise TypeError(f"cannot assign '{_type_name(value)}' as buffer '{name}' "
                                "(torch.Tensor or None expected)")
            d["_buffers"][name] = value
        else:
            object.__setattr__(self, name, value)

    def __delattr__(self, name):
        for group in ("_parameters", "_buffers", "_modules"):
            if name in self.__dict__[group]:
                del self.__dict__[group][name]
                self.__dict__["_non_persistent_buffers_set"].discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self):
        return sorted(set(list(self.__dict__) + list(self._parameters) + list(self._buffers)
                          + list(self._modules)))

    def _forget(self, name):
        """Takes a name out of all groups but that of parameters, where it keeps its place."""
        d = self.__dict__
        d.pop(name, None)
        d["_buffers"].pop(name, None)
        d["_modules"].pop(name, None)
        d["_non_persistent_buffers_set"].discard(name)

    def _check_name(self, name, what, group):
        if not isinstance(name, str):
            raise TypeError(f"{what} name should be a string. Got {_type_name(name)}")
        if "." in name:
            raise KeyError(f'{what} name can\'t contain "."' if what != "module" else
                           f'module name can\'t contain ".", got: {name}')
        if name == "":
            raise KeyError(f'{what} name can\'t be empty string ""')
        if hasattr(self, name) and name not in self.__dict__[group]:
            raise KeyError(f"attribute '{name}' already exists")

    def register_parameter(self, name, param):
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        self._check_name(name, "parameter", "_parameters")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(f"cannot assign '{_type_name(param)}' object to parameter '{name}' "
                            "(torch.nn.Parameter or None required)")
        self._parameters[name] = param

    def register_buffer(self, name, tensor, persistent=True):
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        self._check_name(name, "buffer", "_buffers")
        if tensor is not None and not isinstance(tensor, _torch.Tensor):
            raise TypeError(f"cannot assign '{_type_name(tensor)}' object to buffer '{name}' "
                            "(torch Tensor or None required)")
        self._buffers[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name, module):
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{_type_name(module)} is not a Module subclass")
        self._check_name(name, "module", "_modules")
        self._modules[name] = module

    register_module = add_module

    def register_forward_hook(self, hook, **options):
        return _Handle(self._forward_hooks, hook)

    def register_forward_pre_hook(self, hook, **options):
        return _Handle(self._forward_pre_hooks, hook)

    # ---- walking through ----

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                inner = prefix + ("." if prefix else "") + name
                yield from module.named_modules(memo, inner, remove_duplicate)

    def modules(self):
        for _, module in self.named_modules():
            yield module

    def named_children(self):
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self):
        for _, module in self.named_children():
            yield module

    def _named(self, group, prefix, recurse, remove_duplicate):
        seen = set()
        for path, module in (self.named_modules(None, prefix) if recurse else [(prefix, self)]):
            for name, tensor in module.__dict__[group].items():
                if tensor is None or tensor in seen:
                    continue
                if remove_duplicate:
                    seen.add(tensor)
                yield path + ("." if path else "") + name, tensor

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        for module in self.modules() if recurse else (self,):
            if getattr(module, "_is_lazy", False):
                raise NotImplementedError("attn lists parameters after the sizes are known: run the "
                                          "module once before (its LazyLinear has no input yet)")
        return self._named("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse=True):
        for _, parameter in self.named_parameters("", recurse):
            yield parameter

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        return self._named("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse=True):
        for _, buffer in self.named_buffers("", recurse):
            yield buffer

    def get_submodule(self, target):
        module = self
        for name in target.split(".") if target else []:
            if not hasattr(module, name):
                raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
            module = getattr(module, name)
            if not isinstance(module, Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module

    def get_parameter(self, target):
        path, _, name = target.rpartition(".")
        return getattr(self.get_submodule(path), name)

    get_buffer = get_parameter

    # ---- states ----

    def state_dict(self, destination=None, prefix="", keep_vars=False):
        destination = OrderedDict() if destination is None else destination
        for name, parameter in self._parameters.items():
            if parameter is not None:
                destination[prefix + name] = parameter if keep_vars else parameter.detach()
        for name, buffer in self._buffers.items():
            if buffer is not None and name not in self._non_persistent_buffers_set:
                destination[prefix + name] = buffer if keep_vars else buffer.detach()
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination, prefix + name + ".", keep_vars)
        return destination

    def _load(self, state, prefix, missing, unexpected, errors, assign):
        own = OrderedDict(self._parameters)
        for name, buffer in self._buffers.items():
            if name not in self._non_persistent_buffers_set:
                own[name] = buffer
        for name, tensor in own.items():
            key = prefix + name
            if tensor is None:
                continue
            if key not in state:
                missing.append(key)
                continue
            given = state[key]
            if not isinstance(given, _torch.Tensor):
                errors.append(f'While copying the parameter named "{key}", expected torch.Tensor or '
                              f"Tensor-like object from checkpoint but received {type(given)}")
                continue
            if len(tensor.shape) == 0 and len(given.shape) == 1:
                given = given[0]
            if given.shape != tensor.shape:
                errors.append(f"size mismatch for {key}: copying a param with shape {given.shape} from "
                              f"checkpoint, the shape in current model is {tensor.shape}.")
                continue
            if assign:
                if name in self._parameters:
                    given = Parameter(given, requires_grad=tensor.requires_grad)
                setattr(self, name, given)
                continue
            before = _torch._set_grad(False)
            try:
                tensor.copy_(given)
            finally:
                _torch._set_grad(before)
        for key in state:
            if key.startswith(prefix):
                first = key[len(prefix):].split(".")[0]
                if first not in self._modules and own.get(first) is None:
                    unexpected.append(key)
        for name, module in self._modules.items():
            if module is not None:
                module._load(state, prefix + name + ".", missing, unexpected, errors, assign)

    def load_state_dict(self, state_dict, strict=True, assign=False):
        if not isinstance(state_dict, dict):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        missing, unexpected, errors = [], [], []
        self._load(state_dict, "", missing, unexpected, errors, assign)
        for what, keys in (("Unexpected", unexpected), ("Missing", missing)):
            if strict and keys:
                names = ", ".join(f'"{key}"' for key in keys)
                errors.insert(0, f"{what} key(s) in state_dict: {names}. ")
        if errors:
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t"
                               + "\n\t".join(errors))
        return _IncompatibleKeys(missing, unexpected)

    def train(self, mode=True):
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        for parameter in self.parameters():
            if parameter.grad is not None:
                if set_to_none:
                    parameter.grad = None
                else:
                    parameter.grad.zero_()

    def apply(self, fn):
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def _cast(self, change):
        for module in self.modules():
            for parameter in module._parameters.values():
                if parameter is not None and parameter.is_floating_point():
                    parameter.data = change(parameter.data)
            for name, buffer in module._buffers.items():
                if buffer is not None and buffer.is_floating_point():
                    module._buffers[name] = change(buffer)
        return self

    def to(self, *args, **kwargs):
        dtypes = [x for x in list(args) + list(kwargs.values()) if isinstance(x, _torch.dtype)]
        return self._cast(lambda t: t.to(dtypes[0])) if dtypes else self

    def float(self):
        return self._cast(lambda t: t.float())

    def double(self):
        return self._cast(lambda t: t.double())

    def half(self):
        return self._cast(lambda t: t.half())

    def bfloat16(self):
        return self._cast(lambda t: t.bfloat16())

    def type(self, dst_type):
        return self._cast(lambda t: t.to(dst_type))

    def cuda(self, device=None):
        return self

    def cpu(self):
        return self

    def compile(self, *args, **kwargs):
        return None

    def share_memory(self):
        return self

    # ---- printing ----

    def _get_name(self):
        return type(self).__name__

    def extra_repr(self):
        return ""

    def __repr__(self):
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        if len(lines) == 1 and not self._modules:
            return f"{self._get_name()}({extra})"
        lines += [f"({name}): {_indented(repr(module))}" for name, module in self._modules.items()]
        return self._get_name() + "(" + ("\n  " + "\n  ".join(lines) + "\n" if lines else "") + ")"


def _type_name(value):
    if isinstance(value, _torch.Tensor):
        return "torch.FloatTensor" if value.dtype == _torch.float32 else value.type()
    return type(value).__name__


# ---- layers with weights ----


class Identity(Module):
    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input


class Linear(Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(_torch.empty((out_features, in_features), dtype=dtype))
        if bias:
            self.bias = Parameter(_torch.empty(out_features, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input):
        parameters = self.__dict__["_parameters"]
        return functional.linear(input, parameters["weight"], parameters["bias"])

    def extra_repr(self):
        return (f"in_features={self.in_features}, out_features={self.out_features}, "
                f"bias={self.bias is not None}")


class _Conv(Module):
    def __init__(self, n, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1,
                 bias=True, padding_mode="zeros", device=None, dtype=None):
        super().__init__()
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        if padding_mode != "zeros":
            raise NotImplementedError("attn's convolutions pad with zeros")
        self.in_channels, self.out_channels = in_channels, out_channels
        self.kernel_size = functional._spread(kernel_size, n)
        self.stride, self.dilation = functional._spread(stride, n), functional._spread(dilation, n)
        self.padding = padding if isinstance(padding, str) else functional._spread(padding, n)
        self.groups = groups
        self.weight = Parameter(_torch.empty((out_channels, in_channels // groups) + self.kernel_size))
        if bias:
            self.bias = Parameter(_torch.empty(out_channels))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.weight[0].numel())
            init.uniform_(self.bias, -bound, bound)

    def extra_repr(self):
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if self.padding not in ((0,) * len(self.kernel_size), "valid"):
            text += f", padding={self.padding}"
        if self.dilation != (1,) * len(self.kernel_size):
            text += f", dilation={self.dilation}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        return text if self.bias is not None else text + ", bias=False"


class Conv1d(_Conv):
    def __init__(self, *args, **kwargs):
        super().__init__(1, *args, **kwargs)

    def forward(self, input):
        return functional.conv1d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class Conv2d(_Conv):
    def __init__(self, *args, **kwargs):
        super().__init__(2, *args, **kwargs)

    def forward(self, input):
        return functional.conv2d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class _Pool(Module):
    def __init__(self, kernel_size, stride=None):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding=0"


class MaxPool1d(_Pool):
    def forward(self, input):
        return functional.max_pool1d(input, self.kernel_size, self.stride)

    def extra_repr(self):
        return super().extra_repr() + ", dilation=1, ceil_mode=False"


class MaxPool2d(MaxPool1d):
    def forward(self, input):
        return functional.max_pool2d(input, self.kernel_size, self.stride)


class AvgPool2d(_Pool):
    def forward(self, input):
        return functional.avg_pool2d(input, self.kernel_size, self.stride)


class LazyLinear(Linear):
    """A Linear that learns in_features from its first input, and draws its numbers then."""

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        Module.__init__(self)
        self.in_features = 0
        self.out_features = out_features
        self._has_bias = bias
        self._is_lazy = True
        self.register_parameter("weight", None)
        self.register_parameter("bias", None)

    def forward(self, input):
        if self._is_lazy:
            self._is_lazy = False
            self.in_features = input.shape[-1]
            self.weight = Parameter(_torch.empty((self.out_features, self.in_features)))
            if self._has_bias:
                self.bias = Parameter(_torch.empty(self.out_features))
            self.reset_parameters()
        return Linear.forward(self, input)

    def _get_name(self):
        return "LazyLinear" if self._is_lazy else "Linear"

    def extra_repr(self):
        return (f"in_features={self.in_features}, out_features={self.out_features}, "
                f"bias={self._has_bias}")


class NonDynamicallyQuantizableLinear(Linear):
    pass


class Bilinear(Module):
    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        self.weight = Parameter(_torch.empty((out_features, in1_features, in2_features)))
        if bias:
            self.bias = Parameter(_torch.empty(out_features))
        else:
            self.register_parameter("bias", None)
        bound = 1 / math.sqrt(in1_features)
        init.uniform_(self.weight, -bound, bound)
        if bias:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1, input2):
        sums = _torch.einsum("...i,oij,...j->...o", input1, self.weight, input2)
        return sums if self.bias is None else sums + self.bias

    def extra_repr(self):
        return (f"in1_features={self.in1_features}, in2_features={self.in2_features}, "
                f"out_features={self.out_features}, bias={self.bias is not None}")


class Embedding(Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0,
                 scale_grad_by_freq=False, sparse=False, _weight=None, _freeze=False, device=None,
                 dtype=None):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        if padding_idx is not None:
            if padding_idx > 0:
                assert padding_idx < num_embeddings, "Padding_idx must be within num_embeddings"
            elif padding_idx < 0:
                assert padding_idx >= -num_embeddings, "Padding_idx must be within num_embeddings"
                padding_idx = num_embeddings + padding_idx
        if max_norm is not None:
            raise NotImplementedError("attn's Embedding() takes no max_norm")
        self.padding_idx = padding_idx
        if _weight is None:
            self.weight = Parameter(_torch.empty((num_embeddings, embedding_dim), dtype=dtype),
                                    requires_grad=not _freeze)
            self.reset_parameters()
        else:
            assert list(_weight.shape) == [num_embeddings, embedding_dim], \
                "Shape of weight does not match num_embeddings and embedding_dim"
            self.weight = Parameter(_weight, requires_grad=not _freeze)

    def reset_parameters(self):
        init.normal_(self.weight)
        if self.padding_idx is not None:
            before = _torch._set_grad(False)
            self.weight[self.padding_idx].fill_(0)
            _torch._set_grad(before)

    def forward(self, input):
        if self.padding_idx is None:
            return functional.embedding(input, self.__dict__["_parameters"]["weight"])
        # No gradient reaches the row of the padding.
        rows = functional.embedding(input, self.weight)
        is_padding = (input == self.padding_idx).unsqueeze(-1)
        return _torch._named(_torch._where(is_padding, rows.detach(), rows), "EmbeddingBackward0")

    def extra_repr(self):
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, padding_idx=None, **options):
        assert embeddings.dim() == 2, "Embeddings parameter is expected to be 2-dimensional"
        return cls(embeddings.size(0), embeddings.size(1), padding_idx, _weight=embeddings,
                   _freeze=freeze)


class LayerNorm(Module):
    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None,
                 dtype=None):
        super().__init__()
        if isinstance(normalized_shape, int):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        if elementwise_affine:
            self.weight = Parameter(_torch.ones(self.normalized_shape, dtype=dtype))
        else:
            self.register_parameter("weight", None)
        if elementwise_affine and bias:
            self.bias = Parameter(_torch.zeros(self.normalized_shape, dtype=dtype))
        else:
            self.register_parameter("bias", None)

    def reset_parameters(self):
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, input):
        return functional.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class RMSNorm(Module):
    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        if isinstance(normalized_shape, int):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        if elementwise_affine:
            self.weight = Parameter(_torch.ones(self.normalized_shape, dtype=dtype))
        else:
            self.register_parameter("weight", None)

    def forward(self, input):
        return functional.rms_norm(input, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self):
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class BatchNorm1d(Module):
    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True,
                 device=None, dtype=None):
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        if affine:
            self.weight = Parameter(_torch.ones(num_features))
            self.bias = Parameter(_torch.zeros(num_features))
        else:
            self.register_parameter("weight", None)
            self.register_parameter("bias", None)
        if track_running_stats:
            self.register_buffer("running_mean", _torch.zeros(num_features))
            self.register_buffer("running_var", _torch.ones(num_features))
            self.register_buffer("num_batches_tracked", _torch.tensor(0, dtype=_torch.int64))
        else:
            self.register_buffer("running_mean", None)
            self.register_buffer("running_var", None)
            self.register_buffer("num_batches_tracked", None)

    def forward(self, input):
        axes = [axis for axis in range(input.dim()) if axis != 1]
        shape = [1 if axis in axes else -1 for axis in range(input.dim())]
        if self.training or not self.track_running_stats:
            n = input.numel() // input.size(1)
            if self.training and n <= 1:
                raise ValueError("Expected more than 1 value per channel when training, got input "
                                 f"size {input.size()}")
            mean = input.mean(axes)
            var = input.var(axes, unbiased=False)
            if self.track_running_stats:
                before = _torch._set_grad(False)
                share = self.momentum
                self.num_batches_tracked.add_(1)
                if share is None:
                    share = 1.0 / self.num_batches_tracked.item()
                self.running_mean.mul_(1 - share).add_(mean.detach(), alpha=share)
                self.running_var.mul_(1 - share).add_(var.detach() * (n / (n - 1)), alpha=share)
                _torch._set_grad(before)
        else:
            mean, var = self.running_mean, self.running_var
        result = (input - mean.reshape(shape)) / (var.reshape(shape) + self.eps).sqrt()
        if self.affine:
            result = result * self.weight.reshape(shape) + self.bias.reshape(shape)
        return _torch._named(result, "NativeBatchNormBackward0")

    def extra_repr(self):
        return (f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
                f"track_running_stats={self.track_running_stats}")


class BatchNorm2d(BatchNorm1d):
    pass


class _Dropout(Module):
    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace

    def forward(self, input):
        return functional.dropout(input, self.p, self.training)

    def extra_repr(self):
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_Dropout):
    pass


# ---- functions as modules ----


class _Activation(Module):
    """A module that applies a function of torch.nn.functional."""

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def extra_repr(self):
        return "inplace=True" if self.inplace else ""


class ReLU(_Activation):
    def forward(self, input):
        return functional.relu(input)


class ReLU6(_Activation):
    def forward(self, input):
        return functional.relu6(input)

    def extra_repr(self):
        return "inplace=True" if self.inplace else ""


class SiLU(_Activation):
    def forward(self, input):
        return functional.silu(input)


class Mish(_Activation):
    def forward(self, input):
        return functional.mish(input)


class Tanh(Module):
    def forward(self, input):
        return _torch.tanh(input)


class Sigmoid(Module):
    def forward(self, input):
        return _torch.sigmoid(input)


class LogSigmoid(Module):
    def forward(self, input):
        return functional.logsigmoid(input)


class GELU(Module):
    def __init__(self, approximate="none"):
        super().__init__()
        self.approximate = approximate

    def forward(self, input):
        return functional.gelu(input, approximate=self.approximate)

    def extra_repr(self):
        return f"approximate='{self.approximate}'"


class LeakyReLU(_Activation):
    def __init__(self, negative_slope=1e-2, inplace=False):
        super().__init__(inplace)
        self.negative_slope = negative_slope

    def forward(self, input):
        return functional.leaky_relu(input, self.negative_slope)

    def extra_repr(self):
        return f"negative_slope={self.negative_slope}" + (", inplace=True" if self.inplace else "")


class ELU(_Activation):
    def __init__(self, alpha=1.0, inplace=False):
        super().__init__(inplace)
        self.alpha = alpha

    def forward(self, input):
        return functional.elu(input, self.alpha)

    def extra_repr(self):
        return f"alpha={self.alpha}" + (", inplace=True" if self.inplace else "")


class Softplus(Module):
    def __init__(self, beta=1, threshold=20):
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input):
        return functional.softplus(input, self.beta, self.threshold)

    def extra_repr(self):
        return f"beta={self.beta}, threshold={self.threshold}"


class GLU(Module):
    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return functional.glu(input, self.dim)

    def extra_repr(self):
        return f"dim={self.dim}"


class Softmax(Module):
    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return functional.softmax(input, self.dim)

    def extra_repr(self):
        return f"dim={self.dim}"


class LogSoftmax(Module):
    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return functional.log_softmax(input, self.dim)

    def extra_repr(self):
        return f"dim={self.dim}"


class Flatten(Module):
    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input):
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self):
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    def __init__(self, dim, unflattened_size):
        super().__init__()
        self.dim = dim
        self.unflattened_size = unflattened_size

    def forward(self, input):
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self):
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"


class CosineSimilarity(Module):
    def __init__(self, dim=1, eps=1e-8):
        super().__init__()
        self.dim = dim
        self.eps = eps

    def forward(self, x1, x2):
        return functional.cosine_similarity(x1, x2, self.dim, self.eps)


# ---- containers ----


def _position(index, n):
    at = index if isinstance(index, int) else index.__index__()
    if not -n <= at < n:
        raise IndexError(f"index {at} is out of range")
    return at + n if at < 0 else at


class _Row(Module):
    """Modules under the names "0", "1", ..."""

    def _renew(self, modules):
        self._modules.clear()
        for i, module in enumerate(modules):
            self._modules[str(i)] = module

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(list(self._modules.values()))

    def __getitem__(self, index):
        modules = list(self._modules.values())
        if isinstance(index, slice):
            names = list(self._modules)[index]
            if isinstance(self, Sequential):
                return type(self)(OrderedDict([(name, self._modules[name]) for name in names]))
            return type(self)(modules[index])
        return modules[_position(index, len(modules))]

    def __setitem__(self, index, module):
        setattr(self, list(self._modules)[_position(index, len(self))], module)

    def __delitem__(self, index):
        modules = list(self._modules.values())
        del modules[index]
        self._renew(modules)

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

    def insert(self, index, module):
        modules = list(self._modules.values())
        modules.insert(index, module)
        self._renew(modules)
        if isinstance(self, Sequential):
            return self

    def pop(self, key):
        module = self[key]
        del self[key]
        return module


class Sequential(_Row):
    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and isinstance(args[0], dict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for i, module in enumerate(args):
                self.add_module(str(i), module)

    def forward(self, input):
        for module in self.__dict__["_modules"].values():
            input = module(input)
        return input


class ModuleList(_Row):
    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __iadd__(self, modules):
        return self.extend(modules)

    def __add__(self, other):
        return ModuleList(list(self) + list(other))


class ModuleDict(Module):
    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    def update(self, modules):
        for name, module in (modules.items() if hasattr(modules, "items") else modules):
            self[name] = module

    def __getitem__(self, key):
        return self._modules[key]

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def __delitem__(self, key):
        del self._modules[key]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules)

    def __contains__(self, key):
        return key in self._modules

    def clear(self):
        self._modules.clear()

    def pop(self, key):
        return self._modules.pop(key)

    def keys(self):
        return self._modules.keys()

    def values(self):
        return self._modules.values()

    def items(self):
        return self._modules.items()


def _parameter_line(name, parameter):
    if not isinstance(parameter, _torch.Tensor):
        return f"  ({name}): Object of type: {type(parameter).__name__}"
    kind = "Parameter" if isinstance(parameter, Parameter) else "Tensor"
    size = "x".join(str(size) for size in parameter.size())
    return f"  ({name}): {kind} containing: [{parameter.dtype} of size {size}]"


class ParameterList(Module):
    def __init__(self, values=None):
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def __len__(self):
        return self._size

    def __iter__(self):
        return iter([self[i] for i in range(self._size)])

    def __getitem__(self, index):
        if isinstance(index, slice):
            return ParameterList([self[i] for i in range(*index.indices(self._size))])
        return getattr(self, str(_position(index, self._size)))

    def __setitem__(self, index, value):
        if isinstance(value, _torch.Tensor) and not isinstance(value, Parameter):
            value = Parameter(value)
        setattr(self, str(_position(index, self._size)), value)

    def append(self, value):
        self._size += 1
        self[self._size - 1] = value
        return self

    def extend(self, values):
        for value in values:
            self.append(value)
        return self

    def __iadd__(self, values):
        return self.extend(values)

    def extra_repr(self):
        return "\n".join(_parameter_line(i, value) for i, value in enumerate(self))


class ParameterDict(Module):
    def __init__(self, parameters=None):
        super().__init__()
        self._keys = {}
        if parameters is not None:
            self.update(parameters)

    def update(self, parameters):
        for key, value in (parameters.items() if hasattr(parameters, "items") else parameters):
            self[key] = value

    def __getitem__(self, key):
        return getattr(self, key)

    def __setitem__(self, key, value):
        if isinstance(value, _torch.Tensor) and not isinstance(value, Parameter):
            value = Parameter(value)
        self._keys[key] = None
        setattr(self, key, value)

    def __delitem__(self, key):
        del self._keys[key]
        delattr(self, key)

    def __len__(self):
        return len(self._keys)

    def __iter__(self):
        return iter(self._keys)

    def __contains__(self, key):
        return key in self._keys

    def keys(self):
        return self._keys.keys()

    def items(self):
        return [(key, self[key]) for key in self._keys]

    def values(self):
        return [self[key] for key in self._keys]

    def extra_repr(self):
        return "\n".join(_parameter_line(key, value) for key, value in self.items())


# ---- losses ----


class _Loss(Module):
    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        self.reduction = reduction


class MSELoss(_Loss):
    def forward(self, input, target):
        return functional.mse_loss(input, target, reduction=self.reduction)


class L1Loss(_Loss):
    def forward(self, input, target):
        return functional.l1_loss(input, target, reduction=self.reduction)


class KLDivLoss(_Loss):
    def __init__(self, size_average=None, reduce=None, reduction="mean", log_target=False):
        super().__init__(reduction=reduction)
        self.log_target = log_target

    def forward(self, input, target):
        return functional.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


class _WeightedLoss(_Loss):
    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(reduction=reduction)
        self.register_buffer("weight", weight)


class BCELoss(_WeightedLoss):
    def forward(self, input, target):
        return functional.binary_cross_entropy(input, target, self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(_WeightedLoss):
    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
        super().__init__(weight, reduction=reduction)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input, target):
        return functional.binary_cross_entropy_with_logits(
            input, target, self.weight, reduction=self.reduction, pos_weight=self.pos_weight)


class CrossEntropyLoss(_WeightedLoss):
    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None,
                 reduction="mean", label_smoothing=0.0):
        super().__init__(weight, reduction=reduction)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def forward(self, input, target):
        return functional.cross_entropy(input, target, self.weight, ignore_index=self.ignore_index,
                                        reduction=self.reduction, label_smoothing=self.label_smoothing)


class NLLLoss(_WeightedLoss):
    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None,
                 reduction="mean"):
        super().__init__(weight, reduction=reduction)
        self.ignore_index = ignore_index

    def forward(self, input, target):
        return functional.nll_loss(input, target, self.weight, ignore_index=self.ignore_index,
                                   reduction=self.reduction)


# ---- attention ----


class MultiheadAttention(Module):
    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False,
                 add_zero_attn=False, kdim=None, vdim=None, batch_first=False, device=None,
                 dtype=None):
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        assert self.head_dim * num_heads == embed_dim, "embed_dim must be divisible by num_heads"
        if self._qkv_same_embed_dim:
            self.in_proj_weight = Parameter(_torch.empty((3 * embed_dim, embed_dim)))
            for name in ("q_proj_weight", "k_proj_weight", "v_proj_weight"):
                self.register_parameter(name, None)
        else:
            self.q_proj_weight = Parameter(_torch.empty((embed_dim, embed_dim)))
            self.k_proj_weight = Parameter(_torch.empty((embed_dim, self.kdim)))
            self.v_proj_weight = Parameter(_torch.empty((embed_dim, self.vdim)))
            self.register_parameter("in_proj_weight", None)
        if bias:
            self.in_proj_bias = Parameter(_torch.empty(3 * embed_dim))
        else:
            self.register_parameter("in_proj_bias", None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias)
        self.bias_k = Parameter(_torch.empty((1, 1, embed_dim))) if add_bias_kv else None
        self.bias_v = Parameter(_torch.empty((1, 1, embed_dim))) if add_bias_kv else None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self):
        for name in ("in_proj_weight", "q_proj_weight", "k_proj_weight", "v_proj_weight"):
            if self._parameters[name] is not None:
                init.xavier_uniform_(self._parameters[name])
        if self.in_proj_bias is not None:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)
        if self.bias_k is not None:
            init.xavier_normal_(self.bias_k)
            init.xavier_normal_(self.bias_v)

    def _projected(self, query, key, value):
        """Queries, keys and values of (batch, length, width)."""
        if self._qkv_same_embed_dim:
            weights = self.in_proj_weight.chunk(3)
        else:
            weights = self.q_proj_weight, self.k_proj_weight, self.v_proj_weight
        biases = (None, None, None) if self.in_proj_bias is None else self.in_proj_bias.chunk(3)
        return [functional.linear(x, weight, bias)
                for x, weight, bias in zip((query, key, value), weights, biases)]

    def _check_mask(self, mask, shapes):
        assert mask.dtype == _torch.bool or mask.is_floating_point(), \
            f"Only float, byte, and bool types are supported for attn_mask, not {mask.dtype}"
        if mask.dim() not in (2, 3):
            raise RuntimeError(f"attn_mask's dimension {mask.dim()} is not supported")
        if tuple(mask.shape) != shapes[mask.dim() - 2]:
            raise RuntimeError(f"The shape of the {mask.dim()}D attn_mask is {mask.shape}, but should be "
                               f"{shapes[mask.dim() - 2]}.")

    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None,
                average_attn_weights=True, is_causal=False):
        is_batched = query.dim() == 3
        if not is_batched:
            query, key, value = query.unsqueeze(0), key.unsqueeze(0), value.unsqueeze(0)
            if key_padding_mask is not None:
                key_padding_mask = key_padding_mask.unsqueeze(0)
        elif not self.batch_first:
            query, key, value = query.transpose(0, 1), key.transpose(0, 1), value.transpose(0, 1)
        n, length, width = query.shape
        assert width == self.embed_dim, \
            f"was expecting embedding dimension of {self.embed_dim}, but got {width}"
        if self._qkv_same_embed_dim:
            assert key.shape == value.shape, f"key shape {key.shape} does not match value shape {value.shape}"
        heads = self.num_heads
        q, k, v = self._projected(query, key, value)
        if attn_mask is not None:
            self._check_mask(attn_mask, [(length, k.size(1)), (n * heads, length, k.size(1))])
        n_more = 0
        if self.bias_k is not None:
            k = _torch.cat([k, self.bias_k.expand(n, 1, width)], 1)
            v = _torch.cat([v, self.bias_v.expand(n, 1, width)], 1)
            n_more += 1
        if self.add_zero_attn:
            k = _torch.cat([k, _torch.zeros(n, 1, width)], 1)
            v = _torch.cat([v, _torch.zeros(n, 1, width)], 1)
            n_more += 1
        n_keys = k.size(1)
        q = q.reshape(n, length, heads, self.head_dim).transpose(1, 2)
        k = k.reshape(n, n_keys, heads, self.head_dim).transpose(1, 2)
        v = v.reshape(n, n_keys, heads, self.head_dim).transpose(1, 2)
        scores = (q / math.sqrt(self.head_dim)) @ k.transpose(-2, -1)
        masks = []
        if attn_mask is not None:
            if attn_mask.dim() == 3:
                attn_mask = attn_mask.reshape(n, heads, length, -1)
            masks.append(attn_mask)
        if key_padding_mask is not None:
            if key_padding_mask.dtype != _torch.bool and not key_padding_mask.is_floating_point():
                raise AssertionError("only bool and floating types of key_padding_mask are supported")
            assert tuple(key_padding_mask.shape) == (n, n_keys - n_more), \
                f"expecting key_padding_mask shape of {(n, n_keys - n_more)}, but got {key_padding_mask.shape}"
            masks.append(key_padding_mask.reshape(n, 1, 1, -1))
        for mask in masks:
            if n_more > 0:
                mask = functional.pad(mask, (0, n_more))
            if mask.dtype == _torch.bool:
                scores = scores.masked_fill(mask, float("-inf"))
            else:
                scores = scores + mask
        weights = functional.softmax(scores, -1)
        if self.training and self.dropout > 0:
            weights = functional.dropout(weights, self.dropout)
        mixed = (weights @ v).transpose(1, 2).reshape(n, length, width)
        output = self.out_proj(mixed)
        if average_attn_weights and need_weights:
            weights = weights.sum(1) / heads
        elif need_weights:
            weights = _torch._named(weights, "ViewBackward0")
        if not is_batched:
            return output.squeeze(0), weights.squeeze(0) if need_weights else None
        if self.batch_first:
            output = _torch._named(output, "TransposeBackward0")
        else:
            output = _torch._named(output.transpose(0, 1), "ViewBackward0")
        return output, weights if need_weights else None


def _activation(activation):
    if not isinstance(activation, str):
        return activation
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    return functional.relu if activation == "relu" else functional.gelu


class _TransformerLayer(Module):
    """What encoder and decoder layers share: the feed-forward part."""

    def _feed(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))


class TransformerEncoderLayer(_TransformerLayer):
    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation="relu",
                 layer_norm_eps=1e-5, batch_first=False, norm_first=False, bias=True, device=None,
                 dtype=None):
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, bias=bias,
                                            batch_first=batch_first)
        self.linear1 = Linear(d_model, dim_feedforward, bias)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation = _activation(activation)

    def _attend(self, x, mask, padding):
        return self.dropout1(self.self_attn(x, x, x, attn_mask=mask, key_padding_mask=padding,
                                            need_weights=False)[0])

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        x = src
        if self.norm_first:
            x = x + self._attend(self.norm1(x), src_mask, src_key_padding_mask)
            return x + self.dropout2(self._feed(self.norm2(x)))
        x = self.norm1(x + self._attend(x, src_mask, src_key_padding_mask))
        return self.norm2(x + self.dropout2(self._feed(x)))


class TransformerDecoderLayer(_TransformerLayer):
    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation="relu",
                 layer_norm_eps=1e-5, batch_first=False, norm_first=False, bias=True, device=None,
                 dtype=None):
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, bias=bias,
                                            batch_first=batch_first)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout=dropout, bias=bias,
                                                 batch_first=batch_first)
        self.linear1 = Linear(d_model, dim_feedforward, bias)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias)
        self.norm3 = LayerNorm(d_model, layer_norm_eps, bias=bias)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation = _activation(activation)

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
                memory_key_padding_mask=None, tgt_is_causal=False, memory_is_causal=False):
        def own(x):
            return self.dropout1(self.self_attn(x, x, x, attn_mask=tgt_mask, need_weights=False,
                                                key_padding_mask=tgt_key_padding_mask)[0])

        def other(x):
            return self.dropout2(self.multihead_attn(x, memory, memory, attn_mask=memory_mask,
                                                     need_weights=False,
                                                     key_padding_mask=memory_key_padding_mask)[0])
        x = tgt
        if self.norm_first:
            x = x + own(self.norm1(x))
            x = x + other(self.norm2(x))
            return x + self.dropout3(self._feed(self.norm3(x)))
        x = self.norm1(x + own(x))
        x = self.norm2(x + other(x))
        return self.norm3(x + self.dropout3(self._feed(x)))


def _copies(module, n):
    from copy import deepcopy
    return ModuleList([deepcopy(module) for _ in range(n)])


class TransformerEncoder(Module):
    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True,
                 mask_check=True):
        super().__init__()
        self.layers = _copies(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        for layer in self.layers:
            src = layer(src, mask, src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(Module):
    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = _copies(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
                memory_key_padding_mask=None, tgt_is_causal=False, memory_is_causal=False):
        for layer in self.layers:
            tgt = layer(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Module):
    def __init__(self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6,
                 dim_feedforward=2048, dropout=0.1, activation="relu", custom_encoder=None,
                 custom_decoder=None, layer_norm_eps=1e-5, batch_first=False, norm_first=False,
                 device=None, dtype=None):
        super().__init__()
        options = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first,
                   norm_first)
        self.encoder = custom_encoder or TransformerEncoder(
            TransformerEncoderLayer(*options), num_encoder_layers, LayerNorm(d_model, layer_norm_eps))
        self.decoder = custom_decoder or TransformerDecoder(
            TransformerDecoderLayer(*options), num_decoder_layers, LayerNorm(d_model, layer_norm_eps))
        for parameter in self.parameters():
            if parameter.dim() > 1:
                init.xavier_uniform_(parameter)
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def forward(self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None,
                src_key_padding_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None):
        memory = self.encoder(src, src_mask, src_key_padding_mask)
        return self.decoder(tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask,
                            tgt_key_padding_mask=tgt_key_padding_mask,
                            memory_key_padding_mask=memory_key_padding_mask)

    @staticmethod
    def generate_square_subsequent_mask(sz, device=None, dtype=None):
        return _torch.full((sz, sz), float("-inf")).triu(1)


import torch.nn.utils as utils
