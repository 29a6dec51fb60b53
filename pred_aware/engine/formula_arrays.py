"""A formula of PBS as a program, of which only what changes while jobs wait is computed anew."""

import ast
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from pred_aware.engine.job_arrays import Integers
from pred_aware.engine.kernel import formula_codes as codes
from schedulers.orders.pbs import Pbs
from schedulers.orders.pbs_formula import Formula, read_formula

_OF_TWO = {
    ast.Add: codes.ADD, ast.Sub: codes.SUBTRACT, ast.Mult: codes.MULTIPLY, ast.Div: codes.DIVIDE,
    ast.Pow: codes.POWER, ast.Lt: codes.LESS, ast.LtE: codes.LESS_OR_EQUAL, ast.Gt: codes.GREATER,
    ast.GtE: codes.GREATER_OR_EQUAL, ast.Eq: codes.EQUAL, ast.NotEq: codes.UNEQUAL,
}  # fmt: skip
_OF_SOME = {"pow": codes.POWER, "max": codes.MAXIMUM, "min": codes.MINIMUM}
_OF_ONE = {"abs": codes.ABSOLUTE, "fabs": codes.ABSOLUTE, "sqrt": codes.ROOT}


@dataclass(frozen=True, slots=True)
class Program:
    """A formula whose parts stand behind each other."""

    steps: Integers
    """What to do, and with which number or from where on to go on; shape (steps, 2)."""
    parts: tuple[Formula, ...]
    """What of it does not change while a job waits, by these numbers; behind them is what does."""

    def known(self, values: Mapping[str, float]) -> list[float] | None:
        """Return the values of these parts, NaN for those that have none.

        ``None`` where one is a number of which that can't be told.
        """
        found: list[float] = []
        for part in self.parts:
            try:
                value = part.compute(values)
                number = float(value)
            except (ArithmeticError, TypeError, ValueError):
                found.append(math.nan)
                continue
            # a whole number may be larger than what is computed with here
            if number != value:
                return None
            found.append(number)
        return found


def program_of(formula: Formula, changing: Collection[str]) -> Program | None:
    """Return a formula's program; ``None`` where what changes has a function that is not known.

    Parameters
    ----------
    formula
        What is to be computed.
    changing
        The names of what changes while a job waits.
    """
    writing = _Writing(formula, [*changing])
    try:
        writing.write(ast.parse(formula.text.strip(), mode="eval").body)
    except _UnknownError:
        return None
    steps = np.array(writing.steps, np.int64).reshape(len(writing.steps), 2)
    count = len(writing.parts)
    # what changes stands behind the parts
    changes = (steps[:, 0] == codes.LOAD) & (steps[:, 1] < 0)
    steps[changes, 1] = count - 1 - steps[changes, 1]
    return Program(steps, tuple(writing.parts))


def program_of_order(order: Pbs) -> Program | None:
    """Return the program of an order's formula; ``None`` where what changes has other functions."""
    if order.formula is None:
        return Program(np.zeros((0, 2), np.int64), ())
    return program_of(order.formula, () if order.eligible is None else ("eligible_time",))


class _UnknownError(ValueError):
    """A part of a formula is not known."""


class _Writing:
    """Writes a formula's steps; those that load what changes have numbers below 0."""

    def __init__(self, formula: Formula, changing: list[str]) -> None:
        self.steps: list[tuple[int, int]] = []
        self.parts: list[Formula] = []
        self._formula = formula
        self._changing = changing

    def write(self, node: ast.expr) -> None:
        """Write what leaves the value of a part on the stack."""
        names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        if names.isdisjoint(self._changing):
            self._load(ast.unparse(node))
            return
        match node:
            case ast.Name(id=name):
                self.steps.append((codes.LOAD, -1 - self._changing.index(name)))
            case (
                ast.BinOp(left=left, op=sign, right=right)
                | ast.Compare(left=left, ops=[sign], comparators=[right])
            ) if type(sign) in _OF_TWO:
                self._of_some(_OF_TWO[type(sign)], left, right)
            case ast.UnaryOp(op=sign, operand=operand):
                self.write(operand)
                if not isinstance(sign, ast.UAdd):
                    self._do(codes.NEGATE if isinstance(sign, ast.USub) else codes.NOT)
            case ast.BoolOp(op=sign, values=parts):
                self._until(parts, every=isinstance(sign, ast.And))
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                self.write(test)
                self._choose(body, otherwise)
            case ast.Call(func=function, args=parts):
                self._call(ast.unparse(function).removeprefix("math."), parts)
            case _:
                raise _UnknownError

    def _call(self, name: str, parts: list[ast.expr]) -> None:
        if name in _OF_ONE and len(parts) == 1:
            self._of_some(_OF_ONE[name], *parts)
        elif name in _OF_SOME and len(parts) > 1 and (name != "pow" or len(parts) == 2):  # noqa: PLR2004 - base and exponent
            self.write(parts[0])
            for part in parts[1:]:
                self._of_some(_OF_SOME[name], part)
        else:
            raise _UnknownError

    def _do(self, what: int) -> int:
        """Write a step; return its place."""
        self.steps.append((what, 0))
        return len(self.steps) - 1

    def _load(self, text: str) -> None:
        self.steps.append((codes.LOAD, len(self.parts)))
        self.parts.append(read_formula(text, self._formula.names, "job_sort_formula"))

    def _of_some(self, what: int, *parts: ast.expr) -> None:
        for part in parts:
            self.write(part)
        self._do(what)

    def _go_on_here(self, place: int) -> None:
        """Let a step go on behind all that was written."""
        self.steps[place] = (self.steps[place][0], len(self.steps))

    def _choose(self, body: ast.expr, otherwise: ast.expr) -> None:
        unless = self._do(codes.GO_UNLESS)
        self.write(body)
        end = self._do(codes.GO)
        self._go_on_here(unless)
        self.write(otherwise)
        self._go_on_here(end)

    def _until(self, parts: list[ast.expr], *, every: bool) -> None:
        """Write a truth of parts that are looked at until one decides it."""
        decided = []
        for part in parts:
            self.write(part)
            if not every:
                self._do(codes.NOT)
            decided.append(self._do(codes.GO_UNLESS))
        self._load(str(int(every)))
        end = self._do(codes.GO)
        for place in decided:
            self._go_on_here(place)
        self._load(str(int(not every)))
        self._go_on_here(end)
