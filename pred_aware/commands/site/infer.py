"""The command `site infer`."""

from pathlib import Path
from typing import Annotated

from pred_aware.commands.options.groups import adding, has, option
from pred_aware.commands.options.output import PrintOptions, check_outputs
from pred_aware.commands.options.reading import LogArgument, ReadingOptions


def infer(
    log: LogArgument,
    *,
    site_file: Annotated[
        Path | None, option("FILE", "Write the site file.", "-o", "--output")
    ] = None,
    reading: Annotated[
        ReadingOptions,
        has("reader", "processors", "time_zone", "missing_walltime", "site", "order", "clean"),
    ],
    output: PrintOptions,
) -> None:
    """Infer the rules of a site from its log: limits, closed hours and the order of the queue.

    A rule must explain jobs that waited although they could have started without delaying another
    job. Jobs may have broken the rule in at most 2 % of the cases to which it applied. The order
    must make the simulated queue more like the recorded queue. The command infers rules from the
    first half of the jobs. The second half decides whether a study may report changes for this
    site. The command never infers downtime. It keeps the rules of --site, and infers no further
    rules of their kinds.

    For example:

        pred-aware site infer KTH-SP2-1996-2.1-cln.swf.gz -o kth.toml

        pred-aware site infer accounting/ --processors 576 --json

        pred-aware site infer wagap-2013.swf.gz --site nodes.toml
    """
    from pred_aware.site_inference.fitting import infer_site
    from pred_aware.site_inference.report import blocks, file_of
    from workload_tools.files import written_whole

    check_outputs({"the log": log, **reading.files}, output=site_file)
    stated = reading.read_site()
    jobs = reading.read(log)
    found = infer_site(jobs, site=stated)
    if site_file is not None:
        with written_whole(site_file) as file:
            file.write(file_of(found).encode())
    output.print_blocks(found.to_dict(), blocks(found), readable=True)
    output.print_lines([] if site_file is None else [f"wrote {site_file}"])


register = adding(infer, page="how-to/infer-site.md")
