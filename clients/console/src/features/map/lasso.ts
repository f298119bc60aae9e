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
