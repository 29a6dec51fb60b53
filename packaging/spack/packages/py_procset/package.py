# For Spack. Not tested, because Spack was not available. Spack's repository lacks procset.
from spack_repo.builtin.build_systems.python import PythonPackage

from spack.package import *


class PyProcset(PythonPackage):
    """Toolkit to manage sets of closed intervals."""

    homepage = "https://gitlab.inria.fr/bleuse/procset.py"
    pypi = "procset/procset-1.0.tar.gz"

    license("LGPL-3.0-only")

    version("1.0", sha256="10921a4fe902822b6d4c94691abbf1965a29bc81157215f1a9092305e21fc146")

    depends_on("py-setuptools", type="build")
