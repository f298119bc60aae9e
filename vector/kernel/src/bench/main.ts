// SPDX-License-Identifier: Apache-2.0
/**
 * Compares the kernels of several checkouts of this repository, in one process and alternating every few queries, so that the effect of a
 * change shows on a busy machine. For each checkout it prints the rows linked per second of processor time, the bytes of a row, and for
 * each ef the microseconds of a search (the quickest of some rounds), its speed relative to the first checkout, and the recall. A checkout
 * may be named twice with other options of a space after an @. `npm run bench:vector` compares the kernel with other libraries.
 *
 *   node vector/kernel/src/bench/main.ts [--file vectors.f32] [--dimension 100] [--metric dot] [--count 20000] [--queries 500] [--ef 32,64,128]
 *     [--rounds 4] . ../before '.@{"efConstruct":64}'
 */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { clusteredVectors } from '../clustered-vectors.ts';
import type { SpaceIndexer, SpaceWriter, VectorSpaceOptions } from '../index.ts';
import { metrics } from '../kernel.ts';

const LIMIT = 10;
const GRAPH = { m: 16, efConstruct: 128, seed: 1 } as const;
/** So few queries take less time than the system's time slice, so the quickest of some rounds was not interrupted. */
const QUERIES_PER_TURN = 25;
const ROWS_PER_TURN = 1000;

type Kernel = Pick<typeof import('../index.ts'), 'createVectorSpace' | 'attachIndexer'>;
type Figures = { hits: number; readonly quickest: Map<number, number> };
type Subject = {
  readonly name: string;
  readonly space: SpaceWriter;
  readonly indexer: SpaceIndexer;
  readonly byEf: ReadonlyMap<number, Figures>;
  linkMs: number;
  isLinked: boolean;
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    file: { type: 'string' },
    dimension: { type: 'string', default: '100' },
    metric: { type: 'string', default: 'dot' },
    count: { type: 'string', default: '20000' },
    queries: { type: 'string', default: '500' },
    ef: { type: 'string', default: '32,64,128' },
    rounds: { type: 'string', default: '4' },
  },
});
const metric = metrics.find((known) => known === values.metric);
if (metric === undefined) throw new Error(`--metric is one of ${metrics.join(', ')}`);
const dimension = Number(values.dimension);
const { points, queries } = vectorSet(Number(values.count), Number(values.queries));
const efs = values.ef.split(',').map(Number);

const subjects = await Promise.all((positionals.length > 0 ? positionals : ['.']).map(open));
while (subjects.some(({ isLinked }) => !isLinked)) for (const subject of subjects) linkTurn(subject);
const truth = trueAnswers();
for (const ef of efs) {
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (let from = 0; from < queries.length; from += QUERIES_PER_TURN) {
      for (const subject of subjects) searchTurn(subject, ef, from, round === 0);
    }
  }
}
const [first] = subjects;
for (const subject of subjects) if (first !== undefined) console.log(described(subject, first));

async function open(name: string): Promise<Subject> {
  const [root = '.', other = '{}'] = name.split('@');
  const kernel: Kernel = await import(resolve(root, 'vector/kernel/src/index.ts'));
  const given: Partial<VectorSpaceOptions> = JSON.parse(other);
  const space = kernel.createVectorSpace({ ...GRAPH, dimension, metric: metric ?? 'dot', ...given });
  for (const [row, vector] of points.entries()) space.put(row, vector, row);
  const byEf = new Map(efs.map((ef) => [ef, { hits: 0, quickest: new Map() }]));
  return { name, space, indexer: kernel.attachIndexer(space.handle), byEf, linkMs: 0, isLinked: false };
}

function linkTurn(subject: Subject): void {
  const before = process.threadCpuUsage();
  subject.isLinked = subject.indexer.link(ROWS_PER_TURN) === 0;
  subject.indexer.reclaim();
  const { user, system } = process.threadCpuUsage();
  subject.linkMs += (user + system - before.user - before.system) / 1000;
}

function trueAnswers(): ReadonlySet<number>[] {
  const space = subjects[0]?.space;
  return queries.map((query) => new Set(space?.scan(query, { k: LIMIT, fromRow: 0, toRow: points.length }).rows));
}

function searchTurn({ space, byEf }: Subject, ef: number, from: number, isFirst: boolean): void {
  const figures = byEf.get(ef);
  if (figures === undefined) return;
  const turn = queries.slice(from, from + QUERIES_PER_TURN);
  const started = performance.now();
  const answers = turn.map((query) => space.search(query, { k: LIMIT, ef }).rows);
  const ms = performance.now() - started;
  // The first round warms up, and its recall counts.
  if (isFirst) for (const [i, rows] of answers.entries()) figures.hits += rows.filter((row) => truth[from + i]?.has(row)).length;
  else figures.quickest.set(from, Math.min(ms, figures.quickest.get(from) ?? Number.POSITIVE_INFINITY));
}

function described(subject: Subject, other: Subject): string {
  const linking = `linked ${Math.round((points.length / subject.linkMs) * 1000)}/s (${(other.linkMs / subject.linkMs).toFixed(2)} x)`;
  const searches = efs.map((ef) => {
    const us = microseconds(subject, ef);
    const recall = (subject.byEf.get(ef)?.hits ?? 0) / queries.length / LIMIT;
    return `ef ${ef}: ${us.toFixed(1)} us (${(microseconds(other, ef) / us).toFixed(2)} x), recall ${recall.toFixed(4)}`;
  });
  return [`${subject.name}: ${linking}`, `${Math.round(subject.space.bytesUsed / points.length)} bytes a row`, ...searches].join('; ');
}

function microseconds({ byEf }: Subject, ef: number): number {
  return ([...(byEf.get(ef)?.quickest.values() ?? [])].reduce((sum, ms) => sum + ms, 0) * 1000) / queries.length;
}

/** Real vectors from a file of little-endian float32, row by row, or clusters. The last rows of a file, as many as `queries`, are never among the points. */
function vectorSet(count: number, queries: number) {
  const all =
    values.file === undefined ? clusteredVectors({ count: count + queries, dimension, clusters: 200, seed: 1 }) : readVectors(values.file);
  return { points: all.slice(0, Math.min(count, all.length - queries)), queries: all.slice(-queries) };
}

function readVectors(file: string): Float32Array[] {
  const bytes = readFileSync(file);
  const floats = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / Float32Array.BYTES_PER_ELEMENT);
  return Array.from({ length: Math.floor(floats.length / dimension) }, (_, row) => floats.subarray(row * dimension, (row + 1) * dimension));
}
