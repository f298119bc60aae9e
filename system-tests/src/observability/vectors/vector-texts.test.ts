// SPDX-License-Identifier: Apache-2.0
/** The payload member that vectors are made from: found by a scan of a real collection, or set by a person. */
import { seededRandom } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { vectorApi } from '../../vector-api.ts';
import { startVectorServer } from '../../vector-server.ts';
import { adminApi, startObservabilityServer } from '../observability-server.ts';
import { createAsset, scanned } from '../scanning.ts';

const DIMENSION = 16;
const POINTS = 600;
const WORDS = 40;
const TEXT_WORDS = 4;
const STALE = 60;

test('a scan finds the text of the vectors, uses the one that a person sets, and says which; texts that changed are counted', async () => {
  await using directory = await temporaryDirectory();
  await using vectors = await startVectorServer({ directory: `${directory.path}/vectors` });
  const collection = vectorApi(vectors.client).collection('articles');
  await collection.create({ vectors: { size: DIMENSION, distance: 'Cosine' } });
  const points = writtenPoints();
  await collection.upsert(points);

  const environment = { OBSERVABILITY_ALLOW_PRIVATE_NETWORKS: 'true' };
  await using server = await startObservabilityServer({ directory: `${directory.path}/observability`, environment });
  const api = await adminApi(server);
  const connection = await api.call(
    'create_connection',
    {},
    { body: { name: 'vectors', type: 'VECTOR_COLLECTION', payload: { url: vectors.address } } },
  );
  const source = { type: 'VECTOR_COLLECTION', connection_id: connection.id, payload: { collection: 'articles' } } as const;
  const asset = await createAsset(api, { name: 'articles', ...source });
  const set = (text_members: { readonly [vector: string]: string } | null) =>
    api.call('update_asset', { project_id: asset.project_id, asset_id: asset.id }, { body: { options: { text_members } } });
  const vector = { attribute: '' };
  const membersIn = ({ found }: Awaited<ReturnType<typeof scanned>>) =>
    found.find('VECTOR_TEXT_MEMBER', vector).map(({ metric_aggregation, value }) => [metric_aggregation, value]);

  expect(membersIn(await scanned(api, asset.id))).toEqual([['found:body', 100]]);

  // The client reports the body of the answer as it came.
  const refusal = (sentence: string) => JSON.stringify(`options.text_members."": ${sentence}`).slice(1, -1);
  await expect(set({ '': 'notes' })).rejects.toThrow(refusal('notes is no payload member; did you mean note?'));
  await expect(set({ '': 'number' })).rejects.toThrow(refusal('number holds no text; it is of type INTEGER'));
  await set({ '': 'note' });
  expect(membersIn(await scanned(api, asset.id))).toEqual([['set:note', 100]]);

  // Of the vectors that stay the note is another one now, and the body is what it was.
  await collection.upsert(
    points.map((point) => (point.id < STALE ? { ...point, payload: { ...point.payload, note: 'all of it again' } } : point)),
  );
  const ofNote = await scanned(api, asset.id);
  expect(ofNote.found.value('VECTOR_TEXT_MISMATCH_SHARE', { ...vector, aggregation: 'stale' })).toBeCloseTo((100 * STALE) / POINTS, 9);

  await set(null);
  expect(membersIn(await scanned(api, asset.id))).toEqual([['found:body', 100]]);

  await set({ titel: 'body' });
  const { job } = await scanned(api, asset.id);
  const errored = (await api.call('list_job_checks', { job_id: job.id })).filter(({ state }) => state === 'errored');
  expect(errored).toMatchObject([{ monitor_id: 'VECTOR_DRIFTS', reason: expect.stringContaining('titel') }]);
  await server.stop();
  await vectors.stop();
});

/** Vectors are the mean of what the words of the body mean; the note is of as many words, and of none of them. */
function writtenPoints() {
  const random = seededRandom(31);
  const component = () => random.integer(2000) / 1000 - 1;
  const meanings = Array.from({ length: WORDS }, () => Array.from({ length: DIMENSION }, component));
  const words = () => Array.from({ length: TEXT_WORDS }, () => random.integer(WORDS));
  return Array.from({ length: POINTS }, (_, id) => {
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
