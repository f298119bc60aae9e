// SPDX-License-Identifier: Apache-2.0
/**
 * The gate before everything that a service answers over HTTP: what `WebAccess` refuses goes no further, whatever its path or method, and nothing of its
 * body is read. A page that may use the service gets the headers by which its browser lets it read the answer (CORS); nobody else gets any.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { WebAccess, WebRefusal } from './web-access.ts';

export type WebGateOptions = {
  readonly access: WebAccess;
  /** Answers a request that is refused, in the words and the envelope of the service. */
  readonly refuse: (refusal: WebRefusal, request: IncomingMessage, response: ServerResponse) => void;
  /** Whether cookies go along with this request; consoles alone may send them. */
  readonly takesCookie?: (request: IncomingMessage) => boolean;
  readonly log: { readonly warn: (details: object, message: string) => void };
};

/** How long a browser may remember a preflight; the longest that any of them honours is a day (Firefox). */
const PREFLIGHT_SECONDS = 86_400;
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
/** Names and origins that the log has; a page could make up any number of them. */
const LOGGED_MAX = 100;

/** Puts the gate before whatever listens on a server already. */
export function openWebGate(server: Server, { access, refuse, takesCookie = () => false, log }: WebGateOptions): void {
  const listeners = server.listeners('request') as RequestListener[];
  const logged = new Set<string>();
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const verdict = access.judge(request);
    if (verdict.kind === 'refused') {
      logOnce(verdict.refusal);
      refuse(verdict.refusal, request, response);
      return;
    }
    if (verdict.kind === 'page') {
      admitPage(response, verdict.origin, takesCookie(request) && access.consoleOrigin(request.headers) !== undefined);
      if (request.method === 'OPTIONS') {
        answerPreflight(request, response);
        return;
      }
    }
    for (const listener of listeners) listener(request, response);
  });

  function logOnce({ code, details }: WebRefusal): void {
    const key = JSON.stringify(details);
    if (logged.size >= LOGGED_MAX || logged.has(key)) return;
    logged.add(key);
    log.warn({ code, ...details }, 'refused a request from a web page; further requests like this are not logged');
  }
}

function admitPage(response: ServerResponse, origin: string, withCookies: boolean): void {
  response.setHeader('access-control-allow-origin', origin);
  // A page sees a few headers of an answer unasked, and not the one that says how long to wait.
  response.setHeader('access-control-expose-headers', 'retry-after');
  response.setHeader('vary', 'origin');
  if (withCookies) response.setHeader('access-control-allow-credentials', 'true');
}

function answerPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-methods', METHODS);
  response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? 'authorization, api-key, content-type');
  response.setHeader('access-control-max-age', String(PREFLIGHT_SECONDS));
  response.setHeader('vary', 'origin, access-control-request-headers');
  response.writeHead(204).end();
}
