// SPDX-License-Identifier: Apache-2.0
/**
 * Points as an embedding job makes them, from a seed: topics are clusters that stretch differently in a few of many directions, and the words of a
 * text follow from where in its topic the vector lies, so that texts and vectors agree.
 */
import { type Random, seededRandom } from '@sextant/foundation-std';

export type EmbeddedPoint = {
  readonly id: number;
  readonly topic: number;
  /** As the embedding job sends it, by vector name. */
  readonly vectors: Readonly<Record<string, Float32Array>>;
  readonly payload: Readonly<Record<string, unknown>>;
};

export type EmbeddingCorpus = {
  /** How frequent each topic usually is, in proportion. */
  readonly topics: readonly number[];
  /** `mix` weighs the topics; left out, each is as frequent as it usually is. */
  readonly draw: (id: number, mix?: readonly number[]) => EmbeddedPoint;
  /** Of a topic that `draw` never gives. */
  readonly drawUnknownTopic: (id: number) => EmbeddedPoint;
  /** What another model makes of what has this vector. */
  readonly ofOtherModel: (vector: Float32Array) => Float32Array;
};

const TOPICS = 40;
/** Directions in which a topic stretches; each point has as many degrees of freedom. */
const RANK = 24;
/** Noise in every component, in units of the spread within a topic. */
const NOISE = 0.15;
const TOPIC_SPREAD = 0.9;
/** Norms spread log-normally. */
const NORM_SPREAD = 0.08;
const NORM = 10;
const SUBTOPIC_AXES = 4;
const WORDS_OF_SUBTOPIC = 12;
const TEXT_WORDS = 12;
const COMMON_WORDS = 120;
const LANGUAGES = ['en', 'de', 'fr'];

/** One model: it turns what a text is about into a vector of its own dimension. */
type Model = { readonly dimension: number; readonly centers: readonly Float32Array[]; readonly bases: readonly Float32Array[] };

const OTHER_MODEL_SEED = 777;

export function embeddingCorpus(seed: number, dimensions: Readonly<Record<string, number>>): EmbeddingCorpus {
  const random = seededRandom(seed);
  const models = Object.entries(dimensions).map(([name, dimension]) => ({ name, model: modelOf(dimension, random) }));
  // Zipf's law, so that the rarest topic has one point of a hundred.
  const usual = Array.from({ length: TOPICS }, (_, rank) => 1 / (rank + 4));
  const write = (id: number, topic: number): EmbeddedPoint => {
    const latent = Float32Array.from({ length: RANK }, () => gaussian(random));
    const norm = NORM * Math.exp(NORM_SPREAD * gaussian(random));
    return {
      id,
      topic,
      vectors: Object.fromEntries(models.map(({ name, model }) => [name, embed(model, topic, { latent, norm, random })])),
      payload: {
        title: `article ${id}`,
        text: textOf(topic, latent, random),
        language: LANGUAGES[random.integer(LANGUAGES.length)],
        price: Math.round(100 * Math.exp(gaussian(random))) / 10,
      },
    };
  };
  return {
    topics: usual,
    draw: (id, mix = usual) => write(id, chosen(mix, random)),
    drawUnknownTopic: (id) => write(id, TOPICS),
    ofOtherModel: otherModel(),
  };
}

/** Draws from a corpus of another seed; what the vector was of does not matter, since no direction means what it meant. */
function otherModel(): EmbeddingCorpus['ofOtherModel'] {
  const others = new Map<number, EmbeddingCorpus>();
  return ({ length }) => {
    const other = others.get(length) ?? embeddingCorpus(OTHER_MODEL_SEED, { '': length });
    others.set(length, other);
    return other.draw(0).vectors[''] ?? new Float32Array(length);
  };
}

export function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

/** An index, as often as its weight says. */
export function chosen(weights: readonly number[], random: Random): number {
  let rest = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  return Math.max(
    0,
    weights.findIndex((weight) => {
      rest -= weight;
      return rest < 0;
    }),
  );
}

function modelOf(dimension: number, random: Random): Model {
  const gaussians = () => Float32Array.from({ length: dimension }, () => gaussian(random));
  // Some components are large in every vector of a model.
  const shared = gaussians().map((value) => (random.next() < 0.05 ? 2 * value : 0.3 * value));
  const centers = Array.from({ length: TOPICS + 1 }, () => gaussians().map((value, at) => (shared[at] ?? 0) + TOPIC_SPREAD * value));
  const bases = centers.map(() =>
    Float32Array.from({ length: RANK * dimension }, (_, at) => gaussian(random) / Math.sqrt(1 + Math.floor(at / dimension))),
  );
  return { dimension, centers, bases };
}

type Content = { readonly latent: Float32Array; readonly norm: number; readonly random: Random };

function embed({ dimension, centers, bases }: Model, topic: number, { latent, norm, random }: Content): Float32Array {
  const [center, basis] = [centers[topic], bases[topic]];
  const vector = Float32Array.from({ length: dimension }, (_, at) => {
    let value = (center?.[at] ?? 0) + NOISE * gaussian(random);
    for (let axis = 0; axis < RANK; axis += 1) value += 0.5 * (latent[axis] ?? 0) * (basis?.[axis * dimension + at] ?? 0);
    return value;
  });
  return scaled(vector, norm / Math.hypot(...vector));
}

export function scaled(vector: Float32Array, factor: number): Float32Array {
  return vector.map((component) => factor * component);
}

/** Half of the words are of the topic and of where in it the text lies, the others are words of every day. */
function textOf(topic: number, latent: Float32Array, random: Random): string {
  const side = latent.subarray(0, SUBTOPIC_AXES).reduce((sum, value, axis) => sum + (value > 0 ? 2 ** axis : 0), 0);
  const words = Array.from({ length: TEXT_WORDS }, (_, place) => {
    if (place % 2 === 0) return `common${Math.floor(COMMON_WORDS * random.next() ** 2)}`;
    const isOfSide = random.next() < 0.5;
    return `topic${topic}${isOfSide ? `side${side}` : ''}word${random.integer(WORDS_OF_SUBTOPIC)}`;
  });
  return words.join(' ');
}
