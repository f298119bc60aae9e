// SPDX-License-Identifier: Apache-2.0
/** Assets whose every scan violates one monitor: after a crash each finished scan has its alert, once, in the one incident of that monitor. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { ObservabilityApi } from '../observability-api.ts';
import { untilEnded } from '../scanning.ts';

/** No table has no rows. */
export const NEVER = {
  type: 'PREDEFINED_METRIC',
  name: 'no rows',
  enabled: true,
  monitor: { predefined_metric: 'RECORD_COUNT', attributes: [] },
  threshold: { threshold_type: 'STATIC', threshold1: null, threshold2: 0 },
} as const;

export class AlertLedger {
  readonly #assets: string[] = [];
  /** Scans of them that finished. */
  finished = 0;

  watch(assetId: string): void {
    this.#assets.push(assetId);
  }

  /** Waits until the jobs of the assets have ended. */
  async inspect(api: ObservabilityApi): Promise<void> {
    this.finished = 0;
    for (const assetId of this.#assets) await this.#inspectAsset(api, assetId);
  }

  async #inspectAsset(api: ObservabilityApi, assetId: string): Promise<void> {
    const times: string[] = [];
    for (const { id } of await api.call('list_jobs', { asset_id: assetId })) {
      const { status } = await untilEnded(api, id);
      const alerts = await api.call('job_alerts', { asset_id: assetId }, { query: { job_id: id } });
      const raised = alerts.filter(({ policy_name }) => policy_name === NEVER.name);
      strictEqual(raised.length, status === 'FINISHED' ? 1 : 0, `alerts of the ${status} job ${id}`);
      times.push(...raised.map(({ metric_time }) => metric_time));
    }
    this.finished += times.length;
    const listed = await api.call('list_incidents', {}, { query: { text_to_search: NEVER.name } });
    const own = listed.filter(({ asset_id }) => asset_id === assetId);
    strictEqual(own.length, times.length === 0 ? 0 : 1, `incidents of asset ${assetId}`);
    const [incident] = own;
    if (incident === undefined) return;
    const { status, history } = await api.call('get_incident', { incident_id: incident.id });
    strictEqual(status, 'OPEN');
    deepStrictEqual(
      history.map(({ state }) => state),
      times.map((_, index) => (index === 0 ? 'NEW' : 'ONGOING')),
    );
    const referred = history.flatMap(({ alert_refs }) => alert_refs.map(({ metric_time }) => metric_time));
    deepStrictEqual(referred.toSorted(), times.toSorted(), `alerts of incident ${incident.id}`);
    const stamps = history.map(({ timestamp }) => timestamp);
    ok(
      stamps.every((stamp, index) => index === 0 || stamp >= (stamps[index - 1] ?? '')),
      `the history of incident ${incident.id} ascends`,
    );
  }
}
