"""Policies as torch modules. It needs torch, which `import sinew` does not."""
import torch
from torch import nn


class Network(nn.Module):
    """The network of a policy: clamp((x - shift) * scale), then Linear layers."""

    def __init__(self, arrays):
        super().__init__()
        self.register_buffer("shift", torch.from_numpy(arrays["shift"]))
        self.register_buffer("scale", torch.from_numpy(arrays["scale"]))
        self.register_buffer("clip", torch.tensor(arrays["clip"]))
        layers = []
        for i, (weight, bias) in enumerate(zip(arrays["weights"], arrays["biases"])):
            layer = nn.Linear(*weight.shape)
            with torch.no_grad():
                layer.weight.copy_(torch.from_numpy(weight.T.copy()))
                layer.bias.copy_(torch.from_numpy(bias))
            last = i + 1 == len(arrays["weights"])
            layers.append(layer)
            if not last:
                layers.append(nn.Tanh() if arrays["tanh"] else nn.ReLU())
            elif arrays["squash"]:
                layers.append(nn.Tanh())
        self.layers = nn.Sequential(*layers)

    def forward(self, observation):
        x = (observation - self.shift) * self.scale
        return self.layers(torch.minimum(torch.maximum(x, -self.clip), self.clip))


def tensors(buffers):
    """The arrays of Environment.buffers() as tensors over the same memory."""
    return {name: torch.from_numpy(one) for name, one in buffers.items() if one is not None}
