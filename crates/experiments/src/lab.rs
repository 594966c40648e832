//! Where one machine is not enough: the same cells as a Downward Lab experiment, and on HyperQueue.

use crate::definition::Extent;

/// What a script is to run, as a list in Python.
fn asked(ids: &[String], extent: Extent, seed: u64) -> String {
    let mut words = vec!["experiment".to_owned(), "run".to_owned()];
    words.extend(ids.iter().cloned());
    words.extend(["--seed".to_owned(), seed.to_string()]);
    if extent == Extent::Quick {
        words.push("--quick".to_owned());
    }
    let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
    words.join(", ")
}

/// A program for Downward Lab that runs the cells in parts, on this machine or by Slurm, and merges them.
///
/// ```
/// use apprentice_experiments::{Extent, lab_script};
///
/// let script = lab_script(&["table-4-1".to_owned()], Extent::Quick, 1, 4);
/// assert!(script.contains("PARTS = 4") && script.contains("\"table-4-1\""));
/// ```
pub fn lab_script(ids: &[String], extent: Extent, seed: u64, parts: u32) -> String {
    let words = asked(ids, extent, seed);
    format!(
        r#"#! /usr/bin/env python3
"""Runs experiments of Apprentice in parts, with Downward Lab (pip install lab).

    ./lab_experiment.py --all        build, run, merge: on this machine
    APPRENTICE_SLURM=1 ./lab_experiment.py build start      the same on a cluster with Slurm, ...
    ./lab_experiment.py merge                               ... and when it is done

The program `apprentice` must be on the path, or named by the variable APPRENTICE.
"""

import os
import subprocess
from pathlib import Path

from lab.environments import LocalEnvironment, SlurmEnvironment
from lab.experiment import Experiment

APPRENTICE = os.environ.get("APPRENTICE", "apprentice")
WORDS = [{words}]
PARTS = {parts}
HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"


class Cluster(SlurmEnvironment):
    """Set these to what your cluster has."""

    DEFAULT_PARTITION = os.environ.get("APPRENTICE_PARTITION", "main")
    DEFAULT_QOS = os.environ.get("APPRENTICE_QOS", "normal")
    DEFAULT_MEMORY_PER_CPU = "3G"


if os.environ.get("APPRENTICE_SLURM"):
    environment = Cluster()
else:
    environment = LocalEnvironment(processes=os.cpu_count())

experiment = Experiment(path=str(HERE / "runs"), environment=environment)
for part in range(1, PARTS + 1):
    run = experiment.add_run()
    run.set_property("id", [f"part-{{part:04d}}"])
    command = [APPRENTICE, *WORDS, "--cells", f"{{part}}/{{PARTS}}", "--jobs", "1", "--out", "part"]
    run.add_command("cells", command, memory_limit=3000)


def merge():
    """Gathers the parts, and makes the table and the report of all."""
    found = sorted((HERE / "runs").glob("runs-*/*/part"))
    if len(found) != PARTS:
        raise SystemExit(f"{{len(found)}} of {{PARTS}} parts are there")
    command = [APPRENTICE, "experiment", "merge", "--out", str(RESULTS), *map(str, found)]
    subprocess.run(command, check=True)
    subprocess.run([APPRENTICE, *WORDS, "--out", str(RESULTS)], check=True)


experiment.add_step("build", experiment.build)
experiment.add_step("start", experiment.start_runs)
experiment.add_step("merge", merge)
experiment.run_steps()
"#
    )
}

/// A program that runs the same cells in parts on HyperQueue, on this machine or on a cluster, and merges
/// them.
///
/// ```
/// use apprentice_experiments::{Extent, hyperqueue_script};
///
/// let script = hyperqueue_script(&["all".to_owned()], Extent::Full, 1, 8);
/// assert!(script.contains("PARTS = 8") && script.contains("LocalCluster"));
/// ```
pub fn hyperqueue_script(ids: &[String], extent: Extent, seed: u64, parts: u32) -> String {
    let words = asked(ids, extent, seed);
    format!(
        r#"#! /usr/bin/env python3
"""Runs experiments of Apprentice in parts on HyperQueue (pip install hyperqueue), and merges them.

    ./hyperqueue_run.py                    a server and a worker of its own, on this machine
    HQ_SERVER=DIR ./hyperqueue_run.py      those of a cluster; DIR is its server's folder (hq server start)

The program `apprentice` must be on the path, or named by the variable APPRENTICE.
"""

import os
import subprocess
from pathlib import Path

from hyperqueue import Client, Job, LocalCluster

APPRENTICE = os.environ.get("APPRENTICE", "apprentice")
WORDS = [{words}]
PARTS = {parts}
HERE = Path(__file__).resolve().parent


def run(client):
    """Runs all parts, and waits for them."""
    job = Job(name="apprentice")
    for part in range(1, PARTS + 1):
        folder = HERE / "parts" / str(part)
        folder.mkdir(parents=True, exist_ok=True)
        words = ["--cells", f"{{part}}/{{PARTS}}", "--jobs", "1", "--out", str(folder)]
        said = {{"stdout": str(folder / "stdout"), "stderr": str(folder / "stderr")}}
        job.program([APPRENTICE, *WORDS, *words], name=f"part {{part}}", **said)
    client.wait_for_jobs([client.submit(job)])


if "HQ_SERVER" in os.environ:
    run(Client(os.environ["HQ_SERVER"]))
else:
    with LocalCluster() as cluster:
        cluster.start_worker()
        run(cluster.client())

results = str(HERE / "results")
parts = [str(HERE / "parts" / str(part)) for part in range(1, PARTS + 1)]
subprocess.run([APPRENTICE, "experiment", "merge", "--out", results, *parts], check=True)
subprocess.run([APPRENTICE, *WORDS, "--out", results], check=True)
"#
    )
}
