// SPDX-License-Identifier: Apache-2.0
/** Messages of any type of the protocol, built from its descriptor: valid ones, and ones that differ from a valid one in one place. */
import { create, type DescField, type DescMessage, type DescOneof, type Message } from '@bufbuild/protobuf';
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import type { Random } from '@sextant/foundation-std';
import { ODD_ENUM_NUMBERS, oddScalars, validList, validScalar } from './example-values.ts';

/** A message, and the place in which it differs. */
export type Example = { readonly at: string; readonly message: Message };

/** What a message is made of where the protocol leaves a choice. */
type Choices = {
  readonly includes: (field: DescField) => boolean;
  readonly alternative: (oneof: DescOneof) => DescField | undefined;
  /** A value in place of the valid one. */
  readonly odd: (field: DescField) => { readonly value: unknown } | undefined;
};

/** The protocol marks optional fields, but for these, which belong to alternatives or are filled by a few clients only. */
const UNMARKED_OPTIONAL: ReadonlySet<string> = new Set([
  'range',
  'geo_bounding_box',
  'geo_radius',
  'values_count',
  'geo_polygon',
  'datetime_range',
  'should',
  'must_not',
  'filter',
  'params',
  'with_payload',
  'prefetch',
  'interiors',
  'defaults',
  'options',
  'metadata',
  'positive_vectors',
  'negative_vectors',
  'negative',
  'context',
  'qdrant.Vector.data',
]);
/** Marked as optional, or found above, and needed all the same for a message that is answered. */
const REQUIRED: ReadonlySet<string> = new Set([
  'qdrant.NestedCondition.filter',
  'qdrant.DiscoverInput.context',
  'qdrant.PointStruct.vectors',
  'qdrant.CreateCollection.vectors_config',
  'qdrant.QueryPoints.query',
  'qdrant.QueryPoints.prefetch',
  'qdrant.PrefetchQuery.query',
  'qdrant.QueryPointGroups.query',
  'qdrant.CreateFieldIndexCollection.field_type',
  'points_selector',
]);
const DEPTH_MAX = 12;

const base: Choices = {
  includes: (field) => !isOptional(field),
  alternative: ({ fields }) => fields[0],
  odd: () => undefined,
};

/** With what the message has to have. */
export function validMessage(desc: DescMessage): Message {
  return make(desc, base, 0);
}

/** With any of the optional fields, any of the alternatives, and a few odd values. */
export function randomMessage(desc: DescMessage, random: Random): Message {
  return make(desc, choicesBy(random), 0);
}

const INCLUDED = 0.35;
const ODD = 0.03;

function choicesBy(random: Random): Choices {
  return {
    includes: (field) => !isOptional(field) || random.next() < INCLUDED,
    alternative: ({ fields }) => fields[random.integer(fields.length)],
    odd: (field) => {
      const values = random.next() < ODD ? oddValues(field) : [];
      return values.length === 0 ? undefined : { value: values[random.integer(values.length)] };
    },
  };
}

/** Which odd values a field is given in turn. */
type Choose = (values: readonly unknown[]) => readonly unknown[];

export const everyValue: Choose = (values) => values;

/** One for each field, by turns: fields of one type have each of its odd values between them. */
export function oneValueByTurns(): Choose {
  let turn = 0;
  return (values) => values.slice(turn % values.length, (turn++ % values.length) + 1);
}

/**
 * The valid message, the empty one, and for each of the fields, at any depth: without it, with it, and with chosen odd values in it.
 * @param expands whether the fields of a message type are walked where it is met; a type that contains itself is walked once
 */
export function* variations(
  desc: DescMessage,
  expands: (desc: DescMessage) => boolean,
  choose: Choose,
  trail: readonly DescMessage[] = [],
): Generator<Example> {
  yield { at: '(valid)', message: validMessage(desc) };
  yield { at: '(empty)', message: create(desc) };
  // From the last field on, so that queries are walked before the prefetches that hold queries too: a formula needs prefetches below it.
  for (const field of desc.fields.toReversed()) {
    yield { at: `without ${field.name}`, message: changed(desc, field, undefined) };
    for (const value of [validValue(field, base, 0), ...choose(oddValues(field))]) {
      yield { at: `${field.name} = ${shown(value)}`, message: changed(desc, field, value) };
    }
    const { message } = field;
    if (message === undefined || message === desc || trail.includes(message) || !expands(message)) continue;
    for (const example of variations(message, expands, choose, [...trail, desc])) {
      yield { at: `${field.name} > ${example.at}`, message: changed(desc, field, wrapped(field, example.message)) };
    }
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? String(member) : member));
  return (text ?? String(value)).slice(0, 80);
}

/** A valid message, but for one field; undefined takes it away. */
function changed(desc: DescMessage, field: DescField, value: unknown): Message {
  const message = validMessage(desc);
  const fields = reflect(desc, message);
  fields.clear(field);
  if (value !== undefined) set(fields, field, value);
  return message;
}

function make(desc: DescMessage, choices: Choices, depth: number): Message {
  const message = create(desc);
  const fields = reflect(desc, message);
  const chosen = desc.oneofs.map((oneof) => choices.alternative(oneof));
  for (const field of desc.fields) {
    const isSet = field.oneof === undefined ? choices.includes(field) : chosen.includes(field);
    if (isSet) set(fields, field, choices.odd(field)?.value ?? validValue(field, choices, depth));
  }
  return message;
}

function isOptional({ name, proto, parent }: DescField): boolean {
  const fullName = `${parent.typeName}.${name}`;
  if (REQUIRED.has(name) || REQUIRED.has(fullName)) return false;
  return proto.proto3Optional || UNMARKED_OPTIONAL.has(name) || UNMARKED_OPTIONAL.has(fullName);
}

/** Lists and maps have one item, but for lists whose length matters. */
function validValue(field: DescField, choices: Choices, depth: number): unknown {
  // Messages that contain themselves end somewhere.
  const made = (desc: DescMessage) => (depth < DEPTH_MAX ? make(desc, choices, depth + 1) : create(desc));
  switch (field.fieldKind) {
    case 'message':
      return made(field.message);
    case 'enum':
      return validEnum(field);
    case 'scalar':
      return validScalar(field, field.scalar);
    case 'list':
      if (field.listKind === 'message') return depth < DEPTH_MAX ? [made(field.message)] : [];
      return validList(field, field.parent) ?? [field.listKind === 'enum' ? validEnum(field) : validScalar(field, field.scalar)];
    case 'map':
      return mapOf(field, field.mapKind === 'message' ? made(field.message) : mapScalar(field));
  }
}

function mapScalar(field: DescField & { readonly fieldKind: 'map' }): unknown {
  // The protocol has no map of enumerations.
  return field.mapKind === 'scalar' ? validScalar(field, field.scalar) : undefined;
}

/** The first value that says something. */
function validEnum({ enum: desc }: DescField): number {
  const values = desc?.values ?? [];
  return (values[1] ?? values[0])?.number ?? 0;
}

function oddValues(field: DescField): readonly unknown[] {
  switch (field.fieldKind) {
    case 'message':
      return [create(field.message)];
    case 'enum':
      return ODD_ENUM_NUMBERS;
    case 'scalar':
      return oddScalars(field.scalar);
    case 'list':
      return oddLists(field);
    case 'map':
      return [{}, { '': field.mapKind === 'message' ? validMessage(field.message) : mapScalar(field) }];
  }
}

function oddLists(field: DescField & { readonly fieldKind: 'list' }): readonly unknown[] {
  if (field.listKind === 'enum') return ODD_ENUM_NUMBERS.map((number) => [number]);
  if (field.listKind === 'message') {
    const item = validMessage(field.message);
    return [[], [create(field.message)], [item, item]];
  }
  const valid = validList(field, field.parent) ?? [validScalar(field, field.scalar)];
  return [[], [...valid, ...valid], ...oddScalars(field.scalar).map((value) => [value, ...valid.slice(1)])];
}

/** As the field holds one message. */
function wrapped(field: DescField, message: Message): unknown {
  if (field.fieldKind === 'list') return [message];
  return field.fieldKind === 'map' ? mapOf(field, message) : message;
}

/** Named vectors are called as the collection calls them. */
function mapOf(field: DescField, value: unknown): { readonly [key: string]: unknown } {
  return { [field.parent.typeName === 'qdrant.NamedVectors' ? 'other' : 'red']: value };
}

function set(fields: ReflectMessage, field: DescField, value: unknown): void {
  // Generated messages hold each field under its local name, or in its group; values that no type allows are what this is about.
  const holder = fields.message as unknown as { [name: string]: unknown };
  if (field.oneof === undefined) holder[field.localName] = value;
  else holder[field.oneof.localName] = { case: field.localName, value };
}
