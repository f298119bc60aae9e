// SPDX-License-Identifier: Apache-2.0
/**
 * A report as a Parquet file. The published columns have Spark's types: Long, Integer, String, Timestamp (an instant, so UTC) and Array of String; a
 * reader finds exactly these first, and then what the monitor came to. hyparquet-writer writes them in this process, where DuckDB, being native code, never runs.
 */
import type { ScanReport } from '@sextant/observability-metadata';
import { parquetWriteBuffer } from 'hyparquet-writer';

type SchemaElement = NonNullable<Parameters<typeof parquetWriteBuffer>[0]['schema']>[number];

const LONG = { type: 'INT64', repetition_type: 'REQUIRED' } as const;
const INTEGER = { type: 'INT32' } as const;
const STRING = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;

/** The list is of three levels: https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#lists */
const SCHEMA: SchemaElement[] = [
  { name: 'scan_report', num_children: 10 },
  { name: 'project_id', ...LONG },
  { name: 'data_asset_id', ...STRING, repetition_type: 'REQUIRED' },
  { name: 'monitor_Id', ...LONG },
  {
    name: 'scan_timestamp',
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    repetition_type: 'REQUIRED',
  },
  { name: 'total_records_failed', ...INTEGER, repetition_type: 'OPTIONAL' },
  { name: 'total_records_scanned', ...INTEGER, repetition_type: 'REQUIRED' },
  { name: 'record_id_attribute_name', ...STRING, repetition_type: 'OPTIONAL' },
  { name: 'record_id_sample', num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' }, repetition_type: 'REQUIRED' },
  { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
  { name: 'element', ...STRING, repetition_type: 'REQUIRED' },
  { name: 'monitor_state', ...STRING, repetition_type: 'OPTIONAL' },
  { name: 'monitor_state_reason', ...STRING, repetition_type: 'OPTIONAL' },
];

export function reportFile({ rows, project_id, asset_id, finished_at, record_id_attribute }: ScanReport): Uint8Array {
  const each = <Value>(value: Value): Value[] => rows.map(() => value);
  const columnData = [
    { name: 'project_id', data: each(BigInt(project_id)) },
    { name: 'data_asset_id', data: each(asset_id) },
    { name: 'monitor_Id', data: rows.map(({ monitor_id }) => BigInt(monitor_id)) },
    { name: 'scan_timestamp', data: each(new Date(finished_at)) },
    { name: 'total_records_failed', data: rows.map(({ records_failed }) => records_failed) },
    { name: 'total_records_scanned', data: rows.map(({ records_scanned }) => records_scanned) },
    { name: 'record_id_attribute_name', data: each(record_id_attribute) },
    { name: 'record_id_sample', data: rows.map(({ record_ids }) => [...record_ids]) },
    { name: 'monitor_state', data: rows.map(({ state = null }) => state) },
    { name: 'monitor_state_reason', data: rows.map(({ reason = null }) => reason) },
  ];
  return new Uint8Array(parquetWriteBuffer({ columnData, schema: SCHEMA }));
}

/** Partitioned by the UTC day on which the scan ended. The same for each attempt: a second one replaces what the first has written. */
export function reportKey(
  path: string,
  { asset_id, job_id, finished_at }: Pick<ScanReport, 'asset_id' | 'job_id' | 'finished_at'>,
): string {
  return `${path.replace(/\/+$/, '')}/scan_date=${finished_at.slice(0, 10)}/${asset_id}_${job_id}.parquet`;
}
