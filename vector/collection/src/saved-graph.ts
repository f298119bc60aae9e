/**
 * The file of a saved graph, `graph-<ordinal>.bin` beside the storage. It is replaced by rename, so that a crash leaves the
 * older file or the newer one; its checksum is the kernel's business.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export function readSavedGraph(directory: string, ordinal: number): Uint8Array | undefined {
  const path = graphPath(directory, ordinal);
  return existsSync(path) ? readFileSync(path) : undefined;
}

export function writeSavedGraph(directory: string, ordinal: number, bytes: Uint8Array): void {
  const path = graphPath(directory, ordinal);
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w');
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  syncDirectory(directory);
}

export function removeSavedGraph(directory: string, ordinal: number): void {
  rmSync(graphPath(directory, ordinal), { force: true });
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

function graphPath(directory: string, ordinal: number): string {
  return join(directory, `graph-${ordinal}.bin`);
}
