// SPDX-License-Identifier: Apache-2.0
/** A tenant with an asset, a monitor and incidents, an outbox, and a clock that is moved by hand. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Asset, IncidentState, Level, Monitor, NotificationChannel } from '@sextant/contracts-observability';
import { createOutboundGuard } from '@sextant/foundation-service';
import { type Clock, manualClock, seededRandom } from '@sextant/foundation-std';
import { createMailer, type MailServer } from '@sextant/observability-delivery';
import { type Metadata, type NewAlert, openMetadata, type TenantMetadata } from '@sextant/observability-metadata';
import { announceAll } from '../announce.ts';
import type { DeliveryMeans } from '../attempt.ts';
import { deliver } from '../deliver.ts';
import { type DeliveryOutbox, openDeliveryOutbox } from '../delivery-outbox.ts';

export const PUBLIC_URL = 'https://sextant.example';

export type OutboxFixture = AsyncDisposable & {
  readonly clock: ReturnType<typeof manualClock>;
  readonly metadata: Metadata;
  readonly tenant: TenantMetadata;
  readonly asset: Asset;
  readonly monitorId: string;
  readonly means: DeliveryMeans;
  /** Errors that would have been logged. */
  readonly logged: unknown[];
  readonly outbox: (options?: { readonly allowPrivateNetworks?: boolean; readonly graceMs?: number }) => DeliveryOutbox;
  /** Sends what is due, one lane after another, until nothing is. */
  readonly drain: (outbox?: DeliveryOutbox) => Promise<void>;
  readonly channel: (name: string, channel: Omit<NotificationChannel, 'name'>) => Promise<void>;
  /** Has the monitor notify channels, and make tickets of a template. */
  readonly notifying: (channels: readonly string[], ticketTemplateId?: number) => Promise<void>;
  /** One step of an incident with what it announces, in one transaction; a NEW one opens it. Answers its id. */
  readonly step: (
    state: IncidentState,
    change?: {
      readonly id?: number;
      readonly severity?: Level;
      readonly actor?: string;
      /** Whether the alert is about a measured number. */
      readonly isOfPoint?: boolean;
      /** The incident that is its cause. */
      readonly rootId?: number;
    },
  ) => Promise<number>;
};

export type OutboxFixtureOptions = {
  readonly mail?: MailServer;
  /** Where another process works too; without one, a folder that goes with the fixture. */
  readonly directory?: string;
  /** The fixture's own when it is not given, which stands still until it is moved. */
  readonly clock?: Clock;
};

export async function openOutboxFixture({ mail, directory, clock: given }: OutboxFixtureOptions = {}): Promise<OutboxFixture> {
  const manual = manualClock(Date.parse('2026-03-10T12:00:00.000Z'));
  const clock = given ?? manual;
  const place = directory ?? mkdtempSync(join(tmpdir(), 'sextant-outbox-'));
  const metadata = await openMetadata({ directory: place }, { clock, randomBytes, encryptionKey: new Uint8Array(32) });
  await metadata.platform.tenants.create({ id: 'acme', name: 'Acme' });
  const tenant = metadata.forTenant('acme');
  const asset = await tenant.assets.create(NEW_ASSET);
  const monitor = await tenant.monitors.create(asset.id, NEW_MONITOR);
  const guard = createOutboundGuard({ allowPrivateNetworks: true });
  const strictGuard = createOutboundGuard();
  const means: DeliveryMeans = { guard, clock, mailer: createMailer(mail), publicUrl: PUBLIC_URL };
  const logged: unknown[] = [];
  const outbox: OutboxFixture['outbox'] = ({ allowPrivateNetworks = true, graceMs } = {}) =>
    openDeliveryOutbox({
      metadata,
      deliver: (claim, signal) => {
        const own = { ...means, guard: allowPrivateNetworks ? guard : strictGuard };
        return deliver({ claim, tenant: metadata.forTenant(claim.tenant_id), means: own, wire: { ...own, signal } });
      },
      clock,
      random: seededRandom(1),
      log: { error: (details) => void logged.push(details) },
      ...(graceMs === undefined ? {} : { graceMs }),
    });
  const drain = async (sender = outbox()) => {
    for (let pending = true; pending; ) {
      await sender.turn();
      pending = sender.underWayCount > 0;
      await sender.settled();
    }
  };
  const step: OutboxFixture['step'] = async (state, { id, severity = 'LOW', actor = 'system', isOfPoint = false, rootId } = {}) =>
    tenant.atomically(async (own) => {
      const timestamp = new Date(clock.nowMs()).toISOString();
      const alerts = state === 'RESOLVED' ? [] : [{ ...alertOf(asset, monitor, timestamp), series: isOfPoint ? SERIES : null }];
      await own.alerts.append(alerts);
      const alert_refs = alerts.map(({ metric_time, violation_name }) => ({ metric_time, violation_name }));
      const item = { timestamp, state, alert_refs };
      const incident =
        id === undefined
          ? await own.incidents.open({ ...newIncident(asset, monitor, timestamp), severity, history: item })
          : await own.incidents.advance(id, { ...item, severity });
      if (rootId !== undefined) {
        const cause = { root_id: rootId, reason: 'it is about the same' };
        await own.incidentStories.put(incident.id, { job_id: null, evidence: [], why: [], cause });
      }
      const event = { incident, state, alerts, asset, monitor: await own.monitors.get(asset.id, monitor.id), actor };
      await announceAll(own, [rootId === undefined ? event : { ...event, rootId }]);
      return incident.id;
    });
  return {
    clock: manual,
    metadata,
    tenant,
    asset,
    monitorId: monitor.id,
    means,
    logged,
    outbox,
    drain,
    channel: async (name, channel) => void (await tenant.channels.create({ name, ...channel })),
    notifying: async (channels, templateId) => {
      await tenant.monitors.update(asset.id, monitor.id, {
        notification: { send_notifications: true, notification_channel_names: channels },
        ticketing: templateId === undefined ? null : { type: 'TRACKER', create_ticket: true, ticket_template_id: templateId },
        modified_by: 'ada',
      });
    },
    step,
    [Symbol.asyncDispose]: async () => {
      guard.close();
      strictGuard.close();
      await metadata[Symbol.asyncDispose]();
      if (directory === undefined) rmSync(place, { recursive: true, force: true });
    },
  };
}

const NEW_ASSET = {
  project_id: 0,
  name: 'Orders <2026> & more',
  description: null,
  type: 'UPLOAD',
  options: {},
  payload: {},
  connection_id: null,
  db_type: null,
  tags: [],
  webhook_url: null,
  created_by: 'ada',
} as const;

const NEW_MONITOR = {
  type: 'PREDEFINED_METRIC',
  name: 'Filled',
  enabled: true,
  description: null,
  impact: 'HIGH',
  tags: null,
  created_by: 'ada',
  monitor: { predefined_metric: 'COMPLETENESS', attributes: [] },
  threshold: { threshold_type: 'STATIC', threshold1: 90, threshold2: 100, extrapolation_strategy: 'IGNORE', history_limit: 20 },
  notification: null,
  ticketing: null,
} as const;

function newIncident(asset: Asset, monitor: Monitor, time: string) {
  return {
    asset_id: asset.id,
    last_upload_timestamp: time,
    created_time: time,
    impact: 'HIGH',
    description: 'Completeness of price fell to 80 %.',
    alert_policy_id: monitor.id,
    alert_policy_name: monitor.name,
    tags: ['gold'],
    metrics: [],
  } as const;
}

const SERIES = { metric_name: 'COMPLETENESS', metric_aggregation: 'ratio', attribute: 'price', segment: null, monitor_id: null } as const;

function alertOf(asset: Asset, monitor: Monitor, time: string): NewAlert {
  return {
    type: 'METRIC',
    source: asset.id,
    attribute: 'price',
    job_id: 'a0',
    create_time: time,
    save_time: time,
    monitor_id: monitor.id,
    violation_data: {},
    violation_name: 'COMPLETENESS',
    notification_channels: [],
    is_notification_enabled: true,
    metric_time: time,
    is_notified: false,
    metric_value: 80,
    policy_name: monitor.name,
    segment: '',
    priority: 'HIGH',
    description: { HIGH: ['price is filled to 80 %, expected 90 % to 100 %'] },
    source_name: asset.name,
    source_type: asset.type,
    project_name: 'Default',
    tags: [],
    series: null,
    metric: {
      metric_name: 'completeness',
      metric_aggregation: 'ratio',
      display_metric_name: 'Completeness',
      segment: null,
      rule: null,
      attribute: 'price',
    },
  };
}
