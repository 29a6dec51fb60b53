"""Put a release's version and hash into the recipes: ``python packaging/set_release.py SDIST``."""

import re
import sys
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).parent
IN_RECIPES = {
    "conda-forge/recipe.yaml": (r'(?<=  version: ")[^"]+', r"(?<=sha256: )\w+"),
    "spack/packages/py_pred_aware/package.py": (
        r'(?<=pred_aware-)[\d.]+(?=\.tar)|(?<=version\(")[^"]+',
        r'(?<=sha256=")\w+',
    ),
    "easybuild/pred-aware-*.eb": (
        r"(?<=\nversion = ')[^']+",
        r"(?<='checksums': \[')\w+(?='\],\n    }\),\n\])",
    ),
    "guix/pred-aware.scm": (
        r'(?<=\(name "pred-aware"\)\n    \(version ")[^"]+',
        r'(?<=\(base32 ")\w+(?="(?s:.)*finds out)',
    ),
    "apptainer/pred-aware.def": (r"(?<=pred_aware-)[\d.]+(?=-py3)|(?<=Version )\S+", None),
}
"""For each recipe, the patterns that find its version and its hash (None if it has none)."""
BASE32 = "0123456789abcdfghijklmnpqrsvwxyz"


def base32(digest: bytes) -> str:
    """Return a digest in the base 32 of Nix and Guix: five bits a character, last bits first."""
    number = int.from_bytes(digest, "little")
    places = range((len(digest) * 8 - 1) // 5, -1, -1)
    return "".join(BASE32[number >> 5 * place & 31] for place in places)


def release(sdist: Path, recipes: Path = HERE) -> None:
    """Write the version in the source archive's name, and its hash, into all recipes."""
    version = sdist.name.removeprefix("pred_aware-").removesuffix(".tar.gz")
    digest = sha256(sdist.read_bytes())
    for name, (versions, hashes) in IN_RECIPES.items():
        (path,) = recipes.glob(name)
        text = re.sub(versions, version, path.read_text(encoding="utf-8"))
        if hashes is not None:
            told = base32(digest.digest()) if path.suffix == ".scm" else digest.hexdigest()
            text = re.sub(hashes, told, text)
        path.write_text(text, encoding="utf-8")
        path.rename(path.with_name(re.sub(r"(?<=^pred-aware-)[\d.]+(?=-)", version, path.name)))


if __name__ == "__main__":
    release(Path(sys.argv[1]))
