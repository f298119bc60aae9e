// SPDX-License-Identifier: Apache-2.0
/** Which points are at fault for what is measured: a few for each reason, so that a person can look at them. */
import type { RowSample } from '@sextant/contracts-observability';
import { stringifyJson } from '@sextant/foundation-std';
import type { VectorPoint } from '@sextant/observability-connectors';
import { maskPii } from '../pii/mask.ts';
import type { CentroidShift } from './centroid-shift.ts';
import type { Suspect } from './comparison.ts';
import type { Duplicates } from './duplicate-counter.ts';
import { missingMembers, type NotedPoint } from './missing-members.ts';
import { euclideanNorm, type Fence, isTruncated, type VectorReading } from './vector-statistics.ts';

export type PointFaults = {
  readonly add: (point: VectorPoint, vectors: readonly (readonly [name: string, reading: VectorReading])[]) => void;
  readonly samples: (measured: Measured) => readonly RowSample[];
};

type Measured = {
  readonly fences: ReadonlyMap<string, Fence | undefined>;
  readonly shifts: ReadonlyMap<string, CentroidShift | undefined>;
  readonly repeated: ReadonlyMap<string, Duplicates>;
  /** Which share of the points has each payload member. */
  readonly shares: ReadonlyMap<string, number>;
  /** Points that do not compare with how vectors used to be. */
  readonly suspects: readonly Suspect[];
};

type FaultOptions = {
  readonly dimensions: { readonly [vector: string]: number };
  /** The usual centroids of the scans before. */
  readonly usual: { readonly [vector: string]: readonly number[] | undefined };
};

const POINTS_PER_FAULT = 10;
const SAMPLES_MAX = 200;
/** The cosine distance from which on a centroid has moved by more than what comes and goes does. */
export const SHIFT_MIN = 0.02;
const SHOWN_MEMBERS = 20;
const SHOWN_CHARACTERS = 256;

export function pointFaults({ dimensions, usual }: FaultOptions): PointFaults {
  const plain: RowSample[] = [];
  const counts = new Map<string, number>();
  const missing = missingMembers(POINTS_PER_FAULT);
  const ofVector = new Map(
    Object.keys(dimensions).map((name) => [name, { ...extremes(), truncated: truncations(), direction: directionOf(usual[name]) }]),
  );

  const note = (point: NotedPoint, reason: string) => {
    const count = counts.get(reason) ?? 0;
    counts.set(reason, count + 1);
    if (count < POINTS_PER_FAULT) plain.push(sampleOf(point, reason));
  };

  return {
    add: ({ id, payload }, vectors) => {
      const point = { id, payload };
      missing.add(point);
      for (const [name, { components, norm, hasNotNumber, isConforming, trailingZeros, isConstant }] of vectors) {
        if (!isConforming) note(point, `${titleOf(name)} has another size than the ${dimensions[name]} of the collection`);
        if (norm === undefined) note(point, `${titleOf(name)} has components that are ${hasNotNumber ? 'not numbers' : 'infinite'}`);
        else if (norm === 0) note(point, `${titleOf(name)} is zero`);
        else if (isConstant) note(point, `${titleOf(name)} has the same number in all components`);
        const kept = ofVector.get(name);
        if (kept === undefined || norm === undefined || norm === 0) continue;
        kept.truncated.add(point, isTruncated(trailingZeros, components.length) ? trailingZeros : 0);
        kept.longest.offer(norm, point);
        kept.shortest.offer(-norm, point);
        if (isConforming && kept.direction !== undefined) kept.farthest.offer(-cosine(components, norm, kept.direction), point);
      }
    },
    samples: ({ fences, shifts, repeated, shares, suspects }) =>
      [
        ...plain,
        ...suspects.map(({ point, what }) => sampleOf(point, what)),
        ...[...ofVector].flatMap(([name, { longest, shortest, farthest, truncated }]) => [
          ...truncated.samples(name),
          ...duplicateSamples(name, repeated.get(name)),
          ...normSamples(name, fences.get(name), { longest, shortest }),
          ...((shifts.get(name)?.cosine ?? 0) < SHIFT_MIN
            ? []
            : farthest.items().map(({ point }) => sampleOf(point, `${titleOf(name)} is among the farthest from where vectors used to be`))),
        ]),
        ...missing.samples(shares).map(({ point, member }) => sampleOf(point, `The payload has no ${member}, as most have`)),
      ].slice(0, SAMPLES_MAX),
  };
}

/** Vectors that end with zeros, where most do not: those of pictures and counts may all do. */
function truncations() {
  const kept: { readonly point: NotedPoint; readonly zeros: number }[] = [];
  let [count, seen] = [0, 0];
  return {
    /** @param zeros 0 for a vector that is whole */
    add: (point: NotedPoint, zeros: number): void => {
      seen += 1;
      if (zeros === 0) return;
      count += 1;
      if (kept.length < POINTS_PER_FAULT) kept.push({ point, zeros });
    },
    samples: (name: string): readonly RowSample[] =>
      count > seen / 2 ? [] : kept.map(({ point, zeros }) => sampleOf(point, `${titleOf(name)} ends with ${zeros} zeros`)),
  };
}

function duplicateSamples(name: string, duplicates: Duplicates | undefined): readonly RowSample[] {
  return (duplicates?.pairs ?? []).map(({ id, first }) => ({
    monitor_id: null,
    reason: `${titleOf(name)} is equal to that of point ${first}`,
    record_id: id,
    row: {},
  }));
}

function normSamples(name: string, fence: Fence | undefined, { longest, shortest }: Omit<Extremes, 'farthest'>): readonly RowSample[] {
  if (fence === undefined) return [];
  const reason = (norm: number) => `${titleOf(name)} has the length ${Number(norm.toPrecision(4))}, far from what is usual`;
  return [
    ...longest.items().filter(({ rank }) => rank > fence.high),
    ...shortest.items().flatMap(({ rank, point }) => (-rank < fence.low ? [{ rank: -rank, point }] : [])),
  ].map(({ rank, point }) => sampleOf(point, reason(rank)));
}

type Extremes = { readonly longest: Highest; readonly shortest: Highest; readonly farthest: Highest };
type Highest = ReturnType<typeof highest>;

function extremes(): Extremes {
  return { longest: highest(), shortest: highest(), farthest: highest() };
}

/** The points of the highest ranks, the highest first. */
function highest() {
  const kept: { readonly rank: number; readonly point: NotedPoint }[] = [];
  return {
    offer: (rank: number, point: NotedPoint): void => {
      const least = kept.at(-1);
      if (kept.length >= POINTS_PER_FAULT && least !== undefined && rank <= least.rank) return;
      const place = kept.findIndex((each) => each.rank < rank);
      kept.splice(place === -1 ? kept.length : place, 0, { rank, point });
      if (kept.length > POINTS_PER_FAULT) kept.pop();
    },
    items: () => kept,
  };
}

/** Undefined without one, or where it is zero. */
function directionOf(centroid: readonly number[] | undefined): Float64Array | undefined {
  if (centroid === undefined) return undefined;
  const direction = Float64Array.from(centroid);
  const norm = euclideanNorm(direction);
  return norm === 0 ? undefined : direction.map((component) => component / norm);
}

function cosine(components: Float64Array, norm: number, direction: Float64Array): number {
  let product = 0;
  for (let index = 0; index < components.length; index += 1) product += (components[index] ?? 0) * (direction[index] ?? 0);
  return product / norm;
}

function sampleOf({ id, payload }: NotedPoint, reason: string): RowSample {
  const row = Object.fromEntries(
    Object.entries(payload)
      .slice(0, SHOWN_MEMBERS)
      .map(([name, value]) => [name, shownValue(value)]),
  );
  return { monitor_id: null, reason, record_id: id, row };
}

function shownValue(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return maskPii((typeof value === 'string' ? value : stringifyJson(value)).slice(0, SHOWN_CHARACTERS));
}

function titleOf(name: string): string {
  return name === '' ? 'The vector' : `The vector ${name}`;
}
