import type { Side } from './side.ts';

/** Shared by every section of the bench. */
export interface Growth {
  readonly small: Side;
  readonly large: Side;
  /** The data folder of both sides. */
  readonly dataDir: string;
  readonly log: (line: string) => void;
}
