// SPDX-License-Identifier: Apache-2.0
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { byColor, byNumber, type StrictModeServer, search, strictModeServer, upsert } from '../testing/strict-mode-server.ts';

let things: StrictModeServer;
beforeAll(async () => {
  things = await strictModeServer();
});
afterEach(() => things.reset());
afterAll(() => things.server[Symbol.asyncDispose]());

const under = (strictMode: object, more?: object) => things.under(strictMode, more);
const call = (method: string, path: string, body?: unknown) => things.call(method, path, body);

describe('the rates of a strict mode', () => {
  test.each([
    ['read', { read_rate_limit: 3 }, () => call('POST', '/points/search', search)],
    ['write', { write_rate_limit: 3 }, () => call('PUT', '/points', upsert(1))],
  ])('counts %ss by the minute', async (kind, limit, ask) => {
    await under(limit);
    for (let asked = 0; asked < 3; asked++) expect((await ask()).status).toBe(200);
    const refused = await ask();
    const name = kind === 'read' ? 'Read' : 'Write';
    expect(refused).toMatchObject({
      status: 429,
      error: `Rate limiting exceeded: ${name} rate limit exceeded: Operation requires 1 tokens but only 0.0 were available. Retry after 20s`,
    });
    expect(refused.headers.get('retry-after')).toBe('20');
    // Refused requests took no tokens.
    things.clock.advance(20_000);
    expect((await ask()).status).toBe(200);
  });

  test('counts the searches of a batch and the steps of a batch of writes one by one', async () => {
    await under({ read_rate_limit: 10, write_rate_limit: 10 });
    expect((await call('POST', '/points/search/batch', { searches: Array(9).fill(search) })).status).toBe(200);
    const fused = { prefetch: [{ query: 1 }, { query: 2 }], query: { fusion: 'rrf' } };
    expect(await call('POST', '/points/query', fused)).toMatchObject({ status: 429 });
    expect((await call('GET', '/points/1')).status).toBe(200);
    expect((await call('POST', '/points/batch', { operations: Array(10).fill({ delete: { points: [9] } }) })).status).toBe(200);
  });

  const CHARGES: readonly (readonly [tokens: number, method: string, path: string, body: unknown])[] = [
    [1, 'POST', '/points/search', search],
    [2, 'POST', '/points/search', { ...search, filter: byColor }],
    [4, 'POST', '/points/search', { ...search, filter: { must: [byColor, { should: [byNumber, byNumber] }] } }],
    [3, 'POST', '/points', { ids: [1, 2, 3] }],
    [2, 'POST', '/points/scroll', { limit: 3, filter: byColor }],
    [2, 'POST', '/points/count', { filter: byColor }],
    [2, 'POST', '/points/query', { prefetch: [{ query: 1 }, { query: 2 }], query: { fusion: 'rrf' } }],
    [4, 'POST', '/points/query', { prefetch: [{ query: 1 }, { query: 2 }], query: { fusion: 'rrf' }, filter: byColor }],
    [3, 'POST', '/points/query', { query: { recommend: { positive: [1, 2], negative: [3], strategy: 'best_score' } } }],
    [1, 'POST', '/points/query', { query: { recommend: { positive: [1, 2], negative: [3] } } }],
    [3, 'POST', '/points/query', { query: { discover: { target: 1, context: [{ positive: 2, negative: 3 }] } } }],
    [5, 'POST', '/points/search/matrix/pairs', { sample: 4, limit: 1 }],
    [4, 'PUT', '/points', upsert(4)],
    [2, 'POST', '/points/payload', { payload: { a: 1 }, points: [1, 2] }],
    // Five points are red, and the filter has one condition.
    [6, 'POST', '/points/payload', { payload: { a: 1 }, filter: byColor }],
    [6, 'POST', '/points/delete', { filter: byColor }],
    [1, 'PUT', '/index', { field_name: 'n', field_schema: 'integer' }],
  ];
  test.each(CHARGES)('charges %d tokens for %s %s %j', async (tokens, method, path, body) => {
    await under({ read_rate_limit: tokens, write_rate_limit: tokens });
    expect((await call(method, path, body)).status).toBe(200);
    // A minute's worth is spent.
    const isWrite = method === 'PUT' || path.includes('payload') || path.includes('delete');
    const [next, nextPath, nextBody] = isWrite ? (['PUT', '/points', upsert(1)] as const) : (['GET', '/points/1', undefined] as const);
    expect((await call(next, nextPath, nextBody)).status).toBe(429);
  });

  test.each(CHARGES.filter(([tokens]) => tokens > 1))(
    'refuses what takes %d tokens where a minute has fewer: %s %s %j',
    async (tokens, method, path, body) => {
      await under({ read_rate_limit: tokens - 1, write_rate_limit: tokens - 1 });
      const refused = await call(method, path, body);
      expect(refused).toMatchObject({ status: 429, error: expect.stringContaining(`Operation requires ${tokens} tokens`) });
    },
  );

  test('says when to try again, also where a request takes more than a minute has', async () => {
    await under({ write_rate_limit: 10 });
    const never = await call('POST', '/points/batch', { operations: Array(11).fill({ delete: { points: [9] } }) });
    expect(never.error).toBe(
      'Rate limiting exceeded: Write rate limit exceeded: Operation requires 11 tokens but only 10.0 fit into a minute; ask for less at a time',
    );
    expect([never.status, never.headers.get('retry-after')]).toEqual([429, '60']);
  });
});
