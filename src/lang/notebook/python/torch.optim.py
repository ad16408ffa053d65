"""torch.optim: each step changes the parameters in place and keeps no history."""
import _torch
import math


class Optimizer:
    def __init__(self, params, defaults):
        self.defaults = defaults
        self.state = {}
        self.param_groups = []
        if isinstance(params, _torch.Tensor):
            raise TypeError("params argument given to the optimizer should be an iterable of Tensors or "
                            "dicts, but got " + params.type())
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if isinstance(groups[0], tuple):
            groups = [parameter for _, parameter in groups]
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def add_param_group(self, param_group):
        params = param_group["params"]
        group = dict(param_group)
        group["params"] = [params] if isinstance(params, _torch.Tensor) else list(params)
        for parameter in group["params"]:
            if not isinstance(parameter, _torch.Tensor):
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is "
                                f"{type(parameter).__name__}")
            if not parameter.is_leaf:
                raise ValueError("can't optimize a non-leaf Tensor")
        for key, value in self.defaults.items():
            group.setdefault(key, value)
        seen = set()
        for other in self.param_groups:
            seen.update(other["params"])
        if any(parameter in seen for parameter in group["params"]):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(group)

    def zero_grad(self, set_to_none=True):
        for group in self.param_groups:
            for parameter in group["params"]:
                if set_to_none:
                    parameter.grad = None
                elif parameter.grad is not None:
                    parameter.grad.zero_()

    def step(self, closure=None):
        loss = None if closure is None else closure()
        before = _torch._set_grad(False)
        try:
            for group in self.param_groups:
                for parameter in group["params"]:
                    gradient = parameter.grad
                    if gradient is not None:
                        state = self.state.get(parameter)
                        if state is None:
                            self.state[parameter] = state = {}
                        self._update(parameter, gradient, group, state)
        finally:
            _torch._set_grad(before)
        return loss

    def _numbered(self):
        numbers = {}
        for group in self.param_groups:
            for parameter in group["params"]:
                numbers[parameter] = len(numbers)
        return numbers

    def state_dict(self):
        numbers = self._numbered()
        groups = []
        for group in self.param_groups:
            other = {key: value for key, value in group.items() if key != "params"}
            other["params"] = [numbers[parameter] for parameter in group["params"]]
            groups.append(other)
        return {"state": {numbers[parameter]: state for parameter, state in self.state.items()},
                "param_groups": groups}

    def load_state_dict(self, state_dict):
        groups = state_dict["param_groups"]
        if len(groups) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        for group, given in zip(self.param_groups, groups):
            if len(group["params"]) != len(given["params"]):
                raise ValueError("loaded state dict contains a parameter group that doesn't match the "
                                 "size of optimizer's group")
            group.update({key: value for key, value in given.items() if key != "params"})
        self.state = {}
        for parameter, number in self._numbered().items():
            if number in state_dict["state"]:
                self.state[parameter] = {
                    key: value.clone() if isinstance(value, _torch.Tensor) else value
                    for key, value in state_dict["state"][number].items()}

    def __repr__(self):
        text = type(self).__name__ + " ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            for key in sorted(group):
                if key != "params":
                    text += f"    {key}: {group[key]}\n"
        return text + ")"


def _check(what, value, most=None):
    if value < 0 or most is not None and value >= most:
        raise ValueError(f"Invalid {what}: {value}")


class SGD(Optimizer):
    def __init__(self, params, lr=0.001, momentum=0, dampening=0, weight_decay=0, nesterov=False, *,
                 maximize=False, foreach=None, differentiable=False):
        _check("learning rate", lr)
        _check("momentum value", momentum)
        _check("weight_decay value", weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, {
            "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay,
            "nesterov": nesterov, "maximize": maximize, "foreach": foreach,
            "differentiable": differentiable})

    def _update(self, parameter, gradient, group, state):
        if group["maximize"]:
            gradient = -gradient
        if group["weight_decay"] != 0:
            gradient = gradient.add(parameter, alpha=group["weight_decay"])
        momentum = group["momentum"]
        if momentum != 0:
            if state.get("momentum_buffer") is None:
                state["momentum_buffer"] = buffer = gradient.clone().detach()
            else:
                buffer = state["momentum_buffer"]
                buffer.mul_(momentum).add_(gradient, alpha=1 - group["dampening"])
            gradient = gradient.add(buffer, alpha=momentum) if group["nesterov"] else buffer
        parameter.add_(gradient, alpha=-group["lr"])


class Adam(Optimizer):
    _is_decoupled = False

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, *,
                 foreach=None, maximize=False, capturable=False, differentiable=False, fused=False):
        _check("learning rate", lr)
        _check("epsilon value", eps)
        _check("beta parameter at index 0", betas[0], 1.0)
        _check("beta parameter at index 1", betas[1], 1.0)
        _check("weight_decay value", weight_decay)
        defaults = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
                    "amsgrad": amsgrad}
        if self._is_decoupled:
            defaults.update({"foreach": foreach, "maximize": maximize, "capturable": capturable})
        else:
            defaults.update({"maximize": maximize, "foreach": foreach, "capturable": capturable,
                             "differentiable": differentiable, "fused": fused})
        super().__init__(params, defaults)

    def _update(self, parameter, gradient, group, state):
        if not state:
            state["step"] = _torch.tensor(0.0)
            state["exp_avg"] = _torch.zeros_like(parameter)
            state["exp_avg_sq"] = _torch.zeros_like(parameter)
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = _torch.zeros_like(parameter)
        if group["maximize"]:
            gradient = -gradient
        if group["weight_decay"] != 0:
            if self._is_decoupled:
                parameter.mul_(1 - group["lr"] * group["weight_decay"])
            else:
                gradient = gradient.add(parameter, alpha=group["weight_decay"])
        beta1, beta2 = group["betas"]
        state["step"] += 1
        step = state["step"].item()
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        mean.mul_(beta1).add_(gradient, alpha=1 - beta1)
        square.mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
        if group["amsgrad"]:
            square = state["max_exp_avg_sq"]
            square.copy_(_torch.maximum(square, state["exp_avg_sq"]))
        spread = square.sqrt().div_(math.sqrt(1 - beta2 ** step)).add_(group["eps"])
        parameter.addcdiv_(mean, spread, value=-group["lr"] / (1 - beta1 ** step))


class AdamW(Adam):
    _is_decoupled = True

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False,
                 **options):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, **options)


class RMSprop(Optimizer):
    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0,
                 centered=False, foreach=None, maximize=False, differentiable=False):
        _check("learning rate", lr)
        super().__init__(params, {
            "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered,
            "weight_decay": weight_decay, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable})

    def _update(self, parameter, gradient, group, state):
        if not state:
            state["step"] = 0
            state["square_avg"] = _torch.zeros_like(parameter)
            if group["momentum"] > 0:
                state["momentum_buffer"] = _torch.zeros_like(parameter)
            if group["centered"]:
                state["grad_avg"] = _torch.zeros_like(parameter)
        state["step"] += 1
        if group["maximize"]:
            gradient = -gradient
        if group["weight_decay"] != 0:
            gradient = gradient.add(parameter, alpha=group["weight_decay"])
        alpha, square = group["alpha"], state["square_avg"]
        square.mul_(alpha).addcmul_(gradient, gradient, value=1 - alpha)
        if group["centered"]:
            mean = state["grad_avg"]
            mean.mul_(alpha).add_(gradient, alpha=1 - alpha)
            square = square.addcmul(mean, mean, value=-1)
        spread = square.sqrt().add_(group["eps"])
        if group["momentum"] > 0:
            buffer = state["momentum_buffer"]
            buffer.mul_(group["momentum"]).addcdiv_(gradient, spread)
            parameter.add_(buffer, alpha=-group["lr"])
        else:
            parameter.addcdiv_(gradient, spread, value=-group["lr"])


class Adagrad(Optimizer):
    def __init__(self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0,
                 eps=1e-10, foreach=None, *, maximize=False, differentiable=False):
        _check("learning rate", lr)
        super().__init__(params, {
            "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable})

    def _update(self, parameter, gradient, group, state):
        if not state:
            state["step"] = 0
            state["sum"] = _torch.full_like(parameter, group["initial_accumulator_value"])
        state["step"] += 1
        if group["weight_decay"] != 0:
            gradient = gradient.add(parameter, alpha=group["weight_decay"])
        rate = group["lr"] / (1 + (state["step"] - 1) * group["lr_decay"])
        state["sum"].addcmul_(gradient, gradient, value=1)
        parameter.addcdiv_(gradient, state["sum"].sqrt().add_(group["eps"]), value=-rate)


import torch.optim.lr_scheduler as lr_scheduler
