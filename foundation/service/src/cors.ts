/** Any page may call a service; credentials are headers, never cookies, so a page gains nothing that its user did not give it. */
import type { FastifyInstance } from 'fastify';

/** How long a browser may remember a preflight; the longest that any of them honours is a day (Firefox). */
const PREFLIGHT_SECONDS = 86_400;

export function openToAllOrigins(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('access-control-allow-origin', '*');
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
        vary: 'access-control-request-headers',
      })
      .send();
  });
}
