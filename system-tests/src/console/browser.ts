// SPDX-License-Identifier: Apache-2.0
/**
 * A browser for tests of pages: the one that `CHROMIUM_PATH` names, or Debian's: Chromium without its windows where that is installed, which takes a fifth
 * less processor time. Tests without a browser skip themselves.
 */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const DEBIAN = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = process.env.CHROMIUM_PATH ?? DEBIAN.find((path) => existsSync(path)) ?? '';

export const hasBrowser = existsSync(executablePath);

/** Maps are drawn by software, and pages put together without it, which takes a third less. What a browser asks its maker's servers for is switched off. */
export function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-gpu-compositing',
      ...flags,
    ],
  });
}

let shared: Browser | undefined;

/** One browser of the process, for files that close what they open in it. It ends with the process. */
export async function sharedBrowser(): Promise<Browser> {
  if (shared?.isConnected() !== true) shared = await launchBrowser();
  return shared;
}

/** Pages that are put together by the processor read each picture of a map back. */
const READ_BACK = /GL Driver Message \(OpenGL, Performance/;

/** What the page says in its console that it should not: errors, warnings, and exceptions that nobody caught. */
export function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning';
    if (isComplaint && !READ_BACK.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}
