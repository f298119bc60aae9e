// SPDX-License-Identifier: Apache-2.0
/** Which payload value points at fault have in common: one that is more frequent among them than chance gives. */
import { maskPii } from '../pii/mask.ts';
import type { SampledPoint } from './point-sample.ts';

type Payloads = readonly Pick<SampledPoint, 'payload'>[];

/** A member with more values names points, not kinds of points. */
const VALUES_MAX = 50;
/** Points at fault with the value, their share, and how many times as frequent the value is among them. */
const COUNT_MIN = 3;
const SHARE_MIN = 0.5;
const LIFT_MIN = 1.5;
const DEVIATIONS_MIN = 3;
const SHOWN_CHARACTERS = 100;

/** Such as `38 of 40 of them have language = "de", as 33 % of all do`; undefined where they share nothing. */
export function sharedValue(atFault: Payloads, all: Payloads): string | undefined {
  const usual = countsOf(all);
  const candidates = [...countsOf(atFault)].flatMap(([member, values]) =>
    [...values].flatMap(([value, count]) => {
      const known = usual.get(member);
      const share = (known?.get(value) ?? 0) / all.length;
      const expected = share * atFault.length;
      const isShared =
        known !== undefined &&
        known.size <= VALUES_MAX &&
        count >= Math.max(COUNT_MIN, SHARE_MIN * atFault.length, LIFT_MIN * expected) &&
        count > expected + DEVIATIONS_MIN * Math.sqrt(expected * (1 - share));
      return isShared ? [{ member, value, count, share }] : [];
    }),
  );
  const [best] = candidates.toSorted((one, other) => other.count - one.count || one.share - other.share);
  if (best === undefined) return undefined;
  const value = maskPii(best.value.slice(0, SHOWN_CHARACTERS));
  return `${best.count} of ${atFault.length} of them have ${best.member} = ${value}, as ${Math.round(100 * best.share)} % of all do`;
}

/** How many points have each value of each member; of a member with too many values only some. */
function countsOf(points: Payloads): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const members = new Map<string, Map<string, number>>();
  for (const { payload } of points) {
    for (const [member, value] of Object.entries(payload)) {
      if (typeof value === 'object' || value === undefined) continue;
      const values = members.get(member) ?? new Map<string, number>();
      members.set(member, values);
      const text = JSON.stringify(typeof value === 'bigint' ? String(value) : value);
      if (values.size <= VALUES_MAX || values.has(text)) values.set(text, (values.get(text) ?? 0) + 1);
    }
  }
  return members;
}
