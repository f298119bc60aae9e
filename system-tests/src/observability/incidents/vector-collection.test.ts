// SPDX-License-Identifier: Apache-2.0
/** A vector collection that is watched: what an embedding job can do to it opens the incidents that one would expect, and a repair closes them. */
import { type Random, seededRandom } from '@sextant/foundation-std';
import { isLongRun } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { sharedVectorServer } from '../../shared-server.ts';
import { type CollectionApi, vectorApi } from '../../vector-api.ts';
import { sharedServiceUnderTest } from '../contract/service-under-test.ts';
import { createAsset, scan } from '../scanning.ts';
import { openIncidents } from './open-incidents.ts';

const DIMENSION = 16;
const POINTS = 600;
const TOPICS = 6;
const BASE_SCANS = 6;

type Article = {
  readonly id: number;
  readonly vector: readonly number[];
  readonly payload: { readonly label?: string; readonly year: number };
};

type Damage = {
  readonly name: string;
  readonly apply: (articles: readonly Article[], random: Random) => readonly Article[];
  readonly expected: readonly string[];
};

const DAMAGES: readonly Damage[] = [
  {
    name: 'zero vectors',
    apply: (articles, random) =>
      articles.map((article) => (random.next() < 0.05 ? { ...article, vector: article.vector.map(() => 0) } : article)),
    // Zero vectors are alike, and shorter than any was.
    expected: ['DATA_DRIFTS', 'NUMERIC_VALUE_DRIFTS', 'UNIQUENESS_DRIFTS'],
  },
  {
    name: 'numbers out of range',
    apply: (articles, random) =>
      articles.map((article) =>
        random.next() < 0.02 ? { ...article, vector: article.vector.map((component) => component * 1e12) } : article,
      ),
    // The mean of all vectors goes where a few lead it.
    expected: ['NUMERIC_VALUE_DRIFTS', 'VALUE_DISTRIBUTION_DRIFTS', 'VECTOR_DRIFTS'],
  },
  {
    name: 'dropped points',
    apply: (articles, random) => articles.filter(() => random.next() >= 0.3),
    expected: ['RECORD_COUNT_DRIFTS'],
  },
  {
    name: 'duplicated vectors',
    apply: (articles, random) =>
      articles.map((article) =>
        random.next() < 0.1 ? { ...article, vector: articles[random.integer(articles.length)]?.vector ?? [] } : article,
      ),
    expected: ['UNIQUENESS_DRIFTS'],
  },
  {
    name: 'vectors of another model',
    apply: (articles) => articles.map((article) => ({ ...article, vector: article.vector.toReversed().map((component) => -component) })),
    expected: ['VALUE_DISTRIBUTION_DRIFTS', 'VECTOR_DRIFTS'],
  },
  {
    name: 'payload loss',
    apply: (articles, random) =>
      articles.map((article) => (random.next() < 0.2 ? { ...article, payload: { year: article.payload.year } } : article)),
    expected: ['COMPLETENESS_DRIFTS'],
  },
];

/** The quick run takes one to the vectors and one to the payload, at once. */
const APPLIED = isLongRun()
  ? DAMAGES
  : [together(DAMAGES.filter(({ name }) => name === 'vectors of another model' || name === 'payload loss'))];

function together(damages: readonly Damage[]): Damage {
  return {
    name: damages.map(({ name }) => name).join(', '),
    apply: (articles, random) => damages.reduce((damaged, { apply }) => apply(damaged, random), articles),
    expected: damages.flatMap(({ expected }) => expected).toSorted(),
  };
}

test('each damage to a watched collection opens the incidents that one expects, and its repair closes them', async () => {
  const vectors = await sharedVectorServer();
  const collection = vectorApi(vectors.client).collection('articles');
  await collection.create({ vectors: { size: DIMENSION, distance: 'Euclid' } });
  const { api } = await sharedServiceUnderTest();
  const { id } = await api.call(
    'create_connection',
    {},
    { body: { name: 'vectors', type: 'VECTOR_COLLECTION', payload: { url: vectors.address } } },
  );

  const random = seededRandom(7);
  const topics = Array.from({ length: TOPICS }, () => embedding(random, () => 1));
  const articles = Array.from({ length: POINTS }, (_, number) => article(number, topics, random));
  await replaceAll(collection, articles);
  const asset = await createAsset(api, {
    name: 'articles',
    type: 'VECTOR_COLLECTION',
    connection_id: id,
    payload: { collection: 'articles' },
  });
  const delivered = async (points: readonly Article[]) => {
    await replaceAll(collection, points);
    const { status, details } = await scan(api, asset.id);
    if (status !== 'FINISHED') throw new Error(details);
    return (await openIncidents(api, asset.id)).map(({ alert_policy_id }) => alert_policy_id).toSorted();
  };
  /** Some articles are new, some are gone, the others as they were. */
  const usual = () =>
    articles.map((each) => (random.next() < 0.05 ? article(each.id, topics, random) : each)).filter(() => random.next() < 0.98);

  for (let number = 0; number < BASE_SCANS; number += 1) expect(await delivered(usual()), `usual scan ${number}`).toEqual([]);
  for (const { name, apply, expected } of APPLIED) {
    expect(await delivered(apply(usual(), random)), name).toEqual(expected);
    expect(await delivered(usual()), `after ${name}`).toEqual([]);
  }
});

async function replaceAll(collection: CollectionApi, articles: readonly Article[]): Promise<void> {
  await collection.deletePoints({ filter: {} });
  await collection.upsert(articles);
}

function article(id: number, topics: readonly (readonly number[])[], random: Random): Article {
  const topic = random.integer(topics.length);
  const vector = embedding(random, (axis) => topics[topic]?.[axis] ?? 0);
  return { id, vector, payload: { label: `topic ${topic}`, year: 2000 + random.integer(26) } };
}

/** Around a middle; the sum of four draws is near enough to normal. */
function embedding(random: Random, middle: (axis: number) => number): readonly number[] {
  const noise = () => random.next() + random.next() + random.next() + random.next() - 2;
  return Array.from({ length: DIMENSION }, (_, axis) => middle(axis) + 0.5 * noise());
}
