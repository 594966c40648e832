//! Workspace: the packages cargo sees, and what they depend on.

use std::path::{Component, Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Every package of the workspace.
pub(crate) struct Workspace {
    pub(crate) packages: Vec<Package>,
}

/// One package, as its manifest declares it.
pub(crate) struct Package {
    pub(crate) name: String,
    /// Its folder, from the root of the workspace.
    pub(crate) folder: String,
    /// Normal dependencies only. Those of tests, benches and build scripts are free.
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) examples: Vec<Example>,
}

/// A normal dependency of a package.
pub(crate) struct Dependency {
    /// The package depended on, even if the manifest renames it.
    pub(crate) package: String,
    pub(crate) origin: Origin,
}

/// Where a dependency comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It is a package of this workspace.
    Workspace,
    /// It comes from a registry, a repository or another folder.
    Outside,
}

/// An example that a manifest registers.
pub(crate) struct Example {
    pub(crate) name: String,
    /// Its file, from the root of the workspace.
    pub(crate) file: String,
}

impl Workspace {
    /// Asks cargo.
    pub(crate) fn read(root: &Path) -> Result<Workspace, String> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(["metadata", "--format-version", "1", "--no-deps"])
            .current_dir(root)
            .output()
            .map_err(|error| format!("cannot start cargo: {error}"))?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            return Err(format!("cargo metadata failed: {}", message.trim()));
        }
        Workspace::parse(&String::from_utf8_lossy(&output.stdout))
    }

    /// Understands the answer of `cargo metadata --no-deps`.
    pub(crate) fn parse(json: &str) -> Result<Workspace, String> {
        let metadata: Value = serde_json::from_str(json)
            .map_err(|error| format!("cargo metadata printed no JSON: {error}"))?;
        let root = PathBuf::from(string(&metadata, "workspace_root")?);
        let packages = array(&metadata, "packages")?;
        let mut names = Vec::new();
        for package in packages {
            names.push(string(package, "name")?);
        }
        let packages = packages
            .iter()
            .map(|package| Package::parse(package, &root, &names));
        Ok(Workspace {
            packages: packages.collect::<Result<_, _>>()?,
        })
    }

    /// The package with this name.
    pub(crate) fn package(&self, name: &str) -> Option<&Package> {
        self.packages.iter().find(|package| package.name == name)
    }
}

impl Package {
    fn parse(package: &Value, root: &Path, workspace: &[&str]) -> Result<Package, String> {
        let manifest = from_root(root, string(package, "manifest_path")?)?;
        let folder = manifest
            .rsplit_once('/')
            .map_or("", |(folder, _)| folder)
            .to_owned();

        let mut dependencies = Vec::new();
        for dependency in array(package, "dependencies")? {
            if !dependency["kind"].is_null() {
                continue;
            }
            let name = string(dependency, "name")?;
            let is_inside = dependency["path"].is_string() && workspace.contains(&name);
            let origin = if is_inside {
                Origin::Workspace
            } else {
                Origin::Outside
            };
            dependencies.push(Dependency {
                package: name.to_owned(),
                origin,
            });
        }

        let mut examples = Vec::new();
        for target in array(package, "targets")? {
            if array(target, "kind")?.iter().any(|kind| kind == "example") {
                let name = string(target, "name")?.to_owned();
                examples.push(Example {
                    name,
                    file: from_root(root, string(target, "src_path")?)?,
                });
            }
        }

        Ok(Package {
            name: string(package, "name")?.to_owned(),
            folder,
            dependencies,
            examples,
        })
    }

    /// What the package is called in the map and the arrows: the name of its folder.
    pub(crate) fn short_name(&self) -> &str {
        self.folder.rsplit('/').next().unwrap_or(&self.folder)
    }

    /// Its manifest, from the root of the workspace.
    pub(crate) fn manifest(&self) -> String {
        if self.folder.is_empty() {
            return "Cargo.toml".to_owned();
        }
        format!("{}/Cargo.toml", self.folder)
    }
}

fn string<'a>(value: &'a Value, key: &str) -> Result<&'a str, String> {
    value[key]
        .as_str()
        .ok_or_else(|| format!("cargo metadata has no text `{key}` where expected"))
}

fn array<'a>(value: &'a Value, key: &str) -> Result<&'a [Value], String> {
    let array = value[key].as_array();
    array
        .map(Vec::as_slice)
        .ok_or_else(|| format!("cargo metadata has no list `{key}`"))
}

/// The path from `root`, with `..` resolved and `/` between the components.
fn from_root(root: &Path, path: &str) -> Result<String, String> {
    let mut plain = PathBuf::new();
    for component in Path::new(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    let inside = plain
        .strip_prefix(root)
        .map_err(|_| format!("{path} lies outside the workspace, move it inside"))?;
    let components: Vec<_> = inside
        .components()
        .map(|component| component.as_os_str().to_string_lossy())
        .collect();
    Ok(components.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const METADATA: &str = r#"{
        "workspace_root": "/w",
        "packages": [
            {
                "name": "apprentice-search",
                "manifest_path": "/w/crates/search/Cargo.toml",
                "dependencies": [
                    { "name": "hashbrown", "kind": null, "source": "registry" },
                    { "name": "proptest", "kind": "dev", "source": "registry" }
                ],
                "targets": [{ "kind": ["lib"], "name": "apprentice_search", "src_path": "/w/crates/search/src/lib.rs" }]
            },
            {
                "name": "apprentice",
                "manifest_path": "/w/crates/apprentice/Cargo.toml",
                "dependencies": [
                    { "name": "apprentice-search", "kind": null, "source": null, "path": "/w/crates/search" }
                ],
                "targets": [{ "kind": ["example"], "name": "01_first_path", "src_path": "/w/crates/apprentice/../../examples/01_first_path.rs" }]
            }
        ]
    }"#;

    #[test]
    fn dependencies_of_tests_are_left_out() {
        let workspace = Workspace::parse(METADATA).unwrap();
        let search = workspace.package("apprentice-search").unwrap();
        let names: Vec<&str> = search
            .dependencies
            .iter()
            .map(|dependency| dependency.package.as_str())
            .collect();
        assert_eq!(names, ["hashbrown"]);
        assert_eq!(search.dependencies[0].origin, Origin::Outside);
    }

    #[test]
    fn our_own_packages_are_told_from_strangers() {
        let workspace = Workspace::parse(METADATA).unwrap();
        let apprentice = workspace.package("apprentice").unwrap();
        assert_eq!(apprentice.dependencies[0].origin, Origin::Workspace);
        assert_eq!(apprentice.short_name(), "apprentice");
        assert_eq!(apprentice.manifest(), "crates/apprentice/Cargo.toml");
    }

    #[test]
    fn examples_are_found_where_their_files_are() {
        let workspace = Workspace::parse(METADATA).unwrap();
        let example = &workspace.package("apprentice").unwrap().examples[0];
        assert_eq!(example.name, "01_first_path");
        assert_eq!(example.file, "examples/01_first_path.rs");
    }

    #[test]
    fn an_answer_without_packages_is_an_error() {
        assert!(Workspace::parse(r#"{ "workspace_root": "/w" }"#).is_err());
        assert!(Workspace::parse("error: no such command").is_err());
    }
}
