"""OpenPBS's configuration, from its commands and files."""
