// SPDX-License-Identifier: Apache-2.0
/** The vectors that every section measures with. They are converted once and kept in `.cache/bench`, where every process reads them. */
import { existsSync } from 'node:fs';
import { mkdir, open, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Random, seededRandom } from '@sextant/foundation-std';
import { CLUSTERS, lowRankMixture, RANK, type VectorSet } from '../../data/low-rank-mixture.ts';
import { readMnist, TEST_COUNT, TRAIN_COUNT } from '../../data/mnist.ts';
import { readFashionMnist } from './fashion-mnist.ts';
import { NOISE, readGlove100, withNoise } from './glove-100.ts';
import { holdOut, normalised } from './split.ts';

/** What a process needs to read the vectors itself: a file of float32 in the machine's order, row by row. */
export type VectorFile = { readonly path: string; readonly count: number; readonly dimension: number };

export type DataSet = {
  readonly name: DataSetName;
  readonly title: string;
  readonly metric: 'Cosine' | 'Euclid';
  /** Whether all components are whole numbers from 0 to 255. */
  readonly isOfBytes: boolean;
  readonly points: VectorFile;
  readonly queries: VectorFile;
};

export const DATA_SETS = ['GloVe-100', 'Fashion-MNIST', 'MNIST', 'mixture-384', 'mixture-768', 'mixture', 'GloVe-100-noise'] as const;
export type DataSetName = (typeof DATA_SETS)[number];

const SEED = 20_260_103;
const HELD_OUT = 1000;
export const CACHE = fileURLToPath(new URL('../../../../.cache/bench/', import.meta.url));

type Source = {
  readonly title: string;
  readonly metric: DataSet['metric'];
  readonly isOfBytes?: boolean;
  readonly dimension: number;
  /** Points there are; a set that is made, not read, has as many as are wanted. */
  readonly count: number | undefined;
  make(count: number, random: Random): Promise<{ readonly points: VectorSet; readonly queries: VectorSet }>;
};

const SOURCES: { readonly [Name in DataSetName]: Source } = {
  'GloVe-100': {
    title: 'GloVe vectors of English words',
    metric: 'Cosine',
    dimension: 100,
    count: 341_479 - HELD_OUT,
    make: async (_, random) => holdOut(normalised(await readGlove100()), HELD_OUT, random),
  },
  'Fashion-MNIST': {
    title: 'Fashion-MNIST images',
    metric: 'Euclid',
    isOfBytes: true,
    dimension: 784,
    count: 70_000 - 1 - HELD_OUT,
    make: async (_, random) => holdOut(await readFashionMnist(), HELD_OUT, random),
  },
  MNIST: {
    title: 'MNIST images of handwritten digits',
    metric: 'Euclid',
    isOfBytes: true,
    dimension: 784,
    count: TRAIN_COUNT,
    make: async () => ({
      points: await mnist('train', TRAIN_COUNT),
      queries: await mnist('t10k', Math.min(HELD_OUT, TEST_COUNT)),
    }),
  },
  'mixture-384': mixtureOf(384),
  'mixture-768': mixtureOf(768),
  mixture: mixtureOf(1536),
  'GloVe-100-noise': {
    title: `the GloVe vectors, and further ones made of them by Gaussian noise of ${NOISE} of each component's spread`,
    metric: 'Cosine',
    dimension: 100,
    count: undefined,
    make: async (count, random) => {
      const { points, queries } = holdOut(await readGlove100(), HELD_OUT, random);
      return { points: normalised(withNoise(points, count, random)), queries: normalised(queries) };
    },
  },
};

function mixtureOf(dimension: number): Source {
  return {
    title: `a generated mixture of ${CLUSTERS} overlapping clusters that use ${RANK} of the directions`,
    metric: 'Cosine',
    dimension,
    count: undefined,
    make: async (count, random) => {
      const draw = lowRankMixture({ dimension, random });
      return { points: normalised(draw(count)), queries: normalised(draw(HELD_OUT)) };
    },
  };
}

/** The first `points` points of a set, or all where it has fewer, and `queries` of its queries. */
export async function openDataSet(name: DataSetName, wanted: { readonly points: number; readonly queries: number }): Promise<DataSet> {
  const source = SOURCES[name];
  const path = `${CACHE}${name}${source.count === undefined ? `-${wanted.points}` : ''}`;
  if (!existsSync(`${path}.queries`)) {
    console.log(`Reading ${source.title}`);
    await mkdir(CACHE, { recursive: true });
    const { points, queries } = await source.make(wanted.points, seededRandom(SEED));
    await save(`${path}.points`, points);
    await save(`${path}.queries`, queries);
  }
  const file = (part: 'points' | 'queries', count: number) => ({ path: `${path}.${part}`, count, dimension: source.dimension });
  return {
    name,
    title: source.title,
    metric: source.metric,
    isOfBytes: source.isOfBytes === true,
    points: file('points', Math.min(wanted.points, source.count ?? wanted.points)),
    queries: file('queries', Math.min(wanted.queries, HELD_OUT)),
  };
}

/** Rows [from, to) of a file. */
export async function readVectors(file: VectorFile, from: number, to: number): Promise<Float32Array> {
  const values = new Float32Array((to - from) * file.dimension);
  await readVectorsInto(values, file, from);
  return values;
}

/** Fills `values` with rows of a file, from one on: for who reads again and again, and must leave no garbage. */
export async function readVectorsInto(values: Float32Array, { path, dimension }: VectorFile, from: number): Promise<void> {
  await using file = await open(path);
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, from * dimension * Float32Array.BYTES_PER_ELEMENT);
  if (bytesRead !== bytes.length) {
    throw new Error(`${path} has no rows ${from} to ${from + values.length / dimension}; delete it, and it is made again`);
  }
}

/** Row `row` of vectors that lie one after the other. */
export function vectorAt(values: Float32Array, row: number, dimension: number): Float32Array {
  return values.subarray(row * dimension, (row + 1) * dimension);
}

/** A file is there whole or not at all. */
async function save(path: string, { values }: VectorSet): Promise<void> {
  await writeFile(`${path}.part`, values);
  await rename(`${path}.part`, path);
}

async function mnist(part: 'train' | 't10k', count: number): Promise<VectorSet> {
  const { dimension, pixels } = await readMnist(part, count);
  return { count, dimension, values: Float32Array.from(pixels) };
}
