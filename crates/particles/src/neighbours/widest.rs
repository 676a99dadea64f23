//! Inner loops with the widest vectors that the processor has. Programs are made for processors that have four lanes; most have
//! eight. Each lane does the same in the same order either way, so that results are the same bytes.

/// Runs `work`, compiled for wide vectors where the processor has them. Give it a closure marked `#[inline(always)]`, and mark
/// those that it calls: what is not inlined stays as it is.
#[inline(always)]
pub fn widest<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn with_eight_lanes<T>(work: impl FnOnce() -> T) -> T {
            work()
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has them.
            return unsafe { with_eight_lanes(work) };
        }
    }
    work()
}
