// SPDX-License-Identifier: Apache-2.0
/** The process that takes in a collection of unknown origin: it may die of what it reads, and nothing else does. See `import-snapshot.ts`. */
import { assert } from '@sextant/foundation-std';
import { reasonOf } from '../model/damage.ts';
import { importAndCheck } from './check-collection.ts';
import type { ImportReport, ImportTask } from './import-snapshot.ts';

/** Nobody waits any more. */
process.once('disconnect', () => process.exit(1));
process.once('message', (task: ImportTask) => void run(task));
// The task comes now and not before: one that waited here would be begun even where the service has ended and its next start has cleared the directory away.
report({ kind: 'ready' });

async function run(task: ImportTask): Promise<void> {
  try {
    await importAndCheck(task, report);
    report({ kind: 'done' });
  } catch (error) {
    report({ kind: 'refused', reason: reasonOf(error) });
  }
  process.disconnect?.();
}

function report(message: ImportReport): void {
  assert(process.send !== undefined, 'an import is a child process');
  process.send(message);
}
