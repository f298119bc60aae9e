// SPDX-License-Identifier: Apache-2.0
/**
 * The files of saved graphs, beside the storage: `graph-<ordinal>.bin` for the first shard of a space, `graph-<ordinal>-<row>.bin` for the one that
 * begins with that row, so that a graph is never taken for that of other rows. A file is replaced by rename, so that a crash leaves the older one or the
 * newer one; its format and its checksums are the kernel's business.
 */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { GraphDamagedError, type GraphSink, type GraphSource } from '@sextant/vector-kernel';

/** So much is written between two syncs: the writer's own syncs wait for no more than this. */
const SYNC_BYTES = 32 * 1024 * 1024;

/** The shard whose graph it is: the ordinal of its space, and the number of its first row. */
export type GraphPlace = { readonly ordinal: number; readonly firstRow: number };

/** Lets `read` have the saved graph, if there is one. */
export function readSavedGraph(directory: string, place: GraphPlace, read: (source: GraphSource) => void): void {
  const path = join(directory, graphName(place));
  if (!existsSync(path)) return;
  const file = openSync(path, 'r');
  try {
    read({ size: fstatSync(file).size, read: (target, position) => readFully(file, target, position) });
  } finally {
    closeSync(file);
  }
}

export function writeSavedGraph(directory: string, place: GraphPlace, write: (sink: GraphSink) => void): void {
  const path = join(directory, graphName(place));
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    write(sinkOf(file));
    fsyncSync(file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  syncDirectory(directory);
}

/** Removes the saved graphs of a space but for those of the shards that begin with the rows that are `kept`. */
export function removeSavedGraphs(directory: string, ordinal: number, { kept }: { readonly kept: readonly number[] }): void {
  const known = new Set(kept.map((firstRow) => graphName({ ordinal, firstRow })));
  const names = new RegExp(`^graph-${ordinal}(-\\d+)?\\.bin$`);
  for (const name of readdirSync(directory)) if (names.test(name) && !known.has(name)) rmSync(join(directory, name), { force: true });
}

/** A new or renamed file is durable only when its directory is. */
export function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function sinkOf(file: number): GraphSink {
  let unsynced = 0;
  return {
    write: (bytes, position) => {
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(file, bytes, written, bytes.length - written, position + written);
      }
      unsynced += bytes.length;
      if (unsynced < SYNC_BYTES) return;
      fdatasyncSync(file);
      unsynced = 0;
    },
  };
}

function readFully(file: number, target: Uint8Array, position: number): void {
  for (let filled = 0; filled < target.length; ) {
    const bytes = readSync(file, target, filled, target.length - filled, position + filled);
    if (bytes === 0) throw new GraphDamagedError('the saved graph is truncated');
    filled += bytes;
  }
}

function graphName({ ordinal, firstRow }: GraphPlace): string {
  return firstRow === 0 ? `graph-${ordinal}.bin` : `graph-${ordinal}-${firstRow}.bin`;
}
