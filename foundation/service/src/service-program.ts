// SPDX-License-Identifier: Apache-2.0
/** What the processes of both services do around the service: they read settings, keep their files private, and end in order. */
import { resolve } from 'node:path';
import { systemClock } from '@sextant/foundation-std';
import { badPortSentence } from './bad-ports.ts';
import type { Configuration, ConfigurationOutcome, ConfigurationTable, ReadyConfiguration, readConfiguration } from './configuration.ts';
import { openConfigurationFile } from './configuration-file/configuration-file.ts';
import { configurationReload } from './configuration-file/reload.ts';
import { SHOW_SETTINGS_FLAG, shownSettings } from './configuration-file/shown-settings.ts';
import { onLauncherEnd, outliveOutput } from './launched.ts';
import { createLog, type Log, type LogLevel } from './log.ts';
import type { Setting } from './setting.ts';
import { drainOnSignals } from './shutdown.ts';

/** The settings that every service has. */
type CommonSettings = {
  readonly configurationFile: Setting<string | undefined>;
  readonly dataDirectory: Setting<string>;
  readonly shutdownSeconds: Setting<number>;
  readonly logLevel: Setting<LogLevel>;
};

type Settings = ConfigurationTable & CommonSettings;

type RunningService<Table extends Settings> = {
  /** Of the REST interface. */
  readonly address: string;
  reconfigure(configuration: Configuration<Table>): void;
  stop(): Promise<void>;
  /** What `stop` waits for. */
  unfinished(): string;
};

export type ServiceStart<Table extends Settings> = {
  readonly configuration: Configuration<Table>;
  readonly log: Log;
  /** From here on the service follows its configuration file, and signals end it. `figures` are logged with its address. */
  readonly attend: (service: RunningService<Table>, figures: object) => void;
};

export type ServiceProgram<Table extends Settings> = {
  readonly settings: Table;
  readonly portSetting: string;
  readonly read: (...given: Tail<Parameters<typeof readConfiguration>>) => ConfigurationOutcome<Table>;
  /** Flags with which the process answers a question instead of running. */
  readonly questions?: { readonly [flag: string]: (ready: ReadyConfiguration<Table>) => void };
  /** Members of every line of the log. */
  readonly logged?: object;
  readonly run: (start: ServiceStart<Table>) => Promise<void>;
  /** What an operator can do about a failed start; undefined where only we can. */
  readonly failure: (error: unknown, configuration: Configuration<Table>) => string | undefined;
};

type Tail<List extends readonly unknown[]> = List extends readonly [unknown, ...infer Rest] ? Rest : never;

export async function runProgram<Table extends Settings>(program: ServiceProgram<Table>): Promise<void> {
  const { settings, read } = program;
  const show = (ready: ReadyConfiguration<Table>) => {
    for (const warning of ready.warnings) tell(warning);
    process.stdout.write(`${JSON.stringify(shownSettings(settings, ready))}\n`);
  };
  const questions = { [SHOW_SETTINGS_FLAG]: show, ...program.questions };
  const argv = process.argv.slice(2).filter((argument) => !Object.hasOwn(questions, argument));
  const readSettings = async () => read(process.env, argv, await openConfigurationFile(settings, process.env, argv));

  const outcome = await readSettings();
  switch (outcome.kind) {
    case 'help':
      process.stdout.write(outcome.text);
      break;
    case 'refused':
      refuse(outcome.problems);
      break;
    case 'ready': {
      const [, answer] = Object.entries(questions).find(([flag]) => process.argv.includes(flag)) ?? [];
      if (answer === undefined) await run(program, outcome, readSettings);
      else answer(outcome);
      break;
    }
  }
}

async function run<Table extends Settings>(
  program: ServiceProgram<Table>,
  { configuration: read, warnings }: ReadyConfiguration<Table>,
  readSettings: () => Promise<ConfigurationOutcome<Table>>,
): Promise<void> {
  const common: Configuration<CommonSettings> = read;
  const configuration = { ...read, dataDirectory: resolve(common.dataDirectory) };
  const log = createLog({ level: common.logLevel, clock: systemClock }).child(program.logged ?? {});
  for (const warning of warnings) log.warn(warning);
  outliveOutput();
  // Until the service is there, nothing needs an order.
  let end: (reason: string) => void = () => process.exit(1);
  onLauncherEnd((reason) => end(reason), systemClock);

  const attend = (service: RunningService<Table>, figures: object) => {
    const reload =
      common.configurationFile === undefined
        ? undefined
        : configurationReload({
            table: program.settings,
            path: resolve(common.configurationFile),
            configuration: read,
            read: readSettings,
            apply: (changed) => {
              const { logLevel }: Configuration<CommonSettings> = changed;
              log.level = logLevel;
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
      deadlineSeconds: common.shutdownSeconds,
      clock: systemClock,
      unfinished: () => service.unfinished(),
      log,
    });
    reload?.wake();
    log.info({ address: service.address, ...figures, data: configuration.dataDirectory }, 'listening');
    const badPort = badPortSentence(Number(new URL(service.address).port), program.portSetting);
    if (badPort !== undefined) tell(badPort);
  };

  try {
    await program.run({ configuration, log, attend });
  } catch (error) {
    const sentence = program.failure(error, configuration);
    if (sentence === undefined) log.fatal({ err: error }, 'the service failed');
    else refuse([sentence]);
    // Threads that did start would keep the process.
    process.exit(1);
  }
}

/** What an operator has to see, apart from the log, which is kept and holds no secrets. */
export function tell(sentence: string): void {
  process.stderr.write(`sextant: ${sentence}\n`);
}

export function refuse(problems: readonly string[]): void {
  for (const problem of problems) tell(problem);
  process.exitCode = 1;
}
