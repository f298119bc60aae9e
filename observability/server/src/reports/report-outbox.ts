// SPDX-License-Identifier: Apache-2.0
/**
 * Writes reports of scans to the store that the tenant has configured. They wait in the metadata from the transaction that finished their scan.
 * Each attempt looks up the configuration, so that a repaired one repairs what waits; without a configuration, or while it is disabled, nothing
 * is written. The name of a report never changes, so a report that is written twice is there once.
 */
import { DeliveryFailure } from '@sextant/observability-delivery';
import { type Metadata, MetadataMissing } from '@sextant/observability-metadata';
import { Outbox, type OutboxOptions } from '../outbox/outbox.ts';
import type { SourceAccess } from '../sources/source-access.ts';
import { sourceFailure } from '../sources/source-failure.ts';
import { reportFile, reportKey } from './report-file.ts';

type Report = Awaited<ReturnType<Metadata['platform']['reports']['claimDue']>>[number];

export type ReportOutboxOptions = Pick<OutboxOptions<Report>, 'clock' | 'random' | 'log' | 'maySend'> & {
  readonly metadata: Metadata;
  readonly sources: Pick<SourceAccess, 'writeObject'>;
};

const CONCURRENCY = 8;
/** Longer than a write can take. */
const LEASE_MS = 120_000;
/** With the pauses between them they take about a day. */
const ATTEMPTS_MAX = 30;

export function openReportOutbox(options: ReportOutboxOptions): Outbox<Report> {
  const { metadata, sources, clock, log } = options;
  const write = async (report: Report, signal: AbortSignal): Promise<void> => {
    const tenant = metadata.forTenant(report.tenant_id);
    const config = await tenant.dqReportingConfig.find();
    if (config?.enabled !== true) return;
    const connection = await tenant.connections.get(config.connection_id);
    await sources.writeObject(tenant, connection, { key: reportKey(config.path, report), bytes: reportFile(report), signal });
  };
  const retry = ({ tenant_id, job_id }: Report, next_attempt_at: string, error: string) =>
    metadata.forTenant(tenant_id).scanReports.retry(job_id, { next_attempt_at, error });
  return new Outbox({
    ...options,
    concurrency: CONCURRENCY,
    graceMs: 0,
    queue: {
      claim: ({ limit }) => metadata.platform.reports.claimDue({ limit, leaseMs: LEASE_MS }),
      send: async (report, signal) => {
        try {
          await write(report, signal);
        } catch (error) {
          log.error({ tenant: report.tenant_id, job: report.job_id, err: error }, 'a scan report could not be written');
          throw new DeliveryFailure(error instanceof MetadataMissing ? error.message : sourceFailure(error), { cause: error });
        }
        return () => metadata.forTenant(report.tenant_id).scanReports.remove(report.job_id);
      },
      attemptsOf: ({ attempts }) => ({ attempts, limit: { kind: 'attempts', attemptsMax: ATTEMPTS_MAX } }),
      noteFailure: async (report, failure, nextAttemptAt) => {
        if (nextAttemptAt !== undefined) return retry(report, nextAttemptAt, failure.message);
        const { scanReports, backgroundErrors } = metadata.forTenant(report.tenant_id);
        await scanReports.remove(report.job_id);
        const message = `The report of job ${report.job_id} was given up after ${report.attempts} attempts: ${failure.message}`;
        await backgroundErrors.append({ error_class: 'DQ_REPORTING', message, exception_type: 'ReportWriteError', stack_trace: '' });
      },
      noteInterruption: (report) => retry(report, new Date(clock.nowMs()).toISOString(), 'interrupted because the service stopped'),
    },
  });
}
