// SPDX-License-Identifier: Apache-2.0
/** Filters and their conditions. */
import { type Timestamp, timestampFromDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { CountPoints } from '@qdrant/js-client-grpc';
import { Inexpressible } from '../inexpressible.ts';
import { exactInteger } from '../json-values.ts';
import type { MessageReader } from '../message-reader.ts';
import { listOf, type Members, nameOf, type Rules } from '../rule.ts';
import { nothingSet } from './vectors.ts';

// The client's package does not export the types of filters by name.
type Filter = NonNullable<CountPoints['filter']>;
type Condition = Filter['must'][number];
type FieldCondition = Extract<Condition['conditionOneOf'], { case: 'field' }>['value'];
type HasIdCondition = Extract<Condition['conditionOneOf'], { case: 'hasId' }>['value'];
type HasVectorCondition = Extract<Condition['conditionOneOf'], { case: 'hasVector' }>['value'];
type Match = NonNullable<FieldCondition['match']>;
type DatetimeRange = NonNullable<FieldCondition['datetimeRange']>;

export const filterRules: Rules = {
  'qdrant.Filter': {
    read: readFilter,
    write: ({ must, should, must_not, ...others }: Members) => ({
      ...others,
      must: conditions(must),
      should: conditions(should),
      must_not: conditions(must_not),
    }),
  },
  'qdrant.Condition': { read: readCondition, write: writeCondition },
  'qdrant.FieldCondition': {
    read: (condition: FieldCondition, reader) => {
      const { datetime_range, ...members } = reader.members(condition);
      return { ...members, ...(datetime_range === undefined ? {} : { range: datetime_range }) };
    },
    write: ({ range, ...members }: Members) => {
      const bounds = Object.values((range ?? {}) as Members);
      return bounds.some((bound) => typeof bound === 'string') ? { ...members, datetime_range: range } : { ...members, range };
    },
  },
  'qdrant.HasIdCondition': { read: ({ hasId }: HasIdCondition, reader) => reader.readAll(hasId) },
  'qdrant.HasVectorCondition': { read: ({ hasVector }: HasVectorCondition) => hasVector },
  'qdrant.Match': { read: readMatch, write: writeMatch },
  'qdrant.DatetimeRange': {
    read: ({ lt, gt, lte, gte }: DatetimeRange) => {
      const bounds = Object.entries({ lt, gt, lte, gte });
      return Object.fromEntries(bounds.flatMap(([name, time]) => (time === undefined ? [] : [[name, isoTime(time)]])));
    },
  },
  'google.protobuf.Timestamp': { write: (time: unknown) => (time instanceof Date ? timestampFromDate(time) : exactTime(time)) },
};

/** Lists that are empty were not given: the protocol cannot tell the two apart. */
function readFilter({ must, should, mustNot, minShould }: Filter, reader: MessageReader): Members {
  const lists = { must, should, must_not: mustNot };
  const given = Object.entries(lists).filter(([, list]) => list.length > 0);
  return {
    ...Object.fromEntries(given.map(([name, list]) => [name, reader.readAll(list)])),
    ...(minShould === undefined ? {} : { min_should: reader.read(minShould) }),
  };
}

function conditions(value: unknown): readonly unknown[] | undefined {
  const list = listOf(value);
  if (list?.length === 0) throw new Inexpressible('an empty list of conditions');
  return list;
}

/** A field and a filter are conditions as they are; the others are wrapped in their name. */
function readCondition({ conditionOneOf: { case: kind, value } }: Condition, reader: MessageReader): unknown {
  // An object without members is a filter to REST, and every point passes it.
  if (kind === undefined) return nothingSet('Condition', 'a condition');
  const condition = reader.read(value);
  return kind === 'field' || kind === 'filter' ? condition : { [nameOf(kind)]: condition };
}

function writeCondition(value: Members): Members {
  if ('key' in value) return { field: value };
  const { is_empty, is_null, has_id, has_vector, slice, nested } = value;
  if (has_id !== undefined) return { has_id: { has_id } };
  if (has_vector !== undefined) return { has_vector: { has_vector } };
  if (is_empty !== undefined || is_null !== undefined || slice !== undefined || nested !== undefined) return value;
  return { filter: value };
}

function readMatch({ matchValue: match }: Match): Members {
  switch (match.case) {
    case 'keyword':
    case 'boolean':
      return { value: match.value };
    case 'integer':
      return { value: exactInteger(match.value) };
    case 'keywords':
      return { any: match.value.strings };
    case 'integers':
      return { any: match.value.integers.map(exactInteger) };
    case 'exceptKeywords':
      return { except: match.value.strings };
    case 'exceptIntegers':
      return { except: match.value.integers.map(exactInteger) };
    case 'text':
    case 'textAny':
    case 'phrase':
    case 'prefix':
      return { [nameOf(match.case)]: match.value };
    case undefined:
      return {};
  }
}

function writeMatch({ value, any, except, ...texts }: Members): Members {
  if (any !== undefined) return lists(any, 'keywords', 'integers');
  if (except !== undefined) return lists(except, 'except_keywords', 'except_integers');
  if (typeof value === 'string') return { keyword: value };
  if (typeof value === 'boolean') return { boolean: value };
  return value === undefined ? texts : { integer: value };
}

function lists(values: unknown, strings: string, integers: string): Members {
  if (!Array.isArray(values)) throw new Inexpressible('not a list');
  return values.every((value) => typeof value === 'string') ? { [strings]: { strings: values } } : { [integers]: { integers: values } };
}

/** Milliseconds in UTC, which every reader of the protocol keeps. */
const EXACT_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/;

function exactTime(written: unknown): Timestamp {
  const ms = typeof written === 'string' && EXACT_TIME.test(written) ? Date.parse(written) : Number.NaN;
  if (Number.isNaN(ms)) throw new Inexpressible('not a time in UTC');
  return timestampFromMs(ms);
}

const NANOSECONDS_PER_MILLISECOND = 1_000_000;
/** Of the years 1 to 9999, as RFC 3339 has them. */
const SECONDS_MIN = -62_135_596_800n;
const SECONDS_MAX = 253_402_300_799n;
const NANOSECONDS = 1_000_000_000;

export function isoTime({ seconds, nanos }: Timestamp): string {
  if (seconds < SECONDS_MIN || seconds > SECONDS_MAX || nanos < 0 || nanos >= NANOSECONDS) {
    throw new Inexpressible(`a timestamp: expected a time of the years 1 to 9999, got ${seconds} seconds and ${nanos} nanoseconds`);
  }
  const microseconds = Math.floor(nanos / 1000);
  const fraction = microseconds % 1000 === 0 ? undefined : String(microseconds).padStart(6, '0');
  const iso = new Date(Number(seconds * 1000n) + Math.floor(nanos / NANOSECONDS_PER_MILLISECOND)).toISOString();
  return fraction === undefined ? iso : iso.replace(/\d{3}Z$/, `${fraction}Z`);
}
