/** Quantiles of the two distributions that a band's width is taken from. */

/**
 * How many standard deviations a normal value exceeds, on either side, with probability `p` (0 < p < 1).
 * Abramowitz & Stegun, Handbook of Mathematical Functions (1964), formula 26.2.23; absolute error below 4.5e-4.
 */
export function normalTail(p: number): number {
  const t = Math.sqrt(-2 * Math.log(p / 2));
  const numerator = 2.515517 + t * (0.802853 + t * 0.010328);
  const denominator = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  return Math.max(0, t - numerator / denominator);
}

/**
 * The same for Student's t with `freedom` degrees of freedom (3 or more), the distribution of an error whose deviation was itself
 * estimated. G. W. Hill, Algorithm 396, Communications of the ACM 13 (1970).
 */
export function studentTail(p: number, freedom: number): number {
  const a = 1 / (freedom - 0.5);
  const b = 48 / a ** 2;
  let c = ((20700 * a) / b - 98) * a - 16;
  c = c * a + 96.36;
  const d = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * freedom;
  let y = (d * p) ** (2 / freedom);
  if (y > 0.05 + a) {
    const x = -normalTail(p);
    y = x * x;
    if (freedom < 5) c += 0.3 * (freedom - 4.5) * (x + 0.6);
    c += (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b;
    y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x;
    y = Math.expm1(a * y * y);
  } else {
    y =
      ((1 / (((freedom + 6) / (freedom * y) - 0.089 * d - 0.822) * (freedom + 2) * 3) + 0.5 / (freedom + 4)) * y - 1) *
        ((freedom + 1) / (freedom + 2)) +
      1 / y;
  }
  return Math.sqrt(freedom * y);
}
