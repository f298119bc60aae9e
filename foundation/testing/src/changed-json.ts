// SPDX-License-Identifier: Apache-2.0
/** JSON values that are almost another one: what finds the gaps of a validator sooner than values at random. */
import fc from 'fast-check';

/** Whatever JSON can carry, with members of the given names. */
export function jsonWith(names: readonly string[]): fc.Arbitrary<unknown> {
  return fc.anything({
    maxDepth: 2,
    values: [fc.boolean(), fc.integer(), fc.double({ noNaN: true }), fc.string(), fc.constant(null), fc.bigInt()],
    key: fc.constantFrom(...names),
  });
}

/** The value with something else at one of its places, or with one more member. */
export function changedJson(value: unknown, { anything, added }: Changes): fc.Arbitrary<unknown> {
  if (Array.isArray(value) && value.length > 0) {
    const inner = fc
      .nat(value.length - 1)
      .chain((index) => changedJson(value[index], { anything, added }).map((item) => value.with(index, item)));
    return fc.oneof({ weight: 1, arbitrary: anything }, { weight: 3, arbitrary: inner });
  }
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return anything;
  const inner = fc
    .constantFrom(...Object.entries(value))
    .chain(([name, member]) => changedJson(member, { anything, added }).map((replaced) => ({ ...value, [name]: replaced })));
  const more = fc.tuple(fc.constantFrom(...added), anything).map(([name, member]) => ({ ...value, [name]: member }));
  const fewer = fc
    .constantFrom(...Object.keys(value))
    .map((name) => Object.fromEntries(Object.entries(value).filter(([each]) => each !== name)));
  return fc.oneof(
    { weight: 1, arbitrary: anything },
    { weight: 1, arbitrary: more },
    { weight: 1, arbitrary: fewer },
    { weight: 4, arbitrary: inner },
  );
}

export type Changes = {
  /** What may come in place of a value. */
  readonly anything: fc.Arbitrary<unknown>;
  /** Names of members that may be added. */
  readonly added: readonly string[];
};
