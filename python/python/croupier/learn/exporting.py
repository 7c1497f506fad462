"""Networks as ONNX files for other programs.

The file is written directly from the weights, without PyTorch's exporter: the same network gives the same bytes. It has one input,
`observation` of float32 [N, inputs], and one output, `logits` of float32 [N, outputs], as defined by `Space`, with only Gemm and Relu
operators. Its metadata has one key, `croupier`: JSON with the digest of the rules and the names of all columns.
"""

from __future__ import annotations

import json
import os
from typing import Any

from torch import nn

from ..errors import CroupierError
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
    model = _model(net)
    place = os.fspath(path)
    with open(f"{place}.part", "wb") as file:
        file.write(model.SerializeToString(deterministic=True))
    os.replace(f"{place}.part", place)


def _model(net: Net) -> Any:
    try:
        import onnx
        from onnx import TensorProto, helper, numpy_helper
    except ImportError as missing:
        raise CroupierError("ONNX is missing: pip install 'croupier[learn]'") from missing
    nodes, weights, before = [], [], "observation"
    linears = [layer for layer in net.layers if isinstance(layer, nn.Linear)]
    for place, linear in enumerate(linears):
        for name, tensor in ((f"weight_{place}", linear.weight), (f"bias_{place}", linear.bias)):
            weights.append(numpy_helper.from_array(tensor.detach().cpu().numpy(), name))
        is_last = place == len(linears) - 1
        after = "logits" if is_last else f"sum_{place}"
        nodes.append(helper.make_node("Gemm", [before, f"weight_{place}", f"bias_{place}"], [after], transB=1))
        if not is_last:
            before = f"hidden_{place}"
            nodes.append(helper.make_node("Relu", [after], [before]))
    inputs, outputs = net.space.inputs_count, net.space.outputs_count
    graph = helper.make_graph(
        nodes,
        "policy",
        [helper.make_tensor_value_info("observation", TensorProto.FLOAT, ["N", inputs])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["N", outputs])],
        weights,
    )
    opsets = [helper.make_opsetid("", OPSET)]
    model = helper.make_model(graph, producer_name="croupier", opset_imports=opsets, ir_version=_IR_VERSION)
    helper.set_model_props(model, {"croupier": json.dumps(net.space.metadata(), ensure_ascii=False)})
    onnx.checker.check_model(model, full_check=True)
    return model
