// SPDX-License-Identifier: Apache-2.0
/** Where this package reports what no caller waits for; a pino logger fits. */
export type Log = {
  readonly info: (details: object, message: string) => void;
  readonly warn: (details: object, message: string) => void;
  readonly error: (details: object, message: string) => void;
};

export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
