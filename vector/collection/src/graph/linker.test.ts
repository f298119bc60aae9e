// SPDX-License-Identifier: Apache-2.0
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { openSystemStorage } from '@sextant/vector-storage';
import { expect, test } from 'vitest';
import { engineReads } from '../engine-reads.ts';
import { engineWrites } from '../engine-writes.ts';
import { silentLog } from '../model/log.ts';
import { CatalogView } from '../reads/view/catalog-view.ts';
import { Catalog } from '../writes/catalog.ts';
import { localRunner } from '../writes/run-operation.ts';
import { GraphIndexer } from './indexer.ts';
import { GraphLinker } from './linker.ts';

const POINTS = 2000;
const VECTORS = { size: 8, distance: 'Dot' } as const;
const LOOKS_MAX = 2000;

type SubjectOptions = { readonly linkers: number; readonly withIndexer: boolean; readonly rowsPerShard?: number };

/** An engine whose graphs are built by linkers, with an indexer beside them or without. */
async function openSubject(dataDirectory: string, { linkers, withIndexer, rowsPerShard }: SubjectOptions) {
  const system = openSystemStorage({ directory: `${dataDirectory}/system` });
  const indexer = new GraphIndexer({ log: silentLog, clock: systemClock });
  const helpers = Array.from({ length: linkers }, (_, index) => new GraphLinker({ log: silentLog, clock: systemClock, place: index + 1 }));
  const builders = withIndexer ? [indexer, ...helpers] : helpers;
  const view = new CatalogView({ clock: systemClock, random: seededRandom(1) });
  const catalog = new Catalog({
    dataDirectory,
    system,
    log: silentLog,
    clock: systemClock,
    rowsPerShard,
    listener: {
      event: async (event) => {
        for (const builder of builders) builder.apply(event);
        await view.apply(event);
      },
      written: (collection) => {
        for (const builder of builders) builder.written(collection);
      },
    },
  });
  for (const builder of builders) builder.start();
  await catalog.load();
  return {
    ...engineReads(view),
    ...engineWrites(localRunner(catalog)),
    [Symbol.asyncDispose]: async () => {
      await view.close();
      for (const helper of helpers) await helper.stop();
      await indexer.stop();
      await catalog.close();
      system.close();
    },
  };
}

type Subject = Awaited<ReturnType<typeof openSubject>>;

async function fill(engine: Subject, threads: number): Promise<void> {
  const random = seededRandom(2);
  await engine.createCollection('a', {
    vectors: VECTORS,
    hnsw_config: { max_indexing_threads: threads, full_scan_threshold: 10 },
    optimizers_config: { indexing_threshold: 1 },
  });
  await engine.upsert(
    'a',
    Array.from({ length: POINTS }, (_, id) => ({ id, vector: Array.from({ length: VECTORS.size }, () => random.next() - 0.5) })),
  );
}

/** Looks until the graph has as many vectors, or no more come. */
async function indexedCount(engine: Subject): Promise<number> {
  let count = -1;
  for (let looks = 0, same = 0; looks < LOOKS_MAX && same < 20 && count < POINTS; looks++) {
    await new Promise<void>((resolve) => setTimeout(resolve, 5));
    const { indexed_vectors_count: now } = await engine.collectionInfo('a');
    same = now === count ? same + 1 : 0;
    count = now;
  }
  return count;
}

test.each([
  { graphs: 'one graph', rowsPerShard: 2048 },
  { graphs: 'the graph of each shard', rowsPerShard: 640 },
])('linkers and the indexer build $graphs, and the indexer saves all of it', async ({ rowsPerShard }) => {
  await using scratch = await temporaryDirectory();
  {
    await using engine = await openSubject(scratch.path, { linkers: 2, withIndexer: true, rowsPerShard });
    await fill(engine, 0);
    expect(await indexedCount(engine)).toBe(POINTS);
    expect(await engine.collectionInfo('a')).toMatchObject({ status: 'green' });
    const vector = Array.from({ length: VECTORS.size }, () => 1);
    const found = await engine.nearest('a', { vector, limit: 10 });
    const exact = await engine.nearest('a', { vector, limit: 10, params: { exact: true } });
    expect(found.map(({ id }) => id)).toEqual(exact.map(({ id }) => id));
  }
  // Nobody links here, so what is indexed was saved.
  await using engine = await openSubject(scratch.path, { linkers: 0, withIndexer: false, rowsPerShard });
  expect(await engine.collectionInfo('a')).toMatchObject({ status: 'green', indexed_vectors_count: POINTS });
});

test.each([
  { threads: 0, helps: true, why: 'without a bound' },
  { threads: 2, helps: true, why: 'where two threads may build' },
  { threads: 1, helps: false, why: 'where one thread may build' },
])('a linker helps or not: $why', async ({ threads, helps }) => {
  await using scratch = await temporaryDirectory();
  await using engine = await openSubject(scratch.path, { linkers: 1, withIndexer: false });
  await fill(engine, threads);
  const { status } = await engine.collectionInfo('a');
  expect(status).toBe('yellow');
  expect(await indexedCount(engine)).toBe(helps ? POINTS : 0);
});
