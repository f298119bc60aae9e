// SPDX-License-Identifier: Apache-2.0
/** What is installed anywhere is what was tested here: exact versions, in a lock file that fits the manifests and names no registry. */
import { dirname } from 'node:path/posix';
import type { Finding, SourceFile } from './source.ts';

type Dependencies = { readonly [name: string]: string };
type Manifest = { readonly dependencies?: Dependencies; readonly devDependencies?: Dependencies };
type LockedPackage = Manifest & {
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  /** Of binaries for one platform. */
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
};
type LockFile = { readonly packages: { readonly [path: string]: LockedPackage } };

/** One version, or one version of a package under another name. */
const EXACT = /^(npm:@?[\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;

/** No entry says where it came from (`omit-lockfile-registry-resolved`), so that a clone installs from its owner's registry. */
export function checkLockFile(lock: SourceFile): readonly Finding[] {
  return Object.entries(readLock(lock).packages)
    .filter(([, { resolved, link }]) => resolved !== undefined && link !== true)
    .map(([name]) => ({ path: lock.path, message: `${name} has a \`resolved\` address; install with the .npmrc of this repository` }));
}

/** The lock file was written for these manifests: the bootstrap installs by it, and would otherwise resolve what it lacks again. */
export function checkLockFits(lock: SourceFile, manifests: readonly SourceFile[]): readonly Finding[] {
  const { packages } = readLock(lock);
  return manifests.flatMap((manifest) => {
    const folder = dirname(manifest.path);
    const locked = dependenciesOf(packages[folder === '.' ? '' : folder] ?? {});
    const wanted = dependenciesOf(readManifest(manifest));
    const names = Object.keys({ ...locked, ...wanted }).filter((name) => locked[name] !== wanted[name]);
    return names.map((name) => ({
      path: manifest.path,
      message: `wants ${name} ${wanted[name] ?? 'no more'}, the lock file has ${locked[name] ?? 'none'}; run \`npm install\``,
    }));
  });
}

/** Whoever runs the services alone waits for few packages: what tests and tools need is a dependency of development. */
export function checkRuntime(lock: SourceFile, packagesMax: number): readonly Finding[] {
  const needed = Object.entries(readLock(lock).packages).filter(
    ([path, { link, dev, devOptional, os, cpu }]) =>
      path.includes('node_modules/') && link !== true && dev !== true && devOptional !== true && os === undefined && cpu === undefined,
  );
  if (needed.length < packagesMax) return [];
  const message = `${needed.length} packages are needed to run the services, and fewer than ${packagesMax} may be; see who asks with \`npm ls --omit=dev --all\``;
  return [{ path: lock.path, message }];
}

export function checkExactVersions(manifest: SourceFile): readonly Finding[] {
  return Object.entries(dependenciesOf(readManifest(manifest)))
    .filter(([, version]) => !EXACT.test(version))
    .map(([name, version]) => ({ path: manifest.path, message: `${name} is "${version}"; name one exact version` }));
}

function dependenciesOf({ dependencies, devDependencies }: Manifest): Dependencies {
  return { ...dependencies, ...devDependencies };
}

function readManifest({ text }: SourceFile): Manifest {
  // Ours, and npm has read it before.
  return JSON.parse(text) as Manifest;
}

function readLock({ text }: SourceFile): LockFile {
  // npm wrote it.
  return JSON.parse(text) as LockFile;
}
