// SPDX-License-Identifier: Apache-2.0
/**
 * The embedded engine in one thread: writer, indexer and reader side by side. The server spreads the same three over its
 * threads; tests and tools use this.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Random } from '@sextant/foundation-std';
import { openSystemStorage } from '@sextant/vector-storage';
import type { Engine } from './engine.ts';
import { engineReads } from './engine-reads.ts';
import { snapshotReads, snapshotWrites } from './engine-snapshots.ts';
import { engineWrites, maintenance } from './engine-writes.ts';
import { GraphIndexer } from './graph/indexer.ts';
import { isAwaited } from './model/collection-handle.ts';
import { type Log, silentLog } from './model/log.ts';
import { CatalogView } from './reads/view/catalog-view.ts';
import type { CollectionOpener, ViewSources } from './reads/view/collection-view.ts';
import { describeClosed } from './reads/view/describe-closed.ts';
import { SnapshotFolder } from './snapshots/snapshot-folder.ts';
import { countNothing, Snapshots, type SnapshotsOptions } from './snapshots/snapshots.ts';
import { wholeReads } from './whole-reads.ts';
import { Catalog } from './writes/catalog.ts';
import { type CatalogBounds, countNoOpenings, type OpeningCounts } from './writes/catalog-options.ts';
import { localRunner } from './writes/run-operation.ts';

export type EmbeddedEngineOptions = {
  readonly dataDirectory: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: Log;
  /** How long a recovery may take; an hour unless given. */
  readonly recoverySeconds?: number;
  /** Counts the collections that are opened and closed. */
  readonly openings?: OpeningCounts;
  /** Whether the end is near and graphs are not saved any more. */
  readonly isHurried?: () => boolean;
} & CatalogBounds &
  Pick<SnapshotsOptions, 'importSnapshot'> &
  Pick<ViewSources, 'residentMemoryPercent'>;

export async function openEmbeddedEngine({
  dataDirectory,
  clock,
  random,
  log = silentLog,
  residentMemoryPercent = () => 0,
  recoverySeconds,
  importSnapshot,
  isHurried,
  openings = countNoOpenings,
  ...bounds
}: EmbeddedEngineOptions): Promise<Engine> {
  mkdirSync(dataDirectory, { recursive: true });
  const system = openSystemStorage({ directory: join(dataDirectory, 'system') });
  const indexer = new GraphIndexer({ log, clock, ...(isHurried !== undefined && { isHurried }) });
  const opener: CollectionOpener = { open: async (name) => catalog.hold(name) };
  const view = new CatalogView({ clock, random, log, residentMemoryPercent, opener });
  const folder = new SnapshotFolder({ directory: join(dataDirectory, 'snapshots'), clock });
  folder.removeDrafts();
  const catalog: Catalog = new Catalog({
    dataDirectory,
    system,
    log,
    clock,
    ...bounds,
    releasing: { describe: (name, file) => describeClosed(view, name, file), counts: openings },
    listener: {
      event: async (event) => {
        indexer.apply(event);
        const ended = view.apply(event);
        if (isAwaited(event)) await ended;
      },
      written: (collection) => indexer.written(collection),
    },
  });
  const snapshots = new Snapshots({
    catalog,
    folder,
    runner: localRunner(catalog),
    counts: countNothing,
    clock,
    log,
    importSnapshot,
    ...(recoverySeconds !== undefined && { recoverySeconds }),
  });
  indexer.start();
  await catalog.load();
  return {
    ...wholeReads(engineReads(view), { isRecovering: (collection) => view.isRecovering(collection) }),
    ...engineWrites(localRunner(catalog)),
    ...maintenance(catalog),
    ...snapshotReads(view, folder),
    ...snapshotWrites(view, folder, snapshots),
    close: async () => {
      await snapshots.close();
      catalog.describe();
      await view.close();
      await indexer.stop();
      await catalog.close();
      system.close();
    },
  };
}
