/** The kernel and its peers behind one shape. One thread each, and the same graph parameters. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachIndexer, createVectorSpace, type Quantization } from '../index.ts';
import type { BenchOptions } from './vector-set.ts';

export const GRAPH = { m: 16, efConstruct: 128 } as const;
export const LIMIT = 10;

export type Library = {
  add(points: readonly Float32Array[]): void;
  /** Sets the beam width of the searches that follow. */
  widen(ef: number): void;
  search(query: Float32Array): ArrayLike<number>;
};

export const SUBJECTS = ['int8', 'f32', 'usearch-f32', 'usearch-bf16', 'usearch-i8', 'hnswlib'] as const;
export type SubjectName = (typeof SUBJECTS)[number];

/** The peers lie where the bench of the system tests installs them. */
const peers = createRequire(new URL('../../../../system-tests/peers/package.json', import.meta.url));

/** Throws where a peer is not installed, or has no such distance. */
export function openLibrary(name: SubjectName, options: BenchOptions): Library {
  switch (name) {
    case 'int8':
      return openKernel('int8', options);
    case 'f32':
      return openKernel('none', options);
    case 'usearch-f32':
    case 'usearch-bf16':
    case 'usearch-i8':
      return openUsearch(name.slice('usearch-'.length), options);
    case 'hnswlib':
      return openHnswlib(options);
  }
}

function openKernel(quantization: Quantization, { dimension, metric }: BenchOptions): Library {
  const space = createVectorSpace({ dimension, metric, ...GRAPH, seed: 1, quantization });
  const indexer = attachIndexer(space.handle);
  let ef = 0;
  return {
    add: (points) => {
      for (const [row, vector] of points.entries()) space.put(row, vector, row);
      while (indexer.link(1000) > 0) indexer.reclaim();
    },
    widen: (width) => {
      ef = width;
    },
    search: (query) => space.search(query, { k: LIMIT, ef }).rows,
  };
}

/** The part of `usearch` that the bench calls. */
type UsearchIndex = {
  add(keys: BigUint64Array, vectors: Float32Array, threads: number): void;
  search(query: Float32Array, limit: number, threads: number): { readonly keys: BigUint64Array };
  save(path: string): void;
  load(path: string): void;
};

function openUsearch(quantization: string, { dimension, metric }: BenchOptions): Library {
  if (metric === 'manhattan') throw new Error('usearch has no manhattan distance');
  const { Index }: { readonly Index: new (config: object) => UsearchIndex } = peers('usearch');
  const make = (ef: number) =>
    new Index({
      dimensions: dimension,
      metric: metric === 'dot' ? 'ip' : 'l2sq',
      quantization,
      connectivity: GRAPH.m,
      expansion_add: GRAPH.efConstruct,
      expansion_search: ef,
      multi: false,
    });
  let index = make(LIMIT);
  const directory = mkdtempSync(join(tmpdir(), 'kernel-bench-'));
  process.on('exit', () => rmSync(directory, { recursive: true }));
  const path = join(directory, 'usearch');
  return {
    add: (points) => {
      for (const [row, vector] of points.entries()) index.add(BigUint64Array.of(BigInt(row)), vector, 1);
      index.save(path);
    },
    // The beam width is fixed when an index is made.
    widen: (ef) => {
      index = make(ef);
      index.load(path);
    },
    search: (query) => Array.from(index.search(query, LIMIT, 1).keys, Number),
  };
}

/** The part of `hnswlib-node` that the bench calls. */
type HnswlibIndex = {
  initIndex(maxElements: number, m: number, efConstruct: number): void;
  addPoint(vector: number[], id: number): void;
  setEf(ef: number): void;
  searchKnn(query: number[], limit: number): { readonly neighbors: number[] };
};

function openHnswlib({ dimension, metric }: BenchOptions): Library {
  if (metric === 'manhattan') throw new Error('hnswlib-node has no manhattan distance');
  const { HierarchicalNSW }: { readonly HierarchicalNSW: new (space: string, dimension: number) => HnswlibIndex } = peers('hnswlib-node');
  const index = new HierarchicalNSW(metric === 'dot' ? 'ip' : 'l2', dimension);
  return {
    add: (points) => {
      index.initIndex(points.length, GRAPH.m, GRAPH.efConstruct);
      for (const [row, vector] of points.entries()) index.addPoint(Array.from(vector), row);
    },
    widen: (ef) => index.setEf(ef),
    search: (query) => index.searchKnn(Array.from(query), LIMIT).neighbors,
  };
}
