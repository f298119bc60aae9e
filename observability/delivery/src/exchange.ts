// SPDX-License-Identifier: Apache-2.0
/** One request to a receiver, and what its answer means for the next attempt. */
import {
  type OutboundGuard,
  OutboundRefusedError,
  type OutboundReply,
  type OutboundRequest,
  sendOutbound,
} from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import { DeliveryFailure } from './failure.ts';

/** What every protocol over HTTP needs. */
export type Wire = {
  readonly guard: OutboundGuard;
  readonly clock: Clock;
  /** Aborts when the service stops. */
  readonly signal: AbortSignal;
  /** For a whole exchange; 10 s unless it is given. */
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;
const REPLY_BYTES_MAX = 262_144;

/** @throws DeliveryFailure when there is no answer; the reason of the signal when that is aborted */
export async function exchange(wire: Wire, request: Pick<OutboundRequest, 'url' | 'method' | 'headers' | 'body'>): Promise<OutboundReply> {
  const { guard, signal, timeoutMs = TIMEOUT_MS } = wire;
  try {
    return await sendOutbound(guard, { ...request, signal, timeoutMs, replyBytesMax: REPLY_BYTES_MAX });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new DeliveryFailure(sentenceOf(cause), { cause, isPermanent: cause instanceof OutboundRefusedError });
  }
}

/** @throws DeliveryFailure as `exchange` does, and when the answer is not 2xx */
export async function postJson(
  wire: Wire,
  {
    url,
    headers = {},
    body,
    ...rules
  }: { readonly url: string; readonly headers?: { readonly [name: string]: string }; readonly body: string } & AnswerRules,
): Promise<OutboundReply> {
  const reply = await exchange(wire, { url, method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  if (isSuccess(reply)) return reply;
  throw refusal(reply, wire.clock, rules);
}

export type AnswerRules = {
  readonly receiver: string;
  /** Whether an answer with this status would be given again; where a receiver's deployment may pass, it would not. */
  readonly isFinal: (status: number) => boolean;
  /** Whether the receiver explains itself in a body that may be repeated. */
  readonly explains?: boolean;
};

export function isSuccess({ status }: OutboundReply): boolean {
  return status >= 200 && status < 300;
}

/** Of receivers whose refusals say what is wrong: all of 4xx but "too slow" and "too many". */
export function isFinalRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

export function refusal(reply: OutboundReply, clock: Clock, { receiver, isFinal, explains = false }: AnswerRules): DeliveryFailure {
  const { status, headers, body } = reply;
  const words = explains ? excerpt(body) : '';
  const retryAfterMs = retryAfter(headers['retry-after'], clock.nowMs());
  return new DeliveryFailure(`${receiver} answered ${status}${words === '' ? '' : `: ${words}`}`, {
    isPermanent: isFinal(status),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** Seconds or a date, RFC 9110 section 10.2.3; undefined for neither. */
export function retryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = /^[A-Za-z]{3,9}, /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

const EXCERPT_LENGTH = 300;

/** The beginning of an answer as one line without control characters. */
export function excerpt(body: Buffer): string {
  const line = body
    .toString('utf8')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH)}…` : line;
}

/** Node reports several addresses that all failed as an error without a message of its own. */
function sentenceOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.message !== '') return cause.message;
  return 'code' in cause ? String(cause.code) : cause.name;
}
