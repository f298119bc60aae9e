// SPDX-License-Identifier: Apache-2.0
/**
 * What is wrong with a tenant's SELECT before any data are read: it is planned where it would run, against the asset without its rows. Undefined
 * where nothing is wrong or nobody can know yet; then the scan says it.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { closest, unknownName } from '@sextant/foundation-std';
import type { Column } from '@sextant/observability-connectors';
import { dataTypeOfDuckdb } from '../dialect/duckdb.ts';
import { inProcessOfItsOwn } from '../engine/duckdb/duckdb-engine.ts';
import type { EmptyColumn, OpenAssetClient } from '../engine/duckdb/messages.ts';
import { EngineEnded } from '../engine/duckdb/process-client.ts';
import { textTypeOf } from '../engine/duckdb/text-types.ts';
import { ScanError } from '../engine/engine.ts';
import { firstTypeInPostgresql, type PostgresqlSource } from '../engine/postgresql-engine.ts';
import { reasonOf } from './failure.ts';

export type PlanningOptions = { readonly temporaryDirectory: string; readonly signal: AbortSignal };

/** Planning takes little of all; a statement that computes constants may ask for more. */
const LIMITS = { memoryBytes: 256 * 2 ** 20, temporaryBytes: 2 ** 20, threads: 1 };
/** What is nested has a name of DuckDB only once it was scanned. */
const SCANNED_TYPE = /^[^;]+\]$|^(STRUCT|MAP|UNION)\([^;]+\)$/;
const NO_NUMBER_IN_DUCKDB = /\]$|^(STRUCT|MAP|UNION)\(|^(BLOB|BIT|TIME|INTERVAL)/;
const NO_NUMBER_IN_POSTGRESQL =
  /\[\]$|^("char"|text|name|uuid|bytea|boolean|date|interval|inet|cidr|character\b.*|time\b.*|timestamp\b.*)$/;
/** How both engines say that a column is not there. */
const UNKNOWN_COLUMN =
  /(?:Referenced column|does not have a column named) "([^"]+)"|column (?:"([^"]+)"|(?:\w+\.)?([^"\s]+)) does not exist/;
/** Statements that are wrong as they stand, and values that do not fit their type: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const WRONG_STATEMENT = /^(42|22|0A)/;

/** Of files, in the confined process of scans unless it is planned elsewhere. */
export async function sqlFaultOfFiles(
  sql: string,
  columns: readonly Column[],
  options: PlanningOptions,
  openClient: OpenAssetClient = inProcessOfItsOwn,
): Promise<string | undefined> {
  const { temporaryDirectory, signal } = options;
  await mkdir(temporaryDirectory, { recursive: true });
  const directory = await mkdtemp(join(temporaryDirectory, 'plan-'));
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  const client = cleanUp.use(openClient({ directory, signal, onProgress: () => undefined }));
  const types = columns.map(duckdbType);
  const empty = columns.map(({ name }, index): EmptyColumn => ({ name, type: types[index] ?? 'VARCHAR' }));
  const limits = { ...LIMITS, spillDirectory: join(directory, 'spill') };
  const isReady = await client.call({ kind: 'empty', columns: empty, limits }).then(
    () => true,
    () => false,
  );
  if (!isReady) return undefined;
  const isTyped = !types.includes(undefined);
  try {
    const [[, type] = []] = (await client.call({ kind: 'bind', sql })).rows;
    return isTyped && isNoNumberInDuckdb(String(type)) ? noNumber(String(type)) : undefined;
  } catch (error) {
    if (!(error instanceof ScanError) || error instanceof EngineEnded || signal.aborted) return undefined;
    // Of a type that nobody knows yet, only the name is certain.
    const reason = reasonOf(error);
    return unknownColumn(reason, columns) ?? (isTyped || !error.message.startsWith('Binder Error') ? withoutClass(reason) : undefined);
  }
}

/** Of a table, in the database that holds it. */
export async function sqlFaultInPostgresql(
  sql: string,
  columns: readonly Column[],
  { source, signal }: { readonly source: PostgresqlSource; readonly signal: AbortSignal },
): Promise<string | undefined> {
  try {
    const type = await firstTypeInPostgresql(source, sql, signal);
    return NO_NUMBER_IN_POSTGRESQL.test(type) ? noNumber(type) : undefined;
  } catch (error) {
    if (signal.aborted || !WRONG_STATEMENT.test(codeOf(error))) return undefined;
    const reason = reasonOf(error);
    return unknownColumn(reason, columns) ?? reason;
  }
}

function noNumber(type: string): string {
  return `the first column of the metric must be a number, but it is of type ${type}`;
}

/** What is wrong, without what DuckDB calls such errors. */
function withoutClass(sentence: string): string {
  return sentence.replace(/^(?:\w+ )+Error: /, '');
}

function unknownColumn(message: string, columns: readonly Column[]): string | undefined {
  const name = UNKNOWN_COLUMN.exec(message)
    ?.slice(1)
    .find((found) => found !== undefined);
  if (name === undefined) return undefined;
  const known = columns.map((column) => column.name);
  // A name that is near none of the asset may be meant for a subquery, whose columns the engine knows.
  const isOther = closest(name, known) === undefined && message.includes('Candidate bindings');
  return isOther ? withoutClass(message) : unknownName('attribute of the asset', name, known);
}

/** Undefined where the name of the type is that of a file format. */
function duckdbType(column: Column): string | undefined {
  const { source_type: type, data_type } = column;
  if (data_type === 'OTHER') return SCANNED_TYPE.test(type) ? type : undefined;
  return dataTypeOfDuckdb(type) === data_type ? type : textTypeOf(column);
}

function isNoNumberInDuckdb(type: string): boolean {
  return ['STRING', 'BOOLEAN', 'DATE', 'TIMESTAMP'].includes(dataTypeOfDuckdb(type)) || NO_NUMBER_IN_DUCKDB.test(type);
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
}
