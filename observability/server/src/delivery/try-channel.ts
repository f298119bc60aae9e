// SPDX-License-Identifier: Apache-2.0
/** Sends a message that says it is a test to every address of a channel. */
import { randomUUID } from 'node:crypto';
import type { NotificationChannel, ResultOf } from '@sextant/contracts-observability';
import { DeliveryFailure, type IncidentMessage } from '@sextant/observability-delivery';
import { type ChannelMessage, type Sender, sendMessage } from './send-message.ts';

export type TryResult = ResultOf<'test_channel'>;

/** Those that take long would keep the caller waiting one after another. */
const AT_ONCE = 10;

export async function tryChannel(sender: Sender, channel: NotificationChannel): Promise<TryResult> {
  const message = testMessage(sender);
  const addresses: TryResult['addresses'][number][] = [];
  for (let start = 0; start < channel.addresses.length; start += AT_ONCE) {
    const attempts = channel.addresses.slice(start, start + AT_ONCE).map(async (address) => {
      const problem = await tryAddress(sender, { channel, address, id: `test-${randomUUID()}`, message });
      return { address, success: problem === undefined, message: problem ?? 'The message arrived.' };
    });
    addresses.push(...(await Promise.all(attempts)));
  }
  const problems = addresses.flatMap(({ success, message: said }, index) =>
    success ? [] : [`addresses[${index}]: ${said.replace(/\.$/, '')}`],
  );
  const arrived = `The message arrived at ${addresses.length - problems.length} of ${addresses.length} addresses`;
  return { success: problems.length === 0, message: [arrived, ...problems].join('; ').concat('.'), addresses };
}

/** Why it did not arrive, in a sentence. */
async function tryAddress(sender: Sender, message: ChannelMessage): Promise<string | undefined> {
  try {
    await sendMessage(sender, message);
    return undefined;
  } catch (error) {
    if (!(error instanceof DeliveryFailure)) throw error;
    return `${error.message.replace(/\.$/, '')}.`;
  }
}

function testMessage({ tenant, means }: Sender): IncidentMessage {
  const time = new Date(means.clock.nowMs()).toISOString();
  const policy = { id: 'TEST', name: 'Test' };
  return {
    event: 'test',
    occurred_at: time,
    tenant: tenant.tenantId,
    actor: 'system',
    link: null,
    incident: {
      id: 0,
      project_id: 0,
      asset_id: 'test',
      last_upload_timestamp: time,
      created_time: time,
      severity: 'LOW',
      impact: '',
      status: 'OPEN',
      ticket_id: 0,
      alert_policy_id: policy.id,
      alert_policy_name: policy.name,
      description: 'This message tests a notification channel. Nothing has happened.',
      tags: [],
      kind: 'VIOLATION',
    },
    asset: { id: 'test', name: 'No asset', type: 'UPLOAD' },
    policy,
    alerts: [],
    alert_count: 0,
    why: [],
    related: [],
  };
}
