// SPDX-License-Identifier: Apache-2.0
import { systemClock } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import type { RequestLogKind } from '../configuration.ts';
import type { OperationReply, OperationRequest } from './operation.ts';
import { loggingRequests } from './request-log.ts';

const request: OperationRequest = {
  operation: 'search_points',
  params: { collection_name: 'notes' },
  query: {},
  body: Buffer.from('{"vector": [1, 2], "secret": "only in the body"}'),
  caller: { address: '10.0.0.7', loopback: false, credential: 'sk-secret' },
  principal: { kind: 'admin' },
};
const reply: OperationReply = { status: 404, body: '{"status": "é"}', error: 'collection_not_found' };

async function logged(requestLog: RequestLogKind, slowRequestMs: number, sent = request) {
  const lines: { readonly level: string; readonly details: object; readonly message: string }[] = [];
  const note = (level: string) => (details: object, message: string) => void lines.push({ level, details, message });
  const run = loggingRequests(
    { requestLog, slowRequestMs },
    { clock: systemClock, log: { info: note('info'), warn: note('warn') } },
    async () => reply,
  );
  expect(await run(sent)).toBe(reply);
  return lines;
}

test('all requests are noted, with who asked for what and what came of it, and nothing of what was sent', async () => {
  const lines = await logged('all', 3_600_000);
  expect(lines).toEqual([
    {
      level: 'info',
      message: 'request',
      details: {
        operation: 'search_points',
        transport: 'rest',
        endpoint: 'POST /collections/{collection_name}/points/search',
        collection: 'notes',
        actor: 'admin',
        address: '10.0.0.7',
        status: 404,
        error: 'collection_not_found',
        ms: expect.any(Number),
        requestBytes: 48,
        replyBytes: 16,
      },
    },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/secret/);
});

test.each([
  ['none', 0, []],
  ['slow', 3_600_000, []],
  ['slow', 0, ['slow request']],
  ['all', 0, ['slow request']],
] as const)('with %s from %i ms on', async (kind, ms, messages) => {
  expect((await logged(kind, ms)).map(({ message }) => message)).toEqual(messages);
});

test('a call of gRPC has the name of its method', async () => {
  expect(await logged('all', 3_600_000, { ...request, call: 'qdrant.Points/Search' })).toMatchObject([
    { details: { transport: 'grpc', endpoint: 'qdrant.Points/Search' } },
  ]);
});
