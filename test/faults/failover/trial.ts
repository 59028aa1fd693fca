import type { Loss } from './failover-cluster.ts';
import type { Load } from './load.ts';

export interface Trial {
  readonly name: string;
  readonly takesMs: number;
  readonly run: (stage: Stage) => Promise<void>;
}

export interface Stage {
  readonly load: Load;
  readonly tell: (line: string) => void;
  readonly found: (finding: string) => void;
  readonly failOver: (loss: Loss) => Promise<void>;
  readonly untilServed: () => Promise<number>;
  readonly addReplica: (name: string, env: Readonly<Record<string, string>>) => Promise<void>;
}
