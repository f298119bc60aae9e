// SPDX-License-Identifier: Apache-2.0
/**
 * Strings as bytes in the order of their code points: UTF-8. A string that is longer than keys may be, or that holds half a
 * surrogate pair (which UTF-8 cannot say), is cut and distinguished from similar ones by a hash; FF, which UTF-8 never uses, marks it:
 *
 *   UTF-8 | or: first 448 bytes of UTF-8 | FF | first 16 bytes of SHA-256 over UTF-16
 */
import { createHash } from 'node:crypto';

const BYTES_MAX = 448;
const CUT = 0xff;
const HASH_BYTES = 16;
/** What UTF-8 writes for half a pair. */
const REPLACEMENT = '\ufffd';

export type EncodedString = {
  readonly bytes: Uint8Array;
  /** False where another string may have the same bytes. */
  readonly exact: boolean;
};

export function encodeString(text: string): EncodedString {
  const utf8 = Buffer.from(text, 'utf8');
  if (utf8.length <= BYTES_MAX && text.isWellFormed()) return { bytes: utf8, exact: true };
  const hash = createHash('sha256').update(text, 'utf16le').digest().subarray(0, HASH_BYTES);
  return { bytes: Buffer.concat([utf8.subarray(0, BYTES_MAX), Buffer.of(CUT), hash]), exact: false };
}

/** Undefined where the bytes do not hold the whole string. */
export function decodeString(bytes: Uint8Array): string | undefined {
  return bytes.includes(CUT) ? undefined : Buffer.from(bytes).toString('utf8');
}

/** The bytes that every string with this prefix starts with; not exact where others start so too. Undefined where there are none. */
export function encodePrefix(prefix: string): EncodedString | undefined {
  if (!prefix.isWellFormed()) return undefined;
  const utf8 = Buffer.from(prefix, 'utf8');
  return { bytes: utf8.subarray(0, BYTES_MAX), exact: utf8.length <= BYTES_MAX && !prefix.includes(REPLACEMENT) };
}
