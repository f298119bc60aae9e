// SPDX-License-Identifier: Apache-2.0
/** Snapshots as files: sent as they lie on the disk, and received into a draft before the writer is asked. */
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { type Endpoint, type OperationId, ServiceError } from '@sextant/contracts-vector';
import { endpoints, validate } from '@sextant/contracts-vector/schemas';
import { type SnapshotFolder, writeStream } from '@sextant/vector-collection';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatch } from '../operations/operation.ts';
import type { Transfers } from '../resources/transfers.ts';
import { RECEIVED_FILE, roomChecker } from '../snapshots/snapshot-service.ts';
import { requestOf, sendReply } from './operation-handler.ts';

/** Answers the file that the operation names. */
export function downloadHandler(operation: OperationId, dispatch: Dispatch, transfers: Transfers) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const found = await dispatch(requestOf(operation, request));
    if (found.error !== undefined) return sendReply(reply, found);
    // Written by the operations of downloads, on this thread.
    const { result } = JSON.parse(found.body) as { readonly result: { readonly path: string; readonly name: string } };
    reply.raw.once('close', transfers.take());
    const file = await open(result.path, 'r').catch((cause: unknown) => {
      throw new ServiceError('snapshot_not_found', { snapshot: result.name }, { cause });
    });
    const { size } = await file.stat();
    const isWanted = request.method !== 'HEAD';
    if (!isWanted) await file.close();
    return reply
      .headers({
        'cache-control': 'no-store',
        'content-disposition': `attachment; filename="${result.name}"`,
        'content-length': String(size),
      })
      .type('application/octet-stream')
      .send(isWanted ? file.createReadStream({ highWaterMark: 256 * 1024 }) : Readable.from([]));
  };
}

export type UploadMeans = { readonly folder: SnapshotFolder; readonly transfers: Transfers };

/** Receives the one file of a form, whatever its size, and hands it to the operation. */
export function uploadHandler(operation: OperationId, dispatch: Dispatch, { folder, transfers }: UploadMeans) {
  const { upload: field = '', query }: Endpoint = endpoints[operation];
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const asked = requestOf(operation, request);
    if (query !== undefined) validate(query, asked.query, 'query string');
    const release = transfers.take();
    const draft = folder.openDraft();
    let isHandedOver = false;
    try {
      const { sha256 } = await receive(request, { field, path: join(draft.directory, RECEIVED_FILE), folder });
      const body = Buffer.from(JSON.stringify({ file: basename(draft.directory), checksum: sha256 }));
      isHandedOver = true;
      release();
      return await sendReply(reply, await dispatch({ ...asked, body }));
    } finally {
      release();
      if (!isHandedOver) await draft[Symbol.asyncDispose]();
    }
  };
}

async function receive(
  { headers, raw }: FastifyRequest,
  { field, path, folder }: { readonly field: string; readonly path: string; readonly folder: SnapshotFolder },
): Promise<{ readonly sha256: string }> {
  if (!/^multipart\/form-data\s*;/i.test(headers['content-type'] ?? '')) {
    throw new ServiceError('invalid_request', { reason: `Content-Type: expected multipart/form-data with a file in the field "${field}"` });
  }
  await folder.checkRoom(Number(headers['content-length'] ?? 0));
  // The header is there: its beginning was just looked at.
  const parser = new Busboy({ headers: headers as BusboyHeaders, limits: { files: 1, fields: 0, fileSize: Number.POSITIVE_INFINITY } });
  let writing: Promise<{ readonly sha256: string }> | undefined;
  parser.on('file', (name, stream) => {
    if (name !== field) return stream.resume();
    writing = writeStream(path, stream, roomChecker(folder));
    writing.catch((error: unknown) => parser.destroy(error instanceof Error ? error : new Error(String(error))));
    return stream;
  });
  try {
    await pipeline(raw, parser);
  } catch (cause) {
    // A full disk is reported as that.
    await writing;
    throw new ServiceError('invalid_request', { reason: 'body: the form is incomplete or is not a multipart form' }, { cause });
  }
  if (writing === undefined) throw new ServiceError('invalid_request', { reason: `body: the form has no file in the field "${field}"` });
  return writing;
}
