// SPDX-License-Identifier: Apache-2.0
/**
 * Requests whose body is a file. In browsers only XMLHttpRequest reports the progress of an upload; elsewhere the body is a stream that
 * counts its bytes.
 */
import { countedStream, lengthOf, type UploadBody, type UploadProgress } from './upload-body.ts';

export type Upload = { readonly body: UploadBody; readonly onProgress?: ((progress: UploadProgress) => void) | undefined };

type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Whether the same body can be sent a second time. */
export function isReplayable({ body }: Upload): boolean {
  return body instanceof Blob || body instanceof Uint8Array;
}

/** Sends an upload as `send` sends other requests. */
export function sendUpload(send: Send, url: string, init: RequestInit, upload: Upload): Promise<Response> {
  const { body, onProgress } = upload;
  if (body instanceof Blob || body instanceof Uint8Array) {
    if (onProgress === undefined) return send(url, { ...init, body: body as Blob });
    if ('XMLHttpRequest' in globalThis) return sendByXhr(url, init, body, onProgress);
  }
  // `duplex` is demanded of a body that is a stream, and not in the types of every platform.
  const streaming = { ...init, body: countedStream(body, onProgress ?? (() => {})), duplex: 'half' };
  return send(url, streaming as RequestInit);
}

/** As much of XMLHttpRequest as is used here; the types of Node do not have it. */
type Xhr = {
  readonly status: number;
  readonly statusText: string;
  readonly response: ArrayBuffer;
  readonly upload: { onprogress: ((event: { readonly loaded: number }) => void) | null };
  responseType: string;
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob | Uint8Array): void;
  abort(): void;
};

async function sendByXhr(
  url: string,
  { method, headers, signal }: RequestInit,
  body: Blob | Uint8Array,
  onProgress: (progress: UploadProgress) => void,
): Promise<Response> {
  const { XMLHttpRequest } = globalThis as unknown as { readonly XMLHttpRequest: new () => Xhr };
  const bytesTotal = lengthOf(body);
  signal?.throwIfAborted();
  const xhr = new XMLHttpRequest();
  const stop = () => xhr.abort();
  await new Promise<void>((resolve, reject) => {
    xhr.open(method ?? 'POST', url);
    xhr.responseType = 'arraybuffer';
    // The transport gives them as an object.
    for (const [name, value] of Object.entries(headers as { readonly [name: string]: string })) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded }) => onProgress({ bytesSent: loaded, bytesTotal });
    xhr.onload = () => resolve();
    xhr.onabort = () => resolve();
    xhr.onerror = () => reject(new TypeError('the upload failed'));
    signal?.addEventListener('abort', stop, { once: true });
    xhr.send(body);
  }).finally(() => signal?.removeEventListener('abort', stop));
  signal?.throwIfAborted();
  return new Response(xhr.response, { status: xhr.status, statusText: xhr.statusText, headers: headersOf(xhr) });
}

function headersOf(xhr: Xhr): [string, string][] {
  const lines = xhr.getAllResponseHeaders().split('\r\n');
  return lines.flatMap((line) => {
    const colon = line.indexOf(':');
    return colon === -1 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]];
  });
}
