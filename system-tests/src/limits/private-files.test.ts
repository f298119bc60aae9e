// SPDX-License-Identifier: Apache-2.0
/** Everything that the vector service keeps is for its owner alone, also what an earlier version left to be read by all. The observability service: `../lifecycle/audit-log.test.ts`. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { until } from '../until.ts';
import { vectorApi } from '../vector-api.ts';
import { startVectorServer } from '../vector-server.ts';
import { pathsBelow } from './file-modes.ts';

const POINTS = 2000;
const WAIT_MS = 120_000;

test.skipIf(process.platform === 'win32')('after a busy life', async () => {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, 'data');
  const environment = { SERVICE_CAPABILITIES: 'all' };
  {
    await using server = await startVectorServer({ directory: data, environment });
    const collection = vectorApi(server.client).collection('busy');
    await collection.create({ vectors: { size: 8, distance: 'Dot' }, optimizers_config: { indexing_threshold: 1 } });
    const points = Array.from({ length: POINTS }, (_, id) => ({
      id,
      vector: Array.from({ length: 8 }, (_each, place) => Math.sin(id * 8 + place)),
      payload: { city: 'Rome' },
    }));
    await collection.upsert(points);
    for (const [method, path, body] of [
      ['PUT', '/collections/busy/index', { field_name: 'city', field_schema: 'keyword' }],
      ['POST', '/collections/busy/snapshots', undefined],
      ['POST', '/snapshots', undefined],
      ['POST', '/auth/admin', { password: 'Correct-Horse-42' }],
    ] as const) {
      expect((await server.client.request(method, path, body)).status).toBe(200);
    }
    const { body } = await server.client.request('GET', '/collections/busy/snapshots');
    const [snapshot] = (body as { result: { name: string }[] }).result;
    const location = `file://${join(data, 'snapshots', 'busy', snapshot?.name ?? '')}`;
    expect((await server.client.request('PUT', '/collections/again/snapshots/recover', { location })).status).toBe(200);
    await until('a graph is saved', WAIT_MS, async () => pathsBelow(data).all.some((name) => /graph-\d+\.bin$/.test(name)) || undefined);
    expect(pathsBelow(data).open).toEqual([]);
    expect(pathsBelow(data).all.length).toBeGreaterThan(15);
    await server.stop();
  }
  // As versions before this one left it.
  for (const name of ['lock', 'system', 'system/data.mdb', 'collections', 'snapshots']) chmodSync(join(data, name), 0o755);
  await using server = await startVectorServer({ directory: data, environment });
  expect(pathsBelow(data).open).toEqual([]);
  await expect.poll(() => server.log.join('\n')).toContain('removed the permissions of group and others');
});
