// SPDX-License-Identifier: Apache-2.0
/** The process of one library: `main.ts <options as JSON>`. Answers requests of the bench by IPC, one at a time. */
import { readVectors, readVectorsInto, vectorAt } from '../data-sets/data-set.ts';
import type { Library } from './library.ts';
import { openLibrary } from './open-library.ts';
import type { Build, ProcessOptions, Reply, Request, Searches, Spent } from './protocol.ts';

/** What a client would hand over at once, too. */
const ROWS_PER_ADD = 1000;

const options: ProcessOptions = JSON.parse(process.argv[2] ?? '');
const { queries } = options;
const { points } = options.library;
// One for all rows: what many leave behind is tens of megabytes more or less from run to run, which would count as the memory of the library.
const rows = new Float32Array(ROWS_PER_ADD * points.dimension);
await warmUp();
const library = openLibrary(options.name, options.library);
const queryValues = await readVectors(queries, 0, queries.count);

process.on('message', (request: Request) => void respond(request));
process.send?.('ready');

async function respond(request: Request): Promise<void> {
  process.send?.(await answer(request));
}

async function answer(request: Request): Promise<Reply> {
  switch (request.kind) {
    case 'build':
      return { kind: 'build', build: await build() };
    case 'widen':
      library.widen(request.ef);
      return { kind: 'widen' };
    case 'search':
      return { kind: 'search', searches: await search(request.from, request.to) };
  }
}

/** Builds an index of few rows that nobody needs, so that what a first build takes once, such as compiled code, does not count as memory of vectors. */
async function warmUp(): Promise<void> {
  const few = { ...points, count: Math.min(points.count, ROWS_PER_ADD) };
  const first = openLibrary(options.name, { ...options.library, points: few });
  await first.ready;
  await addAll(first, few.count, (add) => add());
  await first.finish();
}

async function addAll(to: Library, count: number, timed: (add: () => void) => void | Promise<void>): Promise<void> {
  for (let from = 0; from < count; from += ROWS_PER_ADD) {
    const values = rows.subarray(0, Math.min(ROWS_PER_ADD, count - from) * points.dimension);
    await readVectorsInto(values, points, from);
    await timed(() => to.add(from, values));
  }
}

async function build(): Promise<Build> {
  await library.ready;
  const residentBefore = residentBytes();
  let processorSeconds = 0;
  let wallSeconds = 0;
  const timed = async (work: () => void | Promise<void>) => {
    const spent = await measure(work);
    processorSeconds += spent.processorSeconds;
    wallSeconds += spent.wallSeconds;
  };
  await addAll(library, points.count, timed);
  await timed(() => library.finish());
  return { processorSeconds, wallSeconds, residentBytes: residentBytes() - residentBefore };
}

async function search(from: number, to: number): Promise<Searches> {
  const answers: (readonly number[])[] = [];
  const spent = await measure(() => {
    for (let query = from; query < to; query++) answers.push(library.search(vectorAt(queryValues, query, queries.dimension)));
  });
  return { ...spent, answers };
}

async function measure(work: () => void | Promise<void>): Promise<Spent> {
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  await work();
  const wallSeconds = (performance.now() - startedMs) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { processorSeconds: (user + system) / 1e6, wallSeconds };
}

/** Without what only waits to be collected, some of it only once what held it is gone; the bench starts this process with `--expose-gc`. */
function residentBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage.rss();
}
