// SPDX-License-Identifier: Apache-2.0
/** Holds the repository to its own rules; prints what it finds and fails when that is anything. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ASSEMBLY, assemblyPackage, checkAssembly } from './assembly.ts';
import { checkFolders } from './folders.ts';
import { checkFile } from './house-rules.ts';
import { checkLayers } from './layers.ts';
import { checkIndexed, checkLinks } from './links.ts';
import { checkExactVersions, checkLockFile, checkLockFits, checkRuntime } from './lock-file.ts';
import { readFiles, readPackages } from './source.ts';
import { checkTerms } from './terms.ts';

const RUNTIME_PACKAGES_MAX = 200;

const root = resolve(import.meta.dirname, '../..');
const packages = readPackages(root);
const assembly = assemblyPackage(readFiles(root, `${ASSEMBLY}/**/*.ts`, []));
const manifests = [...readFiles(root, 'package.json'), ...packages.flatMap(({ folder }) => readFiles(root, `${folder}/package.json`))];
const pages = readFiles(root, '**/*.md');
const findings = [
  ...checkLayers(packages),
  ...checkFolders([...packages, assembly]),
  ...checkAssembly(assembly),
  ...[...packages, assembly].flatMap(({ files }) => files.flatMap(checkFile)),
  ...readFiles(root, 'package-lock.json').flatMap((lock) => [
    ...checkLockFile(lock),
    ...checkLockFits(lock, manifests),
    ...checkRuntime(lock, RUNTIME_PACKAGES_MAX),
  ]),
  ...manifests.flatMap(checkExactVersions),
  ...checkLinks(pages, (path) => existsSync(join(root, path))),
  ...checkIndexed(pages),
  ...checkTerms([...packages.flatMap(({ files }) => files), ...pages]),
];

for (const { path, line, message } of findings) console.log(`${path}${line === undefined ? '' : `:${line}`} ${message}`);
if (findings.length > 0) process.exitCode = 1;
