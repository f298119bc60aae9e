// SPDX-License-Identifier: Apache-2.0
/** `node tools/sdk/main.ts [directory]` builds the SDK as it is published, into `clients/sdk/dist` unless it says otherwise. */
import { resolve } from 'node:path';
import { buildSdk } from './build.ts';

const directory = resolve(process.argv[2] ?? resolve(import.meta.dirname, '../../clients/sdk/dist'));
await buildSdk(directory);
console.log(`The package is in ${directory}.`);
