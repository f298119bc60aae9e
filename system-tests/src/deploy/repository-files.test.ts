// SPDX-License-Identifier: Apache-2.0
/** What GitHub and editors read of the repository: that it parses, and that what it names is there. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../lifecycle/launched-services.ts';
import { yamlOf } from './deploy-files.ts';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const WORKFLOWS = globSync('.github/workflows/*.yml', { cwd: ROOT });
const FORMS = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: ROOT }).filter((file) => !file.endsWith('config.yml'));

type Step = { readonly uses?: string; readonly run?: string; readonly with?: { readonly 'node-version'?: number } };
type Job = { readonly steps: readonly Step[]; readonly 'timeout-minutes'?: number };
type Workflow = { readonly permissions?: object; readonly jobs: { readonly [name: string]: Job } };

function one<Document>(file: string): Document {
  const [document, ...others] = yamlOf(read(file));
  expect(others).toEqual([]);
  // Its shape is what the tests look at.
  return document as Document;
}

test('there are workflows for changes and for releases', () => {
  expect(WORKFLOWS.toSorted()).toEqual(['.github/workflows/ci.yml', '.github/workflows/release.yml']);
});

test.each(WORKFLOWS)('%s runs what there is, with few rights and an end', (file) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { [name: string]: string } };
  const { permissions, jobs } = one<Workflow>(file);
  expect(permissions).toEqual({ contents: 'read' });
  for (const { steps, 'timeout-minutes': minutes } of Object.values(jobs)) {
    expect(minutes).toBeGreaterThan(0);
    for (const { uses, run = '', with: options } of steps) {
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@v\d+$/);
      if (options?.['node-version'] !== undefined) expect(options['node-version']).toBeGreaterThanOrEqual(24);
      for (const [, script] of run.matchAll(/npm (?:run )?(check|test|build:\S+)/g)) expect(scripts).toHaveProperty([script ?? '']);
      for (const [, script] of run.matchAll(/bash (\S+)/g)) expect(existsSync(join(ROOT, script ?? ''))).toBe(true);
    }
  }
});

test.each(FORMS)('%s asks for something, each under a name of its own', (file) => {
  type Field = { readonly id?: string; readonly type: string; readonly attributes: { readonly label?: string } };
  const { name, body } = one<{ name: string; body: readonly Field[] }>(file);
  expect(name).not.toBe('');
  const asked = body.filter(({ type }) => type !== 'markdown');
  expect(asked.length).toBeGreaterThan(0);
  expect(new Set(asked.map(({ id }) => id)).size).toBe(asked.length);
  for (const { id, attributes } of asked) expect([id, attributes.label]).toEqual([expect.any(String), expect.any(String)]);
});

test('updates are looked for where there are dependencies', () => {
  type Update = { readonly directory?: string; readonly directories?: readonly string[]; readonly 'package-ecosystem': string };
  const { updates } = one<{ updates: readonly Update[] }>('.github/dependabot.yml');
  const named: { readonly [ecosystem: string]: string } = {
    npm: 'package.json',
    docker: 'Dockerfile',
    pip: 'requirements.txt',
    'github-actions': '.github/workflows/ci.yml',
  };
  for (const { 'package-ecosystem': ecosystem, directory, directories = [] } of updates) {
    const folders = [...directories, ...(directory === undefined ? [] : [directory])];
    expect(folders.length).toBeGreaterThan(0);
    for (const folder of folders) expect(existsSync(join(ROOT, folder, named[ecosystem] ?? 'unknown'))).toBe(true);
  }
});

test('the development container forwards the ports of the services', () => {
  const { forwardPorts } = JSON.parse(read('.devcontainer/devcontainer.json')) as { forwardPorts: readonly number[] };
  const configuration = read('docs/reference/configuration.md');
  for (const port of forwardPorts) expect(configuration).toMatch(new RegExp(`_PORT\` \\| ${port} \\|`));
  expect(forwardPorts).toHaveLength(2);
});

test('owners are either named, by accounts of the host, or CONTRIBUTING.md says why nobody is', () => {
  const owners = '.github/CODEOWNERS';
  if (!existsSync(join(ROOT, owners))) return expect(read('CONTRIBUTING.md')).toContain('There is no `CODEOWNERS` file.');
  const entries = read(owners)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  for (const entry of entries) expect(entry).toMatch(/^\S+( @[\w/-]+)+$/);
});
