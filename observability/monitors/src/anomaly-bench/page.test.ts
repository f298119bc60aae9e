// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { renderPage, withMonitors, withSpeed } from './page.ts';

const KEPT = { daily: { microseconds: 19.6, bytes: 2000 }, dense: { microseconds: 20.4, bytes: 1000 } };

test('the page shows what was measured', () => {
  const page = renderPage({
    files: 2,
    windows: 3,
    profiles: ['standard', 'low-FP'],
    detectors: [{ name: 'null', threshold: 'best', scores: [0, undefined] }],
    categories: [
      [{ category: 'calm', files: 1, windows: 0, found: 0, falseAlarms: 4, score: undefined }],
      [{ category: 'calm', files: 1, windows: 0, found: 0, falseAlarms: 1, score: undefined }],
    ],
    families: {
      seeds: 'page',
      detectors: ['learned', 'other'],
      clean: [
        {
          name: 'calm',
          counts: [
            { judged: 2000, alarms: 2, alarmedSeries: 1, series: 10, designEffect: 2 },
            { judged: 900, alarms: 90, alarmedSeries: 10, series: 10, designEffect: 1 },
          ],
        },
      ],
      damaged: [
        {
          name: 'gone',
          found: [
            { found: 19, series: 20, delay: 3 },
            { found: 0, series: 20, delay: undefined },
          ],
        },
      ],
      monitors: {
        sizes: [100, 1000],
        clean: [
          {
            name: 'noise',
            counts: [
              { scans: 1000, alarmed: 10 },
              { scans: 50, alarmed: 0 },
            ],
          },
        ],
        damaged: [
          {
            name: 'half',
            found: [
              [1, 0.504, 1, 1],
              [0, 0.25, 1, 1],
            ],
          },
        ],
      },
    },
    speed: [{ points: 100, microseconds: 50.4 }],
    kept: KEPT,
    machine: 'a machine',
  });
  expect(page).toContain('2 files, 3 windows');
  expect(page).toContain('| null     | best      | 0.0      |        |');
  expect(page).toContain('| calm     | 1     | 0       | 0     | 4            |          |        |');
  expect(page).toContain('| noise  | 1.00 %     | 1,000 | 0.00 %      | 50    |');
  expect(page).toContain('| half  | 100 % / 0 % | 50 % / 25 % | 100 % / 100 % | 100 % / 100 % |');
  expect(page).toContain('| 100         | 50 µs    | 0.10 s     |');
  expect(page).toContain('| calm   | 2,000  | 0.10 %  | 0.02 % to 0.56 % | 1 of 10              | 10.00 % |');
  expect(page).toContain('| gone  | 95 %, 3 | 0 %   |');
  expect(page).toMatch(/\| daily[^|]*\| 20 µs +\| 2,000 +\|/);
  expect(page).toMatch(/\| of every five minutes +\| 20 µs +\| 1,000 +\|/);
  expect(page).toContain('Machine: a machine.');
});

test('a speed that was measured again takes the place of the former one, and of nothing else', () => {
  const former = { speed: [{ points: 20, microseconds: 90 }], kept: KEPT, machine: 'a busy machine' };
  const page = withSpeed(`# A page\n\n## Speed\n\nold\n`, former);
  expect(page).toContain('# A page\n\n## Speed\n\nProcessor time');
  expect(page).not.toContain('old');
  const again = withSpeed(page, { ...former, machine: 'a quiet machine' });
  expect(again).toBe(page.replace('a busy machine', 'a quiet machine'));
  expect(() => withSpeed('# Another page', former)).toThrow('the page has no part "## Speed"');
});

test('monitors that were measured again take the place of the former ones, and of nothing else', () => {
  const page = withMonitors(`# A page\n\n## Many series in one monitor\n\nold\n\n## Speed\n\nas it was\n`, {
    sizes: [100],
    clean: [{ name: 'noise', counts: [{ scans: 1000, alarmed: 10 }] }],
    damaged: [],
  });
  expect(page).toMatch(/^# A page\n\n## Many series in one monitor\n\nDaily series/);
  expect(page).toContain('1.00 %');
  expect(page).not.toContain('old');
  expect(page.endsWith('\n\n## Speed\n\nas it was\n')).toBe(true);
  expect(() => withMonitors('# A page\n', { sizes: [], clean: [], damaged: [] })).toThrow('has no part');
});
