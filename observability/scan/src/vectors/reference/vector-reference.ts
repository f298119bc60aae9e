// SPDX-License-Identifier: Apache-2.0
/**
 * What the vectors of one name were like when all was well: a sample of them along their principal directions, the cells in which they lie, and from where
 * on each of their scores was rare. Later scans are compared with it, so that one point of a hundred shows as a tail ten times as heavy.
 */
import { nearestCentroid } from '@sextant/foundation-std';
import { quantile, RARE } from '../chance.ts';
import { distinctMagnitudes } from '../distinct-components.ts';
import type { SampledPoint } from '../point-sample.ts';
import { cellCenters, sharesOf } from './cells.ts';
import { principalDirections } from './principal-directions.ts';
import { type LearnedText, learnedText } from './text-member.ts';
import type { Turn } from './turns.ts';
import { besideShare, distanceToMembers, type Frame, type Members, type View, viewOf } from './view.ts';

export type VectorReference = {
  readonly frame: Frame;
  readonly members: Members;
  readonly cells: { readonly centers: Float32Array; readonly shares: readonly number[] };
  readonly cuts: Cuts;
  /** Nearer than this are vectors of one text, or of nearly one. */
  readonly nearDistance: number;
  /** The payload member that the vectors were made from, as a person set it or as their agreement shows. */
  readonly text: LearnedText | null;
  /** How many vectors it was made from. */
  readonly points: number;
};

/** Beyond each lay one of a thousand. */
export type Cuts = {
  readonly distance: number;
  readonly beside: number;
  readonly shortest: number;
  readonly longest: number;
  /** Of different magnitudes among the components. */
  readonly distinct: number;
};

/** A sampled vector of one name. */
export type SampledVector = {
  readonly point: SampledPoint;
  readonly vector: Float32Array;
};

export const REFERENCE_VECTORS_MIN = 200;
const MEMBERS_MAX = 1000;
const DIRECTIONS_MAX = 48;
/** Norms may differ by so much more, and numbers of distinct magnitudes by as many: rounding and a few updates are no fault. */
const NORM_MARGIN = 0.02;
const DISTINCT_MARGIN = 0.005;
/** Of the median distance to the nearest neighbour. */
const NEAR_SHARE = 0.15;

/** The vectors are in the order of their keys, which says nothing else of them, and at least `REFERENCE_VECTORS_MIN`. */
export async function makeReference(vectors: readonly SampledVector[], turn: Turn, textMember?: string): Promise<VectorReference> {
  const memberCount = Math.min(MEMBERS_MAX, vectors.length >> 1);
  const frame = await frameOf(
    vectors.slice(0, memberCount).map(({ vector }) => vector),
    turn,
  );
  const viewed: Viewed[] = [];
  for (const { point, vector } of vectors) {
    await turn(frame.directions.length);
    viewed.push({ point, vector, view: viewOf(frame, vector) });
  }
  const members = membersOf(viewed.slice(0, memberCount));
  const distances: number[] = [];
  // What is rare is learned from those that are no members: the directions and distances fit members better than others.
  const others = viewed.slice(memberCount);
  for (const { point, view } of others) {
    await turn(members.coordinates.length);
    distances.push(distanceToMembers(members, view, point.key));
  }
  const centers = await cellCenters(
    viewed.map(({ view }) => view.coordinates),
    turn,
  );
  return {
    frame,
    members,
    cells: { centers, shares: cellShares(viewed, centers) },
    cuts: cutsOf(viewed, others, distances),
    nearDistance: NEAR_SHARE * quantile(distances, 0.5),
    text: learnedText(pointTexts(viewed), textMember),
    points: vectors.length,
  };
}

export type Viewed = SampledVector & { readonly view: View };

export function cellOf(centers: Float32Array, { coordinates }: View): number {
  return nearestCentroid(centers, coordinates, 0, coordinates.length);
}

/** In a text of coordinates. */
export function pointTexts(viewed: readonly Viewed[]) {
  return viewed.map(({ point, view }) => ({ key: point.key, payload: point.payload, coordinates: view.coordinates }));
}

async function frameOf(vectors: readonly Float32Array[], turn: Turn): Promise<Frame> {
  const dimension = vectors[0]?.length ?? 0;
  const units = vectors.map(unit);
  const mean = new Float32Array(dimension);
  for (const row of units) for (let at = 0; at < dimension; at += 1) mean[at] = (mean[at] ?? 0) + (row[at] ?? 0) / units.length;
  const centred = units.map((row) => row.map((component, at) => component - (mean[at] ?? 0)));
  const count = Math.min(DIRECTIONS_MAX, Math.ceil(dimension / 2));
  return rounded({ mean, directions: await principalDirections(centred, count, turn) });
}

/** As it is stored, so that the first scan and those after it compare with the same. */
function rounded({ mean, directions }: Frame): Frame {
  return { mean, directions: Float32Array.from(new Float16Array(directions)) };
}

function unit(vector: Float32Array): Float32Array {
  const norm = Math.sqrt(vector.reduce((sum, component) => sum + component * component, 0));
  return vector.map((component) => component / norm);
}

function membersOf(viewed: readonly Viewed[]): Members {
  const axes = viewed[0]?.view.coordinates.length ?? 0;
  const coordinates = new Float16Array(viewed.length * axes);
  for (const [row, { view }] of viewed.entries()) coordinates.set(view.coordinates, row * axes);
  return {
    keys: Float64Array.from(viewed, ({ point }) => point.key),
    coordinates: Float32Array.from(coordinates),
    beside: Float32Array.from(viewed, ({ view }) => view.beside),
  };
}

function cellShares(viewed: readonly Viewed[], centers: Float32Array): readonly number[] {
  const axes = viewed[0]?.view.coordinates.length ?? 1;
  return sharesOf(
    viewed.map(({ view }) => cellOf(centers, view)),
    centers.length / axes,
  );
}

function cutsOf(viewed: readonly Viewed[], others: readonly Viewed[], distances: readonly number[]): Cuts {
  const norms = viewed.map(({ view }) => view.norm);
  const [least, most] = [quantile(norms, RARE / 2), quantile(norms, 1 - RARE / 2)];
  const margin = (NORM_MARGIN * (least + most)) / 2;
  const dimension = viewed[0]?.vector.length ?? 0;
  return {
    distance: quantile(distances, 1 - RARE),
    beside: quantile(
      others.map(({ view }) => besideShare(view)),
      1 - RARE,
    ),
    shortest: least - margin,
    longest: most + margin,
    distinct:
      quantile(
        viewed.map(({ vector }) => distinctMagnitudes(vector)),
        RARE,
      ) - Math.max(1, DISTINCT_MARGIN * dimension),
  };
}
