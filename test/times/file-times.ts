/** What one run said of one spec file, in milliseconds. */
export interface FileTimes {
  /** From the root of the project. */
  readonly file: string;
  readonly tests: number;
  /** Waiting for its modules to be transformed, and evaluating them. */
  readonly importMs: number;
  /** Its hooks: mostly starting and stopping services and browsers. */
  readonly hooksMs: number;
  readonly testsMs: number;
  /** Processor time of the worker and of the processes that it started and saw the end of; PostgreSQL's is not in it. */
  readonly cpuMs: number;
}

/** What one run of the suite took. */
export interface RunTimes {
  readonly wallMs: number;
  readonly cores: number;
  /** Processor time of everything on the machine meanwhile. */
  readonly busyMs: number;
  readonly files: readonly FileTimes[];
}

/** What the worker tells the reporter of a file, on the file's task. */
declare module 'vitest' {
  interface TaskMeta {
    cpuMs?: number;
  }
}

export function wholeMs({ importMs, hooksMs, testsMs }: FileTimes): number {
  return importMs + hooksMs + testsMs;
}
