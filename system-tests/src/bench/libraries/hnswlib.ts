// SPDX-License-Identifier: Apache-2.0
import { vectorAt } from '../data-sets/data-set.ts';
import { LIMIT } from '../data-sets/truth.ts';
import { requirePeer } from './install.ts';
import { type Library, type LibraryOptions, M } from './library.ts';

/** The part of `hnswlib-node` that the bench calls. */
type Hnswlib = {
  readonly HierarchicalNSW: new (
    space: 'l2' | 'ip',
    dimension: number,
  ) => {
    initIndex(maxElements: number, m: number, efConstruct: number): void;
    addPoint(vector: number[], id: number): void;
    setEf(ef: number): void;
    searchKnn(query: number[], limit: number): { readonly neighbors: number[] };
  };
};

export function openHnswlib({ points: { dimension, count }, metric, efConstruct }: LibraryOptions): Library {
  const { HierarchicalNSW }: Hnswlib = requirePeer('hnswlib-node');
  const index = new HierarchicalNSW(metric === 'Euclid' ? 'l2' : 'ip', dimension);
  index.initIndex(count, M, efConstruct);
  return {
    add: (firstId, values) => {
      for (let row = 0; row * dimension < values.length; row++) {
        index.addPoint(Array.from(vectorAt(values, row, dimension)), firstId + row);
      }
    },
    finish: async () => {},
    widen: (ef) => index.setEf(ef),
    search: (query) => index.searchKnn(Array.from(query), LIMIT).neighbors,
  };
}
