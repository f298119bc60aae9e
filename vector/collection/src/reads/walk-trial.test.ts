import { describe, expect, test } from 'vitest';
import { WalkTrial } from './walk-trial.ts';

const [LEARNED, TRIALS, TRIALS_MAX] = [40, 24, 96];
const COUNT = 20;

/** Rows that no answer has held before. */
function answers(): () => number[] {
  let row = 0;
  return () => Array.from({ length: COUNT }, () => row++);
}

/** A trial whose learning is over. */
function learned(next = answers(), timesMax = 4): WalkTrial {
  const trial = new WalkTrial();
  for (let search = 0; search < LEARNED; search++) {
    expect(trial.advise(timesMax)).toEqual({ kind: 'learn' });
    trial.note(next());
  }
  return trial;
}

/** Goes both ways; the walk finds all but so many of each answer. */
function goBothWays(
  trial: WalkTrial,
  times: number,
  { next, missed, count = TRIALS }: { next: () => number[]; missed: number; count?: number },
) {
  for (let search = 0; search < count; search++) {
    expect(trial.advise(4)).toEqual({ kind: 'try', times });
    const swept = next();
    trial.note(swept, new Set(swept.slice(missed)));
  }
}

describe('a walk for a filter that leaves out what lies around the query', () => {
  test('is tried once some answers are known, and taken when it has found as much for others', () => {
    const next = answers();
    const trial = learned(next);
    goBothWays(trial, 1, { next, missed: 0 });
    expect(trial.advise(4)).toEqual({ kind: 'walk', times: 1 });
  });

  test('is tried with wider beams where it misses some, and given up behind the widest', () => {
    const next = answers();
    const trial = learned(next);
    for (const times of [1, 1.5, 2, 4]) goBothWays(trial, times, { next, missed: 1 });
    expect(trial.advise(4)).toEqual({ kind: 'sweep' });
  });

  test('is tried no more than eight times with a beam that misses much', () => {
    const next = answers();
    const trial = learned(next);
    for (const times of [1, 1.5, 2, 4]) goBothWays(trial, times, { next, missed: 3, count: 8 });
    expect(trial.advise(4)).toEqual({ kind: 'sweep' });
  });

  test('is neither tried nor taken with a beam that costs too much', () => {
    expect(new WalkTrial().advise(0.9)).toEqual({ kind: 'sweep' });
    const next = answers();
    const trial = learned(next);
    goBothWays(trial, 1, { next, missed: 1 });
    expect(trial.advise(1.4)).toEqual({ kind: 'sweep' });
  });

  test('is given up where the same queries come again and again: they do not tell what it finds for others', () => {
    const [first, ...others] = Array.from({ length: 3 }, answers());
    const trial = learned(() => first ?? []);
    for (const other of others) trial.note(other);
    goBothWays(trial, 1, { next: () => first ?? [], missed: 0, count: TRIALS_MAX });
    expect(trial.advise(4)).toEqual({ kind: 'sweep' });
  });

  test('is tried anew after two thousand searches, from what was found before', () => {
    const next = answers();
    const trial = learned(next);
    for (const times of [1, 1.5, 2, 4]) goBothWays(trial, times, { next, missed: 1 });
    for (let search = LEARNED + 4 * TRIALS; search < 2000; search++) expect(trial.advise(4)).toEqual({ kind: 'sweep' });
    goBothWays(trial, 1, { next, missed: 0 });
    expect(trial.advise(4)).toEqual({ kind: 'walk', times: 1 });
  });

  test('begins at the rows that were found last, of which no more than 512 are kept', () => {
    const trial = new WalkTrial();
    trial.note([7]);
    trial.note(Array.from({ length: 511 }, (_, row) => 1000 + row));
    expect(trial.starts).toHaveLength(512);
    trial.note([7, 3]);
    expect(trial.starts).toHaveLength(512);
    expect([...trial.starts].slice(-2)).toEqual([7, 3]);
    expect(trial.starts).not.toContain(1000);
  });
});
