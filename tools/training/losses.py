"""Loss functions for the batches of `batches`."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from tools.training.labels import UNLABELLED
from tools.training.nets import HARMONICS, POSE_FEATURES, POSE_OUTPUTS
from vision.classification.classes import CLASSES, STATES, of_digit
from vision.dice_sets import BODIES

_LOGIT_ADJUSTMENT = tuple(math.log(2.5) if of_digit(1) <= number <= of_digit(6) else 0.0 for number in range(CLASSES))
"""Logarithm of the oversampling factor of each class.

The loss adds it to the logits, so that the output is free of it (Menon et al. 2021, "Long-tail learning via logit
adjustment"): a nine must not be read as a six because it is rarer.
"""


def finder_loss(out: Tensor, targets: dict[str, Tensor]) -> Tensor:
    """Return the loss of the finder.

    It is the penalty-reduced focal loss of the centres (Law and Deng 2018) with L1 on geometry and cross entropy on
    faces.
    """
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
    """Return cross entropy on classes, paints, inks and states, each where it is labelled, and L1 on the lean."""
    logits = out[:, :CLASSES] + torch.tensor(_LOGIT_ADJUSTMENT, device=out.device)
    loss = nn.functional.cross_entropy(logits, targets["face"], label_smoothing=0.01)
    offset = CLASSES
    for name, width, weight in (("paint", len(BODIES), 0.3), ("ink", len(BODIES), 0.2), ("state", len(STATES), 0.2)):
        taught = targets[name] != UNLABELLED
        if taught.any():
            head_logits = out[taught, offset : offset + width]
            loss = loss + weight * nn.functional.cross_entropy(head_logits, targets[name][taught])
        offset += width
    dice = targets["face"] > 0
    if dice.any():
        loss = loss + 0.5 * nn.functional.l1_loss(out[dice, offset:], targets["lean"][dice])
    return loss


def figures_loss(out: Tensor, targets: dict[str, Tensor]) -> Tensor:
    """Return the cross entropy."""
    return nn.functional.cross_entropy(out, targets["figure"], label_smoothing=0.01)


def colours_loss(out: Tensor, targets: dict[str, Tensor]) -> Tensor:
    """Return the cross entropy of samples with a labelled colour."""
    return nn.functional.cross_entropy(out, targets["colour"], ignore_index=UNLABELLED)


def pose_loss(out: Tensor, targets: dict[str, Tensor]) -> Tensor:
    """Return the loss of the pose network.

    It is the sum of the lean's negative log-likelihood with the predicted error, squared error of the cube's harmonics,
    smooth L1 on the box, and cross entropy on whether the die is tilted.
    """
    error = torch.sqrt(((out[:, :2] - targets["lean"]) ** 2).sum(1) + 1e-4)
    spread = out[:, 2].clamp(-4, 1)
    loss = 0.5 * (error * torch.exp(-spread) + 1.5 * spread).mean()
    loss = loss + 6 * ((out[:, 3 : 3 + HARMONICS] - targets["cube"]) ** 2).sum(1).mean()
    loss = loss + 4 * nn.functional.smooth_l1_loss(out[:, POSE_OUTPUTS - 3 : POSE_OUTPUTS], targets["box"], beta=0.03)
    cocked_logits = out[:, POSE_OUTPUTS + POSE_FEATURES :]
    leaning, weight = (targets[name][:, None].expand_as(cocked_logits) for name in ("leaning", "weight"))
    return loss + 2 * nn.functional.binary_cross_entropy_with_logits(cocked_logits, leaning, weight)
