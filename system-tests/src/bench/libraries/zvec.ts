// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vectorAt } from '../data-sets/data-set.ts';
import { LIMIT } from '../data-sets/truth.ts';
import { requirePeer } from './install.ts';
import { type Library, type LibraryOptions, M } from './library.ts';

type ZvecHit = { readonly id: string };
type ZvecCollection = {
  insertSync(documents: readonly object[]): unknown;
  optimizeSync(options: { readonly concurrency: number }): void;
  querySync(query: object): readonly ZvecHit[];
};
/** The part of `@zvec/zvec` that the bench calls. */
type Zvec = {
  ZVecInitialize(options: object): void;
  ZVecCreateAndOpen(path: string, schema: object): ZvecCollection;
  readonly ZVecCollectionSchema: new (schema: object) => object;
  readonly ZVecDataType: { readonly VECTOR_FP32: number };
  readonly ZVecIndexType: { readonly HNSW: number };
  readonly ZVecMetricType: { readonly L2: number; readonly IP: number };
  readonly ZVecQuantizeType: { readonly UNDEFINED: number; readonly INT8: number };
  readonly ZVecLogLevel: { readonly ERROR: number };
};

const FIELD = 'vector';

/** Keeps everything in a directory; the graph is built by its `optimize`. */
export function openZvec(quantization: 'f32' | 'int8', { points: { dimension }, metric, efConstruct, threads }: LibraryOptions): Library {
  const zvec: Zvec = requirePeer('@zvec/zvec');
  zvec.ZVecInitialize({ logLevel: zvec.ZVecLogLevel.ERROR, queryThreads: 1, optimizeThreads: threads });
  const directory = mkdtempSync(join(tmpdir(), 'bench-zvec-'));
  process.once('exit', () => rmSync(directory, { recursive: true }));
  const indexType = zvec.ZVecIndexType.HNSW;
  const schema = new zvec.ZVecCollectionSchema({
    name: 'bench',
    vectors: {
      name: FIELD,
      dataType: zvec.ZVecDataType.VECTOR_FP32,
      dimension,
      indexParams: {
        indexType,
        metricType: metric === 'Euclid' ? zvec.ZVecMetricType.L2 : zvec.ZVecMetricType.IP,
        m: M,
        efConstruction: efConstruct,
        quantizeType: quantization === 'int8' ? zvec.ZVecQuantizeType.INT8 : zvec.ZVecQuantizeType.UNDEFINED,
      },
    },
  });
  const collection = zvec.ZVecCreateAndOpen(join(directory, 'collection'), schema);
  let ef = LIMIT;
  return {
    add: (firstId, values) => {
      const documents = Array.from({ length: values.length / dimension }, (_, row) => {
        return { id: String(firstId + row), vectors: { [FIELD]: vectorAt(values, row, dimension).slice() } };
      });
      collection.insertSync(documents);
    },
    finish: async () => collection.optimizeSync({ concurrency: threads }),
    widen: (width) => {
      ef = width;
    },
    search: (query) => {
      const hits = collection.querySync({
        fieldName: FIELD,
        vector: query.slice(),
        topk: LIMIT,
        outputFields: [],
        params: { indexType, ef },
      });
      return hits.map(({ id }) => Number(id));
    },
  };
}
