// SPDX-License-Identifier: Apache-2.0
/** Collections, their configuration, field indexes, aliases and snapshots. */
import type {
  BinaryQuantizationQueryEncoding,
  MaxOptimizationThreads,
  PayloadIndexParams,
  QuantizationConfig,
  QuantizationConfigDiff,
  ShardKey,
  ShardKeySelector,
  SparseVectorConfig,
  StemmingAlgorithm,
  VectorsConfig,
  VectorsConfigDiff,
} from '@qdrant/js-client-grpc';
import type { CollectionInfo, FieldSchema, SnapshotDescription } from '@sextant/contracts-vector';
import { exactInteger } from '../json-values.ts';
import type { MessageReader } from '../message-reader.ts';
import { defined, listOf, type Members, type Rule, type Rules, readBody, readChoice } from '../rule.ts';

/** The client's package does not export it by name. */
type VectorParamsMap = Extract<VectorsConfig['config'], { case: 'paramsMap' }>['value'];

/** A map of parameters by the names of vectors. */
const byName: Rule = {
  read: ({ map }: VectorParamsMap | SparseVectorConfig, reader) =>
    Object.fromEntries(Object.entries(map).map(([name, params]) => [name, reader.read(params)])),
  write: (map: Members) => ({ map }),
};

const quantization: Rule = {
  read: ({ quantization: { case: kind, value } }: QuantizationConfig | QuantizationConfigDiff, reader) => {
    if (kind === undefined) return undefined;
    if (kind === 'disabled') return 'Disabled';
    return { [kind === 'turboquant' ? 'turbo' : kind]: reader.read(value) };
  },
  write: ({ turbo, ...kinds }: Members) => ({ ...kinds, turboquant: turbo }),
};

const configuration: Rule = {
  read: (request: never, reader) => {
    const { vectors_config: vectors, sparse_vectors_config: sparse, ...members } = readBody(request, reader);
    return { ...members, ...defined({ vectors, sparse_vectors: sparse }) };
  },
};

/** A message of one member, which REST has in its place. */
function only(member: string): Rule {
  return {
    read: (message: never, reader) => reader.members(message)[member] ?? {},
    write: (json: unknown) => ({ [member]: json }),
  };
}

export const collectionRules: Rules = {
  'qdrant.CreateCollection': configuration,
  'qdrant.UpdateCollection': configuration,
  'qdrant.CollectionParams': {
    write: ({ vectors, sparse_vectors: sparse, ...params }: Members) => ({
      ...params,
      vectors_config: vectors,
      sparse_vectors_config: sparse,
    }),
  },
  'qdrant.VectorsConfig': {
    read: ({ config }: VectorsConfig, reader) => readChoice(config, reader),
    write: (vectors: Members) => (typeof vectors.size === 'number' ? { params: vectors } : { params_map: vectors }),
  },
  'qdrant.VectorsConfigDiff': {
    read: ({ config }: VectorsConfigDiff, reader) =>
      config.case === 'params' ? { '': reader.read(config.value) } : readChoice(config, reader),
  },
  'qdrant.VectorParamsMap': byName,
  'qdrant.VectorParamsDiffMap': byName,
  'qdrant.SparseVectorConfig': byName,
  'qdrant.QuantizationConfig': quantization,
  'qdrant.QuantizationConfigDiff': quantization,
  'qdrant.BinaryQuantizationQueryEncoding': {
    read: (encoding: BinaryQuantizationQueryEncoding, reader) => {
      const { setting } = reader.members(encoding);
      return typeof setting === 'string' ? setting.replace('_bits', 'bits') : undefined;
    },
    write: (encoding: string) => ({ setting: encoding.replace('bits', '_bits') }),
  },
  'qdrant.MaxOptimizationThreads': {
    read: ({ variant }: MaxOptimizationThreads) => (variant.case === 'value' ? exactInteger(variant.value) : 'auto'),
    write: (threads: number | string) => (typeof threads === 'number' ? { value: threads } : { setting: threads }),
  },
  'qdrant.StrictModeMultivectorConfig': only('multivector_config'),
  'qdrant.StrictModeSparseConfig': only('sparse_config'),
  'qdrant.OptimizerStatus': {
    write: (status: CollectionInfo['optimizer_status']) => (status === 'ok' ? { ok: true } : { ok: false, error: status.error }),
  },

  'qdrant.CreateFieldIndexCollection': {
    // The type, or the type with its parameters.
    read: (request: never, reader) => {
      const { field_type: type, field_index_params: params, ...members } = readBody(request, reader);
      return { ...members, field_schema: params ?? type };
    },
  },
  'qdrant.CreateVectorNameRequest': {
    read: (request: never, reader) => {
      const { dense_config: dense, sparse_config: sparse } = reader.members(request);
      return defined({ dense, sparse });
    },
  },
  'qdrant.PayloadIndexParams': {
    read: readIndexParams,
    write: ({ type, ...params }: FieldSchema) => ({ [`${type}_index_params`]: params }),
  },
  'qdrant.KeywordIndexParams': {
    write: ({ prefix, ...params }: Members) => (prefix === true ? { ...params, prefix: {} } : params),
  },
  'qdrant.KeywordPrefixParams': { read: () => true },
  'qdrant.StopwordsSet': { write: (words: string | Members) => (typeof words === 'string' ? { languages: [words] } : words) },
  'qdrant.StemmingAlgorithm': {
    read: ({ stemmingParams }: StemmingAlgorithm) =>
      stemmingParams.case === 'snowball' ? { type: 'snowball', language: stemmingParams.value.language } : undefined,
    write: ({ language }: Members) => ({ snowball: { language } }),
  },

  'qdrant.UpdateCollectionClusterSetupRequest': {
    // REST calls what is done with keys of shards otherwise than the protocol.
    read: (request: never, reader) => {
      const { create_shard_key: created, delete_shard_key: dropped, ...body } = readBody(request, reader);
      return { ...body, ...defined({ create_sharding_key: created, drop_sharding_key: dropped }) };
    },
  },
  'qdrant.CreateShardKeyRequest': only('request'),
  'qdrant.DeleteShardKeyRequest': only('request'),
  'qdrant.ShardKey': {
    read: ({ key }: ShardKey, reader) => readChoice(key, reader),
    write: (key: string | number) => (typeof key === 'string' ? { keyword: key } : { number: key }),
  },
  'qdrant.ShardKeySelector': {
    // One key that another stands in for, or those of a list; an empty one names none.
    read: ({ shardKeys, fallback }: ShardKeySelector, reader) => {
      const keys = reader.readAll(shardKeys);
      if (fallback !== undefined) return { target: keys.length > 1 ? keys : keys[0], fallback: reader.read(fallback) };
      return keys.length === 0 ? undefined : keys;
    },
    write: (selector: unknown) => {
      if (typeof selector !== 'object' || selector === null || Array.isArray(selector)) return { shard_keys: listOf(selector) };
      const { target, fallback } = selector as Members;
      return { shard_keys: [target], fallback };
    },
  },
  'qdrant.CollectionClusterInfoResponse': { write: writeSpread },
  'qdrant.ListShardKeysResponse': { write: writeSpread },

  'qdrant.ListCollectionsResponse': { write: writeSpread },
  'qdrant.ListAliasesResponse': { write: writeSpread },
  'qdrant.CreateSnapshotResponse': { write: ({ result, time }: Members) => ({ snapshot_description: result, time }) },
  'qdrant.ListSnapshotsResponse': { write: ({ result, time }: Members) => ({ snapshot_descriptions: result, time }) },
  'qdrant.DeleteSnapshotResponse': { write: ({ time }: Members) => ({ time }) },
  'qdrant.SnapshotDescription': {
    // In UTC, without a zone.
    write: ({ creation_time: at, ...members }: SnapshotDescription) => ({ ...members, creation_time: new Date(`${at}Z`) }),
  },
};

function writeSpread({ result, time }: { readonly result: Members; readonly time: number }): Members {
  return { ...result, time };
}

/** `keyword_index_params` are parameters of the type `keyword`. */
function readIndexParams({ indexParams: { case: kind, value } }: PayloadIndexParams, reader: MessageReader): unknown {
  if (kind === undefined) return undefined;
  return { type: kind.replace('IndexParams', ''), ...reader.members(value) };
}
