// SPDX-License-Identifier: Apache-2.0
/** Which engine scans an asset, by its kind and size, and why. Where every other engine would find something else, the service measures it itself. */

export type EngineChoice = { readonly engine: 'service' | 'spark'; readonly reason: string };

/** What is known of an asset of files before it is read. */
export type FileFacts = {
  readonly bytes: number;
  /** Files larger than this go to Spark. */
  readonly boundBytes: number;
  /** Why another engine would not measure the same; undefined where it would. */
  readonly onlyHere: string | undefined;
  /** The name of the connection of a Spark that sees the file; undefined where there is none. */
  readonly spark: string | undefined;
};

export function chooseEngine({ bytes, boundBytes, onlyHere, spark }: FileFacts): EngineChoice {
  const here = (reason: string): EngineChoice => ({ engine: 'service', reason: `Scanned by the service: ${reason}.` });
  const [size, bound] = [
    `${bytes.toLocaleString('en')} bytes`,
    `the limit of ${boundBytes.toLocaleString('en')} above which Spark scans files`,
  ];
  if (bytes <= boundBytes) return here(`${size} are within ${bound}`);
  const larger = `${size} are more than ${bound}`;
  if (onlyHere !== undefined) return here(`${larger}, but ${onlyHere}`);
  if (spark === undefined) return here(`${larger}, but the project has no connection of a Spark that sees the file`);
  return { engine: 'spark', reason: `Scanned by Spark (connection ${spark}): ${larger}.` };
}

/** Tables of lakes are nowhere else. */
export const LAKES_ON_SPARK = 'Scanned by Spark, where the data are.';
