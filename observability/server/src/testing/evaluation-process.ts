// SPDX-License-Identifier: Apache-2.0
/**
 * A process that concludes one scan and is killed on its way. Arguments: the directory, `finish` or `fail`, the time, and the write
 * before which it dies, counted from 1. The last write is followed by the end of the transaction, and that by one more moment to die at.
 */
import { openEvaluationFixture } from './evaluation-fixture.ts';

/** Ends the process as nothing but the outside can. */
function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal comes before the next statement.
  throw new Error('still alive');
}

const [directory = '', how, time, last] = process.argv.slice(2);
let writes = 0;
const onWrite = () => {
  writes += 1;
  if (writes === Number(last)) die();
};
const fixture = await openEvaluationFixture(directory, { startMs: Number(time), onWrite });
const claimed = await fixture.takeUp();
if (claimed === undefined) throw new Error('there is no job to take up');
if (how === 'fail') await fixture.fail(claimed, 'the file is gone.');
else await fixture.finish(claimed, { COMPLETENESS_DRIFTS: 0, SCHEMA_DRIFTS: 1, UNIQUENESS_DRIFTS: 2 });
onWrite();
