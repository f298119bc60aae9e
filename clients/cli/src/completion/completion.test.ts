// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commandReference } from '../reference.ts';
import { bashCompletion } from './bash.ts';
import { flattened } from './command-tree.ts';
import { fishCompletion } from './fish.ts';
import { zshCompletion } from './zsh.ts';

const program = commandReference();

/** What bash would offer for the last word. */
function offered(...words: readonly string[]): readonly string[] {
  const script = `${bashCompletion(program)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _sextant; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\n').filter(Boolean);
}

test('bash offers commands, subcommands, options and their choices', () => {
  expect(offered('sextant', 'se')).toEqual(['serve', 'search']);
  expect(offered('sextant', 'collections', 'in')).toEqual(['info', 'indexes']);
  expect(offered('sextant', 'collections', 'indexes', 'create', 'c', 'f', 'key')).toEqual(['keyword']);
  expect(offered('sextant', 'import', 'c', '--on')).toEqual(['--on-error']);
  expect(offered('sextant', 'import', '--on-error', '')).toEqual(['stop', 'skip']);
  expect(offered('sextant', 'import', '--observability-u')).toEqual(['--observability-url']);
});

test('every command and option is in the scripts of all shells', () => {
  const zsh = zshCompletion(program);
  const fish = fishCompletion(program);
  for (const { path, options } of flattened(program)) {
    expect(zsh).toContain(`_${path.join('_')}() {`);
    for (const { long } of options) {
      expect(zsh).toContain(`'${long}[`);
      expect(fish).toContain(`-l ${long.slice(2)} `);
    }
  }
});

test('every command says what it does', () => {
  for (const { path, description, options } of flattened(program)) {
    expect.soft(description, path.join(' ')).not.toBe('');
    for (const option of options) expect.soft(option.description, option.flags).not.toBe('');
  }
});
