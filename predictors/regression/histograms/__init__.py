"""scikit-learn's gradient boosting on histograms in compiled loops: the same trees, sooner."""
