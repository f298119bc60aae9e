// SPDX-License-Identifier: Apache-2.0
/**
 * The points of a collection that are looked at more closely than all can be: those whose ids have the smallest hashes, as many as fit. Two scans of the
 * same points look at the same ones, in whatever order they come. Bottom-k sampling: Cohen and Kaplan, "Summarizing Data using Bottom-k Sketches", PODC 2007.
 */
import { hash } from 'node:crypto';
import { stringifyJson } from '@sextant/foundation-std';
import type { VectorPoint } from '@sextant/observability-connectors';
import type { VectorReading } from './vector-statistics.ts';

export type SampledPoint = {
  readonly id: string;
  /** Of its id; points have different ones. */
  readonly key: number;
  /** Long members are cut. */
  readonly payload: VectorPoint['payload'];
  /** By name, those that can be compared: of the declared dimension, finite and not zero. */
  readonly vectors: ReadonlyMap<string, Float32Array>;
};

export type PointSample = {
  readonly add: (point: VectorPoint, vectors: readonly (readonly [name: string, reading: VectorReading])[]) => void;
  /** In the order of their keys. */
  readonly points: () => readonly SampledPoint[];
};

export const SAMPLE_POINTS_MAX = 4000;
/** Of all vectors of the sample: 32 MB. */
const SAMPLE_COMPONENTS_MAX = 8 * 1024 ** 2;
const KEY_BYTES = 6;
const MEMBERS_MAX = 50;
const TEXT_CHARACTERS_MAX = 2000;

export function pointSample(dimensions: { readonly [vector: string]: number }): PointSample {
  const components = Object.values(dimensions).reduce((sum, size) => sum + size, 1);
  const capacity = Math.min(SAMPLE_POINTS_MAX, Math.floor(SAMPLE_COMPONENTS_MAX / components));
  let kept: SampledPoint[] = [];
  /** No key beyond it is among the smallest. */
  let bound = Number.POSITIVE_INFINITY;
  const smallest = () => kept.toSorted((one, other) => one.key - other.key).slice(0, capacity);
  return {
    add: ({ id, payload }, vectors) => {
      const key = hash('sha256', `sample ${id}`, 'buffer').readUIntLE(0, KEY_BYTES);
      if (key >= bound) return;
      const comparable = vectors.flatMap(([name, { components: values, norm, isConforming }]) =>
        norm === undefined || norm === 0 || !isConforming ? [] : [[name, Float32Array.from(values)] as const],
      );
      kept.push({ id, key, payload: shortened(payload), vectors: new Map(comparable) });
      if (kept.length < 1.25 * capacity + 1) return;
      kept = smallest();
      bound = kept.at(-1)?.key ?? bound;
    },
    points: smallest,
  };
}

function shortened(payload: VectorPoint['payload']): VectorPoint['payload'] {
  return Object.fromEntries(
    Object.entries(payload)
      .slice(0, MEMBERS_MAX)
      .map(([name, value]) => [name, typeof value === 'object' && value !== null ? cut(stringifyJson(value)) : cut(value)]),
  );
}

function cut(value: unknown): unknown {
  return typeof value === 'string' ? value.slice(0, TEXT_CHARACTERS_MAX) : value;
}
