// SPDX-License-Identifier: Apache-2.0
/** A saved graph in memory instead of a file. For tests. */
import type { GraphSource, SpaceIndexer } from './vector-space.ts';

export function graphBytes(indexer: SpaceIndexer, sequence = 0): Uint8Array {
  let saved = new Uint8Array(0);
  indexer.saveGraph(
    {
      write: (bytes, position) => {
        if (saved.length < position + bytes.length) {
          const grown = new Uint8Array(position + bytes.length);
          grown.set(saved);
          saved = grown;
        }
        saved.set(bytes, position);
      },
    },
    { sequence },
  );
  return saved;
}

export function sourceOf(saved: Uint8Array): GraphSource {
  return { size: saved.length, read: (target, position) => target.set(saved.subarray(position, position + target.length)) };
}
