"""What a job asked of Slurm, put together from several fields."""

from tests.suites import each_case
from workload_tools.slurm.amounts import read_tres
from workload_tools.slurm.requested import NOTHING, Requested, read_requested, submit_options


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
def test_options_end_where_the_job_begins(line: str, options: dict[str, str]) -> None:
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
            Requested(left_out=("nodes shared only with others (--exclusive=user)",)),
        ),
    ],
)
def test_a_command_line_tells_what_no_field_does(line: str, requested: Requested) -> None:
    assert read_requested(NOTHING, submit_line=line) == requested


def test_fields_of_their_own_go_before_the_command_line() -> None:
    told = Requested(features="a|b", reservation="r", memory_per_node=2.0, array_limit=5)
    line = "sbatch -C c --reservation=s --mem=9G --array=1-9%7 -L x x.sh"
    found = read_requested(
        told, tres=read_tres("license/y=3,gres/shard=1", "ReqTRES"), submit_line=line
    )
    assert found == told._replace(licences="y:3", left_out=("gres/shard",))
