// SPDX-License-Identifier: Apache-2.0
/** What a dialect is given to count how often values occur, in one statement. */

export type CountedValue = {
  /** SQL over a row of the relation; null is no value. */
  readonly value: string;
  /** The value as text, in terms of `value`. */
  readonly text: (value: string) => string;
  /** Binary fractions are ordered as numbers, all else by the bytes of its text. */
  readonly isFloating: boolean;
};

export type FrequencyStatement = {
  readonly relation: string;
  /** At most as many as the dialect counts together. */
  readonly counted: readonly CountedValue[];
  /** SQL over a row of the relation: the position of its segment in each dimension, -1 where it is in none. */
  readonly positions: readonly string[];
  /** Most frequent values that are listed, and their characters that are shown. */
  readonly topLimit: number;
  readonly shownCharacters: number;
  /** Whether values that occur once may be listed. */
  readonly listsSingles: boolean;
};

/**
 * How values are counted. A result row is the index of the counted value, the index of the dimension (-1 for all rows), the position in it, distinct
 * values, values that occur once, and a JSON array of `{"v": text, "n": count}`: the most frequent first, equals in their order.
 */
export type Frequencies = {
  /** Values that one statement counts best: an engine that reads whole rows takes several, one that reads columns takes them one by one. */
  readonly together: number;
  readonly statement: (request: FrequencyStatement) => string;
};
