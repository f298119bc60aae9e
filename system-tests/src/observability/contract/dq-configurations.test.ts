/** "DQ score configuration" and "DQ reporting configuration" of the specification. */
import { afterAll, describe, expect, test } from 'vitest';
import { uploadAsset } from '../scanning.ts';
import { startServiceUnderTest } from './service-under-test.ts';
import { assertRefused } from './wire.ts';

const service = await startServiceUnderTest();
afterAll(() => service[Symbol.asyncDispose]());
const { admin, anonymous, api } = service;

const DEFAULT = { enabled: true, weights: { completeness: 0.25, accuracy: 0.25, consistency: 0.25, timeliness: 0.25 } };

/** Known by name and stored, and no object store. */
const WAREHOUSE = {
  type: 'SNOWFLAKE',
  payload: { account: 'a', warehouse: 'w', role: 'r' },
  credential: { type: 'SIMPLE', payload: { username: 'u', password: 'p' } },
} as const;

describe('the DQ score', async () => {
  const asset = await uploadAsset(api, { file: 'scored.csv', bytes: Buffer.from('a\n1\n') });
  const path = `/api/backend/default/configuration/assets/${asset.id}/dq_score`;

  test('has a default, takes weights of any scale, and goes back to the default', async () => {
    expect((await admin.get(path)).body).toEqual({ dq_score_config: DEFAULT });
    const saved = { enabled: false, weights: { completeness: 30, accuracy: 40, consistency: 20, timeliness: 10 } };
    expect((await admin.put(path, saved)).body).toEqual({ dq_score_config: saved });
    expect((await admin.get(path)).body).toEqual({ dq_score_config: saved });
    expect(await admin.delete(path)).toMatchObject({ status: 200, body: { success: true, message: expect.any(String) } });
    expect((await admin.get(path)).body).toEqual({ dq_score_config: DEFAULT });
  });

  test.each([
    ['a negative weight', { ...DEFAULT, weights: { ...DEFAULT.weights, accuracy: -1 } }, /weights\.accuracy/],
    ['a weight that is no number', { ...DEFAULT, weights: { ...DEFAULT.weights, accuracy: '1' } }, /weights\.accuracy/],
    ['weights of nothing', { enabled: true, weights: { completeness: 0, accuracy: 0, consistency: 0, timeliness: 0 } }, /weight/],
    ['a missing weight', { enabled: true, weights: { completeness: 1 } }, /accuracy|consistency|timeliness/],
    ['an unknown weight', { ...DEFAULT, weights: { ...DEFAULT.weights, beauty: 1 } }, /beauty/],
    ['a switch that is no switch', { ...DEFAULT, enabled: 'yes' }, /enabled/],
  ])('refuses %s', async (_, body, sentence) => {
    assertRefused(await admin.put(path, body), 400, sentence);
  });

  test('of an unknown asset is 404, without a credential 401', async () => {
    const unknown = '/api/backend/default/configuration/assets/nothing/dq_score';
    for (const reply of [await admin.get(unknown), await admin.put(unknown, DEFAULT), await admin.delete(unknown)]) {
      assertRefused(reply, 404, /nothing/);
    }
    assertRefused(await anonymous.get(path), 401, /credential/);
  });
});

describe.each(['/default/configuration/dq_reporting', '/api/backend/default/configuration/dq_reporting'])('%s', (path) => {
  test('is empty until it is set, and after it was deleted', async () => {
    expect(await admin.get(path)).toMatchObject({ status: 200, body: {} });
    expect(await admin.delete(path)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect((await admin.get(path)).body).toEqual({});
  });

  test('needs a connection that exists and is a cloud storage', async () => {
    assertRefused(await admin.put(path, { enabled: true, path: 'reports', connection_id: 4711 }), 404, /4711/);
    const connection = await api.call('create_connection', {}, { body: { name: `warehouse of ${path}`, ...WAREHOUSE } });
    assertRefused(
      await admin.put(path, { enabled: true, path: 'reports', connection_id: connection.id }),
      400,
      /SNOWFLAKE is no object store/,
    );
  });

  test.each([
    ['an absolute path', { enabled: true, path: '/reports', connection_id: 1 }, /path/],
    ['a path that climbs', { enabled: true, path: 'a/../../b', connection_id: 1 }, /path/],
    ['a connection id as text', { enabled: true, path: 'reports', connection_id: '1' }, /connection_id/],
    ['no switch', { path: 'reports', connection_id: 1 }, /enabled/],
  ])('refuses %s', async (_, body, sentence) => {
    assertRefused(await admin.put(path, body), 400, sentence);
  });

  test('asks for a credential', async () => {
    assertRefused(await anonymous.get(path), 401, /credential/);
  });
});
