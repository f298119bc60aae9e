// SPDX-License-Identifier: Apache-2.0
/** What the map is drawn of. Positions and colours are handed over as they lie in memory, so that 50,000 points cost a copy and no calls. */
import { LineLayer, PolygonLayer, ScatterplotLayer } from '@deck.gl/layers';
import type { Colouring, Scheme } from './colouring.ts';
import type { Corner } from './region.ts';

export type Drawn = {
  /** Two coordinates for each point, within [-1, 1]. */
  readonly coordinates: Float32Array;
  /** Red, green, blue and opacity of each point. */
  readonly colours: Uint8Array;
  /** Rows that stand out, for a reason that is shown beside the map. */
  readonly highlighted: readonly number[];
  /** The row that one looks at. */
  readonly focus: number | undefined;
  /** From one row to others. */
  readonly lines: readonly (readonly [from: number, to: number])[];
  /** What is being chosen. */
  readonly region: readonly Corner[];
  readonly scheme: Scheme;
};

/** Pixels of the drawing for each unit, as a power of two: a coordinate of 1 is 256 pixels from the middle. */
export const ZOOM = 8;
const FAINT = 28;
const REGION_CORNERS_MIN = 3;
const HIGHLIGHT_COLOUR = [224, 49, 49, 255] as const;
const REGION_COLOUR = [67, 128, 201] as const;

/** Few points are large and solid; of many each is small and lets others through, so that density shows. */
export function densityOf(count: number): { readonly radiusPx: number; readonly opacity: number } {
  if (count <= 1_000) return { radiusPx: 4, opacity: 225 };
  if (count <= 5_000) return { radiusPx: 3, opacity: 205 };
  if (count <= 20_000) return { radiusPx: 2.2, opacity: 180 };
  return { radiusPx: 1.6, opacity: 150 };
}

/** `isShown` says which points are not faint; missing for all. */
export function coloursOf({ colours, places }: Colouring, isShown: ((row: number) => boolean) | undefined): Uint8Array {
  const channels = colours.map((colour) => Number.parseInt(colour.slice(1), 16));
  const { opacity } = densityOf(places.length);
  const pixels = new Uint8Array(places.length * 4);
  places.forEach((place, row) => {
    const colour = channels[place] ?? 0;
    pixels[row * 4] = colour >> 16;
    pixels[row * 4 + 1] = (colour >> 8) & 255;
    pixels[row * 4 + 2] = colour & 255;
    pixels[row * 4 + 3] = isShown === undefined || isShown(row) ? opacity : FAINT;
  });
  return pixels;
}

export function layersOf({ coordinates, colours, highlighted, focus, lines, region, scheme }: Drawn) {
  const { radiusPx } = densityOf(coordinates.length / 2);
  const ink: [number, number, number] = scheme === 'dark' ? [233, 236, 239] : [33, 37, 41];
  const paper: [number, number, number] = scheme === 'dark' ? [36, 36, 36] : [255, 255, 255];
  const at = (row: number): [number, number] => [coordinates[row * 2] ?? 0, coordinates[row * 2 + 1] ?? 0];
  return [
    new ScatterplotLayer({
      id: 'points',
      data: {
        length: coordinates.length / 2,
        attributes: { getPosition: { value: coordinates, size: 2 }, getFillColor: { value: colours, size: 4, normalized: true } },
      },
      pickable: true,
      // Points grow with what is between them, within bounds.
      radiusUnits: 'common',
      getRadius: radiusPx / 2 ** ZOOM,
      radiusMinPixels: radiusPx,
      radiusMaxPixels: 1.8 * radiusPx,
    }),
    new LineLayer<readonly [number, number]>({
      id: 'lines',
      data: lines,
      getSourcePosition: ([from]) => at(from),
      getTargetPosition: ([, to]) => at(to),
      getColor: [...ink, 170],
      getWidth: 1.25,
    }),
    new ScatterplotLayer<number>({
      id: 'highlighted',
      data: highlighted,
      pickable: true,
      getPosition: at,
      radiusUnits: 'pixels',
      getRadius: radiusPx + 4,
      stroked: true,
      lineWidthUnits: 'pixels',
      getLineWidth: 2,
      getFillColor: [...HIGHLIGHT_COLOUR],
      getLineColor: [...paper, 255],
    }),
    new ScatterplotLayer<number>({
      id: 'focus',
      data: focus === undefined ? [] : [focus],
      getPosition: at,
      radiusUnits: 'pixels',
      getRadius: radiusPx + 8,
      filled: false,
      stroked: true,
      lineWidthUnits: 'pixels',
      getLineWidth: 2,
      getLineColor: [...ink, 255],
    }),
    new PolygonLayer<readonly Corner[]>({
      id: 'region',
      data: region.length < REGION_CORNERS_MIN ? [] : [region],
      getPolygon: (corners) => corners.map(([x, y]) => [x, y]),
      getFillColor: [...REGION_COLOUR, 40],
      getLineColor: [...REGION_COLOUR, 255],
      lineWidthUnits: 'pixels',
      getLineWidth: 1.5,
    }),
  ];
}
