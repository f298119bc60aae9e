// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { expectedText, notifiedText } from './notified.ts';

const alert = { is_notification_enabled: true, notification_channels: ['data team'], is_notified: false };
const delivery = { channel: 'data team', status: 'DELIVERED', last_error: null } as const;

test.each([
  [{ ...alert, is_notification_enabled: false }, [], 'nobody: notification is off in the monitor'],
  [{ ...alert, notification_channels: [] }, [], 'nobody: the monitor has no channel'],
  [{ ...alert, is_notified: true }, [delivery], 'data team'],
  [alert, [{ ...delivery, status: 'PENDING' as const }], 'sending to data team'],
  [alert, [{ ...delivery, status: 'FAILED' as const, last_error: '410 Gone' }], 'delivery to data team failed: 410 Gone'],
  [alert, [{ ...delivery, channel: 'other', status: 'FAILED' as const }], 'nobody: the incident was already announced'],
  [alert, [delivery], 'nobody: the incident was already announced'],
])('%j with %j: %s', (given, deliveries, words) => {
  expect(notifiedText(given, deliveries)).toBe(words);
});

test.each([
  [{ lower_bound: 3, upper_bound: 9 }, '3 to 9'],
  [{ lower_bound: 3, upper_bound: null }, 'at least 3'],
  [{ upper_bound: 9 }, 'at most 9'],
  [{ lower_bound: 1, upper_bound: 1 }, '1'],
  [{}, '–'],
])('%j is expected as %s', (data, words) => {
  expect(expectedText(data, String)).toBe(words);
});
