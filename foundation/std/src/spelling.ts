// SPDX-License-Identifier: Apache-2.0
/** Finds what a caller probably meant. */

/** The candidate at an edit distance of at most two, and of less than half the word; the nearest wins. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  let best: { candidate: string; distance: number } | undefined;
  if (word.length > 64) return undefined;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= 2 && distance * 2 < candidate.length && (best === undefined || distance < best.distance))
      best = { candidate, distance };
  }
  return best?.candidate;
}

/** Names that a sentence lists where none is near. */
const LISTED_MAX = 10;

/** "x is not a <kind>", with the name that was probably meant, or else the names that there are. */
export function unknownName(kind: string, name: string, known: readonly string[]): string {
  const near = closest(name, known);
  const refused = `${name} is not ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
  if (near !== undefined) return `${refused}; did you mean ${near}?`;
  if (known.length === 0) return refused;
  const more = known.length > LISTED_MAX ? `, and ${known.length - LISTED_MAX} more` : '';
  return `${refused}; expected ${known.length > 1 ? 'one of ' : ''}${known.slice(0, LISTED_MAX).join(', ')}${more}`;
}

/** Levenshtein's distance, row by row. */
function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
