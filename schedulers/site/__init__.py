"""A site: the nodes of a machine, and the rules that apply before any policy."""
