// SPDX-License-Identifier: Apache-2.0
/** The vector service with a collection for each set of vectors, authentication on, asked with an access token. */
import { temporaryDirectory } from '@sextant/foundation-testing';
import { vectorApi } from '../../vector-api.ts';
import { startVectorServer } from '../../vector-server.ts';
import { type OverheadVectors, payloadOf } from './requests.ts';
import type { OverheadSubject } from './subject.ts';

const PASSWORD = 'A-passw0rd-of-the-Bench';

export type ServiceSubject = OverheadSubject & {
  /** What it answers to the first search of each set, without and with payload. */
  readonly sampleAnswers: readonly string[];
};

export async function startServiceSubject(
  sets: readonly OverheadVectors[],
  { threads }: { readonly threads: number },
): Promise<ServiceSubject> {
  const data = await temporaryDirectory();
  const server = await startVectorServer({
    directory: data.path,
    environment: { SERVICE_AUTH_ENABLED: 'true', SERVICE_THREADS: String(threads) },
  });
  const headers = { authorization: `Bearer ${await accessToken()}` };
  const api = vectorApi({ ...server.client, request: (method, path, body) => server.client.request(method, path, body, { headers }) });
  const sampleAnswers: string[] = [];
  for (const { dimension, points, queries } of sets) {
    const collection = api.collection(nameOf(dimension));
    await collection.create({ vectors: { size: dimension, distance: 'Dot' } });
    await collection.upsert(points.map((vector, id) => ({ id, vector, payload: payloadOf(id) })));
    for (const withPayload of [false, true]) {
      const result = await collection.search({ vector: queries[0] ?? [], limit: 10, with_payload: withPayload });
      sampleAnswers.push(JSON.stringify({ usage: { hardware: null }, time: 0.000123, status: 'ok', result }));
    }
  }

  return {
    name: 'service',
    sampleAnswers,
    target: (position) => ({
      port: Number(new URL(server.address).port),
      path: `/collections/${nameOf(sets[position]?.dimension ?? 0)}/points/search`,
      headers,
    }),
    cpuMicroseconds: async () => {
      const { body } = await server.client.request('GET', '/metrics', undefined, { headers });
      return Number(/^process_cpu_seconds_total (\S+)$/m.exec(String(body))?.[1]) * 1e6;
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await data[Symbol.asyncDispose]();
    },
  };

  async function accessToken(): Promise<string> {
    await server.client.request('POST', '/auth/admin', { password: PASSWORD });
    const login = await server.client.request('POST', '/auth/admin/login', { password: PASSWORD });
    const admin = { authorization: `Bearer ${(login.body as { token: string }).token}` };
    const token = { name: 'bench', permission: 'read,write' };
    const { body } = await server.client.request('POST', '/auth/api_key', token, { headers: admin });
    // The contract's answer; what went wrong on the way shows in the first call that the token does not open.
    return (body as { api_key: string }).api_key;
  }
}

function nameOf(dimension: number): string {
  return `bench-${dimension}`;
}
