"""Modules of torch as graphs of ONNX, written with the operators that a seat computes.

`torch.export` says which operators of torch a module comes to; each of them is written as one operator of ONNX or a few, and what depends on weights
alone is computed here. So the file needs nothing of PyTorch's exporter, the same module gives the same bytes, and what a seat cannot compute is
named before there is a file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import nn

from ..errors import CroupierError
from .net import device_of, evaluating

#: Rows with which a module is traced: not one, which torch treats in its own way.
_ROWS = 2

#: What changes nothing when a network is played.
_SAME = {"alias", "clone", "contiguous", "detach", "detach_", "dropout", "identity", "lift_fresh_copy", "native_dropout", "_assert_tensor_metadata"}

#: What changes nothing if the shape stays.
_SHAPES = {"_unsafe_view", "expand", "flatten", "reshape", "squeeze", "to", "_to_copy", "unsqueeze", "view"}


class Graph:
    """Nodes and weights of a graph, as `onnx` takes them.

    Attributes
    ----------
    nodes : list of (str, list of str, str, dict)
        Operator, operands, result and attributes.
    weights : list of (str, Tensor)
    """

    def __init__(self, module: nn.Module, inputs: int, outputs: int, names: tuple[str, str]) -> None:
        self.nodes: list[tuple[str, list[str], str, dict[str, Any]]] = []
        self.weights: list[tuple[str, torch.Tensor]] = []
        # By node of the traced graph: the name of a value, or a constant.
        self._values: dict[Any, str | torch.Tensor] = {}
        # By name of a value: how many numbers a row of it has.
        self._widths: dict[str, int] = {names[0]: inputs}
        traced = _traced(module, inputs)
        self._begin(traced, names[0])
        for node in traced.graph.nodes:
            if node.op == "call_function":
                value = self._called(node)
                self._values[node] = value
                if isinstance(value, str) and hasattr(node.meta.get("val"), "shape"):
                    self._widths[value] = int(node.meta["val"].shape[-1])
        (result,) = _results(traced)
        self._end(result, outputs, names[1])

    def _begin(self, traced: Any, input_name: str) -> None:
        """What goes in: weights, and the one input."""
        held = {**traced.state_dict, **traced.constants}
        signature = traced.graph_signature
        targets = {**signature.inputs_to_parameters, **signature.inputs_to_buffers, **signature.inputs_to_lifted_tensor_constants}
        for node in traced.graph.nodes:
            if node.op == "placeholder":
                self._values[node] = held[targets[node.name]].detach() if node.name in targets else input_name

    def _end(self, result: Any, outputs: int, output_name: str) -> None:
        shape = tuple(getattr(result.meta.get("val"), "shape", ()))
        if shape != (_ROWS, outputs):
            raise CroupierError(f"the module must give logits of shape (N, {outputs}), not {_named(shape)}")
        value = self._values[result]
        if isinstance(value, torch.Tensor):
            raise CroupierError("the module's logits do not depend on the observation")
        self.nodes.append(("Identity", [value], output_name, {}))

    def _called(self, node: Any) -> str | torch.Tensor:
        """The value of an operator of torch."""
        name = _name(node)
        operands = [self._known(one) for one in node.args]
        if not any(isinstance(self._values[one], str) for one in node.all_input_nodes):
            return self._constant(node, operands)
        if name in _SAME or (name in _SHAPES and _is_shape_kept(node)):
            known: str = operands[0]
            return known
        if not all(_are_rows(one) for one in (node, *node.all_input_nodes) if isinstance(self._values.get(one, ""), str)):
            raise CroupierError(f"a seat computes rows of numbers, and the operator {name!r} of the module has another shape")
        write = _OPERATORS.get(name)
        if write is None:
            raise _unsupported(name)
        return write(self, operands, dict(node.kwargs))

    def _known(self, one: Any) -> Any:
        """What is known of an operand: the name of a value, a constant, or a list of those."""
        if isinstance(one, list | tuple):
            return [self._known(part) for part in one]
        return self._values[one] if isinstance(one, torch.fx.Node) else one

    def _constant(self, node: Any, operands: Sequence[Any]) -> torch.Tensor:
        """What depends on weights alone."""
        keywords = {key: self._values[one] if isinstance(one, torch.fx.Node) else one for key, one in node.kwargs.items()}
        found = node.target(*operands, **keywords)
        if not isinstance(found, torch.Tensor):
            raise _unsupported(_name(node))
        return found.detach()

    def width(self, value: str) -> int:
        """How many numbers a row of a value has."""
        return self._widths[value]

    def write(self, operator: str, *operands: Any, **attributes: Any) -> str:
        """An operator of ONNX on values, constants and numbers; gives the name of its result."""
        names = [self._operand(one) for one in operands]
        result = f"value_{len(self.nodes)}"
        self.nodes.append((operator, names, result, attributes))
        return result

    def _operand(self, one: Any) -> str:
        if isinstance(one, str):
            return one
        tensor = torch.as_tensor(one).detach().cpu().to(torch.float32).contiguous()
        name = f"weight_{len(self.weights)}"
        self.weights.append((name, tensor))
        return name


def _traced(module: nn.Module, inputs: int) -> Any:
    """The operators of a module as it is played, without changing it."""
    with evaluating(module):
        return torch.export.export(module, (torch.zeros((_ROWS, inputs), device=device_of(module)),))


def _results(traced: Any) -> Sequence[Any]:
    (output,) = (node for node in traced.graph.nodes if node.op == "output")
    results: Sequence[Any] = output.args[0]
    if len(results) != 1:
        raise CroupierError(f"the module must give one tensor of logits, not {len(results)}")
    return results


def _name(node: Any) -> str:
    """The name of an operator of torch, such as `linear`."""
    schema = getattr(node.target, "_schema", None)
    return str(schema.name).rpartition("::")[2] if schema is not None else getattr(node.target, "__name__", str(node.target))


def _named(shape: Sequence[int]) -> str:
    return "(" + ", ".join("N" if place == 0 and size == _ROWS else str(size) for place, size in enumerate(shape)) + ")"


def _are_rows(node: Any) -> bool:
    return len(getattr(node.meta.get("val"), "shape", (0, 0))) == 2


def _is_shape_kept(node: Any) -> bool:
    before, after = node.args[0].meta["val"], node.meta["val"]
    return bool(before.shape == after.shape and before.dtype == after.dtype)


def _unsupported(name: str) -> CroupierError:
    known = ", ".join(sorted({*_OPERATORS, "dropout"}))
    return CroupierError(f"a seat cannot compute the operator {name!r} of the module; it computes {known}")


def _linear(graph: Graph, operands: Sequence[Any], keywords: dict[str, Any]) -> str:
    row, matrix, *bias = operands
    return graph.write("Gemm", row, matrix, *(one for one in bias if one is not None), transB=1)


def _addmm(graph: Graph, operands: Sequence[Any], keywords: dict[str, Any]) -> str:
    if keywords:
        raise _unsupported("addmm")
    added, row, matrix = operands
    return graph.write("Gemm", row, matrix, added)


def _simple(operator: str) -> Callable[[Graph, Sequence[Any], dict[str, Any]], str]:
    def write(graph: Graph, operands: Sequence[Any], keywords: dict[str, Any]) -> str:
        one, *others = operands
        alpha = keywords.get("alpha", 1)
        if alpha != 1:
            others = [graph.write("Mul", others[0], alpha) if isinstance(others[0], str) else others[0] * alpha]
        return graph.write(operator, one, *others)

    return write


def _div(graph: Graph, operands: Sequence[Any], keywords: dict[str, Any]) -> str:
    one, other = operands
    if keywords.get("rounding_mode") is not None:
        raise _unsupported("div")
    if isinstance(other, str):
        return graph.write("Div", one, other)
    return graph.write("Mul", one, 1 / torch.as_tensor(other, dtype=torch.float32))


def _softmax(graph: Graph, operands: Sequence[Any], keywords: dict[str, Any]) -> str:
    if operands[1] not in _ACROSS:
        raise _unsupported("softmax")
    return graph.write("Softmax", operands[0], axis=1)


def _cat(graph: Graph, operands: Sequence[Any], keywords: dict[str, Any]) -> str:
    parts, dimension = [*operands, 0][:2]
    # Constants would have a row for each of the batch.
    if dimension not in _ACROSS or not all(isinstance(part, str) for part in parts):
        raise _unsupported("cat")
    return graph.write("Concat", *parts, axis=1)


def _with_rest(operands: Sequence[Any], rest: Sequence[Any]) -> list[Any]:
    """The operands after the first as they are given, or as they are where they are not."""
    return [*operands, *rest[len(operands) - 1 :]]


def _slice(graph: Graph, operands: Sequence[Any], keywords: dict[str, Any]) -> str:
    """Some of the numbers of a row: a product with ones at their places."""
    one, dimension, begin, end, step = _with_rest(operands, (0, None, None, 1))
    width = graph.width(one)
    chosen = torch.arange(width)[slice(begin, end, step)]
    if dimension == 0 and not begin and (end is None or end >= _ROWS_MAX) and step == 1:
        return str(one)
    if dimension not in _ACROSS:
        raise _unsupported("slice")
    return graph.write("MatMul", one, torch.eye(width)[:, chosen])


def _narrow(graph: Graph, operands: Sequence[Any], keywords: dict[str, Any]) -> str:
    one, dimension, begin, count = operands
    return _slice(graph, (one, dimension, begin, begin + count), keywords)


def _sum(graph: Graph, operands: Sequence[Any], keywords: dict[str, Any]) -> str:
    return graph.write("MatMul", operands[0], torch.ones((_summed(graph, "sum", operands), 1)))


def _mean(graph: Graph, operands: Sequence[Any], keywords: dict[str, Any]) -> str:
    width = _summed(graph, "mean", operands)
    return graph.write("MatMul", operands[0], torch.full((width, 1), 1 / width))


def _summed(graph: Graph, name: str, operands: Sequence[Any]) -> int:
    """How many numbers are summed, if they are all those of a row and their place stays."""
    one, dimensions, keep = _with_rest(operands, (None, False))
    if dimensions is None or list(dimensions) not in ([1], [-1]) or not keep:
        raise _unsupported(name)
    return graph.width(one)


def _layer_norm(graph: Graph, operands: Sequence[Any], keywords: dict[str, Any]) -> str:
    one, shape, weight, bias, epsilon = _with_rest(operands[:5], (None, None, None, 1e-5))
    width = graph.width(one)
    if list(shape) != [width]:
        raise _unsupported("layer_norm")
    each = torch.full((width, 1), 1 / width)
    centred = graph.write("Sub", one, graph.write("MatMul", one, each))
    variance = graph.write("MatMul", graph.write("Mul", centred, centred), each)
    scaled = graph.write("Div", centred, graph.write("Sqrt", graph.write("Add", variance, epsilon)))
    weighted = scaled if weight is None else graph.write("Mul", scaled, weight)
    return weighted if bias is None else graph.write("Add", weighted, bias)


def _silu(graph: Graph, operands: Sequence[Any], keywords: dict[str, Any]) -> str:
    return graph.write("Mul", operands[0], graph.write("Sigmoid", operands[0]))


def _leaky_relu(graph: Graph, operands: Sequence[Any], keywords: dict[str, Any]) -> str:
    one, slope = [*operands, 0.01][:2]
    negative = graph.write("Relu", graph.write("Mul", one, -1.0))
    return graph.write("Sub", graph.write("Relu", one), graph.write("Mul", negative, slope))


def _batch_norm(graph: Graph, operands: Sequence[Any], keywords: dict[str, Any]) -> str:
    """That of a network that is played: a scale and a shift of each number."""
    one, weight, bias, mean, variance, is_training, *_ = operands
    epsilon = operands[7]
    if is_training or mean is None:
        raise _unsupported("batch_norm")
    scale = (variance + epsilon).rsqrt() * (1.0 if weight is None else weight)
    return graph.write("Add", graph.write("Mul", one, scale), (0.0 if bias is None else bias) - mean * scale)


#: The dimension of the numbers of a row.
_ACROSS = (1, -1)

#: What torch takes for the end of any batch.
_ROWS_MAX = 2**62

#: How operators of torch are written.
_OPERATORS: dict[str, Callable[[Graph, Sequence[Any], dict[str, Any]], str]] = {
    "add": _simple("Add"),
    "addmm": _addmm,
    "batch_norm": _batch_norm,
    "cat": _cat,
    "div": _div,
    "layer_norm": _layer_norm,
    "leaky_relu": _leaky_relu,
    "linear": _linear,
    "matmul": _simple("MatMul"),
    "mean": _mean,
    "mm": _simple("MatMul"),
    "mul": _simple("Mul"),
    "narrow": _narrow,
    "neg": lambda graph, operands, keywords: graph.write("Mul", operands[0], -1.0),
    "relu": _simple("Relu"),
    "relu_": _simple("Relu"),
    "rsub": lambda graph, operands, keywords: _simple("Sub")(graph, operands[::-1], keywords),
    "sigmoid": _simple("Sigmoid"),
    "silu": _silu,
    "slice": _slice,
    "softmax": _softmax,
    "sqrt": _simple("Sqrt"),
    "sub": _simple("Sub"),
    "sum": _sum,
    "tanh": _simple("Tanh"),
}
