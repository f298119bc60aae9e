// SPDX-License-Identifier: Apache-2.0
/** A signed message to an address of HTTP. */
import { stringifyJson } from '@sextant/foundation-std';
import { postJson, type Wire } from '../exchange.ts';
import type { IncidentMessage } from '../message.ts';
import { signatureHeaders } from './signature.ts';

export type WebhookMessage = {
  readonly url: string;
  /** The same at each attempt: the receiver tells copies apart by it. */
  readonly id: string;
  readonly body: string;
  readonly secrets: readonly string[];
};

/** Any refusal may pass, the receiver is somebody's own program; but 410 says that nobody is there any more. */
const isFinal = (status: number) => status === 410;

/** @throws DeliveryFailure unless the receiver answers 2xx */
export async function sendWebhook(wire: Wire, { url, id, body, secrets }: WebhookMessage): Promise<void> {
  const timestampSeconds = Math.floor(wire.clock.nowMs() / 1000);
  const headers = signatureHeaders({ id, timestampSeconds, body }, secrets);
  await postJson(wire, { url, headers, body, receiver: 'the receiver', isFinal });
}

/** `type`, `timestamp` and `data`, as the payloads of Standard Webhooks. */
export function webhookBody({ event, occurred_at, ...data }: IncidentMessage): string {
  return stringifyJson({ type: `incident.${event}`, timestamp: occurred_at, data });
}

/** The webhook of an asset, whose body users know from the published API; the identifier has its own header there. */
export async function sendJobWebhook(
  wire: Wire,
  { url, id, body }: { readonly url: string; readonly id: string; readonly body: unknown },
): Promise<void> {
  await postJson(wire, { url, headers: { 'x-delivery-id': id }, body: stringifyJson(body), receiver: 'the receiver', isFinal });
}
