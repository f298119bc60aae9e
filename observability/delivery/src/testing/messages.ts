// SPDX-License-Identifier: Apache-2.0
/** A message about an incident whose names try to be more than names. */
import type { IncidentMessage } from '../message.ts';

const TIME = '2026-03-10T12:00:00.000Z';

export function messageOf(change: Partial<IncidentMessage> = {}): IncidentMessage {
  return {
    event: 'opened',
    occurred_at: TIME,
    tenant: 'acme',
    actor: 'system',
    link: 'https://sextant.example/console/#/incidents/12',
    incident: {
      id: 12,
      project_id: 0,
      asset_id: 'abcdefghijkl',
      last_upload_timestamp: TIME,
      created_time: TIME,
      severity: 'HIGH',
      impact: 'LOW',
      status: 'OPEN',
      ticket_id: 0,
      alert_policy_id: '4',
      alert_policy_name: 'Filled',
      description: 'Completeness fell & [stays](https://evil.example) low.',
      tags: ['gold'],
      kind: 'VIOLATION',
    },
    asset: { id: 'abcdefghijkl', name: 'Orders <https://evil.example|click>\r\nBcc: x@evil.example', type: 'UPLOAD' },
    policy: { id: '4', name: 'Filled' },
    alerts: [
      {
        attribute: 'price',
        segment: '',
        priority: 'HIGH',
        violation_name: 'COMPLETENESS',
        metric_value: 80,
        metric_time: TIME,
        description: { HIGH: ['price is filled to 80 %'] },
        job_id: 'a0',
      },
    ],
    alert_count: 3,
    why: [],
    related: [],
    ...change,
  };
}
