//! The studio inside a page: what a worker of the page calls (`planner.js`), in WebAssembly.
//!
//! Texts go in through one piece of memory that the page fills ([`room`](calls::room)), and come out
//! through functions of the page; no pointer is kept by either.

#[cfg(target_arch = "wasm32")]
pub mod calls;
