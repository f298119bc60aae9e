// SPDX-License-Identifier: Apache-2.0
/** Why the tracker refused, in its own words: `{"errorMessages": [], "errors": {"<field>": "<why>"}}`. */
import type { OutboundReply } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import { excerpt, isFinalRefusal, retryAfter } from '../exchange.ts';
import { DeliveryFailure } from '../failure.ts';

/** The tracker answered, and said no; `fields` says what it wants to be different, by the name of the field. */
export class TrackerRefusal extends DeliveryFailure {
  override readonly name = 'TrackerRefusal';
  readonly status: number;
  readonly fields: { readonly [field: string]: string };

  constructor(
    message: string,
    options: { readonly status: number; readonly fields: { readonly [field: string]: string }; readonly retryAfterMs?: number },
  ) {
    super(message, { isPermanent: isFinalRefusal(options.status), ...options });
    this.status = options.status;
    this.fields = options.fields;
  }
}

export function trackerRefusal({ status, headers, body }: OutboundReply, clock: Clock): TrackerRefusal {
  const { messages, fields } = readErrors(body);
  const words = [...messages, ...Object.entries(fields).map(([field, why]) => `${field}: ${why}`)];
  const reason = words.length > 0 ? words.join('; ') : excerpt(body);
  const hint = status === 401 || status === 403 ? ' (check the API token of the connection and the permissions of its user)' : '';
  const retryAfterMs = retryAfter(headers['retry-after'], clock.nowMs());
  const message = `the tracker answered ${status}${reason === '' ? '' : `: ${reason}`}${hint}`;
  return new TrackerRefusal(message, { status, fields, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
}

function readErrors(body: Buffer): { readonly messages: readonly string[]; readonly fields: { readonly [field: string]: string } } {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    return { messages: [], fields: {} };
  }
  if (typeof value !== 'object' || value === null) return { messages: [], fields: {} };
  const { errorMessages, errors } = value as { readonly errorMessages?: unknown; readonly errors?: unknown };
  const fields = typeof errors === 'object' && errors !== null ? Object.entries(errors).map(([field, why]) => [field, String(why)]) : [];
  return { messages: Array.isArray(errorMessages) ? errorMessages.map(String) : [], fields: Object.fromEntries(fields) };
}
