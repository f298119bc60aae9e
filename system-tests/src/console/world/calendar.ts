/** Moves the wall time of a service that is a process of its own. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DAY_MS = 86_400_000;

export type Calendar = {
  /** What the service has to be started with. */
  readonly environment: { readonly [name: string]: string };
  /** It is so many days before today from now on; the answer is the service's time. */
  readonly goToDaysAgo: (days: number) => number;
};

export function calendarIn(directory: string): Calendar {
  const file = join(directory, 'moved-by-ms');
  const goToDaysAgo = (days: number) => {
    // At once, so that the service never reads half a number.
    writeFileSync(`${file}.part`, String(-days * DAY_MS));
    renameSync(`${file}.part`, file);
    return Date.now() - days * DAY_MS;
  };
  goToDaysAgo(0);
  const preload = new URL('moved-clock.ts', import.meta.url);
  return { environment: { MOVED_CLOCK: file, NODE_OPTIONS: `--import=${preload.href}` }, goToDaysAgo };
}
