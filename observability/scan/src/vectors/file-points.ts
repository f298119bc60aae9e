// SPDX-License-Identifier: Apache-2.0
/** Files whose rows are points: read page by page by the scan engine, in its process and under its limits. */
import { parseJson } from '@sextant/foundation-std';
import type { Column, VectorCollectionAccess, VectorColumns, VectorPoint } from '@sextant/observability-connectors';
import { duckdbDialect } from '../dialect/duckdb.ts';
import { type FilesToScan, inProcessOfItsOwn, openDuckdbEngine } from '../engine/duckdb/duckdb-engine.ts';
import type { OpenAssetClient } from '../engine/duckdb/messages.ts';
import { type Cell, type Engine, RECORD_NUMBER, ScanError } from '../engine/engine.ts';
import type { ScanRunOptions } from '../scan.ts';

const PAGE_ROWS_MAX = 1000;
/** What the vectors of a page may take as text, at so many characters for each component. */
const PAGE_VECTOR_BYTES = 8 * 1024 ** 2;
const COMPONENT_BYTES = 20;
/** The payload of one row. */
const PAYLOAD_BYTES_MAX = 1024 ** 2;
/** Of the first rows, the length that most vectors of a name have is that of all. */
const SIZING_ROWS = 1000;

const { identifier } = duckdbDialect;

export type VectorFiles = FilesToScan & { readonly vectors: VectorColumns };

/** Each reading of the points opens the files again. */
export function fileVectors(
  data: VectorFiles,
  options: ScanRunOptions,
  openClient: OpenAssetClient = inProcessOfItsOwn,
): VectorCollectionAccess {
  const engineOf = (files: FilesToScan['files']) =>
    // What is read shows in the points.
    openDuckdbEngine(
      { data: { ...data, files }, declared: new Map(), isNumbered: true },
      { ...options, onProgress: () => undefined },
      openClient,
    );
  const readInfo = async () => {
    await using engine = await engineOf(data.files);
    const [[rows] = []] = await engine.query(`SELECT count(*) FROM ${engine.relation}`);
    const dimensions: { [vector: string]: number } = {};
    for (const name of data.vectors.names) dimensions[name] = await usualLength(engine, name);
    return { points: Number(rows), indexed: undefined, dimensions };
  };
  let known: ReturnType<typeof readInfo> | undefined;
  // The files do not change while they are open.
  const info = () => {
    known ??= readInfo();
    return known;
  };
  return {
    info,
    points: async function* () {
      const { dimensions } = await info();
      const components = Object.values(dimensions).reduce((sum, size) => sum + size, 1);
      const pageRows = Math.max(1, Math.min(PAGE_ROWS_MAX, Math.floor(PAGE_VECTOR_BYTES / (components * COMPONENT_BYTES))));
      for (const file of data.files) {
        await using engine = await engineOf([file]);
        yield* pagesOf(engine, {
          vectors: data.vectors,
          file: file.name,
          prefix: data.files.length === 1 ? '' : `${file.name}:`,
          pageRows,
        });
      }
    },
  };
}

async function usualLength(engine: Engine, name: string): Promise<number> {
  const column = identifier(name);
  const rows = await engine.query(
    `SELECT CAST(${column} AS VARCHAR) FROM ${engine.relation} WHERE ${column} IS NOT NULL LIMIT ${SIZING_ROWS}`,
  );
  const counts = new Map<number, number>();
  for (const [text] of rows) {
    const { length } = componentsOf(String(text), { column: name, isSingle: false });
    counts.set(length, (counts.get(length) ?? 0) + 1);
  }
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0])[0];
}

type Paging = {
  readonly vectors: VectorColumns;
  /** For sentences. */
  readonly file: string;
  /** Of ids that are numbers of rows. */
  readonly prefix: string;
  readonly pageRows: number;
};

async function* pagesOf(engine: Engine, { vectors, file, prefix, pageRows }: Paging): AsyncGenerator<readonly VectorPoint[]> {
  const relation = engine.numberedRelation;
  if (relation === undefined) throw new ScanError(`${file}: a column has the reserved name file_row_number; rename it`);
  const number = identifier(RECORD_NUMBER);
  const names = new Set(vectors.names);
  const members = engine.columns.filter(({ name, source_type: type }) => !names.has(name) && type !== 'BLOB');
  const payload = members.length === 0 ? `'{}'` : `CAST(to_json(struct_pack(${members.map(packed).join(', ')})) AS VARCHAR)`;
  const columns = vectors.names.map((name) => `CAST(${identifier(name)} AS VARCHAR)`);
  const id = vectors.id === undefined ? 'NULL' : `CAST(${identifier(vectors.id)} AS VARCHAR)`;
  const read = vectors.names.map((name) => ({ column: name, isSingle: isSingle(engine.columns.find((column) => column.name === name)) }));
  const [[rows] = []] = await engine.query(`SELECT count(*) FROM ${engine.relation}`);
  for (let first = 0; first < Number(rows); first += pageRows) {
    const page = await engine.query(
      `SELECT row, id, CASE WHEN strlen(payload) <= ${PAYLOAD_BYTES_MAX} THEN payload END, COLUMNS('^v[0-9]+$') FROM (` +
        `SELECT ${number} AS row, ${id} AS id, ${payload} AS payload, ${columns.map((column, at) => `${column} AS v${at}`).join(', ')} FROM ${relation} ` +
        `WHERE ${number} > ${first} AND ${number} <= ${first + pageRows}) AS page ORDER BY row`,
    );
    yield page.map(([row, own, json, ...texts]) => {
      const at = `${file}: row ${String(row)}`;
      if (vectors.id !== undefined && typeof own !== 'string')
        throw new ScanError(`${at} has no value in ${vectors.id}, the id of its point`);
      return {
        id: typeof own === 'string' ? own : `${prefix}${String(row)}`,
        payload: payloadOf(json, at),
        vectors: vectorsOf(texts, read, at),
      };
    });
  }
}

/** JSON has no number that is none. */
function packed({ name, source_type: type }: Column): string {
  const column = identifier(name);
  return `${column} := ${/^(FLOAT|DOUBLE)$/.test(type) ? `CASE WHEN isfinite(${column}) THEN ${column} END` : column}`;
}

function payloadOf(json: Cell | undefined, at: string): VectorPoint['payload'] {
  if (typeof json !== 'string') throw new ScanError(`${at} has more than ${PAYLOAD_BYTES_MAX} bytes in addition to its vectors`);
  try {
    // A struct as JSON is an object.
    return parseJson(json) as VectorPoint['payload'];
  } catch (cause) {
    throw new ScanError(
      `${at}: a list or struct holds a value that JSON cannot represent, such as NaN; list the column in payload.vectors or remove it`,
      { cause },
    );
  }
}

type Read = { readonly column: string /** Floats of 32 bits. */; readonly isSingle: boolean };

function isSingle(column: Column | undefined): boolean {
  return column !== undefined && /^FLOAT\[\d*\]$/.test(column.source_type);
}

function vectorsOf(texts: readonly Cell[], read: readonly Read[], at: string): VectorPoint['vectors'] {
  const there = read.flatMap((column, index) => {
    const text = texts[index];
    if (typeof text !== 'string') return [];
    try {
      return [[column.column, componentsOf(text, column)] as const];
    } catch (cause) {
      if (cause instanceof ScanError) throw new ScanError(`${at}: ${cause.message}`, { cause });
      throw cause;
    }
  });
  return Object.fromEntries(there);
}

const NO_NUMBERS: ReadonlyMap<string, number | null> = new Map([
  ['nan', null],
  ['-nan', null],
  ['null', null],
  ['inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
  ['-infinity', Number.NEGATIVE_INFINITY],
]);

/** A list as text: the engine's own, or JSON. The shortest text of a float of 32 bits is no other float of 32 bits. */
function componentsOf(text: string, { column, isSingle: single }: Read): readonly (number | null)[] {
  const list = text.trim();
  if (!list.startsWith('[') || !list.endsWith(']')) throw noVector(column, list);
  const inner = list.slice(1, -1).trim();
  if (inner === '') return [];
  return inner.split(',').map((part) => {
    const value = Number(part);
    // The number of a blank is 0.
    if (!Number.isNaN(value) && part.trim() !== '') return single ? Math.fround(value) : value;
    const none = NO_NUMBERS.get(part.trim().toLowerCase());
    if (none === undefined) throw noVector(column, list);
    return none;
  });
}

const SHOWN_CHARACTERS = 60;

function noVector(column: string, text: string): ScanError {
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return new ScanError(`${column} holds ${shown}, which is not a list of numbers`);
}
