// SPDX-License-Identifier: Apache-2.0
/** Formats that are known and not read: each is refused by its name. */
import { SourceError } from '../connector.ts';

const SIGNATURES: readonly (readonly [signature: string, name: string])[] = [
  ['BZh', 'compressed with bzip2'],
  ['PK\u0003\u0004', 'a ZIP archive, or a document inside one'],
  ['PK\u0005\u0006', 'an empty ZIP archive'],
  ['\u00fd7zXZ\u0000', 'compressed with xz'],
  ['7z\u00bc\u00af\u0027\u001c', 'a 7z archive'],
  ['Rar!', 'a RAR archive'],
  ['\u0004"M\u0018', 'compressed with LZ4'],
  ['\u00ff\u0006\u0000\u0000sNaPpY', 'compressed with Snappy'],
  ['\u00d0\u00cf\u0011\u00e0', 'a document of an old Microsoft Office'],
  ['SQLite format 3', 'a SQLite database'],
  ['%PDF', 'a PDF document'],
  ['\u0089HDF', 'an HDF5 file'],
];
const READ = 'CSV, TSV, NDJSON or JSON, plain or with gzip or zstd, Parquet, Arrow, Avro, ORC, NumPy (.npy), or an Excel workbook (.xlsx)';

/** Throws a `SourceError` that names the format of such a file. */
export function refuseUnread(head: Uint8Array, name: string): void {
  const text = Buffer.from(head.subarray(0, 64)).toString('latin1');
  const found = SIGNATURES.find(([signature]) => text.startsWith(signature));
  if (found !== undefined) throw unread(name, found[1]);
  if (Buffer.from(head.subarray(257, 262)).toString('latin1') === 'ustar') throw unread(name, 'a TAR archive');
}

/** Markup, in text that is decoded already. */
export function refuseMarkup(text: string, name: string): void {
  const start = text.trimStart().slice(0, 100);
  if (/^<(!doctype )?html\b/i.test(start)) throw unread(name, 'an HTML page');
  if (/^<(\?xml|!--|[a-z_][\w.-]*(:[\w.-]+)?(\s+[\w:.-]+\s*=|\s*\/?>))/i.test(start)) throw unread(name, 'XML');
}

function unread(name: string, what: string): SourceError {
  return new SourceError(`${name} is ${what}, which is not supported; expected ${READ}`, { member: 'payload.path' });
}
