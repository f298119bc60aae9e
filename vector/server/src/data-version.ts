// SPDX-License-Identifier: Apache-2.0
/**
 * The format of a data directory, in a file of it, so that a release says what it cannot read before it has touched anything. A release reads all formats up
 * to its own: either as they are, where records say what they are, or by a step of `STEPS`, which runs once, at the start, and has to be able to run again
 * where it was interrupted.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDiskFullError } from '@sextant/foundation-service';

const FILE = 'data-version.json';

/** Directories with data and without the file are of the first format, which had none. */
const FIRST_FORMAT = 1;

export type UpgradeStep = {
  /** The format that it leads to. */
  readonly format: number;
  /** What it does, for the operator. */
  readonly what: string;
  readonly run: (directory: string) => Promise<void>;
};

/** In the order of their formats; the last one's is what this release writes. */
const STEPS: readonly UpgradeStep[] = [
  {
    format: 2,
    what: 'points and the list of collections get checksums when they are next written; existing data stay unchanged and readable. Releases that read only format 1 cannot read the result',
    run: async () => undefined,
  },
];

export type DataVersion = { readonly format: number; readonly release: string | undefined };

/** Written by a release that knows more; the message says what to do. */
export class NewerDataError extends Error {
  override readonly name = 'NewerDataError';
}

/** Unlike another start, one with a step cannot do without room. */
export class UpgradeRoomError extends Error {
  override readonly name = 'UpgradeRoomError';

  constructor(directory: string, { stored, format }: UpgradePlan, cause: unknown) {
    const upgrade = `has format ${stored.format} and must be upgraded to format ${format}`;
    super(
      `The data directory ${directory} ${upgrade}, and its disk is full. Free disk space, or start the release that wrote the directory.`,
      { cause },
    );
  }
}

export type UpgradePlan = {
  /** As it is on the disk. */
  readonly stored: DataVersion;
  /** What it will be. */
  readonly format: number;
  /** What the next start does, in order. */
  readonly steps: readonly UpgradeStep[];
};

/** @throws NewerDataError */
export function planUpgrade(directory: string, steps: readonly UpgradeStep[] = STEPS): UpgradePlan {
  const format = steps.at(-1)?.format ?? FIRST_FORMAT;
  const stored = storedVersion(directory) ?? { format: hasData(directory) ? FIRST_FORMAT : format, release: undefined };
  if (stored.format > format) {
    const writer = stored.release === undefined ? 'a later release' : `release ${stored.release}`;
    throw new NewerDataError(
      `The data directory ${directory} was written by ${writer} (format ${stored.format}), and this release reads formats up to ${format}. Start that release or a later one, or restore a backup from before the upgrade.`,
    );
  }
  return { stored, format, steps: steps.filter((step) => step.format > stored.format) };
}

/** Brings a directory up to this release; each step counts once it has run to its end. The caller holds the lock of the directory. */
export async function upgradeData(
  directory: string,
  {
    release,
    onStep,
    steps = STEPS,
  }: { readonly release: string; readonly onStep: (step: UpgradeStep) => void; readonly steps?: readonly UpgradeStep[] },
): Promise<void> {
  const plan = planUpgrade(directory, steps);
  for (const step of plan.steps) {
    onStep(step);
    try {
      await step.run(directory);
      writeVersion(directory, { format: step.format, release });
    } catch (error) {
      throw isDiskFullError(error) ? new UpgradeRoomError(directory, plan, error) : error;
    }
  }
  if (plan.steps.length > 0 || plan.stored.release === release) return;
  try {
    writeVersion(directory, { format: plan.format, release });
  } catch (error) {
    // A service on a full disk starts, to be read; the format is the same, and the next start writes it.
    if (!isDiskFullError(error)) throw error;
  }
}

/** The first thing that a first start writes. */
function hasData(directory: string): boolean {
  return existsSync(join(directory, 'system', 'data.mdb'));
}

/** Undefined without the file. */
function storedVersion(directory: string): DataVersion | undefined {
  const path = join(directory, FILE);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const { format, release } = membersOf(text);
  // A later release may say it in another way: not to know is to refuse.
  if (typeof format !== 'number' || !Number.isInteger(format) || format < FIRST_FORMAT)
    throw new NewerDataError(`${path} does not say which format the data directory has. Restore the file, or the directory from a backup.`);
  return { format, release: typeof release === 'string' ? release : undefined };
}

function membersOf(text: string): { readonly [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Under another name first: half of it would say nothing. */
function writeVersion(directory: string, version: DataVersion): void {
  const draft = join(directory, `${FILE}.part`);
  writeFileSync(draft, `${JSON.stringify(version)}\n`, { mode: 0o600, flush: true });
  renameSync(draft, join(directory, FILE));
}
