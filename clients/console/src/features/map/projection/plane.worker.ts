// SPDX-License-Identifier: Apache-2.0
/** Lays vectors on their principal plane and then reduces them for what comes after, on a thread of its own: the page stays fluid meanwhile. */
import { fitted, principalComponents } from './principal-components.ts';

export type PlaneRequest = { readonly vectors: Float32Array; readonly size: number; readonly isNormalised: boolean };

export type PlaneAnswer =
  /** Two coordinates for each vector, within [-1, 1]. */
  | { readonly kind: 'plane'; readonly plane: Float32Array }
  | { readonly kind: 'reduced'; readonly reduced: Float32Array; readonly size: number };

/** Of most embeddings nine tenths of the variance; neighbours are found among so many numbers in little time. */
const REDUCED_SIZE = 32;

self.addEventListener('message', ({ data }: MessageEvent<PlaneRequest>) => {
  const { vectors, size, isNormalised } = data;
  if (isNormalised) normalise(vectors, size);
  answer({ kind: 'plane', plane: fitted(principalComponents(vectors, size, 2)) });
  const reduced = size <= REDUCED_SIZE ? vectors : principalComponents(vectors, size, REDUCED_SIZE);
  answer({ kind: 'reduced', reduced, size: Math.min(size, REDUCED_SIZE) });
});

function answer(message: PlaneAnswer): void {
  const { buffer } = message.kind === 'plane' ? message.plane : message.reduced;
  self.postMessage(message, { transfer: [buffer] });
}

/** To the length 1, so that distances say what cosines say. */
function normalise(vectors: Float32Array, size: number): void {
  for (let first = 0; first < vectors.length; first += size) {
    let sum = 0;
    for (let i = 0; i < size; i++) sum += (vectors[first + i] ?? 0) ** 2;
    const length = Math.sqrt(sum) || 1;
    for (let i = 0; i < size; i++) vectors[first + i] = (vectors[first + i] ?? 0) / length;
  }
}
