// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'react';
import type { GraphShape, Places } from './graph-layout.ts';

type Laid = { readonly places: Places } | { readonly error: Error };

/** Where each asset stands; undefined until that is known, and as before while another shape is laid out. */
export function usePlaces({ ids, edges }: GraphShape): Places | undefined {
  // Health changes often and lineage seldom, so the places are worked out for the shape alone.
  const shape = JSON.stringify({ ids, edges });
  const [laid, setLaid] = useState<Laid>();
  useEffect(() => {
    const worker = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Places>) => setLaid({ places: data }));
    worker.addEventListener('error', ({ message }) => setLaid({ error: new Error(message) }));
    worker.postMessage(JSON.parse(shape) satisfies GraphShape);
    return () => worker.terminate();
  }, [shape]);
  if (laid !== undefined && 'error' in laid) throw laid.error;
  return laid?.places;
}
