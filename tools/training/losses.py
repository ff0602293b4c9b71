"""What the nets are taught to say: the losses over the batches of `batches`."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from tools.training.labels import NOT_SAID
from tools.training.nets import HARMONICS, POSE_FEATURES, POSE_OUTPUTS
from vision.classification.classes import CLASSES, STATES, of_digit
from vision.dice_sets import BODIES

_DRAWN_MORE = tuple(math.log(2.5) if of_digit(1) <= number <= of_digit(6) else 0.0 for number in range(CLASSES))
"""By class: the logarithm of how much more often it is drawn than its like. It is added where the net learns, so that
what the net says is free of it (Menon et al. 2021, "Long-tail learning via logit adjustment"): a nine is not to be
taken for a six because it is rarer."""


def finder_loss(out: Tensor, targets: dict[str, Tensor]) -> Tensor:
    """Penalty-reduced focal loss on the centres (Law and Deng 2018), L1 on geometry, cross entropy on the face."""
    logit = out[:, 0]
    heat, weight = targets["heat"], targets["weight"]
    centres = targets["centres"]
    number = max(1, len(centres))
    chance = torch.sigmoid(logit).clamp(1e-5, 1 - 1e-5)
    hit = heat == 1
    positive = -((1 - chance) ** 2 * torch.log(chance))[hit].sum()
    negative = -((1 - heat) ** 4 * chance**2 * torch.log(1 - chance) * weight)[~hit].sum()
    loss = (positive + negative) / number
    if len(centres):
        n, line, column = (centres[:, i].long() for i in range(3))
        at = out[n, :, line, column]
        loss = loss + nn.functional.l1_loss(at[:, 1:4], centres[:, 3:6]) * 2
        loss = loss + nn.functional.smooth_l1_loss(at[:, 4:8], centres[:, 6:10], beta=0.1)
        loss = loss + 0.7 * nn.functional.cross_entropy(at[:, 8:], centres[:, 10].long())
    return loss


def faces_loss(out: Tensor, targets: dict[str, Tensor]) -> Tensor:
    """Cross entropy on classes, paints, inks and states, each where it is taught; L1 on the lean."""
    logits = out[:, :CLASSES] + torch.tensor(_DRAWN_MORE, device=out.device)
    loss = nn.functional.cross_entropy(logits, targets["face"], label_smoothing=0.01)
    begin = CLASSES
    for name, width, weight in (("paint", len(BODIES), 0.3), ("ink", len(BODIES), 0.2), ("state", len(STATES), 0.2)):
        taught = targets[name] != NOT_SAID
        if taught.any():
            told = out[taught, begin : begin + width]
            loss = loss + weight * nn.functional.cross_entropy(told, targets[name][taught])
        begin += width
    dice = targets["face"] > 0
    if dice.any():
        loss = loss + 0.5 * nn.functional.l1_loss(out[dice, begin:], targets["lean"][dice])
    return loss


def figures_loss(out: Tensor, targets: dict[str, Tensor]) -> Tensor:
    """Cross entropy."""
    return nn.functional.cross_entropy(out, targets["figure"], label_smoothing=0.01)


def colours_loss(out: Tensor, targets: dict[str, Tensor]) -> Tensor:
    """Cross entropy where a colour is taught."""
    return nn.functional.cross_entropy(out, targets["colour"], ignore_index=NOT_SAID)


def pose_loss(out: Tensor, targets: dict[str, Tensor]) -> Tensor:
    """The lean's likelihood with the error that the net itself says, squares of the cube's harmonics, smooth L1 on the
    box, cross entropy on whether the die leans."""
    error = torch.sqrt(((out[:, :2] - targets["lean"]) ** 2).sum(1) + 1e-4)
    spread = out[:, 2].clamp(-4, 1)
    loss = 0.5 * (error * torch.exp(-spread) + 1.5 * spread).mean()
    loss = loss + 6 * ((out[:, 3 : 3 + HARMONICS] - targets["cube"]) ** 2).sum(1).mean()
    loss = loss + 4 * nn.functional.smooth_l1_loss(out[:, POSE_OUTPUTS - 3 : POSE_OUTPUTS], targets["box"], beta=0.03)
    said = out[:, POSE_OUTPUTS + POSE_FEATURES :]
    leaning, weight = (targets[name][:, None].expand_as(said) for name in ("leaning", "weight"))
    return loss + 2 * nn.functional.binary_cross_entropy_with_logits(said, leaning, weight)
