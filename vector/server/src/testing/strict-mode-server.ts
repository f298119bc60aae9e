// SPDX-License-Identifier: Apache-2.0
/** A test server with a collection of ten points, on which a strict mode is tried. */
import { manualClock } from '@sextant/foundation-std';
import { expect } from 'vitest';
import { type TestServer, testServer } from './test-server.ts';

export const BASE = '/collections/things';
const POINTS = Array.from({ length: 10 }, (_, id) => ({
  id,
  vector: [id, 1],
  payload: { color: id % 2 === 0 ? 'red' : 'blue', n: id },
}));

export const search = { vector: [1, 1], limit: 3 };
export const byColor = { must: { key: 'color', match: { value: 'red' } } };
export const byNumber = { must: { key: 'n', range: { gt: 3 } } };
export const upsert = (count: number) => ({ points: POINTS.slice(0, count) });

export type StrictModeServer = {
  readonly server: TestServer;
  readonly clock: ReturnType<typeof manualClock>;
  /** Of the memory, what the process is taken to hold. */
  residentPercent: number;
  /** Creates the collection under a strict mode. */
  under(strictMode: object, more?: object): Promise<void>;
  /** Asks for a path of the collection. */
  call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly error: string | undefined; readonly headers: Headers }>;
  /** Deletes the collection, for the next test. */
  reset(): Promise<void>;
};

const RESIDENT_PERCENT = 10;

export async function strictModeServer(): Promise<StrictModeServer> {
  const clock = manualClock(1_700_000_000_000);
  const server = await testServer({
    clock,
    capabilities: ['groups', 'recommendations', 'discovery'],
    residentMemoryPercent: () => own.residentPercent,
  });
  const own: StrictModeServer = {
    server,
    clock,
    residentPercent: RESIDENT_PERCENT,
    under: async (strictMode, more = {}) => {
      const created = await server.call('PUT', BASE, {
        vectors: { size: 2, distance: 'Dot' },
        sparse_vectors: { words: { modifier: 'idf' } },
        ...more,
      });
      expect(created.status).toBe(200);
      await server.call('PUT', `${BASE}/points`, { points: POINTS });
      await server.call('PUT', `${BASE}/index`, { field_name: 'color', field_schema: 'keyword' });
      expect((await server.call('PATCH', BASE, { strict_mode_config: { enabled: true, ...strictMode } })).status).toBe(200);
    },
    call: async (method, path, body) => {
      const reply = await server.call(method, BASE + path, body);
      const { status } = reply.body as { status: 'ok' | { error: string } };
      return { status: reply.status, error: typeof status === 'string' ? undefined : status.error, headers: reply.headers };
    },
    reset: async () => {
      own.residentPercent = RESIDENT_PERCENT;
      await server.reset();
    },
  };
  return own;
}
