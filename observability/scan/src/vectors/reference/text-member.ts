// SPDX-License-Identifier: Apache-2.0
/** Which payload member the vectors were made from: the one that a person set, else of the members with the longest texts the one that agrees most with them. */

import { unknownName } from '@sextant/foundation-std';
import type { VectorPoint } from '@sextant/observability-connectors';
import { median } from '../centroid-shift.ts';
import { quantile, RARE } from '../chance.ts';
import { agreements, type TextAndVector, wordsOf } from './text-agreement.ts';

export type PointText = { readonly key: number; readonly payload: VectorPoint['payload']; readonly coordinates: Float32Array };

const CANDIDATES_MAX = 4;
const WORDS_MIN = 3;
/** Of the points. */
const PRESENT_MIN = 0.5;
/** Below this the words of a member say nothing of the vectors. */
const AGREEMENT_MIN = 0.2;
const SCORES_MIN = 100;

/** Undefined where no member agrees with the vectors. */
export function textMember(points: readonly PointText[]): string | undefined {
  const judged = candidates(points).map((member) => {
    const scores = [...agreements(textsOf(points, member)).values()];
    return { member, agreement: scores.length < SCORES_MIN ? 0 : median(scores) };
  });
  const [best] = judged.toSorted((one, other) => other.agreement - one.agreement);
  return best !== undefined && best.agreement >= AGREEMENT_MIN ? best.member : undefined;
}

/** The member, and the score below which few points were; `isSet` where a person named it. */
export type LearnedText = { readonly member: string; readonly cut: number; readonly isSet?: boolean };

/** Null where no member agrees with the vectors, or too few texts of the member that was set can be judged. */
export function learnedText(points: readonly PointText[], set: string | undefined): LearnedText | null {
  const member = set ?? textMember(points);
  if (member === undefined) return null;
  const scores = [...agreements(textsOf(points, member)).values()];
  if (set !== undefined && scores.length < SCORES_MIN) return null;
  return { member, cut: quantile(scores, RARE), ...(set !== undefined && { isSet: true }) };
}

/** Why nothing can be said of the member that was set; undefined where it can. */
export function textFault(payloads: readonly VectorPoint['payload'][], member: string, judged: number): string | undefined {
  const withText = payloads.filter((payload) => textOf(payload, member) !== undefined).length;
  if (withText > 0) {
    return judged >= SCORES_MIN
      ? undefined
      : `of ${payloads.length} sampled points ${judged} have a text in ${member} that can be judged, and ${SCORES_MIN} are needed`;
  }
  const members = [...new Set(payloads.flatMap((payload) => Object.keys(payload)))];
  return members.includes(member)
    ? `${member} holds no text in the sampled points`
    : unknownName('payload member of the sampled points', member, members);
}

export function textsOf(points: readonly PointText[], member: string): readonly TextAndVector[] {
  return points.flatMap(({ key, payload, coordinates }) => {
    const text = textOf(payload, member);
    return text === undefined ? [] : [{ key, text, coordinates }];
  });
}

/** Undefined where it is empty, missing or no text. */
export function textOf(payload: VectorPoint['payload'], member: string): string | undefined {
  const text = Object.hasOwn(payload, member) ? payload[member] : undefined;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** Those with the most words first. */
function candidates(points: readonly PointText[]): readonly string[] {
  const words = new Map<string, { texts: number; words: number }>();
  for (const { payload } of points) {
    for (const [member, value] of Object.entries(payload)) {
      if (typeof value !== 'string' || value === '') continue;
      const counted = words.get(member) ?? { texts: 0, words: 0 };
      words.set(member, { texts: counted.texts + 1, words: counted.words + wordsOf(value).length });
    }
  }
  return [...words]
    .filter(([, counted]) => counted.texts >= PRESENT_MIN * points.length && counted.words >= WORDS_MIN * counted.texts)
    .toSorted(([, one], [, other]) => other.words / other.texts - one.words / one.texts)
    .slice(0, CANDIDATES_MAX)
    .map(([member]) => member);
}
