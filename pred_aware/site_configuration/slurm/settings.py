"""The settings of a Slurm: what runs, and what its file says."""

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
    """The settings of a Slurm.

    What its controller says of itself (``scontrol show config``) holds, and where it says nothing,
    what stands in slurm.conf. Where both differ, the file was changed since.

    Parameters
    ----------
    folder
        With ``config.txt`` and ``slurm.conf``, or one of them.
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
                lacking="how the scheduler is configured is not known: Slurm's defaults are taken",
            )
        self._running = config_settings(config)
        self._said: dict[str, tuple[str, str, str]] = {}
        for line in self.conf.settings:
            self._take(line, folder.findings)
        for line, name in self.conf.not_read:
            folder.findings.add(
                "not read", line.where, f"Include {name}",
                "the file is not beside slurm.conf: what stands there is not known",
            )  # fmt: skip
        self._tell(folder.findings)

    def _take(self, line: Line, findings: Findings) -> None:
        if not line.settings:
            findings.add("unknown", line.where, line.text, "is no setting of Slurm's")
        for key, value in line.settings.items():
            self._said[key] = line.names[key], value, line.where

    def _tell(self, findings: Findings) -> None:
        """Tell of all settings that the site does not have."""
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
                findings.add("unknown", self.where(name), f"{name}={value}", "nobody here knows it")

    def _both(self, key: str) -> tuple[str, str]:
        if key in self._running:
            return self._running[key]
        name, value, _ = self._said.get(key, (key, "", ""))
        return name, value

    def where(self, name: str) -> str:
        """Return where a setting stands."""
        key = name.lower()
        if key in self._running or key not in self._said:
            return self._config_file
        return self._said[key][2]

    def get(self, name: str) -> str:
        """Return the value of a setting; empty without one."""
        value = self._both(name.lower())[1]
        return "" if value in ("(null)", "N/A") else value

    def value(self, name: str, read: Callable[[str], T]) -> T | None:
        """Return the value of a setting, read; ``None`` without one that can be read."""
        return self.findings.read(self.where(name), (name, self.get(name)), read)

    def tell_of_changes(self, findings: Findings) -> None:
        """Tell where slurm.conf says something else than the controller that runs."""
        for key in READ & self._said.keys() & self._running.keys():
            name, said, where = self._said[key]
            runs = self._running[key][1]
            if _same(said) != _same(runs):
                findings.add(
                    "assumed", where, f"{name}={said}",
                    f"the controller that runs has {runs or 'nothing'}, which is taken",
                )  # fmt: skip


def _same(text: str) -> object:
    """Return a value so that two that are written in different ways are equal."""
    told = text.strip().lower()
    told = {"yes": "all"}.get(told, told)
    # the controller says the unit in which the file has it
    told = told.removesuffix(" sec").removesuffix(" min")
    try:
        return seconds_of(told) if told[:1].isdigit() else _sorted(told)
    except ValueError:
        return _sorted(told)


def _sorted(text: str) -> tuple[str, ...]:
    nothing = {one.lower() for one in NOTHING} | {"no", "0"}
    return tuple(sorted(part for part in text.replace("|", ",").split(",") if part not in nothing))
