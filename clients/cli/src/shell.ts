// SPDX-License-Identifier: Apache-2.0
/** What a command receives: its streams, its environment, a clock, and a signal that ends it. */
import type { Clock } from '@sextant/foundation-std';
import type { ConnectionFlags, Environment } from './connection/settings.ts';
import type { Terminal } from './terminal/terminal.ts';

export type GlobalFlags = ConnectionFlags & { readonly json: boolean; readonly timeoutSeconds: number };

export type Shell = {
  readonly terminal: Terminal;
  readonly environment: Environment;
  readonly clock: Clock;
  /** Aborted by the first Ctrl-C; a second one ends the process at once. */
  readonly signal: AbortSignal;
  /** The flags that every command takes; there once the command line has been read. */
  readonly flags: () => GlobalFlags;
  /** Sets the exit code of a command that ran to its end and found what an option does not allow. */
  readonly setExitCode: (code: number) => void;
};
