interface LogLine {
  readonly level: number;
  readonly time: number;
  readonly context?: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
}

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'ERROR',
  60: 'FATAL',
};

/** Time (UTC), level, context and message; other text is unchanged. */
export function terminalLine(json: string): string {
  let line: LogLine;
  try {
    line = JSON.parse(json) as LogLine;
  } catch {
    return json;
  }
  const { level, time, context, msg, err } = line;
  const clock = new Date(time).toISOString().slice(11, 19);
  const words = [context, msg ?? err?.message].filter((word) => word !== undefined).join(': ');
  const stack = err?.stack === undefined ? '' : `\n${err.stack}`;
  return `${clock} ${LEVELS[level] ?? level} ${words}${stack}\n`;
}

export function terminalStream(output: Pick<NodeJS.WriteStream, 'write'>) {
  return {
    write: (line: string): void => {
      output.write(terminalLine(line));
    },
  };
}
