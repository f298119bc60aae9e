// SPDX-License-Identifier: Apache-2.0
/** Long work that a caller may not want to wait for. */
import type { FailureLog } from '../failure-log.ts';

/**
 * The result for a caller who does not wait, where it is not known yet: 202 and `accepted`. Where it is, as with a recovery, whose result is
 * always `true`, the answer is the usual one: the JS client takes no other status than 200 and 201.
 */
export const ACCEPTED = Symbol('accepted');
export type Accepted = typeof ACCEPTED;

/** The result of a job, or another one for a caller who does not wait; if the job fails then, only the log says so. */
export async function orLater<Result, Later>(
  { wait }: { readonly wait?: string },
  job: Promise<Result>,
  { later, log }: { readonly later: Later; readonly log: FailureLog },
): Promise<Result | Later> {
  if (wait !== 'false') return job;
  job.catch((error: unknown) => log.error({ err: error }, 'an operation that the caller did not wait for has failed'));
  return later;
}
