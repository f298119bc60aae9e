// SPDX-License-Identifier: Apache-2.0
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from './temporary-directory.ts';

test('a temporary directory goes with its content at the end of its scope', async () => {
  let path = '';
  {
    await using directory = await temporaryDirectory();
    path = directory.path;
    await mkdir(join(path, 'a/b'), { recursive: true });
    await writeFile(join(path, 'a/b/c'), 'x');
    expect(existsSync(path)).toBe(true);
  }
  expect(existsSync(path)).toBe(false);
});
