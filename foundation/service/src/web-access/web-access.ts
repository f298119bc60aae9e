// SPDX-License-Identifier: Apache-2.0
/**
 * Which web pages may use a service. The browser of whoever runs the service reaches it from any page, so each page needs permission: its own pages and
 * those of the other service have it, and those that the operator lists. Credentials do not decide this, because a service may need none.
 *
 * A request without `Origin` and without `Sec-Fetch-Site` comes from a program, or from a page that can neither read the answer nor send more than
 * a GET: every browser sends `Origin` with all other methods and with everything whose answer a page may read.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { ANY, createHostNames, type HostNamesOptions } from './host-names.ts';

export type WebAccessOptions = HostNamesOptions & {
  /** Origins that the operator lists; `*` stands for every page, also for those that hide where they are from. */
  readonly allowedOrigins: readonly string[];
  /** Addresses of the consoles of this product beside the service's own; `{host}` stands for the name that the service was asked by. */
  readonly consoles: readonly (string | undefined)[];
  /** Paths of pages for people, to which any other site may link. */
  readonly pages: readonly string[];
};

export type WebRequest = { readonly method?: string | undefined; readonly url?: string | undefined; readonly headers: IncomingHttpHeaders };

export type WebRefusal =
  | { readonly code: 'host_not_allowed'; readonly details: { readonly host: string } }
  | { readonly code: 'origin_not_allowed'; readonly details: { readonly origin: string } };

export type WebVerdict =
  | { readonly kind: 'admitted' }
  /** A page that may read the answer. */
  | { readonly kind: 'page'; readonly origin: string }
  | { readonly kind: 'refused'; readonly refusal: WebRefusal };

export type WebAccess = {
  readonly judge: (request: WebRequest) => WebVerdict;
  /** The origin of the page that asks, where it is a console of this product. Scripts cannot set the headers that it is read from. */
  readonly consoleOrigin: (headers: IncomingHttpHeaders) => string | undefined;
};

const HOST_PLACE = '{host}';
const ADMITTED: WebVerdict = { kind: 'admitted' };
const TOLD_LENGTH_MAX = 300;

export function createWebAccess({ allowedOrigins, consoles, pages, ...hosts }: WebAccessOptions): WebAccess {
  const names = createHostNames(hosts);
  const listed = new Set(allowedOrigins);
  const visited = new Set(pages);

  const consoleOrigin: WebAccess['consoleOrigin'] = (headers) => {
    const { origin, host = '' } = headers;
    const page = origin === undefined ? null : URL.parse(origin);
    if (origin === undefined || page === null) return undefined;
    return isOwn(page, headers) || isNamed(origin, host, consoles) ? origin : undefined;
  };
  const mayRead = (origin: string, headers: IncomingHttpHeaders) =>
    listed.has(origin) || listed.has(ANY) || consoleOrigin(headers) !== undefined;

  return {
    consoleOrigin,
    judge(request) {
      const { headers } = request;
      if (!names.isAllowed(headers.host)) return refused({ code: 'host_not_allowed', details: { host: shown(headers.host) } });
      const { origin } = headers;
      const site = headers['sec-fetch-site'];
      if (origin === undefined) {
        // `none` is what a person typed or has bookmarked.
        if (site === undefined || site === 'same-origin' || site === 'none' || listed.has(ANY)) return ADMITTED;
        if (isVisit(request, visited)) return ADMITTED;
        return refused({ code: 'origin_not_allowed', details: { origin: 'another site' } });
      }
      if (mayRead(origin, headers)) return { kind: 'page', origin };
      return refused({ code: 'origin_not_allowed', details: { origin: shown(origin) } });
    },
  };
}

/**
 * A page of the service itself: the browser says so, or, where it says nothing, the names agree. Behind a proxy that changed the name in `Host`
 * only the browser knows.
 */
function isOwn(page: URL, { host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return site === 'same-origin' || (site === undefined && page.host === host?.toLowerCase());
}

function isNamed(origin: string, host: string, addresses: WebAccessOptions['consoles']): boolean {
  const name = host.replace(/:\d*$/, '');
  return addresses.some((address) => address !== undefined && URL.parse(address.replace(HOST_PLACE, name))?.origin === origin);
}

/** Somebody followed a link to a page for people. The site that they come from learns nothing of it, and such pages cannot be put into a frame. */
function isVisit({ method, url = '', headers }: WebRequest, pages: ReadonlySet<string>): boolean {
  const [path = ''] = url.split('?', 1);
  const page = path.length > 1 ? path.replace(/\/$/, '') : path;
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document' && pages.has(page);
}

function refused(refusal: WebRefusal): WebVerdict {
  return { kind: 'refused', refusal };
}

function shown(text: string | undefined): string {
  return (text ?? '').slice(0, TOLD_LENGTH_MAX) || 'an empty name';
}
