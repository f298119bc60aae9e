// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Runs a program of a few lines that reads its flags. */
async function run(...args: string[]) {
  const source = `import { readFlags } from ${JSON.stringify(new URL('flags.ts', import.meta.url).href)};
    console.log(JSON.stringify(readFlags({ options: { rows: { type: 'string', default: '10' }, json: { type: 'boolean' } } }).values));`;
  const program = ['--input-type=module', '--eval', source, '--', ...args];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, program);
    return { code: 0, stdout, stderr: '' };
  } catch (error) {
    return error as { readonly code: number; readonly stdout: string; readonly stderr: string };
  }
}

const FLAGS = 'Flags: --rows <value> (10 unless given), --json';

test('flags that the program has are read', async () => {
  expect(JSON.parse((await run('--json')).stdout)).toEqual({ rows: '10', json: true });
});

test.each([
  ['--rowz', `Unknown option '--rowz'. ${FLAGS}\n`],
  ['--rows', `Option '--rows <value>' argument missing. ${FLAGS}\n`],
  ['more', `Unexpected argument 'more'. This command does not take positional arguments. ${FLAGS}\n`],
])('what it does not take (%s) ends it with exit code 2 and what it takes', async (flag, complaint) => {
  expect(await run(flag)).toMatchObject({ code: 2, stdout: '', stderr: complaint });
});

test('--help says what it takes', async () => {
  expect(await run('--help')).toMatchObject({ code: 0, stdout: `${FLAGS}\n` });
});
