// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { slackMessage } from './chat/slack.ts';
import { teamsMessage } from './chat/teams.ts';
import { incidentMail } from './mail/incident-mail.ts';
import { messageOf } from './testing/messages.ts';

const MESSAGE = messageOf({
  why: ['480 of 5,000 rows fail the rule.', 'All 480 failing rows have country IT, which 12 percent of all rows have.'],
  related: [
    {
      incident_id: 9,
      asset_name: 'raw orders',
      alert_policy_name: 'Schema drifts',
      severity: 'HIGH',
      description: 'customer is gone.',
      role: 'CAUSE',
      reason: null,
    },
  ],
});

test.each([
  ['a mail', incidentMail(MESSAGE).text],
  ['a message to Slack', JSON.stringify(slackMessage(MESSAGE))],
  ['a message to Teams', JSON.stringify(teamsMessage(MESSAGE))],
])('%s says why it happened, and which incident is the cause', (_, text) => {
  expect(text).toContain('All 480 failing rows have country IT');
  expect(text).toMatch(/Its cause, incident 9.*Schema drifts on raw orders: customer is gone/);
});
