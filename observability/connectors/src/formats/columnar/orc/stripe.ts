// SPDX-License-Identifier: Apache-2.0
/** A stripe: some rows, each column of them in streams of its own. https://orc.apache.org/specification/ORCv1/#stripes */
import { TableError } from '../table.ts';
import { FOOTER_BYTES_MAX, messageOf, type OrcStripe, type OrcTail } from './file-tail.ts';
import type { OrcMemory } from './memory.ts';
import { damagedOrc, type OrcMessage } from './message.ts';
import { OrcStream } from './stream.ts';
import { type ZoneOffset, zoneOffset } from './times.ts';

const FOOTER = { streams: 1, encodings: 2, zone: 3, encryption: 4 };
const STREAM = { kind: 1, column: 2, length: 3 };
const ENCODING = { kind: 1, dictionarySize: 2 };
/** In the order of their numbers. Behind them come indices, which nobody needs who reads all rows. */
const STREAM_KINDS = ['present', 'data', 'length', 'dictionary', 'dictionary count', 'secondary'] as const;
/** With the old runs of integers and with the new ones. */
const ENCODINGS = [
  { isDictionary: false, version: 1 },
  { isDictionary: true, version: 1 },
  { isDictionary: false, version: 2 },
  { isDictionary: true, version: 2 },
] as const;

export type StreamKind = (typeof STREAM_KINDS)[number];
export type ColumnEncoding = (typeof ENCODINGS)[number] & { readonly dictionarySize: number };

/** What a stripe is read with. */
export type StripeFile = {
  readonly read: (at: number, length: number) => Uint8Array;
  readonly tail: OrcTail;
  readonly memory: OrcMemory;
};

type Section = { readonly start: number; readonly length: number };

export class StripeStreams {
  readonly #file: StripeFile;
  readonly #sections: ReadonlyMap<string, Section>;
  readonly #encodings: readonly OrcMessage[];
  readonly #zone: string;
  #offset: ZoneOffset | undefined;
  readonly isHybridCalendar: boolean;
  readonly memory: OrcMemory;

  constructor(file: StripeFile, { offset, streamBytes, footerBytes }: OrcStripe) {
    if (footerBytes > FOOTER_BYTES_MAX)
      throw new TableError(`has a stripe with a footer of ${footerBytes} bytes; the limit is ${FOOTER_BYTES_MAX}`);
    const footer = messageOf(file.read(offset + streamBytes, footerBytes), file.tail.packing);
    if (footer.has(FOOTER.encryption)) throw new TableError('has encrypted columns, which are not read');
    this.#file = file;
    this.#sections = sectionsOf(footer, offset, streamBytes);
    this.#encodings = footer.messages(FOOTER.encodings);
    this.#zone = footer.text(FOOTER.zone);
    this.isHybridCalendar = file.tail.isHybridCalendar;
    this.memory = file.memory;
  }

  /** Undefined where the stripe has none of the kind: where all values are there, say, or none. */
  stream(column: number, kind: StreamKind): OrcStream | undefined {
    const section = this.#sections.get(keyOf(STREAM_KINDS.indexOf(kind), column));
    return section && this.#streamOf(section);
  }

  /** For columns of nulls, which may have no stream of values: whoever asks it for one has a damaged file. */
  emptyStream(): OrcStream {
    return this.#streamOf({ start: 0, length: 0 });
  }

  encoding(column: number): ColumnEncoding {
    const message = this.#encodings[column];
    if (message === undefined) throw damagedOrc();
    const encoding = ENCODINGS[message.number(ENCODING.kind)];
    if (encoding === undefined) throw damagedOrc();
    return { ...encoding, dictionarySize: message.number(ENCODING.dictionarySize) };
  }

  /** Of the clock where the stripe was written. */
  zone(): ZoneOffset {
    this.#offset ??= zoneOffset(this.#zone);
    return this.#offset;
  }

  #streamOf(section: Section): OrcStream {
    const { read, memory, tail } = this.#file;
    return new OrcStream({ ...section, read, memory, packing: tail.packing });
  }
}

/** They lie one behind the other, in the order in which they are listed. */
function sectionsOf(footer: OrcMessage, offset: number, streamBytes: number): ReadonlyMap<string, Section> {
  const sections = new Map<string, Section>();
  let start = offset;
  for (const stream of footer.messages(FOOTER.streams)) {
    const length = stream.number(STREAM.length);
    const key = keyOf(stream.number(STREAM.kind), stream.number(STREAM.column));
    if (sections.has(key)) throw damagedOrc();
    sections.set(key, { start, length });
    start += length;
  }
  if (start > offset + streamBytes) throw damagedOrc();
  return sections;
}

function keyOf(kind: number, column: number): string {
  return `${kind} ${column}`;
}
