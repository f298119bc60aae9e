// SPDX-License-Identifier: Apache-2.0
/** Numbers as people read them; counts are those of the service, sizes in bytes. */
const counts = new Intl.NumberFormat('en');
const scores = new Intl.NumberFormat('en', { maximumSignificantDigits: 5 });

export function countText(count: number | bigint): string {
  return counts.format(count);
}

export function scoreText(score: number): string {
  return scores.format(score);
}

const DECIMALS_MAX = 8;

/** Scores that stand below each other: as many decimals as the one that needs most. */
export function alignedScores(column: readonly number[]): readonly string[] {
  const needed = column.map((score) => scores.formatToParts(score).find(({ type }) => type === 'fraction')?.value.length ?? 0);
  const digits = Math.min(DECIMALS_MAX, Math.max(0, ...needed));
  const format = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return column.map((score) => format.format(score));
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function bytesText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, bytes > 0 ? Math.floor(Math.log2(bytes) / 10) : 0);
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power] ?? ''}`;
}

export function millisecondsText(milliseconds: number): string {
  return milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds)} ms`;
}
