import asyncio
from contextlib import suppress
from pathlib import Path

from alembic import command as alembic
from alembic.config import Config
from sqlalchemy import create_engine, text

from pred_aware.production import opening
from pred_aware.production.making import predictor_of
from pred_aware.production.pbs_feed import PbsFeed
from pred_aware.production.service import Service
from pred_aware.production.store import Store


def record(number: int, *, kind: str = "E") -> str:
    return (
        f"03/01/2024 11:00:00;{kind};{number}.srv;user=ann queue=q ctime={number} start=1000 "
        "end=1060 Resource_List.ncpus=2 Resource_List.walltime=01:00:00 Exit_status=0 "
        "resources_used.walltime=00:01:00\n"
    )


def follow(folder: Path, store: Store) -> list[str]:
    """Read all that there is; return the ids that are in the store."""
    feed = PbsFeed(folder)
    while (read := feed.read(store.position(feed.name))) is not None:
        store.add(read.jobs, position=read.position)
        if not read.more:
            break
    return [job.id for job in store.jobs()]


def test_a_file_that_grows_is_read_on_and_a_cut_line_waits_for_its_rest(tmp_path: Path) -> None:
    day = tmp_path / "20240301"
    cut = record(3)
    with Store(tmp_path / "jobs.db") as store:
        assert follow(tmp_path, store) == []
        day.write_text(record(1) + record(1, kind="S") + record(2) + cut[:50])
        assert follow(tmp_path, store) == ["1.srv", "2.srv"]
    with Store(tmp_path / "jobs.db") as again, day.open("a") as file:
        file.write(cut[50:])
        file.flush()
        assert follow(tmp_path, again) == ["1.srv", "2.srv", "3.srv"]


def test_the_next_day_is_read_when_the_one_before_is_done(tmp_path: Path) -> None:
    (tmp_path / "20240301").write_text(record(1))
    (tmp_path / "20240302").write_text(record(2))
    (tmp_path / "notes").write_text(record(9))
    with Store(tmp_path / "jobs.db") as store:
        assert follow(tmp_path, store) == ["1.srv", "2.srv"]
        (tmp_path / "20240303").write_text(record(2) + "no record\n\n" + record(3))
        assert follow(tmp_path, store) == ["1.srv", "2.srv", "3.srv"]


def test_the_service_learns_what_the_files_tell(tmp_path: Path) -> None:
    (tmp_path / "20240301").write_text("".join(map(record, range(1, 40))))

    async def run() -> int:
        with Store(tmp_path / "jobs.db") as store:
            service = Service(store, predictor_of("pbs_v1"), deadline=5.0)
            following = asyncio.create_task(service.follow(PbsFeed(tmp_path)))
            async with asyncio.timeout(20):
                while service.health()["learned"] < 39:  # noqa: ASYNC110 - it tells nobody
                    await asyncio.sleep(0.01)
            following.cancel()
            with suppress(asyncio.CancelledError):
                await following
            await service.stop([])
            learned: int = service.health()["learned"]
        return learned

    assert asyncio.run(run()) == 39


def test_a_store_of_the_first_schema_gets_the_newest_and_keeps_its_jobs(tmp_path: Path) -> None:
    path = tmp_path / "jobs.db"
    config = Config()
    config.set_main_option("script_location", str(Path(opening.__file__).parent / "migrations"))
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        alembic.upgrade(config, "v0001")
        connection.execute(text(
            "INSERT INTO ended_jobs (id, submit_time, end_time, run_time, processors, killed) "
            "VALUES ('7', 1, 3, 2, 4, 0)"
        ))  # fmt: skip
    engine.dispose()
    with Store(path) as store:
        assert [job.id for job in store.jobs()] == ["7"]
        assert store.position("none") is None
