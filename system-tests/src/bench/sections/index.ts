// SPDX-License-Identifier: Apache-2.0
/** The sections by the names that the command line knows them by, in the order of the page. */
import type { Scale } from '../scale.ts';
import { consoleSection } from './console.ts';
import { filtered } from './filtered.ts';
import { growth } from './growth.ts';
import { ingest } from './ingest.ts';
import { libraries } from './libraries.ts';
import { memory } from './memory.ts';
import { multi } from './multi.ts';
import { parallelBuild } from './parallel-build.ts';
import { requestOverhead } from './request-overhead.ts';
import { serving } from './serving.ts';
import { sizing } from './sizing.ts';
import { sparse } from './sparse.ts';
import { tracing } from './tracing.ts';

const SECTIONS = {
  sizing,
  libraries,
  memory,
  'parallel-build': parallelBuild,
  filtered,
  sparse,
  multi,
  ingest,
  serving,
  'request-overhead': requestOverhead,
  tracing,
  growth,
  console: consoleSection,
} as const;

export type SectionName = keyof typeof SECTIONS;
// The keys of a constant are its type's.
export const SECTION_NAMES = Object.keys(SECTIONS) as readonly SectionName[];

export function isSectionName(name: string): name is SectionName {
  return Object.hasOwn(SECTIONS, name);
}

const WITHOUT_PEERS: readonly SectionName[] = ['sizing', 'sparse', 'tracing', 'console'];

/** Whether a section measures what is installed for the bench alone. */
export function needsPeers(name: SectionName): boolean {
  return !WITHOUT_PEERS.includes(name);
}

export function titleOf(name: SectionName): string {
  return SECTIONS[name].title;
}

export function measureSection(name: SectionName, scale: Scale): Promise<unknown> {
  return SECTIONS[name].measure(scale);
}

export function renderFigures(name: SectionName, figures: unknown): string {
  // What a section measured, perhaps in an earlier run, is of its own type; a change of that type comes with a new run.
  return SECTIONS[name].render(figures as never);
}
