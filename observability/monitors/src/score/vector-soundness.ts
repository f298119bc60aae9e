// SPDX-License-Identifier: Apache-2.0
/** Which share of a collection's vectors can be searched with: of the declared dimension, finite, and not the zero vector. */
import type { MetricName, MetricPoint } from '@sextant/contracts-observability';

export type VectorSoundness = {
  /** Percentage of the vectors of one name. A vector with two faults counts twice against it, since only faults were counted, not vectors. */
  readonly share: number;
  readonly points: readonly MetricPoint[];
};

const FAULTS: readonly MetricName[] = ['VECTOR_NAN_COUNT', 'VECTOR_INFINITE_COUNT', 'VECTOR_ZERO_COUNT'];

/** For each name of which there are vectors, the worst first. */
export function vectorSoundness(points: readonly MetricPoint[]): readonly VectorSoundness[] {
  const records = points.find(({ metric_name, attribute }) => metric_name === 'RECORD_COUNT' && attribute === null)?.value ?? 0;
  return points
    .filter(({ metric_name }) => metric_name === 'VECTOR_DIMENSION_CONFORMITY')
    .flatMap((conformity) => {
      const ofName = (name: MetricName) => points.find((point) => point.metric_name === name && point.attribute === conformity.attribute);
      const vectors = (records * (ofName('COMPLETENESS')?.value ?? 0)) / 100;
      if (vectors === 0 || conformity.value === null) return [];
      const faults = FAULTS.flatMap((name) => ofName(name) ?? []);
      const faulty = faults.reduce((sum, { value }) => sum + (value ?? 0), 0);
      const share = Math.min(100, Math.max(0, conformity.value - (100 * faulty) / vectors));
      return [{ share, points: [conformity, ...faults] }];
    })
    .sort((one, other) => one.share - other.share);
}
