/**
 * The embedded engine in one thread: writer, indexer and reader side by side. The server spreads the same three over its
 * threads; tests and tools use this.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Random } from '@sextant/foundation-std';
import { openSystemStorage } from '@sextant/vector-storage';
import { isAwaited } from './collection-handle.ts';
import type { Engine } from './engine.ts';
import { GraphIndexer } from './graph-indexer.ts';
import { type Log, silentLog } from './log.ts';
import { CatalogView } from './reads/catalog-view.ts';
import { engineReads } from './reads/engine-reads.ts';
import { Catalog, type CatalogBounds } from './writes/catalog.ts';
import { engineWrites } from './writes/engine-writes.ts';

export type EmbeddedEngineOptions = {
  readonly dataDirectory: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: Log;
} & CatalogBounds;

export async function openEmbeddedEngine({
  dataDirectory,
  clock,
  random,
  log = silentLog,
  ...bounds
}: EmbeddedEngineOptions): Promise<Engine> {
  mkdirSync(dataDirectory, { recursive: true });
  const system = openSystemStorage({ directory: join(dataDirectory, 'system') });
  const indexer = new GraphIndexer({ log });
  const view = new CatalogView({ clock, random });
  const catalog = new Catalog({
    dataDirectory,
    system,
    log,
    ...bounds,
    listener: {
      event: async (event) => {
        indexer.apply(event);
        const ended = view.apply(event);
        if (isAwaited(event)) await ended;
      },
      written: (collection) => indexer.written(collection),
    },
  });
  indexer.start();
  await catalog.load();
  return {
    ...engineReads(view),
    ...engineWrites(catalog),
    close: async () => {
      await view.close();
      await indexer.stop();
      await catalog.close();
      system.close();
    },
  };
}
