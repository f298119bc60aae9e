// SPDX-License-Identifier: Apache-2.0
import type { CellFindings } from '@sextant/contracts-observability';
import { expect, test } from 'vitest';
import { MetadataMissing } from '../errors.ts';
import type { Fixture } from './engines.conformance.ts';
import { ASSET, RESULT, runningJob, START } from './samples.conformance.ts';

const FINDINGS: CellFindings = {
  rowsChecked: 100,
  cellsFound: 1,
  cells: [
    {
      id: 'c1',
      attribute: 'city',
      row_number: 7,
      record_id: null,
      value: 'Lyonn',
      score: 0.9,
      reason: 'near Lyon',
      detectors: ['spelling'],
      repair: 'Lyon',
      valueKey: 'k',
    },
  ],
  rules: [{ id: 'r1', expression: 'VALIDATE `city` EXPECT NOT IS_NULL', description: 'city is never empty', support: 100, exceptions: 0 }],
};

export function wrongCellsSuite(fixture: Fixture): void {
  test('findings are those of the newest search, and stay where a scan did not search', async () => {
    const metadata = fixture.metadata();
    const tenant = await fixture.tenant();
    const { id } = await tenant.assets.create(ASSET);
    expect(await tenant.wrongCells.findings(id)).toBeUndefined();
    const first = await runningJob(metadata, tenant, id);
    await tenant.jobs.finish(first, { ...RESULT, cells: FINDINGS });
    const ruleHistory = { r1: [{ metric_time: START, support: 100, exceptions: 0 }] };
    expect(await tenant.wrongCells.findings(id)).toEqual({ job_id: first.job_id, metric_time: START, findings: FINDINGS, ruleHistory });
    const light = await runningJob(metadata, tenant, id);
    await tenant.jobs.finish(light, RESULT);
    expect(await tenant.wrongCells.findings(id)).toMatchObject({ job_id: first.job_id });
    const clean = { ...FINDINGS, cellsFound: 0, cells: [] };
    const second = await runningJob(metadata, tenant, id);
    await tenant.jobs.finish(second, { ...RESULT, cells: clean });
    expect(await tenant.wrongCells.findings(id)).toMatchObject({ job_id: second.job_id, findings: clean });
  });

  test('the support of a rule is kept of the newest 60 searches, also while it is not suggested', async () => {
    const metadata = fixture.metadata();
    const tenant = await fixture.tenant();
    const { id } = await tenant.assets.create(ASSET);
    const [rule] = FINDINGS.rules;
    if (rule === undefined) throw new Error('expected a rule');
    const search = async (day: number, exceptions: number | undefined) => {
      const rules = exceptions === undefined ? [] : [{ ...rule, support: 100 - exceptions, exceptions }];
      const metric_time = new Date(Date.parse(START) + day * 86_400_000).toISOString();
      await tenant.jobs.finish(await runningJob(metadata, tenant, id), { ...RESULT, metric_time, cells: { ...FINDINGS, rules } });
    };
    await search(0, 3);
    await search(1, undefined);
    expect((await tenant.wrongCells.findings(id))?.ruleHistory.r1?.map((each) => each.exceptions)).toEqual([3]);
    // How many are kept is the same for every database, and PostgreSQL takes long to write them.
    if ('databaseUrl' in fixture.location()) return;
    for (let day = 2; day < 63; day += 1) await search(day, day % 5);
    const history = (await tenant.wrongCells.findings(id))?.ruleHistory.r1;
    expect(history).toHaveLength(60);
    expect(history?.slice(0, 3).map((each) => [each.support, each.exceptions])).toEqual([
      [98, 2],
      [99, 1],
      [100, 0],
    ]);
  });

  test('the last verdict on a value counts, and can be taken back', async () => {
    const tenant = await fixture.tenant();
    const { id } = await tenant.assets.create(ASSET);
    const verdict = { attribute: 'city', valueKey: 'k', detectors: ['spelling'], isWrong: true } as const;
    await tenant.wrongCells.say(id, verdict, 'ada');
    await tenant.wrongCells.say(id, { ...verdict, valueKey: 'other' }, 'ada');
    await tenant.wrongCells.say(id, { ...verdict, isWrong: false, detectors: ['format'] }, 'bob');
    expect(await tenant.wrongCells.verdicts(id)).toEqual([
      { ...verdict, isWrong: false, detectors: ['format'] },
      { ...verdict, valueKey: 'other' },
    ]);
    await tenant.wrongCells.takeBack(id, verdict);
    expect(await tenant.wrongCells.verdicts(id)).toEqual([{ ...verdict, valueKey: 'other' }]);
  });

  test('an unknown asset has neither findings nor room for verdicts', async () => {
    const tenant = await fixture.tenant();
    const verdict = { attribute: 'city', valueKey: 'k', detectors: [], isWrong: true } as const;
    await expect(tenant.wrongCells.findings('gone')).rejects.toThrow(MetadataMissing);
    await expect(tenant.wrongCells.say('gone', verdict, 'ada')).rejects.toThrow(MetadataMissing);
  });
}
