// SPDX-License-Identifier: Apache-2.0
/** Values of query strings. They arrive as text, so each schema lets text through; the document names the type that the text stands for. */
import Type from 'typebox';

/** `true` or `false`. */
export const queryFlag = Type.Unsafe<'true' | 'false'>(
  Type.Enum(['true', 'false'], { 'x-expected': 'true or false', 'x-written': Type.Boolean() }),
);

/** A whole number in decimal digits. */
export function queryInteger({
  minimum,
  maximum,
  expected = `an integer of at least ${minimum}`,
}: {
  readonly minimum: 0 | 1;
  readonly maximum: number;
  readonly expected?: string;
}) {
  // The largest numbers are those of so many nines, so that a pattern says it all.
  const digits = String(maximum).length;
  const first = minimum === 0 ? `0|[1-9][0-9]{0,${digits - 1}}` : `[1-9][0-9]{0,${digits - 1}}`;
  return Type.Unsafe<`${bigint}`>(
    Type.String({
      pattern: `^(?:${first})$`,
      'x-expected': expected,
      'x-written': Type.Integer({ minimum, maximum }),
    }),
  );
}
