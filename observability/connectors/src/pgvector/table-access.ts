// SPDX-License-Identifier: Apache-2.0
/** A table with vectors as a collection: pages in the order of its key, and neighbours through its indexes. */
import { parseJson, stringifyJson } from '@sextant/foundation-std';
import { type NearestPoint, type NearestSearch, SourceError, type VectorCollectionAccess, type VectorPoint } from '../connector.ts';
import type { Snapshot } from '../postgresql/snapshot.ts';
import { identifier, literal, type VectorColumn, type VectorTable } from './vector-table.ts';

const PAGE_ROWS_MAX = 1000;
/** What the vectors of a page may take as text, at so many characters for each component. */
const PAGE_VECTOR_BYTES = 8 * 1024 ** 2;
const COMPONENT_BYTES = 16;
/** The payload of one row. */
const PAYLOAD_BYTES_MAX = 1024 ** 2;

/** All of one snapshot. Methods throw a `SourceError`. */
export async function tableAccess(snapshot: Snapshot, table: VectorTable): Promise<VectorCollectionAccess> {
  const dimensions: { [vector: string]: number } = {};
  for (const vector of table.vectors) dimensions[vector.name] = vector.dimensions ?? (await firstDimensions(snapshot, table, vector));
  const isIndexed = table.vectors.every(({ operator }) => operator !== undefined);
  return {
    info: async () => {
      const [[rows] = []] = await snapshot.query(`SELECT count(*) FROM ${table.relation}`);
      const points = Number(rows);
      // An index of PostgreSQL has every row, or it is not valid.
      return { points, indexed: isIndexed ? points : undefined, dimensions };
    },
    points: ({ signal }) => pagesOf(snapshot, table, { dimensions, ...(signal && { signal }) }),
    ...(isIndexed && {
      nearest: async (searches: readonly NearestSearch[], { signal }: { readonly signal?: AbortSignal }) => {
        const found: (readonly NearestPoint[])[] = [];
        for (const search of searches) found.push(await nearestTo(snapshot, table, { search, ...(signal && { signal }) }));
        return found;
      },
    }),
  };
}

async function firstDimensions(snapshot: Snapshot, { relation }: VectorTable, { name, isArray }: VectorColumn): Promise<number> {
  const own = identifier(name);
  const size = isArray ? `cardinality(${own})` : `vector_dims(${own})`;
  const [[found] = []] = await snapshot.query(`SELECT ${size} FROM ${relation} WHERE ${own} IS NOT NULL LIMIT 1`);
  return typeof found === 'number' ? found : 0;
}

type Paging = { readonly dimensions: { readonly [vector: string]: number }; readonly signal?: AbortSignal };

async function* pagesOf(snapshot: Snapshot, table: VectorTable, { dimensions, signal }: Paging): AsyncIterable<readonly VectorPoint[]> {
  const { relation, id, vectors, members } = table;
  const components = Object.values(dimensions).reduce((sum, size) => sum + size, 1);
  const limit = Math.max(1, Math.min(PAGE_ROWS_MAX, Math.floor(PAGE_VECTOR_BYTES / (components * COMPONENT_BYTES))));
  const key = identifier(id.name);
  const payload = `row_to_json((SELECT r FROM (SELECT ${members.map(identifier).join(', ')}) AS r))::text`;
  const columns = vectors.map(({ name, isArray }) => (isArray ? `array_to_json(${identifier(name)})::text` : `${identifier(name)}::text`));
  let last: string | undefined;
  do {
    const beyond = last === undefined ? '' : `WHERE t.${key} > ${literal(last)}::${id.type} `;
    const rows = await snapshot.query(
      `SELECT id, CASE WHEN octet_length(payload) <= ${PAYLOAD_BYTES_MAX} THEN payload END, ${vectors.map((_, at) => `v${at}`).join(', ')} FROM (` +
        `SELECT t.${key}::text AS id, ${payload} AS payload, ${columns.map((column, at) => `${column} AS v${at}`).join(', ')} FROM ${relation} AS t ${beyond}ORDER BY t.${key} LIMIT ${limit}) AS page`,
      { ...(signal && { signal }) },
    );
    if (rows.length > 0) yield rows.map((row) => pointOf(table, row));
    last = rows.length < limit ? undefined : String(rows.at(-1)?.[0]);
  } while (last !== undefined);
}

function pointOf({ vectors, relation }: VectorTable, [id, payload, ...texts]: readonly unknown[]): VectorPoint {
  if (typeof payload !== 'string') {
    throw new SourceError(`${relation}: row ${String(id)} has more than ${PAYLOAD_BYTES_MAX} bytes in addition to its vectors`, {
      member: 'payload.table',
    });
  }
  // row_to_json of columns is an object.
  const members = parseJson(payload) as VectorPoint['payload'];
  const there = vectors.flatMap(({ name }, at) => {
    const text = texts[at];
    return typeof text === 'string' ? [[name, componentsOf(text, `${relation}: row ${String(id)}`)] as const] : [];
  });
  return { id: String(id), payload: members, vectors: Object.fromEntries(there) };
}

/** `[1,2.5]` of pgvector, and JSON of an array; null is no number, and what is infinite or not a number is quoted. */
function componentsOf(text: string, what: string): readonly (number | null)[] {
  const parsed: unknown = JSON.parse(text.replace(/\bNaN\b|-?\bInfinity\b/g, 'null').replaceAll('"null"', 'null'));
  if (!Array.isArray(parsed)) throw new SourceError(`${what}: a vector is not a list of numbers`);
  return parsed.map((component: unknown) => {
    if (component === null || typeof component === 'number') return component;
    throw new SourceError(`${what}: a vector is not a list of numbers`);
  });
}

type Search = { readonly search: NearestSearch; readonly signal?: AbortSignal };

async function nearestTo(
  snapshot: Snapshot,
  { relation, id, vectors }: VectorTable,
  { search, signal }: Search,
): Promise<readonly NearestPoint[]> {
  const operator = vectors.find(({ name }) => name === search.vector)?.operator;
  if (operator === undefined) throw new SourceError(`column ${search.vector} has no index of pgvector`, { member: 'payload.table' });
  const [key, vector] = [identifier(id.name), identifier(search.vector)];
  const own = `${key} = ${literal(search.id)}::${id.type}`;
  const distance = `${vector} ${operator} (SELECT ${vector} FROM ${relation} WHERE ${own})`;
  const where =
    search.where === undefined
      ? ''
      : ` AND to_jsonb(${identifier(search.where.member)}) = ${literal(stringifyJson(search.where.value))}::jsonb`;
  // Only the distance itself is in the order of the index.
  const order = search.isExact ? `(${distance}) + 0` : distance;
  const rows = await snapshot.query(
    `SELECT ${key}::text, (${distance})::double precision FROM ${relation} WHERE ${vector} IS NOT NULL AND NOT (${own})${where} ORDER BY ${order} LIMIT ${search.limit}`,
    { ...(signal && { signal }) },
  );
  return rows.map(([found, score]) => ({ id: String(found), score: Number(score) }));
}
