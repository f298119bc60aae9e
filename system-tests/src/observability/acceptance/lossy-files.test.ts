// SPDX-License-Identifier: Apache-2.0
/**
 * The hostile files that lose something where they are read: rows that cannot be split, values that do not fit. The two monitors that need no history
 * tell of each in its first scan, and of none that loses less than they allow.
 */
import { isLongRun } from '@sextant/foundation-testing';
import { HOSTILE_FILES, type HostileFile } from '@sextant/observability-scan/hostile-files';
import { afterAll, describe, expect, test } from 'vitest';
import { sharedServiceUnderTest } from '../contract/service-under-test.ts';
import { scan, uploadAsset } from '../scanning.ts';

const service = await sharedServiceUnderTest();
afterAll(() => service[Symbol.asyncDispose]());
const { api } = service;

/** What a first scan may reject and raise no alert, as the monitor says. */
const REJECTED_SHARE_MAX = 0.001;

type Loss = { readonly rejected: number; readonly share: number; readonly misfits: readonly string[] };

/** Undefined where the file is refused. */
function lossOf({ expected }: HostileFile): Loss | undefined {
  if ('refused' in expected) return undefined;
  const { rows, rejected = 0, mismatches = {} } = expected;
  return { rejected, share: rejected / (rows.length + rejected), misfits: Object.keys(mismatches) };
}

/** Of those that lose the same, whatever their format, the quick run scans one. */
function firstOfEach(files: readonly (typeof LOSSY)[number][]): readonly (typeof LOSSY)[number][] {
  const byLoss = new Map(
    files.toReversed().map((lossy) => {
      const { loss } = lossy;
      return [JSON.stringify([loss.share > REJECTED_SHARE_MAX, loss.rejected > 0, loss.misfits.length > 0]), lossy];
    }),
  );
  return [...byLoss.values()].toReversed();
}

const LOSSY = HOSTILE_FILES.flatMap((file) => {
  const loss = lossOf(file);
  return loss !== undefined && (loss.rejected > 0 || loss.misfits.length > 0) ? [{ kind: file.kind, file, loss }] : [];
});

async function firstScan({ kind, name = 'a.csv', content, reading }: HostileFile) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const { id } = await uploadAsset(api, { file: name, bytes, name: kind, ...(reading && { options: { reading } }) });
  const job = await scan(api, id);
  expect(job).toMatchObject({ status: 'FINISHED' });
  const checks = await api.call('list_job_checks', { job_id: job.id });
  /** Of the alerts of a policy; none where it raised no incident. */
  const columnsOf = async (policy: string) => {
    const incidents = await api.call('list_incidents', {}, { query: { asset_ids: id, alert_policy_ids: policy } });
    const details = await Promise.all(incidents.map((incident) => api.call('get_incident', { incident_id: incident.id })));
    return details.flatMap(({ metrics }) => metrics.map(({ attribute }) => attribute));
  };
  return { columnsOf, isViolated: (policy: string) => checks.find(({ monitor_id }) => monitor_id === policy)?.state === 'violated' };
}

test('there are files of both kinds of loss, and of some that are small', () => {
  expect(LOSSY.filter(({ loss }) => loss.share > REJECTED_SHARE_MAX).length).toBeGreaterThanOrEqual(10);
  expect(LOSSY.filter(({ loss }) => loss.misfits.length > 0).length).toBeGreaterThanOrEqual(8);
  expect(LOSSY.filter(({ loss }) => loss.rejected > 0 && loss.share <= REJECTED_SHARE_MAX).length).toBeGreaterThanOrEqual(1);
});

describe('what is lost of a hostile file is an alert of its first scan:', () => {
  test.each(isLongRun() ? LOSSY : firstOfEach(LOSSY))('$kind', async ({ file, loss: { share, misfits } }) => {
    const { isViolated, columnsOf } = await firstScan(file);
    const isRejected = share > REJECTED_SHARE_MAX;
    expect(isViolated('REJECTED_ROWS_VIOLATION')).toBe(isRejected);
    expect(await columnsOf('REJECTED_ROWS_VIOLATION')).toEqual(isRejected ? [null] : []);
    expect(isViolated('TYPE_MISMATCH_VIOLATION')).toBe(misfits.length > 0);
    expect(await columnsOf('TYPE_MISMATCH_VIOLATION')).toEqual(misfits);
  });
});
