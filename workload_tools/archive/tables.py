"""Public logs that are tables: where each is, how large, and its digest, as far as that is known.

Sizes and digests are those that NLR's catalogue of such logs pins for the files that it downloaded
(github.com/NatLabRockies/hpc-oda-commons at 073abc2, August 2026), the addresses the same or those
of the publishers' own descriptions. None of these files was downloaded for this project.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedTable:
    """A public log that is a table."""

    name: str
    """What it is called here."""
    file: str
    """What the file is called here."""
    map: str
    """The shipped map that reads it."""
    page: str
    """Where its publisher describes it."""
    licence: str
    """Under which it is published."""
    at: str | None = None
    """The file's address; None where no program can fetch it."""
    size: int | None = None
    """In bytes."""
    sha256: str | None = None
    """Of the file as it comes."""
    by_hand: str = ""
    """How to get it where no program can."""
    unpack: bool = False
    """Whether it is a ZIP of the table's files."""

    sha256_of = "file"

    def address(self, archive: str = "") -> str:
        """Return where the file is; empty where no program can fetch it."""
        return self.at or ""


_CC_BY = "CC-BY-4.0"
_ALCF = "https://reports.alcf.anl.gov/data"
_OEDI = "https://data.openei.org"
_FUGAKU = "https://zenodo.org/records/11467483"
_SOFTWALL = "https://jsspp.org/workload/index.php?page=softwall"

_SINGLE = (
    PublishedTable(
        name="eagle",
        file="eagle_data.parquet",
        map="eagle",
        page=f"{_OEDI}/submissions/5860",
        licence=_CC_BY,
        at=f"{_OEDI}/files/5860/eagle_data.parquet",
        size=253_083_944,
        sha256="55d5b8d1bb74abac22519276f83f585bcc5f349528f3a6caee847a738762e89e",
    ),
    PublishedTable(
        name="eagle-2024",
        file="eagle.job-anon.zip",
        map="eagle-2024",
        page="https://data.nlr.gov/submissions/295",
        licence="nlr-data-1.0 (LICENSE.md in the ZIP)",
        at="https://data.nlr.gov/system/files/295/1773544762-esif.hpc.eagle.job-anon.zip",
        size=912_312_837,
        sha256="f6decbe7db906d15886416ba16a2a7b417ec0b561ca3fef6ab37b413853b840b",
        unpack=True,
    ),
    PublishedTable(
        name="kestrel",
        file="kestrel.job-anon.zip",
        map="kestrel",
        page="https://data.nlr.gov/submissions/302",
        licence="nlr-data-1.0 (LICENSE.md in the ZIP)",
        at="https://data.nlr.gov/system/files/302/1773544299-esif.hpc.kestrel.job-anon.zip",
        size=731_139_558,
        sha256="3a90f9ac40991712f8718c686fa7b05d7a303a44a87ed1a8f21b403c11efd26f",
        unpack=True,
    ),
    PublishedTable(
        name="pm100",
        file="pm100_job_table.parquet",
        map="pm100",
        page="https://zenodo.org/records/10127767",
        licence=_CC_BY,
        at="https://zenodo.org/records/10127767/files/job_table.parquet",
        size=287_154_521,
        sha256="6be954098d9bd6bfdef6881c6d8a3260170b00d16839509700e1b6976da3a7eb",
    ),
    PublishedTable(
        name="adastra",
        file="AdastaJobsMI250_15days.parquet",
        map="adastra",
        page="https://zenodo.org/records/14007065",
        licence=_CC_BY,
        at="https://zenodo.org/records/14007065/files/AdastaJobsMI250_15days.parquet",
        size=1_230_367,
        sha256="7ed5fce02fa82a852262e2b794e2c6d3914f34930b4f1b5c619800b2f5d52bc0",
    ),
    PublishedTable(
        name="lassen",
        file="final_csm_allocation_history_hashed.csv",
        map="lassen",
        page="https://github.com/LLNL/LAST",
        licence=_CC_BY,
        at="https://media.githubusercontent.com/media/LLNL/LAST/main/"
        "Lassen-Supercomputer-Job-Dataset/final_csm_allocation_history_hashed.csv",
        size=361_768_711,
        sha256="8d2429f034f626ee052e50d11f77ff755191a0b480240842fb188c8a3bb7c190",
    ),
    PublishedTable(
        name="supercloud",
        file="supercloud_slurm-log.csv",
        map="slurmdbd",
        page="https://dcc.mit.edu",
        licence=_CC_BY,
        at="https://mit-supercloud-dataset.s3.amazonaws.com/datacenter-challenge/202201/"
        "slurm-log.csv",
        size=103_165_427,
        sha256="27259e5b8e6daecd80b7853126af40ba759bc25edc9053fc174ef7a4f186aa01",
    ),
    *(
        PublishedTable(
            name=name,
            file=f"{name}.txt",
            map="cerit-softwall",
            page=_SOFTWALL,
            licence="not known here",
            by_hand=f"the file's address is not known here: get {name} from {_SOFTWALL}",
        )
        for name in ("CERIT-soft-wall", "CERIT-user-wall")
    ),
)
_FUGAKU_MONTHS = {
    "23_03": (728_247_174, "88a4327084d0ae355d43c76f836f68f6ee954f9202e6ea37da45c16e01826aa9"),
    "23_04": (575_431_429, "7213182439a75bd58607efb850e81dbadbe24be2144921338eccb0a4cb37d593"),
    "23_05": (635_235_337, "be9750b2aaceca9d4c443182403c89ef6fcf49a72522ee41cbfb653cdebca67d"),
    "23_06": (1_330_520_896, "463f50142045ae79dfe502be1123239850a0f4ab10675b0679c23cd076eb8812"),
    "23_07": (968_169_044, "eaed73c23bae77d51901bd946d7c7f1c80b17403305dab72f8e9435acb87a31f"),
    "23_08": (1_177_409_305, "08c3d68d165e5e5f635a9b077acaf416d066006f7fee618c9dd2df46af32648d"),
    "23_09": (455_688_150, "a5fb88d30448ccec00224c43abab62723e1f2bc31db93fc3985650fcc9dbf5b9"),
}
_ALCF_FILES = {
    "THETA_20170701_20171231": (
        5_388_991,
        "37815dfa0fb4a6388c3863c4c27c45c6160780b752445a321bf815b13468ee10",
    ),
    "THETA_20180101_20181231": (
        14_004_346,
        "617e454f0d1e7c9734713f52a32f1c2d55b1ae998fd2879ac17489155af7120d",
    ),
    "THETA_20190101_20191231": (
        10_073_019,
        "a1b2a1ddc1a6a1b8b895c6f5a6cdaab6b3f3ff670fa8cecb18d2fcfaa6abc654",
    ),
    "THETA_20200101_20201231": (
        7_955_354,
        "fe75b2debe5c1d107e73e804bde801c5ebcc1b3fc9292d3ea5f61d56a9e2ded2",
    ),
    "THETA_20210101_20211231": (
        8_395_387,
        "544992c3b2e116e305e1dabd4d07fe5e3d51f297258be798c0e3ec1f984a0416",
    ),
    "THETA_20220101_20221231": (
        6_927_863,
        "44e28efdf727c153cc21724c449810f33678f213fa70d224e06fddae45eb3ba7",
    ),
    "THETA_20230101_20231231": (
        5_006_763,
        "8de5a9d17caf6a24ccfe094693ee78588be10fdaf74c8ebf723dc54ace055903",
    ),
    "THETA_20240101_20241231": (
        26_219,
        "5e4be84c7cc2bac4c4fbd7b2f7757bb44c18702af7f9ed91ecb13b082a0aec32",
    ),
    "POLARIS_20220809_20221231": (
        2_261_468,
        "d9e632dc2cee0ead881c0bcb4815bace5ee6cf99582ff9c95a0074b58c63aa0a",
    ),
    "POLARIS_20230101_20231231": (
        10_584_138,
        "f6802c1a1ffeb6fca842a16fe667ebd6d2601649f11093bbf0780dfb49654da1",
    ),
    "POLARIS_20240101_20241231": (
        15_346_240,
        "efc3fcff5179268589a0fe4dfa80bc6820e0220608093f4f9328f9aac998e583",
    ),
    "POLARIS_20250101_20251231": (
        13_545_833,
        "79669f76be0c7f0fe65fb6df9e789994f7372634faa028eff108181a4597429a",
    ),
    "POLARIS_20260101_20260716": (
        10_003_961,
        "427abee8105cf8de46ccea782bf683fff9aba3b20b7fef3c2b7ba675474f99f0",
    ),
    "AURORA_20250127_20251231": (
        61_534_432,
        "33e829a855567924569fa06a92cfa64215922f1fffd1b7a1dd57f17b2ddd6491",
    ),
    "AURORA_20260101_20260716": (
        21_656_320,
        "7ca7f8259524d85ba9e8a9bb0f1f2f9e3fb112fe4451b77a9c55d510ad9d3d67",
    ),
}


def _fugaku() -> list[PublishedTable]:
    """Return F-DATA's months; of those without a digest only the address is known."""
    months = [f"{year}_{month:02}" for year in (21, 22, 23, 24) for month in range(1, 13)]
    return [
        PublishedTable(
            name=f"fugaku-{month}",
            file=f"{month}.parquet",
            map="fugaku",
            page=_FUGAKU,
            licence=_CC_BY,
            at=f"{_FUGAKU}/files/{month}.parquet",
            size=_FUGAKU_MONTHS.get(month, (None, None))[0],
            sha256=_FUGAKU_MONTHS.get(month, (None, None))[1],
        )
        for month in months
        if "21_03" <= month <= "24_04"
    ]


def _alcf() -> list[PublishedTable]:
    """Return ALCF's files, which ask for a name and an email address first."""
    return [
        PublishedTable(
            name=f"ANL-ALCF-DJC-{name}",
            file=f"ANL-ALCF-DJC-{name}.csv.gz",
            map="alcf",
            page=_ALCF,
            licence="none is stated; cite ALCF",
            size=size,
            sha256=sha256,
            by_hand="ALCF asks for a name and an email address, once: open "
            f"{_ALCF}/{name.split('_')[0].lower()}.html in a browser and click the file under "
            "DIM_JOB_COMPOSITE",
        )
        for name, (size, sha256) in _ALCF_FILES.items()
    ]


TABLES: Mapping[str, PublishedTable] = MappingProxyType(
    {one.name: one for one in (*_SINGLE, *_fugaku(), *_alcf())}
)
"""The public tables by name."""
