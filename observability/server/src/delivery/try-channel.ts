/** Sends a message that says it is a test to every address of a channel. */
import { randomUUID } from 'node:crypto';
import type { NotificationChannel } from '@sextant/contracts-observability';
import { DeliveryFailure, type IncidentMessage } from '@sextant/observability-delivery';
import { type Sender, sendMessage } from './send-message.ts';

export type TryResult = { readonly success: boolean; readonly message: string };

/** Those that take long would keep the caller waiting one after another. */
const AT_ONCE = 10;

export async function tryChannel(sender: Sender, channel: NotificationChannel): Promise<TryResult> {
  const { addresses } = channel;
  const message = testMessage(sender);
  const problems: string[] = [];
  for (let start = 0; start < addresses.length; start += AT_ONCE) {
    const attempts = addresses.slice(start, start + AT_ONCE).map(async (address, index) => {
      try {
        await sendMessage(sender, { channel, address, id: `test-${randomUUID()}`, message });
      } catch (error) {
        if (!(error instanceof DeliveryFailure)) throw error;
        problems.push(`addresses[${start + index}]: ${error.message.replace(/\.$/, '')}`);
      }
    });
    await Promise.all(attempts);
  }
  if (problems.length === 0)
    return { success: true, message: `The message arrived at ${addresses.length} of ${addresses.length} addresses.` };
  const arrived = addresses.length - problems.length;
  return {
    success: false,
    message: `The message arrived at ${arrived} of ${addresses.length} addresses; ${problems.toSorted().join('; ')}.`,
  };
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
      impact: null,
      status: 'OPEN',
      ticket_id: null,
      alert_policy_id: policy.id,
      alert_policy_name: policy.name,
      description: 'This message tests a notification channel. Nothing has happened.',
      tags: [],
    },
    asset: { id: 'test', name: 'No asset', type: 'UPLOAD' },
    policy,
    alerts: [],
    alert_count: 0,
  };
}
