// SPDX-License-Identifier: Apache-2.0
/**
 * Prints the constants of search-costs.ts on this machine, and what the planner's mistakes cost: for filters that few or many rows match,
 * at random, nearest to the queries or farthest from them, each plan is timed, and the planner's choice is compared with the fastest
 * one that reaches the recall. Constants are the least squares of relative errors over all that was measured; times are
 * the quickest of some rounds.
 *
 *   node vector/collection/src/reads/search-costs.bench.ts [--set glove.f32,100,dot,20000 --set fashion-mnist.f32,784,euclid,10000]
 *
 * A set is a file of float32 components, their number in a vector, a metric and how many vectors are taken; without one, clusters of random
 * vectors. It takes sets of different dimensions to tell what a row costs from what its bytes do.
 */
import { readFileSync } from 'node:fs';
import { seededRandom } from '@sextant/foundation-std';
import { readFlags } from '@sextant/foundation-testing';
import { attachIndexer, createVectorSpace, type Metric, type Neighbours, type SpaceWriter } from '@sextant/vector-kernel';
import { RowSet } from '@sextant/vector-storage';
import { planSearch, type RowPlan } from './dense/plan.ts';
import { MatchingRows } from './matching-rows.ts';
import type { RowBytes } from './search-costs.ts';

const M = 16;
const EF = 128;
const K = 10;
const SHARES = [0.5, 0.2, 0.1, 0.03, 0.01, 0.001];
const KINDS = ['random', 'near', 'far'] as const;
const ANCHORS = 3;
const QUERIES_PER_ANCHOR = 10;
const HELD_OUT = 400;
const ROUNDS = 8;
const RECALL = 0.95;

type Source = { readonly file: string | undefined; readonly dimension: number; readonly metric: Metric; readonly count: number };
const CLUSTERS: readonly Source[] = [
  { file: undefined, dimension: 100, metric: 'dot', count: 20_000 },
  { file: undefined, dimension: 784, metric: 'euclid', count: 10_000 },
];
const random = seededRandom(1);

type Way = { readonly plan: RowPlan; readonly us: number; readonly recall: number };
type Case = { readonly name: string; readonly rows: MatchingRows; readonly ways: readonly Way[]; readonly chosen: readonly RowPlan[] };
type Subject = { readonly bytes: RowBytes; readonly count: number; readonly cases: readonly Case[] };

function vectorsOf({ file, dimension, count }: Source): Float32Array[] {
  if (file !== undefined) {
    const bytes = readFileSync(file);
    const floats = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / Float32Array.BYTES_PER_ELEMENT);
    const rows = Math.floor(floats.length / dimension);
    // Spread over the file: neighbours in it may be alike.
    return Array.from({ length: count }, (_, index) => {
      const start = ((index * 7919) % rows) * dimension;
      return floats.slice(start, start + dimension);
    });
  }
  const gaussian = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const centres = Array.from({ length: 100 }, () => Float32Array.from({ length: dimension }, gaussian));
  return Array.from({ length: count }, () => (centres[random.integer(100)] ?? new Float32Array()).map((value) => value + 0.7 * gaussian()));
}

function measure(source: Source): Subject {
  const { dimension, metric, count } = source;
  const vectors = vectorsOf({ ...source, count: count + HELD_OUT });
  const space = createVectorSpace({ dimension, metric, m: M, efConstruct: 128, seed: 1 });
  const indexer = attachIndexer(space.handle);
  for (const [row, vector] of vectors.slice(0, count).entries()) space.put(row, vector, row);
  while (indexer.link(1000) > 0) indexer.reclaim();
  const heldOut = vectors.slice(count);
  const anchors = heldOut.slice(0, ANCHORS).map((anchor) => ({
    order: space.scan(anchor, { k: count, fromRow: 0, toRow: count }).rows,
    queries: nearestOf(anchor, heldOut.slice(ANCHORS)),
  }));
  const projected = space.comparesProjections ? { projected: dimension } : {};
  const bytes = { vector: dimension * Float32Array.BYTES_PER_ELEMENT, code: space.comparedBytes, ...projected };
  const cases = KINDS.flatMap((kind) =>
    SHARES.map((share) => {
      const parts = anchors.map(({ order, queries }) => ({ rows: rowsOf(kind, share, order), queries }));
      return measureCase(space, bytes, `${kind} ${share * 100} %`, parts);
    }),
  );
  return { bytes, count, cases };
}

function nearestOf(anchor: Float32Array, among: readonly Float32Array[]): Float32Array[] {
  const space = createVectorSpace({ dimension: anchor.length, metric: 'euclid', m: 0, efConstruct: 1, seed: 1, quantization: 'none' });
  for (const [row, vector] of among.entries()) space.put(row, vector, row);
  const { rows } = space.scan(anchor, { k: QUERIES_PER_ANCHOR, fromRow: 0, toRow: among.length });
  return Array.from(rows, (row) => among[row] ?? anchor);
}

function rowsOf(kind: (typeof KINDS)[number], share: number, order: Uint32Array): MatchingRows {
  const wanted = Math.ceil(order.length * share);
  if (kind === 'random') return new MatchingRows(RowSet.of(order.filter(() => random.next() < share)));
  return new MatchingRows(RowSet.of(kind === 'near' ? order.subarray(0, wanted) : order.subarray(-wanted)));
}

type Part = { readonly rows: MatchingRows; readonly queries: readonly Float32Array[] };

function measureCase(space: SpaceWriter, bytes: RowBytes, name: string, parts: readonly Part[]): Case {
  const plans: RowPlan[] = [
    { kind: 'scan' },
    { kind: 'quantized-scan' },
    ...[1, 1.2, 2, 4, 8].map((times) => ({ kind: 'graph' as const, ef: Math.round(times * EF) })),
  ];
  const us = plans.map(() => 0);
  const hits = plans.map(() => 0);
  let wanted = 0;
  const chosen: RowPlan[] = [];
  for (const { rows, queries } of parts) {
    const truth = queries.map((query) => new Set(find(space, query, rows, { kind: 'scan' }).rows));
    wanted += truth.reduce((sum, { size }) => sum + size, 0);
    const quickest = plans.map(() => Number.POSITIVE_INFINITY);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, plan] of plans.entries()) {
        const started = performance.now();
        const answers = queries.map((query) => find(space, query, rows, plan).rows);
        quickest[index] = Math.min(quickest[index] ?? 0, (performance.now() - started) * 1000);
        if (round > 0) continue;
        hits[index] = (hits[index] ?? 0) + answers.reduce((sum, found, at) => sum + found.filter((row) => truth[at]?.has(row)).length, 0);
      }
    }
    for (const [index, time] of quickest.entries()) us[index] = (us[index] ?? 0) + time / queries.length / parts.length;
    chosen.push(...queries.map((query) => chosenPlan(space, query, rows, bytes)));
  }
  const ways = plans.map((plan, index) => ({ plan, us: us[index] ?? 0, recall: (hits[index] ?? 0) / wanted }));
  return { name, rows: parts[0]?.rows ?? new MatchingRows(new RowSet()), ways, chosen };
}

function find(space: SpaceWriter, query: Float32Array, rows: MatchingRows, plan: RowPlan): Neighbours {
  const range = { k: K, fromRow: 0, toRow: space.rowBound, filter: rows.set.words };
  switch (plan.kind) {
    case 'scan':
      return space.scanRows(query, { k: K, rows: rows.list });
    case 'quantized-scan':
    case 'ivf':
    case 'trial':
      return space.scanQuantized(query, range);
    case 'graph':
      return space.search(query, { k: K, ef: plan.ef, filter: rows.set.words });
  }
}

function chosenPlan(space: SpaceWriter, query: Float32Array, rows: MatchingRows, bytes: RowBytes): RowPlan {
  const plan = planSearch({
    exact: false,
    count: K,
    indexedCount: space.indexedCount,
    liveCount: space.liveCount,
    graphs: 1,
    ef: EF,
    m: M,
    bytes,
    fullScanBytes: 0,
    candidateCount: rows.count,
    clusters: () => ({ kind: 'none' }),
    shareAround: () => space.passingShare(query, rows.set.words),
  });
  if (plan.kind === 'post-check' || plan.kind === 'evaluate') throw new Error('a filter whose rows are known needs neither');
  return plan;
}

/** The factors with which the columns come nearest to the targets, by least squares of relative errors: normal equations, by elimination. */
function fit(rows: readonly (readonly number[])[], targets: readonly number[]): number[] {
  const size = rows[0]?.length ?? 0;
  const system = Array.from({ length: size }, () => new Float64Array(size + 1));
  for (const [index, row] of rows.entries()) {
    const target = targets[index] ?? 1;
    for (const [i, equation] of system.entries()) {
      const left = (row[i] ?? 0) / target;
      for (let j = 0; j < size; j++) equation[j] = (equation[j] ?? 0) + (left * (row[j] ?? 0)) / target;
      equation[size] = (equation[size] ?? 0) + left;
    }
  }
  for (const [i, pivot] of system.entries()) {
    for (const equation of system) {
      if (equation === pivot) continue;
      const factor = (equation[i] ?? 0) / (pivot[i] ?? 1);
      for (let j = i; j <= size; j++) equation[j] = (equation[j] ?? 0) - factor * (pivot[j] ?? 0);
    }
  }
  return system.map((equation, i) => (equation[size] ?? 0) / (equation[i] ?? 1));
}

function printConstants(subjects: readonly Subject[]): void {
  const timed = (kind: RowPlan['kind']) =>
    subjects.flatMap(({ bytes, count, cases }) =>
      cases.flatMap(({ rows, ways }) =>
        ways.filter(({ plan }) => plan.kind === kind).map((way) => ({ ...way, bytes, count, rows: rows.count })),
      ),
    );
  const print = (names: readonly string[], columns: readonly (readonly number[])[], targets: readonly number[]) => {
    const constants = fit(columns, targets);
    const error = columns.map((row, index) =>
      Math.abs(row.reduce((sum, value, at) => sum + value * (constants[at] ?? 0), 0) / (targets[index] ?? 1) - 1),
    );
    for (const [index, name] of names.entries()) console.log(`${name.padEnd(16)} ${constants[index]?.toPrecision(2)}`);
    console.log(`  off by ${((100 * error.reduce((a, b) => a + b, 0)) / error.length).toFixed(0)} % in the mean\n`);
  };
  const scans = timed('scan');
  const quantized = timed('quantized-scan');
  // A graph search that ends before it has expanded ef rows does not show its cost.
  const graphs = timed('graph').filter(({ plan, rows, count }) => plan.kind === 'graph' && rows > 4 * plan.ef && rows >= 0.02 * count);
  const projectedBytes = ({ projected = 0, code }: RowBytes) => projected * code;
  const us = (ways: readonly { readonly us: number }[]) => ways.map((way) => way.us);
  print(
    ['SCAN', 'SCANNED_ROW', 'SCANNED_BYTE'],
    scans.map(({ rows, bytes }) => [1, rows, rows * bytes.vector]),
    us(scans),
  );
  print(
    ['QUANTIZED_SCAN', 'PROJECTED_BYTE', 'QUANTIZED_ROW', 'QUANTIZED_BYTE'],
    quantized.map(({ rows, bytes }) => [1, projectedBytes(bytes), rows, rows * bytes.code]),
    us(quantized),
  );
  const links = 2 * M;
  const tested = (share: number) => Math.min(links * (links + 1), (0.75 * links) / share);
  const efOf = (plan: RowPlan) => (plan.kind === 'graph' ? plan.ef : 0);
  print(
    ['PROJECTED_BYTE', 'EXPANSION', 'EXPANSION_BYTE', 'TESTED_ROW'],
    graphs.map(({ plan, rows, count, bytes }) => [
      projectedBytes(bytes),
      efOf(plan),
      efOf(plan) * bytes.code,
      efOf(plan) * tested(rows / count),
    ]),
    us(graphs),
  );
}

/** What the planner's choices take in place of the quickest that reach the recall, each as often as it is chosen. */
function printRegret({ bytes, count, cases }: Subject): void {
  const nameOf = (plan: RowPlan) => (plan.kind === 'graph' ? `ef ${plan.ef}` : plan.kind);
  console.log(`${count} rows, ${bytes.vector} bytes each, ${bytes.code} of them compared; ef ${EF}, microseconds, recall@${K}`);
  const regrets: number[] = [];
  for (const { name, rows, ways, chosen } of cases) {
    const taken = chosen.map(
      (plan) => ways.find((way) => nameOf(way.plan) === nameOf(plan)) ?? { plan, us: Number.NaN, recall: Number.NaN },
    );
    const mean = (of: (way: Way) => number) => taken.reduce((sum, way) => sum + of(way), 0) / taken.length;
    const best = ways.filter(({ recall }) => recall >= RECALL).toSorted((a, b) => a.us - b.us)[0];
    const regret = mean(({ us }) => us) / (best?.us ?? Number.NaN);
    regrets.push(regret);
    const kinds = [...new Set(chosen.map(nameOf))].join(', ');
    console.log(
      `${name.padEnd(12)} ${String(rows.count).padStart(6)} rows: ${kinds} ${mean(({ us }) => us).toFixed(0)} (${mean(({ recall }) => recall).toFixed(3)}), ` +
        `best ${best === undefined ? 'none' : `${nameOf(best.plan)} ${best.us.toFixed(0)}`}, regret ${regret.toFixed(2)}   ` +
        ways.map(({ plan, us, recall }) => `${nameOf(plan)} ${us.toFixed(0)} ${recall.toFixed(2)}`).join(' | '),
    );
  }
  console.log(
    `regret: mean ${(regrets.reduce((a, b) => a + b, 0) / regrets.length).toFixed(2)}, worst ${Math.max(...regrets).toFixed(2)}\n`,
  );
}

const { values } = readFlags({ options: { set: { type: 'string', multiple: true, default: [] } } });
const sets = values.set.map((text): Source => {
  const [file, dimension, metric, count] = text.split(',');
  return {
    file,
    dimension: Number(dimension),
    metric: metric === 'dot' || metric === 'manhattan' ? metric : 'euclid',
    count: Number(count),
  };
});
const subjects = (sets.length === 0 ? CLUSTERS : sets).map(measure);
for (const subject of subjects) printRegret(subject);
printConstants(subjects);
