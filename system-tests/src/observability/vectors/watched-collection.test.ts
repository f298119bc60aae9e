// SPDX-License-Identifier: Apache-2.0
/** The two services together: a collection of the vector service with planted faults is watched by the observability service. */
import { seededRandom } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { vectorApi } from '../../vector-api.ts';
import { startVectorServer } from '../../vector-server.ts';
import { adminApi, startObservabilityServer } from '../observability-server.ts';
import { createAsset, scanned } from '../scanning.ts';

const DIMENSION = 16;
const POINTS = 1200;
const ZEROS = 17;
/** Points that have the vector of point 100. */
const COPIES = 24;
const WITHOUT_LABEL = 30;

test('a scan of a vector collection finds the planted zero vectors, duplicates and missing payload members, and names some of them', async () => {
  await using directory = await temporaryDirectory();
  await using vectors = await startVectorServer({ directory: `${directory.path}/vectors` });
  const collection = vectorApi(vectors.client).collection('articles');
  await collection.create({ vectors: { size: DIMENSION, distance: 'Euclid' } });
  await collection.upsert(plantedPoints());

  const environment = { OBSERVABILITY_ALLOW_PRIVATE_NETWORKS: 'true' };
  await using server = await startObservabilityServer({ directory: `${directory.path}/observability`, environment });
  const api = await adminApi(server);
  const connection = await api.call(
    'create_connection',
    {},
    { body: { name: 'vectors', type: 'VECTOR_COLLECTION', payload: { url: vectors.address } } },
  );
  expect(await api.call('test_connection', { connection_id: connection.id })).toMatchObject({ success: true });
  expect(await api.call('list_connection_items', { connection_id: connection.id })).toMatchObject([
    { name: 'articles', payload: { collection: 'articles' } },
  ]);

  const source = { type: 'VECTOR_COLLECTION', connection_id: connection.id, payload: { collection: 'articles' } } as const;
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
  await server.stop();
  await vectors.stop();
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
