import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { exactAnswers, loadWorkload, makeWorkload, SELECTIONS, saveWorkload } from './workload.ts';

test('a workload is the same for all who read it, and its exact answers obey the filters', async () => {
  await using directory = await temporaryDirectory();
  const workload = await makeWorkload({ data: 'mixture', points: 600, queries: 5, seed: 3 });
  await saveWorkload(directory.path, workload);
  const { data: _, ...saved } = workload;
  expect(await loadWorkload(directory.path)).toEqual(saved);
  const again = await makeWorkload({ data: 'mixture', points: 600, queries: 5, seed: 3 });
  expect(again).toEqual(workload);

  for (const [selection, { values }] of SELECTIONS.entries()) {
    const answers = exactAnswers(workload, selection);
    const passing = workload.fields[selection]?.filter((value) => value === 0).length ?? 0;
    expect(answers.map(({ length }) => length)).toEqual(Array.from({ length: 5 }, () => Math.min(10, passing)));
    expect(answers.flat().every((id) => workload.fields[selection]?.[id] === 0)).toBe(true);
    expect(passing / 600).toBeCloseTo(1 / values, 1);
  }
});

test('a point is its own nearest', async () => {
  const { points, fields } = await makeWorkload({ data: 'mnist', points: 100, queries: 1, seed: 3 });
  const answers = exactAnswers({ points, queries: points, fields }, 0);
  expect(answers.map(([nearest]) => nearest)).toEqual(Array.from({ length: 100 }, (_, id) => id));
});
