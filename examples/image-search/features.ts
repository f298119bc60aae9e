// SPDX-License-Identifier: Apache-2.0
/**
 * A vector of a grey image: how strong its edges are in each direction, cell by cell (histograms of oriented gradients: Dalal and Triggs, CVPR 2005). It sees strokes and outlines,
 * and no meaning: put the image encoder of your choice in its place where a boot shall be near a sandal.
 */

/** Pixels of a cell in each direction. */
const CELL = 4;
/** Directions of an edge, over half a turn. */
const DIRECTIONS = 9;

export function featuresOf(pixels: Uint8Array, width: number): number[] {
  const height = pixels.length / width;
  const columns = Math.floor(width / CELL);
  const rows = Math.floor(height / CELL);
  const features = Array.from({ length: columns * rows * DIRECTIONS }, () => 0);
  const pixel = (x: number, y: number) => (x < 0 || y < 0 || x >= width || y >= height ? 0 : (pixels[y * width + x] ?? 0) / 255);
  for (let y = 0; y < rows * CELL; y++) {
    for (let x = 0; x < columns * CELL; x++) {
      const across = pixel(x + 1, y) - pixel(x - 1, y);
      const down = pixel(x, y + 1) - pixel(x, y - 1);
      const strength = Math.hypot(across, down);
      if (strength === 0) continue;
      const direction = Math.floor(((Math.atan2(down, across) + Math.PI) / Math.PI) * DIRECTIONS) % DIRECTIONS;
      const at = (Math.floor(y / CELL) * columns + Math.floor(x / CELL)) * DIRECTIONS + direction;
      features[at] = (features[at] ?? 0) + strength;
    }
  }
  // The root keeps one strong edge from outweighing all others.
  return features.map(Math.sqrt);
}
