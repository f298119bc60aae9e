// SPDX-License-Identifier: Apache-2.0
import type { NotificationChannel } from '@sextant/sdk';

export type ChannelType = NotificationChannel['type'];

type ChannelKind = {
  readonly label: string;
  /** What its addresses are. */
  readonly addresses: string;
  readonly example: string;
  /** What a test sends to each of them. */
  readonly sent: string;
};

export const CHANNEL_KINDS: Readonly<Record<ChannelType, ChannelKind>> = {
  EMAIL: {
    label: 'E-mail',
    addresses: 'E-mail addresses. The service sends one mail to each through its mail server.',
    example: 'data-team@example.com',
    sent: 'The service sent a mail with the subject “Test message” to each address.',
  },
  SLACK: {
    label: 'Slack',
    addresses: 'URLs of incoming webhooks. The name of a chat channel is stored, but the service cannot send messages to it.',
    example: 'https://hooks.slack.com/services/…',
    sent: 'The service sent a test message to each incoming webhook.',
  },
  TEAMS: {
    label: 'Teams',
    addresses: 'URLs of incoming webhooks or workflow triggers.',
    example: 'https://example.webhook.office.com/…',
    sent: 'The service sent a test card to each webhook.',
  },
  WEBHOOK: {
    label: 'Webhook',
    addresses: 'HTTP or HTTPS URLs. They receive signed JSON and must answer with status 2xx within 10 seconds.',
    example: 'https://example.com/hooks/incidents',
    sent: 'The service sent signed JSON of the type incident.test to each URL.',
  },
};

export const CHANNEL_TYPES: readonly ChannelType[] = ['EMAIL', 'SLACK', 'TEAMS', 'WEBHOOK'];

/** One in each line; spaces around and empty lines are nobody's. */
export function addressesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
