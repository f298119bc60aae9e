// SPDX-License-Identifier: Apache-2.0
/** Snapshots as files, streamed in either direction: whatever their size, memory holds a piece. */
import { createHash } from 'node:crypto';
import { createWriteStream, openAsBlob } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ApiError, ConnectionError, type SnapshotDescription } from '@sextant/sdk';
import type { ServiceAddress } from '../connection/settings.ts';
import { CommandFailure } from '../failure.ts';
import { writeInPlace } from '../whole-file.ts';

export type Transfer = { readonly address: ServiceAddress; readonly collection: string; readonly signal: AbortSignal };

/** The bytes of a snapshot as they arrive; at their end it throws unless they have the checksum that the service says. */
export async function* snapshotBytes(
  { name, checksum }: SnapshotDescription,
  { address, collection, signal }: Transfer,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const path = `/collections/${encodeURIComponent(collection)}/snapshots/${encodeURIComponent(name)}`;
  const { body } = await reach(address, path, { signal });
  if (body === null) throw new CommandFailure('failed', `the service returned the snapshot ${name} without a body`);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    bytes += chunk.byteLength;
    onBytes(bytes);
    yield chunk;
  }
  const arrived = hash.digest('hex');
  if (checksum === null || arrived === checksum.toLowerCase()) return;
  throw new CommandFailure('failed', `the download of ${name} is damaged: its SHA-256 is ${arrived} instead of ${checksum}`, {
    advice: 'Try again. The service still has the snapshot.',
  });
}

/** Downloads a snapshot into a file that is there whole, with the checksum that the service says, or not at all. */
export async function downloadSnapshot(
  snapshot: SnapshotDescription,
  file: string,
  transfer: Transfer,
  onBytes: (bytes: number) => void,
): Promise<void> {
  await writeInPlace(file, (draft) => writeWhole(draft, snapshotBytes(snapshot, transfer, onBytes), transfer.signal));
}

/** Writes a new file that only its owner may read, and syncs it. */
export async function writeWhole(file: string, chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  await pipeline(chunks, createWriteStream(file, { mode: 0o600, flush: true }), { signal });
}

/** The first member of a snapshot of a collection that shard keys divide; an archive begins with its first member's name. */
const DEFINITION = Buffer.from('definition.snapshot\0');

/** Whether shard keys divide the points of a snapshot, which a cluster takes in alone. */
export async function isOfShardKeys(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const { buffer } = await handle.read(Buffer.alloc(DEFINITION.length), 0, DEFINITION.length, 0);
    return buffer.equals(DEFINITION);
  } finally {
    await handle.close();
  }
}

/** Uploads a file as the collection, which is replaced once the service has checked all of it. */
export async function uploadSnapshot(file: string, { address, collection, signal }: Transfer): Promise<void> {
  const form = new FormData();
  const content = await openAsBlob(file).catch((cause: unknown) => {
    throw new CommandFailure('bad_data', `${file} does not exist or may not be read`, { cause });
  });
  form.set('snapshot', content, 'upload.snapshot');
  const path = `/collections/${encodeURIComponent(collection)}/snapshots/upload`;
  await reach(address, path, { method: 'POST', body: form, signal });
}

/** An answer of the service, or the error that it means. */
async function reach(
  { url, apiKey }: ServiceAddress,
  path: string,
  init: RequestInit & { readonly signal: AbortSignal },
): Promise<Response> {
  const operation = `${init.method ?? 'GET'} ${path}`;
  const headers = apiKey === undefined ? undefined : { 'api-key': apiKey };
  let response: Response;
  try {
    // A redirect would carry the API key wherever it leads.
    response = await fetch(url + path, { ...init, redirect: 'error', ...(headers && { headers }) });
  } catch (cause) {
    init.signal.throwIfAborted();
    throw new ConnectionError(`${operation}: ${url} could not be reached`, { service: 'vector', operation, cause, mayHaveArrived: true });
  }
  if (response.ok) return response;
  const message = refusalIn(await response.text()) ?? `${operation} failed with status ${response.status}`;
  throw new ApiError(message, { code: `http_${response.status}`, service: 'vector', operation, status: response.status });
}

/** `{"status": {"error": sentence}}` */
function refusalIn(text: string): string | undefined {
  try {
    const { status } = JSON.parse(text) as { readonly status?: { readonly error?: unknown } };
    return typeof status?.error === 'string' ? status.error : undefined;
  } catch {
    return undefined;
  }
}
