// SPDX-License-Identifier: Apache-2.0
/** What a simulation is asked, and what it answers. */

/** What is broken on purpose, to see that a run finds it. */
export type Defect =
  /** A node that was killed forgets what it has applied. */
  | 'marks are lost'
  /** The log takes an entry again whose answer was lost. */
  | 'entries are not recognised'
  /** The log answers a position that it had some time ago. */
  | 'the newest position is old'
  /** The log loses entries that nodes have read, and no node looks for the last that it knows. */
  | 'a lost tail is not noticed'
  /** Shards take operations that name other keys. */
  | 'keys are not looked at'
  /** New shards take the place of others when the first of their copies is complete. */
  | 'new shards do not wait for each other'
  /** A shard on its way begins as a copy of a node that may be behind. */
  | 'copies may be old';

export type SimulationOptions = {
  readonly seed: number;
  readonly defect?: Defect;
  /** The log is restored from a backup during the run. */
  readonly losesTail?: boolean;
};

export type SimulationReport = {
  /** What went wrong; nothing should. */
  readonly violations: readonly string[];
  readonly answered: number;
  readonly unanswered: number;
  readonly kills: number;
  /** Nodes that must not go on, and said so. */
  readonly refused: number;
  /** How often shards were divided. */
  readonly divisions: number;
};
