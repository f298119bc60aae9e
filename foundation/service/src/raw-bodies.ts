/** Bodies go on as they came: whoever runs the operation parses them, without losing digits, or streams them. */
import type { FastifyInstance } from 'fastify';

export function takeBodiesRaw(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}
