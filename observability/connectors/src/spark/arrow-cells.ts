// SPDX-License-Identifier: Apache-2.0
/** Rows of the Arrow batches with which Spark answers. A statement casts what has no form here; one that does not is wrong. */
import { DataType, RecordBatchReader, type Vector } from 'apache-arrow';

export type SparkCell = string | number | bigint | boolean | null;
export type SparkRow = readonly SparkCell[];

export function rowsOfBatch(bytes: Uint8Array): readonly SparkRow[] {
  const rows: SparkCell[][] = [];
  for (const batch of RecordBatchReader.from(bytes)) {
    const columns = batch.schema.fields.map((field, index) => cellsOf(batch.getChildAt(index), field.name));
    for (let row = 0; row < batch.numRows; row += 1) rows.push(columns.map((cell) => cell(row)));
  }
  return rows;
}

function cellsOf(vector: Vector | null, name: string): (row: number) => SparkCell {
  if (vector === null) return () => null;
  if (DataType.isDecimal(vector.type)) return decimals(vector, vector.type.scale, name);
  return (row) => {
    const value: unknown = vector.get(row);
    switch (typeof value) {
      case 'string':
      case 'number':
      case 'bigint':
      case 'boolean':
        return value;
      default:
        if (value === null) return null;
        throw new TypeError(`the column ${name} is of type ${vector.type}, which the statement should have cast`);
    }
  };
}

/** Of four words, the lowest first; whole ones alone are asked for. */
function decimals(vector: Vector, scale: number, name: string): (row: number) => SparkCell {
  if (scale !== 0) throw new TypeError(`the column ${name} is a decimal fraction, which the statement should have cast`);
  return (row) => {
    const words: unknown = vector.get(row);
    if (!(words instanceof Uint32Array)) return null;
    const value = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
    return BigInt.asIntN(128, value);
  };
}
