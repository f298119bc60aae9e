/** Long work that a caller may not want to wait for. */
import type { FailureLog } from './execute.ts';

/** The result of a job, or for who does not wait another one; what nobody waits for is told to the log alone when it fails. */
export async function orLater<Result, Later>(
  { wait }: { readonly wait?: string },
  job: Promise<Result>,
  { later, log }: { readonly later: Later; readonly log: FailureLog },
): Promise<Result | Later> {
  if (wait !== 'false') return job;
  job.catch((error: unknown) => log.error({ err: error }, 'what was asked for without waiting has failed'));
  return later;
}
