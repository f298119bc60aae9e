// SPDX-License-Identifier: Apache-2.0
/** Calls of a provider's REST API: through the guard, within a time and a size, tried again where the provider is busy, and in words where it refuses. */
import {
  type OutboundGuard,
  OutboundRefusedError,
  type OutboundReply,
  OutboundRequestError,
  sendOutbound,
} from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import { SourceError } from '../../connector.ts';
import { pauseOrAbort } from './pause-or-abort.ts';

export type ProviderCall = {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
  /** For people, such as `Dataproc`. */
  readonly provider: string;
  readonly signal: AbortSignal;
};

export type ProviderReply = { readonly status: number; readonly body: unknown };

export type ProviderCalls = (call: ProviderCall) => Promise<ProviderReply>;

const TIMEOUT_MS = 60_000;
const REPLY_BYTES_MAX = 16 * 2 ** 20;
const ATTEMPTS_MAX = 5;
/** Doubles with each attempt; what the provider asks for goes before it, within the limit. */
const PAUSE_MS = 1000;
const PAUSE_MS_MAX = 60_000;

/** Any answer but one that is worth another attempt; a call must not harm when it arrives twice. */
export function providerCalls(outbound: OutboundGuard, clock: Clock): ProviderCalls {
  return async (call) => {
    for (let attempt = 1; ; attempt += 1) {
      const { reply, reason, waitMs = 0 } = await send(outbound, call);
      if (reply !== undefined) return { status: reply.status, body: jsonOf(reply.body) };
      if (attempt >= ATTEMPTS_MAX) throw new SourceError(`${call.provider} could not be reached: ${reason}`);
      await pauseOrAbort(clock, Math.min(PAUSE_MS_MAX, Math.max(waitMs, PAUSE_MS * 2 ** (attempt - 1))), call.signal);
    }
  };
}

type Sent = { readonly reply?: OutboundReply; readonly reason?: string; readonly waitMs?: number };

async function send(outbound: OutboundGuard, call: ProviderCall): Promise<Sent> {
  const { url, method, headers, body, signal } = call;
  try {
    const request = { url, method, headers, signal, timeoutMs: TIMEOUT_MS, replyBytesMax: REPLY_BYTES_MAX };
    const reply = await sendOutbound(outbound, body === undefined ? request : { ...request, body });
    if (!isBusy(reply)) return { reply };
    const seconds = Number(reply.headers['retry-after']);
    return { reason: `it answered ${reply.status}`, ...(seconds > 0 && { waitMs: seconds * 1000 }) };
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof OutboundRefusedError) throw new SourceError(cause.message, { cause });
    // Nothing of the error of a connection is known to be fit for people but its code.
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no connection';
    return { reason: cause instanceof OutboundRequestError ? cause.message : code };
  }
}

/** AWS says it in the body of a 400. */
function isBusy({ status, body }: OutboundReply): boolean {
  if (status === 408 || status === 429 || status >= 500) return true;
  return status === 400 && /"__type"\s*:\s*"(?:[^"]*#)?Throttl/.test(body.toString('utf8', 0, 2000));
}

function jsonOf(body: Buffer): unknown {
  const text = body.toString('utf8');
  try {
    return text.trim() === '' ? {} : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}
