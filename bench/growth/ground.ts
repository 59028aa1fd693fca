import type { Side } from './side.ts';

/** What every part of the bench works on. */
export interface Growth {
  readonly small: Side;
  readonly large: Side;
  /** The folder of the data of both. */
  readonly dataDir: string;
  readonly log: (line: string) => void;
}
