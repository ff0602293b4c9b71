"""Turns trained weights into the ONNX files that the product runs, most with 8-bit arithmetic.

`python -m tools train export WEIGHTS OUT [--nets NAME...] [--float]`: the folder of the weights, NAME.pt, and that for
the ONNX files. The ranges of the 8-bit arithmetic are taken on scenes drawn for it.
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
from tools.training.train import FINDING, NETS, SHIPPED, Lesson

_SCENES, _SAMPLES, _SEED = 200, 60, 6_000_000
"""Scenes that are drawn, samples that each net is shown, and the scenes' seed."""


class FromBytes(nn.Module):
    """A net that takes pictures as they come from a camera: (N, H, W, 3) uint8 BGR."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, pictures: Tensor) -> Tensor:
        return self.net(pictures.permute(0, 3, 1, 2).float() * (1 / 255))


class Samples(CalibrationDataReader):
    """Pictures on which the ranges of values are taken."""

    def __init__(self, given: str, pictures: Iterator[npt.NDArray[np.uint8]]) -> None:
        self._given, self._pictures = given, pictures

    def get_next(self) -> dict[str, npt.NDArray[np.uint8]] | None:
        picture = next(self._pictures, None)
        return None if picture is None else {self._given: picture}


def export(net: nn.Module, weights: Path, out: Path, given: str, size: int, deep: int = 3) -> None:
    """Writes `net` with `weights` to `out`; its input is called `given` and has `deep` channels."""
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
    """Writes the part of `PoseNet` that is told how a flat die is seen, in floating point: it is small."""
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


def quantise(plain: Path, out: Path, samples: Samples) -> None:
    """Static 8-bit quantisation, weights by channel; the last layer stays in floating point.

    Weights keep to 7 bits: processors without instructions of their own for 8-bit nets add two products in 16 bits, and
    with weights beyond 64 that sum is cut off (`reduce_range` in ONNX Runtime's documentation of quantisation). A net
    would read otherwise on one processor than on another, and wrongly with certainty.
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


def take_bytes(path: Path) -> None:
    """Gives the bytes of a picture to the first layer as they are, where nothing comes before it.

    Its 8-bit values are the same bytes: 1/255 each, nought at 115, as 0.45 was taken off. To make floating point of
    them and these values again costs time and changes nothing. Raises ValueError if the values are others.
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
    """Return the nodes from the first quantisation back to the picture, the node they start at, the users of values."""
    maker = {name: node for node in nodes for name in node.output}
    users = {name: [node for node in nodes if name in node.input] for name in maker}
    before, one = [], next(node for node in nodes if node.op_type == "QuantizeLinear" and node.input[0] in maker)
    while one.op_type in ("QuantizeLinear", "Sub", "Mul", "Cast") and len(users[one.output[0]]) == 1:
        before.append(one)
        one = maker[one.input[0]]
    return before, one, users


def halve(path: Path) -> None:
    """Keeps what is left in floating point of a net's weights, those of its last layers, in 16 bits: half the file, and
    what the net says differs by less than the 8-bit arithmetic before it makes it differ."""
    model = onnx.load(str(path))
    wide = [one for one in model.graph.initializer if one.data_type == TensorProto.FLOAT and len(one.dims) > 1]
    for one in wide:
        values = numpy_helper.to_array(one).astype(np.float16)
        name, one.name = one.name, f"{one.name}_half"
        one.CopyFrom(numpy_helper.from_array(values, one.name))
        model.graph.node.insert(0, helper.make_node("Cast", [one.name], [name], to=TensorProto.FLOAT))
    onnx.save(model, str(path))


def last_layers(path: Path) -> list[str]:
    """Names of the convolutions and products that give the net's output."""
    graph = onnx.load(str(path)).graph
    return [node.name for node in graph.node if any(name == graph.output[0].name for name in node.output)]


def in_bytes(pictures: Tensor) -> npt.NDArray[np.uint8]:
    """Pictures (n, channels, h, w) in 0..1 as a net is given them (n, h, w, channels)."""
    return np.asarray((pictures * 255).round().to(torch.uint8).permute(0, 2, 3, 1).contiguous().numpy())


def samples_of(lesson: Lesson, pool: ScenePool) -> list[npt.NDArray[np.uint8]]:
    """What a net that learnt `lesson` may see: whole pictures for finders, else crops."""
    if lesson is FINDING:
        return [pool.pictures[i : i + 1].permute(0, 2, 3, 1).contiguous().numpy() for i in range(_SAMPLES)]
    pictures, _ = lesson.batch(pool, 8 * _SAMPLES)
    return list(filter(len, np.array_split(in_bytes(pictures), _SAMPLES)))


def write(name: str, weights: Path, out: Path, pool: ScenePool, *, quantised: bool) -> None:
    """Writes the ONNX file of the net `name`; convolutions of single channels take no less time in 8 bits, so nets made
    of them keep floating point."""
    kind = NETS[name]
    net, shown = kind.make(), samples_of(kind.lesson, pool)
    if kind.shrunk > 1:
        shown = [one[:, :: kind.shrunk, :: kind.shrunk] for one in shown]
    given, size, deep = ("picture", 320, 3) if kind.lesson is FINDING else ("crops", *shown[0].shape[2:])
    if not quantised or kind.pretrained:
        export(net, weights, out, given, size, deep)
        halve(out)
        return
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        export(net, weights, plain, given, size, deep)
        quantise(plain, out, Samples(given, iter(shown)))
    take_bytes(out)
    halve(out)


def main() -> None:
    """Reads the command line and writes the files."""
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
        write(name, weights, args.out / f"{name}.onnx", pool, quantised=not args.float)
        if name == "pose":
            export_cocked(weights, args.out / "cocked.onnx")


if __name__ == "__main__":
    main()
