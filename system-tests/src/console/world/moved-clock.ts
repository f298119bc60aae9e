/**
 * Loaded before a service, so that weeks of its life pass while a test starts: its wall time is the real one and as many milliseconds as the
 * file says that `MOVED_CLOCK` names. Durations stay what they are.
 */
import { readFileSync } from 'node:fs';

const file = process.env.MOVED_CLOCK;
const realNow = Date.now;
if (file !== undefined) Date.now = () => realNow() + Number(readFileSync(file, 'utf8'));
