"""PBS's `qmgr` and the files of a server, as far as `service pbs-check` looks at them.

To be held against a real server. Read in the source of OpenPBS 23.06: the forms of `list` (an
object a line, its attributes below it with four spaces and ` = `, a tab before what a long line
goes on with), which attributes a hook has and how they are written, `export` to standard output,
"qmgr obj=X svr=default: ..." for what fails, "Unknown resource", "hook not found", directives from
standard input, and the line of strict_ordering in sched_config. Seen: one `-c` only is heeded;
server_priv is 0750 root:root. Assumed: the exit code of 1 for what fails, the wording of "cannot
connect", and that `export` writes nothing where no configuration was imported.
"""

import json
import sys
from pathlib import Path
from typing import Any

from pred_aware.production import pbs_hook
from tests.pred_aware.production.pbs_server import RESOURCES

_QMGR = """#!{python}
import json, sys, time
from pathlib import Path
has = json.loads(Path(__file__).with_name("has.json").read_text())

def fails(name, words):
    sys.stderr.write(f"qmgr obj={{name}} svr=default: {{words}}\\n")
    return 1

def listed(kind, name, attributes):
    print(kind, name)
    for one, value in attributes.items():
        print(f"    {{one}} = {{value}}")
    print()
    return 0

def done(directive):
    words = directive.split()
    if words == ["list", "server"]:
        return listed("Server", "pbs", has["server"])
    if words[:2] == ["list", "resource"]:
        if words[2] not in has["resources"]:
            return fails(words[2], "Unknown resource")
        return listed("Resource", words[2], {{"type": "long"}})
    if words[2] != "pred_aware" or has["hook"] is None:
        return fails(words[2], "hook not found")
    if words[0] == "list":
        return listed("Hook", words[2], has["hook"])
    print(has[words[3]], end="")
    return 0

if has["down"]:
    sys.stderr.write("Connection refused\\nqmgr: cannot connect to server pbs (errno=111)\\n")
    sys.exit(1)
told = sys.argv[2:] if sys.argv[1:2] == ["-c"] else sys.stdin.read().splitlines()
sys.exit(max([done(one) for one in told]))
"""


class PbsPrograms:
    """A server where all is well, in a folder; what it has may be changed."""

    def __init__(self, folder: Path, socket: Path) -> None:
        self.home, programs = folder / "home", folder / "exec" / "bin"
        self.accounting = self.home / "server_priv" / "accounting"
        self.sched_config = self.home / "sched_priv" / "sched_config"
        for path in (self.accounting, self.sched_config.parent, programs):
            path.mkdir(parents=True)
        (self.accounting / "20240301").write_text("a record\n")
        self.sched_config.write_text("# strict_ordering\nstrict_ordering: true\tALL\n")
        self.configuration = folder / "pbs.conf"
        self.configuration.write_text(f"PBS_EXEC={programs.parent}\nPBS_HOME={self.home}\n")
        (programs / "qmgr").write_text(_QMGR.format(python=sys.executable))
        (programs / "qmgr").chmod(0o755)
        self._file = programs / "has.json"
        self.settings = {"socket": str(socket), "dry_run": False}
        self.has(
            down=False,
            hook={"type": "site", "enabled": "true", "event": "queuejob,modifyjob",
                  "user": "pbsadmin", "alarm": "5", "order": "1", "debug": "false",
                  "fail_action": "none"},
            server={"server_state": "Active", "scheduling": "True", "backfill_depth": "5"},
            resources=list(RESOURCES),
            **{"application/x-python": Path(pbs_hook.__file__).read_text(),
               "application/x-config": json.dumps(self.settings)},
        )  # fmt: skip

    def has(self, **told: Any) -> None:  # noqa: ANN401 - JSON
        before = json.loads(self._file.read_text()) if self._file.exists() else {}
        self._file.write_text(json.dumps(before | told))

    def hook_has(self, **told: str) -> None:
        hook = json.loads(self._file.read_text())["hook"]
        self.has(hook=hook | told)

    def settings_are(self, **told: Any) -> None:  # noqa: ANN401 - JSON
        self.has(**{"application/x-config": json.dumps(self.settings | told)})
