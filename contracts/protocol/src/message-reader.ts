// SPDX-License-Identifier: Apache-2.0
/**
 * From a message of the protocol to what REST has for the same: members by their names in the protocol, values of enumerations in words,
 * integers as exact numbers, and where the two shapes differ, by a rule. So both transports have one schema behind them, and an error names the
 * same member on both.
 *
 * Vectors stay apart as float32 until the schema has let the rest through; see `putVectorsBack`.
 */
import type { DescField, Message } from '@bufbuild/protobuf';
import { exactInteger } from './json-values.ts';
import { messageNamed } from './protocol.ts';
import { type Members, REST_NAMES, type Rules, readBody } from './rule.ts';
import { wordOf } from './words.ts';

const EXPLICIT_PRESENCE = 1;
/** Longer ones, and numbers that are none, are left in place, for the schema to say what is wrong with them. */
const VECTOR_LENGTH_MAX = 65_536;

export class MessageReader {
  readonly #rules: Rules;
  /** By the empty array that stands in the body for it. */
  readonly #vectors = new Map<unknown, Float32Array>();

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  read(message: Message): unknown {
    const read = this.#rules[message.$typeName]?.read;
    // The rules are kept by the names of the types that they take.
    return read === undefined ? this.members(message) : read(message as never, this);
  }

  /** The body of a request, without what REST has elsewhere or not at all. */
  body(request: Message): unknown {
    const isRuled = this.#rules[request.$typeName]?.read !== undefined;
    return isRuled ? this.read(request) : readBody(request, this);
  }

  /** Of any kind: a message by its rule, an integer exactly, anything else as it is. */
  value(value: unknown): unknown {
    if (typeof value === 'bigint') return exactInteger(value);
    return typeof value === 'object' && value !== null && '$typeName' in value ? this.read(value as Message) : value;
  }

  readAll(messages: readonly Message[]): readonly unknown[] {
    return messages.map((message) => this.read(message));
  }

  optional(message: Message | undefined): unknown {
    return message === undefined ? undefined : this.read(message);
  }

  /** What is set of the message, but for the members named. */
  members(message: Message, omitted: readonly string[] = []): Members {
    const members: { [name: string]: unknown } = {};
    for (const field of messageNamed(message.$typeName).fields) {
      if (omitted.includes(field.name)) continue;
      const value = this.#field(field, fieldValue(message, field));
      if (value !== undefined) members[REST_NAMES.get(field.name) ?? field.name] = value;
    }
    return members;
  }

  /** Takes a vector aside and returns what stands for it. */
  vector(values: readonly number[]): readonly number[] {
    const vector = Float32Array.from(values);
    if (vector.length === 0 || vector.length > VECTOR_LENGTH_MAX || !vector.every(Number.isFinite)) return values;
    const place: readonly number[] = [];
    this.#vectors.set(place, vector);
    return place;
  }

  /** Puts the vectors where their places are. */
  putVectorsBack(value: unknown): unknown {
    if (this.#vectors.size === 0 || typeof value !== 'object' || value === null) return value;
    const vector = this.#vectors.get(value);
    if (vector !== undefined) return vector;
    // Lists and objects alike: their own members, in place.
    const holder = value as { [name: string]: unknown };
    for (const key of Object.keys(holder)) if (key !== 'payload') holder[key] = this.putVectorsBack(holder[key]);
    return value;
  }

  #field(field: DescField, value: unknown): unknown {
    if (value === undefined) return undefined;
    switch (field.fieldKind) {
      case 'message':
        return this.read(value as Message);
      case 'enum':
        return wordOf(field.enum, value as number);
      case 'scalar':
        return scalar(value);
      case 'list':
        return (value as readonly unknown[]).map((item) => {
          if (field.listKind === 'message') return this.read(item as Message);
          return field.listKind === 'enum' ? wordOf(field.enum, item as number) : scalar(item);
        });
      case 'map':
        return this.#map(field, value as { readonly [key: string]: unknown });
    }
  }

  #map(field: DescField & { readonly fieldKind: 'map' }, values: { readonly [key: string]: unknown }): unknown {
    const entries = Object.entries(values);
    if (entries.length === 0) return undefined;
    return Object.fromEntries(
      entries.map(([key, value]) => [key, field.mapKind === 'message' ? this.read(value as Message) : scalar(value)]),
    );
  }
}

/** Undefined where it is not set, for fields that can be so. Generated messages hold each field under its local name, or in its group. */
function fieldValue(message: Message, field: DescField): unknown {
  const values = message as unknown as Members;
  if (field.oneof !== undefined) {
    const group = values[field.oneof.localName] as { readonly case?: string; readonly value?: unknown };
    return group.case === field.localName ? group.value : undefined;
  }
  return field.presence === EXPLICIT_PRESENCE ? (values[field.localName] ?? undefined) : values[field.localName];
}

function scalar(value: unknown): unknown {
  return typeof value === 'bigint' ? exactInteger(value) : value;
}
