// SPDX-License-Identifier: Apache-2.0
/**
 * Makes a clone ready: installs what the lock file names, then builds the kernel and the console. It runs before every npm script, on
 * whichever Node the machine has (20 or later), so it is plain JavaScript with no dependency. When all is fresh it says nothing.
 *
 * With `--run` it installs what running the services takes, and what building the kernel and the console takes: neither tools for tests nor their data,
 * which are most of everything. A clone that has everything keeps it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const runtime = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
/** What they are built with is in their manifests, and with the kernel the Node.js that runs everything. */
const BUILT_WORKSPACES = ['vector/kernel', 'clients/console'];
const isForRunning = process.argv.includes('--run');
const lockPath = join(root, '.cache', 'bootstrap.lock');
const LOCK_POLL_MS = 200;

await holdLock();
try {
  install();
  pinRuntime();
  for (const workspace of BUILT_WORKSPACES) runBuild(join(root, workspace, 'build.mjs'));
} catch (error) {
  console.error(`bootstrap: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(lockPath, { force: true });
}

function install() {
  const wanted = readPackages(join(root, 'package-lock.json'));
  if (isInstalled(wanted, () => true)) return;
  if (!isForRunning || hasDeveloperTools(wanted)) {
    console.log('bootstrap: installing what package-lock.json names');
    npmInstall();
    return;
  }
  if (!isInstalled(wanted, (_, entry) => entry.dev !== true)) {
    console.log('bootstrap: installing what the services need');
    npmInstall('--omit=dev');
  }
  const builders = buildPackages(wanted);
  if (!isInstalled(wanted, (path) => builders.has(path))) {
    console.log('bootstrap: installing what builds the kernel and the console');
    npmInstall(...BUILT_WORKSPACES.map((workspace) => `--workspace=${workspace}`));
  }
}

/** Not `npm ci`: it refuses a lock file that lacks another platform's optional binaries, which a registry mirror may not carry. */
function npmInstall(...args) {
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', ...args], root);
}

/** npm writes what it really installed to `node_modules/.package-lock.json` as its last step; an interrupted install leaves none. */
function isInstalled(wanted, isMeant) {
  const installed = readPackages(join(modules, '.package-lock.json'));
  if (installed === undefined || wanted === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    // The root and the workspaces are there as they are.
    if (!path.includes('node_modules/') || !isMeant(path, entry)) return true;
    const present = installed[path];
    // An optional package for another platform is in the lock file and rightly not on disk.
    if (present === undefined) return entry.optional === true || entry.devOptional === true;
    return present.version === entry.version && present.integrity === entry.integrity;
  });
}

/** Whether this clone was installed whole: it has the tools that the root names, whichever their versions are. */
function hasDeveloperTools(wanted) {
  const installed = readPackages(join(modules, '.package-lock.json'));
  const tools = Object.keys(wanted?.['']?.devDependencies ?? {});
  return installed !== undefined && tools.every((name) => installed[`node_modules/${name}`] !== undefined);
}

/** Where the lock file puts the packages that the builds import, as far as they are not ours. */
function buildPackages(wanted) {
  const named = BUILT_WORKSPACES.flatMap((workspace) =>
    Object.keys(wanted?.[workspace]?.devDependencies ?? {}).map((name) => [`${workspace}/node_modules/${name}`, `node_modules/${name}`]),
  );
  return new Set(named.map((paths) => paths.find((path) => wanted[path] !== undefined)).filter((path) => path !== undefined));
}

function readPackages(path) {
  if (!existsSync(path)) return undefined;
  return JSON.parse(readFileSync(path, 'utf8')).packages;
}

/** The package `node` fetches its binary in an install script; where such scripts are switched off, that step is made up for here. */
function pinRuntime() {
  if (existsSync(runtime)) return;
  console.log('bootstrap: fetching the pinned Node runtime');
  run(process.execPath, ['installArchSpecificPackage.js'], join(modules, 'node'));
  if (!existsSync(runtime)) throw new Error('the pinned Node runtime (npm package `node`) could not be installed for this platform');
}

/** A build script decides itself whether anything is stale, and says what it does. */
function runBuild(script) {
  if (existsSync(script)) run(runtime, [script], root);
}

function run(command, args, directory) {
  // Without our own .bin in PATH npm runs on the system's Node, and not on the one that it is about to replace.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter);
  const { status, error } = spawnSync(command, args, {
    cwd: directory,
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`\`${[command, ...args].join(' ')}\` failed; its output above says why`);
}

/** One bootstrap at a time: the lock is a file with the holder's pid, created whole by `link`, and taken over when that process is gone. */
async function holdLock() {
  mkdirSync(dirname(lockPath), { recursive: true });
  const claim = `${lockPath}.${process.pid}`;
  writeFileSync(claim, String(process.pid));
  try {
    let waiting = false;
    while (!tryLink(claim, lockPath)) {
      const holder = lockHolder();
      if (holder === undefined) continue;
      if (!isRunning(holder)) {
        rmSync(lockPath, { force: true });
        continue;
      }
      if (!waiting) console.log(`bootstrap: waiting for another start (process ${holder}) to finish installing`);
      waiting = true;
      await new Promise((wake) => setTimeout(wake, LOCK_POLL_MS));
    }
  } finally {
    rmSync(claim, { force: true });
  }
}

function tryLink(source, target) {
  try {
    linkSync(source, target);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** The holder's pid, or undefined when the lock was released in the meantime. */
function lockHolder() {
  try {
    return Number(readFileSync(lockPath, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
