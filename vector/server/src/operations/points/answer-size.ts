// SPDX-License-Identifier: Apache-2.0
/** A bound on what one answer holds, so that no request can take all of a thread's memory. */
import { ServiceError } from '@sextant/contracts-vector';
import type { EngineReads } from '@sextant/vector-collection';
import type { Shown } from './present.ts';

/** What a point costs: an id and a score, a payload of a few hundred bytes, a vector of a thousand dimensions. */
const COST = { bare: 1, payload: 10, vector: 100 };
const ANSWER_COST_MAX = 1_000_000;

export type AnswerPart = Shown & { readonly limit: number };

/**
 * Throws when an answer could get larger than a thread should hold; `limit` alone does not say so, the collection may be small. Of an empty batch no part
 * asks whether the collection is there, so it is asked here.
 */
export async function boundAnswer(engine: EngineReads, collection: string, parts: readonly AnswerPart[]): Promise<void> {
  if (parts.length === 0) await engine.collectionInfo(collection);
  if (costOf(parts, Number.POSITIVE_INFINITY) <= ANSWER_COST_MAX) return;
  const points = await engine.count(collection, {});
  if (costOf(parts, points) <= ANSWER_COST_MAX) return;
  const [bare, payload, vector] = [COST.bare, COST.payload, COST.vector].map((cost) => ANSWER_COST_MAX / cost);
  const reason = `limit: one answer holds at most ${bare} points, ${payload} with their payload or ${vector} with their vectors; request fewer points at a time`;
  throw new ServiceError('invalid_request', { reason });
}

function costOf(parts: readonly AnswerPart[], points: number): number {
  return parts.reduce((total, part) => total + Math.min(part.limit, points) * costOfPoint(part), 0);
}

function costOfPoint({ with_payload: withPayload, with_vector: withVector }: Shown): number {
  if (withVector !== false) return COST.vector;
  return withPayload === false ? COST.bare : COST.payload;
}
