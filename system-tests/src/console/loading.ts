/** What a page loads from the services' files, as it goes over the wire. */
import type { Page, Request } from 'playwright-core';

export type Loaded = { readonly files: readonly string[]; readonly bytes: number };

/** Runs `action` and answers which files below `/console` came with it, and in how many bytes, compressed as they are. */
export async function loadedDuring(page: Page, action: () => Promise<unknown>): Promise<Loaded> {
  const requests: Request[] = [];
  const note = (request: Request) => {
    const { pathname } = new URL(request.url());
    if (pathname === '/' || pathname.startsWith('/console')) requests.push(request);
  };
  page.on('requestfinished', note);
  await action();
  await page.waitForLoadState('networkidle');
  page.off('requestfinished', note);
  const sizes = await Promise.all(requests.map((request) => request.sizes()));
  return {
    files: requests.map((request) => new URL(request.url()).pathname),
    bytes: sizes.reduce((sum, { responseBodySize, responseHeadersSize }) => sum + responseBodySize + responseHeadersSize, 0),
  };
}
