// SPDX-License-Identifier: Apache-2.0
/** Sends operations over HTTP, again where that is advised, and turns refusals into errors. */
import { parseJson } from '@sextant/foundation-std/portable';
import { ConnectionError, type ServiceName, TimeoutError, UnexpectedAnswerError } from '../errors/errors.ts';
import { refusalError } from '../errors/refusal.ts';
import { toJsonText } from '../json.ts';
import { withDeadline } from './deadline.ts';
import { failureOf } from './failure.ts';
import { type Members, type OperationRow, targetOf } from './operation.ts';
import type { RequestOptions } from './request-options.ts';
import { type RetryPolicy, retrying } from './retry.ts';
import { isReplayable, sendUpload, type Upload } from './upload-request.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type TransportOptions = {
  readonly service: ServiceName;
  /** Without a slash at the end. */
  readonly url: string;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
  readonly headers: { readonly [name: string]: string };
  /** The headers that carry credentials, computed for each attempt. */
  readonly credentials: (signal?: AbortSignal) => Promise<{ readonly [name: string]: string }>;
};

export type Input = {
  readonly params?: Members;
  readonly query?: Members;
  readonly body?: unknown;
  readonly upload?: Upload;
  /** In a browser: sends and stores cookies, also from another origin of the same site. */
  readonly withCookies?: boolean;
};

export type Transport = {
  /** @throws ApiError, ConnectionError, TimeoutError, UnexpectedAnswerError; the signal's reason if the call is cancelled */
  send(row: OperationRow, input: Input, options?: RequestOptions): Promise<unknown>;
};

export function createTransport(transport: TransportOptions): Transport {
  return {
    async send(row, input, options = {}) {
      const policy = policyOf(transport, input, options);
      const request = prepare(row, input);
      return retrying({ policy, isRepeatable: row.isRepeatable, signal: options.signal }, () => exchange(transport, row, request, options));
    },
  };
}

function policyOf({ retry }: TransportOptions, { upload }: Input, { retries }: RequestOptions): RetryPolicy {
  // What has been taken from a stream is gone.
  if (upload !== undefined && !isReplayable(upload)) return { ...retry, retries: 0 };
  return retries === undefined ? retry : { ...retry, retries };
}

type Prepared = {
  readonly target: string;
  readonly body: string | FormData | undefined;
  readonly upload: Upload | undefined;
  readonly withCookies: boolean;
};

/** Once for all attempts. */
function prepare(row: OperationRow, { params = {}, query, body, upload, withCookies = false }: Input): Prepared {
  return { target: targetOf(row, params, query), body: bodyOf(row, body), upload, withCookies };
}

function bodyOf({ sends }: OperationRow, body: unknown): string | FormData | undefined {
  if (body === undefined) return undefined;
  if (typeof sends !== 'object') return toJsonText(body);
  if (!(body instanceof Blob)) throw new TypeError(`${sends.part} has to be a Blob`);
  const form = new FormData();
  form.append(sends.part, body);
  return form;
}

function exchange(transport: TransportOptions, row: OperationRow, prepared: Prepared, options: RequestOptions): Promise<unknown> {
  const { service, timeoutMs } = transport;
  const { body, upload, withCookies } = prepared;
  const operation = `${row.method} ${row.path}`;
  // How long a file takes is a matter of its size and the line.
  const isFile = upload !== undefined || body instanceof FormData || row.wrapping === 'file';
  const limitMs = options.timeoutMs ?? (isFile ? 0 : timeoutMs);
  return withDeadline(
    limitMs,
    options.signal,
    async (signal) => {
      const headers = {
        accept: 'application/json',
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
        ...(upload !== undefined && { 'content-type': 'application/octet-stream' }),
        ...transport.headers,
        ...options.headers,
        ...(await transport.credentials(signal)),
      };
      // A redirect would carry the API key wherever it leads.
      const init: RequestInit = {
        method: row.method,
        headers,
        redirect: 'error',
        ...(withCookies && { credentials: 'include' }),
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      };
      const { response, text } = await reach(transport, operation, prepared, init, row.wrapping === 'file');
      if (text === undefined) return response.body;
      return answerOf(response, text, { service, operation, wrapping: row.wrapping, onServiceTime: options.onServiceTime });
    },
    () => new TimeoutError(`${operation} took longer than ${limitMs} ms`, { service, operation }),
  );
}

async function reach(
  { fetch, url, service }: TransportOptions,
  operation: string,
  { target, upload }: Prepared,
  init: RequestInit,
  isFileAwaited: boolean,
): Promise<{ readonly response: Response; readonly text: string | undefined }> {
  let wasAnswered = false;
  try {
    const response = await (upload === undefined ? fetch(url + target, init) : sendUpload(fetch, url + target, init, upload));
    wasAnswered = true;
    // A file is left to the caller to read.
    return { response, text: isFileAwaited && response.ok ? undefined : await response.text() };
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    const { reason, isCertain } = failureOf(cause);
    throw new ConnectionError(`${operation}: ${url} ${wasAnswered ? 'broke off its answer' : 'could not be reached'}${reason}`, {
      service,
      operation,
      cause,
      mayHaveArrived: wasAnswered || !isCertain,
    });
  }
}

type AnswerFacts = {
  readonly service: ServiceName;
  readonly operation: string;
  readonly wrapping: OperationRow['wrapping'];
  readonly onServiceTime: RequestOptions['onServiceTime'];
};

function answerOf(response: Response, text: string, { service, operation, wrapping, onServiceTime }: AnswerFacts): unknown {
  const isText = response.ok && wrapping === 'text';
  const body = isText ? text : parsed(text);
  if (!response.ok) {
    throw refusalError({ service, operation, status: response.status, body, header: (name) => response.headers.get(name) });
  }
  if (isText) return text;
  if (body === undefined)
    throw new UnexpectedAnswerError(`${operation} returned a response that is not valid JSON`, { service, operation });
  if (wrapping !== 'result') return body;
  if (typeof body === 'object' && body !== null && 'result' in body) {
    // The envelope says seconds.
    if ('time' in body && typeof body.time === 'number') onServiceTime?.(body.time * 1000);
    return body.result;
  }
  throw new UnexpectedAnswerError(`${operation} returned no result`, { service, operation });
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
