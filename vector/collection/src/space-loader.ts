/** Brings a collection's vectors from storage into memory, with their saved graphs where those fit. */
import { createVectorSpace, GraphDamagedError, type SpaceLoader, type SpaceWriter } from '@sextant/vector-kernel';
import type { StorageReader } from '@sextant/vector-storage';
import { type CollectionConfig, hnswOf, quantizationOf } from './collection-config.ts';
import type { Log } from './log.ts';
import { readSavedGraph } from './saved-graph.ts';
import { metricOf, type SpaceSchema, spacesOf } from './vectors.ts';

/** Levels of a graph are drawn from this seed, so that two builds of the same rows agree. */
const LEVEL_SEED = 0x5e_c7a7;

export type SpaceSource = {
  readonly directory: string;
  readonly config: CollectionConfig;
  readonly storage: StorageReader;
  readonly log: Log;
};

export function loadSpaces(source: SpaceSource): SpaceWriter[] {
  return spacesOf(source.config).map((schema) => {
    const space = emptySpace(source.config, schema);
    loadGraph(space, schema, source);
    for (const { row, version, vector } of source.storage.vectors(schema.ordinal)) space.adopt(row, vector, version);
    space.finishLoad();
    return space;
  });
}

function emptySpace(config: CollectionConfig, schema: SpaceSchema): SpaceWriter & SpaceLoader {
  const { m, ef_construct: efConstruct } = hnswOf(config, schema.params);
  return createVectorSpace({
    dimension: schema.params.size,
    metric: metricOf(schema.params.distance),
    m,
    efConstruct,
    seed: LEVEL_SEED,
    ...quantizationOf(config, schema.params),
  });
}

function loadGraph(space: SpaceLoader, schema: SpaceSchema, { directory, log }: SpaceSource): void {
  const saved = readSavedGraph(directory, schema.ordinal);
  if (saved === undefined) return;
  try {
    space.loadGraph(saved);
  } catch (error) {
    if (!(error instanceof GraphDamagedError)) throw error;
    log.warn({ directory, vector: schema.name, reason: error.message }, 'saved graph not usable, it will be built again');
  }
}
