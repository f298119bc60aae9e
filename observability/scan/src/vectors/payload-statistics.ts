// SPDX-License-Identifier: Apache-2.0
/** Completeness and types of payload members. */
import type { DataType, MetricPoint } from '@sextant/contracts-observability';
import type { Column } from '@sextant/observability-connectors';
import { metricAt, percent } from './vector-statistics.ts';

export type PayloadStatistics = {
  readonly add: (payload: { readonly [field: string]: unknown }) => void;
  readonly metrics: (segment: string | null) => readonly MetricPoint[];
  /** Which share (0 to 1) of the points has each member filled. */
  readonly shares: () => ReadonlyMap<string, number>;
  /** Members as columns, in the order of their names; `source_type` lists what was met, such as `integer|null|string`. */
  readonly columns: () => readonly Column[];
};

/** Payloads with a member per point (a map used as an object) would otherwise fill memory with names. */
export const MAX_MEMBERS = 1000;

type Member = { filled: number; readonly types: Set<JsonType> };
type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'array' | 'object';

/** Members beyond the first thousand names are not measured. */
export function payloadStatistics(): PayloadStatistics {
  const members = new Map<string, Member>();
  let points = 0;
  const inOrder = () => [...members].sort(([first], [second]) => (first < second ? -1 : 1));
  return {
    add: (payload) => {
      points += 1;
      for (const [name, value] of Object.entries(payload)) {
        const member = members.get(name) ?? { filled: 0, types: new Set() };
        if (!members.has(name)) {
          if (members.size >= MAX_MEMBERS) continue;
          members.set(name, member);
        }
        if (isFilled(value)) member.filled += 1;
        member.types.add(typeOf(value));
      }
    },
    metrics: (segment) =>
      inOrder().map(([attribute, { filled }]) =>
        metricAt({ attribute, segment })('PAYLOAD_COMPLETENESS', 'ratio', percent(filled, points)),
      ),
    shares: () => new Map([...members].map(([name, { filled }]) => [name, points === 0 ? 0 : filled / points])),
    columns: () => inOrder().map(([name, { types }]) => ({ name, source_type: [...types].sort().join('|'), data_type: dataTypeOf(types) })),
  };
}

/** Null, the empty text, and an empty list or object hold nothing. */
export function isFilled(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

function typeOf(value: unknown): JsonType {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'bigint':
      return 'integer';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'string';
    default:
      return 'object';
  }
}

function dataTypeOf(types: ReadonlySet<JsonType>): DataType {
  const [only, ...others] = [...types].filter((type) => type !== 'null').sort();
  if (only === undefined) return 'OTHER';
  if (others.length === 0) return DATA_TYPES[only];
  return only === 'integer' && others.length === 1 && others[0] === 'number' ? 'DECIMAL' : 'OTHER';
}

const DATA_TYPES: { readonly [Type in JsonType]: DataType } = {
  string: 'STRING',
  integer: 'INTEGER',
  number: 'DECIMAL',
  boolean: 'BOOLEAN',
  null: 'OTHER',
  array: 'OTHER',
  object: 'OTHER',
};
