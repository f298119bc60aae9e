// SPDX-License-Identifier: Apache-2.0
/**
 * What of a table of PostgreSQL is a collection: the column that names a row, those with a vector (of pgvector's types, else arrays of floating-point
 * numbers), and the indexes by which their neighbours are found.
 */
import { SourceError } from '../connector.ts';
import { optionalText, type Payload, requiredText } from '../payload.ts';
import type { Snapshot } from '../postgresql/snapshot.ts';

export type VectorTable = {
  /** Quoted, with its schema. */
  readonly relation: string;
  readonly id: { readonly name: string; readonly type: string };
  readonly vectors: readonly VectorColumn[];
  /** All others. */
  readonly members: readonly string[];
};

export type VectorColumn = {
  readonly name: string;
  readonly isArray: boolean;
  /** As declared; undefined where each row may have another. */
  readonly dimensions: number | undefined;
  /** The operator of an index over all rows, such as `<=>`; undefined where there is none. */
  readonly operator: string | undefined;
};

type Place = { readonly schema: string; readonly table: string; readonly id: string | undefined };

/** Operator classes of pgvector's indexes, by what they order by; https://github.com/pgvector/pgvector#indexing */
const OPERATORS: readonly (readonly [RegExp, string])[] = [
  [/_l2_ops$/, '<->'],
  [/_cosine_ops$/, '<=>'],
  [/_ip_ops$/, '<#>'],
  [/_l1_ops$/, '<+>'],
];

/** Throws a `SourceError` that names the member. */
export function placeOf(payload: Payload): Place {
  return {
    schema: optionalText(payload, 'schema', 'the name of a schema') ?? 'public',
    table: requiredText(payload, 'table', 'the name of a table with vectors'),
    id: optionalText(payload, 'id', 'the name of the column that identifies a row'),
  };
}

export async function readVectorTable(snapshot: Snapshot, place: Place, signal: AbortSignal): Promise<VectorTable> {
  const relation = `${identifier(place.schema)}.${identifier(place.table)}`;
  // Says that there is no such table, or that the user may not read it.
  await snapshot.run(`SELECT * FROM ${relation} LIMIT 0`, { signal });
  const oid = `(SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ${literal(place.schema)} AND c.relname = ${literal(place.table)})`;
  const columns = await snapshot.query(
    `SELECT a.attname::text, format_type(a.atttypid, a.atttypmod), t.typname::text, a.atttypmod FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid WHERE a.attrelid = ${oid} AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    { signal },
  );
  const indexes = await snapshot.query(
    `SELECT a.attname::text, o.opcname::text FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam JOIN pg_opclass o ON o.oid = i.indclass[0] JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] WHERE i.indrelid = ${oid} AND i.indisvalid AND i.indpred IS NULL AND m.amname IN ('hnsw', 'ivfflat')`,
    { signal },
  );
  const operators = new Map(
    indexes.flatMap(([name, opclass]) => {
      const operator = OPERATORS.find(([pattern]) => pattern.test(String(opclass)))?.[1];
      return operator === undefined ? [] : [[String(name), operator] as const];
    }),
  );
  const typed = columns.map(([name, type, base, modifier]) => ({
    name: String(name),
    type: String(type),
    base: String(base),
    modifier: Number(modifier),
  }));
  const isVector = ({ base }: { readonly base: string }): boolean => base === 'vector' || base === 'halfvec';
  const isArray = ({ base }: { readonly base: string }): boolean => base === '_float4' || base === '_float8';
  const found = typed.some(isVector) ? typed.filter(isVector) : typed.filter(isArray);
  if (found.length === 0) {
    throw new SourceError(
      `${place.schema}.${place.table} has no column of type vector or halfvec, and no array of floating-point numbers`,
      {
        member: 'payload.table',
      },
    );
  }
  const vectors = found.map((column) => ({
    name: column.name,
    isArray: isArray(column),
    dimensions: isVector(column) && column.modifier > 0 ? column.modifier : undefined,
    operator: operators.get(column.name),
  }));
  const id = await idOf(snapshot, { ...place, oid, signal });
  const idType = typed.find(({ name }) => name === id)?.type;
  if (idType === undefined) throw new SourceError(`payload.id names ${id}, which is not a column of the table`, { member: 'payload.id' });
  const names = new Set(found.map(({ name }) => name));
  const members = typed.filter(({ name, base }) => !names.has(name) && base !== 'bytea').map(({ name }) => name);
  return { relation, id: { name: id, type: idType }, vectors, members };
}

/** Rows are read in the order of a column that no two share. */
async function idOf(
  snapshot: Snapshot,
  { oid, id, signal }: Place & { readonly oid: string; readonly signal: AbortSignal },
): Promise<string> {
  const keys = await snapshot.query(
    `SELECT a.attname::text, i.indisprimary FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] WHERE i.indrelid = ${oid} AND i.indisunique AND i.indisvalid AND i.indnkeyatts = 1 AND i.indpred IS NULL AND a.attnotnull ORDER BY i.indisprimary DESC, 1`,
    { signal },
  );
  const unique = keys.map(([name]) => String(name));
  if (id === undefined) {
    const [first] = unique;
    if (first !== undefined) return first;
    throw new SourceError('the table has no primary key of one column; give it a unique index over one column that is never null', {
      member: 'payload.table',
    });
  }
  if (unique.includes(id)) return id;
  throw new SourceError(
    `payload.id is ${id}, which has no unique index of its own or may be null; expected ${unique.length === 0 ? 'a column that has' : unique.join(' or ')}`,
    {
      member: 'payload.id',
    },
  );
}

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** In the syntax that does not depend on a setting of the server. */
export function literal(text: string): string {
  return ` E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
