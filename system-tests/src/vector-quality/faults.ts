// SPDX-License-Identifier: Apache-2.0
/** What can go wrong with the vectors of a collection, each done to a share of its points. */
import type { Random } from '@sextant/foundation-std';
import { type EmbeddedPoint, type EmbeddingCorpus, gaussian, scaled } from './embedding-corpus.ts';

export type FaultContext = {
  readonly corpus: EmbeddingCorpus;
  /** The vector that goes wrong; the others of a point stay. */
  readonly vector: string;
  /** Of the points, 0 to 1. */
  readonly share: number;
  readonly random: Random;
};

export type Fault = {
  readonly name: string;
  /** Whether it is the index that goes wrong: it does not find the share of the points. */
  readonly isOfIndex?: true;
  readonly spoil: (points: readonly EmbeddedPoint[], context: FaultContext) => readonly EmbeddedPoint[];
};

/** Relative to the norm. */
const NEAR = 0.02;
const WRONG_NORM = 3;

export const FAULTS: readonly Fault[] = [
  ofVector('zero vectors', (vector) => scaled(vector, 0)),
  ofVector('not a number', (vector) => vector.map((component, at) => (at % 7 === 0 ? Number.NaN : component))),
  { name: 'exact duplicates', spoil: (points, context) => copied(points, context, (vector) => vector) },
  {
    name: 'near-duplicates',
    spoil: (points, context) =>
      copied(points, context, (vector) => {
        const noise = (NEAR * Math.hypot(...vector)) / Math.sqrt(vector.length);
        return vector.map((component) => component + noise * gaussian(context.random));
      }),
  },
  ofVector('wrong norm', (vector) => scaled(vector, WRONG_NORM)),
  ofVector('permuted dimensions', (vector) => vector.map((_, at) => vector[(at * 5 + 3) % vector.length] ?? 0)),
  {
    name: 'another model',
    spoil: (points, context) => spoilt(points, context, (point) => withVector(point, context.vector, context.corpus.ofOtherModel)),
  },
  ofVector('truncated, zero-filled', (vector) => vector.map((component, at) => (at < vector.length / 2 ? component : 0))),
  ofVector('constant vectors', (vector) => vector.fill(Math.hypot(...vector) / Math.sqrt(vector.length))),
  {
    name: 'stale: text changed',
    spoil: (points, context) =>
      spoilt(points, context, (point) => {
        const { payload } = points[context.random.integer(points.length)] ?? point;
        return { ...point, payload: { ...point.payload, text: payload.text } };
      }),
  },
  {
    name: 'a new topic',
    spoil: (points, context) => spoilt(points, context, ({ id }) => context.corpus.drawUnknownTopic(id)),
  },
  { name: 'a lost topic', spoil: withoutTopics },
  {
    name: 'missing payload members',
    spoil: (points, context) =>
      spoilt(points, context, (point) => {
        const { language: _lost, ...payload } = point.payload;
        return { ...point, payload };
      }),
  },
  ofVector('rounded to float16', (vector) => Float32Array.from(new Float16Array(vector))),
  ofVector('rounded to int8', (vector) => {
    const step = Math.max(...vector.map(Math.abs)) / 127;
    return vector.map((component) => step * Math.round(component / step));
  }),
  ofVector('rounded to 1 bit', (vector) => {
    const size = Math.hypot(...vector) / Math.sqrt(vector.length);
    return vector.map((component) => (component < 0 ? -size : size));
  }),
  { name: 'recall of the index', isOfIndex: true, spoil: (points) => points },
];

function ofVector(name: string, change: (vector: Float32Array) => Float32Array): Fault {
  return {
    name,
    spoil: (points, context) => spoilt(points, context, (point) => withVector(point, context.vector, (vector) => change(vector.slice()))),
  };
}

function withVector(point: EmbeddedPoint, name: string, change: (vector: Float32Array) => Float32Array | undefined): EmbeddedPoint {
  const vector = point.vectors[name];
  const changed = vector && change(vector);
  return changed === undefined ? point : { ...point, vectors: { ...point.vectors, [name]: changed } };
}

/** Exactly as many as the share asks for, wherever chance puts them. */
function spoilt(
  points: readonly EmbeddedPoint[],
  { share, random }: FaultContext,
  change: (point: EmbeddedPoint) => EmbeddedPoint,
): readonly EmbeddedPoint[] {
  const changed = [...points];
  let left = Math.round(share * points.length);
  for (const [index, point] of points.entries()) {
    if (random.next() * (points.length - index) >= left) continue;
    left -= 1;
    changed[index] = change(point);
  }
  return changed;
}

function copied(
  points: readonly EmbeddedPoint[],
  context: FaultContext,
  change: (vector: Float32Array) => Float32Array,
): readonly EmbeddedPoint[] {
  return spoilt(points, context, (point) => {
    const other = points[context.random.integer(points.length)]?.vectors[context.vector];
    return withVector(point, context.vector, () => other && change(other));
  });
}

/** The rarest topics go, as a whole, until the share is reached or would be passed by half. */
function withoutTopics(points: readonly EmbeddedPoint[], { share }: FaultContext): readonly EmbeddedPoint[] {
  const topics = [...Map.groupBy(points, ({ topic }) => topic)].toSorted(([, one], [, other]) => one.length - other.length);
  const lost = new Set<number>();
  let count = 0;
  for (const [topic, { length }] of topics) {
    if (lost.size > 0 && count + length / 2 > share * points.length) break;
    lost.add(topic);
    count += length;
  }
  return points.filter(({ topic }) => !lost.has(topic));
}
