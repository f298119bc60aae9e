// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { costliestFiles } from './costliest-files.ts';

const files = (count: number) => Array.from({ length: count }, (_, index) => ({ path: `file ${index}`, seconds: index / 2 }));

describe('what the files of a run took', () => {
  test('is listed from the costliest on, with all of it', () => {
    const [title, ...lines] = costliestFiles(files(20));
    expect(title).toBe('Processor time: 95 s in 20 files. Most of it:');
    expect(lines).toHaveLength(15);
    expect(lines.slice(0, 2)).toEqual(['    9.5 s  file 19', '    9.0 s  file 18']);
    expect(lines.at(-1)).toBe('    2.5 s  file 5');
  });

  test('is not listed where all of them are in sight anyway', () => {
    expect(costliestFiles(files(15))).toEqual([]);
  });
});
