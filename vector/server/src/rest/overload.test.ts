// SPDX-License-Identifier: Apache-2.0
import { type ClientRequest, request } from 'node:http';
import { expect, test } from 'vitest';
import { testServer } from '../testing/test-server.ts';

/** Begins an upload of `bytes` and leaves its body unfinished. */
function unfinishedUpload(url: string, bytes: number): ClientRequest {
  const upload = request(`${url}/collections/a/points`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'content-length': bytes },
  });
  upload.on('error', () => undefined);
  upload.flushHeaders();
  return upload;
}

test('uploads beyond what the server may hold are asked to come back, and accepted when there is room', async () => {
  await using server = await testServer({ bodyLimitBytes: 100_000 });
  const large = { points: [], padding: 'x'.repeat(90_000) };
  const uploads = Array.from({ length: 8 }, () => unfinishedUpload(server.url, 90_000));
  // Small requests go on meanwhile; the large one is refused once all eight have arrived.
  let refused = await server.call('PUT', '/collections/a/points', large);
  while (refused.status !== 429) refused = await server.call('PUT', '/collections/a/points', large);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.body).toMatchObject({ status: { error: expect.stringContaining('Try again in 1 s') } });
  expect((await server.call('GET', '/collections')).status).toBe(200);

  for (const upload of uploads) upload.destroy();
  let answer = await server.call('PUT', '/collections/a/points', large);
  while (answer.status === 429) answer = await server.call('PUT', '/collections/a/points', large);
  expect(answer.status).toBe(400);
});
