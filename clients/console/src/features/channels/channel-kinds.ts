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
    addresses: 'Mailboxes. One mail goes to each, through the mail server of the service.',
    example: 'data-team@example.com',
    sent: 'A mail with the subject “Test message” went to each mailbox.',
  },
  SLACK: {
    label: 'Slack',
    addresses: 'Addresses of incoming webhooks. The name of a channel is kept, but nothing can be sent to it.',
    example: 'https://hooks.slack.com/services/…',
    sent: 'A message that says it is a test went to each incoming webhook.',
  },
  TEAMS: {
    label: 'Teams',
    addresses: 'Addresses of incoming webhooks or workflow triggers.',
    example: 'https://example.webhook.office.com/…',
    sent: 'A card that says it is a test went to each webhook.',
  },
  WEBHOOK: {
    label: 'Webhook',
    addresses: 'http or https addresses. They get signed JSON and answer 2xx within 10 seconds.',
    example: 'https://example.com/hooks/incidents',
    sent: 'Signed JSON of the type incident.test went to each address.',
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
