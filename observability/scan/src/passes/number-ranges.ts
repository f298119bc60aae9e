// SPDX-License-Identifier: Apache-2.0
/** Between which values the numbers of each column lie: what the second pass over them needs to know from the first. */
export type NumberRange = {
  /** Finite values. */
  readonly count: number;
  readonly min: number;
  readonly max: number;
  /** As the engine sums it, in any order; null where it may be beyond the doubles. */
  readonly roughMean: number | null;
};

export class NumberRanges {
  readonly #counts = new Map<string, number>();
  readonly #values = new Map<string, { min: number | null; max: number | null; sum: number | null }>();

  setCount(attribute: string, segment: string | null, count: number): void {
    this.#counts.set(keyOf(attribute, segment), count);
  }

  set(attribute: string, segment: string | null, name: 'min' | 'max' | 'sum', value: number | null): void {
    const key = keyOf(attribute, segment);
    const values = this.#values.get(key) ?? { min: null, max: null, sum: null };
    values[name] = value;
    this.#values.set(key, values);
  }

  /** Undefined where there is no finite value. */
  rangeOf(attribute: string, segment: string | null): NumberRange | undefined {
    const count = this.#counts.get(keyOf(attribute, segment)) ?? 0;
    const { min = null, max = null, sum = null } = this.#values.get(keyOf(attribute, segment)) ?? {};
    if (count === 0 || min === null || max === null) return undefined;
    return { count, min, max, roughMean: sum === null || !Number.isFinite(sum) ? null : sum / count };
  }
}

function keyOf(attribute: string, segment: string | null): string {
  return JSON.stringify([attribute, segment]);
}
