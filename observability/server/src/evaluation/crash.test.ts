// SPDX-License-Identifier: Apache-2.0
/** SIGKILL between the writes of the end of a scan: afterwards all of it is there, once, or nothing is, and then the job runs again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLongRun, temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { type EvaluationFixture, openEvaluationFixture, START_MS } from '../testing/evaluation-fixture.ts';

const PROCESS = fileURLToPath(new URL('../testing/evaluation-process.ts', import.meta.url));
const DAY_MS = 86_400_000;
const SCAN_MS = START_MS + 3 * DAY_MS;
const FOUND = { COMPLETENESS_DRIFTS: 0, SCHEMA_DRIFTS: 1, UNIQUENESS_DRIFTS: 2 };
/** Processes at a time. */
const LANES = 2;

type Ending = 'finish' | 'fail';

test.each<Ending>(['finish', 'fail'])(
  'no alert, step or message is lost or doubled by a death on the way to %s a scan',
  async (ending) => {
    await using directory = await temporaryDirectory();
    const template = join(directory.path, 'template');
    await prepare(template);
    const whole = join(directory.path, 'whole');
    await cp(template, whole, { recursive: true });
    let writes = 0;
    const expected = await finishAndLook(whole, ending, () => {
      writes += 1;
    });
    expect(expected.alerts).not.toEqual([]);
    // The end of the job, its alerts, a step and a message of each incident.
    expect(writes).toBeGreaterThanOrEqual(4);

    const moments = deaths(writes);
    const lane = async () => {
      for (let write = moments.shift(); write !== undefined; write = moments.shift()) {
        const copy = join(directory.path, `before-${write}`);
        await cp(template, copy, { recursive: true });
        await die(copy, ending, write);
        expect(await finishAndLook(copy, ending), `killed before write ${write}`).toEqual(expected);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  },
  60_000,
);

/** The writes before which a process dies, and the moment after the commit; the quick run takes the last, before which a second transaction would have left something. */
function deaths(writes: number): number[] {
  if (isLongRun()) return Array.from({ length: writes + 1 }, (_, index) => index + 1);
  return [writes];
}

/** An asset whose incident is open, somebody who wants to hear of it, and a scan that waits. */
async function prepare(directory: string): Promise<void> {
  await using fixture = await openEvaluationFixture(directory);
  const { tenant, clock } = fixture;
  const { id } = await fixture.newAsset('orders');
  await tenant.channels.create({ name: 'ops', type: 'WEBHOOK', addresses: ['https://example.org/hook'] });
  for (const policy of [...Object.keys(FOUND), 'DATA_PROCESS_FAILURE']) {
    const notification = { send_notifications: true, notification_channel_names: ['ops'] };
    await tenant.monitors.update(id, policy, { notification, modified_by: 'ada' });
  }
  clock.advance(DAY_MS);
  await fixture.finish(await fixture.claim(id), { COMPLETENESS_DRIFTS: 1 });
  clock.advance(DAY_MS);
  await tenant.jobs.enqueue({ asset_id: id, request: {}, whenBusy: 'refuse' });
}

/** Has a process end the job, and die before this write. */
async function die(directory: string, ending: Ending, write: number): Promise<void> {
  const child = spawn(process.execPath, [PROCESS, directory, ending, String(SCAN_MS), String(write)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
}

/** What is there once the job has ended, which it may have done already. */
async function finishAndLook(directory: string, ending: Ending, onWrite?: () => void) {
  await using fixture = await openEvaluationFixture(directory, { startMs: SCAN_MS, ...(onWrite === undefined ? {} : { onWrite }) });
  const claimed = await fixture.takeUp();
  if (claimed !== undefined) await expectUntouched(fixture, claimed.job.id);
  if (claimed !== undefined && ending === 'finish') await fixture.finish(claimed, FOUND);
  if (claimed !== undefined && ending === 'fail') await fixture.fail(claimed, 'the file is gone.');
  return await lookAt(fixture);
}

/** A job that is still to do has left nothing. */
async function expectUntouched({ tenant }: EvaluationFixture, jobId: string): Promise<void> {
  const { asset_id } = await tenant.jobs.get(jobId);
  expect(await tenant.alerts.ofJob({ source: asset_id, job_id: jobId })).toEqual([]);
  expect(await tenant.metricPoints.history({ asset_id })).toHaveLength(1);
  expect((await tenant.incidents.list()).map(({ status }) => status)).toEqual(['OPEN']);
}

async function lookAt({ tenant }: EvaluationFixture) {
  const [asset] = await tenant.assets.list();
  const source = asset?.id ?? '';
  const jobs = await tenant.jobs.listOfAsset(source);
  const incidents = await tenant.incidents.list();
  return {
    jobs: jobs.map(({ status, details }) => ({ status, details })),
    points: (await tenant.metricPoints.history({ asset_id: source })).length,
    alerts: (await Promise.all(jobs.map(({ id }) => tenant.alerts.ofJob({ source, job_id: id })))).flat(),
    incidents: await Promise.all(incidents.map(({ id }) => tenant.incidents.get(id))),
    messages: (await tenant.deliveries.list()).map(({ kind, incident_id, channel }) => `${kind} ${incident_id} ${channel}`).toSorted(),
    scores: (await tenant.dqScores.newest(source, 10)).map(({ score }) => score),
    errors: await tenant.backgroundErrors.list(10),
  };
}
