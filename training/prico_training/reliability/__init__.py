"""How reliable the win probabilities of trained policies are."""

from prico_training.reliability.calibration import Bin, Calibration, Measures, Reliability
from prico_training.reliability.forecasts import Forecasts, ReliabilityError, collect_forecasts
from prico_training.reliability.measure_reliability import measure_reliability

__all__ = [
    "Bin",
    "Calibration",
    "Forecasts",
    "Measures",
    "Reliability",
    "ReliabilityError",
    "collect_forecasts",
    "measure_reliability",
]
