// SPDX-License-Identifier: Apache-2.0
/** Writes a table as a Parquet file, which the scan engine reads where it lies: the types stay, and nothing is parsed again. */
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import { type ColumnType, type Table, type TableColumn, TableError } from './table.ts';

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

const DECIMAL_BYTES = 16;

/** @throws TableError where the file would be larger than the limit */
export async function writeParquet(table: Table, path: string, bytesMax: number): Promise<void> {
  const file = fileWriter(path);
  const schema: SchemaElement[] = [{ name: 'table', num_children: table.columns.length }, ...table.columns.map(elementOf)];
  // Nothing is packed and nothing summed up: the file lives as long as the scan, which reads all of it.
  const writer = new ParquetWriter({ writer: file, schema, codec: 'UNCOMPRESSED', statistics: false });
  for await (const values of table.chunks()) {
    const rows = values[0]?.length ?? 0;
    if (rows === 0) continue;
    await writer.write({
      columnData: table.columns.map(({ name }, index) => ({ name, data: [...(values[index] ?? [])] })),
      rowGroupSize: rows,
    });
    if (file.offset > bytesMax) throw new TableError(`holds more than the limit of ${bytesMax} bytes`);
  }
  // Known as JSON only now: the writer would turn each text into a JSON string of it.
  for (const [index, column] of table.columns.entries())
    if (column.type.kind === 'json') schema[index + 1] = { ...elementOf(column), converted_type: 'JSON' };
  await writer.finish();
}

function elementOf({ name, type }: TableColumn): SchemaElement {
  return { name, repetition_type: 'OPTIONAL', ...physicalType(type) };
}

/** https://github.com/apache/parquet-format/blob/master/LogicalTypes.md */
function physicalType(type: ColumnType): Omit<SchemaElement, 'name'> {
  switch (type.kind) {
    case 'boolean':
      return { type: 'BOOLEAN' };
    case 'int32':
      return { type: 'INT32' };
    case 'int64':
      return { type: 'INT64' };
    case 'uint64':
      return { type: 'INT64', converted_type: 'UINT_64' };
    case 'float':
      return { type: 'FLOAT' };
    case 'double':
      return { type: 'DOUBLE' };
    case 'decimal':
      return {
        type: 'FIXED_LEN_BYTE_ARRAY',
        type_length: DECIMAL_BYTES,
        converted_type: 'DECIMAL',
        precision: type.precision,
        scale: type.scale,
      };
    case 'text':
      return { type: 'BYTE_ARRAY', converted_type: 'UTF8' };
    case 'bytes':
      return { type: 'BYTE_ARRAY' };
    case 'date':
      return { type: 'INT32', converted_type: 'DATE' };
    case 'time':
      return { type: 'INT64', logical_type: { type: 'TIME', isAdjustedToUTC: false, unit: 'MICROS' } };
    case 'timestamp':
      return { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: type.isUtc, unit: type.unit } };
    case 'json':
      return { type: 'BYTE_ARRAY', converted_type: 'UTF8' };
  }
}
