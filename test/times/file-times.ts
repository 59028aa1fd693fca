/** One run's times of one spec file, in milliseconds. */
export interface FileTimes {
  readonly file: string;
  readonly tests: number;
  readonly importMs: number;
  readonly hooksMs: number;
  readonly testsMs: number;
  readonly cpuMs: number;
}

export interface RunTimes {
  readonly wallMs: number;
  readonly cores: number;
  readonly busyMs: number;
  readonly files: readonly FileTimes[];
}

declare module 'vitest' {
  interface TaskMeta {
    cpuMs?: number;
  }
}

export function wholeMs({ importMs, hooksMs, testsMs }: FileTimes): number {
  return importMs + hooksMs + testsMs;
}
