// SPDX-License-Identifier: Apache-2.0
/** Regions of the map that choose points: a lasso, and a rectangle that keys move. Its steps are shares of the view, so that a closer view is finer. */

export type Rectangle = { readonly left: number; readonly right: number; readonly bottom: number; readonly top: number };

/** How many steps to the right and up. */
export type Steps = readonly [right: number, up: number];

const STEPS_OF_A_VIEW = 20;

/** What one begins with: half of what is seen, in its middle. */
export function middleOf({ left, right, bottom, top }: Rectangle): Rectangle {
  const [width, height] = [right - left, top - bottom];
  return { left: left + width / 4, right: right - width / 4, bottom: bottom + height / 4, top: top - height / 4 };
}

/** No further than to the edge of what is seen. */
export function moved(rectangle: Rectangle, steps: Steps, seen: Rectangle): Rectangle {
  const [width, height] = stepOf(seen);
  const x = bounded(steps[0] * width, Math.min(0, seen.left - rectangle.left), Math.max(0, seen.right - rectangle.right));
  const y = bounded(steps[1] * height, Math.min(0, seen.bottom - rectangle.bottom), Math.max(0, seen.top - rectangle.top));
  return { left: rectangle.left + x, right: rectangle.right + x, bottom: rectangle.bottom + y, top: rectangle.top + y };
}

/** By its lower right corner, as cells of a sheet are selected. It never closes. */
export function sized(rectangle: Rectangle, steps: Steps, seen: Rectangle): Rectangle {
  const [width, height] = stepOf(seen);
  return {
    ...rectangle,
    right: bounded(rectangle.right + steps[0] * width, rectangle.left + width, Math.max(rectangle.right, seen.right)),
    bottom: bounded(rectangle.bottom + steps[1] * height, Math.min(rectangle.bottom, seen.bottom), rectangle.top - height),
  };
}

export function cornersOf({ left, right, bottom, top }: Rectangle): readonly Corner[] {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

function stepOf({ left, right, bottom, top }: Rectangle): readonly [width: number, height: number] {
  return [(right - left) / STEPS_OF_A_VIEW, (top - bottom) / STEPS_OF_A_VIEW];
}

function bounded(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

export type Corner = readonly [x: number, y: number];

/** Whether a point lies within a polygon, by the even-odd rule: a ray from it crosses an odd number of edges. */
export function isWithin(polygon: readonly Corner[], [x, y]: Corner): boolean {
  let isInside = false;
  polygon.forEach(([ax, ay], i) => {
    const [bx, by] = polygon[(i + 1) % polygon.length] ?? [ax, ay];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside;
  });
  return isInside;
}
