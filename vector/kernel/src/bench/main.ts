/**
 * Builds and searches the kernel on codes, the kernel on vectors and the peers that are installed, each in a process of its own, in turns of a
 * few queries. Prints build rates, microseconds a search beside recall@10, and both at equal recall, with the ratio to the kernel on vectors.
 *
 *   node vector/kernel/src/bench/main.ts [--file vectors.f32] [--dimension 128] [--metric dot] [--count 20000] [--subjects int8,f32,hnswlib]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { createVectorSpace } from '../index.ts';
import { metrics } from '../kernel.ts';
import { LIMIT, SUBJECTS, type SubjectName } from './libraries.ts';
import type { SubjectReply, SubjectRequest } from './subject.ts';
import { type BenchOptions, vectorSet } from './vector-set.ts';

const BEAMS = [10, 16, 24, 32, 48, 64, 96, 128, 192, 256, 400];
const RECALLS = [0.95, 0.99];
/** So few queries take less time than the system gives a process at once, so the quickest of some rounds was not interrupted. */
const QUERIES_PER_TURN = 50;
const ROUNDS = 5;

const { values } = parseArgs({
  options: {
    file: { type: 'string' },
    dimension: { type: 'string', default: '128' },
    metric: { type: 'string', default: 'dot' },
    count: { type: 'string', default: '20000' },
    queries: { type: 'string', default: '500' },
    subjects: { type: 'string', default: SUBJECTS.join(',') },
  },
});
const metric = metrics.find((known) => known === values.metric);
if (metric === undefined) throw new Error(`--metric is one of ${metrics.join(', ')}`);
const options: BenchOptions = {
  metric,
  dimension: Number(values.dimension),
  count: Number(values.count),
  queries: Number(values.queries),
  file: values.file,
};

type Point = { readonly us: number; readonly recall: number };

type Subject = { readonly name: SubjectName; readonly ask: (request: SubjectRequest) => Promise<SubjectReply>; readonly end: () => void };

async function startSubject(name: SubjectName): Promise<Subject | undefined> {
  const child = fork(new URL('./subject.ts', import.meta.url), [name, JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const isReady = await Promise.race([once(child, 'message').then(() => true), once(child, 'exit').then(() => false)]);
  if (!isReady) {
    console.log(`${name}: left out, it is not installed here or does not know this distance`);
    return undefined;
  }
  return {
    name,
    ask: async (request) => {
      child.send(request);
      const [reply] = await once(child, 'message');
      return reply;
    },
    end: () => child.kill(),
  };
}

function trueAnswers(): ReadonlySet<number>[] {
  const { points, queries } = vectorSet(options);
  const space = createVectorSpace({ dimension: options.dimension, metric: options.metric, m: 0, efConstruct: 1, seed: 1 });
  for (const [row, vector] of points.entries()) space.put(row, vector, row);
  return queries.map((query) => new Set(space.scan(query, { k: LIMIT, fromRow: 0, toRow: points.length }).rows));
}

async function build(subjects: readonly Subject[]): Promise<void> {
  const { points } = vectorSet(options);
  for (const { name, ask } of subjects) {
    const { ms, residentBytes } = await ask({ kind: 'build' });
    const bytes = Math.round(residentBytes / points.length);
    console.log(`${name}: ${Math.round((points.length / ms) * 1000)} vectors/s, ${bytes} bytes resident for each`);
  }
}

/** Microseconds a search and recall, by subject. */
async function searchAll(subjects: readonly Subject[], ef: number, truth: readonly ReadonlySet<number>[]) {
  const quickest = new Map<string, number>();
  const found = new Map<SubjectName, number>();
  for (const { ask } of subjects) await ask({ kind: 'widen', ef });
  for (let round = 0; round < ROUNDS; round++) {
    for (let from = 0; from < truth.length; from += QUERIES_PER_TURN) {
      for (const { name, ask } of subjects) {
        const { ms, answers } = await ask({ kind: 'search', from, to: from + QUERIES_PER_TURN });
        const turn = `${name} ${from}`;
        quickest.set(turn, Math.min(ms, quickest.get(turn) ?? Number.POSITIVE_INFINITY));
        const hits = answers.reduce((sum, rows, i) => sum + rows.filter((row) => truth[from + i]?.has(row)).length, 0);
        if (round === 0) found.set(name, hits + (found.get(name) ?? 0));
      }
    }
  }
  return subjects.map(({ name }) => {
    const ms = [...quickest].reduce((sum, [turn, each]) => sum + (turn.startsWith(`${name} `) ? each : 0), 0);
    return { name, us: (ms * 1000) / truth.length, recall: (found.get(name) ?? 0) / truth.length / LIMIT };
  });
}

const subjects: Subject[] = [];
for (const name of SUBJECTS.filter((subject) => values.subjects.split(',').includes(subject))) {
  const subject = await startSubject(name);
  if (subject !== undefined) subjects.push(subject);
}
const truth = trueAnswers();
await build(subjects);
const curves = new Map<SubjectName, Point[]>(subjects.map(({ name }) => [name, []]));
for (const ef of BEAMS) {
  for (const { name, us, recall } of await searchAll(subjects, ef, truth)) {
    curves.get(name)?.push({ us, recall });
    console.log(`ef ${ef} ${name}: ${us.toFixed(1)} us, recall@${LIMIT} ${recall.toFixed(4)}`);
  }
}
for (const target of RECALLS) {
  const onVectors = usAt(curves.get('f32') ?? [], target);
  for (const [name, curve] of curves) {
    const us = usAt(curve, target);
    const ratio = us === undefined || onVectors === undefined ? '' : `, ${(onVectors / us).toFixed(2)} times the searches of f32`;
    console.log(`recall ${target} ${name}: ${us === undefined ? 'not reached' : `${us.toFixed(1)} us`}${ratio}`);
  }
}
for (const { end } of subjects) end();

/** Microseconds at a recall, on the line between the beam widths below and above. */
function usAt(curve: readonly Point[], target: number): number | undefined {
  const next = curve.findIndex(({ recall }) => recall >= target);
  const [above, below] = [curve[next], curve[next - 1]];
  if (above === undefined || below === undefined) return above?.us;
  return below.us + ((above.us - below.us) * (target - below.recall)) / (above.recall - below.recall);
}
