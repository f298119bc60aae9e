// SPDX-License-Identifier: Apache-2.0
/** Points as an embedding model would make them of texts: topics are clusters in a few directions, and each has words of its own. */
import type { Random } from '@sextant/foundation-std';
import type { VectorCollectionAccess, VectorPoint } from '@sextant/observability-connectors';

export const TOPICS = 10;

const AXES = 6;
const WORDS = 5;

export function embeddedPoints(
  random: Random,
  { count, dimension }: { readonly count: number; readonly dimension: number },
): readonly VectorPoint[] {
  const noise = () => random.next() + random.next() + random.next() - 1.5;
  const bases = Array.from({ length: TOPICS + 1 }, () => Array.from({ length: AXES + 1 }, () => Array.from({ length: dimension }, noise)));
  return Array.from({ length: count }, (_, id) => {
    const topic = id % TOPICS;
    const [center = [], ...axes] = bases[topic] ?? [];
    const weights = axes.map(noise);
    const vector = center.map(
      (value, at) => value + 0.1 * noise() + axes.reduce((sum, axis, index) => sum + 0.4 * (weights[index] ?? 0) * (axis[at] ?? 0), 0),
    );
    const words = Array.from({ length: WORDS }, () => `topic${topic}word${random.integer(15)}`);
    return { id: String(id), payload: { text: words.join(' '), topic }, vectors: { '': Array.from(Float32Array.from(vector)) } };
  });
}

/** Points that are read as a collection is, without an index. */
export function accessTo(points: readonly VectorPoint[], dimensions: { readonly [vector: string]: number }): VectorCollectionAccess {
  return {
    info: async () => ({ points: points.length, indexed: undefined, dimensions }),
    points: async function* () {
      yield points;
    },
  };
}
