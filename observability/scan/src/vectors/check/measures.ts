// SPDX-License-Identifier: Apache-2.0
/** The metrics of one profile, by name and vector. */
import type { MetricName, MetricPoint } from '@sextant/contracts-observability';
import type { CollectionProfile } from '../collection-profile.ts';

export type Measures = {
  readonly points: number;
  /** Undefined where it was not measured, or of nothing. */
  readonly value: (attribute: string | null, name: MetricName, aggregation?: string) => number | undefined;
  /** Which payload member the texts of a vector are, and whether it was set or found, such as `payload member text, found`. */
  readonly textSource: (vector: string) => string;
  /** How many points have a vector of this name. */
  readonly vectors: (vector: string) => number;
  /** Share (0 to 1) of the points that have each payload member filled. */
  readonly members: ReadonlyMap<string, number>;
};

export function measuresOf({ metrics, recordsScanned }: Pick<CollectionProfile, 'metrics' | 'recordsScanned'>): Measures {
  const whole = metrics.filter(({ segment }) => segment === null);
  const isAbout = (attribute: string | null, name: MetricName, aggregation?: string) => (metric: MetricPoint) =>
    metric.attribute === attribute &&
    metric.metric_name === name &&
    (aggregation === undefined || metric.metric_aggregation === aggregation);
  const value = (attribute: string | null, name: MetricName, aggregation?: string): number | undefined =>
    whole.find(isAbout(attribute, name, aggregation))?.value ?? undefined;
  return {
    points: recordsScanned,
    value,
    textSource: (vector) => {
      const [, origin = '', member = ''] =
        /^(set|found):([\s\S]*)$/.exec(whole.find(isAbout(vector, 'VECTOR_TEXT_MEMBER'))?.metric_aggregation ?? '') ?? [];
      return `payload member ${member}, ${origin}`;
    },
    vectors: (vector) => Math.round(((value(vector, 'COMPLETENESS') ?? 0) / 100) * recordsScanned),
    members: new Map(
      whole.flatMap(({ metric_name: name, attribute, value: percent }) =>
        name === 'PAYLOAD_COMPLETENESS' && attribute !== null && percent !== null ? [[attribute, percent / 100] as const] : [],
      ),
    ),
  };
}
