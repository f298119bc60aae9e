// SPDX-License-Identifier: Apache-2.0
/** Letters without their marks: `café` and `cafe` become one token. */

/** Latin letters that Unicode does not decompose into a base letter and a mark, each with its usual ASCII spelling. */
const SPELLINGS = 'Æ=AE æ=ae Œ=OE œ=oe Ø=O ø=o ß=ss ẞ=SS Đ=D đ=d Ð=D ð=d Þ=TH þ=th Ł=L ł=l Ħ=H ħ=h ı=i Ŋ=N ŋ=n Ŧ=T ŧ=t ĸ=k';
const SPELLING = new Map(SPELLINGS.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(2)]));
const UNDECOMPOSED = new RegExp(`[${[...SPELLING.keys()].join('')}]`, 'gu');

const ASCII = /^\p{ASCII}*$/u;
/** The diacritical marks of Latin, Greek and Cyrillic; other scripts spell with theirs. */
const MARKS = /[\u0300-\u036f]/g;

export function foldToAscii(token: string): string {
  if (ASCII.test(token)) return token;
  return token
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(UNDECOMPOSED, (letter) => SPELLING.get(letter) ?? letter)
    .normalize('NFC');
}
