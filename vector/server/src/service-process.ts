// SPDX-License-Identifier: Apache-2.0
/** The service in its process: configuration, lock of the data directory, start, signals. */
import { join, resolve } from 'node:path';
import {
  badPortSentence,
  configurationReload,
  createLog,
  DataDirectoryInUseError,
  DataDirectoryUnusableError,
  descriptorLimit,
  drainOnSignals,
  keepFilesPrivate,
  type Log,
  lockDataDirectory,
  onLauncherEnd,
  openConfigurationFile,
  outliveOutput,
  type ReadyConfiguration,
  SHOW_SETTINGS_FLAG,
  shownSettings,
  tightenPermissions,
} from '@sextant/foundation-service';
import { systemClock } from '@sextant/foundation-std';
import { readVectorConfiguration, snapshotsDirectory, type VectorConfiguration, vectorSettings } from './configuration.ts';
import { NewerDataError, planUpgrade, UpgradeRoomError, upgradeData } from './data-version.ts';
import { PRODUCT } from './product.ts';
import { ServiceRefusedError, startVectorService } from './threads/supervisor.ts';

const LISTEN_FAULTS = ['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND'];

/** The flag by which the service says what its next start would do to the data directory, instead of running. */
const PLAN_UPGRADE_FLAG = '--plan-upgrade';

const isShown = process.argv.includes(SHOW_SETTINGS_FLAG);
const isPlanned = process.argv.includes(PLAN_UPGRADE_FLAG);
const argv = process.argv.slice(2).filter((argument) => argument !== SHOW_SETTINGS_FLAG && argument !== PLAN_UPGRADE_FLAG);
const readSettings = async () => readVectorConfiguration(process.env, argv, await openConfigurationFile(vectorSettings, process.env, argv));

const outcome = await readSettings();
switch (outcome.kind) {
  case 'help':
    process.stdout.write(outcome.text);
    break;
  case 'refused':
    refuse(outcome.problems);
    break;
  case 'ready':
    if (isShown) show(outcome);
    else if (isPlanned) plan(outcome);
    else await run(outcome);
    break;
}

function show(ready: ReadyConfiguration<typeof vectorSettings>): void {
  for (const warning of ready.warnings) tell(warning);
  process.stdout.write(`${JSON.stringify(shownSettings(vectorSettings, ready))}\n`);
}

/** Reads a few bytes and writes nothing, so that the service may run meanwhile. */
function plan({ configuration: { dataDirectory } }: ReadyConfiguration<typeof vectorSettings>): void {
  const directory = resolve(dataDirectory);
  try {
    const { stored, format, steps } = planUpgrade(directory);
    const planned = steps.map((step) => ({ format: step.format, what: step.what }));
    process.stdout.write(`${JSON.stringify({ directory, stored, format, release: PRODUCT.version, steps: planned })}\n`);
  } catch (error) {
    if (!(error instanceof NewerDataError)) throw error;
    refuse([error.message]);
  }
}

async function run({ configuration: read, warnings }: ReadyConfiguration<typeof vectorSettings>): Promise<void> {
  const configuration = { ...read, dataDirectory: resolve(read.dataDirectory) };
  const log = createLog({ level: configuration.logLevel, clock: systemClock });
  for (const warning of warnings) log.warn(warning);
  outliveOutput();
  // Until the service is there, nothing needs an order.
  let end: (reason: string) => void = () => process.exit(1);
  onLauncherEnd((reason) => end(reason), systemClock);
  try {
    keepFilesPrivate();
    using _lock = lockDataDirectory(configuration.dataDirectory);
    tighten(configuration, log);
    await upgradeData(configuration.dataDirectory, {
      release: PRODUCT.version,
      onStep: ({ format, what }) => log.info({ format, what }, 'upgrading the data directory'),
    });
    const startedMs = systemClock.nowMs();
    const loadingSinceMs = systemClock.monotonicMs();
    const service = await startVectorService({ configuration, seed: startedMs, startedMs });
    const reload =
      read.configurationFile === undefined
        ? undefined
        : configurationReload({
            table: vectorSettings,
            path: resolve(read.configurationFile),
            configuration: read,
            read: readSettings,
            apply: (changed) => {
              log.level = changed.logLevel;
              service.reconfigure(changed);
            },
            clock: systemClock,
            log,
          });
    end = drainOnSignals(process, {
      drain: async () => {
        await reload?.stop();
        await service.stop();
      },
      deadlineSeconds: configuration.shutdownSeconds,
      clock: systemClock,
      unfinished: () => service.unfinished(),
      log,
    });
    reload?.wake();
    const { limit, isKnown } = descriptorLimit();
    if (!isKnown) log.info({ assumed: limit }, 'the limit of file descriptors is unknown on this system');
    log.info({ address: service.address, grpc: service.grpcAddress, data: configuration.dataDirectory }, 'listening');
    const badPort = badPortSentence(Number(new URL(service.address).port), 'SERVICE_REST_PORT');
    if (badPort !== undefined) tell(badPort);
    if (service.setupCode !== undefined) tell(firstAdminSentence(service.setupCode));
    const collections = await Promise.race([service.ready, service.failed]);
    log.info({ collections, loadMs: Math.round(systemClock.monotonicMs() - loadingSinceMs) }, 'ready');
    await service.failed;
  } catch (error) {
    if (isUserFault(error)) refuse([sentenceOf(error, configuration)]);
    else log.fatal({ err: error }, 'the service failed');
    // Threads that did start would keep the process.
    process.exit(1);
  }
}

function firstAdminSentence(code: string): string {
  return `there is no admin yet; to create one in the console, use the setup code ${code}, which is also in the file setup-code of the data directory`;
}

/** What an operator has to see, apart from the log, which is kept and holds no secrets. */
function tell(sentence: string): void {
  process.stderr.write(`sextant: ${sentence}\n`);
}

/** Earlier versions left some files to be read by all who could reach them. */
function tighten(configuration: VectorConfiguration, log: Log): void {
  const own = ['system', 'collections', 'jwt-secret'].map((name) => join(configuration.dataDirectory, name));
  const { changed, refused } = tightenPermissions([...own, snapshotsDirectory(configuration)]);
  if (changed > 0) log.info({ files: changed }, 'removed the permissions of group and others from files of the data directory');
  if (refused.length > 0)
    log.warn({ files: refused.length, first: refused[0] }, 'other users can read or write these files, which this process does not own');
}

function refuse(problems: readonly string[]): void {
  for (const problem of problems) tell(problem);
  process.exitCode = 1;
}

type UserFault =
  | (Error & { readonly code?: string; readonly port?: number })
  | DataDirectoryInUseError
  | DataDirectoryUnusableError
  | NewerDataError
  | UpgradeRoomError
  | ServiceRefusedError;

function isUserFault(error: unknown): error is UserFault {
  const kinds = [DataDirectoryInUseError, DataDirectoryUnusableError, NewerDataError, UpgradeRoomError, ServiceRefusedError];
  if (kinds.some((kind) => error instanceof kind)) return true;
  return error instanceof Error && 'code' in error && LISTEN_FAULTS.some((code) => code === error.code);
}

function sentenceOf(error: UserFault, { host, restPort, grpcPort }: VectorConfiguration): string {
  const code = 'code' in error ? error.code : undefined;
  const port = 'port' in error ? error.port : restPort;
  const setting = port === grpcPort ? 'SERVICE_GRPC_PORT' : 'SERVICE_REST_PORT';
  if (code === 'EADDRINUSE') return `port ${port} of ${host} is in use; stop the process that uses it, or set ${setting} to another port`;
  if (code !== undefined) return `cannot use ${host}:${port} (${error.message}); set SERVICE_HOST and ${setting}`;
  return error.message;
}
