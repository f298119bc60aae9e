/** Where the description of a collection differs in shape between REST and the protocol. */
import { toValue, type WritingRules } from '@sextant/contracts-protocol';
import type { FieldSchema } from '@sextant/contracts-vector';
import type { JsonValue } from '@sextant/foundation-std';

type Members = { readonly [name: string]: unknown };

export const writingRules: WritingRules = {
  'qdrant.Value': (json: JsonValue) => toValue(json),
  'qdrant.CollectionParams': ({ vectors, sparse_vectors: sparse, ...params }: Members) => ({
    ...params,
    vectors_config: vectors,
    sparse_vectors_config: sparse,
  }),
  'qdrant.VectorsConfig': (vectors: Members) => (typeof vectors.size === 'number' ? { params: vectors } : { params_map: vectors }),
  'qdrant.VectorParamsMap': (map: Members) => ({ map }),
  'qdrant.SparseVectorConfig': (map: Members) => ({ map }),
  'qdrant.QuantizationConfig': ({ turbo, ...kinds }: Members) => ({ ...kinds, turboquant: turbo }),
  'qdrant.BinaryQuantizationQueryEncoding': (encoding: string) => ({ setting: encoding.replace('bits', '_bits') }),
  'qdrant.MaxOptimizationThreads': (threads: number | string) => (typeof threads === 'number' ? { value: threads } : { setting: threads }),
  'qdrant.StrictModeMultivectorConfig': (byName: Members) => ({ multivector_config: byName }),
  'qdrant.StrictModeSparseConfig': (byName: Members) => ({ sparse_config: byName }),
  'qdrant.PayloadIndexParams': ({ type, ...params }: FieldSchema) => ({ [`${type}_index_params`]: params }),
  'qdrant.KeywordIndexParams': ({ prefix, ...params }: Members) => (prefix === true ? { ...params, prefix: {} } : params),
  'qdrant.StopwordsSet': (words: string | Members) => (typeof words === 'string' ? { languages: [words] } : words),
  'qdrant.StemmingAlgorithm': ({ language }: Members) => ({ snowball: { language } }),
};
