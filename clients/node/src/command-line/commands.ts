import { parseArgs } from 'node:util';
import { RinpathConnectionError, RinpathError } from '../errors.ts';
import { listen } from './listen.ts';
import { sign, verify } from './signing.ts';
import { UsageError } from './terminal.ts';
import type { Terminal, Values } from './terminal.ts';
import { trigger } from './trigger.ts';

const HELP = `Usage: rinpath COMMAND [options]

listen --forward-to URL      Forward events to your receiver, signed like webhooks.
  --events NAME,NAME           Only these. An instant loan sends lead.status_changed.
  --after CURSOR               Start after this cursor. Default: only new events.
  --since TIME                 Start at this time: 2026-01-31T10:00:00Z.
  --secret SECRET              Sign with this secret. Default: a new one, printed at the start.
sign METHOD PATH             Print the headers of a signed call.
  --body FILE                  The body; - reads standard input.
  --curl                       Print a curl command.
verify --signature VALUE     Check a webhook; its body comes from standard input.
  --secret SECRET              The subscription's secret.
  --id ID --timestamp SECONDS  webhook-id and webhook-timestamp, for a webhook-signature.
trigger SCENARIO             Start a journey or an instant loan in the sandbox.
  --list                       List the scenarios.

All but verify take --base-url, --api-key and --api-secret. Environment variables:
RINPATH_BASE_URL, RINPATH_API_KEY, RINPATH_API_SECRET and, for --secret, RINPATH_WEBHOOK_SECRET.`;

interface Command {
  readonly options: readonly string[];
  /** @throws Error that says what to change */
  run(values: Values, terminal: Terminal, words: readonly string[]): Promise<void>;
}

const SERVICE = ['base-url', 'api-key', 'api-secret'];
const SWITCHES = new Set(['help', 'curl', 'list']);
const COMMANDS: Readonly<Record<string, Command>> = {
  listen: {
    options: [...SERVICE, 'forward-to', 'events', 'after', 'since', 'secret'],
    run: listen,
  },
  sign: { options: [...SERVICE, 'body', 'curl'], run: sign },
  verify: { options: ['secret', 'signature', 'id', 'timestamp'], run: verify },
  trigger: { options: [...SERVICE, 'list'], run: trigger },
};

/** Runs a command line. @returns the exit code */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = '--help', ...others] = args;
  if (name === '--help' || others.includes('--help')) {
    terminal.print(HELP);
    return 0;
  }
  try {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command) throw new UsageError(`There is no command ${name}. See rinpath --help.`);
    const { values, positionals } = parsed(others, command);
    await command.run(values, terminal, positionals);
    return 0;
  } catch (error) {
    if (terminal.signal.aborted) return 0;
    for (const line of linesOf(error)) terminal.warn(line);
    return 1;
  }
}

function parsed(args: string[], { options }: Command) {
  const types = options.map((name) => {
    return [name, { type: SWITCHES.has(name) ? 'boolean' : 'string' } as const] as const;
  });
  try {
    return parseArgs({ args, options: Object.fromEntries(types), allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${messageOf(error).split('. ')[0]}. See rinpath --help.`);
  }
}

function linesOf(error: unknown): string[] {
  const message = messageOf(error);
  if (error instanceof RinpathConnectionError) {
    return [`Error: ${message}. Start the service, or correct RINPATH_BASE_URL.`];
  }
  if (!(error instanceof RinpathError)) return [`Error: ${message}`];
  const { code, details, hint, requestId } = error;
  return [
    `Error: ${message} (${code}, request ${requestId ?? 'unknown'}).`,
    ...details.map(({ field, message: text }) => `${field} ${text}`),
    ...(typeof hint === 'string' ? [`Hint: ${hint}`] : []),
    ...(ADVICE[code] === undefined ? [] : [ADVICE[code]]),
  ];
}

const ADVICE: Readonly<Record<string, string | undefined>> = {
  invalid_signature:
    'Check RINPATH_API_KEY and RINPATH_API_SECRET: a pair, of the same service as RINPATH_BASE_URL. Check the clock.',
  cursor_expired: 'Leave out --after; use --since to read older events again.',
  unreadable_answer: 'Correct RINPATH_BASE_URL: another program answers there.',
};

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
