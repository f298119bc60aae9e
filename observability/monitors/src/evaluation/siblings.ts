// SPDX-License-Identifier: Apache-2.0
/** The numbers of one monitor: series of the same metric learn from each other how far errors reach. */
import type { SharedShapes } from '../bands/band.ts';
import { SERIES_MIN, sharedShapes } from '../bands/learned/shared-shapes.ts';
import type { EvaluatedNumber, ReadyNumber } from './evaluate-number.ts';

/** Without those of which too little is known. */
export function evaluateSiblings(numbers: readonly ReadyNumber[]): readonly EvaluatedNumber[] {
  const byMetric = Map.groupBy(numbers, ({ watched: { series } }) => series.metric_name);
  const shapes = new Map([...byMetric].map(([metric, siblings]) => [metric, shapesOf(siblings)]));
  return numbers.flatMap(({ watched: { series }, evaluate }) => evaluate(shapes.get(series.metric_name)) ?? []);
}

function shapesOf(siblings: readonly ReadyNumber[]): SharedShapes | undefined {
  return siblings.length < SERIES_MIN ? undefined : sharedShapes(siblings.flatMap(({ evidence }) => evidence?.() ?? []));
}
