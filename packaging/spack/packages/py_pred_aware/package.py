# For Spack. Not tested, because Spack was not available. In July 2026 Spack's packages had all
# dependencies except py-procset (recipe in this repository), py-msgspec and py-typer 0.29. Package
# the last two first. The hash is a placeholder until packaging/set_release.py writes the release's.
from spack_repo.builtin.build_systems.python import PythonPackage

from spack.package import *


class PyPredAware(PythonPackage):
    """Find out from your own job log how run time prediction would change your batch
    scheduler's queue."""

    pypi = "pred-aware/pred_aware-0.2.0.tar.gz"

    license("LGPL-3.0-or-later")

    version("0.2.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    depends_on("c", type="build")
    depends_on("py-cython@3.3.1", type="build")
    depends_on("py-hatchling@1.27:", type="build")
    depends_on("py-setuptools@77:", type="build")
    depends_on("py-hatch-fancy-pypi-readme@24.1:", type="build")

    with default_args(type=("build", "run")):
        depends_on("python@3.11:3.14")
        depends_on("py-cloudpickle@3.0:")
        depends_on("py-matplotlib@3.9:")
        depends_on("py-msgspec@0.19:")
        depends_on("py-numpy@2.0:")
        depends_on("py-packaging@24:")
        depends_on("py-pandas@2.2:")
        depends_on("py-procset@1.0:")
        depends_on("py-pyzmq@27")
        depends_on("py-rich@13.9:")
        depends_on("py-scikit-learn@1.5:")
        depends_on("py-scipy@1.13:")
        depends_on("py-threadpoolctl@3.1:")
        depends_on("py-typer@0.29:")
