"""Export trained weights to the ONNX files of the product, most of them quantised to 8 bits.

`python -m tools train export WEIGHTS OUT [--nets NAME...] [--float]`.

WEIGHTS is the folder of the weights, NAME.pt; OUT is the folder for the ONNX files. The value ranges for the
quantisation are measured on scenes drawn for this purpose.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import NodeProto, TensorProto, helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch import Tensor, nn

from tools.training.nets import POSE_FEATURES, POSE_OUTPUTS, PoseNet
from tools.training.scene_pool import ScenePool, drawn_scenes
from tools.training.train import FINDING, NETS, SHIPPED, LearningTask

_SCENES, _SAMPLES, _SEED = 200, 60, 6_000_000
"""Number of drawn scenes, number of calibration samples for each network, and seed of the scenes."""


class FromBytes(nn.Module):
    """A network whose input is camera images: (N, H, W, 3) uint8 BGR."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, pictures: Tensor) -> Tensor:
        return self.net(pictures.permute(0, 3, 1, 2).float() * (1 / 255))


class CalibrationSamples(CalibrationDataReader):
    """Calibration images for the quantisation."""

    def __init__(self, given: str, pictures: Iterator[npt.NDArray[np.uint8]]) -> None:
        self._given, self._pictures = given, pictures

    def get_next(self) -> dict[str, npt.NDArray[np.uint8]] | None:
        picture = next(self._pictures, None)
        return None if picture is None else {self._given: picture}


def export(net: nn.Module, weights: Path, out: Path, given: str, size: int, deep: int = 3) -> None:
    """Export `net` with `weights` to `out`. The input is named `given` and has `deep` channels."""
    net.load_state_dict(torch.load(weights, weights_only=True))
    free = {0: "count", 1: "height", 2: "width"} if given == "picture" else {0: "count"}
    torch.onnx.export(
        FromBytes(net).eval(),
        (torch.zeros(2, size, size, deep, dtype=torch.uint8),),
        str(out),
        input_names=[given],
        output_names=["out"],
        dynamic_axes={given: free, "out": free if given == "crops" else {0: "count", 2: "h", 3: "w"}},
        opset_version=17,
        dynamo=False,
    )


def export_cocked(weights: Path, out: Path) -> None:
    """Export the part of `PoseNet` that compares a die with a flat one. It is small and stays in floating point."""
    net = PoseNet()
    net.load_state_dict(torch.load(weights, weights_only=True))
    free = {0: "count"}
    torch.onnx.export(
        net.cocked.eval(),
        (torch.zeros(2, POSE_OUTPUTS + POSE_FEATURES), torch.zeros(2, 3)),
        str(out),
        input_names=["seen", "up"],
        output_names=["out"],
        dynamic_axes={"seen": free, "up": free, "out": free},
        opset_version=17,
        dynamo=False,
    )
    halve(out)


def quantise(plain: Path, out: Path, samples: CalibrationSamples) -> None:
    """Quantise a network statically to 8 bits; the last layer stays in floating point.

    Each output channel has its own scale. Weights are limited to 7 bits. CPUs without 8-bit dot product instructions
    add two products in 16 bits, and with weights beyond 64 that sum saturates (`reduce_range` in ONNX Runtime's
    documentation of quantisation). A network would then give different results on different CPUs, wrong ones with
    certainty.
    """
    with tempfile.TemporaryDirectory() as folder:
        prepared = Path(folder) / "prepared.onnx"
        quant_pre_process(str(plain), str(prepared), skip_symbolic_shape=True)
        quantize_static(
            str(prepared),
            str(out),
            samples,
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=["Conv", "Add"],
            nodes_to_exclude=last_layers(prepared),
        )


def fold_input_scaling(path: Path) -> None:
    """Feed the image bytes directly to the first layer, if nothing comes before it.

    The quantised values are the same bytes: scale 1/255, zero point 115, because 0.45 is subtracted. Converting them to
    floating point and back takes time and changes nothing.

    Raises ValueError if scale or zero point differ.
    """
    model = onnx.load(str(path))
    nodes, values = model.graph.node, {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
    before, one, users = _before_first_layer(nodes)
    if one.op_type != "Transpose":
        return
    step, nought = (values[name] for name in before[0].input[1:])
    if round(1 / float(step)) != 255 or int(nought) != 115:
        raise ValueError(f"{path.name}: the first layer counts in steps of {step} from {nought}, not in bytes")
    users[before[0].output[0]][0].input[0] = one.output[0]
    for node in before:
        nodes.remove(node)
    used = {name for node in nodes for name in node.input}
    for kept in [one for one in model.graph.initializer if one.name not in used]:
        model.graph.initializer.remove(kept)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def _before_first_layer(nodes: Sequence[NodeProto]) -> tuple[list[NodeProto], NodeProto, dict[str, list[NodeProto]]]:
    """Return the nodes from the image to the first quantisation, the node they start at, and the users of values."""
    maker = {name: node for node in nodes for name in node.output}
    users = {name: [node for node in nodes if name in node.input] for name in maker}
    before, one = [], next(node for node in nodes if node.op_type == "QuantizeLinear" and node.input[0] in maker)
    while one.op_type in ("QuantizeLinear", "Sub", "Mul", "Cast") and len(users[one.output[0]]) == 1:
        before.append(one)
        one = maker[one.input[0]]
    return before, one, users


def halve(path: Path) -> None:
    """Convert the remaining floating point weights, those of the last layers, to 16 bits.

    This halves the file. The outputs change less than by the 8-bit quantisation.
    """
    model = onnx.load(str(path))
    wide = [one for one in model.graph.initializer if one.data_type == TensorProto.FLOAT and len(one.dims) > 1]
    for one in wide:
        values = numpy_helper.to_array(one).astype(np.float16)
        name, one.name = one.name, f"{one.name}_half"
        one.CopyFrom(numpy_helper.from_array(values, one.name))
        model.graph.node.insert(0, helper.make_node("Cast", [one.name], [name], to=TensorProto.FLOAT))
    onnx.save(model, str(path))


def last_layers(path: Path) -> list[str]:
    """Return the names of the convolutions and matrix products that produce the output."""
    graph = onnx.load(str(path)).graph
    return [node.name for node in graph.node if any(name == graph.output[0].name for name in node.output)]


def in_bytes(pictures: Tensor) -> npt.NDArray[np.uint8]:
    """Convert images (n, channels, h, w) in 0..1 to the input of a network (n, h, w, channels)."""
    return np.asarray((pictures * 255).round().to(torch.uint8).permute(0, 2, 3, 1).contiguous().numpy())


def calibration_samples(task: LearningTask, pool: ScenePool) -> list[npt.NDArray[np.uint8]]:
    """Return calibration samples of a task: whole images for finders, else crops."""
    if task is FINDING:
        return [pool.pictures[i : i + 1].permute(0, 2, 3, 1).contiguous().numpy() for i in range(_SAMPLES)]
    pictures, _ = task.batch(pool, 8 * _SAMPLES)
    return list(filter(len, np.array_split(in_bytes(pictures), _SAMPLES)))


def export_net(name: str, weights: Path, out: Path, pool: ScenePool, *, quantised: bool) -> None:
    """Write the ONNX file of the network `name`.

    Depthwise convolutions are not faster in 8 bits, so networks built from them stay in floating point.
    """
    kind = NETS[name]
    net, samples = kind.make(), calibration_samples(kind.task, pool)
    if kind.shrunk > 1:
        samples = [one[:, :: kind.shrunk, :: kind.shrunk] for one in samples]
    given, size, deep = ("picture", 320, 3) if kind.task is FINDING else ("crops", *samples[0].shape[2:])
    if not quantised or kind.pretrained:
        export(net, weights, out, given, size, deep)
        halve(out)
        return
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        export(net, weights, plain, given, size, deep)
        quantise(plain, out, CalibrationSamples(given, iter(samples)))
    fold_input_scaling(out)
    halve(out)


def main() -> None:
    """Parse the arguments and write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--nets", nargs="+", choices=sorted(NETS), default=SHIPPED)
    parser.add_argument("--float", action="store_true", help="keep floating point")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(1)
    pool = ScenePool(_SCENES, torch.device("cpu"))
    for scene in islice(drawn_scenes(_SEED, 0), _SCENES):
        pool.add(scene)
    for name in args.nets:
        weights = args.weights / f"{name}.pt"
        export_net(name, weights, args.out / f"{name}.onnx", pool, quantised=not args.float)
        if name == "pose":
            export_cocked(weights, args.out / "cocked.onnx")


if __name__ == "__main__":
    main()
