// SPDX-License-Identifier: Apache-2.0
/** Who was notified of an alert, or why nobody was. */
import type { Alert, Delivery } from '@sextant/sdk';

type Notified = Pick<Alert, 'is_notification_enabled' | 'notification_channels' | 'is_notified'>;

export function notifiedText(alert: Notified, deliveries: readonly Pick<Delivery, 'channel' | 'status' | 'last_error'>[]): string {
  const channels = alert.notification_channels;
  if (!alert.is_notification_enabled) return 'nobody: notification is off in the monitor';
  if (channels.length === 0) return 'nobody: the monitor has no channel';
  if (alert.is_notified) return channels.join(', ');
  const sent = deliveries.filter(({ channel }) => channel !== null && channels.includes(channel));
  const failed = sent.find(({ status }) => status === 'FAILED');
  if (sent.some(({ status }) => status === 'PENDING')) return `sending to ${channels.join(', ')}`;
  if (failed !== undefined) return `delivery to ${failed.channel} failed${failed.last_error === null ? '' : `: ${failed.last_error}`}`;
  return 'nobody: the incident was already announced';
}

type Bounds = { readonly lower_bound?: unknown; readonly upper_bound?: unknown };

/** What was expected of a value, as far as a band says. */
export function expectedText(data: Bounds, numberText: (value: number) => string): string {
  const { lower_bound: lower, upper_bound: upper } = data;
  const [from, to] = [lower, upper].map((bound) => (typeof bound === 'number' ? numberText(bound) : undefined));
  if (from !== undefined && to !== undefined) return from === to ? from : `${from} to ${to}`;
  if (from !== undefined) return `at least ${from}`;
  return to === undefined ? '–' : `at most ${to}`;
}
