// SPDX-License-Identifier: Apache-2.0
/** The official client of Milvus, as much of it as is used: https://milvus.io/api-reference/node/v2.6.x/About.md */

import type { Credential } from '@sextant/contracts-observability';
import { type OutboundGuard, OutboundRefusedError } from '@sextant/foundation-service';
import { SourceError } from '../connector.ts';
import { packageForKind } from '../optional-package.ts';
import { credentialOfType, optionalFlag, optionalInteger, optionalText, type Payload, requiredText } from '../payload.ts';

export const MILVUS_PACKAGE = '@zilliz/milvus2-sdk-node';

const PORT = 19_530;
const TIMEOUT_MS = 60_000;
/** A page has 8 MiB of vectors; the client's own default has no limit. */
const ANSWER_BYTES_MAX = 256 * 1024 ** 2;

export type MilvusServer = {
  readonly host: string;
  readonly port: number;
  readonly database: string | undefined;
  readonly tls: false | { readonly certificateAuthority: string | undefined };
  readonly token: string | undefined;
};

type Status = { readonly error_code: string | number; readonly reason: string };

export type MilvusField = {
  readonly name: string;
  readonly data_type: string;
  readonly is_primary_key: boolean;
  readonly dim?: string | number;
};

export type MilvusIndex = {
  readonly field_name: string;
  readonly indexed_rows: string;
  readonly params: readonly { readonly key: string; readonly value: string }[];
};

export type MilvusRow = { readonly [field: string]: unknown };

type MilvusClient = {
  readonly connectPromise: Promise<unknown>;
  showCollections(): Promise<{ readonly status: Status; readonly data: readonly { readonly name: string }[] }>;
  describeCollection(
    request: object,
  ): Promise<{ readonly status: Status; readonly schema: { readonly fields: readonly MilvusField[] } | null }>;
  describeIndex(request: object): Promise<{ readonly status: Status; readonly index_descriptions: readonly MilvusIndex[] }>;
  query(request: object): Promise<{ readonly status: Status; readonly data: readonly MilvusRow[] }>;
  search(request: object): Promise<{ readonly status: Status; readonly results: readonly MilvusRow[] }>;
  closeConnection(): Promise<unknown>;
};

type MilvusModule = { readonly MilvusClient: new (configuration: object) => MilvusClient };

/** Disposing it closes the connection. */
export type MilvusSession = AsyncDisposable & {
  /** Runs one call; throws a `SourceError` with what the server says. */
  readonly call: <Answer extends { readonly status: Status }>(request: (client: MilvusClient) => Promise<Answer>) => Promise<Answer>;
};

/** Throws a `SourceError` that names the member. */
export function milvusServerOf(payload: Payload, credential: Credential | null): MilvusServer {
  const host = requiredText(payload, 'host', 'the name or address of a Milvus server');
  if (!/^[A-Za-z0-9_.:[\]-]+$/.test(host)) throw new SourceError('payload.host is not the name of a server', { member: 'payload.host' });
  return {
    host,
    port: optionalInteger(payload, 'port', { min: 1, max: 65_535 }) ?? PORT,
    database: optionalText(payload, 'database', 'the name of a database'),
    tls: optionalFlag(payload, 'ssl') === false ? false : { certificateAuthority: optionalText(payload, 'ssl_ca', 'certificates in PEM') },
    token:
      credential === null
        ? undefined
        : requiredText(credentialOfType(credential, 'TOKEN'), 'token', 'an API key, or user:password', 'credential.payload'),
  };
}

export async function openMilvus(server: MilvusServer, outbound: OutboundGuard, signal: AbortSignal): Promise<MilvusSession> {
  // The module of this package has the class.
  const { MilvusClient } = packageForKind('MILVUS', MILVUS_PACKAGE) as MilvusModule;
  const { host, port, database, tls, token } = server;
  const [{ address }] = await outbound.resolve(host).catch((cause: unknown) => {
    if (cause instanceof OutboundRefusedError) throw new SourceError(cause.message, { cause, member: 'payload.host' });
    throw new SourceError(`the host name ${host} cannot be resolved`, { cause, member: 'payload.host' });
  });
  signal.throwIfAborted();
  const client = new MilvusClient({
    // The connection goes to the checked address; the certificate is for the name.
    address: address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`,
    ssl: tls !== false,
    ...(tls !== false && {
      tls: { serverName: host, ...(tls.certificateAuthority !== undefined && { rootCert: Buffer.from(tls.certificateAuthority) }) },
    }),
    channelOptions: { 'grpc.max_receive_message_length': ANSWER_BYTES_MAX, ...(tls !== false && { 'grpc.default_authority': host }) },
    ...(token !== undefined && { token }),
    ...(database !== undefined && { database }),
    timeout: TIMEOUT_MS,
    maxRetries: 1,
    logLevel: 'error',
    telemetry: { enabled: false },
  });
  const close = () =>
    client.closeConnection().then(
      () => undefined,
      // One that is already broken has nothing to close.
      () => undefined,
    );
  const leave = () => void close();
  signal.addEventListener('abort', leave, { once: true });
  const call: MilvusSession['call'] = async (request) => {
    try {
      const answer = await request(client);
      if (answer.status.error_code !== 'Success' && answer.status.error_code !== 0) throw refused(server, answer.status.reason);
      return answer;
    } catch (cause) {
      signal.throwIfAborted();
      throw cause instanceof SourceError ? cause : refused(server, sentenceOf(cause), cause);
    }
  };
  try {
    await client.connectPromise;
  } catch (cause) {
    await close();
    signal.throwIfAborted();
    throw refused(server, sentenceOf(cause), cause);
  }
  return {
    call,
    [Symbol.asyncDispose]: async () => {
      signal.removeEventListener('abort', leave);
      await close();
    },
  };
}

const SENTENCE_MAX = 300;

/** Some failures are statuses and no errors. */
function sentenceOf(cause: unknown): string {
  const of: { readonly reason?: unknown; readonly details?: unknown; readonly message?: unknown } =
    typeof cause === 'object' && cause !== null ? cause : {};
  const text = [of.reason, of.details, of.message].find((part): part is string => typeof part === 'string' && part !== '');
  return (text ?? 'the call failed').slice(0, SENTENCE_MAX);
}

function refused({ host, port }: MilvusServer, reason: string, cause?: unknown): SourceError {
  const member = /collection/i.test(reason)
    ? 'payload.collection'
    : /auth|permission|privilege/i.test(reason)
      ? 'credential'
      : 'payload.host';
  return new SourceError(`Milvus at ${host}:${port}: ${reason}`, { cause, member });
}
