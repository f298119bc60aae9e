// SPDX-License-Identifier: Apache-2.0
/** Web pages that may not use the services, in a browser on the machine of both, which run as they do without any setting. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { isLongRun, roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser } from '../console/browser.ts';
import { grpcAddressOf, startVectorServer } from '../vector-server.ts';
import type { Loot } from './hostile-page.ts';
import { answersByStatus, EVIL, type HostileSites, REBOUND, startHostileSites, type Target } from './hostile-sites.ts';

/** The status that a browser gets when it opens a web socket. */
async function handshake(url: string, origin: string): Promise<number | undefined> {
  const headers = {
    Origin: origin,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    'Sec-WebSocket-Version': '13',
  };
  const call = request(url, { headers }).end();
  const answered = Promise.race([once(call, 'response'), once(call, 'upgrade')]);
  const [message] = (await answered) as [IncomingMessage];
  message.resume();
  if (message.statusCode === 101) call.destroy();
  return message.statusCode;
}

const SERVICES = ['vector', 'observability'] as const;
/** What refuses stands before all routes alike, and the services' own tests ask each of them as each kind of page does. */
const EVERY = roundsOf({ quick: 16, long: 1 });

function attacked({ routes }: Target) {
  return routes.filter((_, index) => index % EVERY === 0);
}

const PASSWORD = 'Correct-Horse-42';

describe.skipIf(!hasBrowser)('a web page', () => {
  let sites: HostileSites;
  /** A page of its own for each test would be a process of its own. */
  let page: Page;

  beforeAll(async () => {
    sites = await startHostileSites();
    page = await sites.browser.newPage();
    await sites.vector.server.client.request('PUT', '/collections/kept', { vectors: { size: 1, distance: 'Dot' } });
  });
  afterAll(() => sites?.[Symbol.asyncDispose]());

  async function openHostilePage(host: string): Promise<void> {
    await page.goto(`http://${host}:${sites.sitePort}/`);
  }

  /** Calls a function of the page. */
  const run = <Answer>(call: string, ...args: unknown[]) =>
    page.evaluate<Answer>(`${call}(${args.map((arg) => JSON.stringify(arg)).join(',')})`);

  async function refusalsDuring({ server }: Target, work: () => Promise<unknown>): Promise<number> {
    const before = await answersByStatus(server);
    await work();
    const after = await answersByStatus(server);
    const others = [...after].filter(([status, count]) => status !== '403' && count !== (before.get(status) ?? 0));
    // The first look at the figures is in the second one.
    expect(others.map(([status, count]) => [status, count - (before.get(status) ?? 0)])).toEqual([['200', 1]]);
    return (after.get('403') ?? 0) - (before.get('403') ?? 0);
  }

  async function expectNothingDone(): Promise<void> {
    const { client } = sites.vector.server;
    expect((await client.request('GET', '/auth/admin/exists')).body).toMatchObject({ result: false });
    expect(await client.request('GET', '/collections')).toMatchObject({
      status: 200,
      body: { result: { collections: [{ name: 'kept' }] } },
    });
    expect((await client.request('GET', '/collections/kept')).body).toMatchObject({ result: { points_count: 0 } });
  }

  for (const name of SERVICES) {
    // Both services refuse by the same code.
    const isWhole = name === 'vector' || isLongRun();

    const hosts: [what: string, host: string][] = [['of another site', EVIL]];
    if (isWhole) hosts.push(['of another port of this machine', '127.0.0.1']);

    test.each(hosts)(`%s gets nothing done at the ${name} service, and reads nothing`, async (_what, host) => {
      const target = sites[name];
      const routes = attacked(target);
      await openHostilePage(host);
      let loot: Loot = { readable: [], requests: 0 };
      const refusals = await refusalsDuring(target, async () => {
        loot = await run<Loot>('attack', target.server.address, routes);
      });
      expect(loot.readable).toEqual([]);
      expect(refusals).toBeGreaterThanOrEqual(loot.requests);
      await expectNothingDone();
    });

    test(`opens no web socket to the ${name} service`, async () => {
      const { server, routes } = sites[name];
      if (isWhole) {
        await openHostilePage(EVIL);
        // A browser waits longer after each socket that failed: the other routes get the same handshake from a program.
        expect(await run('connect', server.address, [{ path: '/' }, ...routes.slice(0, 2)])).toEqual([]);
      }
      const origin = `http://${EVIL}:${sites.sitePort}`;
      const answers = await Promise.all(routes.map(async ({ path }) => ({ path, status: await handshake(server.address + path, origin) })));
      expect(answers).toHaveLength(routes.length);
      expect(answers.filter(({ status }) => status !== 403)).toEqual([]);
    });

    test.runIf(isWhole)(`whose name leads to the ${name} service is refused, with a sentence that says why`, async () => {
      const target = sites[name];
      const own = `http://${REBOUND}:${new URL(target.server.address).port}`;
      expect((await page.goto(`${own}/`))?.status()).toBe(403);
      // As if the name had led to the site's own machine until now.
      await page.route(`${own}/page`, async (route) => {
        const response = await route.fetch({ url: `http://127.0.0.1:${sites.sitePort}/` });
        await route.fulfill({ response });
      });
      await page.goto(`${own}/page`);
      const routes = attacked(target);
      const answers = await run<{ status: number; text: string }[]>('read', routes);
      expect(answers).toHaveLength(routes.length);
      expect(answers.filter(({ status, text }) => status !== 403 || !/_ALLOWED_HOSTS/.test(text))).toEqual([]);
      await page.unroute(`${own}/page`);
      await expectNothingDone();
    });
  }

  test('that hides where it is from gets nothing done either', async () => {
    await openHostilePage(EVIL);
    const { server } = sites.vector;
    // A frame that may run scripts and has no origin; it says when it has its answer, or none.
    const script = `fetch('${server.address}/auth/admin', { method: 'POST', mode: 'no-cors', body: '{"password":"${PASSWORD}"}' })
      .catch(() => {}).finally(() => parent.postMessage('asked', '*'));`;
    const refusals = await refusalsDuring(sites.vector, () =>
      page.evaluate(`new Promise((resolve) => {
        addEventListener('message', resolve, { once: true });
        const frame = document.createElement('iframe');
        frame.sandbox = 'allow-scripts';
        frame.srcdoc = '<script>' + ${JSON.stringify(script)} + '</' + 'script>';
        document.body.append(frame);
      }).then(() => undefined)`),
    );
    expect(refusals).toBe(1);
    await expectNothingDone();
  });

  test('reads what it asks for where the operator lists every page, and creates no admin even there', async () => {
    await using directory = await temporaryDirectory();
    await using open = await startVectorServer({ directory: directory.path, environment: { SERVICE_ALLOWED_ORIGINS: '*' } });
    await openHostilePage(EVIL);
    const routes = [
      { method: 'GET', path: '/collections' },
      { method: 'POST', path: '/auth/admin' },
      { method: 'PUT', path: '/collections/made' },
    ];
    const { readable } = await run<Loot>('attack', open.address, routes);
    expect(readable).toContainEqual(expect.stringMatching(/^preflighted GET .*"collections":\[/));
    expect(readable).toContainEqual(expect.stringMatching(/^preflighted POST .*setup code/));
    expect((await open.client.request('GET', '/auth/admin/exists')).body).toMatchObject({ result: false });
    expect((await open.client.request('GET', '/collections/made')).status).toBe(200);
  });

  test('cannot reach the gRPC interface, which browsers do not speak', async () => {
    await openHostilePage(EVIL);
    const address = grpcAddressOf(sites.vector.server);
    const outcome = await page.evaluate<string>(
      `fetch('${address}/qdrant.Collections/List', { method: 'POST', mode: 'no-cors', body: '{}' }).then(({ type }) => type, () => 'failed')`,
    );
    expect(outcome).toBe('failed');
    expect((await sites.vector.server.client.request('GET', '/readyz')).status).toBe(200);
  });

  test('may link to the title, the documentation and the console, and not to data', async () => {
    await openHostilePage(EVIL);
    for (const [path, status] of [
      ['/', 200],
      ['/docs', 200],
      ['/collections', 403],
      ['/console', 200],
    ] as const) {
      const url = `${sites.vector.server.address}${path}`;
      await page.goto(`http://${EVIL}:${sites.sitePort}/`);
      await page.evaluate(`document.body.append(Object.assign(document.createElement('a'), { href: '${url}', textContent: 'Follow' }))`);
      const [response] = await Promise.all([page.waitForResponse(url), page.getByText('Follow').click()]);
      expect([path, response.status()]).toEqual([path, status]);
    }
  });

  test('of the console of either service uses both', async () => {
    for (const [own, other] of [
      [sites.vector, sites.observability],
      [sites.observability, sites.vector],
    ] as const) {
      // Of the origin of the console, and quicker to load.
      await page.goto(`${own.server.address}/readyz`);
      const path = other.name === 'vector' ? '/collections' : '/healthz';
      const ask = `fetch('${other.server.address}${path}', { headers: { 'content-type': 'application/json' } }).then(({ status }) => status)`;
      expect(await page.evaluate<number>(ask)).toBe(200);
    }
  });
});
