// SPDX-License-Identifier: Apache-2.0
/** What a page asks the services for, and what comes of their files as it goes over the wire. */
import type { Page, Request } from 'playwright-core';
import { PATIENCE_MS } from './console-pages.ts';
import { settled } from './inspection.ts';

export type Loaded = { readonly files: readonly string[]; readonly bytes: number };

/** Runs `action` and answers which files below `/console` came with it, and in how many bytes, compressed as they are. */
export async function loadedDuring(page: Page, action: () => Promise<unknown>): Promise<Loaded> {
  const requests: Request[] = [];
  const note = (request: Request) => {
    const { pathname } = new URL(request.url());
    if (pathname === '/' || pathname.startsWith('/console')) requests.push(request);
  };
  const requested = watchRequests(page);
  page.on('request', note);
  await action();
  await requested.answered();
  page.off('request', note);
  const sizes = await Promise.all(requests.map((request) => request.sizes()));
  return {
    files: requests.map((request) => new URL(request.url()).pathname),
    bytes: sizes.reduce((sum, { responseBodySize, responseHeadersSize }) => sum + responseBodySize + responseHeadersSize, 0),
  };
}

type Requests = {
  /** Resolves once everything that the page asked for is answered, drawn, and has led to no further question. */
  readonly answered: () => Promise<void>;
};

/** What Chromium calls requests for scripts of a page and of its workers. */
const FILES = new Set(['script', 'other']);

/** Of a page that stays: `networkidle` comes once for a document, and a screen is none. */
export function watchRequests(page: Page): Requests {
  const underWay = new Set<Request>();
  let begun = 0;
  page.on('request', (request) => {
    underWay.add(request);
    begun += 1;
  });
  const end = (request: Request) => underWay.delete(request);
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  // Of a worker that has ended, nobody learns that its script had arrived.
  page.on('worker', (worker) =>
    worker.on('close', () => {
      for (const request of underWay) if (FILES.has(request.resourceType())) underWay.delete(request);
    }),
  );
  const answered = async () => {
    const deadline = performance.now() + PATIENCE_MS;
    for (let before = -1; before !== begun || underWay.size > 0; ) {
      before = begun;
      await settled(page);
      if (performance.now() > deadline) throw new Error(`not answered: ${Array.from(underWay, (request) => request.url()).join(', ')}`);
    }
  };
  return { answered };
}
