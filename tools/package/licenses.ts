// SPDX-License-Identifier: Apache-2.0
/** The licences of libraries that a bundle holds: most of them ask to be passed on with it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENSE_FILE = /^(licen[cs]e|copying|notice)([-.].*)?$/i;

type Manifest = { readonly name: string; readonly version: string; readonly license?: string };

/** @param folders of the libraries, as they are installed */
export function licensesOf(folders: readonly string[]): string {
  const sections = folders.map((folder) => {
    // npm has read it before.
    const { name, version, license = 'see below' } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    const texts = readdirSync(folder)
      .filter((file) => LICENSE_FILE.test(file))
      .toSorted()
      .map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`## ${name} ${version}`, `Licence: ${license}`, ...texts.map((text) => `\`\`\`text\n${text}\n\`\`\``)].join('\n\n');
  });
  return `${['# Libraries in this package', ...sections].join('\n\n')}\n`;
}
