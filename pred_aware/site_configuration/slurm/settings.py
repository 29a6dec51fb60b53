"""The settings of Slurm, from its controller and slurm.conf."""

from collections.abc import Callable
from typing import TypeVar

from pred_aware.site_configuration.configured import Findings
from pred_aware.site_configuration.folder import Folder
from pred_aware.site_configuration.slurm.keys import NOT_MODELLED, READ, has_no_effect, is_off
from pred_aware.site_configuration.slurm.text import (
    NOTHING,
    config_settings,
    seconds_of,
)
from workload_tools.slurm.conf import Line, SlurmConfFile, read_conf_file

T = TypeVar("T")


class Settings:
    """The settings of Slurm.

    The controller's values (``scontrol show config``) take precedence over slurm.conf. If they
    differ, the file was changed afterwards.

    Parameters
    ----------
    folder
        The folder with ``config.txt`` or ``slurm.conf``, or both.
    """

    def __init__(self, folder: Folder) -> None:
        self.findings = folder.findings
        self._config_file, config = folder.text("config.txt")
        _, conf = folder.text("slurm.conf")
        path = folder.path / "slurm.conf"
        self.conf = read_conf_file(path) if conf else SlurmConfFile(path)
        if not config and not conf:
            folder.text(
                "config.txt",
                lacking="the scheduler's settings are unknown: Slurm's defaults are used",
            )
        self._running = config_settings(config)
        self._said: dict[str, tuple[str, str, str]] = {}
        for line in self.conf.settings:
            self._take(line, folder.findings)
        for line, name in self.conf.not_read:
            folder.findings.add(
                "not read", line.where, f"Include {name}",
                "the file is not next to slurm.conf: its settings are unknown",
            )  # fmt: skip
        self._tell(folder.findings)

    def _take(self, line: Line, findings: Findings) -> None:
        if not line.settings:
            findings.add("unknown", line.where, line.text, "is not a setting of Slurm")
        for key, value in line.settings.items():
            self._said[key] = line.names[key], value, line.where

    def _tell(self, findings: Findings) -> None:
        """Report all settings that the site does not contain."""
        for key in {**self._said, **self._running}:
            name, value = self._both(key)
            if key in READ:
                continue
            off, effect = NOT_MODELLED.get(key, ((), ""))
            if effect and effect != "-":
                if is_off(value, off):
                    findings.without_effect += 1
                else:
                    findings.add("not modelled", self.where(name), f"{name}={value}", effect)
            elif (
                effect == "-"
                or has_no_effect(key)
                or value in NOTHING
                or value.lower() in ("no", "0")
            ):
                findings.without_effect += 1
            else:
                findings.add(
                    "unknown", self.where(name), f"{name}={value}", "unknown to pred-aware"
                )

    def _both(self, key: str) -> tuple[str, str]:
        if key in self._running:
            return self._running[key]
        name, value, _ = self._said.get(key, (key, "", ""))
        return name, value

    def where(self, name: str) -> str:
        """Return the place of a setting: a file, or a line of it."""
        key = name.lower()
        if key in self._running or key not in self._said:
            return self._config_file
        return self._said[key][2]

    def get(self, name: str) -> str:
        """Return the value of a setting; empty if it is not set."""
        value = self._both(name.lower())[1]
        return "" if value in ("(null)", "N/A") else value

    def value(self, name: str, read: Callable[[str], T]) -> T | None:
        """Return the converted value of a setting; ``None`` if it is not set or cannot be read."""
        return self.findings.read(self.where(name), (name, self.get(name)), read)

    def tell_of_changes(self, findings: Findings) -> None:
        """Report settings of slurm.conf that differ from the running controller's."""
        for key in READ & self._said.keys() & self._running.keys():
            name, said, where = self._said[key]
            runs = self._running[key][1]
            if _same(said) != _same(runs):
                findings.add(
                    "assumed", where, f"{name}={said}",
                    f"the running controller has {runs or 'nothing'}, which is used",
                )  # fmt: skip


def _same(text: str) -> object:
    """Return a normal form of a value, so that different notations compare equal."""
    told = text.strip().lower()
    told = {"yes": "all"}.get(told, told)
    # the controller prints times with a unit
    told = told.removesuffix(" sec").removesuffix(" min")
    try:
        return seconds_of(told) if told[:1].isdigit() else _sorted(told)
    except ValueError:
        return _sorted(told)


def _sorted(text: str) -> tuple[str, ...]:
    nothing = {one.lower() for one in NOTHING} | {"no", "0"}
    return tuple(sorted(part for part in text.replace("|", ",").split(",") if part not in nothing))
