"""OpenPBS's configuration, as its commands and files tell it."""
