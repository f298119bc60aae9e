// SPDX-License-Identifier: Apache-2.0
/**
 * How a document is stored: as JSON in UTF-8, and after it a line with the CRC-32 of that text. One of an earlier version has no such line, and one
 * whose line is damaged is no JSON either.
 */
import { crc32 } from 'node:zlib';
import { parseJson, stringifyJson } from '@sextant/foundation-std';
import { StorageError } from './storage-error.ts';

const CHECKSUM_LINE = /\n#[0-9a-f]{8}$/;
const MARK = '\n#';
const DIGITS = 8;

export function documentText(value: unknown): string {
  const text = stringifyJson(value);
  return `${text}${MARK}${checksumOf(text)}`;
}

/** @throws StorageError where a bit has flipped */
export function documentOf(stored: string): unknown {
  const isChecked = CHECKSUM_LINE.test(stored);
  const text = isChecked ? stored.slice(0, -(MARK.length + DIGITS)) : stored;
  if (isChecked && checksumOf(text) !== stored.slice(-DIGITS)) throw new StorageError('the checksum of a stored document does not match');
  try {
    return parseJson(text);
  } catch (cause) {
    throw new StorageError('a stored document is damaged', { cause });
  }
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(DIGITS, '0');
}
