// SPDX-License-Identifier: Apache-2.0
/** Reads the values of columns out of the streams of a stripe, one after another: https://orc.apache.org/specification/ORCv1/#column-encodings */
import { type JsonValue, stringifyJson } from '@sextant/foundation-std';
import { jsonScalar } from '../json-scalar.ts';
import { type StoredValue, TableError, textOf } from '../table.ts';
import { BitRuns, ByteRuns } from './byte-runs.ts';
import { decimalReader } from './decimals.ts';
import { countOf, int32Of } from './integer.ts';
import { IntegerRuns } from './integer-runs.ts';
import { damagedOrc } from './message.ts';
import type { OrcKind, OrcType } from './schema.ts';
import type { OrcStream } from './stream.ts';
import type { StreamKind, StripeStreams } from './stripe.ts';
import { gregorianDay, microsecondsReader, UTC } from './times.ts';

/** The next value of a column. */
export type OrcReader<Value = StoredValue> = () => Value;

/** Of a list or map; lengths take next to nothing. */
const ITEMS_MAX = 2 ** 24;
/** What all texts of a dictionary may be together. */
const DICTIONARY_BYTES_MAX = 64 * 2 ** 20;
const TEXTS: ReadonlySet<OrcKind> = new Set(['string', 'varchar', 'char']);

/** Makes the readers of a stripe, and knows whether they came to its end. */
export class StripeReaders {
  readonly #stripe: StripeStreams;
  readonly #opened: { readonly isAtEnd: () => boolean }[] = [];

  constructor(stripe: StripeStreams) {
    this.#stripe = stripe;
  }

  column(type: OrcType): OrcReader {
    if (type.column.kind !== 'json') return this.#scalar(type);
    const json = this.#json(type);
    const { memory } = this.#stripe;
    return () => {
      const value = json();
      if (value === null) return null;
      const text = stringifyJson(value);
      memory.use(text.length);
      return text;
    };
  }

  /** Whether the next value is there; what is below one that is not has no values either. */
  presence({ id }: OrcType): OrcReader<boolean> {
    const stream = this.#stripe.stream(id, 'present');
    if (stream === undefined) return () => true;
    const bits = this.#open(new BitRuns(stream));
    return () => bits.next();
  }

  /** A file that says less than it holds is damaged as one that says more. */
  assertEnd(): void {
    if (!this.#opened.every((opened) => opened.isAtEnd())) throw damagedOrc();
  }

  #scalar(type: OrcType): OrcReader {
    const isPresent = this.presence(type);
    const value = this.#scalarValue(type);
    return () => (isPresent() ? value() : null);
  }

  #scalarValue(type: OrcType): OrcReader {
    const { id, kind, column } = type;
    switch (kind) {
      case 'boolean': {
        const bits = this.#open(new BitRuns(this.#stream(id, 'data')));
        return () => bits.next();
      }
      case 'tinyint': {
        const bytes = this.#open(new ByteRuns(this.#stream(id, 'data')));
        return () => (bytes.next() << 24) >> 24;
      }
      case 'smallint':
      case 'int': {
        const integers = this.#integers(id, 'data', true);
        return () => int32Of(integers.next());
      }
      case 'bigint': {
        const integers = this.#integers(id, 'data', true);
        return () => BigInt(integers.next());
      }
      case 'float':
      case 'double':
        return this.#floats(id, kind);
      case 'string':
      case 'varchar':
      case 'char':
        return this.#texts(id);
      case 'binary': {
        const bytes = this.#sized(id);
        return () => new Uint8Array(bytes());
      }
      case 'decimal': {
        if (column.kind !== 'decimal') throw damagedOrc();
        return decimalReader(this.#open(this.#stream(id, 'data')), this.#integers(id, 'secondary', true), column);
      }
      case 'date': {
        const days = this.#integers(id, 'data', true);
        return this.#stripe.isHybridCalendar ? () => gregorianDay(int32Of(days.next())) : () => int32Of(days.next());
      }
      case 'timestamp':
      case 'timestamp with local time zone':
        return microsecondsReader({
          seconds: this.#integers(id, 'data', true),
          nanoseconds: this.#integers(id, 'secondary', false),
          offset: kind === 'timestamp' ? this.#stripe.zone() : UTC,
          isHybridCalendar: this.#stripe.isHybridCalendar,
        });
      case 'struct':
      case 'array':
      case 'map':
      case 'uniontype':
        throw damagedOrc();
    }
  }

  #floats(id: number, kind: 'float' | 'double'): OrcReader {
    const stream = this.#open(this.#stream(id, 'data'));
    const bytes = new Uint8Array(kind === 'float' ? 4 : 8);
    const view = new DataView(bytes.buffer);
    return () => {
      bytes.set(stream.take(bytes.length));
      return kind === 'float' ? view.getFloat32(0, true) : view.getFloat64(0, true);
    };
  }

  #texts(id: number): OrcReader {
    const { isDictionary, dictionarySize } = this.#stripe.encoding(id);
    if (!isDictionary) {
      const bytes = this.#sized(id);
      return () => textOf(bytes());
    }
    const texts = this.#dictionary(id, dictionarySize);
    const indices = this.#integers(id, 'data', false);
    const { memory } = this.#stripe;
    return () => {
      const text = texts[countOf(indices.next())];
      if (text === undefined) throw damagedOrc();
      memory.use(text.length);
      return text;
    };
  }

  /** No text is there twice, so that one at most has no bytes. */
  #dictionary(id: number, size: number): readonly string[] {
    const blob = this.#stripe.stream(id, 'dictionary')?.rest(DICTIONARY_BYTES_MAX) ?? new Uint8Array();
    if (size > blob.length + 1) throw damagedOrc();
    const lengths = this.#integers(id, 'length', false);
    let at = 0;
    const texts = Array.from({ length: size }, () => {
      const from = at;
      at += countOf(lengths.next());
      if (at > blob.length) throw damagedOrc();
      return textOf(blob.subarray(from, at));
    });
    if (at < blob.length) throw damagedOrc();
    return texts;
  }

  #sized(id: number): OrcReader<Uint8Array> {
    const lengths = this.#integers(id, 'length', false);
    const stream = this.#open(this.#stream(id, 'data'));
    const { memory } = this.#stripe;
    return () => {
      const length = countOf(lengths.next());
      memory.use(length);
      return stream.take(length);
    };
  }

  #json(type: OrcType): OrcReader<JsonValue> {
    const isPresent = this.presence(type);
    const value = this.#jsonValue(type);
    return () => (isPresent() ? value() : null);
  }

  #jsonValue(type: OrcType): OrcReader<JsonValue> {
    const { id, kind, column, children, names } = type;
    switch (kind) {
      case 'struct': {
        const fields = children.map((child, index) => [names[index] ?? '', this.#json(child)] as const);
        return () => Object.fromEntries(fields.map(([name, value]) => [name, value()]));
      }
      case 'array': {
        const [item] = children.map((child) => this.#json(child));
        const length = this.#lengths(id);
        return () => Array.from({ length: length() }, item ?? fail);
      }
      case 'map':
        return this.#map(type);
      case 'uniontype': {
        const tags = this.#open(new ByteRuns(this.#stream(id, 'data')));
        const branches = children.map((child) => this.#json(child));
        return () => (branches[tags.next()] ?? fail)();
      }
      default: {
        const value = this.#scalarValue(type);
        return () => jsonScalar(value(), column);
      }
    }
  }

  /** Members of an object where the keys are texts, else pairs. */
  #map({ id, children }: OrcType): OrcReader<JsonValue> {
    const [key = fail, value = fail] = children.map((child) => this.#json(child));
    const length = this.#lengths(id);
    const entries = () => Array.from({ length: length() }, () => [key(), value()] as const);
    const hasTexts = children[0] !== undefined && TEXTS.has(children[0].kind);
    if (!hasTexts) return () => entries().map(([each, of]) => ({ key: each, value: of }));
    return () =>
      Object.fromEntries(
        entries().map(([each, of]) => {
          if (typeof each !== 'string') throw new TableError('holds a map with a key that is null, which is not supported');
          return [each, of];
        }),
      );
  }

  #lengths(id: number): OrcReader<number> {
    const lengths = this.#integers(id, 'length', false);
    return () => {
      const length = countOf(lengths.next());
      if (length > ITEMS_MAX) throw new TableError(`holds a list of ${length} values; the limit is ${ITEMS_MAX}`);
      return length;
    };
  }

  #integers(id: number, kind: StreamKind, isSigned: boolean): IntegerRuns {
    const { version } = this.#stripe.encoding(id);
    return this.#open(new IntegerRuns(this.#stream(id, kind), { version, isSigned }));
  }

  #stream(id: number, kind: StreamKind): OrcStream {
    return this.#stripe.stream(id, kind) ?? this.#stripe.emptyStream();
  }

  #open<Opened extends { readonly isAtEnd: () => boolean }>(opened: Opened): Opened {
    this.#opened.push(opened);
    return opened;
  }
}

function fail(): never {
  throw damagedOrc();
}
