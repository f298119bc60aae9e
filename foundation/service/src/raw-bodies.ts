// SPDX-License-Identifier: Apache-2.0
/**
 * Bodies go on as they came: whoever runs the operation parses them, without losing digits, or streams them.
 *
 * The framework's own reader keeps the chunks of a body, joins them at the end, and leaves both to the garbage collector. That counts their
 * bytes and runs every few large uploads, for 10 to 30 ms in which a thread answers nobody. Here a body whose length is
 * known is put together as it arrives, and each chunk's memory is released at once. What is refused is refused as there.
 */
import type { IncomingMessage } from 'node:http';
import { errorCodes, type FastifyInstance } from 'fastify';
import { releaseBytes } from './release-bytes.ts';

type Done = (error: Error | null, body?: Buffer) => void;

export function takeBodiesRaw(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => {
    readBody(payload, { length: lengthIn(request.headers), limit: request.routeOptions.bodyLimit }, done);
  });
}

/** Undefined for a body in chunks of its own lengths. */
function lengthIn({ 'content-length': length }: IncomingMessage['headers']): number | undefined {
  return length === undefined ? undefined : Number(length);
}

function readBody(payload: IncomingMessage, { length, limit }: { length: number | undefined; limit: number }, done: Done): void {
  if (length !== undefined && length > limit) {
    done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    return;
  }
  const body = length === undefined ? new ChunkedBody() : new SizedBody(length);
  const finish: Done = (error, whole) => {
    payload.off('data', onData).off('end', onEnd).off('error', onError);
    done(error, whole);
  };
  const onData = (chunk: Buffer) => {
    if (body.received + chunk.length > limit) finish(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    else body.add(chunk);
  };
  const onEnd = () => {
    if (length !== undefined && body.received !== length) finish(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
    else finish(null, body.whole());
  };
  const onError = (error: Error) => finish(Object.assign(error, { statusCode: 400 }));
  payload.on('data', onData).on('end', onEnd).on('error', onError);
  payload.resume();
}

/** Memory is taken with the first chunk, and touched as the chunks arrive. */
class SizedBody {
  readonly #length: number;
  #bytes: Buffer | undefined;
  received = 0;

  constructor(length: number) {
    this.#length = length;
  }

  add(chunk: Buffer): void {
    this.#bytes ??= Buffer.allocUnsafeSlow(this.#length);
    // The parser of the protocol gives no byte more than the length says.
    this.#bytes.set(chunk, this.received);
    this.received += chunk.length;
    releaseBytes(chunk);
  }

  whole(): Buffer {
    return this.#bytes ?? Buffer.alloc(0);
  }
}

class ChunkedBody {
  readonly #chunks: Buffer[] = [];
  received = 0;

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.received += chunk.length;
  }

  whole(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}
