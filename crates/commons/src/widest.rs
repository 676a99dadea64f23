//! Inner loops with the widest vectors that the processor has. Programs are made for processors that have four lanes; most have
//! eight. Each lane does the same in the same order either way, so that results are the same bytes.

/// What the code that runs was compiled for. Only [`widest`] makes one, so that whoever has one may rely on it.
#[derive(Clone, Copy, Debug)]
pub struct Width {
    eight_lanes: bool,
}

impl Width {
    /// Whether the processor has eight lanes and the code was compiled for them (AVX2).
    #[inline(always)]
    pub fn has_eight_lanes(self) -> bool {
        self.eight_lanes
    }
}

/// Runs `work`, compiled for wide vectors where the processor has them. Give it a closure marked `#[inline(always)]`, and mark
/// those that it calls: what is not inlined stays as it is.
#[inline(always)]
pub fn widest<T>(work: impl FnOnce(Width) -> T) -> T {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn with_eight_lanes<T>(work: impl FnOnce(Width) -> T) -> T {
            work(Width { eight_lanes: true })
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has them.
            return unsafe { with_eight_lanes(work) };
        }
    }
    work(Width { eight_lanes: false })
}
