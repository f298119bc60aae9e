// SPDX-License-Identifier: Apache-2.0
/** Asks the workers for projections. An aborted signal ends the worker. */
import type { PlaneAnswer, PlaneRequest } from './plane.worker.ts';
import type { UmapAnswer, UmapRequest } from './umap.worker.ts';

/** What neighbours are found among: the vectors in fewer numbers. */
export type Reduced = { readonly points: Float32Array; readonly size: number };

type PlaneOptions = PlaneRequest & { readonly signal: AbortSignal; readonly onPlane: (plane: Float32Array) => void };

/** The vectors are handed over, and are gone here. The plane comes first. */
export function principalPlane({ vectors, size, isNormalised, signal, onPlane }: PlaneOptions): Promise<Reduced> {
  const worker = new Worker(new URL('./plane.worker.ts', import.meta.url), { type: 'module' });
  return answerOf<Reduced, PlaneAnswer>(worker, signal, (resolve) => {
    worker.postMessage({ vectors, size, isNormalised } satisfies PlaneRequest, [vectors.buffer]);
    return (answer) => {
      if (answer.kind === 'plane') onPlane(answer.plane);
      else resolve({ points: answer.reduced, size: answer.size });
    };
  });
}

type UmapOptions = { readonly start: Float32Array; readonly signal: AbortSignal; readonly onProgress: (share: number) => void };

export function umapPlane({ points, size }: Reduced, { start, signal, onProgress }: UmapOptions): Promise<Float32Array> {
  const worker = new Worker(new URL('./umap.worker.ts', import.meta.url), { type: 'module' });
  return answerOf<Float32Array, UmapAnswer>(worker, signal, (resolve) => {
    worker.postMessage({ points, size, start } satisfies UmapRequest);
    return (answer) => {
      if (answer.kind === 'progress') onProgress(answer.share);
      else resolve(answer.plane);
    };
  });
}

function answerOf<Result, Answer>(
  worker: Worker,
  signal: AbortSignal,
  begin: (resolve: (result: Result) => void) => (answer: Answer) => void,
): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(new Error('The projection was cancelled', { cause: signal.reason })), { once: true });
    worker.addEventListener('error', ({ message }) => reject(new Error(message)));
    const receive = begin(resolve);
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => receive(data));
  }).finally(() => worker.terminate());
}
