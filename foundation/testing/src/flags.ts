// SPDX-License-Identifier: Apache-2.0
import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** Of a bench, a demo or another program for developers. One that it does not have ends the program with exit code 2, and what it takes; `--help` with 0. */
export function readFlags<const Config extends ParseArgsConfig & { readonly options: ParseArgsOptionsConfig }>(config: Config) {
  if ((config.args ?? process.argv).includes('--help')) end(process.stdout, 0, flagsOf(config.options));
  try {
    return parseArgs(config);
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('. To specify');
    return end(process.stderr, 2, `${reason}. ${flagsOf(config.options)}`);
  }
}

function end(stream: NodeJS.WritableStream, code: number, text: string): never {
  stream.write(`${text}\n`);
  process.exit(code);
}

function flagsOf(options: ParseArgsOptionsConfig): string {
  const flags = Object.entries(options).map(([name, { type, default: value }]) => {
    const usual = typeof value === 'string' && value !== '' ? ` (${value} unless given)` : '';
    return `--${name}${type === 'string' ? ' <value>' : ''}${usual}`;
  });
  return `Flags: ${flags.join(', ')}`;
}
