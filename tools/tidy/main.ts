/** Holds the repository to its own rules; prints what it finds and fails when that is anything. */
import { resolve } from 'node:path';
import { checkFile } from './house-rules.ts';
import { checkLayers } from './layers.ts';
import { checkExactVersions, checkLockFile } from './lock-file.ts';
import { readFiles, readPackages } from './source.ts';

const root = resolve(import.meta.dirname, '../..');
const packages = readPackages(root);
const findings = [
  ...checkLayers(packages),
  ...packages.flatMap(({ files }) => files.flatMap(checkFile)),
  ...readFiles(root, 'package-lock.json').flatMap(checkLockFile),
  ...readFiles(root, '**/package.json').flatMap(checkExactVersions),
];

for (const { path, line, message } of findings) console.log(`${path}${line === undefined ? '' : `:${line}`} ${message}`);
if (findings.length > 0) process.exitCode = 1;
