//! Sorts shared memory on request with Rust's standard library: the counterpart of process_sort.hpp.

use std::cmp::Ordering;
use std::env;
use std::io::{self, BufRead, Write};
use std::time::Instant;

extern "C" {
    fn mmap(address: *mut u8, bytes: usize, protection: i32, flags: i32, file: i32, offset: i64) -> *mut u8;
}

const READ_WRITE: i32 = 1 | 2;
const SHARED_POPULATED: i32 = 0x1 | 0x8000; // Linux
const KEYS: i32 = 3;

/// Answers requests to sort `n` keys until the input ends.
fn serve<K>(n: usize, sort: impl Fn(&mut [K])) -> io::Result<()> {
    // SAFETY: descriptor 3 holds n keys, which only we touch between a request and its answer.
    let keys = unsafe {
        let memory = mmap(std::ptr::null_mut(), n * std::mem::size_of::<K>(), READ_WRITE, SHARED_POPULATED, KEYS, 0);
        assert!(memory as isize != -1, "{}", io::Error::last_os_error());
        std::slice::from_raw_parts_mut(memory as *mut K, n)
    };
    println!("ready");
    for request in io::stdin().lock().lines() {
        request?;
        let begin = Instant::now();
        sort(keys);
        let taken = begin.elapsed();
        println!("{}", taken.as_nanos());
        io::stdout().flush()?;
    }
    Ok(())
}

fn serve_ordered<K: Ord>(n: usize, stable: bool) -> io::Result<()> {
    serve::<K>(n, |keys| if stable { keys.sort() } else { keys.sort_unstable() })
}

/// Sorts floats, which have no Ord, by their total order.
fn serve_by<K>(n: usize, stable: bool, compare: fn(&K, &K) -> Ordering) -> io::Result<()> {
    serve::<K>(n, |keys| if stable { keys.sort_by(compare) } else { keys.sort_unstable_by(compare) })
}

fn main() -> io::Result<()> {
    let words: Vec<String> = env::args().collect();
    let n: usize = words[2].parse().expect("the number of keys");
    let stable = words.iter().any(|word| word == "kind=stable");
    match words[1].as_str() {
        "u32" => serve_ordered::<u32>(n, stable),
        "u64" => serve_ordered::<u64>(n, stable),
        "i32" => serve_ordered::<i32>(n, stable),
        "i64" => serve_ordered::<i64>(n, stable),
        "u128" => serve_ordered::<u128>(n, stable),
        "f32" => serve_by::<f32>(n, stable, f32::total_cmp),
        "f64" => serve_by::<f64>(n, stable, f64::total_cmp),
        other => panic!("no key type {other}"),
    }
}
