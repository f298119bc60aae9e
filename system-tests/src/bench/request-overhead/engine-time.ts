// SPDX-License-Identifier: Apache-2.0
/** What the same searches cost the kernel alone, in this process. */
import { createVectorSpace } from '@sextant/vector-kernel';
import type { OverheadVectors } from './requests.ts';

/** The service asks for a few rows more than the limit; see `nearest.ts` of the collection. */
const ROWS_ASKED_FOR = 18;
const PASSES = 50;

/** Answers microseconds for each search, measured at each call. */
export function engineTimer({ dimension, points, queries }: OverheadVectors): () => number {
  const space = createVectorSpace({ dimension, metric: 'dot', m: 0, efConstruct: 1, seed: 1 });
  for (const [row, point] of points.entries()) space.put(row, Float32Array.from(point), 1);
  const vectors = queries.map((query) => Float32Array.from(query));
  const pass = () => {
    for (const query of vectors) space.scan(query, { k: ROWS_ASKED_FOR, fromRow: 0, toRow: points.length });
  };
  pass();
  return () => {
    const before = process.cpuUsage();
    for (let count = 0; count < PASSES; count++) pass();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / (PASSES * queries.length);
  };
}
