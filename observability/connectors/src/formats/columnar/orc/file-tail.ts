// SPDX-License-Identifier: Apache-2.0
/** What stands at the end of an ORC file and says where all else is: https://orc.apache.org/specification/ORCv1/#file-tail */
import { SCHEMA_BYTES_MAX, TableError } from '../table.ts';
import { OrcMemory } from './memory.ts';
import { damagedOrc, OrcMessage } from './message.ts';
import { type OrcPacking, packingOf } from './packing.ts';
import { type OrcType, orcSchema } from './schema.ts';
import { OrcStream } from './stream.ts';

/** The last byte is the length of the postscript, which ends with it. */
const MARK = 'ORC';
const POSTSCRIPT = { footerLength: 1, compression: 2, chunkBytes: 3, version: 4, metadataLength: 5 };
const FOOTER = { stripes: 3, types: 4, rows: 6, writer: 9, encryption: 10, calendar: 11 };
const STRIPE = { offset: 1, indexLength: 2, dataLength: 3, footerLength: 4, rows: 5 };
/** Where the postscript does not say it. */
const CHUNK_BYTES = 262_144;
/** Of Hive 0.11 and 0.12: they differ in how columns say that they are encoded. */
const VERSIONS = ['', '0.11', '0.12'];
/** What the footer, or that of a stripe, may unpack to. */
export const FOOTER_BYTES_MAX = 4 * SCHEMA_BYTES_MAX;
const WRITER_JAVA = 0;
const CALENDAR_UNKNOWN = 0;
const CALENDAR_JULIAN_GREGORIAN = 1;

export type OrcStripe = {
  readonly offset: number;
  /** Of the streams of all columns, those of the indices among them. */
  readonly streamBytes: number;
  readonly footerBytes: number;
  readonly rows: number;
};

export type OrcTail = {
  readonly root: OrcType;
  readonly stripes: readonly OrcStripe[];
  readonly packing: OrcPacking;
  /** Days before 15 October 1582 are those of the Julian calendar. */
  readonly isHybridCalendar: boolean;
  /** Behind the last stripe. */
  readonly bytes: number;
};

/** @param end of the file, as much as a schema takes */
export function orcTail(end: Uint8Array): OrcTail {
  if (Buffer.from(end.subarray(-1 - MARK.length, -1)).toString('latin1') !== MARK)
    throw new TableError('is truncated: the end mark of an ORC file is missing');
  const postscriptEnd = end.length - 1;
  const footerEnd = postscriptEnd - (end.at(-1) ?? 0);
  if (footerEnd < 0) throw damagedOrc();
  const postscript = new OrcMessage(end.subarray(footerEnd, postscriptEnd));
  assertVersion(postscript.numbers(POSTSCRIPT.version).join('.'));
  const packing = packingOf(postscript.number(POSTSCRIPT.compression), postscript.number(POSTSCRIPT.chunkBytes, CHUNK_BYTES));
  const footerLength = postscript.number(POSTSCRIPT.footerLength);
  if (footerLength > SCHEMA_BYTES_MAX) throw new TableError(`has a footer of ${footerLength} bytes; the limit is ${SCHEMA_BYTES_MAX}`);
  if (footerLength > footerEnd) throw damagedOrc();
  const footer = messageOf(end.subarray(footerEnd - footerLength, footerEnd), packing);
  if (footer.has(FOOTER.encryption)) throw new TableError('has encrypted columns, which are not supported');
  const stripes = footer.messages(FOOTER.stripes).map(stripeOf);
  const rows = stripes.reduce((sum, stripe) => sum + stripe.rows, 0);
  if (rows !== footer.number(FOOTER.rows)) throw damagedOrc();
  return {
    root: orcSchema(footer.messages(FOOTER.types)),
    stripes,
    packing,
    isHybridCalendar: isHybrid(footer),
    bytes: end.length - footerEnd + footerLength + postscript.number(POSTSCRIPT.metadataLength),
  };
}

/** A message that is packed as the streams are. */
export function messageOf(bytes: Uint8Array, packing: OrcPacking): OrcMessage {
  const read = (at: number, length: number) => bytes.subarray(at, at + length);
  const stream = new OrcStream({ read, start: 0, length: bytes.length, packing, memory: new OrcMemory() });
  return new OrcMessage(stream.rest(FOOTER_BYTES_MAX));
}

function assertVersion(version: string): void {
  if (!VERSIONS.includes(version)) throw new TableError(`is of the ORC version ${version}, which is not supported; expected 0.11 or 0.12`);
}

function stripeOf(message: OrcMessage): OrcStripe {
  return {
    offset: message.number(STRIPE.offset),
    streamBytes: message.number(STRIPE.indexLength) + message.number(STRIPE.dataLength),
    footerBytes: message.number(STRIPE.footerLength),
    rows: message.number(STRIPE.rows),
  };
}

/** Until its footers said it, the writer in Java counted days as Java does, and others as everybody does. */
function isHybrid(footer: OrcMessage): boolean {
  const calendar = footer.number(FOOTER.calendar, CALENDAR_UNKNOWN);
  if (calendar === CALENDAR_UNKNOWN) return footer.number(FOOTER.writer, WRITER_JAVA) === WRITER_JAVA;
  return calendar === CALENDAR_JULIAN_GREGORIAN;
}
