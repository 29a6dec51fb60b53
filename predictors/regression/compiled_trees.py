"""Large ensembles of trees in Treelite's C++, for one prediction at a time."""

from typing import Any, TypeAlias

from predictors.regression.flat_trees import to_single_precision

Ensemble: TypeAlias = Any
"""A fitted ``RandomForestRegressor`` or ``HistGradientBoostingRegressor``; no types are published.
"""


class CompiledTrees:
    """A fitted scikit-learn ensemble of trees in Treelite's General Tree Inference Library (GTIL).

    scikit-learn's `predict` costs milliseconds for one row of a forest, GTIL some tens of us.

    Inputs are `rounded` to 32 bits for a forest, as scikit-learn does: its answers are then the
    same to the last bit.

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestRegressor
    >>> forest = RandomForestRegressor(10, random_state=1).fit([[1.0], [2.0]], [10.0, 20.0])
    >>> CompiledTrees(forest, rounded=True).predict([1.0]) == forest.predict([[1.0]])[0]
    np.True_
    """

    __slots__ = ("_rounded", "model")

    def __init__(self, ensemble: Ensemble, *, rounded: bool) -> None:
        import treelite

        self.model = treelite.sklearn.import_model(ensemble)
        self._rounded = rounded

    @property
    def base(self) -> float:
        """The prediction without any tree."""
        base: float = self.model.get_header_accessor().get_field("base_scores").item()
        return base

    def predict(self, row: list[float]) -> float:
        """Return the ensemble's prediction for a row of finite numbers."""
        import numpy as np
        from treelite import gtil

        table = np.array([row], dtype=np.float64)
        if self._rounded:
            table = to_single_precision(table).astype(np.float64)
        # threads cost more than they bring for one row
        predicted: float = gtil.predict(self.model, table, nthread=1).item()
        return predicted

    def __getstate__(self) -> tuple[bytes, bool]:
        """Return what is pickled: Treelite's own bytes."""
        return self.model.serialize_bytes(), self._rounded

    def __setstate__(self, state: tuple[bytes, bool]) -> None:
        """Take up what was pickled."""
        import treelite

        data, self._rounded = state
        self.model = treelite.Model.deserialize_bytes(data)
