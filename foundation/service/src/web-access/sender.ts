// SPDX-License-Identifier: Apache-2.0
/** Who sends a request that comes over a loopback socket: a program on this machine, a page in a browser on it, or a proxy for somebody elsewhere. */
import type { IncomingHttpHeaders } from 'node:http';

export type Sender = 'program' | 'browser' | 'proxy';

/** RFC 7239, RFC 9110 section 7.6.3, and what proxies in wide use send beside `X-Forwarded-…`. */
const PROXY_HEADERS: ReadonlySet<string> = new Set(['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip']);
const BROWSER_HEADERS: ReadonlySet<string> = new Set(['origin', 'referer', 'cookie', 'upgrade-insecure-requests']);
/** The `fetch` of Node.js sends this one, without any other of its kind. */
const ALSO_SENT_BY_PROGRAMS = 'sec-fetch-mode';

/** By the headers alone, and on the safe side: a program may pose as a browser, but no page can keep its browser from sending all of these. */
export function senderOf(headers: IncomingHttpHeaders): Sender {
  const names = Object.keys(headers);
  if (names.some((name) => PROXY_HEADERS.has(name) || name.startsWith('x-forwarded-'))) return 'proxy';
  const isBrowser = names.some((name) => BROWSER_HEADERS.has(name) || (name.startsWith('sec-') && name !== ALSO_SENT_BY_PROGRAMS));
  return isBrowser || /^Mozilla\//i.test(headers['user-agent'] ?? '') ? 'browser' : 'program';
}
