/** Any page may call a service; credentials are headers, so a page gains nothing that its user did not give it. Cookies are for the pages that a service names. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** How long a browser may remember a preflight; the longest that any of them honours is a day (Firefox). */
const PREFLIGHT_SECONDS = 86_400;

/** The origin of the page that asks, where it may send cookies with this request and read what comes back. */
export type OriginWithCookies = (request: FastifyRequest) => string | undefined;

export function openToAllOrigins(app: FastifyInstance, originWithCookies: OriginWithCookies = () => undefined): void {
  app.addHook('onRequest', async (request, reply) => {
    const origin = originWithCookies(request);
    reply.header('access-control-allow-origin', origin ?? '*');
    if (origin !== undefined) reply.headers({ 'access-control-allow-credentials': 'true', vary: 'origin' });
    // A page sees a few headers of an answer unasked, and not the one that says how long to wait.
    reply.header('access-control-expose-headers', 'retry-after');
    if (request.method !== 'OPTIONS') return;
    const wanted = request.headers['access-control-request-headers'];
    return reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
        'access-control-allow-headers': typeof wanted === 'string' ? wanted : 'authorization, api-key, content-type',
        'access-control-max-age': String(PREFLIGHT_SECONDS),
        vary: origin === undefined ? 'access-control-request-headers' : 'origin, access-control-request-headers',
      })
      .send();
  });
}
