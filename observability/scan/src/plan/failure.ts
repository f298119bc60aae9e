// SPDX-License-Identifier: Apache-2.0
/** Why a rule or metric could not be measured. */
import { maskPii } from '../pii/mask.ts';
import type { ScanResult } from '../scan.ts';

export type Failure = ScanResult['failures'][number];

const REASON_LENGTH_MAX = 500;

/** Runs what belongs to one monitor; its failure costs nothing but itself. */
export async function failuresOf(monitorId: string, run: () => Promise<void>): Promise<readonly Failure[]> {
  try {
    await run();
    return [];
  } catch (error) {
    return [{ monitor_id: monitorId, reason: reasonOf(error) }];
  }
}

/**
 * Runs what explains the figures and is none of them. Where it fails, what was counted stands, and a sentence says what is missing: it must not be
 * taken for nothing found. Undefined then.
 */
export async function orOmitted<Found>(what: string, omissions: string[], run: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await run();
  } catch (error) {
    omissions.push(`${what}: ${reasonOf(error)}`);
    return undefined;
  }
}

/**
 * What the engine says without the statement that it quotes, which for a part is ours. It may name the value at fault, which is masked as samples are,
 * since people read it who may not see them.
 */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [said = ''] = message.split(/\n+LINE \d+:/);
  const sentence = maskPii(said.replaceAll(/\s+/g, ' ').trim());
  return sentence.length <= REASON_LENGTH_MAX ? sentence : `${sentence.slice(0, REASON_LENGTH_MAX - 1).toWellFormed()}…`;
}

/** Runs what makes a reason clearer; where it fails, the reason stands as it is. */
export async function orUnexplained<Found>(run: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await run();
  } catch {
    return undefined;
  }
}
