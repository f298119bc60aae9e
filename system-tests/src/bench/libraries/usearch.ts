// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMIT } from '../data-sets/truth.ts';
import { requirePeer } from './install.ts';
import { type Library, type LibraryOptions, M } from './library.ts';

/** The part of `usearch` that the bench calls. */
type Usearch = {
  readonly Index: new (
    config: object,
  ) => {
    add(keys: BigUint64Array, vectors: Float32Array, threads: number): void;
    search(query: Float32Array, limit: number, threads: number): { readonly keys: BigUint64Array };
    save(path: string): void;
    load(path: string): void;
  };
};

export function openUsearch(
  quantization: 'f32' | 'bf16' | 'i8',
  { points: { dimension }, metric, efConstruct, threads }: LibraryOptions,
): Library {
  const { Index }: Usearch = requirePeer('usearch');
  const make = (ef: number) =>
    new Index({
      dimensions: dimension,
      metric: metric === 'Euclid' ? 'l2sq' : 'ip',
      quantization,
      connectivity: M,
      expansion_add: efConstruct,
      expansion_search: ef,
      multi: false,
    });
  let index = make(LIMIT);
  let saved: string | undefined;
  return {
    add: (firstId, values) => {
      const ids = BigUint64Array.from({ length: values.length / dimension }, (_, row) => BigInt(firstId + row));
      index.add(ids, values, threads);
    },
    finish: async () => {},
    // An index has its ef from the start, so another ef loads the index again from a file.
    widen: (ef) => {
      if (saved === undefined) {
        const directory = mkdtempSync(join(tmpdir(), 'bench-usearch-'));
        process.once('exit', () => rmSync(directory, { recursive: true }));
        saved = join(directory, 'index');
        index.save(saved);
      }
      index = make(ef);
      index.load(saved);
    },
    // A copy, because it reads a view from the start of the memory below it.
    search: (query) => Array.from(index.search(query.slice(), LIMIT, 1).keys, Number),
  };
}
