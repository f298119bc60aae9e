// SPDX-License-Identifier: Apache-2.0
/** Connections to PostgreSQL: through the guard, to a checked address, with errors in the words of who configured them. */

import { Socket } from 'node:net';
import { type OutboundGuard, OutboundRefusedError } from '@sextant/foundation-service';
import pg from 'pg';
import { type OpenConnection, SourceError } from '../connector.ts';
import { credentialOfType, optionalInteger, optionalText, type Payload, requiredText } from '../payload.ts';

/** From a statement's start; the connection itself has `CONNECT_TIMEOUT_MS`. */
export type SessionOptions = { readonly outbound: OutboundGuard; readonly signal: AbortSignal };

const CONNECT_TIMEOUT_MS = 10_000;
const DEFAULT_PORT = 5432;

type Encryption = 'verified' | 'unverified' | 'none';

export type Server = {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly encryption: Encryption;
  readonly certificateAuthority: string | undefined;
  readonly username: string;
  readonly password: string;
};

/** Throws a `SourceError` that names the member. */
export function serverOf(connection: Pick<OpenConnection, 'payload' | 'credential'>): Server {
  const { payload } = connection;
  const host = requiredText(payload, 'host', 'the name or address of a server');
  if (!/^[A-Za-z0-9_.:[\]-]+$/.test(host)) throw new SourceError('payload.host is not the name of a server', { member: 'payload.host' });
  const credential = credentialOfType(connection.credential, 'SIMPLE');
  return {
    host,
    port: optionalInteger(payload, 'port', { min: 1, max: 65_535 }) ?? DEFAULT_PORT,
    database: requiredText(payload, 'database', 'the name of a database'),
    encryption: encryptionOf(payload),
    certificateAuthority: optionalText(payload, 'ssl_ca', 'certificates in PEM'),
    username: requiredText(credential, 'username', 'the name of a user', 'credential.payload'),
    password: requiredText(credential, 'password', 'the password of the user', 'credential.payload'),
  };
}

function encryptionOf(payload: Payload): Encryption {
  const ssl = payload.ssl;
  if (ssl === undefined || ssl === null || ssl === true || ssl === 'verify-full') return 'verified';
  if (ssl === 'require') return 'unverified';
  if (ssl === false || ssl === 'disable') return 'none';
  throw new SourceError('payload.ssl must be true, false, "verify-full", "require" or "disable"', { member: 'payload.ssl' });
}

export type Session = AsyncDisposable & {
  readonly client: pg.Client;
  /** Asks the server to give up the running statement, over a connection of its own. */
  readonly cancel: () => Promise<void>;
};

export async function connect(server: Server, { outbound, signal }: SessionOptions): Promise<Session> {
  const { client, processId } = await login(server, outbound, signal);
  return {
    client,
    cancel: async () => {
      const other = await login(server, outbound, new AbortController().signal);
      try {
        await other.client.query('SELECT pg_cancel_backend($1)', [processId]);
      } finally {
        await other.client.end();
      }
    },
    [Symbol.asyncDispose]: async () => {
      // A connection that is already broken has nothing to end.
      await client.end().catch(() => undefined);
    },
  };
}

async function login(server: Server, outbound: OutboundGuard, signal: AbortSignal) {
  const member = 'payload.host';
  const [{ address }] = await outbound.resolve(server.host).catch((cause: unknown) => {
    if (cause instanceof OutboundRefusedError) throw new SourceError(cause.message, { cause, member });
    throw new SourceError(`the host name ${server.host} cannot be resolved`, { cause, member });
  });
  signal.throwIfAborted();
  const socket = new Socket();
  const client = new pg.Client({
    stream: () => socket,
    host: address,
    port: server.port,
    database: server.database,
    user: server.username,
    password: server.password,
    ssl: tlsOptions(server),
    application_name: 'sextant',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // Without a listener, a connection that breaks while nothing runs would end the process; the next statement says that it broke.
  client.on('error', () => undefined);
  // Not `end`, which would wait for a server that never speaks.
  const leave = () => socket.destroy();
  signal.addEventListener('abort', leave, { once: true });
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return { client, processId: rows[0]?.pid };
  } catch (cause) {
    leave();
    signal.throwIfAborted();
    throw connectionError(server, cause);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

function tlsOptions({ encryption, host, certificateAuthority }: Server) {
  if (encryption === 'none') return false;
  // The connection goes to an address; the certificate is for the name.
  return { servername: host, rejectUnauthorized: encryption === 'verified', ...(certificateAuthority && { ca: certificateAuthority }) };
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
function connectionError(server: Server, cause: unknown): SourceError {
  const code = errorCode(cause);
  const reason = cause instanceof Error ? cause.message : String(cause);
  const place = `${server.host}:${server.port}`;
  if (code === '28P01' || code === '28000') {
    return new SourceError(`${place} refuses user ${server.username}: ${reason}`, { cause, member: 'credential' });
  }
  if (code === '3D000') return new SourceError(`${place} has no database ${server.database}`, { cause, member: 'payload.database' });
  if (reason.includes('does not support SSL')) {
    return new SourceError(`${place} does not encrypt connections; set payload.ssl to false to connect without encryption`, {
      cause,
      member: 'payload.ssl',
    });
  }
  if (/timeout/i.test(reason) || code === 'ETIMEDOUT') {
    return new SourceError(`${place} did not answer within ${CONNECT_TIMEOUT_MS} ms`, { cause, member: 'payload.host' });
  }
  return new SourceError(`${place} cannot be reached: ${reason}`, { cause, member: 'payload.host' });
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
