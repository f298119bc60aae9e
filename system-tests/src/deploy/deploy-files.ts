// SPDX-License-Identifier: Apache-2.0
/** The files of `deploy/`, and what stands in them. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { ROOT } from '../lifecycle/launched-services.ts';

export const DEPLOY = join(ROOT, 'deploy');

export function deployFiles(pattern: string): readonly string[] {
  return globSync(pattern, { cwd: DEPLOY }).filter((file) => /\.[^/]+$|Dockerfile$/.test(file));
}

export function textOf(file: string): string {
  return readFileSync(join(DEPLOY, file), 'utf8');
}

/** All documents of YAML; a fault or a warning is thrown. */
export function yamlOf(text: string): readonly unknown[] {
  return parseAllDocuments(text, { merge: true, uniqueKeys: true })
    .map((document) => {
      for (const problem of [...document.errors, ...document.warnings]) throw problem;
      // The tests look at it member by member.
      return document.toJS() as unknown;
    })
    .filter((document) => document !== null);
}
