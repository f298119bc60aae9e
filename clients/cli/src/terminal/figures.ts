// SPDX-License-Identifier: Apache-2.0
/** Numbers for people. */

/** `1,234,567` */
export function count(value: number | bigint): string {
  return value.toLocaleString('en-US');
}

/** Seconds as `0.8 s`, `42 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Milliseconds with three digits that say something: `0.42`, `12.3`, `456`. */
export function milliseconds(value: number): string {
  return value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0);
}
