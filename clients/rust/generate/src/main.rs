//! Writes the contracts' messages and stubs: `generate DESCRIPTORS FOLDER`.

use std::error::Error;
use std::{env, fs};

use prost::Message;
use prost_types::FileDescriptorSet;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [descriptors, folder] = arguments.as_slice() else {
        return Err("generate DESCRIPTORS FOLDER".into());
    };
    let contracts = FileDescriptorSet::decode(fs::read(descriptors)?.as_slice())?;
    tonic_prost_build::configure()
        .build_server(false)
        .out_dir(folder)
        .include_file("mod.rs")
        .compile_fds(contracts)?;
    Ok(())
}
