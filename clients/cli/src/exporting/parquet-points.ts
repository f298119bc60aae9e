// SPDX-License-Identifier: Apache-2.0
/**
 * Points as a Parquet file: `id` as text (an unsigned 64-bit integer or a UUID), `vector` or `vector.<name>` as lists of floats, `payload` as JSON text.
 * `import` reads it back as it was, and so does anything that reads Parquet. Memory holds one row group.
 */
import { stringifyJson } from '@sextant/foundation-std';
import { fileWriter, parquetWriteRows } from 'hyparquet-writer';
import type { VectorSpace } from '../points/vector-spaces.ts';
import type { ExportedPoint } from './points-of-collection.ts';

type SchemaElement = NonNullable<Parameters<typeof parquetWriteRows>[0]['schema']>[number];

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
/** Of vectors in a row group. The writer took 440 MB at most with so many (200,000 points of 128), and 1.2 GB with four times as many. */
const GROUP_COMPONENTS = 1_000_000;
const GROUP_ROWS_MAX = 100_000;

export type ParquetContent = { readonly spaces: readonly VectorSpace[]; readonly withPayload: boolean; readonly withVector: boolean };

export async function writeParquet(path: string, points: AsyncIterable<ExportedPoint>, content: ParquetContent): Promise<void> {
  const spaces = content.withVector ? content.spaces : [];
  const components = spaces.reduce((sum, { size }) => sum + (size ?? 0), 1);
  const names = ['id', ...spaces.map(columnOf), ...(content.withPayload ? ['payload'] : [])];
  await parquetWriteRows({
    writer: fileWriter(path),
    rows: rowsOf(points, spaces, content.withPayload),
    columns: names.map((name) => ({ name })),
    schema: schemaOf(spaces, content.withPayload),
    rowGroupSize: Math.max(1, Math.min(GROUP_ROWS_MAX, Math.floor(GROUP_COMPONENTS / components))),
  });
}

function columnOf({ name }: VectorSpace): string {
  return name === undefined ? 'vector' : `vector.${name}`;
}

/** The lists are of three levels: https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#lists */
function schemaOf(spaces: readonly VectorSpace[], withPayload: boolean): SchemaElement[] {
  const vectors = spaces.flatMap((space): readonly SchemaElement[] => {
    const name = columnOf(space);
    // Sparse vectors and several vectors a point are JSON text.
    if (space.kind !== 'dense') return [{ name, ...TEXT, repetition_type: 'OPTIONAL' }];
    return [
      { name, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' }, repetition_type: 'OPTIONAL' },
      { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
      { name: 'element', type: 'FLOAT', repetition_type: 'REQUIRED' },
    ];
  });
  return [
    { name: 'points', num_children: 1 + spaces.length + (withPayload ? 1 : 0) },
    { name: 'id', ...TEXT, repetition_type: 'REQUIRED' },
    ...vectors,
    ...(withPayload ? [{ name: 'payload', ...TEXT, repetition_type: 'REQUIRED' } as const] : []),
  ];
}

async function* rowsOf(
  points: AsyncIterable<ExportedPoint>,
  spaces: readonly VectorSpace[],
  withPayload: boolean,
): AsyncGenerator<{ [column: string]: unknown }> {
  for await (const { id, vector, payload } of points) {
    const row: { [column: string]: unknown } = { id: String(id) };
    for (const space of spaces) row[columnOf(space)] = vectorOf(vector, space);
    if (withPayload) row.payload = stringifyJson(payload ?? {});
    yield row;
  }
}

function vectorOf(vector: ExportedPoint['vector'], { name, kind }: VectorSpace): unknown {
  const own: unknown = name === undefined ? vector : (vector as { readonly [name: string]: unknown } | undefined)?.[name];
  if (own === undefined) return null;
  return kind === 'dense' ? own : stringifyJson(own);
}
