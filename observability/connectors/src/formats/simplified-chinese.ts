// SPDX-License-Identifier: Apache-2.0
/**
 * Whether bytes are Chinese of GB 2312, whose code others share: EUC-KR and EUC-JP write all of their characters with pairs of the same bytes, and capitals of
 * Russian or Greek come in pairs, too, where a word has an even number of them.
 */

/** Rows of the characters in daily use, which are in the order of their pronunciation, and of signs. */
const DAILY = { from: 0xb0, to: 0xd7 };
const SIGNS = { from: 0xa1, to: 0xa3 };
/** From q on, half of Chinese texts: behind the syllables of EUC-KR, where it has rare Chinese characters. */
const BEYOND_KOREAN = { from: 0xc9, to: 0xd7 };
/** From x on, nearly a third: EUC-JP has there what is not in daily use. */
const BEYOND_JAPANESE = { from: 0xd0, to: 0xd7 };
/** Letters of pages of one byte are next to each other, in one or both cases; the second byte of a character may be any. */
const LETTERS = { from: 0xc0, to: 0xdf };
/** Of second bytes. */
const LEAST = 0xa1;
/** A character that is not in daily use may have a second byte of ASCII. */
const ODD_RUN = -6;
/** Of all that is not ASCII. */
const DAILY_SHARE = 0.6;
/** In bits: the chance that others look so is one in 256. */
const DECIDED = 8;

export function isSimplifiedChinese(bytes: Uint8Array): boolean {
  const { pairs, parity } = pairsOf(bytes);
  const daily = pairs.filter(([first, second]) => within(first, DAILY) && second >= LEAST);
  if (daily.length < DAILY_SHARE * pairs.length) return false;
  const share = (range: Range): number => daily.filter(([first]) => within(first, range)).length;
  const lettersOnly = daily.filter((pair) => pair.every((byte) => within(byte, LETTERS))).length;
  const all = daily.length;
  return (
    evidence({ of: share(BEYOND_KOREAN), all, here: 0.45, there: 0.03 }) >= DECIDED &&
    evidence({ of: share(BEYOND_JAPANESE), all, here: 0.3, there: 0.03 }) >= DECIDED &&
    evidence({ of: lettersOnly, all, here: 0.19, there: 0.95 }) + parity >= DECIDED
  );
}

type Pair = readonly [first: number, second: number];

/** Bytes beyond ASCII in twos, but for signs, and what the lengths of their runs say: each is even, and by chance half of them are. */
function pairsOf(bytes: Uint8Array): { readonly pairs: readonly Pair[]; readonly parity: number } {
  const pairs: Pair[] = [];
  let parity = 0;
  for (let start = 0; start < bytes.length; start += 1) {
    let end = start;
    while ((bytes[end] ?? 0) >= 0x80) end += 1;
    if (end > start) parity += (end - start) % 2 === 0 ? 1 : ODD_RUN;
    for (let index = start; index < end; index += 2) {
      const [first = 0, second = 0] = [bytes[index], bytes[index + 1]];
      if (!within(first, SIGNS)) pairs.push([first, second]);
    }
    start = end;
  }
  return { pairs, parity };
}

type Range = { readonly from: number; readonly to: number };

function within(byte: number, { from, to }: Range): boolean {
  return byte >= from && byte <= to;
}

type Shares = { readonly of: number; readonly all: number; readonly here: number; readonly there: number };

/** In bits, that some of all come from where their share is as here, and not as there. */
function evidence({ of, all, here, there }: Shares): number {
  return of * Math.log2(here / there) + (all - of) * Math.log2((1 - here) / (1 - there));
}
