// SPDX-License-Identifier: Apache-2.0
/** The same steps over bare REST, and with our SDK over REST and over gRPC, each on a collection of its own of one server: all answer alike. */
import type { Endpoint } from '@sextant/contracts-vector';
import { endpoints } from '@sextant/contracts-vector/schemas';
import type { ChildServer } from '@sextant/foundation-testing';
import { ApiError, VectorClient } from '@sextant/sdk';
import { beforeAll, expect, test } from 'vitest';
import { sharedVectorServer } from '../../shared-server.ts';
import { grpcAddressOf } from '../../vector-server.ts';
import { SCENARIO, type Step } from './scenario.ts';

type Outcome = { readonly result: unknown } | { readonly refusal: string };
type Ask = (step: Step, collection: string) => Promise<Outcome>;

let server: ChildServer;
let clients: { readonly [name: string]: Ask };

beforeAll(async () => {
  server = await sharedVectorServer();
  clients = {
    bare: bareRest,
    sdk_rest: withSdk(new VectorClient({ url: server.address, grpc: false })),
    sdk_grpc: withSdk(new VectorClient({ url: server.address, grpc: grpcAddressOf(server), fetch: watchedFetch })),
  };
});

/** As anybody could, from the table of endpoints. */
async function bareRest({ operation, params = {}, body }: Step, collection: string): Promise<Outcome> {
  const { method, path }: Endpoint = endpoints[operation];
  const values: { readonly [name: string]: string } = { ...params, collection_name: collection };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  const reply = await server.client.request(method, filled, body);
  // The envelope of every operation of the scenario.
  const { result, status } = reply.body as { readonly result: unknown; readonly status: 'ok' | { readonly error: string } };
  return typeof status === 'string' ? { result } : { refusal: status.error };
}

/** Of the client that has gRPC, what it asked about points over REST all the same: what the protocol cannot say exactly. */
const overRest: string[] = [];
const watchedFetch: typeof fetch = (input, init) => {
  const url = input instanceof Request ? input.url : input.toString();
  if (/\/(?:points|facet)/.test(url)) overRest.push(url);
  return fetch(input, init);
};

function withSdk(client: VectorClient): Ask {
  return async ({ operation, params, body }, collection) => {
    try {
      // The scenario is checked against the contract by the service itself.
      const input = { params: { ...params, collection_name: collection }, body } as never;
      return { result: await client.call(operation, input) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { refusal: error.message };
    }
  };
}

test.each(SCENARIO.map((step, index) => [index, step.operation, step] as const))('%i %s', async (_index, _operation, step) => {
  const outcomes = new Map<string, Outcome>();
  for (const [name, ask] of Object.entries(clients)) outcomes.set(name, await ask(step, `films_${name}`));
  const bare = outcomes.get('bare');
  if ('refusal' in step.expected) {
    for (const [name, outcome] of outcomes)
      expect(outcome, name).toMatchObject({ refusal: expect.stringContaining(step.expected.refusal) });
    return;
  }
  expect(bare).toMatchObject(step.expected);
  for (const [name, outcome] of outcomes) expect(outcome, name).toEqual(bare);
});

test('the client that has gRPC went over REST for a date and a threshold that no float32 is', () => {
  expect(overRest.map((url) => url.replace(/.*\//, ''))).toEqual(['count', 'search']);
});
