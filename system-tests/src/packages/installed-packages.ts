// SPDX-License-Identifier: Apache-2.0
/** The package of both services as the npm of this machine installs it, and what npm has put into a folder. */
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm } from './machine.ts';
import { tarballOf } from './packed-packages.ts';

export type Installed = { readonly packages: number; readonly bytes: number };

/**
 * Installed into an empty folder once for the test files of a run, which takes npm six seconds of processor time; nobody may change it. What it depends on comes
 * from the registry, or from what npm keeps of it.
 */
export function installedPackage(): string {
  const shared = process.env.SHARED_DIRECTORY ?? mkdtempSync(join(tmpdir(), 'sextant-'));
  const folder = join(shared, 'installed-package');
  if (existsSync(folder)) return folder;
  const draft = mkdtempSync(join(shared, 'installing-'));
  writeFileSync(join(draft, 'package.json'), '{ "private": true }');
  const { status, stderr } = npm(['install', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', tarballOf('sextant')], draft);
  if (status !== 0) throw new Error(`npm installed nothing\n${stderr}`);
  // Two that begin at the same moment both install it, and the second keeps its own.
  if (existsSync(folder)) return draft;
  renameSync(draft, folder);
  return folder;
}

export function installedIn(folder: string): Installed {
  const modules = join(folder, 'node_modules');
  // npm writes it as the last step of an install.
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as { readonly packages: object };
  return { packages: Object.keys(packages).length, bytes: bytesOf(filesBelow(modules)) };
}

/** Links are not followed: what they lead to would be counted twice. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

export function bytesOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + lstatSync(file).size, 0);
}
