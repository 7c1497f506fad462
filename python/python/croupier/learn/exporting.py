"""Networks as ONNX files for other programs.

The file is written directly from the weights, without PyTorch's exporter: the same network gives the same bytes. It has one input,
`observation` of float32 [N, inputs], and one output, `logits` of float32 [N, outputs], as defined by `Space`, with only Gemm and Relu
operators. Its metadata has one key, `croupier`: JSON with the digest of the rules and the names of all columns.
"""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

from torch import nn

from ..errors import CroupierError
from .checkpoint import write_whole
from .net import Net

#: The version of the operators; every runtime of the last years has them.
OPSET = 17

#: The version of the file format that belongs to them.
_IR_VERSION = 8


def export(net: Net, path: str | os.PathLike[str]) -> None:
    """Write a network to an ONNX file, which `croupier play --seat ROLE=net:FILE` plays.

    Parameters
    ----------
    net : Net
    path : str or os.PathLike
        An existing file is replaced once the new one is complete.

    Raises
    ------
    CroupierError
        If the package `onnx` is missing.
    OSError
        If the file cannot be written.
    """
    space = net.space
    described = Described("observation", "logits", space.inputs_count, space.outputs_count, space.metadata())
    write_perceptron(net.layers, described, path)


class Described(NamedTuple):
    """The names and sizes of a network's input and output, and what its file says of them."""

    input: str
    output: str
    inputs: int
    outputs: int
    metadata: dict[str, Any]


def write_perceptron(layers: nn.Sequential, described: Described, path: str | os.PathLike[str]) -> None:
    """Write linear layers with rectified units between them to an ONNX file; errors as of `export`."""
    write_whole(path, _model(layers, described).SerializeToString(deterministic=True))


def _model(layers: nn.Sequential, described: Described) -> Any:
    try:
        import onnx
        from onnx import TensorProto, helper, numpy_helper
    except ImportError as missing:
        raise CroupierError("ONNX is missing: pip install 'croupier[learn]'") from missing
    nodes, weights, before = [], [], described.input
    linears = [layer for layer in layers if isinstance(layer, nn.Linear)]
    for place, linear in enumerate(linears):
        for name, tensor in ((f"weight_{place}", linear.weight), (f"bias_{place}", linear.bias)):
            weights.append(numpy_helper.from_array(tensor.detach().cpu().numpy(), name))
        is_last = place == len(linears) - 1
        after = described.output if is_last else f"sum_{place}"
        nodes.append(helper.make_node("Gemm", [before, f"weight_{place}", f"bias_{place}"], [after], transB=1))
        if not is_last:
            before = f"hidden_{place}"
            nodes.append(helper.make_node("Relu", [after], [before]))
    graph = helper.make_graph(
        nodes,
        described.output,
        [helper.make_tensor_value_info(described.input, TensorProto.FLOAT, ["N", described.inputs])],
        [helper.make_tensor_value_info(described.output, TensorProto.FLOAT, ["N", described.outputs])],
        weights,
    )
    opsets = [helper.make_opsetid("", OPSET)]
    model = helper.make_model(graph, producer_name="croupier", opset_imports=opsets, ir_version=_IR_VERSION)
    helper.set_model_props(model, {"croupier": json.dumps(described.metadata, ensure_ascii=False)})
    onnx.checker.check_model(model, full_check=True)
    return model
