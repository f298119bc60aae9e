// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/** Any code point. The unit `binary` of fast-check is the same, but takes more than a second of processor time before its first value. */
export const ANY_CHARACTER = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map((place) => String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES));
