/** Collections: their configuration, as it is sent, stored and returned. */
import type { Payload } from './points.ts';
import type { StrictModeConfig } from './strict-mode.ts';

export type Distance = 'Cosine' | 'Dot' | 'Euclid' | 'Manhattan';

export type HnswConfig = {
  readonly m?: number | null;
  readonly ef_construct?: number | null;
  readonly full_scan_threshold?: number | null;
  readonly max_indexing_threads?: number | null;
  readonly on_disk?: boolean | null;
  /** Kept and returned: graphs are in memory. */
  readonly memory?: MemoryPlacement | null;
  readonly payload_m?: number | null;
  readonly inline_storage?: boolean | null;
};

export type OptimizersConfig = {
  readonly deleted_threshold?: number | null;
  readonly vacuum_min_vector_number?: number | null;
  readonly default_segment_number?: number | null;
  readonly max_segment_size?: number | null;
  readonly memmap_threshold?: number | null;
  readonly indexing_threshold?: number | null;
  readonly flush_interval_sec?: number | null;
  readonly max_optimization_threads?: number | string | null;
  readonly prevent_unoptimized?: boolean | null;
};

export type MemoryPlacement = 'cold' | 'cached' | 'pinned';
/** Vectors and payloads are on disk or in memory; nothing pins them there. */
export type StorageMemoryPlacement = Exclude<MemoryPlacement, 'pinned'>;

/** Kept and returned: codes are always in memory. */
type CodePlacement = { readonly always_ram?: boolean | null; readonly memory?: MemoryPlacement | null };

/** The codes that searches choose by. `turbo` is served by the nearest of the others, and the collection's warnings say by which. */
export type QuantizationConfig =
  | { readonly scalar: CodePlacement & { readonly type: 'int8'; readonly quantile?: number | null } }
  | { readonly product: CodePlacement & { readonly compression: 'x4' | 'x8' | 'x16' | 'x32' | 'x64' } }
  | {
      readonly binary: CodePlacement & {
        readonly encoding?: 'one_bit' | 'two_bits' | 'one_and_half_bits' | null;
        readonly query_encoding?: 'default' | 'binary' | 'scalar4bits' | 'scalar8bits' | null;
      };
    }
  | { readonly turbo: CodePlacement & { readonly bits?: 'bits1' | 'bits1_5' | 'bits2' | 'bits4' | null } };

export type VectorParams = {
  readonly size: number;
  readonly distance: Distance;
  readonly hnsw_config?: HnswConfig | null;
  readonly quantization_config?: QuantizationConfig | null;
  readonly on_disk?: boolean | null;
  /** Says the same as `on_disk` and counts for more: `cold` vectors are on disk, `cached` ones in memory. */
  readonly memory?: StorageMemoryPlacement | null;
  readonly datatype?: string | null;
  /** Present where points have several of these vectors, which are compared by MaxSim. */
  readonly multivector_config?: { readonly comparator: 'max_sim' } | null;
};

/** `idf` multiplies the values of a query by how rare their indices are in the collection. */
export type SparseModifier = 'none' | 'idf';

/** The options of the index are kept and returned: it is on disk, exact and in float32 in any case. */
export type SparseVectorParams = {
  readonly index?: {
    readonly full_scan_threshold?: number | null;
    readonly on_disk?: boolean | null;
    readonly memory?: MemoryPlacement | null;
    readonly datatype?: 'float32' | 'float16' | 'uint8' | null;
  } | null;
  readonly modifier?: SparseModifier | null;
};

export type SparseVectorsConfig = { readonly [name: string]: SparseVectorParams };

export type VectorsConfig = VectorParams | { readonly [name: string]: VectorParams };

/** A vector that is added to a collection. */
export type VectorNameConfig = { readonly dense: VectorParams } | { readonly sparse: SparseVectorParams };

export type CreateCollection = {
  readonly vectors: VectorsConfig;
  readonly sparse_vectors?: SparseVectorsConfig | null;
  readonly hnsw_config?: HnswConfig | null;
  readonly optimizers_config?: OptimizersConfig | null;
  readonly wal_config?: unknown;
  readonly quantization_config?: QuantizationConfig | null;
  readonly on_disk_payload?: boolean | null;
  /** Kept and returned, as `on_disk_payload` is: payloads are read from storage, whose pages the system caches. */
  readonly payload?: { readonly memory?: StorageMemoryPlacement | null } | null;
  /** Kept and returned. */
  readonly id_tracker?: { readonly memory?: MemoryPlacement | null } | null;
  readonly shard_number?: number | null;
  readonly replication_factor?: number | null;
  readonly write_consistency_factor?: number | null;
  readonly strict_mode_config?: StrictModeConfig | null;
  readonly metadata?: Payload | null;
};

/** `vectors` has the unnamed vector under the empty string. `"Disabled"` removes a quantization. */
export type UpdateCollection = {
  readonly vectors?: {
    readonly [name: string]: {
      readonly hnsw_config?: HnswConfig | null;
      readonly quantization_config?: QuantizationConfig | 'Disabled' | null;
      readonly on_disk?: boolean | null;
      readonly memory?: StorageMemoryPlacement | null;
    };
  } | null;
  /** Of sparse vectors that there are: what is given replaces what is stored. */
  readonly sparse_vectors?: SparseVectorsConfig | null;
  readonly optimizers_config?: OptimizersConfig | null;
  readonly params?: { readonly on_disk_payload?: boolean | null; readonly [name: string]: unknown } | null;
  readonly hnsw_config?: HnswConfig | null;
  readonly quantization_config?: QuantizationConfig | 'Disabled' | null;
  /** Members that are left out keep their values. */
  readonly strict_mode_config?: StrictModeConfig | null;
  /** Merged into the stored metadata; a null member removes its key. */
  readonly metadata?: Payload | null;
};

export type CollectionInfo = {
  readonly status: 'green' | 'yellow' | 'grey' | 'red';
  readonly optimizer_status: 'ok' | { readonly error: string };
  readonly indexed_vectors_count: number;
  readonly points_count: number;
  readonly segments_count: number;
  readonly config: { readonly [section: string]: unknown };
  readonly payload_schema: { readonly [field: string]: PayloadIndexInfo };
  readonly update_queue: { readonly length: number };
  /** What does not work as it was configured; searches are right all the same. */
  readonly warnings?: readonly { readonly message: string }[];
};

/** How far the graph of one vector is, and what it takes. */
export type VectorStatus = {
  readonly vectors: number;
  /** Of those, how many are in the graph, and how many are searched one by one until they are. */
  readonly indexed: number;
  readonly pending: number;
  /** Whether it has or gets a graph. */
  readonly graph: boolean;
  /** What is known of its codes. */
  readonly codes: string;
  readonly shards: number;
  readonly memory_bytes: number;
};

export type CollectionStatus = Pick<
  CollectionInfo,
  'status' | 'optimizer_status' | 'points_count' | 'indexed_vectors_count' | 'update_queue'
> & {
  /** Of the last write. */
  readonly operation_id: number;
  /** By name, the unnamed one under the empty string. */
  readonly vectors: { readonly [name: string]: VectorStatus };
  /** Of vectors, codes and graphs. */
  readonly memory_bytes: number;
  /** On disk, without saved graphs. */
  readonly storage_bytes: number;
  readonly operations: {
    readonly optimize: 'idle' | 'running';
    readonly rebuild_index: 'idle' | { readonly rows_linked: number };
  };
  /** Of the service: how many answer requests, and how many build graphs. */
  readonly threads?: { readonly serving: number; readonly indexing: number };
};

type OptimizedSegment = { readonly uuid: string; readonly points_count: number };

/** Work on one graph. A run that is done says when it began and ended. */
export type OptimizationRun<Status extends 'optimizing' | 'done' = 'done'> = {
  readonly uuid: string;
  readonly optimizer: string;
  readonly status: Status;
  readonly segments: readonly OptimizedSegment[];
  readonly progress: {
    readonly name: string;
    readonly started_at?: string;
    readonly finished_at?: string;
    readonly duration_sec?: number;
    readonly done: number;
    readonly total: number;
  };
};

/** Progress as clients of this API family read it. The last three are there where they are asked for. */
export type OptimizationReport = {
  readonly summary: {
    readonly queued_optimizations: number;
    readonly queued_segments: number;
    readonly queued_points: number;
    readonly idle_segments: number;
  };
  readonly running: readonly OptimizationRun<'optimizing'>[];
  readonly queued?: readonly { readonly optimizer: string; readonly segments: readonly OptimizedSegment[] }[];
  readonly completed?: readonly OptimizationRun[];
  readonly idle_segments?: readonly OptimizedSegment[];
};

export type PayloadIndexInfo = {
  readonly data_type: FieldType;
  readonly params?: FieldSchema;
  readonly points: number;
};

export type FieldType = 'keyword' | 'integer' | 'float' | 'bool' | 'datetime' | 'uuid' | 'geo' | 'text';

export type Tokenizer = 'prefix' | 'whitespace' | 'word' | 'multilingual';

/** A field index with its options; the short form is the type alone. */
export type FieldSchema = {
  readonly type: FieldType;
  readonly is_tenant?: boolean | null;
  readonly is_principal?: boolean | null;
  readonly prefix?: boolean | null;
  readonly lookup?: boolean | null;
  readonly range?: boolean | null;
  readonly on_disk?: boolean | null;
  /** Kept and returned: indexes are in storage, whose pages the system caches. */
  readonly memory?: MemoryPlacement | null;
  readonly enable_hnsw?: boolean | null;
  readonly tokenizer?: Tokenizer | null;
  readonly min_token_len?: number | null;
  readonly max_token_len?: number | null;
  readonly lowercase?: boolean | null;
  readonly ascii_folding?: boolean | null;
  readonly phrase_matching?: boolean | null;
  readonly stopwords?: string | { readonly languages?: readonly string[]; readonly custom?: readonly string[] } | null;
  readonly stemmer?: { readonly type: 'snowball'; readonly language: string } | null;
};
