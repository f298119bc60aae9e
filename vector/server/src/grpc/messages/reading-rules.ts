/** Where a message of the protocol and the body of REST for the same thing differ in shape. */
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type {
  BinaryQuantizationQueryEncoding,
  ContextInput,
  CountPoints,
  DenseVector,
  Expression,
  Formula,
  IdfParams,
  LookupLocation,
  MaxOptimizationThreads,
  MultiDenseVector,
  NamedVectors,
  NearestInputWithMmr,
  PayloadIndexParams,
  PointStruct,
  PointsSelector,
  PointsUpdateOperation,
  QuantizationConfig,
  QuantizationConfigDiff,
  Query,
  Rrf,
  SearchPointGroups,
  SearchPoints,
  SparseVector,
  SparseVectorConfig,
  StartFrom,
  StemmingAlgorithm,
  Struct,
  TargetVector,
  Value,
  Vector,
  VectorExample,
  VectorInput,
  Vectors,
  VectorsConfig,
  VectorsConfigDiff,
  VectorsSelector,
  WithPayloadSelector,
  WithVectorsSelector,
} from '@qdrant/js-client-grpc';
import { exactInteger, fromValue, fromValues } from '@sextant/contracts-protocol';
import { ServiceError } from '@sextant/contracts-vector';
import type { Members, MessageReader, ReadingRules } from './message-reader.ts';

// The client's package does not export the types of filters by name.
type PointId = NonNullable<PointStruct['id']>;
type Filter = NonNullable<CountPoints['filter']>;
type Condition = Filter['must'][number];
type FieldCondition = Extract<Condition['conditionOneOf'], { case: 'field' }>['value'];
type HasIdCondition = Extract<Condition['conditionOneOf'], { case: 'hasId' }>['value'];
type HasVectorCondition = Extract<Condition['conditionOneOf'], { case: 'hasVector' }>['value'];
type Match = NonNullable<FieldCondition['match']>;
type DatetimeRange = NonNullable<FieldCondition['datetimeRange']>;
type VectorParamsMap = Extract<VectorsConfig['config'], { case: 'paramsMap' }>['value'];
type VectorParamsDiffMap = Extract<VectorsConfigDiff['config'], { case: 'paramsMap' }>['value'];

export const readingRules: ReadingRules = {
  'qdrant.PointId': ({ pointIdOptions: id }: PointId) => (id.case === 'num' ? exactInteger(id.value) : id.value),
  'qdrant.Value': (value: Value) => fromValue(value),
  'qdrant.Struct': ({ fields }: Struct) => fromValues(fields),

  'qdrant.Vectors': ({ vectorsOptions }: Vectors, reader) => readGroup(vectorsOptions, reader),
  'qdrant.NamedVectors': ({ vectors }: NamedVectors, reader) => mapValues(vectors, (vector) => reader.read(vector)),
  'qdrant.Vector': (vector: Vector, reader) =>
    vector.vector.case === undefined ? olderVector(vector, reader) : readGroup(vector.vector, reader),
  'qdrant.DenseVector': ({ data }: DenseVector, reader) => reader.vector(data),
  'qdrant.SparseVector': ({ indices, values }: SparseVector) => ({ indices, values }),
  'qdrant.MultiDenseVector': ({ vectors }: MultiDenseVector, reader) => vectors.map(({ data }) => reader.vector(data)),
  'qdrant.VectorInput': ({ variant }: VectorInput, reader) =>
    variant.case === undefined ? nothingSet('VectorInput', 'a vector or the id of a point') : readGroup(variant, reader),
  'qdrant.VectorsSelector': ({ names }: VectorsSelector) => names,
  'qdrant.WithVectorsSelector': ({ selectorOptions }: WithVectorsSelector, reader) => readGroup(selectorOptions, reader),
  'qdrant.WithPayloadSelector': ({ selectorOptions: { case: kind, value } }: WithPayloadSelector) => {
    if (kind === undefined || kind === 'enable') return value;
    return { [kind]: value.fields };
  },
  'qdrant.PointsSelector': ({ pointsSelectorOneOf: { case: kind, value } }: PointsSelector, reader) => {
    if (kind === undefined) return {};
    return kind === 'points' ? { points: reader.readAll(value.ids) } : { filter: reader.read(value) };
  },

  'qdrant.Filter': readFilter,
  'qdrant.Condition': readCondition,
  'qdrant.FieldCondition': (condition: FieldCondition, reader) => {
    const { datetime_range, ...members } = reader.members(condition);
    return { ...members, ...(datetime_range === undefined ? {} : { range: datetime_range }) };
  },
  'qdrant.HasIdCondition': ({ hasId }: HasIdCondition, reader) => reader.readAll(hasId),
  'qdrant.HasVectorCondition': ({ hasVector }: HasVectorCondition) => hasVector,
  'qdrant.Match': readMatch,
  'qdrant.DatetimeRange': (range: DatetimeRange) => {
    const { lt, gt, lte, gte } = range;
    const bounds = Object.entries({ lt, gt, lte, gte });
    return Object.fromEntries(bounds.flatMap(([name, time]) => (time === undefined ? [] : [[name, isoTime(time)]])));
  },

  'qdrant.VectorsConfig': ({ config }: VectorsConfig, reader) => readGroup(config, reader),
  'qdrant.VectorParamsMap': ({ map }: VectorParamsMap, reader) => mapValues(map, (params) => reader.read(params)),
  'qdrant.VectorsConfigDiff': ({ config }: VectorsConfigDiff, reader) =>
    config.case === 'params' ? { '': reader.read(config.value) } : readGroup(config, reader),
  'qdrant.VectorParamsDiffMap': ({ map }: VectorParamsDiffMap, reader) => mapValues(map, (params) => reader.read(params)),
  'qdrant.SparseVectorConfig': ({ map }: SparseVectorConfig, reader) => mapValues(map, (params) => reader.read(params)),
  'qdrant.MaxOptimizationThreads': ({ variant }: MaxOptimizationThreads) =>
    variant.case === 'value' ? exactInteger(variant.value) : 'auto',
  'qdrant.QuantizationConfig': readQuantization,
  'qdrant.QuantizationConfigDiff': readQuantization,
  'qdrant.BinaryQuantizationQueryEncoding': (encoding: BinaryQuantizationQueryEncoding, reader) => {
    const { setting } = reader.members(encoding);
    return typeof setting === 'string' ? setting.replace('_bits', 'bits') : undefined;
  },
  'qdrant.StrictModeMultivectorConfig': (config: never, reader) => reader.members(config).multivector_config ?? {},
  'qdrant.StrictModeSparseConfig': (config: never, reader) => reader.members(config).sparse_config ?? {},
  'qdrant.PayloadIndexParams': readIndexParams,
  'qdrant.StemmingAlgorithm': ({ stemmingParams }: StemmingAlgorithm) =>
    stemmingParams.case === 'snowball' ? { type: 'snowball', language: stemmingParams.value.language } : undefined,
  'qdrant.KeywordPrefixParams': () => true,

  'qdrant.SearchPoints': readSearch,
  'qdrant.SearchPointGroups': readSearch,
  'qdrant.TargetVector': ({ target }: TargetVector, reader) => readGroup(target, reader),
  'qdrant.VectorExample': ({ example }: VectorExample, reader) => readGroup(example, reader),
  'qdrant.StartFrom': ({ value: start }: StartFrom) => {
    if (start.case === 'timestamp') return isoTime(start.value);
    return start.case === 'integer' ? exactInteger(start.value) : start.value;
  },
  'qdrant.LookupLocation': ({ collectionName, vectorName }: LookupLocation) => ({
    collection: collectionName,
    ...(vectorName === undefined ? {} : { vector: vectorName }),
  }),
  'qdrant.IdfParams': ({ corpus }: IdfParams, reader) => (corpus === undefined ? 'global' : { corpus: reader.read(corpus) }),
  'qdrant.Query': readQuery,
  'qdrant.NearestInputWithMmr': ({ nearest, mmr }: NearestInputWithMmr, reader) =>
    defined({ nearest: reader.optional(nearest), mmr: reader.optional(mmr) }),
  'qdrant.Rrf': ({ k, weights }: Rrf) => defined({ k, weights: weights.length === 0 ? undefined : weights }),
  'qdrant.ContextInput': ({ pairs }: ContextInput, reader) => reader.readAll(pairs),
  'qdrant.Formula': ({ expression, defaults }: Formula, reader) => ({
    formula: reader.optional(expression),
    defaults: fromValues(defaults),
  }),
  'qdrant.Expression': readExpression,
  'qdrant.PointsUpdateOperation': readUpdate,
};

/** What is chosen of several: a message by its rule, anything else as it is. */
function readGroup(group: { readonly case: string | undefined; readonly value?: unknown }, reader: MessageReader): unknown {
  const { value } = group;
  if (typeof value === 'bigint') return exactInteger(value);
  return typeof value === 'object' && value !== null && '$typeName' in value ? reader.read(value as never) : value;
}

/** As clients before 1.16 send them. */
function olderVector({ data, indices, vectorsCount }: Vector, reader: MessageReader): unknown {
  if (indices !== undefined) return { indices: indices.data, values: data };
  if (vectorsCount === undefined || vectorsCount === 0) return reader.vector(data);
  const length = Math.ceil(data.length / vectorsCount);
  return Array.from({ length: vectorsCount }, (_, index) => reader.vector(data.slice(index * length, (index + 1) * length)));
}

/** Lists that are empty were not given: the protocol cannot tell the two apart. */
function readFilter({ must, should, mustNot, minShould }: Filter, reader: MessageReader): Members {
  const lists = { must, should, must_not: mustNot };
  const given = Object.entries(lists).filter(([, conditions]) => conditions.length > 0);
  return {
    ...Object.fromEntries(given.map(([name, conditions]) => [name, reader.readAll(conditions)])),
    ...(minShould === undefined ? {} : { min_should: reader.read(minShould) }),
  };
}

/** A field and a filter are conditions as they are; the others are wrapped in their name. */
function readCondition({ conditionOneOf: { case: kind, value } }: Condition, reader: MessageReader): unknown {
  // An object without members is a filter to REST, and every point passes it.
  if (kind === undefined) nothingSet('Condition', 'a condition');
  const condition = reader.read(value);
  switch (kind) {
    case 'field':
    case 'filter':
      return condition;
    case 'isEmpty':
      return { is_empty: condition };
    case 'isNull':
      return { is_null: condition };
    case 'hasId':
      return { has_id: condition };
    case 'hasVector':
      return { has_vector: condition };
    case 'nested':
    case 'slice':
      return { [kind]: condition };
  }
}

function readMatch({ matchValue: match }: Match): Members {
  switch (match.case) {
    case 'keyword':
    case 'boolean':
      return { value: match.value };
    case 'integer':
      return { value: exactInteger(match.value) };
    case 'keywords':
      return { any: match.value.strings };
    case 'integers':
      return { any: match.value.integers.map(exactInteger) };
    case 'exceptKeywords':
      return { except: match.value.strings };
    case 'exceptIntegers':
      return { except: match.value.integers.map(exactInteger) };
    case 'textAny':
      return { text_any: match.value };
    case 'text':
    case 'phrase':
    case 'prefix':
      return { [match.case]: match.value };
    case undefined:
      return {};
  }
}

function readQuantization({ quantization }: QuantizationConfig | QuantizationConfigDiff, reader: MessageReader): unknown {
  switch (quantization.case) {
    case undefined:
      return undefined;
    case 'disabled':
      return 'Disabled';
    case 'turboquant':
      return { turbo: reader.read(quantization.value) };
    default:
      return { [quantization.case]: reader.read(quantization.value) };
  }
}

/** `keyword_index_params` are parameters of the type `keyword`. */
function readIndexParams({ indexParams: { case: kind, value } }: PayloadIndexParams, reader: MessageReader): unknown {
  if (kind === undefined) return undefined;
  return { type: kind.replace('IndexParams', ''), ...reader.members(value) };
}

/** A search of its own, or one of a batch. */
function readSearch(search: SearchPoints | SearchPointGroups, reader: MessageReader): Members {
  const { vector, vectorName, sparseIndices } = search;
  const members = reader.members(search, ['collection_name', 'vector', 'vector_name', 'sparse_indices', ...WITHOUT_MEANING]);
  const query = sparseIndices === undefined ? reader.vector(vector) : { indices: sparseIndices.data, values: vector };
  return { ...members, vector: vectorName === undefined ? query : { name: vectorName, vector: query } };
}

/** What a single server has no use for. */
export const WITHOUT_MEANING: readonly string[] = ['wait', 'ordering', 'timeout', 'read_consistency', 'shard_key_selector'];

function readQuery({ variant: { case: kind, value } }: Query, reader: MessageReader): unknown {
  switch (kind) {
    case undefined:
      return nothingSet('Query', 'a query');
    case 'nearest':
    case 'nearestWithMmr':
    case 'formula':
      return reader.read(value);
    case 'fusion':
      return { fusion: value === 0 ? 'rrf' : 'dbsf' };
    case 'sample':
      return { sample: 'random' };
    case 'orderBy':
      return { order_by: reader.read(value) };
    case 'relevanceFeedback':
      return { relevance_feedback: reader.read(value) };
    case 'recommend':
    case 'discover':
    case 'context':
    case 'rrf':
      return { [kind]: reader.read(value) };
  }
}

/** Constants and variables are themselves, conditions are conditions, everything else is an object of one member. */
function readExpression({ variant: { case: kind, value } }: Expression, reader: MessageReader): unknown {
  switch (kind) {
    case undefined:
      return undefined;
    case 'constant':
    case 'variable':
      return value;
    case 'condition':
      return reader.read(value);
    case 'mult':
      return { mult: reader.readAll(value.mult) };
    case 'sum':
      return { sum: reader.readAll(value.sum) };
    case 'datetime':
      return { datetime: value };
    case 'datetimeKey':
      return { datetime_key: value };
    case 'geoDistance':
      return { geo_distance: reader.read(value) };
    case 'expDecay':
      return { exp_decay: reader.read(value) };
    case 'gaussDecay':
      return { gauss_decay: reader.read(value) };
    case 'linDecay':
      return { lin_decay: reader.read(value) };
    default:
      return { [kind]: reader.read(value) };
  }
}

/** One step of a batch of writes. */
function readUpdate({ operation: { case: kind, value } }: PointsUpdateOperation, reader: MessageReader): Members {
  switch (kind) {
    case undefined:
      return {};
    case 'deleteDeprecated':
      return { delete: reader.read(value) };
    case 'clearPayloadDeprecated':
      return { clear_payload: reader.read(value) };
    case 'deletePoints':
      return { delete: reader.optional(value.points) ?? {} };
    case 'clearPayload':
      return { clear_payload: reader.optional(value.points) ?? {} };
    case 'upsert':
      return { upsert: withoutMeaning(reader.members(value)) };
    case 'updateVectors':
      return { update_vectors: withoutMeaning(reader.members(value)) };
    case 'deleteVectors':
      return { delete_vectors: selecting(reader.members(value)) };
    case 'setPayload':
      return { set_payload: { payload: {}, ...selecting(reader.members(value)) } };
    case 'overwritePayload':
      return { overwrite_payload: { payload: {}, ...selecting(reader.members(value)) } };
    case 'deletePayload':
      return { delete_payload: selecting(reader.members(value)) };
  }
}

/** A client that sets none of a group's alternatives has forgotten one: to leave it out would widen what it asks for. */
function nothingSet(type: string, expected: string): never {
  throw new ServiceError('invalid_request', {
    reason: `qdrant.${type}: expected ${expected}, got a message in which no alternative is set`,
  });
}

const NANOSECONDS_PER_MILLISECOND = 1_000_000;
/** Of the years 1 to 9999, as RFC 3339 has them. */
const SECONDS_MIN = -62_135_596_800n;
const SECONDS_MAX = 253_402_300_799n;
const NANOSECONDS = 1_000_000_000;

function isoTime({ seconds, nanos }: Timestamp): string {
  if (seconds < SECONDS_MIN || seconds > SECONDS_MAX || nanos < 0 || nanos >= NANOSECONDS) {
    const reason = `a timestamp: expected a time of the years 1 to 9999, got ${seconds} seconds and ${nanos} nanoseconds`;
    throw new ServiceError('invalid_request', { reason });
  }
  const microseconds = Math.floor(nanos / 1000);
  const fraction = microseconds % 1000 === 0 ? undefined : String(microseconds).padStart(6, '0');
  const iso = new Date(Number(seconds * 1000n) + Math.floor(nanos / NANOSECONDS_PER_MILLISECOND)).toISOString();
  return fraction === undefined ? iso : iso.replace(/\d{3}Z$/, `${fraction}Z`);
}

/** The points that are meant become members of the body, as REST has them. */
export function selecting({ points_selector: selector, ...members }: Members): Members {
  return { ...withoutMeaning(members), ...(selector as Members | undefined) };
}

export function withoutMeaning(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !WITHOUT_MEANING.includes(name)));
}

function defined(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function mapValues<Value>(map: { readonly [name: string]: Value }, read: (value: Value) => unknown): Members {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, read(value)]));
}
