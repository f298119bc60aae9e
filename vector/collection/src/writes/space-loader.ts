// SPDX-License-Identifier: Apache-2.0
/** Brings a collection's vectors from storage into memory, with their saved graphs where those fit. */
import { createShardedSpace, GraphDamagedError, type ShardedSpaceWriter } from '@sextant/vector-kernel';
import { DamagedError, type RowRange, type RowSet, type StorageReader } from '@sextant/vector-storage';
import { readSavedGraph, removeSavedGraphs } from '../graph/saved-graph.ts';
import { type CollectionConfig, hnswOf, isOnDisk } from '../model/collection-config.ts';
import { CONFIG } from '../model/collection-documents.ts';
import { datatypeOf } from '../model/datatype.ts';
import type { Log } from '../model/log.ts';
import { quantizationOf } from '../model/quantization.ts';
import { metricOf, type SpaceSchema, spacesOf } from '../model/vectors.ts';
import { fillSpace } from './space-filler.ts';

/** Levels of a graph are drawn from this seed, so that two builds of the same rows agree. */
const LEVEL_SEED = 0x5e_c7a7;

export type SpaceSource = {
  readonly directory: string;
  readonly config: CollectionConfig;
  readonly storage: StorageReader;
  readonly log: Log;
  /** A multiple of 32; by default as many as fit into a shard's memory. */
  readonly rowsPerShard?: number | undefined;
};

/** The spaces of a collection as its writer has them, by their ordinals. */
export type Spaces = ReadonlyMap<number, ShardedSpaceWriter>;

export function loadSpaces(source: SpaceSource): Spaces {
  const live = source.storage.rows();
  if (live.count() !== source.storage.pointCount) {
    throw new DamagedError(`the list of live rows, which has ${live.count()} of ${source.storage.pointCount} points,`);
  }
  const rowBound = live.bound;
  return forEachSpace(source, (schema) => {
    const space = emptySpace(source, schema);
    space.openShards(rowBound);
    const firstRows = space.shards.map((_, shard) => shard * space.rowsPerShard);
    removeSavedGraphs(source.directory, schema.ordinal, { kept: firstRows });
    for (const shard of firstRows.keys()) loadShard(space, shard, schema, { ...source, live });
    space.finishLoad();
    if (isOnDisk(schema.params)) fillSpace(space, schema, source);
    return space;
  });
}

/** The same spaces without a vector. */
export function emptySpaces(source: SpaceSource): Spaces {
  return forEachSpace(source, (schema) => emptySpace(source, schema));
}

/** What the vectors of a collection that came from elsewhere will take. */
export function bytesToLoad(source: Omit<SpaceSource, 'config'>): number {
  // The documents were looked at when the collection was taken in.
  const config = source.storage.document(CONFIG) as CollectionConfig;
  const { bound } = source.storage.rows();
  return [...emptySpaces({ ...source, config }).values()].reduce((sum, space) => sum + space.bytesWanted(bound), 0);
}

function forEachSpace({ config }: SpaceSource, make: (schema: SpaceSchema) => ShardedSpaceWriter): Spaces {
  return new Map(spacesOf(config).map((schema) => [schema.ordinal, make(schema)]));
}

function loadShard(space: ShardedSpaceWriter, shard: number, schema: SpaceSchema, source: SpaceSource & { readonly live: RowSet }): void {
  const { storage, live } = source;
  const firstRow = shard * space.rowsPerShard;
  const sequence = loadGraph(space, { shard, firstRow }, schema, source);
  const savedBound = firstRow + (space.shards[shard]?.rowBound ?? 0);
  const isFilled = isOnDisk(schema.params);
  const adopt = (rows: RowRange) => {
    space.recall(rows);
    for (const { row, version, vector } of storage.vectors(schema.ordinal, rows)) {
      if (!live.has(row)) throw new DamagedError(`a vector under row ${row}, where no point is,`);
      if (!isFilled || !space.isFree(row)) space.adopt(row, vector, version);
    }
  };
  for (const { fromRow, toRow } of storage.rowsChangedSince(sequence)) {
    const rows = { fromRow: Math.max(fromRow, firstRow), toRow: Math.min(toRow, savedBound) };
    if (rows.fromRow < rows.toRow) adopt(rows);
  }
  // Whatever changed them: with another division of the rows they were saved with another shard.
  if (!isFilled) adopt({ fromRow: savedBound, toRow: firstRow + space.rowsPerShard });
}

export function emptySpace({ config, rowsPerShard }: SpaceSource, schema: Pick<SpaceSchema, 'params'>): ShardedSpaceWriter {
  const { m, ef_construct: efConstruct } = hnswOf(config, schema.params);
  return createShardedSpace({
    dimension: schema.params.size,
    metric: metricOf(schema.params),
    datatype: datatypeOf(schema.params),
    m,
    efConstruct,
    seed: LEVEL_SEED,
    vectors: isOnDisk(schema.params) ? 'released' : 'kept',
    ...quantizationOf(config, schema.params),
    ...(rowsPerShard === undefined ? {} : { rowsPerShard }),
  });
}

/** Answers the last write whose vectors the shard now holds; 0 where it is empty. */
function loadGraph(
  space: ShardedSpaceWriter,
  { shard, firstRow }: { shard: number; firstRow: number },
  schema: SpaceSchema,
  { directory, log, storage }: SpaceSource,
): number {
  let sequence = 0;
  try {
    readSavedGraph(directory, { ordinal: schema.ordinal, firstRow }, (saved) => {
      sequence = space.loadGraph(shard, saved, { newest: storage.sequence });
    });
  } catch (error) {
    if (!(error instanceof GraphDamagedError)) throw error;
    log.warn(
      { directory, vector: schema.name, firstRow, reason: error.message },
      'the saved graph cannot be used; the graph is built again',
    );
    return 0;
  }
  return sequence;
}
