"""A job's request to Slurm, combined from several fields."""

import pytest

from tests.suites import each_case
from workload_tools.slurm.amounts import read_count, read_limit, read_memory, read_tres
from workload_tools.slurm.conf import node_names
from workload_tools.slurm.errors import UnreadableError
from workload_tools.slurm.job_maker import read_job_number
from workload_tools.slurm.requested import NOTHING, Requested, read_requested, submit_options
from workload_tools.slurm.states import STATES, read_state


@each_case(
    ("line", "options"),
    [
        ("sbatch -N 2 -n8 job.sh --exclusive", {"nodes": "2", "ntasks": "8"}),
        ("srun --exclusive -H -C=fast ./a.out", {"exclusive": "", "constraint": "fast"}),
        ("sbatch --mem 4G -J x", {"mem": "4G"}),
        ("sbatch --exclusive=user --wrap srun --contiguous a", {"exclusive": "user"}),
        ("sbatch", {}),
        ("", {}),
        ("sbatch --array", {"array": ""}),
    ],
)  # fmt: skip
def test_options_end_at_the_jobs_command(line: str, options: dict[str, str]) -> None:
    assert submit_options(line) == options


@each_case(
    ("line", "requested"),
    [
        ("sbatch job.sh", NOTHING),
        ("sbatch -N4 --ntasks-per-node=8 x", Requested(nodes=4, tasks_per_node=8)),
        ("sbatch --gres=gpu x", Requested(gpus_per_node=1)),
        ("sbatch --mem=4G -L matlab x", Requested(memory_per_node=4.0, licences="matlab:1")),
        ("sbatch --gres=gpu:v100:2,lustre:1 x", Requested(gpu_type="v100", gpus_per_node=2)),
        ("sbatch --gpus-per-node=2 x", Requested(gpus_per_node=2)),
        *(
            (
                f"sbatch {option} x",
                Requested(left_out=("cores shared with other jobs (OverSubscribe)",)),
            )
            for option in ("--oversubscribe", "-s")
        ),
        ("sbatch -G a100:1,v100:1 x", Requested(left_out=("GPUs of several types",))),
        ("sbatch --gres=gpu:1g.5gb:1 x", Requested(left_out=("parts of GPUs (MIG)",))),
        ("sbatch -a 1-9%3 x", Requested(array_limit=3)),
        ("sbatch --mem=0 x", Requested(left_out=("all memory of its nodes (--mem=0)",))),
        ("sbatch -N 2-4 x", Requested(left_out=("a range of node numbers",))),
        ("sbatch -M a,b x", Requested(left_out=("several possible clusters (federation)",))),
        (
            "sbatch --bb=x --switches=1 x",
            Requested(left_out=("burst buffers", "topology: switches")),
        ),
        (
            "sbatch --exclusive=user x",
            Requested(left_out=("nodes shared with some jobs only (--exclusive=user)",)),
        ),
    ],
)
def test_the_command_line_adds_requests_that_no_field_has(line: str, requested: Requested) -> None:
    assert read_requested(NOTHING, submit_line=line) == requested


def test_fields_take_precedence_over_the_command_line() -> None:
    told = Requested(features="a|b", reservation="r", memory_per_node=2.0, array_limit=5)
    line = "sbatch -C c --reservation=s --mem=9G --array=1-9%7 -L x x.sh"
    found = read_requested(
        told, tres=read_tres("license/y=3,gres/shard=1", "ReqTRES"), submit_line=line
    )
    assert found == told._replace(licences="y:3", left_out=("gres/shard",))


@each_case(
    ("text", "seconds"),
    [("1", 60.0), ("2-12:00:00", 216000.0), ("00:00:30", 30.0), ("UNLIMITED", None), ("0", None)],
)
def test_a_limit_is_in_minutes_or_a_duration(text: str, seconds: float | None) -> None:
    assert read_limit(text, "Timelimit") == seconds


@each_case(
    ("text", "gibibytes"),
    [("500M", 500 / 1024), ("512000K", 512000 / 1024**2), ("2T", 2048.0), ("2Gn", 6.0),
     ("1.50Gc", 6.0), ("100", 100 / 1024), ("0n", None), ("?", None)],
)  # fmt: skip
def test_memory_is_that_of_the_whole_job(text: str, gibibytes: float | None) -> None:
    assert read_memory(text, cpus=4, nodes=3) == gibibytes


def test_gpus_of_types_are_added_only_without_a_total() -> None:
    assert read_tres("gres/gpu:a100=2,gres/gpu:v100=1", "ReqTRES").gpus == 3
    assert read_tres("gres/gpu:a100=2,gres/gpu=2,gres/gpumem=80G", "ReqTRES").gpus == 2
    assert read_tres("cpu=1", "ReqTRES").gpus is None


@each_case("state", sorted(STATES))
def test_every_state_is_read_also_with_the_cancelling_user(state: str) -> None:
    assert read_state(state) == read_state(f"{state} by 1002") == state


@each_case("text", ["", "DONE", "C+", "RE+", "completed"])
def test_an_unknown_state_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableError):
        read_state(text)


@each_case("text", ["-1", "1e9", "four", "1" * 30, "٣", "1.2.3K"])
def test_an_invalid_count_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableError):
        read_count(text, "ReqCPUS")


def test_numbers_of_jobs_tasks_and_components_are_distinguished() -> None:
    texts = ["178", "178_0", "178_1", "178+0", "178+1", "179_0", "4294967295_4000000"]
    keys = [read_job_number(text).key for text in texts]
    assert len(set(keys)) == len(keys)
    assert max(keys) < 2**63


@each_case("text", ["n[01", "n[1-", "n[1-9999999999]", "n[0-9999999]", "[a]", "n]"])
def test_an_invalid_list_of_nodes_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="nodes"):
        node_names(text)
