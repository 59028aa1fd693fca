import type { Loss } from './failover-cluster.ts';
import type { Load } from './load.ts';

/** Something that is lost or goes wrong beside the primary, while the service is called. */
export interface Trial {
  readonly name: string;
  /** About how long, for the pace of what is started. */
  readonly takesMs: number;
  readonly run: (stage: Stage) => Promise<void>;
}

/** What a trial has to do with. */
export interface Stage {
  readonly load: Load;
  readonly tell: (line: string) => void;
  readonly found: (finding: string) => void;
  /** The primary is lost once more, with all that is judged then. */
  readonly failOver: (loss: Loss) => Promise<void>;
  /** Until every replica has served a call; answers after how many milliseconds. */
  readonly untilServed: () => Promise<number>;
  /** Starts one more replica of the service, with these variables. */
  readonly addReplica: (name: string, env: Readonly<Record<string, string>>) => Promise<void>;
}
