// SPDX-License-Identifier: Apache-2.0
/** A file that another connection leads to, read by Spark at its address, so that a scan of it is one of a file. */
import { join } from 'node:path';
import { type Description, type OpenConnection, type OpenedSource, SourceError } from '../connector.ts';
import type { Payload } from '../payload.ts';

/** Patterns and escapes are Spark's to read, and names that begin so are hidden from it: https://spark.apache.org/docs/latest/sql-data-sources-generic-options.html */
const PLAIN_PATH = /^(?:(?![_.])[^/]*\/)*(?![_.])[^/*?[\]{}\\%,:#]+$/;

/** Where a file lies for a Spark: that of this machine sees its files, all others see the public object stores. Undefined where it cannot see it. */
export function fileAddress({ type, payload }: Pick<OpenConnection, 'type' | 'payload'>, path: unknown): string | undefined {
  if (typeof path !== 'string' || !PLAIN_PATH.test(path)) return undefined;
  const text = (member: string) => (typeof payload[member] === 'string' ? payload[member] : undefined);
  // A store at an address of its own has other buckets of the same names.
  const isPublic = text('endpoint') === undefined && text('api_endpoint') === undefined;
  const directory = text('directory');
  const bucket = text('bucket');
  switch (type) {
    case 'FILE':
      return directory === undefined ? undefined : join(directory, path);
    case 'S3':
      return isPublic && bucket !== undefined ? `s3a://${bucket}/${path}` : undefined;
    case 'GCS':
      return isPublic && bucket !== undefined ? `gs://${bucket}/${path}` : undefined;
    case 'AZURE':
      return isPublic && bucket !== undefined && text('storage_account') !== undefined
        ? `abfss://${bucket}@${text('storage_account')}.dfs.core.windows.net/${path}`
        : undefined;
    default:
      return undefined;
  }
}

/** Whether a Spark sees what such addresses lead to. */
export function isSeenBy(spark: { readonly payload: Payload }, kind: string): boolean {
  return (spark.payload.local === true) === (kind === 'FILE');
}

/**
 * What Spark opened, described as the file is: with the names of types that a scan of it has here.
 *
 * @throws SourceError where Spark sees another file
 */
export function asFile(opened: OpenedSource, file: Description): OpenedSource {
  const { columns, bytes } = opened.description;
  if (bytes !== file.bytes) {
    throw new SourceError(
      `Spark sees a file of ${bytes} bytes, but the connection a file of ${file.bytes} bytes: Spark reads another file, or the file is changing`,
      {
        member: 'payload.path',
      },
    );
  }
  return {
    ...opened,
    description: { ...file, columns: columns.map((column) => ({ ...column, source_type: typeName(column.source_type) })) },
  };
}

/** DuckDB's name of a type of Spark: https://spark.apache.org/docs/latest/sql-ref-datatypes.html, https://duckdb.org/docs/stable/sql/data_types/overview */
function typeName(type: string): string {
  return NAMES.get(type) ?? type.toUpperCase();
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['int', 'INTEGER'],
  ['string', 'VARCHAR'],
  ['timestamp_ntz', 'TIMESTAMP'],
]);
