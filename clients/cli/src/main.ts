// SPDX-License-Identifier: Apache-2.0
/**
 * The program. Node.js keeps what it made of the modules, so that the next command begins sooner, and does without where it cannot write. The folder is
 * not one for temporary files, which others may write: code comes from it.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)));
await import('./command-process.ts');
