//! Reads every instance below the folders given.
use apprentice_htn::hddl::{read_domain, read_problem};
fn main() {
    let root = std::env::args().nth(1).expect("a folder");
    let mut dirs: Vec<_> = std::fs::read_dir(root)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.is_dir())
        .collect();
    dirs.sort();
    for dir in dirs {
        let mut files: Vec<_> = std::fs::read_dir(&dir)
            .unwrap()
            .map(|e| e.unwrap().path())
            .filter(|p| p.extension().is_some_and(|e| e == "hddl"))
            .collect();
        files.sort();
        for file in files {
            let name = file.file_name().unwrap().to_str().unwrap().to_owned();
            if name.ends_with("domain.hddl") {
                continue;
            }
            let own = dir.join(name.replace(".hddl", "-domain.hddl"));
            let dom = if own.exists() {
                own
            } else {
                dir.join("domain.hddl")
            };
            let dom = if dom.exists() {
                dom
            } else {
                dir.parent().unwrap().join("domain.hddl")
            };
            let domain = match read_domain(
                dom.to_str().unwrap(),
                &std::fs::read_to_string(&dom).unwrap(),
            ) {
                Ok(d) => d,
                Err(e) => {
                    println!("{e}");
                    continue;
                }
            };
            match read_problem(
                &domain,
                file.to_str().unwrap(),
                &std::fs::read_to_string(&file).unwrap(),
            ) {
                Ok(p) => {
                    let _ = p;
                    println!("ok {name}")
                }
                Err(e) => println!("{e}"),
            }
        }
    }
}
