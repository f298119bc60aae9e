// SPDX-License-Identifier: Apache-2.0
/**
 * Puts the vectors that a space on disk lacks: all of them where it has no saved graph, else those that waited for the graph when it was saved.
 * So that they are never in memory all at once, rows are linked as they come, and with that released.
 */
import { attachIndexer, type ShardedSpaceWriter, type SpaceIndexer } from '@sextant/vector-kernel';
import type { RowSet } from '@sextant/vector-storage';
import { wantsGraph } from '../graph/indexing-policy.ts';
import { writeSavedGraph } from '../graph/saved-graph.ts';
import { vectorBytes } from '../model/datatype.ts';
import type { SpaceSchema } from '../model/vectors.ts';
import type { SpaceSource } from './space-loader.ts';

/** Vectors that are in memory at a time. */
const BYTES_AT_A_TIME = 32 * 1024 * 1024;
/** Rows that lie together in storage and are read together. */
export const CHUNK_ROWS = 64;
const ROWS_PER_STEP = 512;

/**
 * The chunks of these rows, in passes of which one fits into memory at a time. Each is from all over the collection, so that the first rows, by which codes are
 * made, are like the others.
 */
export function passesOver(
  rows: Iterable<number>,
  { rowBytes, bytesAtATime = BYTES_AT_A_TIME }: { readonly rowBytes: number; readonly bytesAtATime?: number | undefined },
): number[][] {
  const chunks: number[] = [];
  for (const row of rows) {
    const chunk = Math.floor(row / CHUNK_ROWS);
    if (chunks.at(-1) !== chunk) chunks.push(chunk);
  }
  const passes = Math.ceil((chunks.length * CHUNK_ROWS * rowBytes) / bytesAtATime);
  return Array.from({ length: passes }, (_, pass) => chunks.filter((_, i) => i % passes === pass));
}

export function fillSpace(
  space: ShardedSpaceWriter,
  schema: SpaceSchema,
  source: SpaceSource,
  { bytesAtATime }: { bytesAtATime?: number } = {},
): void {
  const lacking = rowsLacking(space, source.storage.rows());
  const passes = passesOver(lacking, { rowBytes: vectorBytes(schema.params), bytesAtATime });
  const indexers: SpaceIndexer[] = [];
  for (const [pass, chunks] of passes.entries()) {
    for (const chunk of chunks) putChunk(space, schema, source, chunk);
    // The last ones are left to the indexer, as rows that were just written are.
    if (pass === passes.length - 1 || !wantsGraph(source.config, schema.params, space)) continue;
    if (indexers.length === 0) indexers.push(...space.handle.shards.map((shard) => attachIndexer(shard)));
    for (const indexer of indexers) while (indexer.link(ROWS_PER_STEP) > 0 || indexer.isCalibrating) indexer.reclaim();
  }
  const { storage, directory } = source;
  for (const [shard, indexer] of indexers.entries()) {
    const graph = { ordinal: schema.ordinal, firstRow: shard * space.rowsPerShard };
    writeSavedGraph(directory, graph, (sink) => indexer.saveGraph(sink, { sequence: storage.sequence }));
    indexer.detach();
  }
}

function* rowsLacking(space: ShardedSpaceWriter, rows: RowSet): Iterable<number> {
  for (const row of rows) if (!space.has(row)) yield row;
}

function putChunk(space: ShardedSpaceWriter, schema: SpaceSchema, { storage }: SpaceSource, chunk: number): void {
  const fromRow = chunk * CHUNK_ROWS;
  for (const { row, version, vector } of storage.vectors(schema.ordinal, { fromRow, toRow: fromRow + CHUNK_ROWS })) {
    if (space.isFree(row)) space.put(row, vector, version);
  }
}
