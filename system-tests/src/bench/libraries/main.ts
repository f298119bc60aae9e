/** The process of one library: `main.ts <options as JSON>`. Answers requests of the bench by IPC, one at a time. */
import { readVectors, vectorAt } from '../data-sets/data-set.ts';
import { openLibrary } from './open-library.ts';
import type { Build, ProcessOptions, Reply, Request, Searches, Spent } from './protocol.ts';

/** What a client would hand over at once, too. */
const ROWS_PER_ADD = 1000;

const options: ProcessOptions = JSON.parse(process.argv[2] ?? '');
const { queries } = options;
const { points } = options.library;
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
  for (let from = 0; from < points.count; from += ROWS_PER_ADD) {
    const values = await readVectors(points, from, Math.min(points.count, from + ROWS_PER_ADD));
    await timed(() => library.add(from, values));
  }
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

/** Without what only waits to be collected; the bench starts this process with `--expose-gc`. */
function residentBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss();
}
