// SPDX-License-Identifier: Apache-2.0
/** The service in its process: configuration, lock of the data directory, start, signals. */
import { join, resolve } from 'node:path';
import {
  badPortSentence,
  configurationReload,
  createLog,
  drainOnSignals,
  keepFilesPrivate,
  type Log,
  lockDataDirectory,
  missingTelemetry,
  onLauncherEnd,
  openConfigurationFile,
  outliveOutput,
  type ReadyConfiguration,
  SHOW_SETTINGS_FLAG,
  shownSettings,
  tightenPermissions,
} from '@sextant/foundation-service';
import { systemClock } from '@sextant/foundation-std';
import { type ObservabilityConfiguration, observabilitySettings, readObservabilityConfiguration } from './configuration.ts';
import { startObservabilityService } from './service.ts';
import { startFailure } from './start-failure.ts';

const OWN_FILES = [
  'lock',
  'metadata.sqlite',
  'metadata.sqlite-wal',
  'metadata.sqlite-shm',
  'encryption-key',
  'platform-token',
  'uploads',
  'temporary',
];

const isShown = process.argv.includes(SHOW_SETTINGS_FLAG);
const argv = process.argv.slice(2).filter((argument) => argument !== SHOW_SETTINGS_FLAG);
const readSettings = async () =>
  readObservabilityConfiguration(process.env, argv, await openConfigurationFile(observabilitySettings, process.env, argv));

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
    else await run(outcome);
    break;
}

function show(ready: ReadyConfiguration<typeof observabilitySettings>): void {
  for (const warning of ready.warnings) print(warning);
  process.stdout.write(`${JSON.stringify(shownSettings(observabilitySettings, ready))}\n`);
}

async function run({ configuration: read, warnings }: ReadyConfiguration<typeof observabilitySettings>): Promise<void> {
  const configuration = { ...read, dataDirectory: resolve(read.dataDirectory) };
  const log = createLog({ level: configuration.logLevel, clock: systemClock }).child({ service: 'observability' });
  for (const warning of warnings) log.warn(warning);
  outliveOutput();
  // Until the service is there, nothing needs an order.
  let end: (reason: string) => void = () => process.exit(1);
  onLauncherEnd((reason) => end(reason), systemClock);
  const missing = await missingTelemetry(configuration);
  if (missing !== undefined) return refuse([missing]);
  try {
    keepFilesPrivate();
    const lock = lockDataDirectory(configuration.dataDirectory, observabilitySettings.dataDirectory.name);
    tighten(configuration, log);
    const service = await startObservabilityService({ configuration, clock: systemClock, log, print });
    const reload =
      read.configurationFile === undefined
        ? undefined
        : configurationReload({
            table: observabilitySettings,
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
        lock[Symbol.dispose]();
      },
      deadlineSeconds: configuration.shutdownSeconds,
      clock: systemClock,
      unfinished: () => service.unfinished(),
      log,
    });
    reload?.wake();
    log.info({ address: service.address, data: configuration.dataDirectory }, 'listening');
    const badPort = badPortSentence(Number(new URL(service.address).port), observabilitySettings.port.name);
    if (badPort !== undefined) print(badPort);
  } catch (error) {
    const sentence = startFailure(error, configuration);
    if (sentence === undefined) log.fatal({ err: error }, 'the service failed');
    else refuse([sentence]);
    process.exit(1);
  }
}

/** Earlier versions left some files to be read by all who could reach them. */
function tighten({ dataDirectory }: ObservabilityConfiguration, log: Log): void {
  const { changed, refused } = tightenPermissions(OWN_FILES.map((name) => join(dataDirectory, name)));
  if (changed > 0) log.info({ files: changed }, 'removed the permissions of group and others from files of the data directory');
  if (refused.length > 0)
    log.warn({ files: refused.length, first: refused[0] }, 'other users can read or write these files, which this process does not own');
}

/** What an operator has to see once, apart from the log, which is kept. */
function print(sentence: string): void {
  process.stderr.write(`sextant: ${sentence}\n`);
}

function refuse(problems: readonly string[]): void {
  for (const problem of problems) print(problem);
  process.exitCode = 1;
}
