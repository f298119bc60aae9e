/** What every subject of the bench is given: the same points, the same queries, the same filters, and the true answers to compare with. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Random, seededRandom } from '@sextant/foundation-std';
import { lowRankMixture, type VectorSet } from '../data/low-rank-mixture.ts';
import { readDigits, TEST_COUNT, TRAIN_COUNT } from '../data/mnist.ts';

export const LIMIT = 10;
/** The same graph for all: links per node, beam width of the build, beam width of a search. */
export const GRAPH = { m: 16, efConstruct: 100, ef: 128 } as const;

/** A filter lets through the points whose `field` is 0; its values are drawn evenly from 0 to `values` - 1. */
export type Selection = { readonly name: string; readonly field: string | undefined; readonly values: number };

export const SELECTIONS: readonly Selection[] = [
  { name: 'unfiltered', field: undefined, values: 1 },
  { name: 'filter 50 %', field: 'half', values: 2 },
  { name: 'filter 10 %', field: 'tenth', values: 10 },
  { name: 'filter 1 %', field: 'hundredth', values: 100 },
];

export type Workload = {
  readonly data: 'mnist' | 'mixture';
  readonly points: VectorSet;
  readonly queries: VectorSet;
  /** For each of `SELECTIONS`, the value of its field for each point. */
  readonly fields: readonly Uint8Array[];
};

export type WorkloadOptions = { readonly data: Workload['data']; readonly points: number; readonly queries: number; readonly seed: number };

export async function makeWorkload({ data, points, queries, seed }: WorkloadOptions): Promise<Workload> {
  const random = seededRandom(seed);
  const sets = data === 'mnist' ? await mnist(points, queries) : mixture(points, queries, random);
  const fields = SELECTIONS.map(({ values }) => Uint8Array.from({ length: points }, () => random.integer(values)));
  return { data, ...sets, fields };
}

/** Writes a workload where the processes of the peers can read it. */
export async function saveWorkload(directory: string, { points, queries, fields }: Workload): Promise<void> {
  await writeFile(join(directory, 'points'), points.values);
  await writeFile(join(directory, 'queries'), queries.values);
  await writeFile(join(directory, 'fields'), Buffer.concat(fields));
  await writeFile(
    join(directory, 'sizes.json'),
    JSON.stringify({ dimension: points.dimension, points: points.count, queries: queries.count }),
  );
}

export async function loadWorkload(directory: string): Promise<Omit<Workload, 'data'>> {
  const sizes: { dimension: number; points: number; queries: number } = JSON.parse(await readFile(join(directory, 'sizes.json'), 'utf8'));
  const floats = async (name: string) => new Float32Array(Uint8Array.from(await readFile(join(directory, name))).buffer);
  const set = async (name: 'points' | 'queries') => ({ count: sizes[name], dimension: sizes.dimension, values: await floats(name) });
  const bytes = await readFile(join(directory, 'fields'));
  const fields = SELECTIONS.map((_, index) => Uint8Array.from(bytes.subarray(index * sizes.points, (index + 1) * sizes.points)));
  return { points: await set('points'), queries: await set('queries'), fields };
}

/** The ids of the `LIMIT` nearest points that the selection lets through, for each query: every distance is computed. */
export function exactAnswers({ points, queries, fields }: Omit<Workload, 'data'>, selection: number): readonly (readonly number[])[] {
  const field = fields[selection];
  return Array.from({ length: queries.count }, (_, query) => {
    const nearest: { id: number; distance: number }[] = [];
    let worst = Number.POSITIVE_INFINITY;
    for (let id = 0; id < points.count; id++) {
      if (field?.[id] !== 0) continue;
      const distance = squaredDistance(points, id, queries, query);
      if (nearest.length === LIMIT && distance >= worst) continue;
      nearest.push({ id, distance });
      nearest.sort((a, b) => a.distance - b.distance);
      if (nearest.length > LIMIT) nearest.pop();
      worst = nearest.at(-1)?.distance ?? worst;
    }
    return nearest.map(({ id }) => id);
  });
}

function squaredDistance(points: VectorSet, id: number, queries: VectorSet, query: number): number {
  const { dimension } = points;
  const a = points.values;
  const b = queries.values;
  let sum = 0;
  for (let column = 0; column < dimension; column++) {
    const difference = (a[id * dimension + column] ?? 0) - (b[query * dimension + column] ?? 0);
    sum += difference * difference;
  }
  return sum;
}

async function mnist(points: number, queries: number) {
  const set = async (part: 'train' | 't10k', count: number): Promise<VectorSet> => {
    const { dimension, pixels } = await readDigits(part, count);
    return { count, dimension, values: Float32Array.from(pixels) };
  };
  return { points: await set('train', Math.min(points, TRAIN_COUNT)), queries: await set('t10k', Math.min(queries, TEST_COUNT)) };
}

const MIXTURE_DIMENSION = 128;

function mixture(points: number, queries: number, random: Random) {
  const draw = lowRankMixture({ dimension: MIXTURE_DIMENSION, random });
  return { points: draw(points), queries: draw(queries) };
}
