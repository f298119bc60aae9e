// SPDX-License-Identifier: Apache-2.0
/** Which points a scan looks at, and to which segments each belongs, by the options of the asset. */
import { hash } from 'node:crypto';
import type { AssetOptions } from '@sextant/contracts-observability';
import { stringifyJson } from '@sextant/foundation-std';
import type { VectorPoint } from '@sextant/observability-connectors';

/** How the options write null. */
const NULL_VALUE = '__null__';

export type PointSelection = {
  readonly isSelected: (point: VectorPoint) => boolean;
  /** All segments that are measured, as `attribute=value`. */
  readonly segments: readonly string[];
  readonly segmentsOf: (point: VectorPoint) => readonly string[];
};

export function pointSelection({ filter = {}, segments = {}, sample_fraction: percent = 100 }: AssetOptions): PointSelection {
  const filters = Object.entries(filter);
  const measured = Object.entries(segments);
  return {
    isSelected: ({ id, payload }) =>
      filters.every(([name, values]) => values.includes(valueOfMember(payload, name))) && isSampled(id, percent),
    segments: measured.flatMap(([name, values]) => values.map((value) => `${name}=${value}`)),
    segmentsOf: ({ payload }) =>
      measured.flatMap(([name, values]) => {
        const value = valueOfMember(payload, name);
        return values.includes(value) ? [`${name}=${value}`] : [];
      }),
  };
}

function valueOfMember(payload: VectorPoint['payload'], name: string): string {
  const value = Object.hasOwn(payload, name) ? payload[name] : undefined;
  if (value === null || value === undefined) return NULL_VALUE;
  return typeof value === 'string' ? value : stringifyJson(value);
}

/** By the point's id, so that two scans look at the same points and their centroids can be compared. */
function isSampled(id: string, percent: number): boolean {
  return percent >= 100 || hash('sha256', id, 'buffer').readUInt32LE(0) < (percent / 100) * 2 ** 32;
}
