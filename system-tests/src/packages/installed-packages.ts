// SPDX-License-Identifier: Apache-2.0
/** What npm has put into a folder. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Installed = { readonly packages: number; readonly bytes: number };

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
