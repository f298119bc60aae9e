/** The projection, on a thread of its own: the page stays fluid meanwhile. */
import { principalPlane } from './principal-plane.ts';

export type ProjectionRequest = { readonly vectors: Float32Array; readonly size: number };
/** Two coordinates for each vector, both within [-1, 1]. */
export type ProjectionAnswer = { readonly coordinates: Float32Array };

self.addEventListener('message', ({ data }: MessageEvent<ProjectionRequest>) => {
  const coordinates = principalPlane(data.vectors, data.size);
  self.postMessage({ coordinates } satisfies ProjectionAnswer, { transfer: [coordinates.buffer] });
});
