//! Writes the contracts' messages and stubs from `protos`, without validation rules, which only servers read.

use std::error::Error;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let root = repository()?;
    let includes = [root.join("protos"), root.join("third_party")];
    let ours = includes[0].join("parley");
    println!("cargo::rerun-if-changed={}", ours.display());
    let mut contracts = protox::Compiler::new(&includes)?
        .include_imports(true)
        .include_source_info(true)
        .open_files(protos_below(&ours)?)?
        .file_descriptor_set();
    contracts.file.retain(|file| !file.name().starts_with("buf/"));
    tonic_prost_build::configure()
        .build_server(false)
        .include_file("mod.rs")
        .compile_fds(contracts)?;
    Ok(())
}

/// The folder of `protos` and `third_party`: the repository, or a published package, which holds copies.
fn repository() -> Result<PathBuf, Box<dyn Error>> {
    let package = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let repository = package.join("../..");
    Ok(if repository.join("protos/parley").is_dir() { repository } else { package })
}

fn protos_below(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(protos_below(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "proto") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
