#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
/** Starts the program. Older versions of Node.js have to be able to read this file, to say that they cannot run the others. */
import { readFileSync } from 'node:fs';

const { name, engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const wanted = Number(/\d+/.exec(engines.node)[0]);

if (Number(process.versions.node.split('.')[0]) < wanted) {
  console.error(
    `sextant: Node.js ${wanted} or later is needed, and this is ${process.versions.node}. ` +
      `\`npx --package=node@${wanted} --package=${name} -- sextant …\` brings one along.`,
  );
  process.exitCode = 1;
} else {
  await import('../dist/cli.mjs');
}
