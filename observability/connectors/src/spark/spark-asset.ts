// SPDX-License-Identifier: Apache-2.0
/** What of Spark an asset is about: data at a path in a format, or a table of a catalog, as they are or as they were. */
import { SourceError } from '../connector.ts';
import { optionalText, type Payload } from '../payload.ts';

const FORMATS = ['parquet', 'orc', 'csv', 'json', 'avro', 'delta', 'iceberg'] as const;
export type SparkFormat = (typeof FORMATS)[number];

export type SparkAsset = {
  readonly data:
    | { readonly kind: 'path'; readonly path: string; readonly format: SparkFormat; readonly options: { readonly [name: string]: string } }
    | { readonly kind: 'table' /** Catalog, database, table; the first two may be left out. */; readonly name: readonly string[] };
  /** Of a table that keeps what it was. */
  readonly asOf:
    | { readonly kind: 'version'; readonly version: string }
    | { readonly kind: 'timestamp'; readonly timestamp: string }
    | undefined;
};

/** Formats that keep what they were. */
export const VERSIONED: readonly SparkFormat[] = ['delta', 'iceberg'];

/** Options of the readers that say how data are read and not from where: https://spark.apache.org/docs/latest/sql-data-sources.html */
const OPTIONS = [
  'header',
  'sep',
  'quote',
  'escape',
  'multiLine',
  'encoding',
  'nullValue',
  'emptyValue',
  'comment',
  'inferSchema',
  'lineSep',
  'dateFormat',
  'timestampFormat',
  'ignoreLeadingWhiteSpace',
  'ignoreTrailingWhiteSpace',
  'pathGlobFilter',
  'recursiveFileLookup',
  'mergeSchema',
];
/** A path of a machine, or of a file system that Spark knows. */
const PATH = /^(?:[a-z][a-z0-9+.-]*:\/\/?\S.*|\/.*)$/i;
const LENGTH_MAX = 2000;
/** Such as `2026-01-31` or `2026-01-31 08:00:00`. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)?$/;

/** @throws SourceError that names the member */
export function sparkAssetOf(payload: Payload): SparkAsset {
  const table = optionalText(payload, 'table', 'the name of a table such as sales.orders');
  const path = optionalText(payload, 'path', 'a path such as s3a://bucket/orders');
  if ((table === undefined) === (path === undefined)) {
    throw new SourceError('give either payload.path, with payload.format, or payload.table', {
      member: table === undefined ? 'payload.path' : 'payload.table',
    });
  }
  if (table !== undefined) return { data: { kind: 'table', name: partsOf(table) }, asOf: asOfOf(payload) };
  const format = formatOf(payload);
  if (path === undefined || !PATH.test(path) || path.length > LENGTH_MAX) {
    throw new SourceError('payload.path must be absolute, such as /data/orders or s3a://bucket/orders', { member: 'payload.path' });
  }
  const asOf = asOfOf(payload);
  if (asOf !== undefined && !VERSIONED.includes(format)) {
    throw new SourceError(`payload.version and payload.timestamp are for ${VERSIONED.join(' and ')}, and the format is ${format}`, {
      member: 'payload.format',
    });
  }
  return { data: { kind: 'path', path, format, options: optionsOf(payload) }, asOf };
}

function formatOf(payload: Payload): SparkFormat {
  const given = optionalText(payload, 'format', `one of ${FORMATS.join(', ')}`);
  const format = FORMATS.find((known) => known === given?.toLowerCase());
  if (format !== undefined) return format;
  throw new SourceError(`payload.format is ${given ?? 'missing'}; expected one of ${FORMATS.join(', ')}`, { member: 'payload.format' });
}

function asOfOf(payload: Payload): SparkAsset['asOf'] {
  const version = versionOf(payload);
  const timestamp = optionalText(payload, 'timestamp', 'a date or date-time such as 2026-01-31');
  if (version !== undefined && timestamp !== undefined) {
    throw new SourceError('give either payload.version or payload.timestamp', { member: 'payload.version' });
  }
  if (version !== undefined) return { kind: 'version', version };
  if (timestamp === undefined) return undefined;
  if (TIMESTAMP.test(timestamp) && !Number.isNaN(Date.parse(timestamp)))
    return { kind: 'timestamp', timestamp: timestamp.replace('T', ' ') };
  throw new SourceError('payload.timestamp must be a date or date-time in UTC such as 2026-01-31 or 2026-01-31 08:00:00', {
    member: 'payload.timestamp',
  });
}

/** Ids of snapshots have up to 19 digits, which stand in a text. */
function versionOf({ version }: Payload): string | undefined {
  if (version === undefined || version === null) return undefined;
  if (typeof version === 'number' && Number.isSafeInteger(version) && version >= 0) return String(version);
  if (typeof version === 'string' && /^\d{1,19}$/.test(version)) return version;
  throw new SourceError('payload.version must be an integer, or a string with an integer', { member: 'payload.version' });
}

function optionsOf({ options }: Payload): { readonly [name: string]: string } {
  if (options === undefined || options === null) return {};
  const member = 'payload.options';
  if (typeof options !== 'object' || Array.isArray(options)) throw new SourceError(`${member} must be an object`, { member });
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => {
      const known = OPTIONS.find((option) => option.toLowerCase() === name.toLowerCase());
      if (known === undefined)
        throw new SourceError(`${member}.${name} is not a reading option; expected ${OPTIONS.join(', ')}`, { member });
      if (typeof value === 'string' && value.length <= LENGTH_MAX) return [known, value];
      if (typeof value === 'boolean') return [known, String(value)];
      throw new SourceError(`${member}.${name} must be a string, true or false`, { member });
    }),
  );
}

const PART = '(?:`(?:[^`]|``)+`|[^.`\\s]+)';
const NAME = new RegExp(`^${PART}(?:\\.${PART}){0,3}$`);

/** Parts with dots in them stand in backticks. */
function partsOf(table: string): readonly string[] {
  if (!NAME.test(table)) {
    throw new SourceError('payload.table must be a name such as orders, sales.orders or catalog.sales.orders', { member: 'payload.table' });
  }
  return [...table.matchAll(new RegExp(PART, 'g'))].map(([part]) =>
    part.startsWith('`') ? part.slice(1, -1).replaceAll('``', '`') : part,
  );
}
