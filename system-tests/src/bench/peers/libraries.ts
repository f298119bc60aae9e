/** The two libraries behind one shape. One thread each, as one search of the server has. */
import { createRequire } from 'node:module';
import type { VectorSet } from '../../data/low-rank-mixture.ts';
import { GRAPH, LIMIT, type Workload } from '../workload.ts';
import type { PeerName } from './protocol.ts';

export type PeerLibrary = {
  add(points: VectorSet): void;
  /** `field` is the values of a filter's field, by point; only points with 0 may be found. */
  search(query: Float32Array, field: Uint8Array | undefined): readonly number[];
};

/** Resolves from the folder where the bench installs the peers. */
const peers = createRequire(new URL('../../../peers/package.json', import.meta.url));

export function openPeer(name: PeerName, workload: Omit<Workload, 'data'>): PeerLibrary {
  switch (name) {
    case 'usearch':
      return openUsearch(workload);
    case 'hnswlib-node':
      return openHnswlib(workload);
  }
}

/** The part of `usearch` that the bench calls. */
type Usearch = {
  readonly Index: new (
    config: object,
  ) => {
    add(keys: BigUint64Array, vectors: Float32Array, threads: number): void;
    search(query: Float32Array, limit: number, threads: number): { readonly keys: BigUint64Array };
  };
  readonly exactSearch: (
    points: Float32Array,
    query: Float32Array,
    dimension: number,
    limit: number,
    metric: string,
    threads: number,
  ) => { readonly keys: BigUint64Array };
};

function openUsearch({ points: { dimension } }: Omit<Workload, 'data'>): PeerLibrary {
  const { Index, exactSearch }: Usearch = peers('usearch');
  const index = new Index({
    dimensions: dimension,
    metric: 'l2sq',
    quantization: 'f32',
    connectivity: GRAPH.m,
    expansion_add: GRAPH.efConstruct,
    expansion_search: GRAPH.ef,
    multi: false,
  });
  const subsets = new Map<Uint8Array, Subset>();
  let all: VectorSet = { count: 0, dimension, values: new Float32Array() };
  return {
    add: (points) => {
      all = points;
      index.add(
        BigUint64Array.from({ length: points.count }, (_, id) => BigInt(id)),
        points.values,
        1,
      );
    },
    search: (query, field) => {
      if (field === undefined) return Array.from(index.search(query, LIMIT, 1).keys, Number);
      // Its JavaScript interface has no filter, so the best that a user can do is its exact search over the points that pass, copied ahead.
      let subset = subsets.get(field);
      if (subset === undefined) {
        subset = subsetOf(all, field);
        subsets.set(field, subset);
      }
      const { ids, values } = subset;
      // A copy, because it reads a view from the start of the memory below it.
      const { keys } = exactSearch(values, query.slice(), dimension, LIMIT, 'l2sq', 1);
      return Array.from(keys, (key) => ids[Number(key)] ?? -1);
    },
  };
}

type Subset = { readonly ids: readonly number[]; readonly values: Float32Array };

function subsetOf({ dimension, values }: VectorSet, field: Uint8Array): Subset {
  const ids = [...field.keys()].filter((id) => field[id] === 0);
  const kept = new Float32Array(ids.length * dimension);
  for (const [row, id] of ids.entries()) kept.set(values.subarray(id * dimension, (id + 1) * dimension), row * dimension);
  return { ids, values: kept };
}

/** The part of `hnswlib-node` that the bench calls. */
type Hnswlib = {
  readonly HierarchicalNSW: new (
    space: 'l2',
    dimension: number,
  ) => {
    initIndex(maxElements: number, m: number, efConstruct: number): void;
    addPoint(vector: number[], id: number): void;
    setEf(ef: number): void;
    searchKnn(query: number[], limit: number, filter?: (id: number) => boolean): { readonly neighbors: number[] };
  };
};

function openHnswlib({ points: { count, dimension } }: Omit<Workload, 'data'>): PeerLibrary {
  const { HierarchicalNSW }: Hnswlib = peers('hnswlib-node');
  const index = new HierarchicalNSW('l2', dimension);
  index.initIndex(count, GRAPH.m, GRAPH.efConstruct);
  return {
    add: (points) => {
      for (let id = 0; id < points.count; id++) {
        index.addPoint(Array.from(points.values.subarray(id * dimension, (id + 1) * dimension)), id);
      }
      index.setEf(GRAPH.ef);
    },
    search: (query, field) => {
      const passes = field && ((id: number) => field[id] === 0);
      return index.searchKnn(Array.from(query), LIMIT, passes).neighbors;
    },
  };
}
