// SPDX-License-Identifier: Apache-2.0
/** The service's log: one JSON object a line on standard output, written at once, so that a crash loses none. */
import type { Clock } from '@sextant/foundation-std';
import { type DestinationStream, destination, type Logger, pino } from 'pino';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type Log = Logger;

/** Fields that never reach the log, wherever they stand in the first three levels of what is logged. */
const SECRET_FIELDS = ['authorization', 'api-key', 'api_key', 'password', 'token', 'cookie'];
const PREFIXES = ['', '*', '*.*'];

export type LogOptions = {
  readonly level: LogLevel;
  readonly clock: Clock;
  /** Where lines go; standard output when left out. */
  readonly stream?: DestinationStream;
};

export function createLog({ level, clock, stream = standardOutput() }: LogOptions): Log {
  const paths = PREFIXES.flatMap((prefix) => SECRET_FIELDS.map((field) => `${prefix}["${field}"]`));
  return pino(
    {
      level,
      redact: { paths, censor: '[redacted]' },
      timestamp: () => `,"time":"${new Date(clock.nowMs()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
}

/** What is kept for a reader who is slow, or gone; later lines are dropped. */
const UNWRITTEN_BYTES_MAX = 1024 * 1024;

/** Whoever reads the log may end before the service does, which goes on without a log then. */
function standardOutput(): DestinationStream {
  const stream = destination({ fd: 1, sync: true, maxLength: UNWRITTEN_BYTES_MAX });
  stream.on('error', () => undefined);
  return stream;
}
