/** Asks the worker for the projection of a sample. */
import type { ProjectionAnswer, ProjectionRequest } from './projection.worker.ts';
import type { Sample } from './sample.ts';

export function project({ vectors, size }: Sample): Promise<Float32Array> {
  const worker = new Worker(new URL('./projection.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Float32Array>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<ProjectionAnswer>) => resolve(data.coordinates));
    worker.addEventListener('error', ({ message }) => reject(new Error(message)));
    worker.postMessage({ vectors, size } satisfies ProjectionRequest);
  }).finally(() => worker.terminate());
}
