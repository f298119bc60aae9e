// SPDX-License-Identifier: Apache-2.0
/** What ends a command, and with which exit code; the codes are part of the interface, and the reference page lists them. */

/** Exit codes; 2 is what shells and command parsers use for a wrong command line, and 128 + 2 what a shell shows for Ctrl-C. */
export const EXIT_CODES = {
  ok: { code: 0, meaning: 'Done' },
  failed: { code: 1, meaning: 'A failure that no other code describes' },
  usage: { code: 2, meaning: 'The command line or the configuration is wrong; nothing was done' },
  unreachable: { code: 3, meaning: 'A service cannot be reached, is not ready, or did not answer in time; trying again may help' },
  refused: { code: 4, meaning: 'The credential is missing, wrong, or lacks the permission (401, 403)' },
  not_found: { code: 5, meaning: 'The collection, point or other object does not exist (404)' },
  rejected: { code: 6, meaning: 'The service refuses the request (400, 409 and other refusals), or the feature is off (501)' },
  bad_data: { code: 7, meaning: 'A file cannot be read, written or understood' },
  below_expectation: {
    code: 8,
    meaning: 'The command succeeded, but its result is worse than an option such as `--fail-on-alerts` allows',
  },
  interrupted: { code: 130, meaning: 'Ended by Ctrl-C' },
} as const;

export type Outcome = keyof typeof EXIT_CODES;

/** An end that the person at the terminal can act on. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly outcome: Outcome;
  /** What to do next, one sentence. */
  readonly advice: string | undefined;

  constructor(outcome: Outcome, message: string, { advice, ...options }: ErrorOptions & { readonly advice?: string | undefined } = {}) {
    super(message, options);
    this.outcome = outcome;
    this.advice = advice;
  }
}

/** Says what an unknown thing that was thrown has to say. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
