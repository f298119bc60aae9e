// SPDX-License-Identifier: Apache-2.0
/** The SDK as it is published, in a browser: a page of another origin, which the services list, searches and uploads. Without Chromium there is nothing to test. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ChildServer, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, sharedBrowser } from '../console/browser.ts';
import { ADMIN, startObservabilityServer } from '../observability/observability-server.ts';
import { packedPackages } from '../packages/packed-packages.ts';
import { startVectorServer } from '../vector-server.ts';

describe.skipIf(!hasBrowser)('a page in a browser', () => {
  let directory: TemporaryDirectory;
  let vector: ChildServer;
  let observability: ChildServer;
  let site: Server;
  let page: Page;

  beforeAll(async () => {
    directory = await temporaryDirectory();
    site = await siteOf(readFileSync(`${packedPackages()}/packages/sdk/browser/index.js`, 'utf8'));
    const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    [vector, observability] = await Promise.all([
      startVectorServer({ directory: `${directory.path}/vector`, environment: { SERVICE_ALLOWED_ORIGINS: origin } }),
      startObservabilityServer({ directory: `${directory.path}/observability`, environment: { OBSERVABILITY_ALLOWED_ORIGINS: origin } }),
    ]);
    page = await (await sharedBrowser()).newPage();
    await page.goto(`${origin}/`);
  });

  afterAll(async () => {
    await page?.close();
    site?.close();
    await Promise.all([vector?.stop(), observability?.stop()]);
    await directory[Symbol.asyncDispose]();
  });

  /** Runs code in the page, as the module that it would be there; what it returns comes back as JSON. */
  async function inPage(code: string): Promise<unknown> {
    const text = await page.evaluate(`(async () => {
      const { VectorClient, ObservabilityClient, filter } = await import('/sdk.js');
      const found = await (async () => { ${code} })();
      return JSON.stringify(found, (_, value) => (typeof value === 'bigint' ? value + 'n' : value));
    })()`);
    return JSON.parse(String(text));
  }

  test('finds points of another origin, with ids of 64 bits', async () => {
    const found = await inPage(`
      const client = new VectorClient({ url: '${vector.address}' });
      await client.createCollection('cities', { vectors: { size: 2, distance: 'Dot' } });
      const cities = client.collection('cities');
      await cities.upsert([{ id: 2n ** 63n, vector: new Float32Array([1, 0.1]), payload: { city: 'Kyiv' } }, { id: 2, vector: [0, 1] }]);
      return cities.search({ vector: [1, 0], limit: 1, with_payload: true, with_vector: true });
    `);
    expect(found).toEqual([
      { id: '9223372036854775808n', version: expect.any(Number), score: 1, payload: { city: 'Kyiv' }, vector: [1, 0.1] },
    ]);
  });

  test('reads what a refusal says', async () => {
    const error = await inPage(`
      return new VectorClient({ url: '${vector.address}' }).collection('none').count().catch(({ name, code, status }) => ({ name, code, status }));
    `);
    expect(error).toEqual({ name: 'NotFoundError', code: 'collection_not_found', status: 404 });
  });

  test('signs in and uploads a file, and sees how far it is', async () => {
    const seen = await inPage(`
      const client = new ObservabilityClient({ url: '${observability.address}' });
      await client.signIn({ username: '${ADMIN.email}', password: '${ADMIN.password}' });
      const steps = [];
      const file = new File(['id\\n'.repeat(500000)], 'ids.csv');
      const { name, bytes } = await client.upload(file.name, file, { onProgress: (step) => steps.push(step) });
      return { name, bytes, last: steps.at(-1) };
    `);
    expect(seen).toEqual({ name: 'ids.csv', bytes: 1_500_000, last: { bytesSent: 1_500_000, bytesTotal: 1_500_000 } });
  });

  test('learns how long to wait', async () => {
    // Unlike a password, a refresh token takes the service no time.
    const error = await inPage(`
      const client = new ObservabilityClient({ url: '${observability.address}', retry: { retries: 0 } });
      const wrong = { grant_type: 'refresh_token', refresh_token: 'wrong' };
      for (;;) {
        const error = await client.getToken(wrong).catch((thrown) => thrown);
        if (error.status === 429) return { code: error.code, waits: error.retryAfterSeconds > 0 };
        if (error.status !== 401) throw error;
      }
    `);
    expect(error).toEqual({ code: 'rate_limited', waits: true });
  });
});

/** An origin of its own that has the bundle and an empty page. */
async function siteOf(bundle: string): Promise<Server> {
  const server = createServer((request, response) => {
    const isBundle = request.url === '/sdk.js';
    response.writeHead(200, { 'content-type': isBundle ? 'text/javascript' : 'text/html' });
    response.end(isBundle ? bundle : '<!doctype html><title>SDK</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
