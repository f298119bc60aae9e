// SPDX-License-Identifier: Apache-2.0
/** Rare values that are one typo away from a frequent one. Candidates share a text from which one character was taken (SymSpell's index). */
import type { ColumnValues, ValueCount } from './column-values.ts';
import { editDistance } from './edit-distance.ts';
import type { ValueSuspicion } from './suspicion.ts';

/** A slip is rarer than what was meant, by so much; one that occurs again is likely a word of its own. */
const RATIO = 5;
const RATIO_OF_REPEATED = 20;
/** Shorter texts are near each other by chance. */
const LENGTH_MIN = 4;
const LONG = 10;
const TARGETS_MAX = 3_000;
const LENGTH_MAX = 60;

export function nearSpellings({ values, present }: ColumnValues): readonly ValueSuspicion[] {
  const frequent = values.filter(({ value, count }) => count >= 3 && isWord(value)).slice(0, TARGETS_MAX);
  if (frequent.length === 0) return [];
  const index = indexOf(frequent);
  const rare = values.filter(({ value, count }) => value.length <= LENGTH_MAX && count <= 0.02 * present && value.length >= LENGTH_MIN);
  return rare.flatMap((each) => {
    const meant = meantBy(each, index);
    if (meant === undefined) return [];
    const distinct = Math.min(1, Math.log2(meant.count / each.count) / 6);
    return [
      {
        detector: 'spelling' as const,
        value: each.value,
        score: 0.5 + 0.45 * distinct,
        reason: `one typo away from "${meant.value}", which is ${Math.round(meant.count / each.count)} times as frequent`,
        repair: meant.value,
      },
    ];
  });
}

function isWord(value: string): boolean {
  const digits = value.replace(/\P{Nd}/gu, '').length;
  return value.length >= LENGTH_MIN && value.length <= LENGTH_MAX && /\p{L}{3}/u.test(value) && 2 * digits < value.length;
}

function indexOf(frequent: readonly ValueCount[]): ReadonlyMap<string, readonly ValueCount[]> {
  const index = new Map<string, ValueCount[]>();
  for (const target of frequent) {
    for (const key of keysOf(target.value)) {
      const entry = index.get(key);
      if (entry === undefined) index.set(key, [target]);
      else entry.push(target);
    }
  }
  return index;
}

/** The folded text, it without each one of its characters, and for long texts both ends, which a second slip leaves alone. */
function keysOf(value: string): ReadonlySet<string> {
  const text = folded(value);
  const keys = new Set([text]);
  for (let at = 0; at < text.length; at += 1) keys.add(text.slice(0, at) + text.slice(at + 1));
  if (text.length >= LONG) {
    const half = Math.floor(text.length / 2);
    keys.add(`<${text.slice(0, half - 1)}`);
    keys.add(`>${text.slice(1 - half)}`);
  }
  return keys;
}

function folded(value: string): string {
  return value.trim().replace(/\s+/g, ' ').toLowerCase();
}

function meantBy(each: ValueCount, index: ReadonlyMap<string, readonly ValueCount[]>): ValueCount | undefined {
  const text = folded(each.value);
  const seen = new Set<ValueCount>();
  let best: { readonly target: ValueCount; readonly distance: number } | undefined;
  for (const key of keysOf(each.value)) {
    for (const target of index.get(key) ?? []) {
      if (seen.has(target) || target.count < (each.count === 1 ? RATIO : RATIO_OF_REPEATED * each.count) || target.value === each.value)
        continue;
      seen.add(target);
      const other = folded(target.value);
      const bound = Math.min(text.length, other.length) >= LONG ? 2 : 1;
      const distance = editDistance(text, other, bound);
      if (distance > bound || !isSlip(text, other)) continue;
      if (best === undefined || distance < best.distance || (distance === best.distance && target.count > best.target.count))
        best = { target, distance };
    }
  }
  return best?.target;
}

/** Another number is another thing, and so is a plural or a longer name. */
function isSlip(text: string, other: string): boolean {
  if (text === other) return true;
  const [own, theirs] = [text.replace(/\D/g, ''), other.replace(/\D/g, '')];
  if (own !== '' && theirs !== '' && own !== theirs) return false;
  return !(isEnding(text, other) || isEnding(other, text));
}

function isEnding(longer: string, shorter: string): boolean {
  return longer === `${shorter}s` || longer === `${shorter}es`;
}
