"""The prediction service for a batch system, with its store of ended jobs and its helpers."""
