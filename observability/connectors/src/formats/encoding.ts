// SPDX-License-Identifier: Apache-2.0
/** In which encoding a text file is, detected from its first bytes, and how it becomes UTF-8. */
import { Transform } from 'node:stream';
import type { Encoding } from '@sextant/contracts-observability';
import { SourceError } from '../connector.ts';
import { possiblePages } from './code-page.ts';
import { isSimplifiedChinese } from './simplified-chinese.ts';

const BYTE_ORDER_MARKS: readonly (readonly [bytes: readonly number[], encoding: Encoding])[] = [
  [[0xef, 0xbb, 0xbf], 'UTF-8'],
  [[0xff, 0xfe], 'UTF-16LE'],
  [[0xfe, 0xff], 'UTF-16BE'],
];

/**
 * A byte order mark decides. Without one, text whose every second byte is mostly zero is UTF-16, and text that is no UTF-8 is what its bytes look
 * like: single letters between ASCII are Windows-1252, unless they make likelier words in another code page (Windows-1252 is how browsers read what calls itself Latin-1,
 * https://encoding.spec.whatwg.org/#names-and-labels), pairs of bytes Shift-JIS or GBK by the characters that they make. What looks like none of
 * them, and bytes that no text holds, are refused.
 */
export function detectEncoding(head: Uint8Array, said?: Encoding): Encoding {
  const marked = BYTE_ORDER_MARKS.find(([bytes]) => bytes.every((byte, index) => head[index] === byte));
  if (marked !== undefined) return marked[1];
  if (said?.startsWith('UTF-16') === true) return said;
  const zeros = [0, 0];
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  // Text of Western scripts has a zero in nearly every unit; a third of them leaves room for others.
  const many = head.length / 6;
  if (said === undefined && odd > many && even * 4 < odd) return 'UTF-16LE';
  if (said === undefined && even > many && odd * 4 < even) return 'UTF-16BE';
  if (even + odd > 0)
    throw new SourceError('the file holds zero bytes: it is neither text nor a format that can be read', { member: 'payload.path' });
  if (said === undefined) return isText(head, 'UTF-8') ? 'UTF-8' : legacyEncoding(head);
  const signs = new Utf8Signs(said);
  signs.read(head);
  if (signs.isUtf8) throw isUtf8Instead(said);
  return said;
}

/** Each letter is one byte, so that every text is valid in them, also one in UTF-8. */
const ONE_BYTE: ReadonlySet<Encoding> = new Set([
  'WINDOWS-1250',
  'WINDOWS-1251',
  'WINDOWS-1252',
  'WINDOWS-1253',
  'WINDOWS-1254',
  'WINDOWS-1257',
  'ISO-8859-1',
  'ISO-8859-2',
]);
/** Different letters that pairs of bytes do not form as UTF-8 by chance: less than one pair in six of daily GBK is valid in it. */
const LETTERS_OF_PAIRS = 8;

/** Whether text that is said to be in an older encoding is UTF-8: all of it is valid, and it holds more than ASCII. */
class Utf8Signs {
  readonly #letters = new Set<string>();
  readonly #enough: number;
  #decoder: TextDecoder | undefined;

  constructor(said: Encoding) {
    this.#enough = ONE_BYTE.has(said) ? 1 : LETTERS_OF_PAIRS;
    this.#decoder = said.startsWith('UTF') ? undefined : new TextDecoder('UTF-8', { fatal: true });
  }

  /** The next bytes; without them, the end. */
  read(chunk?: Uint8Array): void {
    try {
      const text = chunk === undefined ? this.#decoder?.decode() : this.#decoder?.decode(chunk, { stream: true });
      if (text === undefined || this.#letters.size >= this.#enough) return;
      for (const [letter] of text.matchAll(FOREIGN)) if (this.#letters.add(letter).size >= this.#enough) return;
    } catch {
      this.#decoder = undefined;
    }
  }

  get isUtf8(): boolean {
    return this.#decoder !== undefined && this.#letters.size >= this.#enough;
  }
}

function isUtf8Instead(said: Encoding): SourceError {
  const reason = `the file is UTF-8, not ${said} as options.reading.encoding says; set options.reading.encoding to UTF-8, or options.reading to null to detect it again`;
  return new SourceError(reason, { member: 'options.reading.encoding' });
}

function isText(head: Uint8Array, encoding: Encoding): boolean {
  try {
    // A stream may end inside a character, as a sample does.
    new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** In which letters beyond ASCII follow each other. */
const OF_LONG_RUNS: readonly Encoding[] = ['WINDOWS-1251', 'WINDOWS-1253', 'SHIFT_JIS', 'EUC-JP', 'EUC-KR', 'BIG5', 'GBK'];
/** Shares of what is not ASCII that make an encoding likely. */
const LIKELY = 0.6;
/** Fewer may come about by chance. */
const KANA_MIN = 3;
const KANA = /[\u3040-\u30ff]/g;
const CJK = /[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff9f]/g;
/** Control characters of the second set, which no text holds, and what stands where a page has nothing. */
const CONTROL = /[\u0080-\u009f\ufffd]/;
const FOREIGN = /\P{ASCII}/gu;
/** Letters and signs that Western texts hold, as Windows-1252 writes them. */
const WESTERN = /[À-ÖØ-öø-ÿŒœŠšŽžŸ€£§°ºª«»“”‘’„‚–—…•·´©®™¡¿½¼¾²³µ±×]/g;
/** Signs inside a word are letters of another code page. */
const SIGN_IN_WORD = /[a-z][¹³¢¤¥¦¨¬¯¶¸¾¼½¿£±×÷][a-z]/g;

function legacyEncoding(head: Uint8Array): Encoding {
  const textOf = (encoding: Encoding) => new TextDecoder(encoding).decode(head, { stream: true });
  const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const western = textOf('WINDOWS-1252');
  const foreign = count(western, FOREIGN);
  // Western letters stand alone or in twos between letters of ASCII; pairs of bytes come in longer runs.
  const alone = western.match(/(?<!\P{ASCII})\P{ASCII}{1,2}(?!\P{ASCII})/gu)?.join('').length ?? 0;
  if (alone >= LIKELY * foreign && count(western, WESTERN) >= 0.9 * foreign && count(western, SIGN_IN_WORD) <= 0.02 * foreign) {
    const pages = possiblePages(head);
    const [likeliest] = pages;
    if (pages.length <= 1 && likeliest?.encoding === 'WINDOWS-1252') return 'WINDOWS-1252';
    throw undecided(pages.map(({ encoding, letters }) => (letters === '' ? encoding : `${encoding} (${letters})`)));
  }
  const japanese = isText(head, 'SHIFT_JIS') ? textOf('SHIFT_JIS') : '';
  const kana = count(japanese, KANA);
  if (kana >= Math.max(KANA_MIN, 0.1 * count(japanese, FOREIGN)) && count(japanese, CJK) >= LIKELY * count(japanese, FOREIGN))
    return 'SHIFT_JIS';
  if (isText(head, 'GBK') && isSimplifiedChinese(head)) return 'GBK';
  throw undecided(OF_LONG_RUNS.filter((encoding) => isText(head, encoding) && !CONTROL.test(textOf(encoding))));
}

function undecided(encodings: readonly string[]): SourceError {
  const could = encodings.length === 0 ? '' : `: it could be ${encodings.join(' or ')}`;
  return new SourceError(
    `the encoding of the file is ambiguous${could}; set options.reading.encoding to the encoding of the file, or write the file in UTF-8`,
    { member: 'options.reading.encoding' },
  );
}

/** The text of a sample; a character that is cut at its end is left out, and so is a byte order mark. */
export function decodeSample(head: Uint8Array, encoding: Encoding): string {
  return new TextDecoder(encoding).decode(head, { stream: true });
}

/**
 * Turns a stream of bytes in another encoding into UTF-8. Bytes that it does not have end the stream with a `SourceError`, and so does text that was
 * UTF-8 all along, which its first bytes need not show.
 */
export function toUtf8(encoding: Encoding): Transform {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const signs = new Utf8Signs(encoding);
  let bytes = 0;
  const decode = (chunk?: Uint8Array): Buffer => {
    signs.read(chunk);
    if (chunk === undefined && signs.isUtf8) throw isUtf8Instead(encoding);
    try {
      return Buffer.from(chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true }));
    } catch (cause) {
      const reason = `the file is not in the encoding ${encoding} after its byte ${bytes}; set options.reading.encoding`;
      throw new SourceError(reason, { cause, member: 'options.reading.encoding' });
    } finally {
      bytes += chunk?.byteLength ?? 0;
    }
  };
  const attempt = (done: (error: Error | null, text?: Buffer) => void, chunk?: Uint8Array): void => {
    let text: Buffer;
    try {
      text = decode(chunk);
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    done(null, text);
  };
  return new Transform({ transform: (chunk: Uint8Array, _encoding, done) => attempt(done, chunk), flush: (done) => attempt(done) });
}
