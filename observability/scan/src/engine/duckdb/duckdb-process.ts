// SPDX-License-Identifier: Apache-2.0
/**
 * A process that holds one asset in DuckDB and answers statements. Its environment says where Node.js keeps compiled code, and nothing else. Its
 * parent may kill it at any moment: nothing it holds outlives a scan.
 */
import { flushCompileCache } from 'node:module';
import { constants, getPriority, setPriority } from 'node:os';
import { systemClock } from '@sextant/foundation-std';
import { AssetStatements } from './asset-statements.ts';
import type { Answer, Reply, Request } from './messages.ts';

const PROGRESS_MS = 200;
/** Node and the code around DuckDB. */
const PROCESS_BYTES = 256 * 2 ** 20;

const statements = new AssetStatements({ onStuck: end });

// DuckDB's threads inherit it: a scan that keeps all cores busy leaves the service responsive.
setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));

process.on('message', (request: Request) => {
  answer(request).then(
    (answered) => send({ kind: 'answered', id: request.id, answer: answered }),
    (error: unknown) => send({ kind: 'refused', id: request.id, message: statements.reasonOf(error, request) }),
  );
});
process.once('uncaughtException', (error) => end('The scan engine failed', error));
// An orderly exit would wait for the statement that runs, and nobody is left to read its answer.
process.once('disconnect', die);

async function answer(request: Request): Promise<Answer> {
  const answered = statements.answer(request);
  if (request.kind === 'open') {
    const { memoryBytes } = request.limits;
    systemClock.every(PROGRESS_MS, () => observe(memoryBytes)).unref();
    await answered;
    // Node.js would write it at an orderly end, which this process seldom has.
    flushCompileCache();
  }
  return answered;
}

/** DuckDB's own limit leaves some of its memory out, so the whole process is watched as well; a statement with limits ends before the scan has to. */
function observe(memoryBytes: number): void {
  const used = process.memoryUsage.rss();
  if (used > memoryBytes + PROCESS_BYTES) {
    end('The scan needs more memory than its limit');
    return;
  }
  if (used > memoryBytes) statements.stopForMemory();
  const progress = statements.progress();
  if (progress !== undefined) send({ kind: 'progress', ...progress });
}

function end(reason: string, cause?: Error): void {
  if (process.send === undefined) die();
  else process.send({ kind: 'ended', reason, ...(cause !== undefined && { cause }) } satisfies Reply, die);
}

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** A parent that is gone shows in a disconnect; what cannot be sent to it is no failure of its own. */
function send(reply: Reply): void {
  process.send?.(reply, () => undefined);
}
