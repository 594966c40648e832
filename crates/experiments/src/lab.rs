//! Where one machine is not enough: the same cells as a Downward Lab experiment, and on HyperQueue.

use crate::definition::Extent;

/// What a script is to run.
struct Asked {
    words: Vec<String>,
}

fn asked(ids: &[String], extent: Extent, seed: u64) -> Asked {
    let mut words = vec!["experiment".to_owned(), "run".to_owned()];
    words.extend(ids.iter().cloned());
    words.extend(["--seed".to_owned(), seed.to_string()]);
    if extent == Extent::Quick {
        words.push("--quick".to_owned());
    }
    Asked { words }
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
    let words = asked(ids, extent, seed).words;
    let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
    let words = words.join(", ");
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

/// A shell script that runs the same cells in parts on HyperQueue, and merges them.
///
/// ```
/// use apprentice_experiments::{Extent, hyperqueue_script};
///
/// let script = hyperqueue_script(&["all".to_owned()], Extent::Full, 1, 8);
/// assert!(script.contains("--array 1-8") && script.contains("experiment merge"));
/// ```
pub fn hyperqueue_script(ids: &[String], extent: Extent, seed: u64, parts: u32) -> String {
    let words = asked(ids, extent, seed).words;
    let quoted = |word: &String| format!("'{}'", word.replace('\'', r"'\''"));
    let words: Vec<String> = words.iter().map(quoted).collect();
    let words = words.join(" ");
    format!(
        r#"#! /usr/bin/env bash
# Runs experiments of Apprentice in parts on HyperQueue (pip install hyperqueue), and merges them.
# A server must be running (`hq server start`), with workers (`hq worker start`, or `hq alloc add slurm`
# for those of a cluster). The program `apprentice` must be on the path, or named by APPRENTICE.
set -euo pipefail

cd "$(dirname "${{BASH_SOURCE[0]}}")"
apprentice=${{APPRENTICE:-apprentice}}
parts={parts}

mkdir -p parts
hq submit --name apprentice --array 1-{parts} --cpus 1 --wait \
    --stdout 'parts/%{{TASK_ID}}.out' --stderr 'parts/%{{TASK_ID}}.err' -- \
    bash -c "'$apprentice' {words} --cells \$HQ_TASK_ID/$parts --jobs 1 --out parts/\$HQ_TASK_ID"

"$apprentice" experiment merge --out results $(seq -f 'parts/%g' 1 "$parts")
"$apprentice" {words} --out results
"#
    )
}
