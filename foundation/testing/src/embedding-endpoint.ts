// SPDX-License-Identifier: Apache-2.0
/**
 * Stands in for somebody else's endpoint of embeddings, by the protocol of OpenAI. Its vectors come from the words of a text, so that texts with words in
 * common are near each other, and equal texts have equal vectors.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type EmbeddingCall = {
  readonly model: string;
  readonly input: readonly string[];
  readonly dimensions?: number;
  readonly authorization: string | undefined;
  readonly traceparent: string | undefined;
};

export type EmbeddingEndpoint = AsyncDisposable & {
  /** The address before `/embeddings`. */
  readonly url: string;
  readonly calls: readonly EmbeddingCall[];
  /** Answers the next requests instead, in turn. */
  answerNext(...answers: readonly PlannedAnswer[]): void;
};

/** An answer in place of vectors; `hang` gives none. */
type PlannedAnswer = { readonly status: number; readonly body?: unknown; readonly headers?: { readonly [name: string]: string } } | 'hang';

const DIMENSIONS = 16;

export function wordVector(text: string, dimensions = DIMENSIONS): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let hash = 7;
    for (const letter of word) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
    vector[hash % dimensions] = (vector[hash % dimensions] ?? 0) + 1;
  }
  return vector;
}

export async function embeddingEndpoint(length = DIMENSIONS): Promise<EmbeddingEndpoint> {
  const calls: EmbeddingCall[] = [];
  const planned: PlannedAnswer[] = [];
  const server = createServer((request, response) => void handle(request, response));
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Omit<EmbeddingCall, 'authorization' | 'traceparent'>;
    const { authorization, traceparent } = request.headers;
    calls.push({ ...body, authorization, traceparent: traceparent?.toString() });
    const plan = planned.shift();
    if (plan === 'hang') return;
    const data = body.input.map((text, index) => ({ object: 'embedding', index, embedding: wordVector(text, body.dimensions ?? length) }));
    // The protocol names the place of each vector, so that their order is free.
    const { status, headers, body: answer } = plan ?? { status: 200, body: { object: 'list', data: data.toReversed(), model: body.model } };
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? {}));
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // A server on a host and port has an address of this form.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    answerNext: (...answers) => void planned.push(...answers),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
