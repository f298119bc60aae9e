// SPDX-License-Identifier: Apache-2.0
import { manualClock } from '@sextant/foundation-std';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { logRequests, type RequestLogOptions } from './request-log.ts';

async function linesOf(options: Pick<RequestLogOptions, 'requestLog' | 'slowRequestMs'>): Promise<readonly object[]> {
  const lines: object[] = [];
  const clock = manualClock(0);
  const write = (kind: string) => (details: object, message: string) => void lines.push({ kind, message, ...details });
  const app = fastify();
  for (const name of ['startedMs', 'member', 'claimedName', 'refusedWith']) app.decorateRequest(name);
  app.addHook('onRequest', async (request) => {
    request.startedMs = clock.monotonicMs();
  });
  logRequests(app, { ...options, clientAddress: () => '10.0.0.7', clock, log: { info: write('info'), warn: write('warn') } });
  app.get('/:tenant/quick', { config: { operation: 'list_assets' } }, async (request) => {
    request.member = { name: 'ada', tenantId: 'acme' } as typeof request.member;
    return { ok: true };
  });
  app.post('/:tenant/slow', { config: { operation: 'start_scan' } }, async (request, reply) => {
    clock.advance(1500);
    request.refusedWith = 'overloaded';
    return reply.code(429).send({ secret: 'of the answer' });
  });
  await app.inject({ method: 'GET', url: '/acme/quick?name=hidden' });
  await app.inject({ method: 'POST', url: '/acme/slow', payload: { secret: 'of the body' } });
  await app.inject({ method: 'GET', url: '/elsewhere/hidden' });
  await app.close();
  return lines;
}

test('all requests are noted with who asked and what came of it, slow ones as warnings', async () => {
  const lines = await linesOf({ requestLog: 'all', slowRequestMs: 1000 });
  expect(lines).toEqual([
    expect.objectContaining({
      kind: 'info',
      message: 'request',
      operation: 'list_assets',
      endpoint: 'GET /{tenant}/quick',
      target: { tenant: 'acme' },
      tenant: 'acme',
      actor: 'ada',
      address: '10.0.0.7',
      status: 200,
      ms: 0,
      requestBytes: 0,
      replyBytes: 11,
    }),
    expect.objectContaining({
      kind: 'warn',
      message: 'slow request',
      operation: 'start_scan',
      status: 429,
      error: 'overloaded',
      ms: 1500,
      requestBytes: 24,
    }),
    expect.objectContaining({ kind: 'info', operation: 'unknown', endpoint: 'GET unknown', actor: 'unknown', status: 404 }),
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/hidden|secret/);
});

test.each([
  ['slow', 1],
  ['none', 0],
] as const)('with %s, %d of the three are noted', async (requestLog, count) => {
  expect(await linesOf({ requestLog, slowRequestMs: 1000 })).toHaveLength(count);
});
