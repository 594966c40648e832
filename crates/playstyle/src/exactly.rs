//! The exponential function and the logarithm, to the same bit on every machine: those of the
//! platform differ in the last one. Made of `+`, `-`, `*` and `/` only.

const LN_TWO: f64 = std::f64::consts::LN_2;

/// e to the power of `x`, to about fifteen digits; 0 where that is less than the smallest number.
///
/// ```
/// use apprentice_playstyle::exactly;
///
/// assert_eq!(exactly::exp(0.0), 1.0);
/// assert!((exactly::exp(1.0) - std::f64::consts::E).abs() < 1e-14);
/// ```
pub fn exp(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x > 709.0 {
        return f64::INFINITY;
    }
    if x < -708.0 {
        return 0.0;
    }
    // x = twos · ln 2 + rest, so e^x = 2^twos · e^rest, and the series of a small rest ends soon.
    let twos = (x / LN_TWO).round();
    let rest = x - twos * LN_TWO;
    let mut term = 1.0;
    let mut sum = 1.0;
    for n in 1..20 {
        term *= rest / f64::from(n);
        sum += term;
    }
    sum * f64::from_bits(((1023 + twos as i64) as u64) << 52)
}

/// The natural logarithm of a number above 0, to about fifteen digits. Of others it is NaN, of 0
/// minus infinity.
///
/// ```
/// use apprentice_playstyle::exactly;
///
/// assert_eq!(exactly::ln(1.0), 0.0);
/// assert!((exactly::ln(10.0) - std::f64::consts::LN_10).abs() < 1e-14);
/// ```
pub fn ln(x: f64) -> f64 {
    if x.is_nan() || x < 0.0 {
        return f64::NAN;
    }
    if x < f64::MIN_POSITIVE {
        return f64::NEG_INFINITY;
    }
    if x.is_infinite() {
        return x;
    }
    let bits = x.to_bits();
    let mut twos = (bits >> 52) as i64 - 1023;
    let mut fraction = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    if fraction > std::f64::consts::SQRT_2 {
        fraction /= 2.0;
        twos += 1;
    }
    // ln f = 2 (z + z³/3 + z⁵/5 + …) with z = (f - 1) / (f + 1), which is at most 0.172 here.
    let z = (fraction - 1.0) / (fraction + 1.0);
    let square = z * z;
    let mut power = z;
    let mut sum = 0.0;
    for n in 0..14 {
        sum += power / f64::from(2 * n + 1);
        power *= square;
    }
    2.0 * sum + twos as f64 * LN_TWO
}
