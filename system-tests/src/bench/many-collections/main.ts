// SPDX-License-Identifier: Apache-2.0
/**
 * `npm run bench:collections`: what many small collections cost one node, as a service with a collection for each of its customers has them: memory, descriptors
 * and mappings as they come, the processor time of making and searching them, and that of a start with all of them.
 *
 *   --collections n   default 1000
 *   --points n        of each, default 1000
 *   --searches n      default 1000
 */
import { readdirSync, readFileSync } from 'node:fs';
import { MALLOC_SETTINGS } from '@sextant/foundation-service';
import { seededRandom } from '@sextant/foundation-std';
import { type ChildServer, readFlags, temporaryDirectory } from '@sextant/foundation-testing';
import { startVectorServer } from '../../vector-server.ts';

const DIMENSIONS = 128;
const STEPS = 5;
/** Collections that are asked again and again. */
const HOT = 20;
const TICK_US = 10_000;
const SEED = 19;

const text = (fallback: string) => ({ type: 'string', default: fallback }) as const;
const { values } = readFlags({ options: { collections: text('1000'), points: text('1000'), searches: text('1000') } });
const [collectionCount = 0, pointCount = 0, searchCount = 0] = [values.collections, values.points, values.searches].map(Number);

const random = seededRandom(SEED);
const makeVector = () => Array.from({ length: DIMENSIONS }, () => Math.fround(random.next() - 0.5));
const points = JSON.stringify({ points: Array.from({ length: pointCount }, (_, id) => ({ id, vector: makeVector() })) });
const definition = JSON.stringify({ vectors: { size: DIMENSIONS, distance: 'Cosine' } });

await using directory = await temporaryDirectory();
// As `npm start` and the image start it.
const environment = { ...MALLOC_SETTINGS, SERVICE_THREADS: '1', SERVICE_CONNECTIONS_MAX: '16' };
/** All collections are opened before the service is ready. */
const START_MS = 3_600_000;
const start = () => startVectorServer({ directory: directory.path, environment, startTimeoutMs: START_MS });

console.log(`${collectionCount} collections of ${pointCount} points of ${DIMENSIONS} components, one serving thread, seed ${SEED}\n`);
console.log(
  '| collections | memory (MB) | of files, which the system takes back (MB) | descriptors | mappings | processor time a collection made and filled (ms) |',
);
console.log('| ---: | ---: | ---: | ---: | ---: | ---: |');
let server = await start();
try {
  let beforeUs = processorUs(server);
  console.log(`| 0 | ${held(server)} | |`);
  for (let made = 0; made < collectionCount; made++) {
    await send(server, 'PUT', `/collections/c${made}`, definition);
    await send(server, 'PUT', `/collections/c${made}/points`, points);
    const step = Math.ceil(collectionCount / STEPS);
    if ((made + 1) % step !== 0 && made + 1 < collectionCount) continue;
    const nowUs = processorUs(server);
    console.log(`| ${made + 1} | ${held(server)} | ${((nowUs - beforeUs) / 1000 / ((made % step) + 1)).toFixed(1)} |`);
    beforeUs = nowUs;
  }

  console.log('\n| searches | processor time a search (µs) | memory after (MB) | of files (MB) |');
  console.log('| --- | ---: | ---: | ---: |');
  await searches(`${HOT} collections, warm`, HOT);
  await searches(`${HOT} collections`, HOT);
  await searches('all collections', collectionCount);

  await server.stop();
  server = await start();
  console.log(`\nStarted again: ${(processorUs(server) / 1e6).toFixed(1)} s of processor time until ready, | ${held(server)} |`);
  await searches(`${HOT} collections after the start`, HOT);
  await searches('all collections after the start', collectionCount);
} finally {
  await server.kill();
}

async function searches(title: string, among: number): Promise<void> {
  const beforeUs = processorUs(server);
  for (let asked = 0; asked < searchCount; asked++) {
    const body = JSON.stringify({ vector: makeVector(), limit: 10 });
    await send(server, 'POST', `/collections/c${random.integer(Math.min(among, collectionCount))}/points/search`, body);
  }
  console.log(`| ${title} | ${((processorUs(server) - beforeUs) / searchCount).toFixed(0)} | ${megabytes(server)} |`);
}

async function send({ address }: ChildServer, method: string, path: string, body: string): Promise<void> {
  const reply = await fetch(address + path, { method, body, headers: { 'content-type': 'application/json' } });
  const answer = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${answer}`);
}

/** Memory, open descriptors, and mappings of the address space, of which Linux gives a process 65,530 unless it is told otherwise. */
function held(of: ChildServer): string {
  const mappings = readFileSync(`/proc/${of.pid}/maps`, 'utf8').split('\n').length - 1;
  return `${megabytes(of)} | ${readdirSync(`/proc/${of.pid}/fd`).length} | ${mappings}`;
}

/** What the process has for itself, and the pages of files that it has mapped. */
function megabytes({ pid }: ChildServer): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
  return `${(of('RssAnon') + of('RssShmem')).toFixed(0)} | ${of('RssFile').toFixed(0)}`;
}

/** Of all threads of the process, in user and system mode. */
function processorUs({ pid }: ChildServer): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [userTicks = 0, systemTicks = 0] = fields.slice(11, 13).map(Number);
  return (userTicks + systemTicks) * TICK_US;
}
