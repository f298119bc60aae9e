/** The lock file names no registry (`omit-lockfile-registry-resolved`), so that a clone installs from whichever one its owner uses. */
import type { Finding, SourceFile } from './source.ts';

/** One version, or one version of a package under another name. */
const EXACT = /^(npm:@?[\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;

export function checkLockFile(file: SourceFile): readonly Finding[] {
  // npm wrote it.
  const { packages } = JSON.parse(file.text) as { packages: { [path: string]: { resolved?: string; link?: boolean } } };
  return Object.entries(packages)
    .filter(([, { resolved, link }]) => resolved !== undefined && link !== true)
    .map(([name]) => ({ path: file.path, message: `${name} has a \`resolved\` address; install with the .npmrc of this repository` }));
}

/** Versions are exact in every manifest: what was tested is what is installed. */
export function checkExactVersions(manifest: SourceFile): readonly Finding[] {
  // Ours, and npm has read it before.
  const { dependencies, devDependencies } = JSON.parse(manifest.text) as {
    dependencies?: { [name: string]: string };
    devDependencies?: { [name: string]: string };
  };
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([, version]) => !EXACT.test(version))
    .map(([name, version]) => ({ path: manifest.path, message: `${name} is "${version}"; name one exact version` }));
}
