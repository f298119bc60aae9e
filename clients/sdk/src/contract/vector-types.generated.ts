// Written by `npm run generate` from the endpoint table of the contract.

import type { JsonObject } from '../json.ts';

export type AbsExpression = {
  readonly abs: Expression;
};

export type AccessToken = {
  readonly id: number;
  readonly name: string;
  /** Empty where none was given. */
  readonly description: string;
  readonly created_at: string;
  readonly expired_at: string | null;
  readonly will_expire: boolean;
  readonly permission: string;
};

export type AcornSearchParams = {
  readonly enable?: boolean | null | undefined;
  readonly max_selectivity?: number | null | undefined;
};

export type AddedSparseVectorParams = {
  readonly index?: SparseIndexParams | null | undefined;
  readonly modifier?: 'none' | 'idf' | null | undefined;
  readonly datatype?: 'float32' | 'float16' | 'uint8' | null | undefined;
};

export type Alias = {
  readonly alias_name: string;
  readonly collection_name: string;
};

export type AliasAction = CreateAliasAction | DeleteAliasAction | RenameAliasAction;

export type AliasList = {
  readonly aliases: readonly Alias[];
};

export type AuthEnabled = {
  readonly enabled: boolean;
};

export type AuthMessage = {
  readonly status: 'success' | 'error';
  readonly message: string;
};

export type BinaryQuantization = {
  readonly binary: BinaryQuantizationConfig;
};

export type BinaryQuantizationConfig = {
  readonly encoding?: 'one_bit' | 'two_bits' | 'one_and_half_bits' | null | undefined;
  readonly query_encoding?: 'default' | 'binary' | 'scalar4bits' | 'scalar8bits' | null | undefined;
  readonly always_ram?: boolean | null | undefined;
  readonly memory?: 'cold' | 'cached' | 'pinned' | null | undefined;
};

export type Bm25Options = {
  readonly k?: number | null | undefined;
  readonly b?: number | null | undefined;
  readonly avg_len?: number | null | undefined;
  readonly language?: string | null | undefined;
  readonly tokenizer?: 'prefix' | 'whitespace' | 'word' | 'multilingual' | null | undefined;
  readonly lowercase?: boolean | null | undefined;
  readonly ascii_folding?: boolean | null | undefined;
  readonly stopwords?: Stopwords | null | undefined;
  readonly stemmer?: StemmingAlgorithm | null | undefined;
  readonly min_token_len?: number | null | undefined;
  readonly max_token_len?: number | null | undefined;
};

export type BoolIndexParams = {
  readonly type: 'bool';
  readonly on_disk?: boolean | null | undefined;
  readonly memory?: 'cold' | 'cached' | 'pinned' | null | undefined;
  readonly enable_hnsw?: boolean | null | undefined;
};

export type ChangeAliases = {
  readonly actions: readonly AliasAction[];
};

export type ClearPayloadOperation = {
  readonly clear_payload: PointsSelector;
};

export type ClusterStatus = {
  readonly status: 'disabled';
};

export type CollectionClusterInfo = {
  readonly peer_id: number;
  readonly shard_count: number;
  readonly local_shards: readonly LocalShard[];
  readonly remote_shards: readonly unknown[];
  readonly shard_transfers: readonly unknown[];
};

export type CollectionExistence = {
  readonly exists: boolean;
};

export type CollectionInfo = {
  readonly status: 'green' | 'yellow' | 'grey' | 'red';
  readonly optimizer_status: 'ok' | {
    readonly error: string;
  };
  readonly indexed_vectors_count: number;
  readonly points_count: number;
  readonly segments_count: number;
  readonly config: JsonObject;
  readonly payload_schema: { readonly [name: string]: PayloadIndexInfo };
  readonly update_queue: {
    readonly length: number;
  };
  readonly warnings?: readonly {
    readonly message: string;
  }[] | undefined;
};

export type CollectionList = {
  readonly collections: readonly {
    readonly name: string;
  }[];
};

export type CollectionParamsDiff = {
  readonly on_disk_payload?: boolean | null | undefined;
  readonly payload?: PayloadStorageParams | null | undefined;
  readonly id_tracker?: IdTrackerParams | null | undefined;
  readonly replication_factor?: number | null | undefined;
  readonly write_consistency_factor?: number | null | undefined;
  readonly read_fan_out_factor?: number | null | undefined;
  readonly read_fan_out_delay_ms?: number | null | undefined;
};

export type CollectionStatus = {
  readonly status: 'green' | 'yellow' | 'grey' | 'red';
  readonly optimizer_status: 'ok' | {
    readonly error: string;
  };
  readonly points_count: number;
  readonly indexed_vectors_count: number;
  readonly update_queue: {
    readonly length: number;
  };
  readonly operation_id: number;
  readonly vectors: { readonly [name: string]: VectorStatus };
  readonly memory_bytes: number;
  readonly storage_bytes: number;
  readonly operations: {
    readonly optimize: 'idle' | 'running';
    readonly rebuild_index: 'idle' | {
      readonly rows_linked: number;
    };
  };
  readonly threads?: {
    readonly serving: number;
    readonly indexing: number;
  } | undefined;
};

export type CollectionTelemetry = {
  readonly vectors: number;
  readonly optimizers_status: 'ok' | {
    readonly error: string;
  };
  readonly params: JsonObject;
} | {
  readonly id: string;
  readonly config: JsonObject;
  readonly shards?: readonly ShardTelemetry[] | undefined;
  readonly transfers?: readonly unknown[] | undefined;
  readonly resharding?: readonly unknown[] | undefined;
};

export type CompletedOptimization = {
  readonly uuid: string;
  readonly optimizer: string;
  readonly status: 'done';
  readonly segments: readonly OptimizedSegment[];
  readonly progress: {
    readonly name: string;
    readonly started_at?: string | undefined;
    readonly finished_at?: string | undefined;
    readonly duration_sec?: number | undefined;
    readonly done: number;
    readonly total: number;
  };
};

export type Condition = FieldCondition | IsEmptyCondition | IsNullCondition | HasIdCondition | HasVectorCondition | SliceCondition | NestedCondition | Filter;

export type Conditions = Condition | readonly Condition[];

export type ContextPair = {
  readonly positive: VectorOrPoint;
  readonly negative: VectorOrPoint;
};

export type ContextPairs = ContextPair | readonly ContextPair[];

export type ContextQuery = {
  readonly context: ContextPairs;
};

export type CountPoints = {
  readonly filter?: Condition | null | undefined;
  readonly exact?: boolean | null | undefined;
  readonly shard_key?: unknown;
};

export type CountResult = {
  readonly count: number;
};

export type CreateAccessToken = {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly will_expire?: boolean | null | undefined;
  readonly expires_in_seconds?: number | null | undefined;
  /** Any of read, write and admin, joined by commas. */
  readonly permission: string;
};

export type CreateAlias = {
  readonly alias_name: string;
  readonly collection_name: string;
};

export type CreateAliasAction = {
  readonly create_alias: CreateAlias;
};

export type CreateCollection = {
  readonly vectors?: VectorsConfig | null | undefined;
  readonly sparse_vectors?: { readonly [name: string]: SparseVectorParams } | null | undefined;
  readonly hnsw_config?: HnswConfig | null | undefined;
  readonly optimizers_config?: OptimizersConfig | null | undefined;
  readonly wal_config?: unknown;
  readonly quantization_config?: QuantizationConfig | null | undefined;
  readonly on_disk_payload?: boolean | null | undefined;
  readonly payload?: PayloadStorageParams | null | undefined;
  readonly id_tracker?: IdTrackerParams | null | undefined;
  readonly shard_number?: number | null | undefined;
  readonly sharding_method?: 'auto' | 'custom' | null | undefined;
  readonly replication_factor?: number | null | undefined;
  readonly write_consistency_factor?: number | null | undefined;
  readonly strict_mode_config?: StrictModeConfig | null | undefined;
  readonly metadata?: Payload | null | undefined;
};

export type CreateFieldIndex = {
  readonly field_name: string;
  readonly field_schema: FieldSchemaInterface;
  readonly shard_key?: unknown;
};

export type DatetimeExpression = {
  readonly datetime: string;
};

export type DatetimeIndexParams = {
  readonly type: 'datetime';
  readonly is_principal?: boolean | null | undefined;
  readonly on_disk?: boolean | null | undefined;
  readonly memory?: 'cold' | 'cached' | 'pinned' | null | undefined;
  readonly enable_hnsw?: boolean | null | undefined;
};

export type DatetimeKeyExpression = {
  readonly datetime_key: string;
};

export type DatetimeRange = {
  readonly lt?: string | null | undefined;
  readonly gt?: string | null | undefined;
  readonly lte?: string | null | undefined;
  readonly gte?: string | null | undefined;
};

export type DecayParams = {
  readonly x: Expression;
  readonly target?: Expression | null | undefined;
  readonly scale?: number | null | undefined;
  readonly midpoint?: number | null | undefined;
};

export type DeleteAlias = {
  readonly alias_name: string;
};

export type DeleteAliasAction = {
  readonly delete_alias: DeleteAlias;
};

export type DeleteOperation = {
  readonly delete: PointsSelector;
};

export type DeletePayload = {
  readonly keys: readonly string[];
  readonly points?: readonly PointId[] | null | undefined;
  readonly filter?: Condition | null | undefined;
  readonly shard_key?: unknown;
};

export type DeletePayloadOperation = {
  readonly delete_payload: DeletePayload;
};

export type DeleteVectors = {
  readonly points?: readonly PointId[] | null | undefined;
  readonly filter?: Condition | null | undefined;
  readonly vector?: readonly string[] | undefined;
  readonly vectors?: readonly string[] | undefined;
  readonly shard_key?: unknown;
};

export type DeleteVectorsOperation = {
  readonly delete_vectors: DeleteVectors;
};

export type DenseVector = readonly number[] | Float32Array;

export type DenseVectorConfig = {
  readonly dense: VectorParams;
};

export type DiscoverInput = {
  readonly target: VectorOrPoint;
  readonly context?: ContextPairs | null | undefined;
};

export type DiscoverPoints = {
  readonly target?: VectorOrPoint | null | undefined;
  readonly context?: ContextPairs | null | undefined;
  readonly filter?: Condition | null | undefined;
  readonly params?: SearchParams | null | undefined;
  readonly limit?: number | null | undefined;
  readonly offset?: number | null | undefined;
  readonly with_payload?: WithPayload | null | undefined;
  readonly with_vector?: WithVector | null | undefined;
  readonly with_vectors?: WithVector | null | undefined;
  readonly using?: string | null | undefined;
  readonly lookup_from?: LookupLocation | null | undefined;
  readonly shard_key?: unknown;
};

export type DiscoverPointsBatch = {
  readonly searches: readonly DiscoverPoints[];
};

export type DiscoverQuery = {
  readonly discover: DiscoverInput;
};

export type DivExpression = {
  readonly div: DivParams;
};

export type DivParams = {
  readonly left: Expression;
  readonly right: Expression;
  readonly by_zero_default?: number | null | undefined;
};

export type Document = {
  readonly text: string;
  /** In any case. */
  readonly model: string;
  readonly options?: Bm25Options | null | undefined;
};

export type ExpDecayExpression = {
  readonly exp_decay: DecayParams;
};

export type ExpExpression = {
  readonly exp: Expression;
};

export type Expression = number | string | GeoDistanceExpression | DatetimeExpression | DatetimeKeyExpression | MultExpression | SumExpression | NegExpression | AbsExpression | SqrtExpression | ExpExpression | Log10Expression | LnExpression | DivExpression | PowExpression | LinDecayExpression | ExpDecayExpression | GaussDecayExpression | Condition;

export type Facet = {
  readonly key: string;
  readonly limit?: number | null | undefined;
  readonly filter?: Condition | null | undefined;
  readonly exact?: boolean | null | undefined;
  readonly shard_key?: unknown;
};

export type FacetHit = {
  readonly value: string | number | bigint | boolean;
  readonly count: number;
};

export type FacetResult = {
  readonly hits: readonly FacetHit[];
};

export type FeedbackItem = {
  readonly example: VectorOrPoint;
  readonly score: number;
};

export type FeedbackStrategy = {
  readonly naive: NaiveFeedbackStrategyParams;
};

export type FieldCondition = {
  readonly key: string;
  readonly match?: Match | null | undefined;
  readonly range?: Range | null | undefined;
  readonly geo_bounding_box?: GeoBoundingBox | null | undefined;
  readonly geo_radius?: GeoRadius | null | undefined;
  readonly geo_polygon?: GeoPolygon | null | undefined;
  readonly values_count?: ValuesCount | null | undefined;
  readonly is_empty?: boolean | null | undefined;
  readonly is_null?: boolean | null | undefined;
};

export type FieldSchema = KeywordIndexParams | IntegerIndexParams | FloatIndexParams | BoolIndexParams | DatetimeIndexParams | UuidIndexParams | GeoIndexParams | TextIndexParams;

export type FieldSchemaInterface = 'keyword' | 'integer' | 'float' | 'bool' | 'datetime' | 'uuid' | 'geo' | 'text' | FieldSchema;

export type Filter = {
  readonly must?: Conditions | null | undefined;
  readonly should?: Conditions | null | undefined;
  readonly must_not?: Conditions | null | undefined;
  readonly min_should?: MinShould | null | undefined;
};

export type FloatIndexParams = {
  readonly type: 'float';
  readonly is_principal?: boolean | null | undefined;
  readonly on_disk?: boolean | null | undefined;
  readonly memory?: 'cold' | 'cached' | 'pinned' | null | undefined;
  readonly enable_hnsw?: boolean | null | undefined;
};

export type FormulaQuery = {
  readonly formula: Expression;
  readonly defaults?: Payload | null | undefined;
};

export type FusionQuery = {
  readonly fusion: 'rrf' | 'dbsf';
};

export type GaussDecayExpression = {
  readonly gauss_decay: DecayParams;
};

export type GeoBoundingBox = {
  readonly top_left: GeoPoint;
  readonly bottom_right: GeoPoint;
};

export type GeoDistance = {
  readonly origin: GeoPoint;
  readonly to: string;
};

export type GeoDistanceExpression = {
  readonly geo_distance: GeoDistance;
};

export type GeoIndexParams = {
  readonly type: 'geo';
  readonly on_disk?: boolean | null | undefined;
  readonly memory?: 'cold' | 'cached' | 'pinned' | null | undefined;
  readonly enable_hnsw?: boolean | null | undefined;
};

export type GeoLineString = {
  readonly points: readonly GeoPoint[];
};

export type GeoPoint = {
  readonly lon: number;
  readonly lat: number;
};

export type GeoPolygon = {
  readonly exterior: GeoLineString;
  readonly interiors?: readonly GeoLineString[] | null | undefined;
};

export type GeoRadius = {
  readonly center: GeoPoint;
  readonly radius: number;
};

export type GroupId = string | number | bigint;

export type GroupsResult = {
  readonly groups: readonly PointGroup[];
};

export type HasIdCondition = {
  readonly has_id: readonly PointId[];
};

export type HasVectorCondition = {
  readonly has_vector: string;
};

export type HnswConfig = {
  readonly m?: number | null | undefined;
  readonly ef_construct?: number | null | undefined;
  readonly full_scan_threshold?: number | null | undefined;
  readonly max_indexing_threads?: number | null | undefined;
  readonly on_disk?: boolean | null | undefined;
  readonly memory?: 'cold' | 'cached' | 'pinned' | null | undefined;
  readonly payload_m?: number | null | undefined;
  readonly inline_storage?: boolean | null | undefined;
};

export type IdTrackerParams = {
  readonly memory?: 'cold' | 'cached' | 'pinned' | null | undefined;
};

export type IdfCorpus = {
  readonly corpus: Condition;
};

export type IntegerIndexParams = {
  readonly type: 'integer';
  readonly lookup?: boolean | null | undefined;
  readonly range?: boolean | null | undefined;
  readonly is_principal?: boolean | null | undefined;
  readonly on_disk?: boolean | null | undefined;
  readonly memory?: 'cold' | 'cached' | 'pinned' | null | undefined;
  readonly enable_hnsw?: boolean | null | undefined;
};

export type IsEmptyCondition = {
  readonly is_empty: PayloadField;
};

export type IsNullCondition = {
  readonly is_null: PayloadField;
};

export type Issue = {
  readonly collection: string;
  readonly description: string;
};

export type IssuedAccessToken = {
  readonly id: number;
  readonly name: string;
  /** Empty where none was given. */
  readonly description: string;
  readonly created_at: string;
  readonly expired_at: string | null;
  readonly will_expire: boolean;
  readonly permission: string;
  /** The secret; shown this once. */
  readonly api_key: string;
};

export type Issues = {
  readonly issues: readonly Issue[];
};

export type KeywordIndexParams = {
  readonly type: 'keyword';
  readonly is_tenant?: boolean | null | undefined;
  readonly prefix?: boolean | null | undefined;
  readonly on_disk?: boolean | null | undefined;
  readonly memory?: 'cold' | 'cached' | 'pinned' | null | undefined;
  readonly enable_hnsw?: boolean | null | undefined;
};

export type LinDecayExpression = {
  readonly lin_decay: DecayParams;
};

export type LnExpression = {
  readonly ln: Expression;
};

export type LocalShard = {
  readonly shard_id: number;
  readonly points_count: number;
  readonly state: 'Active';
};

export type Log10Expression = {
  readonly log10: Expression;
};

export type LoginReply = {
  /** The JWT. */
  readonly token: string;
  readonly message: string;
  readonly expires_in: number;
};

export type LookupLocation = {
  readonly collection: string;
  readonly vector?: string | null | undefined;
  readonly shard_key?: unknown;
};

export type Match = MatchValue | MatchText | MatchTextAny | MatchPhrase | MatchPrefix | MatchAny | MatchExcept;

export type MatchAny = {
  readonly any: readonly string[] | readonly (number | bigint)[];
};

export type MatchExcept = {
  readonly except: readonly string[] | readonly (number | bigint)[];
};

export type MatchPhrase = {
  readonly phrase: string;
};

export type MatchPrefix = {
  readonly prefix: string;
};

export type MatchText = {
  readonly text: string;
};

export type MatchTextAny = {
  readonly text_any: string;
};

export type MatchValue = {
  readonly value: string | number | bigint | boolean;
};

export type MinShould = {
  readonly conditions: readonly Condition[];
  readonly min_count: number;
};

export type Mmr = {
  readonly diversity?: number | null | undefined;
  readonly candidates_limit?: number | null | undefined;
};

export type MultExpression = {
  readonly mult: readonly Expression[];
};

export type MultiVector = readonly DenseVector[];

export type MultiVectorConfig = {
  readonly comparator: 'max_sim';
};

export type NaiveFeedbackStrategyParams = {
  readonly a: number;
  readonly b: number;
  readonly c: number;
};

export type NamedVector = {
  readonly name: string;
  readonly vector: Vector;
};

export type NearestQuery = {
  readonly nearest: VectorOrPoint;
  readonly mmr?: Mmr | null | undefined;
};

export type NegExpression = {
  readonly neg: Expression;
};

export type Nested = {
  readonly key: string;
  readonly filter: Condition;
};

export type NestedCondition = {
  readonly nested: Nested;
};

export type NewPassword = {
  readonly password: string;
  readonly setup_code?: string | null | undefined;
};

export type NoStemmerParams = {
  readonly type: 'none';
};

export type NumericRange = {
  readonly lt?: number | bigint | null | undefined;
  readonly gt?: number | bigint | null | undefined;
  readonly lte?: number | bigint | null | undefined;
  readonly gte?: number | bigint | null | undefined;
};

export type OptimizationReport = {
  readonly summary: {
    readonly queued_optimizations: number;
    readonly queued_segments: number;
    readonly queued_points: number;
    readonly idle_segments: number;
  };
  readonly running: readonly RunningOptimization[];
  readonly queued?: readonly {
    readonly optimizer: string;
    readonly segments: readonly OptimizedSegment[];
  }[] | undefined;
  readonly completed?: readonly CompletedOptimization[] | undefined;
  readonly idle_segments?: readonly OptimizedSegment[] | undefined;
};

export type OptimizedSegment = {
  readonly uuid: string;
  readonly points_count: number;
};

export type OptimizersConfig = {
  readonly deleted_threshold?: number | null | undefined;
  readonly vacuum_min_vector_number?: number | null | undefined;
  readonly default_segment_number?: number | null | undefined;
  readonly max_segment_size?: number | null | undefined;
  readonly memmap_threshold?: number | null | undefined;
  readonly indexing_threshold?: number | null | undefined;
  readonly flush_interval_sec?: number | null | undefined;
  readonly max_optimization_threads?: number | 'auto' | null | undefined;
  readonly prevent_unoptimized?: boolean | null | undefined;
};

export type OrderBy = {
  readonly key: string;
  readonly direction?: 'asc' | 'desc' | null | undefined;
  readonly start_from?: StartFrom | null | undefined;
};

export type OrderByInterface = string | OrderBy;

export type OrderByQuery = {
  readonly order_by: OrderByInterface;
};

export type OverwritePayloadOperation = {
  readonly overwrite_payload: SetPayload;
};

export type Password = {
  readonly password: string;
};

export type Payload = JsonObject;

export type PayloadField = {
  readonly key: string;
};

export type PayloadIndexInfo = {
  readonly data_type: 'keyword' | 'integer' | 'float' | 'bool' | 'datetime' | 'uuid' | 'geo' | 'text';
  readonly params?: FieldSchema | undefined;
  readonly points: number;
};

export type PayloadSelectorExclude = {
  readonly exclude: readonly string[];
};

export type PayloadSelectorInclude = {
  readonly include: readonly string[];
};

export type PayloadStorageParams = {
  readonly memory?: 'cold' | 'cached' | null | undefined;
};

export type PointGroup = {
  readonly id: GroupId;
  readonly hits: readonly ScoredPoint[];
  readonly lookup?: PointRecord | undefined;
};

export type PointId = number | bigint | string;

export type PointRecord = {
  readonly id: PointId;
  readonly payload?: Payload | undefined;
  readonly vector?: VectorOutput | undefined;
  readonly order_value?: number | bigint | undefined;
};

export type PointStruct = {
  readonly id: PointId;
  readonly vector?: VectorInput | undefined;
  readonly vectors?: VectorInput | undefined;
  readonly payload?: Payload | null | undefined;
};

export type PointVectors = {
  readonly id: PointId;
  readonly vector?: VectorInput | undefined;
  readonly vectors?: VectorInput | undefined;
};

export type PointsBatch = {
  readonly ids: readonly PointId[];
  readonly vectors: readonly DenseVector[] | readonly MultiVector[] | { readonly [name: string]: readonly (DenseVector | MultiVector | SparseVector | Document)[] };
  readonly payloads?: readonly (Payload | null)[] | null | undefined;
};

export type PointsSelector = {
  readonly points?: readonly PointId[] | null | undefined;
  readonly filter?: Condition | null | undefined;
  readonly shard_key?: unknown;
};

export type PowExpression = {
  readonly pow: PowParams;
};

export type PowParams = {
  readonly base: Expression;
  readonly exponent: Expression;
};

export type Prefetch = {
  readonly prefetch?: Prefetches | null | undefined;
  readonly query?: Query | null | undefined;
  readonly using?: string | null | undefined;
  readonly filter?: Condition | null | undefined;
  readonly params?: SearchParams | null | undefined;
  readonly score_threshold?: number | null | undefined;
  readonly limit?: number | null | undefined;
  readonly lookup_from?: LookupLocation | null | undefined;
};

export type Prefetches = Prefetch | readonly Prefetch[];

export type ProductQuantization = {
  readonly product: ProductQuantizationConfig;
};

export type ProductQuantizationConfig = {
  readonly compression: 'x4' | 'x8' | 'x16' | 'x32' | 'x64';
  readonly always_ram?: boolean | null | undefined;
  readonly memory?: 'cold' | 'cached' | 'pinned' | null | undefined;
};

export type QuantizationConfig = ScalarQuantization | ProductQuantization | BinaryQuantization | TurboQuantization;

export type QuantizationConfigDiff = QuantizationConfig | 'Disabled';

export type QuantizationSearchParams = {
  readonly ignore?: boolean | null | undefined;
  readonly rescore?: boolean | null | undefined;
  readonly oversampling?: number | null | undefined;
};

export type Query = DenseVector | PointId | MultiVector | SparseVector | Document | NearestQuery | RecommendQuery | DiscoverQuery | ContextQuery | OrderByQuery | RandomQuery | FusionQuery | RrfQuery | FormulaQuery | RelevanceFeedbackQuery;

export type QueryPointGroups = {
  readonly prefetch?: Prefetches | null | undefined;
  readonly query?: Query | null | undefined;
  readonly using?: string | null | undefined;
  readonly filter?: Condition | null | undefined;
  readonly params?: SearchParams | null | undefined;
  readonly score_threshold?: number | null | undefined;
  readonly limit?: number | null | undefined;
  readonly lookup_from?: LookupLocation | null | undefined;
  readonly with_payload?: WithPayload | null | undefined;
  readonly with_vector?: WithVector | null | undefined;
  readonly with_vectors?: WithVector | null | undefined;
  readonly group_by: string;
  readonly group_size?: number | null | undefined;
  readonly with_lookup?: WithLookupInterface | null | undefined;
  readonly shard_key?: unknown;
};

export type QueryPoints = {
  readonly prefetch?: Prefetches | null | undefined;
  readonly query?: Query | null | undefined;
  readonly using?: string | null | undefined;
  readonly filter?: Condition | null | undefined;
  readonly params?: SearchParams | null | undefined;
  readonly score_threshold?: number | null | undefined;
  readonly limit?: number | null | undefined;
  readonly lookup_from?: LookupLocation | null | undefined;
  readonly offset?: number | null | undefined;
  readonly with_payload?: WithPayload | null | undefined;
  readonly with_vector?: WithVector | null | undefined;
  readonly with_vectors?: WithVector | null | undefined;
  readonly shard_key?: unknown;
};

export type QueryPointsBatch = {
  readonly searches: readonly QueryPoints[];
} | {
  readonly queries: readonly QueryPoints[];
};

export type QueryResult = {
  readonly points: readonly ScoredPoint[];
};

export type RandomQuery = {
  readonly sample: 'random';
};

export type Range = NumericRange | DatetimeRange;

export type ReadConsistency = number | 'majority' | 'quorum' | 'all';

export type RecommendInput = {
  readonly positive?: readonly VectorOrPoint[] | null | undefined;
  readonly negative?: readonly VectorOrPoint[] | null | undefined;
  readonly strategy?: 'average_vector' | 'best_score' | 'sum_scores' | null | undefined;
};

export type RecommendPointGroups = {
  readonly positive?: readonly VectorOrPoint[] | null | undefined;
  readonly negative?: readonly VectorOrPoint[] | null | undefined;
  readonly strategy?: 'average_vector' | 'best_score' | 'sum_scores' | null | undefined;
  readonly score_threshold?: number | null | undefined;
  readonly filter?: Condition | null | undefined;
  readonly params?: SearchParams | null | undefined;
  readonly limit?: number | null | undefined;
  readonly with_payload?: WithPayload | null | undefined;
  readonly with_vector?: WithVector | null | undefined;
  readonly with_vectors?: WithVector | null | undefined;
  readonly using?: string | null | undefined;
  readonly lookup_from?: LookupLocation | null | undefined;
  readonly shard_key?: unknown;
  readonly group_by: string;
  readonly group_size?: number | null | undefined;
  readonly with_lookup?: WithLookupInterface | null | undefined;
};

export type RecommendPoints = {
  readonly positive?: readonly VectorOrPoint[] | null | undefined;
  readonly negative?: readonly VectorOrPoint[] | null | undefined;
  readonly strategy?: 'average_vector' | 'best_score' | 'sum_scores' | null | undefined;
  readonly score_threshold?: number | null | undefined;
  readonly filter?: Condition | null | undefined;
  readonly params?: SearchParams | null | undefined;
  readonly limit?: number | null | undefined;
  readonly offset?: number | null | undefined;
  readonly with_payload?: WithPayload | null | undefined;
  readonly with_vector?: WithVector | null | undefined;
  readonly with_vectors?: WithVector | null | undefined;
  readonly using?: string | null | undefined;
  readonly lookup_from?: LookupLocation | null | undefined;
  readonly shard_key?: unknown;
};

export type RecommendPointsBatch = {
  readonly searches: readonly RecommendPoints[];
};

export type RecommendQuery = {
  readonly recommend: RecommendInput;
};

export type RelevanceFeedbackInput = {
  readonly target: VectorOrPoint;
  readonly feedback: readonly FeedbackItem[];
  readonly strategy: FeedbackStrategy;
};

export type RelevanceFeedbackQuery = {
  readonly relevance_feedback: RelevanceFeedbackInput;
};

export type RenameAlias = {
  readonly old_alias_name: string;
  readonly new_alias_name: string;
};

export type RenameAliasAction = {
  readonly rename_alias: RenameAlias;
};

export type RequestStatistic = {
  readonly count: number;
  readonly avg_duration_micros: number;
  readonly min_duration_micros: number;
  readonly max_duration_micros: number;
  readonly total_duration_micros: number;
  readonly last_responded: string;
};

export type RequestStatistics = {
  readonly responses: { readonly [name: string]: { readonly [name: string]: RequestStatistic } };
};

export type RetrievePoints = {
  readonly ids: readonly PointId[];
  readonly with_payload?: WithPayload | null | undefined;
  readonly with_vector?: WithVector | null | undefined;
  readonly with_vectors?: WithVector | null | undefined;
  readonly shard_key?: unknown;
};

export type Rrf = {
  readonly k?: number | null | undefined;
  readonly weights?: readonly number[] | null | undefined;
};

export type RrfQuery = {
  readonly rrf: Rrf;
};

export type RunningOptimization = {
  readonly uuid: string;
  readonly optimizer: string;
  readonly status: 'optimizing';
  readonly segments: readonly OptimizedSegment[];
  readonly progress: {
    readonly name: string;
    readonly started_at?: string | undefined;
    readonly finished_at?: string | undefined;
    readonly duration_sec?: number | undefined;
    readonly done: number;
    readonly total: number;
  };
};

export type ScalarQuantization = {
  readonly scalar: ScalarQuantizationConfig;
};

export type ScalarQuantizationConfig = {
  readonly type: 'int8';
  readonly quantile?: number | null | undefined;
  readonly always_ram?: boolean | null | undefined;
  readonly memory?: 'cold' | 'cached' | 'pinned' | null | undefined;
};

export type ScoredPoint = {
  readonly id: PointId;
  readonly payload?: Payload | undefined;
  readonly vector?: VectorOutput | undefined;
  readonly order_value?: number | bigint | undefined;
  readonly version: number;
  readonly score: number;
};

export type ScrollPoints = {
  readonly offset?: PointId | null | undefined;
  readonly limit?: number | null | undefined;
  readonly filter?: Condition | null | undefined;
  readonly with_payload?: WithPayload | null | undefined;
  readonly with_vector?: WithVector | null | undefined;
  readonly with_vectors?: WithVector | null | undefined;
  readonly order_by?: OrderByInterface | null | undefined;
  readonly shard_key?: unknown;
};

export type ScrollResult = {
  readonly points: readonly PointRecord[];
  readonly next_page_offset: PointId | null;
};

export type SearchMatrix = {
  readonly sample?: number | null | undefined;
  readonly limit?: number | null | undefined;
  readonly filter?: Condition | null | undefined;
  readonly using?: string | null | undefined;
  readonly shard_key?: unknown;
};

export type SearchMatrixOffsets = {
  readonly offsets_row: readonly number[];
  readonly offsets_col: readonly number[];
  readonly scores: readonly (number | null)[];
  readonly ids: readonly PointId[];
};

export type SearchMatrixPair = {
  readonly a: PointId;
  readonly b: PointId;
  readonly score: number | null;
};

export type SearchMatrixPairs = {
  readonly pairs: readonly SearchMatrixPair[];
};

export type SearchParams = {
  readonly hnsw_ef?: number | null | undefined;
  readonly exact?: boolean | null | undefined;
  readonly quantization?: QuantizationSearchParams | null | undefined;
  readonly indexed_only?: boolean | null | undefined;
  readonly acorn?: AcornSearchParams | null | undefined;
  readonly idf?: 'global' | IdfCorpus | null | undefined;
};

export type SearchPointGroups = {
  readonly vector: SearchVector;
  readonly filter?: Condition | null | undefined;
  readonly params?: SearchParams | null | undefined;
  readonly with_payload?: WithPayload | null | undefined;
  readonly with_vector?: WithVector | null | undefined;
  readonly with_vectors?: WithVector | null | undefined;
  readonly score_threshold?: number | null | undefined;
  readonly group_by: string;
  readonly group_size?: number | null | undefined;
  readonly limit?: number | null | undefined;
  readonly with_lookup?: WithLookupInterface | null | undefined;
  readonly shard_key?: unknown;
};

export type SearchPoints = {
  readonly vector: SearchVector;
  readonly limit?: number | null | undefined;
  readonly offset?: number | null | undefined;
  readonly filter?: Condition | null | undefined;
  readonly params?: SearchParams | null | undefined;
  readonly with_payload?: WithPayload | null | undefined;
  readonly with_vector?: WithVector | null | undefined;
  readonly with_vectors?: WithVector | null | undefined;
  readonly score_threshold?: number | null | undefined;
  readonly shard_key?: unknown;
  readonly top?: number | null | undefined;
};

export type SearchPointsBatch = {
  readonly searches: readonly SearchPoints[];
};

export type SearchVector = DenseVector | NamedVector | MultiVector | SparseVector | Document;

export type SetPayload = {
  readonly payload: Payload;
  readonly points?: readonly PointId[] | null | undefined;
  readonly filter?: Condition | null | undefined;
  readonly key?: string | null | undefined;
  readonly shard_key?: unknown;
};

export type SetPayloadOperation = {
  readonly set_payload: SetPayload;
};

export type ShardKeys = {
  readonly shard_keys: readonly {
    readonly key: string;
  }[];
};

export type ShardTelemetry = {
  readonly id: number;
  readonly key: null;
  readonly local: {
    readonly variant_name: 'local';
    readonly status: 'green' | 'yellow' | 'grey' | 'red';
    readonly total_optimized_points: number;
    readonly vectors_size_bytes: number;
    readonly payloads_size_bytes: number;
    readonly num_points: number;
    readonly num_vectors: number;
  };
  readonly remote: readonly unknown[];
  readonly replicate_states: { readonly [name: string]: 'Active' };
};

export type Slice = {
  readonly total: number;
  readonly index: number;
};

export type SliceCondition = {
  readonly slice: Slice;
};

export type SnapshotDescription = {
  readonly name: string;
  readonly creation_time: string;
  readonly size: number;
  readonly checksum: string | null;
};

export type SnapshotRecover = {
  readonly location: string;
  readonly priority?: 'no_sync' | 'snapshot' | 'replica' | null | undefined;
  readonly checksum?: string | null | undefined;
  readonly api_key?: string | null | undefined;
};

export type SnapshotRecoverNamed = {
  readonly priority?: 'no_sync' | 'snapshot' | 'replica' | null | undefined;
  readonly checksum?: string | null | undefined;
};

export type SnowballParams = {
  readonly type: 'snowball';
  readonly language: string;
};

export type SparseIndexParams = {
  readonly full_scan_threshold?: number | null | undefined;
  readonly on_disk?: boolean | null | undefined;
  readonly memory?: 'cold' | 'cached' | 'pinned' | null | undefined;
  readonly datatype?: 'float32' | 'float16' | 'uint8' | null | undefined;
};

export type SparseVector = { readonly indices: readonly number[]; readonly values: DenseVector };

export type SparseVectorConfig = {
  readonly sparse: AddedSparseVectorParams;
};

export type SparseVectorParams = {
  readonly index?: SparseIndexParams | null | undefined;
  readonly modifier?: 'none' | 'idf' | null | undefined;
};

export type SqrtExpression = {
  readonly sqrt: Expression;
};

export type StartFrom = number | bigint | string;

export type StemmingAlgorithm = SnowballParams | NoStemmerParams;

export type Stopwords = string | StopwordsSet;

export type StopwordsSet = {
  readonly languages?: readonly string[] | undefined;
  readonly custom?: readonly string[] | undefined;
};

export type StrictModeConfig = {
  readonly enabled?: boolean | null | undefined;
  readonly max_query_limit?: number | null | undefined;
  readonly max_timeout?: number | null | undefined;
  readonly unindexed_filtering_retrieve?: boolean | null | undefined;
  readonly unindexed_filtering_update?: boolean | null | undefined;
  readonly search_max_hnsw_ef?: number | null | undefined;
  readonly search_allow_exact?: boolean | null | undefined;
  readonly search_max_oversampling?: number | null | undefined;
  readonly upsert_max_batchsize?: number | null | undefined;
  readonly search_max_batchsize?: number | null | undefined;
  readonly max_collection_vector_size_bytes?: number | null | undefined;
  readonly max_collection_payload_size_bytes?: number | null | undefined;
  readonly read_rate_limit?: number | null | undefined;
  readonly write_rate_limit?: number | null | undefined;
  readonly max_points_count?: number | null | undefined;
  readonly filter_max_conditions?: number | null | undefined;
  readonly condition_max_size?: number | null | undefined;
  readonly multivector_config?: { readonly [name: string]: StrictModeMultivector } | null | undefined;
  readonly sparse_config?: { readonly [name: string]: StrictModeSparse } | null | undefined;
  readonly max_payload_index_count?: number | null | undefined;
  readonly max_resident_memory_percent?: number | null | undefined;
};

export type StrictModeMultivector = {
  readonly max_vectors?: number | null | undefined;
};

export type StrictModeSparse = {
  readonly max_length?: number | null | undefined;
};

export type SumExpression = {
  readonly sum: readonly Expression[];
};

export type Telemetry = {
  /** Names this run of the service. */
  readonly id: string;
  readonly app: {
    readonly name: string;
    readonly version: string;
    readonly startup?: string | undefined;
  };
  readonly collections: {
    readonly number_of_collections: number;
    readonly collections?: readonly CollectionTelemetry[] | undefined;
  };
  readonly cluster: {
    readonly enabled: false;
  };
  readonly requests: {
    readonly rest: RequestStatistics;
    readonly grpc: RequestStatistics;
  };
};

export type TextIndexParams = {
  readonly type: 'text';
  readonly tokenizer?: 'prefix' | 'whitespace' | 'word' | 'multilingual' | null | undefined;
  readonly min_token_len?: number | null | undefined;
  readonly max_token_len?: number | null | undefined;
  readonly lowercase?: boolean | null | undefined;
  readonly ascii_folding?: boolean | null | undefined;
  readonly phrase_matching?: boolean | null | undefined;
  readonly stopwords?: Stopwords | null | undefined;
  readonly stemmer?: SnowballParams | null | undefined;
  readonly on_disk?: boolean | null | undefined;
  readonly memory?: 'cold' | 'cached' | 'pinned' | null | undefined;
  readonly enable_hnsw?: boolean | null | undefined;
};

export type TurboQuantization = {
  readonly turbo: TurboQuantizationConfig;
};

export type TurboQuantizationConfig = {
  readonly bits?: 'bits1' | 'bits1_5' | 'bits2' | 'bits4' | null | undefined;
  readonly always_ram?: boolean | null | undefined;
  readonly memory?: 'cold' | 'cached' | 'pinned' | null | undefined;
};

export type UpdateCollection = {
  readonly vectors?: { readonly [name: string]: VectorParamsDiff } | null | undefined;
  readonly optimizers_config?: OptimizersConfig | null | undefined;
  readonly params?: CollectionParamsDiff | null | undefined;
  readonly hnsw_config?: HnswConfig | null | undefined;
  readonly quantization_config?: QuantizationConfigDiff | null | undefined;
  readonly sparse_vectors?: { readonly [name: string]: SparseVectorParams } | null | undefined;
  readonly strict_mode_config?: StrictModeConfig | null | undefined;
  readonly metadata?: Payload | null | undefined;
};

export type UpdateOperation = UpsertOperation | DeleteOperation | SetPayloadOperation | OverwritePayloadOperation | DeletePayloadOperation | ClearPayloadOperation | UpdateVectorsOperation | DeleteVectorsOperation;

export type UpdateOperations = {
  readonly operations: readonly UpdateOperation[];
};

export type UpdateResult = {
  readonly operation_id: number;
  readonly status: 'Completed' | 'completed';
};

export type UpdateVectors = {
  readonly points: readonly PointVectors[];
  readonly shard_key?: unknown;
  readonly update_filter?: Filter | null | undefined;
};

export type UpdateVectorsOperation = {
  readonly update_vectors: UpdateVectors;
};

export type UpsertOperation = {
  readonly upsert: UpsertPoints;
};

export type UpsertPoints = UpsertPointsList | UpsertPointsBatch;

export type UpsertPointsBatch = {
  readonly batch: PointsBatch;
  readonly shard_key?: unknown;
  readonly update_filter?: Filter | null | undefined;
  readonly update_mode?: 'upsert' | 'insert_only' | 'update_only' | null | undefined;
};

export type UpsertPointsList = {
  readonly points: readonly PointStruct[];
  readonly shard_key?: unknown;
  readonly update_filter?: Filter | null | undefined;
  readonly update_mode?: 'upsert' | 'insert_only' | 'update_only' | null | undefined;
};

export type UuidIndexParams = {
  readonly type: 'uuid';
  readonly is_tenant?: boolean | null | undefined;
  readonly on_disk?: boolean | null | undefined;
  readonly memory?: 'cold' | 'cached' | 'pinned' | null | undefined;
  readonly enable_hnsw?: boolean | null | undefined;
};

export type ValuesCount = {
  readonly lt?: number | null | undefined;
  readonly gt?: number | null | undefined;
  readonly lte?: number | null | undefined;
  readonly gte?: number | null | undefined;
};

export type Vector = DenseVector | MultiVector | SparseVector | Document;

export type VectorInput = DenseVector | MultiVector | { readonly [name: string]: Vector };

export type VectorNameConfig = DenseVectorConfig | SparseVectorConfig;

export type VectorOrPoint = DenseVector | PointId | MultiVector | SparseVector | Document;

export type VectorOutput = readonly number[] | readonly (readonly number[])[] | { readonly [name: string]: readonly number[] | readonly (readonly number[])[] | {
  readonly indices: readonly number[];
  readonly values: readonly number[];
} };

export type VectorParams = {
  readonly size: number;
  readonly distance: 'Cosine' | 'Dot' | 'Euclid' | 'Manhattan';
  readonly hnsw_config?: HnswConfig | null | undefined;
  readonly quantization_config?: QuantizationConfig | null | undefined;
  readonly on_disk?: boolean | null | undefined;
  readonly memory?: 'cold' | 'cached' | null | undefined;
  readonly datatype?: 'float32' | 'float16' | 'uint8' | null | undefined;
  readonly multivector_config?: MultiVectorConfig | null | undefined;
};

export type VectorParamsDiff = {
  readonly hnsw_config?: HnswConfig | null | undefined;
  readonly quantization_config?: QuantizationConfigDiff | null | undefined;
  readonly on_disk?: boolean | null | undefined;
  readonly memory?: 'cold' | 'cached' | null | undefined;
};

export type VectorStatus = {
  readonly vectors: number;
  readonly indexed: number;
  readonly pending: number;
  readonly graph: boolean;
  readonly codes: string;
  readonly shards: number;
  readonly memory_bytes: number;
};

export type VectorsConfig = VectorParams | { readonly [name: string]: VectorParams };

export type VersionInfo = {
  readonly title: string;
  /** The revision of the published API that this server speaks; clients compare it with theirs. */
  readonly version: string;
  /** The version of this server. */
  readonly product_version: string;
};

export type WithLookup = {
  readonly collection: string;
  readonly with_payload?: WithPayload | null | undefined;
  readonly with_vector?: WithVector | null | undefined;
  readonly with_vectors?: WithVector | null | undefined;
};

export type WithLookupInterface = string | WithLookup;

export type WithPayload = boolean | readonly string[] | PayloadSelectorInclude | PayloadSelectorExclude;

export type WithVector = boolean | readonly string[];

/** What each operation of the vector service takes and answers. */
export type VectorOperations = {
  /** Title and version. */
  readonly root: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly result: VersionInfo;
  };
  /** Alive. */
  readonly healthz: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly result: string;
  };
  /** Alive. */
  readonly livez: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly result: string;
  };
  /** Ready to serve; 503 until then. */
  readonly readyz: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly result: string;
  };
  /** Metrics in the text format of Prometheus. */
  readonly metrics: {
    readonly params: undefined;
    readonly query: {
      readonly per_collection?: boolean | undefined;
      readonly anonymize?: boolean | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: undefined;
    readonly result: string;
  };
  /** What runs here: more of it by details_level, from 0 to 4. */
  readonly telemetry: {
    readonly params: undefined;
    readonly query: {
      readonly anonymize?: boolean | undefined;
      readonly timeout?: number | undefined;
      readonly per_collection?: boolean | undefined;
      readonly details_level?: number | undefined;
    };
    readonly body: undefined;
    readonly result: Telemetry;
  };
  /** Whether the server is part of a cluster; it never is. */
  readonly cluster: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly result: ClusterStatus;
  };
  /** What does not work as collections are configured. */
  readonly issues: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly result: Issues;
  };
  /** Accepted from clients that clear reports: an issue is not reported once but found at each look, so it stays until its cause is gone. */
  readonly clear_issues: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly result: boolean;
  };
  /** This interface as OpenAPI 3.1. */
  readonly openapi: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly result: JsonObject;
  };
  /** This interface as a page. */
  readonly docs: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly result: string;
  };
  /** List collections. */
  readonly list_collections: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly result: CollectionList;
  };
  /** Describe a collection. */
  readonly get_collection: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: CollectionInfo;
  };
  /** Create a collection. */
  readonly create_collection: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly timeout?: number | undefined;
      readonly wait?: boolean | undefined;
    };
    readonly body: CreateCollection;
    readonly result: boolean;
  };
  /** Change the settings of a collection. */
  readonly update_collection: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly timeout?: number | undefined;
      readonly wait?: boolean | undefined;
    };
    readonly body: UpdateCollection;
    readonly result: boolean;
  };
  /** Delete a collection; the result is false when there is none. */
  readonly delete_collection: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly timeout?: number | undefined;
      readonly wait?: boolean | undefined;
    };
    readonly body: undefined;
    readonly result: boolean;
  };
  /** Say whether a collection exists. */
  readonly collection_exists: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: CollectionExistence;
  };
  /** Describe the shards of a collection: a single node has one. */
  readonly collection_cluster_info: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: CollectionClusterInfo;
  };
  /** List the shard keys of a collection: a single node has none. */
  readonly list_shard_keys: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: ShardKeys;
  };
  /** Add a vector to a collection; its points have none of it until they are written again. */
  readonly create_vector: {
    readonly params: { readonly collection_name: string | number | bigint; readonly vector_name: string | number | bigint };
    readonly query: {
      readonly wait?: boolean | undefined;
      readonly ordering?: 'weak' | 'medium' | 'strong' | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: VectorNameConfig;
    readonly result: UpdateResult;
  };
  /** Remove a vector from a collection and all its points. */
  readonly delete_vector: {
    readonly params: { readonly collection_name: string | number | bigint; readonly vector_name: string | number | bigint };
    readonly query: {
      readonly wait?: boolean | undefined;
      readonly ordering?: 'weak' | 'medium' | 'strong' | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: undefined;
    readonly result: UpdateResult;
  };
  /** Create a field index. */
  readonly create_field_index: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly wait?: boolean | undefined;
      readonly ordering?: 'weak' | 'medium' | 'strong' | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: CreateFieldIndex;
    readonly result: UpdateResult;
  };
  /** Delete a field index. */
  readonly delete_field_index: {
    readonly params: { readonly collection_name: string | number | bigint; readonly field_name: string | number | bigint };
    readonly query: {
      readonly wait?: boolean | undefined;
      readonly ordering?: 'weak' | 'medium' | 'strong' | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: undefined;
    readonly result: UpdateResult;
  };
  /** Insert points, or replace those of the same id. */
  readonly upsert_points: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly wait?: boolean | undefined;
      readonly ordering?: 'weak' | 'medium' | 'strong' | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: UpsertPoints;
    readonly result: UpdateResult;
  };
  /** Delete points by ids or by filter. */
  readonly delete_points: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly wait?: boolean | undefined;
      readonly ordering?: 'weak' | 'medium' | 'strong' | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: PointsSelector;
    readonly result: UpdateResult;
  };
  /** Replace the given vectors of points. */
  readonly update_vectors: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly wait?: boolean | undefined;
      readonly ordering?: 'weak' | 'medium' | 'strong' | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: UpdateVectors;
    readonly result: UpdateResult;
  };
  /** Delete named vectors of points. */
  readonly delete_vectors: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly wait?: boolean | undefined;
      readonly ordering?: 'weak' | 'medium' | 'strong' | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: DeleteVectors;
    readonly result: UpdateResult;
  };
  /** Merge a payload into points; a null member removes its key. */
  readonly set_payload: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly wait?: boolean | undefined;
      readonly ordering?: 'weak' | 'medium' | 'strong' | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: SetPayload;
    readonly result: UpdateResult;
  };
  /** Replace the payload of points. */
  readonly overwrite_payload: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly wait?: boolean | undefined;
      readonly ordering?: 'weak' | 'medium' | 'strong' | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: SetPayload;
    readonly result: UpdateResult;
  };
  /** Delete payload keys of points. */
  readonly delete_payload: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly wait?: boolean | undefined;
      readonly ordering?: 'weak' | 'medium' | 'strong' | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: DeletePayload;
    readonly result: UpdateResult;
  };
  /** Remove the whole payload of points. */
  readonly clear_payload: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly wait?: boolean | undefined;
      readonly ordering?: 'weak' | 'medium' | 'strong' | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: PointsSelector;
    readonly result: UpdateResult;
  };
  /** Run several writes in order; earlier ones stay when a later one fails. */
  readonly batch_update: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly wait?: boolean | undefined;
      readonly ordering?: 'weak' | 'medium' | 'strong' | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: UpdateOperations;
    readonly result: readonly UpdateResult[];
  };
  /** Get one point with its payload and vectors. */
  readonly get_point: {
    readonly params: { readonly collection_name: string | number | bigint; readonly id: string | number | bigint };
    readonly query: {
      readonly consistency?: ReadConsistency | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: undefined;
    readonly result: PointRecord;
  };
  /** Get points by their ids; ids that do not exist are left out. */
  readonly retrieve_points: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly consistency?: ReadConsistency | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: RetrievePoints;
    readonly result: readonly PointRecord[];
  };
  /** Page through points by id, or ordered by a payload key. */
  readonly scroll_points: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly consistency?: ReadConsistency | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: ScrollPoints | undefined;
    readonly result: ScrollResult;
  };
  /** Count points. */
  readonly count_points: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly consistency?: ReadConsistency | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: CountPoints | undefined;
    readonly result: CountResult;
  };
  /** Count points by the values of a payload key. */
  readonly facet: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly consistency?: ReadConsistency | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: Facet;
    readonly result: FacetResult;
  };
  /** Find the nearest points to a vector. */
  readonly search_points: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly consistency?: ReadConsistency | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: SearchPoints;
    readonly result: readonly ScoredPoint[];
  };
  /** Several searches in one request. */
  readonly search_batch: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly consistency?: ReadConsistency | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: SearchPointsBatch;
    readonly result: readonly (readonly ScoredPoint[])[];
  };
  /** How near points of a random sample are to each other, as pairs. */
  readonly search_matrix_pairs: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly consistency?: ReadConsistency | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: SearchMatrix | undefined;
    readonly result: SearchMatrixPairs;
  };
  /** The same as a sparse matrix: rows, columns and scores. */
  readonly search_matrix_offsets: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly consistency?: ReadConsistency | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: SearchMatrix | undefined;
    readonly result: SearchMatrixOffsets;
  };
  /** Nearest to a vector or to a stored point, ordered by a payload key, random, or by id. */
  readonly query_points: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly consistency?: ReadConsistency | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: QueryPoints | undefined;
    readonly result: QueryResult;
  };
  /** Several queries in one request. */
  readonly query_batch: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly consistency?: ReadConsistency | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: QueryPointsBatch;
    readonly result: readonly QueryResult[];
  };
  /** Find points like some examples and unlike others. */
  readonly recommend_points: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly consistency?: ReadConsistency | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: RecommendPoints;
    readonly result: readonly ScoredPoint[];
  };
  /** Several recommendations in one request. */
  readonly recommend_batch: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly consistency?: ReadConsistency | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: RecommendPointsBatch;
    readonly result: readonly (readonly ScoredPoint[])[];
  };
  /** Recommendations by the value of a payload key. */
  readonly recommend_groups: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly consistency?: ReadConsistency | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: RecommendPointGroups;
    readonly result: GroupsResult;
  };
  /** Find points near a target, on the right side of pairs of examples. */
  readonly discover_points: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly consistency?: ReadConsistency | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: DiscoverPoints;
    readonly result: readonly ScoredPoint[];
  };
  /** Several discoveries in one request. */
  readonly discover_batch: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly consistency?: ReadConsistency | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: DiscoverPointsBatch;
    readonly result: readonly (readonly ScoredPoint[])[];
  };
  /** The nearest points by the value of a payload key. */
  readonly search_groups: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly consistency?: ReadConsistency | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: SearchPointGroups;
    readonly result: GroupsResult;
  };
  /** The hits of a query by the value of a payload key. */
  readonly query_groups: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly consistency?: ReadConsistency | undefined;
      readonly timeout?: number | undefined;
    };
    readonly body: QueryPointGroups;
    readonly result: GroupsResult;
  };
  /** List the aliases of all collections. */
  readonly list_aliases: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly result: AliasList;
  };
  /** List the aliases of a collection. */
  readonly list_collection_aliases: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: AliasList;
  };
  /** Create, delete and rename aliases: all of the actions in order, or none. */
  readonly change_aliases: {
    readonly params: undefined;
    readonly query: {
      readonly timeout?: number | undefined;
      readonly wait?: boolean | undefined;
    };
    readonly body: ChangeAliases;
    readonly result: boolean;
  };
  /** Create, delete and rename aliases: all of the actions in order, or none. */
  readonly update_aliases: {
    readonly params: undefined;
    readonly query: {
      readonly timeout?: number | undefined;
      readonly wait?: boolean | undefined;
    };
    readonly body: ChangeAliases;
    readonly result: boolean;
  };
  /** Answer when every write that came before is on disk. */
  readonly flush_collection: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: UpdateResult;
  };
  /** Put the graphs in order, release the memory of deleted points, and save. */
  readonly optimize_collection: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly wait?: boolean | undefined;
    };
    readonly body: undefined;
    readonly result: boolean;
  };
  /** Build every graph afresh, while the former ones are searched. */
  readonly rebuild_index: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly wait?: boolean | undefined;
    };
    readonly body: undefined;
    readonly result: boolean;
  };
  /** Say how far the graphs of a collection are, what they take, and what goes on. */
  readonly collection_status: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: CollectionStatus;
  };
  /** The progress of the graphs, in the words of segments and optimizers. */
  readonly optimizations: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly with?: string | undefined;
      readonly completed_limit?: number | undefined;
    };
    readonly body: undefined;
    readonly result: OptimizationReport;
  };
  /** List the snapshots of a collection. */
  readonly list_snapshots: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: readonly SnapshotDescription[];
  };
  /** Write a snapshot of a collection, while it is read and written. */
  readonly create_snapshot: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly wait?: boolean | undefined;
    };
    readonly body: undefined;
    readonly result: SnapshotDescription;
  };
  /** Download a snapshot of a collection. */
  readonly get_snapshot: {
    readonly params: { readonly collection_name: string | number | bigint; readonly snapshot_name: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: ReadableStream<Uint8Array>;
  };
  /** Delete a snapshot of a collection. */
  readonly delete_snapshot: {
    readonly params: { readonly collection_name: string | number | bigint; readonly snapshot_name: string | number | bigint };
    readonly query: {
      readonly wait?: boolean | undefined;
    };
    readonly body: undefined;
    readonly result: boolean;
  };
  /** List the snapshots of the whole storage. */
  readonly list_full_snapshots: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly result: readonly SnapshotDescription[];
  };
  /** Write a snapshot of the whole storage: one of each collection, and the aliases. */
  readonly create_full_snapshot: {
    readonly params: undefined;
    readonly query: {
      readonly wait?: boolean | undefined;
    };
    readonly body: undefined;
    readonly result: SnapshotDescription;
  };
  /** Download a snapshot of the whole storage. */
  readonly get_full_snapshot: {
    readonly params: { readonly snapshot_name: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: ReadableStream<Uint8Array>;
  };
  /** Delete a snapshot of the whole storage. */
  readonly delete_full_snapshot: {
    readonly params: { readonly snapshot_name: string | number | bigint };
    readonly query: {
      readonly wait?: boolean | undefined;
    };
    readonly body: undefined;
    readonly result: boolean;
  };
  /** Replace a collection, or create it, by a snapshot at a URL or in the snapshots folder. */
  readonly recover_snapshot: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly wait?: boolean | undefined;
    };
    readonly body: SnapshotRecover;
    readonly result: boolean;
  };
  /** Replace a collection by one of its own snapshots. */
  readonly recover_named_snapshot: {
    readonly params: { readonly collection_name: string | number | bigint; readonly snapshot_name: string | number | bigint };
    readonly query: {
      readonly wait?: boolean | undefined;
    };
    readonly body: SnapshotRecoverNamed | undefined;
    readonly result: boolean;
  };
  /** Replace a collection, or create it, by a snapshot that is uploaded. */
  readonly recover_uploaded_snapshot: {
    readonly params: { readonly collection_name: string | number | bigint };
    readonly query: {
      readonly wait?: boolean | undefined;
      readonly priority?: 'no_sync' | 'snapshot' | 'replica' | undefined;
      readonly checksum?: string | undefined;
    };
    readonly body: Blob;
    readonly result: boolean;
  };
  /** Create the admin user; only from the machine that the server runs on. */
  readonly create_admin: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: NewPassword;
    readonly result: AuthMessage;
  };
  /** Log in as admin; answers a JWT. */
  readonly login: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: Password;
    readonly result: LoginReply;
  };
  /** Set a new password; only from the machine that the server runs on, and by no access token. */
  readonly reset_password: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: NewPassword;
    readonly result: AuthMessage;
  };
  /** Say whether the admin user has been created. */
  readonly admin_exists: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly result: boolean;
  };
  /** Say whether authentication is enforced. */
  readonly enforced: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly result: boolean;
  };
  /** Switch enforcement on or off; needs the admin JWT in both states. */
  readonly set_enforced: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: AuthEnabled;
    readonly result: boolean;
  };
  /** Create an access token. */
  readonly create_token: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: CreateAccessToken;
    readonly result: IssuedAccessToken;
  };
  /** List access tokens, without their secrets. */
  readonly list_tokens: {
    readonly params: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly result: readonly AccessToken[];
  };
  /** Give an access token a new secret; the old one stops working at once. */
  readonly rotate_token: {
    readonly params: { readonly token_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: IssuedAccessToken;
  };
  /** Delete an access token; it stops working at once. */
  readonly delete_token: {
    readonly params: { readonly token_id: string | number | bigint };
    readonly query: undefined;
    readonly body: undefined;
    readonly result: AuthMessage;
  };
};
