// SPDX-License-Identifier: Apache-2.0
/** What costs more of a vector than a walk over its components is done to a sample of the points, whose size does not grow with their number. */
import type { MetricPoint } from '@sextant/contracts-observability';
import type { VectorCollectionAccess, VectorPoint } from '@sextant/observability-connectors';
import type { RecentCentroids, VectorReferences } from '../scan.ts';
import { usualCentroid } from './centroid-shift.ts';
import { compareVectors, type Suspect } from './comparison.ts';
import { nearDuplicates } from './near-duplicates.ts';
import { pointSample } from './point-sample.ts';
import { probeRecall } from './recall-probe.ts';
import { turns } from './reference/turns.ts';
import type { VectorReading } from './vector-statistics.ts';

export type CloserLook = {
  readonly add: (point: VectorPoint, vectors: readonly (readonly [name: string, reading: VectorReading])[]) => void;
  readonly compare: () => Promise<Compared>;
  /** Asks the collection itself. */
  readonly probe: (collection: VectorCollectionAccess, points: number) => Promise<Probed>;
};

export type Compared = {
  readonly metrics: readonly MetricPoint[];
  readonly suspects: readonly Suspect[];
  /** For the next scan. */
  readonly references: VectorReferences;
};

export type Probed = {
  readonly metrics: readonly MetricPoint[];
  /** Why the index of a vector could not be asked. */
  readonly failures: readonly string[];
};

/** Names that are looked at; what is stored of each takes half a megabyte. */
const NAMES_MAX = 8;

type Before = { readonly recentCentroids: RecentCentroids; readonly vectorReferences: VectorReferences; readonly signal: AbortSignal };

export function closerLook(
  dimensions: { readonly [vector: string]: number },
  { recentCentroids, vectorReferences, signal }: Before,
): CloserLook {
  const looked = Object.fromEntries(Object.entries(dimensions).slice(0, NAMES_MAX));
  const sample = pointSample(looked);
  const duplicates = new Map(
    Object.entries(looked).map(([name, dimension]) => [name, nearDuplicates(dimension, usualCentroid(recentCentroids[name] ?? []))]),
  );
  return {
    add: (point, vectors) => {
      sample.add(point, vectors);
      for (const [name, { components, norm, isConforming }] of vectors) {
        if (norm !== undefined && norm > 0 && isConforming) duplicates.get(name)?.add(components, norm, point.id);
      }
    },
    compare: async () => {
      const turn = turns(signal);
      const points = sample.points();
      const metrics: MetricPoint[] = [];
      const suspects: Suspect[] = [];
      const references: Record<string, VectorReferences[string]> = {};
      for (const [name, near] of duplicates) {
        const stored = vectorReferences[name];
        const found = await compareVectors({ name, dimension: dimensions[name] ?? 0 }, points, { stored, duplicates: near, turn });
        // Of a scan without vectors nothing is learned, and nothing forgotten.
        const next = found?.stored ?? stored;
        if (next !== undefined) references[name] = next;
        metrics.push(...(found?.metrics ?? []));
        suspects.push(...(found?.suspects ?? []));
      }
      return { metrics, suspects, references };
    },
    probe: async (collection, points) => {
      const metrics: MetricPoint[] = [];
      const failures: string[] = [];
      for (const [vector, dimension] of Object.entries(looked)) {
        const found = await probeRecall({ collection, vector, components: points * dimension, sample: sample.points(), signal });
        metrics.push(...found.metrics);
        if (found.failure !== undefined) failures.push(found.failure);
      }
      return { metrics, failures };
    },
  };
}
