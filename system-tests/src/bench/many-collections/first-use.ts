// SPDX-License-Identifier: Apache-2.0
/**
 * `npm run bench:collections:first-use`: what a node with very many collections costs of which few are used at a time: its start, what it takes, the first
 * request to a collection, and searches in a hot set of them beside searches in all. The collections are copies of one that the service has written.
 *
 *   --collections n   default 10,000
 *   --points n        of each, default 1000
 *   --hot n           collections that are asked again and again, default 100
 *   --searches n      default 1000
 *   --open n          SERVICE_COLLECTIONS_OPEN_MAX, default 200
 *   --unknown         nothing is known of the copies, as after an upgrade, so that the first start opens each once
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '@sextant/foundation-std';
import { type ChildServer, readFlags, temporaryDirectory } from '@sextant/foundation-testing';
import { documentOf, documentText, openSystemStorage } from '@sextant/vector-storage';
import { processorUs } from '../processor-time.ts';
import { held, send, startMeasured } from './measured-server.ts';

const DIMENSIONS = 128;
const SEED = 19;
/** What a start knows of a collection; see `closed-file.ts`. */
const CLOSED_FILE = 'closed.json';

const text = (fallback: string) => ({ type: 'string', default: fallback }) as const;
const { values } = readFlags({
  options: {
    collections: text('10000'),
    points: text('1000'),
    hot: text('100'),
    searches: text('1000'),
    open: text('200'),
    unknown: { type: 'boolean', default: false },
  },
});
const [collectionCount = 0, pointCount = 0, hot = 0, searchCount = 0] = [
  values.collections,
  values.points,
  values.hot,
  values.searches,
].map(Number);

const random = seededRandom(SEED);
const makeVector = () => Array.from({ length: DIMENSIONS }, () => Math.fround(random.next() - 0.5));

await using directory = await temporaryDirectory();
console.log(
  `${collectionCount} collections of ${pointCount} points of ${DIMENSIONS} components, ${values.open} open at a time, one serving thread, seed ${SEED}\n`,
);
await writeOne();
copyAll();

console.log('| | processor time (s) | time (s) | memory (MB) | of files (MB) | descriptors | mappings |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
const settings = { SERVICE_COLLECTIONS_OPEN_MAX: values.open };
const server = await started(values.unknown ? 'start that opens each once' : 'start when all of them were closed');
try {
  const afterStart = processorUs([server]);
  await send(server, 'GET', '/collections');
  console.log(`| list of all, asked once | ${((processorUs([server]) - afterStart) / 1e6).toFixed(2)} | | ${held(server)} |`);

  console.log(
    '\n| searches | processor time a search (µs) | median time (ms) | 99 % (ms) | memory (MB) | of files (MB) | descriptors | mappings |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  await searches(`first in each of ${hot} collections`, hot, (asked) => asked);
  await searches(`in these ${hot} collections, again and again`, searchCount, () => random.integer(hot));
  await searches('in all collections, each as likely', searchCount, () => random.integer(collectionCount));
  await searches(`in the ${hot} collections again`, searchCount, () => random.integer(hot));
  await server.stop();
} finally {
  await server.kill();
}

async function writeOne(): Promise<void> {
  await using first = await startMeasured(directory.path);
  const points = Array.from({ length: pointCount }, (_, id) => ({ id, vector: makeVector() }));
  await send(first, 'PUT', '/collections/c0', JSON.stringify({ vectors: { size: DIMENSIONS, distance: 'Cosine' } }));
  await send(first, 'PUT', '/collections/c0/points', JSON.stringify({ points }));
  await first.stop();
}

/** As `CollectionsRegistry` writes it. */
function copyAll(): void {
  const folder = (number: number) => String(number).padStart(6, '0');
  const pathOf = (number: number) => join(directory.path, 'collections', folder(number));
  // As the service has written it of the first.
  const known = documentOf(readFileSync(join(pathOf(1), CLOSED_FILE), 'utf8')) as { readonly collection: object };
  const system = openSystemStorage({ directory: join(directory.path, 'system') });
  const entries = Array.from({ length: collectionCount - 1 }, (_, index) => {
    const number = index + 2;
    mkdirSync(pathOf(number));
    copyFileSync(join(pathOf(1), 'data.mdb'), join(pathOf(number), 'data.mdb'));
    const name = `c${index + 1}`;
    if (!values.unknown)
      writeFileSync(join(pathOf(number), CLOSED_FILE), documentText({ ...known, collection: { ...known.collection, name } }));
    return { kind: 'put', key: `collection/${name}`, value: { name, directory: folder(number), state: 'live' } } as const;
  });
  system.write([...entries, { kind: 'put', key: 'next-collection-directory', value: collectionCount + 1 }]);
  system.close();
}

async function started(title: string): Promise<ChildServer> {
  const begunMs = performance.now();
  const ready = await startMeasured(directory.path, settings);
  const seconds = (performance.now() - begunMs) / 1000;
  console.log(`| ${title} | ${(processorUs([ready]) / 1e6).toFixed(1)} | ${seconds.toFixed(1)} | ${held(ready)} |`);
  return ready;
}

async function searches(title: string, count: number, choose: (asked: number) => number): Promise<void> {
  const beforeUs = processorUs([server]);
  const times: number[] = [];
  for (let asked = 0; asked < count; asked++) {
    const body = JSON.stringify({ vector: makeVector(), limit: 10 });
    const begunMs = performance.now();
    await send(server, 'POST', `/collections/c${choose(asked)}/points/search`, body);
    times.push(performance.now() - begunMs);
  }
  const spentUs = (processorUs([server]) - beforeUs) / count;
  times.sort((one, other) => one - other);
  const at = (share: number) => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1);
  console.log(`| ${title} | ${spentUs.toFixed(0)} | ${at(0.5)} | ${at(0.99)} | ${held(server)} |`);
}
