"""Networks as ONNX files for other programs.

The file is written directly from the weights, without PyTorch's exporter: the same network gives the same bytes. It has one input,
`observation` of float32 [N, inputs], and one output, `logits` of float32 [N, outputs], as defined by `Space`, with the operators that a seat
computes: of a perceptron only Gemm and Relu, of other modules those that `graph` writes. Its metadata has one key, `croupier`: JSON with the
digest of the rules and the names of all columns.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any, NamedTuple, overload

import torch
from torch import nn

from .._native import Game, _check_net
from ..errors import CroupierError
from .checkpoint import write_whole
from .graph import Graph
from .net import Net
from .space import Space

#: The version of the operators; every runtime of the last years has them.
OPSET = 17

#: The version of the file format that belongs to them.
_IR_VERSION = 8

#: Operator, operands, result and attributes of a node.
_Node = tuple[str, list[str], str, dict[str, Any]]


@overload
def export(module: Net, path: str | os.PathLike[str], /) -> None: ...
@overload
def export(module: nn.Module, game: Game, path: str | os.PathLike[str], /, *, last: int | None = None) -> None: ...
def export(module: nn.Module, /, *written: Any, last: int | None = None) -> None:
    """Write a network to an ONNX file, which `croupier play --seat ROLE=net:FILE` plays.

    `export(net, path)` writes a `Net`, `export(module, game, path, last=...)` any module that maps observations of the game to logits.

    Parameters
    ----------
    module : Net or torch.nn.Module
        From observations, Tensor of float32 and shape (N, inputs), to logits, of shape (N, outputs), as `croupier.FunctionPolicy` describes both. It is
        written as it is in evaluation: without dropout, and with the recorded statistics of batch normalisation.
    game : Game
    path : str or os.PathLike
        An existing file is replaced once the new one is complete.
    last : int, optional
        How many recent turns the observations distinguish; by default as for `croupier.Observer`.

    Raises
    ------
    CroupierError
        If the module computes something that a seat cannot, which is named, or logits of another shape; if it has weights that are not finite; or if
        the package `onnx` is missing.
    OSError
        If the file cannot be written.
    """
    if len(written) == 1 and isinstance(module, Net):
        space, (path,) = module.space, written
    elif len(written) == 2 and isinstance(written[0], Game):
        game, path = written
        space = Space(game, module.space.last if isinstance(module, Net) and last is None else last)
        if isinstance(module, Net) and (module.space.game.sha256 != game.sha256 or module.space.last != space.last):
            raise CroupierError(f"the network was made for {module.space.game.name!r} with last={module.space.last}")
    else:
        raise TypeError("export takes (net, path) or (module, game, path)")
    described = Described("observation", "logits", space.inputs_count, space.outputs_count, space.metadata())
    layers = module.layers if isinstance(module, Net) else module
    if _is_perceptron(layers, described):
        contents = perceptron_contents(layers, described)
    else:
        graph = Graph(module, space.inputs_count, space.outputs_count, (described.input, described.output))
        contents = _model(graph.nodes, graph.weights, described)
    # What a seat would refuse is refused now, in its words.
    _check_net(contents)
    write_whole(path, contents)


class Described(NamedTuple):
    """The names and sizes of a network's input and output, and what its file says of them."""

    input: str
    output: str
    inputs: int
    outputs: int
    metadata: dict[str, Any]


def _is_perceptron(module: nn.Module, described: Described) -> bool:
    """Whether it is nothing but linear layers of the right sizes with rectified units between them."""
    if type(module) is not nn.Sequential or len(module) % 2 == 0:
        return False
    kinds = all(type(layer) is (nn.ReLU if place % 2 else nn.Linear) for place, layer in enumerate(module))
    if not kinds or any(layer.bias is None for layer in module if isinstance(layer, nn.Linear)):
        return False
    return (module[0].in_features, module[-1].out_features) == (described.inputs, described.outputs)


def perceptron_contents(layers: nn.Sequential, described: Described) -> bytes:
    """The content of an ONNX file of linear layers with rectified units between them.

    Raises
    ------
    CroupierError
        If the package `onnx` is missing.
    """
    nodes: list[_Node] = []
    weights: list[tuple[str, torch.Tensor]] = []
    before = described.input
    linears = [layer for layer in layers if isinstance(layer, nn.Linear)]
    for place, linear in enumerate(linears):
        weights += [(f"weight_{place}", linear.weight), (f"bias_{place}", linear.bias)]
        is_last = place == len(linears) - 1
        after = described.output if is_last else f"sum_{place}"
        nodes.append(("Gemm", [before, f"weight_{place}", f"bias_{place}"], after, {"transB": 1}))
        if not is_last:
            before = f"hidden_{place}"
            nodes.append(("Relu", [after], before, {}))
    return _model(nodes, weights, described)


def _model(nodes: Sequence[_Node], weights: Sequence[tuple[str, torch.Tensor]], described: Described) -> bytes:
    """The content of a file."""
    try:
        import onnx
        from onnx import TensorProto, helper, numpy_helper
    except ImportError as missing:
        raise CroupierError("ONNX is missing: pip install 'croupier[learn]'") from missing
    graph = helper.make_graph(
        [helper.make_node(operator, operands, [result], **attributes) for operator, operands, result, attributes in nodes],
        described.output,
        [helper.make_tensor_value_info(described.input, TensorProto.FLOAT, ["N", described.inputs])],
        [helper.make_tensor_value_info(described.output, TensorProto.FLOAT, ["N", described.outputs])],
        [numpy_helper.from_array(tensor.detach().cpu().numpy(), name) for name, tensor in weights],
    )
    opsets = [helper.make_opsetid("", OPSET)]
    model = helper.make_model(graph, producer_name="croupier", opset_imports=opsets, ir_version=_IR_VERSION)
    helper.set_model_props(model, {"croupier": json.dumps(described.metadata, ensure_ascii=False)})
    onnx.checker.check_model(model, full_check=True)
    contents: bytes = model.SerializeToString(deterministic=True)
    return contents
