// SPDX-License-Identifier: Apache-2.0
/** A table of LanceDB as points, as it was when it was opened. */
import { stringifyJson } from '@sextant/foundation-std';
import { type NearestPoint, type NearestSearch, SourceError, type VectorPoint } from '../connector.ts';
import type { ArrowField, ArrowType, LanceQuery, LanceTableHandle } from './lance-client.ts';
import type { LanceTable } from './lance-messages.ts';

/** Of Arrow: https://arrow.apache.org/docs/format/Columnar.html */
const FLOAT = 3;
const INTEGER = 2;
const BINARY = 4;
const UTF8 = 5;
const FIXED_SIZE_BINARY = 15;
const FIXED_SIZE_LIST = 16;
const LARGE_BINARY = 19;
const LARGE_UTF8 = 20;

/** Plain numbers of JavaScript are written as floating-point numbers. */
const KEYS = [INTEGER, FLOAT, UTF8, LARGE_UTF8];

const ROW_ID = '_rowid';
const PAYLOAD_BYTES_MAX = 1024 ** 2;

type Vector = {
  readonly name: string;
  readonly dimension: number /** Undefined without an index. */;
  readonly index: VectorIndex | undefined;
};
type VectorIndex = { readonly rows: number; readonly distance: string | undefined };

export type OpenedLanceTable = {
  readonly summary: LanceTable;
  readonly pages: () => AsyncGenerator<readonly VectorPoint[], undefined>;
  readonly nearest: (searches: readonly NearestSearch[]) => Promise<readonly (readonly NearestPoint[])[]>;
};

export async function openLanceTable(table: LanceTableHandle, name: string, id: string | undefined): Promise<OpenedLanceTable> {
  // What is written from now on is not seen.
  await table.checkout(await table.version());
  const { fields } = await table.schema();
  const vectors = await vectorsOf(table, fields);
  if (vectors.length === 0) {
    throw new SourceError(`${name} has no column of fixed-size lists of floating-point numbers`, { member: 'payload.table' });
  }
  const key = keyOf(fields, id);
  const members = fields
    .filter((field) => !vectors.some((vector) => vector.name === field.name) && !isBytes(field.type))
    .map((field) => field.name);
  const rows = await table.countRows();
  const isIndexed = vectors.every(({ index }) => index !== undefined);
  const read = [...new Set([...members, ...vectors.map((vector) => vector.name)])];
  return {
    summary: {
      rows,
      indexed: isIndexed ? Math.min(...vectors.map(({ index }) => index?.rows ?? 0)) : undefined,
      dimensions: Object.fromEntries(vectors.map(({ name: vector, dimension }) => [vector, dimension])),
      hasIds: key !== undefined,
    },
    pages: async function* () {
      for await (const batch of table.query().select(read).withRowId()) {
        const points: VectorPoint[] = [];
        for (let row = 0; row < batch.numRows; row += 1) {
          const values = batch.get(row)?.toJSON();
          if (values !== undefined) points.push(pointOf(values, { name, key, members, vectors }));
        }
        if (points.length > 0) yield points;
      }
      return undefined;
    },
    nearest: async (searches) => {
      const found: (readonly NearestPoint[])[] = [];
      for (const search of searches) found.push(await nearestTo(table, { search, key, vectors }));
      return found;
    },
  };
}

async function vectorsOf(table: LanceTableHandle, fields: readonly ArrowField[]): Promise<readonly Vector[]> {
  const indexes = await table.listIndices();
  const found: Vector[] = [];
  for (const { name, type } of fields) {
    if (type.typeId !== FIXED_SIZE_LIST || type.children?.[0]?.type.typeId !== FLOAT) continue;
    const own = indexes.find(({ columns }) => columns.length === 1 && columns[0] === name);
    const stats = own && (await table.indexStats(own.name));
    found.push({ name, dimension: type.listSize ?? 0, index: stats && { rows: stats.numIndexedRows, distance: stats.distanceType } });
  }
  return found;
}

function keyOf(fields: readonly ArrowField[], id: string | undefined): ArrowField | undefined {
  const named = fields.find(({ name }) => name === (id ?? 'id'));
  const canBe = named !== undefined && KEYS.includes(named.type.typeId);
  if (id === undefined || canBe) return canBe ? named : undefined;
  throw new SourceError(`payload.id names ${id}, which is ${named === undefined ? 'no column' : 'neither numbers nor texts'}`, {
    member: 'payload.id',
  });
}

function isBytes({ typeId }: ArrowType): boolean {
  return typeId === BINARY || typeId === FIXED_SIZE_BINARY || typeId === LARGE_BINARY;
}

type Parts = {
  readonly name: string;
  readonly key: ArrowField | undefined;
  readonly members: readonly string[];
  readonly vectors: readonly Vector[];
};

function pointOf(values: { readonly [column: string]: unknown }, { name, key, members, vectors }: Parts): VectorPoint {
  const own = values[key?.name ?? ROW_ID];
  if (typeof own !== 'string' && typeof own !== 'number' && typeof own !== 'bigint')
    throw new SourceError(`${name}: a row has no value in ${key?.name}, the id of its point`, { member: 'payload.id' });
  const id = String(own);
  const payload = Object.fromEntries(members.map((member) => [member, plain(values[member])]));
  if (stringifyJson(payload).length > PAYLOAD_BYTES_MAX) {
    throw new SourceError(`${name}: row ${id} has more than ${PAYLOAD_BYTES_MAX} bytes in addition to its vectors`, {
      member: 'payload.table',
    });
  }
  const there = vectors.flatMap(({ name: vector }) => {
    const components = values[vector];
    return isIterable(components) ? [[vector, Array.from(components, componentOf)] as const] : [];
  });
  return { id, payload, vectors: Object.fromEntries(there) };
}

function componentOf(value: unknown): number | null {
  return typeof value === 'number' && !Number.isNaN(value) ? value : null;
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/** A value of Arrow as JSON has it, with exact integers. */
function plain(value: unknown): unknown {
  switch (typeof value) {
    case 'bigint':
      return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'object': {
      if (value === null) return null;
      if (value instanceof Date) return value.toISOString();
      if ('toJSON' in value && typeof value.toJSON === 'function' && !isIterable(value)) return plain(value.toJSON());
      if (isStruct(value)) return plain(Object.fromEntries(value));
      if (isIterable(value)) return Array.from(value, plain);
      return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, plain(each)]));
    }
    default:
      return value ?? null;
  }
}

/** Rows of structs are pairs of name and value. */
function isStruct(value: object): value is Iterable<[string, unknown]> {
  return (
    value.constructor.name === 'StructRow' || value.constructor.name === 'MapRow' || value.constructor.name.startsWith('StructRowProxy')
  );
}

type Search = { readonly search: NearestSearch; readonly key: ArrowField | undefined; readonly vectors: readonly Vector[] };

async function nearestTo(table: LanceTableHandle, { search, key, vectors }: Search): Promise<readonly NearestPoint[]> {
  const vector = vectors.find(({ name }) => name === search.vector);
  if (key === undefined || vector?.index === undefined)
    throw new SourceError(`column ${search.vector} has no index`, { member: 'payload.table' });
  const isText = key.type.typeId === UTF8 || key.type.typeId === LARGE_UTF8;
  const own = `${column(key.name)} = ${isText ? literal(search.id) : search.id}`;
  const [row] = await table.query().where(own).select([vector.name]).limit(1).toArray();
  const components = row?.[vector.name];
  if (!isIterable(components)) return [];
  const { where } = search;
  const condition =
    where === undefined
      ? ''
      : ` AND ${column(where.member)} = ${typeof where.value === 'string' ? literal(where.value) : String(where.value)}`;
  const asked = table
    .query()
    .nearestTo(Array.from(components, Number))
    .column(vector.name)
    .where(`NOT (${own})${condition}`)
    .limit(search.limit);
  const measured = vector.index.distance === undefined ? asked : asked.distanceType(vector.index.distance);
  const query: LanceQuery = search.isExact ? measured.bypassVectorIndex() : measured;
  return (await query.toArray()).map((point) => ({ id: String(point[key.name]), score: Number(point._distance) }));
}

function column(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
