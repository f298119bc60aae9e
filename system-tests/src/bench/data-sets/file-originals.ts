// SPDX-License-Identifier: Apache-2.0
/** Vectors that a space has released, read one by one from the file that they came from. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Originals } from '@sextant/vector-kernel';
import type { VectorFile } from './data-set.ts';

/** The file is open until the end. */
export function openOriginals({ path, dimension, count }: VectorFile): Originals & Disposable {
  const file = openSync(path, 'r');
  const vector = new Float32Array(dimension);
  const read = (row: number) => {
    readSync(file, vector, 0, vector.byteLength, row * vector.byteLength);
    return vector;
  };
  return {
    vector: read,
    *vectors({ fromRow, toRow }) {
      for (let row = fromRow; row < Math.min(toRow, count); row++) yield { row, vector: read(row) };
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}
