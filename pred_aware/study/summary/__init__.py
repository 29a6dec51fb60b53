"""The summary of a study's page: a manager's questions, each answered in a few lines."""
