// SPDX-License-Identifier: Apache-2.0
/** UMAP on a thread of its own, which its owner ends to cancel it. */
import { fitted } from './principal-components.ts';
import { umap } from './umap.ts';

export type UmapRequest = { readonly points: Float32Array; readonly size: number; readonly start: Float32Array };

export type UmapAnswer =
  | { readonly kind: 'progress'; readonly share: number }
  /** Two coordinates for each point, within [-1, 1]. */
  | { readonly kind: 'plane'; readonly plane: Float32Array };

self.addEventListener('message', ({ data }: MessageEvent<UmapRequest>) => {
  const { points, size, start } = data;
  const plane = fitted(umap(points, { size, start, onProgress: (share) => answer({ kind: 'progress', share }) }));
  answer({ kind: 'plane', plane }, [plane.buffer]);
});

function answer(message: UmapAnswer, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer });
}
