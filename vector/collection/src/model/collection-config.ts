// SPDX-License-Identifier: Apache-2.0
/**
 * A collection's configuration as it is stored and returned: the request with every default filled in.
 * Defaults are those of the API family that clients know: m 16, ef_construct 100, thresholds in kilobytes of vector data.
 * Source: https://qdrant.tech/documentation/concepts/indexing/ and the published OpenAPI of that service, release 1.19.
 */
import type {
  CreateCollection,
  HnswConfig,
  OptimizersConfig,
  Payload,
  QuantizationConfig,
  SparseVectorParams,
  SparseVectorsConfig,
  StrictModeConfig,
  UpdateCollection,
  VectorParams,
  VectorsConfig,
} from '@sextant/contracts-vector';
import { ServiceError } from '@sextant/contracts-vector';
import type { Placement, Resharding, ShardKeys, ShardNumbers, ShardPlace, Transfer } from './shards.ts';
import type { VectorPlaces } from './vector-places.ts';

/** The name under which the one unnamed vector of a collection is kept. */
export const UNNAMED = '';
const UNNAMED_LABEL = '(unnamed)';

export type CollectionConfig = {
  readonly params: {
    readonly vectors: VectorsConfig;
    /** Absent where there are none. */
    readonly sparse_vectors?: SparseVectorsConfig;
    /** Where keys divide the points, the number of shards that a key has unless it is made with another. */
    readonly shard_number: number;
    /** Absent where ids divide the points. */
    readonly sharding_method?: 'custom';
    readonly replication_factor: number;
    readonly write_consistency_factor: number;
    readonly on_disk_payload: boolean;
    /** These two are absent unless a request gave them, so that clients of older revisions see what they know. */
    readonly payload?: object;
    readonly id_tracker?: object;
  };
  readonly hnsw_config: HnswDefaults;
  readonly optimizer_config: OptimizersDefaults;
  readonly wal_config: unknown;
  readonly quantization_config: QuantizationConfig | null;
  readonly strict_mode_config?: StrictModeConfig;
  readonly metadata?: Payload;
  /** Present once a vector was added or removed; never shown. */
  readonly places?: VectorPlaces;
  /** Of the definition of a collection in shards; never shown. */
  readonly placement?: Placement;
  /** Beside the placement, while there are some. */
  readonly transfers?: readonly Transfer[];
  /** Beside the placement, where keys divide the points; never shown. */
  readonly shardKeys?: ShardKeys;
  /** Beside the placement, once shards were divided that have no keys; never shown. */
  readonly shardNumbers?: ShardNumbers;
  /** Beside the placement, while shards are divided; never shown. */
  readonly resharding?: Resharding;
  /** Of a shard; never shown. */
  readonly shard?: ShardPlace;
};

export type HnswDefaults = HnswConfig & { readonly m: number; readonly ef_construct: number; readonly full_scan_threshold: number };

export type OptimizersDefaults = OptimizersConfig & {
  readonly deleted_threshold: number;
  readonly vacuum_min_vector_number: number;
  readonly indexing_threshold: number;
};

export const HNSW_DEFAULTS: HnswDefaults = {
  m: 16,
  ef_construct: 100,
  full_scan_threshold: 10_000,
  max_indexing_threads: 0,
  on_disk: false,
};

const OPTIMIZERS_DEFAULTS: OptimizersDefaults = {
  deleted_threshold: 0.2,
  vacuum_min_vector_number: 1000,
  default_segment_number: 0,
  indexing_threshold: 10_000,
  flush_interval_sec: 5,
};

const WAL_DEFAULTS = { wal_capacity_mb: 32, wal_segments_ahead: 0, wal_retain_closed: 1 };

export function configFromRequest(request: CreateCollection): CollectionConfig {
  const sparse = Object.entries(request.sparse_vectors ?? {});
  const dense = vectorsByName(request.vectors);
  const [both] = sparse.find(([name]) => dense.has(name)) ?? [];
  if (both !== undefined) {
    throw new ServiceError('invalid_request', {
      reason: `sparse_vectors: ${JSON.stringify(both)} is also the name of a dense vector; each name can be used once`,
    });
  }
  return {
    params: {
      vectors: request.vectors,
      ...(sparse.length === 0
        ? {}
        : { sparse_vectors: Object.fromEntries(sparse.map(([name, params]) => [name, updatedSparse({}, params)])) }),
      shard_number: request.shard_number ?? 1,
      ...(request.sharding_method === 'custom' ? { sharding_method: request.sharding_method } : {}),
      replication_factor: request.replication_factor ?? 1,
      write_consistency_factor: request.write_consistency_factor ?? 1,
      on_disk_payload: request.on_disk_payload ?? true,
      ...(request.payload == null ? {} : { payload: request.payload }),
      ...(request.id_tracker == null ? {} : { id_tracker: request.id_tracker }),
    },
    hnsw_config: merged(HNSW_DEFAULTS, request.hnsw_config),
    optimizer_config: merged(OPTIMIZERS_DEFAULTS, request.optimizers_config),
    wal_config: { ...WAL_DEFAULTS, ...(request.wal_config ?? {}) },
    quantization_config: request.quantization_config ?? null,
    ...(request.strict_mode_config == null ? {} : { strict_mode_config: merged({}, request.strict_mode_config) }),
    ...(request.metadata == null ? {} : { metadata: request.metadata }),
  };
}

/** Members that only an update brings into the configuration. */
const OF_UPDATES: ReadonlySet<string> = new Set(['payload', 'read_fan_out_factor', 'read_fan_out_delay_ms']);

/** What a collection of the same configuration is created with. Nothing is known of the configuration but that it is an object with parameters. */
export function requestFromConfig(document: { readonly params: object; readonly [member: string]: unknown }): object {
  const { params, hnsw_config, optimizer_config, wal_config, quantization_config, strict_mode_config, metadata } = document;
  const others = { hnsw_config, optimizers_config: optimizer_config, wal_config, quantization_config, strict_mode_config, metadata };
  const given = Object.entries({ ...params, ...others }).filter(([name, value]) => value !== undefined && !OF_UPDATES.has(name));
  return Object.fromEntries(given);
}

/** The configuration after an update; members that the update leaves out or sets to null keep their values. */
export function updatedConfig(config: CollectionConfig, update: UpdateCollection): CollectionConfig {
  const quantization = changedQuantization(config.quantization_config, update.quantization_config);
  const metadata = mergedMetadata(config.metadata, update.metadata);
  const { metadata: _replaced, ...rest } = config;
  return {
    ...rest,
    params: {
      ...merged(config.params, update.params),
      vectors: update.vectors == null ? config.params.vectors : updatedVectors(config.params.vectors, update.vectors),
      ...(update.sparse_vectors == null
        ? {}
        : { sparse_vectors: updatedSparseVectors(config.params.sparse_vectors, update.sparse_vectors) }),
    },
    hnsw_config: merged(config.hnsw_config, update.hnsw_config),
    optimizer_config: merged(config.optimizer_config, update.optimizers_config),
    quantization_config: quantization ?? null,
    ...(update.strict_mode_config == null
      ? {}
      : { strict_mode_config: merged(config.strict_mode_config ?? {}, update.strict_mode_config) }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** Without what a definition says of its shards: as a shard has it of its definition. */
export function withoutShards({
  placement: _placement,
  transfers: _transfers,
  shardKeys: _keys,
  shardNumbers: _numbers,
  resharding: _resharding,
  ...config
}: CollectionConfig): CollectionConfig {
  return config;
}

/** The configuration of every vector by name; the unnamed one has the empty name. */
export function vectorsByName(vectors: VectorsConfig): ReadonlyMap<string, VectorParams> {
  return isUnnamed(vectors) ? new Map([[UNNAMED, vectors]]) : new Map(Object.entries(vectors));
}

/** The HNSW parameters that hold for one vector: its own over the collection's. */
export function hnswOf(config: CollectionConfig, params: VectorParams): HnswDefaults {
  return params.hnsw_config == null ? config.hnsw_config : merged(config.hnsw_config, params.hnsw_config);
}

/** Codes and links in memory, vectors on disk alone. Bytes are as short as codes, and are kept. */
export function isOnDisk({ on_disk, memory, datatype }: VectorParams): boolean {
  const isCold = memory == null ? on_disk === true : memory === 'cold';
  return isCold && datatype !== 'uint8';
}

/** How errors call a vector. */
export function vectorLabel(name: string): string {
  return name === UNNAMED ? UNNAMED_LABEL : JSON.stringify(name);
}

/** @param name as a request gives it; the unnamed vector has none, or the empty one */
export function unknownVector(name: string | null | undefined): ServiceError {
  return new ServiceError('vector_name_unknown', { vector: name || UNNAMED_LABEL });
}

function isUnnamed(vectors: VectorsConfig): vectors is VectorParams {
  return typeof vectors.size === 'number';
}

function updatedVectors(vectors: VectorsConfig, updates: NonNullable<UpdateCollection['vectors']>): VectorsConfig {
  const known = vectorsByName(vectors);
  const changed = new Map(known);
  for (const [name, update] of Object.entries(updates)) {
    const params = known.get(name);
    if (params === undefined) throw unknownVector(name);
    changed.set(name, updatedVector(params, update));
  }
  return isUnnamed(vectors) ? (changed.get(UNNAMED) ?? vectors) : Object.fromEntries(changed);
}

function updatedVector(params: VectorParams, update: NonNullable<UpdateCollection['vectors']>[string]): VectorParams {
  const { quantization_config: before, ...rest } = params;
  const quantization = changedQuantization(before, update.quantization_config);
  return {
    ...rest,
    ...(update.on_disk == null ? {} : { on_disk: update.on_disk }),
    ...(update.memory == null ? {} : { memory: update.memory }),
    ...(update.hnsw_config == null ? {} : { hnsw_config: merged(params.hnsw_config ?? {}, update.hnsw_config) }),
    ...(quantization == null ? {} : { quantization_config: quantization }),
  };
}

function updatedSparseVectors(before: SparseVectorsConfig | undefined, updates: SparseVectorsConfig): SparseVectorsConfig {
  const changed: { [name: string]: SparseVectorParams } = { ...before };
  for (const [name, update] of Object.entries(updates)) {
    const params = before?.[name];
    if (params === undefined) throw unknownVector(name);
    changed[name] = updatedSparse(params, update);
  }
  return changed;
}

function updatedSparse(params: SparseVectorParams, update: SparseVectorParams): SparseVectorParams {
  const { index, modifier } = update;
  return {
    ...params,
    ...(index == null ? {} : { index: merged(params.index ?? {}, index) }),
    ...(modifier == null ? {} : { modifier }),
  };
}

function changedQuantization(before: QuantizationConfig | null | undefined, update: QuantizationConfig | 'Disabled' | null | undefined) {
  if (update === 'Disabled') return null;
  return update ?? before;
}

function mergedMetadata(before: Payload | undefined, update: Payload | null | undefined): Payload | undefined {
  if (update == null) return before;
  const members = Object.entries({ ...before, ...update }).filter(([, value]) => value !== null);
  return Object.fromEntries(members);
}

/** `base` with the members of `changes` that say something. */
function merged<Base extends object>(base: Base, changes: object | null | undefined): Base {
  const said = Object.entries(changes ?? {}).filter(([, value]) => value != null);
  return { ...base, ...Object.fromEntries(said) };
}
