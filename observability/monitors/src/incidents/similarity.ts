// SPDX-License-Identifier: Apache-2.0
/**
 * Which earlier incidents are most like one. Each is embedded as a sparse vector of its features, weighted by tf-idf (Salton and Buckley 1988,
 * "Term-weighting approaches in automatic text retrieval"): what few incidents have in common counts more than what most have. Compared by cosine.
 */
import type { Incident, IncidentMetric } from '@sextant/contracts-observability';

export type ComparedIncident = Pick<
  Incident,
  'id' | 'asset_id' | 'alert_policy_id' | 'alert_policy_name' | 'description' | 'kind' | 'tags'
> & {
  readonly metrics: readonly IncidentMetric[];
};

export type SimilarIncident = {
  readonly id: number;
  /** Cosine, from 0 to 1. */
  readonly similarity: number;
  /** What they have in common, what counts most first. */
  readonly shared: readonly string[];
};

/** Less in common says nothing of the cause. */
const SIMILARITY_MIN = 0.2;
/** An incident of a wide table has thousands of metrics; the first ones say what it is about. */
const METRICS_MAX = 50;
const SHARED_MAX = 4;
/** Words of the description and of names are many, and each says little. */
const WORD_WEIGHT = 0.4;

/** A feature is its own text for people; words of texts have none. */
type Features = ReadonlyMap<string, number>;

/** The most alike first, at most `count`. */
export function similarIncidents(of: ComparedIncident, others: readonly ComparedIncident[], count: number): readonly SimilarIncident[] {
  const candidates = others.filter(({ id }) => id !== of.id).map((incident) => ({ id: incident.id, features: featuresOf(incident) }));
  const own = featuresOf(of);
  const idf = inverseFrequencies([own, ...candidates.map(({ features }) => features)]);
  const weigh = (features: Features) => new Map([...features].map(([name, weight]) => [name, weight * (idf.get(name) ?? 0)] as const));
  const [target, length] = [weigh(own), lengthOf(weigh(own))];
  return candidates
    .map(({ id, features }) => {
      const weighted = weigh(features);
      const products = [...weighted].flatMap(([name, weight]) => {
        const product = weight * (target.get(name) ?? 0);
        return product > 0 ? [[name, product] as const] : [];
      });
      const total = products.reduce((sum, [, product]) => sum + product, 0);
      const norm = length * lengthOf(weighted);
      return { id, similarity: norm > 0 ? Math.min(1, total / norm) : 0, shared: sharedIn(products) };
    })
    .filter(({ similarity }) => similarity >= SIMILARITY_MIN)
    .toSorted((one, other) => other.similarity - one.similarity || other.id - one.id)
    .slice(0, count);
}

function featuresOf({ asset_id, alert_policy_id, alert_policy_name, description, kind, tags, metrics }: ComparedIncident): Features {
  const features = new Map<string, number>();
  const add = (name: string, weight: number) => features.set(name, Math.max(features.get(name) ?? 0, weight));
  add(`asset ${asset_id}`, 1);
  add(`monitor ${asset_id} ${alert_policy_id}`, 1);
  if (kind !== 'VIOLATION') add('a check that could not be evaluated', 1);
  for (const tag of tags) add(`the tag ${tag}`, 0.5);
  for (const { metric_name, metric_aggregation, attribute, rule, segment } of metrics.slice(0, METRICS_MAX)) {
    add(`the metric ${metric_name}`, 1);
    if (metric_aggregation !== '') add(`the aggregation ${metric_aggregation}`, WORD_WEIGHT);
    if (segment !== null) add(`the segment ${segment}`, 1);
    if (rule !== null) add(`the rule ${rule}`, 1);
    if (attribute !== null) {
      add(`the attribute ${attribute}`, 1);
      for (const word of wordsOf(attribute)) add(`word ${word}`, WORD_WEIGHT);
    }
  }
  for (const word of wordsOf(`${alert_policy_name} ${description}`)) add(`word ${word}`, WORD_WEIGHT);
  return features;
}

/** Words of prose and of names such as `unitPrice` and `unit_price`; numbers differ from scan to scan. */
function wordsOf(text: string): readonly string[] {
  return text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 2);
}

/** Smoothed by one, so that a feature that all incidents have still counts: a new tenant has few incidents, and they have much in common. */
function inverseFrequencies(all: readonly Features[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const features of all) for (const name of features.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map([...counts].map(([name, count]) => [name, 1 + Math.log((1 + all.length) / (1 + count))]));
}

function lengthOf(weights: ReadonlyMap<string, number>): number {
  return Math.hypot(...weights.values());
}

function sharedIn(products: readonly (readonly [name: string, product: number])[]): readonly string[] {
  return products
    .toSorted(([, one], [, other]) => other - one)
    .flatMap(([name]) => {
      if (name.startsWith('word ')) return [];
      if (name.startsWith('asset ')) return ['the asset'];
      return [name.startsWith('monitor ') ? 'the monitor' : name];
    })
    .slice(0, SHARED_MAX);
}
