// SPDX-License-Identifier: Apache-2.0
/** docs/reference/benchmarks.md, made of the figures that the sections have left in docs/reference/benchmarks/. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describeMachine, type Machine } from './machine.ts';
import type { Scale } from './scale.ts';
import { renderFigures, SECTION_NAMES, type SectionName, titleOf } from './sections/index.ts';

const DOCS = fileURLToPath(new URL('../../../docs/reference/', import.meta.url));
export const PAGE = `${DOCS}benchmarks.md`;

export type Run = {
  readonly section: SectionName;
  readonly scale: Scale;
  readonly machine: Machine;
  /** Of the processor, used by others when the section began; 0 to 1. */
  readonly busyShare: number;
  readonly figures: unknown;
};

/** Above it, figures by the wall clock are those of what else the machine did. */
const BUSY_SHARE_MAX = 0.1;

export function renderRun({ section, scale, machine, busyShare, figures }: Run): string {
  const limit = scale.pointsMax === undefined ? '' : ` with no more than ${scale.pointsMax.toLocaleString('en')} points of any set`;
  const busy = `Other programs used ${Math.round(busyShare * 100)} % of the processor when it began`;
  const caution = busyShare > BUSY_SHARE_MAX ? `${busy}: **figures by the wall clock are worth little.**` : `${busy}.`;
  const origin = `Measured by the ${scale.name} run${limit} on: ${describeMachine(machine)}. ${caution}`;
  return [`## ${titleOf(section)}`, '', renderFigures(section, figures), '', origin].join('\n');
}

export async function keepFigures(run: Run): Promise<void> {
  await mkdir(`${DOCS}benchmarks`, { recursive: true });
  // What could not be measured is left out; JSON would make a null of it.
  const rounded = (_: string, value: unknown) => {
    if (typeof value !== 'number') return value;
    return Number.isNaN(value) ? undefined : Number(value.toPrecision(6));
  };
  await writeFile(pathOf(run.section), `${JSON.stringify(run, rounded, 2)}\n`);
}

export async function writePage(): Promise<void> {
  await writeFile(PAGE, await composePage());
}

/** The page as the kept figures make it. */
export async function composePage(): Promise<string> {
  const parts = [
    '# Benchmarks',
    'Written by `npm run bench:vector` from the figures in `docs/reference/benchmarks/`; run it on your own machine.',
  ];
  for (const section of SECTION_NAMES) {
    if (!existsSync(pathOf(section))) continue;
    const run: Run = JSON.parse(await readFile(pathOf(section), 'utf8'));
    parts.push(renderRun(run));
  }
  return `${parts.join('\n\n')}\n`;
}

function pathOf(section: SectionName): string {
  return `${DOCS}benchmarks/${section}.json`;
}
