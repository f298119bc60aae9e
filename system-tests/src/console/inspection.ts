// SPDX-License-Identifier: Apache-2.0
/** What is wrong with a page as it stands: for those who cannot see it, and on a window of its size. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

type Violation = { readonly id: string; readonly impact: string; readonly nodes: readonly { readonly target: unknown }[] };

let axe: string | undefined;

/** Each page reads it, and less than half as much without its comments. */
function axeSource(): string {
  axe ??= readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
  return axe;
}

/** What axe calls serious or critical, each with where it is; `rules` keeps it to some. */
export async function seriousFindings(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // The page's own types are not known here, so what runs there is a text.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axeSource());
  // What is in order is most of what axe can say; neither put together nor sent, it takes no time.
  const options = { resultTypes: ['violations'], ...(rules !== undefined && { runOnly: rules }) };
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(', ')}`);
}

/** Shows the page in light or dark colours. */
export async function paint(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
  await settled(page);
}

/** Once what was changed has been laid out and drawn. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

/** Elements that reach out of the window where nothing lets one scroll to them, and the page itself if it is wider. */
export function cutOff(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(${CUT_OFF})()`);
}

const CUT_OFF = `() => {
  const width = document.documentElement.clientWidth;
  const found = [];
  if (document.documentElement.scrollWidth > width) found.push('the page is ' + document.documentElement.scrollWidth + ' pixels wide');
  const isClipped = (element) => {
    for (let each = element.parentElement; each !== null && each !== document.body; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (style.overflowX !== 'visible' || style.transform !== 'none') return true;
    }
    return false;
  };
  for (const element of document.querySelectorAll('#root *')) {
    const { left, right, width: own, height } = element.getBoundingClientRect();
    if (own <= 1 || height <= 1 || (left >= -1 && right <= width + 1)) continue;
    const { visibility, position } = getComputedStyle(element);
    if (visibility === 'hidden' || position === 'fixed' || isClipped(element)) continue;
    found.push(element.tagName.toLowerCase() + ' from ' + Math.round(left) + ' to ' + Math.round(right) + ': ' + (element.textContent ?? '').slice(0, 40));
  }
  return found.slice(0, 5);
}`;
