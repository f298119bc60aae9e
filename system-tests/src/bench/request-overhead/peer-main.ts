// SPDX-License-Identifier: Apache-2.0
/** A peer's process: takes the answers over IPC, says its port, then its CPU time whenever it is asked. */
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { fastify } from 'fastify';

type Question = 'cpu' | { readonly answers: readonly string[] };

process.on('message', (question: Question) => void answerTo(question));

async function answerTo(question: Question): Promise<void> {
  if (question === 'cpu') {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
    return;
  }
  const server = process.argv[2] === 'fastify' ? await fastifyServer(question.answers) : httpServer(question.answers);
  await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0 }, resolve));
  // A server on a host and port has an address of this form.
  process.send?.((server.address() as AddressInfo).port);
}

/** Reads the body whole and answers the same bytes to each; nothing is parsed. */
function httpServer(answers: readonly string[]): Server {
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = answers[Number(request.url?.slice(1))] ?? '';
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) }).end(answer);
    });
  });
}

const BODY_SCHEMA = {
  type: 'object',
  required: ['vector', 'limit'],
  properties: {
    vector: { type: 'array', items: { type: 'number' } },
    limit: { type: 'integer', minimum: 1 },
    with_payload: { type: 'boolean' },
  },
};

/** What the documentation of the framework shows: a schema for the body, its own parser and serialiser. */
async function fastifyServer(answers: readonly string[]): Promise<Server> {
  const app = fastify();
  for (const [position, answer] of answers.entries()) {
    const parsed: unknown = JSON.parse(answer);
    app.post(`/${position}`, { schema: { body: BODY_SCHEMA } }, async () => parsed);
  }
  await app.ready();
  return app.server;
}
