from pathlib import Path
from msgspec.structs import replace
import pytest
from pred_aware.site_configuration import configured_site
from tests.schedulers.slurm import recorded_state as r
@pytest.mark.parametrize("name", ["partitions", "limits", "memory", "fairshare"])
def test_x(name, monkeypatch):
    folder = Path("/work/shared/slurm")/name
    out = []
    for how in (None, lambda f: replace(configured_site(f).site, start=0.0)):
        if how: monkeypatch.setattr(r, "site_of_recording", how)
        f = r.figures(folder)
        out.append((f.starts, f.near, f.held, f.waited))
    print(name, out)
