// SPDX-License-Identifier: Apache-2.0
/**
 * `npm run bench:collections`: what many small collections cost one node, as a service with a collection for each of its customers has them: memory, descriptors
 * and mappings as they come, the processor time of making and searching them, and that of a start with all of them.
 *
 *   --collections n   default 1000
 *   --points n        of each, default 1000
 *   --searches n      default 1000
 */
import { seededRandom } from '@sextant/foundation-std';
import { readFlags, temporaryDirectory } from '@sextant/foundation-testing';
import { processorUs } from '../processor-time.ts';
import { held, megabytes, send, startMeasured } from './measured-server.ts';

const DIMENSIONS = 128;
const STEPS = 5;
/** Collections that are asked again and again. */
const HOT = 20;
const SEED = 19;

const text = (fallback: string) => ({ type: 'string', default: fallback }) as const;
const { values } = readFlags({ options: { collections: text('1000'), points: text('1000'), searches: text('1000') } });
const [collectionCount = 0, pointCount = 0, searchCount = 0] = [values.collections, values.points, values.searches].map(Number);

const random = seededRandom(SEED);
const makeVector = () => Array.from({ length: DIMENSIONS }, () => Math.fround(random.next() - 0.5));
const points = JSON.stringify({ points: Array.from({ length: pointCount }, (_, id) => ({ id, vector: makeVector() })) });
const definition = JSON.stringify({ vectors: { size: DIMENSIONS, distance: 'Cosine' } });

await using directory = await temporaryDirectory();
const start = () => startMeasured(directory.path);

console.log(`${collectionCount} collections of ${pointCount} points of ${DIMENSIONS} components, one serving thread, seed ${SEED}\n`);
console.log(
  '| collections | memory (MB) | of files, which the system takes back (MB) | descriptors | mappings | processor time a collection made and filled (ms) |',
);
console.log('| ---: | ---: | ---: | ---: | ---: | ---: |');
let server = await start();
try {
  let beforeUs = processorUs([server]);
  console.log(`| 0 | ${held(server)} | |`);
  for (let made = 0; made < collectionCount; made++) {
    await send(server, 'PUT', `/collections/c${made}`, definition);
    await send(server, 'PUT', `/collections/c${made}/points`, points);
    const step = Math.ceil(collectionCount / STEPS);
    if ((made + 1) % step !== 0 && made + 1 < collectionCount) continue;
    const nowUs = processorUs([server]);
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
  console.log(`\nStarted again: ${(processorUs([server]) / 1e6).toFixed(1)} s of processor time until ready, | ${held(server)} |`);
  await searches(`${HOT} collections after the start`, HOT);
  await searches('all collections after the start', collectionCount);
} finally {
  await server.kill();
}

async function searches(title: string, among: number): Promise<void> {
  const beforeUs = processorUs([server]);
  for (let asked = 0; asked < searchCount; asked++) {
    const body = JSON.stringify({ vector: makeVector(), limit: 10 });
    await send(server, 'POST', `/collections/c${random.integer(Math.min(among, collectionCount))}/points/search`, body);
  }
  console.log(`| ${title} | ${((processorUs([server]) - beforeUs) / searchCount).toFixed(0)} | ${megabytes(server)} |`);
}
