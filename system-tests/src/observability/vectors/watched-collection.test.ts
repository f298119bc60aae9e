// SPDX-License-Identifier: Apache-2.0
/** The two services together: collections of the vector service with planted faults, and with texts, are watched by the observability service. */
import { seededRandom } from '@sextant/foundation-std';
import type { ChildServer } from '@sextant/foundation-testing';
import { beforeAll, expect, test } from 'vitest';
import { sharedVectorServer } from '../../shared-server.ts';
import { vectorApi } from '../../vector-api.ts';
import { sharedServiceUnderTest } from '../contract/service-under-test.ts';
import type { ObservabilityApi } from '../observability-api.ts';
import { createAsset, scanned } from '../scanning.ts';

const DIMENSION = 16;
const POINTS = 1200;
const ZEROS = 17;
/** Points that have the vector of point 100. */
const COPIES = 24;
const WITHOUT_LABEL = 30;
/** With texts. */
const ARTICLES = 600;
const WORDS = 40;
const TEXT_WORDS = 4;
const STALE = 60;

let vectors: ChildServer;
let api: ObservabilityApi;
let connectionId: number;

beforeAll(async () => {
  vectors = await sharedVectorServer();
  ({ api } = await sharedServiceUnderTest());
  const connection = { name: 'vectors', type: 'VECTOR_COLLECTION', payload: { url: vectors.address } } as const;
  ({ id: connectionId } = await api.call('create_connection', {}, { body: connection }));
});

test('a scan of a vector collection finds the planted zero vectors, duplicates and missing payload members, and names some of them', async () => {
  const collection = vectorApi(vectors.client).collection('articles');
  await collection.create({ vectors: { size: DIMENSION, distance: 'Euclid' } });
  await collection.upsert(plantedPoints());

  expect(await api.call('test_connection', { connection_id: connectionId })).toMatchObject({ success: true });
  expect(await api.call('list_connection_items', { connection_id: connectionId })).toMatchObject([
    { name: 'articles', payload: { collection: 'articles' } },
  ]);

  const source = { type: 'VECTOR_COLLECTION', connection_id: connectionId, payload: { collection: 'articles' } } as const;
  const asset = await createAsset(api, { name: 'articles', ...source });
  const mean = {
    type: 'PREDEFINED_METRIC',
    name: 'mean',
    enabled: true,
    monitor: { predefined_metric: 'MEAN', attributes: ['number'] },
    threshold: { threshold_type: 'STATIC', threshold1: 0 },
  } as const;
  await expect(api.call('create_monitor', { asset_id: asset.id }, { body: mean })).rejects.toThrow(
    'MEAN is measured of tables and files, not of vector collections',
  );
  const first = await scanned(api, asset.id);
  const vector = { attribute: '' };
  expect(first.found.value('RECORD_COUNT')).toBe(POINTS);
  expect(first.found.value('VECTOR_DIMENSION_CONFORMITY', vector)).toBe(100);
  expect(first.found.value('VECTOR_ZERO_COUNT', vector)).toBe(ZEROS);
  expect(first.found.value('VECTOR_NAN_COUNT', vector)).toBe(0);
  expect(first.found.value('VECTOR_INFINITE_COUNT', vector)).toBe(0);
  // All but the first of each kind: of the zero vectors, and of point 100 with its copies.
  expect(first.found.value('VECTOR_DUPLICATE_COUNT', vector)).toBe(ZEROS - 1 + COPIES);
  expect(first.found.value('PAYLOAD_COMPLETENESS', { attribute: 'label' })).toBeCloseTo((100 * (POINTS - WITHOUT_LABEL)) / POINTS, 9);
  expect(first.found.value('PAYLOAD_COMPLETENESS', { attribute: 'number' })).toBe(100);
  expect(first.found.value('VECTOR_NORM', { ...vector, aggregation: 'min' })).toBe(0);
  expect(first.found.find('CENTROID_SHIFT', vector)).toEqual([]);

  const samples = await api.call('list_samples', { job_id: first.job.id });
  const idsOf = (reason: RegExp) => samples.filter((sample) => reason.test(sample.reason)).map(({ record_id }) => Number(record_id));
  expect(idsOf(/is zero$/)).toEqual(Array.from({ length: 10 }, (_, id) => id));
  expect(idsOf(/equal to that of point 100$/)).toEqual([101, 102, 103]);
  expect(idsOf(/has no label/)).toEqual(Array.from({ length: 10 }, (_, index) => POINTS - WITHOUT_LABEL + index));

  // The collection moves away from where it was; the next scan says how far.
  await collection.upsert(plantedPoints().map((point) => ({ ...point, vector: point.vector.map((component) => component + 1) })));
  const second = await scanned(api, asset.id);
  expect(second.found.value('CENTROID_SHIFT', { ...vector, aggregation: 'euclid' })).toBeCloseTo(Math.sqrt(DIMENSION), 3);
  expect(second.found.value('VECTOR_ZERO_COUNT', vector)).toBe(0);
});

/** The payload member that vectors are made from is found by a scan, or set by a person. */
test('a scan finds the text of the vectors, uses the one that a person sets, and says which; texts that changed are counted', async () => {
  const collection = vectorApi(vectors.client).collection('notes');
  await collection.create({ vectors: { size: DIMENSION, distance: 'Cosine' } });
  const points = writtenPoints();
  await collection.upsert(points);

  const source = { type: 'VECTOR_COLLECTION', connection_id: connectionId, payload: { collection: 'notes' } } as const;
  const asset = await createAsset(api, { name: 'notes', ...source });
  const set = (text_members: { readonly [vector: string]: string } | null) =>
    api.call('update_asset', { project_id: asset.project_id, asset_id: asset.id }, { body: { options: { text_members } } });
  const vector = { attribute: '' };
  const membersIn = ({ found }: Awaited<ReturnType<typeof scanned>>) =>
    found.find('VECTOR_TEXT_MEMBER', vector).map(({ metric_aggregation, value }) => [metric_aggregation, value]);

  expect(membersIn(await scanned(api, asset.id))).toEqual([['found:body', 100]]);

  // The client reports the body of the answer as it came.
  const refusal = (sentence: string) => JSON.stringify(`options.text_members."": ${sentence}`).slice(1, -1);
  await expect(set({ '': 'notes' })).rejects.toThrow(refusal('notes is not a payload member; did you mean note?'));
  await expect(set({ '': 'number' })).rejects.toThrow(refusal('number holds no text; it is of type INTEGER'));
  await set({ '': 'note' });
  expect(membersIn(await scanned(api, asset.id))).toEqual([['set:note', 100]]);

  // Of the vectors that stay the note is another one now, and the body is what it was.
  await collection.upsert(
    points.map((point) => (point.id < STALE ? { ...point, payload: { ...point.payload, note: 'all of it again' } } : point)),
  );
  const ofNote = await scanned(api, asset.id);
  expect(ofNote.found.value('VECTOR_TEXT_MISMATCH_SHARE', { ...vector, aggregation: 'stale' })).toBeCloseTo((100 * STALE) / ARTICLES, 9);

  await set({ titel: 'body' });
  const { job } = await scanned(api, asset.id);
  const errored = (await api.call('list_job_checks', { job_id: job.id })).filter(({ state }) => state === 'errored');
  expect(errored).toMatchObject([{ monitor_id: 'VECTOR_DRIFTS', reason: expect.stringContaining('titel') }]);
});

function plantedPoints() {
  const random = seededRandom(21);
  const drawn = Array.from({ length: POINTS }, () => Array.from({ length: DIMENSION }, () => random.integer(2000) / 1000 - 1));
  return drawn.map((vector, id) => ({
    id,
    vector: id < ZEROS ? vector.map(() => 0) : id > 100 && id <= 100 + COPIES ? (drawn[100] ?? vector) : vector,
    payload: { number: id, ...(id >= POINTS - WITHOUT_LABEL ? {} : { label: `article ${id}` }) },
  }));
}

/** Vectors are the mean of what the words of the body mean; the note is of as many words, and of none of them. */
function writtenPoints() {
  const random = seededRandom(31);
  const component = () => random.integer(2000) / 1000 - 1;
  const meanings = Array.from({ length: WORDS }, () => Array.from({ length: DIMENSION }, component));
  const words = () => Array.from({ length: TEXT_WORDS }, () => random.integer(WORDS));
  return Array.from({ length: ARTICLES }, (_, id) => {
    const body = words();
    const vector = Array.from({ length: DIMENSION }, (_, at) =>
      body.reduce((sum, word) => sum + (meanings[word]?.[at] ?? 0), component() / 4),
    );
    const payload = {
      number: id,
      body: body.map((word) => `word${word}`).join(' '),
      note: words()
        .map((word) => `remark${word}`)
        .join(' '),
    };
    return { id, vector, payload };
  });
}
