//! Pictures of the folder that lie under a level while it is made.

use base64::Engine;

use crate::folder::{Folder, ends_like};

/// The ends of their names.
pub(crate) const READ: [&str; 5] = ["png", "jpg", "jpeg", "webp", "svg"];
/// Pages are slow with more.
const LARGEST: usize = 8 << 20;

/// A picture as the address of an image, with all of it inside.
pub(crate) fn read(folder: &Folder, path: &str) -> Result<String, String> {
    let bytes = folder.read_picture(path)?;
    if bytes.len() > LARGEST {
        return Err(format!(
            "`{path}` is larger than {} MiB; make it smaller",
            LARGEST >> 20
        ));
    }
    let kind = READ.into_iter().find(|kind| ends_like(path, kind));
    let kind = match kind {
        Some("jpg" | "jpeg") => "jpeg",
        Some("svg") => "svg+xml",
        Some(kind) => kind,
        None => {
            return Err(format!(
                "`{path}` is no picture; name a .png, .jpg, .webp or .svg"
            ));
        }
    };
    let text = base64::engine::general_purpose::STANDARD.encode(bytes);
    Ok(format!("data:image/{kind};base64,{text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_one_address_and_anything_else_is_refused() {
        let root = tempfile::tempdir().expect("a folder");
        std::fs::write(root.path().join("a.png"), b"\x89PNG").expect("there is room");
        std::fs::write(root.path().join("a.exe"), b"MZ").expect("there is room");
        let folder = Folder::open(root.path()).expect("it is one");
        let read = |path: &str| read(&folder, path);
        assert_eq!(
            read("a.png"),
            Ok("data:image/png;base64,iVBORw==".to_owned())
        );
        for path in ["a.exe", "b.png", "../a.png", "/etc/passwd"] {
            assert!(read(path).is_err(), "{path}");
        }
    }
}
