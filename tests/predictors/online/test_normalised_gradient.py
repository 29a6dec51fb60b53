import numpy as np
import pytest

from predictors.online.linear import NormalisedGradient


def slope_towards(value: float):  # noqa: ANN201 - a function
    return lambda predicted: 2.0 * (predicted - value)


def examples(number: int) -> list[tuple[np.ndarray, float]]:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(number, 3)) * [1.0, 1e4, 1e-3]
    rows[:, 2] *= rng.integers(0, 2, number)
    return [(row, float(3.0 * row[0] + 2e-4 * row[1] + 5.0)) for row in rows]


def plain(training: list[tuple[np.ndarray, float]], rate: float) -> list[float]:
    """Ross, Mineiro and Langford 2013, algorithm 2, coefficient by coefficient."""
    size = len(training[0][0])
    w, s, g, norm = [0.0] * size, [0.0] * size, [0.0] * size, 0.0
    for t, (x, y) in enumerate(training, start=1):
        for i in range(size):
            if abs(x[i]) > s[i]:
                w[i] *= s[i] / abs(x[i])
                s[i] = abs(x[i])
        derivative = 2.0 * (sum(a * b for a, b in zip(w, x, strict=True)) - y)
        norm += sum(x[i] ** 2 / s[i] ** 2 for i in range(size) if s[i])
        for i in range(size):
            g[i] += (derivative * x[i]) ** 2
            if g[i]:
                w[i] -= rate * (t / norm) ** 0.5 * derivative * x[i] / (s[i] * g[i] ** 0.5)
    return w


def test_coefficients_equal_those_of_the_papers_algorithm() -> None:
    training = examples(300)
    model = NormalisedGradient(3, rate=2.0)
    for inputs, value in training:
        model.learn(inputs, slope_towards(value))
    unit = [model.predict(column) for column in np.eye(3)]
    assert unit == pytest.approx(plain(training, 2.0), rel=1e-9)


def test_the_scale_of_an_input_does_not_matter() -> None:
    models = [NormalisedGradient(3, rate=2.0) for _ in range(2)]
    scales = np.array([1e3, 1e-6, 7.0])
    for inputs, value in examples(200):
        models[0].learn(inputs, slope_towards(value))
        models[1].learn(inputs * scales, slope_towards(value))
    for inputs, _ in examples(10):
        assert models[1].predict(inputs * scales) == pytest.approx(models[0].predict(inputs))


def test_the_model_learns_a_linear_function() -> None:
    model = NormalisedGradient(2, rate=5.0)
    for inputs, value in examples(4000):
        model.learn(np.array([1.0, inputs[1]]), slope_towards(value))
    assert model.predict(np.array([1.0, 0.0])) == pytest.approx(5.0, abs=0.5)


def test_inputs_of_only_zeros_change_nothing() -> None:
    model = NormalisedGradient(2, rate=5.0)
    model.learn(np.zeros(2), slope_towards(3.0))
    assert model.predict(np.ones(2)) == 0.0
