// SPDX-License-Identifier: Apache-2.0
import { PII_PATTERNS } from './patterns.ts';

/** Longer texts are cut before they are searched, which bounds the time that a hostile one can take. */
const MAX_LENGTH = 10_000;

const FINDERS = PII_PATTERNS.map(({ core, around }) => new RegExp(`(?<![${around}])(?:${core})(?![${around}])`, 'gu'));

/**
 * The text with every letter and digit of what looks like personal data replaced by `*`; its form stays readable. Cards are masked whether their
 * check digit fits or not: a mistyped card is still someone's.
 */
export function maskPii(text: string): string {
  const searched = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  return FINDERS.reduce((masked, finder) => masked.replace(finder, (found) => found.replaceAll(/[\p{L}\p{N}]/gu, '*')), searched);
}
