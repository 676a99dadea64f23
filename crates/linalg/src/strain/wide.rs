//! Runs the innermost loops with the widest vectors of the processor at hand.
//!
//! Programs are compiled for any processor of their kind, with vectors of two f64. Only the width changes: lanes are
//! independent and products are not fused with sums, so that results are the same to the last bit on any processor.

/// Some work whose `run` is to be compiled for several processors; it must be `#[inline(always)]`.
pub(super) trait Work {
    /// What comes out.
    type Output;

    /// Does the work.
    fn run(self) -> Self::Output;
}

/// Does some work in the widest version that the processor can run.
#[inline]
pub(super) fn widest<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn with_avx2<W: Work>(work: W) -> W::Output {
            work.run()
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the feature that the function is compiled for.
            return unsafe { with_avx2(work) };
        }
    }
    work.run()
}
