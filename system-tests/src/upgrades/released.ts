// SPDX-License-Identifier: Apache-2.0
/** Data directories that earlier releases have written. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseJson } from '@sextant/foundation-std';

export const RELEASES_FOLDER = fileURLToPath(new URL('./releases', import.meta.url));

export type ReleasedDirectory = {
  readonly release: string;
  /** What the release answered about it. */
  readonly answers: unknown;
  readonly unpack: (directory: string) => void;
};

export function releasedDirectories(service: 'vector' | 'observability'): readonly ReleasedDirectory[] {
  return readdirSync(RELEASES_FOLDER).flatMap((file) => {
    const [, release] = new RegExp(`^${service}-(.+)\\.tar\\.gz$`).exec(file) ?? [];
    if (release === undefined) return [];
    return {
      release,
      answers: parseJson(readFileSync(join(RELEASES_FOLDER, `${service}-${release}.json`), 'utf8')),
      unpack: (directory: string) => execFileSync('tar', ['-xzf', join(RELEASES_FOLDER, file), '-C', directory]),
    };
  });
}
